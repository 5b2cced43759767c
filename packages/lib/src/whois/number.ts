/** A WHOIS answer of a regional registry about an address block or an AS number. */

import { emptyResource, type NumberResource } from '../rdap/network.ts'
import type { Entry } from './answer.ts'
import { canonicalDate } from './dates.ts'
import { type Contact, put } from './registration.ts'

const KEYS = {
  ranges: ['inetnum', 'inet6num', 'netrange', 'cidr', 'asnumber', 'aut-num', 'as-block'],
  name: ['netname', 'asname', 'as-name'],
  handle: ['nethandle', 'ashandle', 'aut-num'],
  country: ['country'],
  created: ['regdate', 'created'],
  updated: ['updated', 'last-modified', 'changed'],
  status: ['status', 'nettype'],
  organization: ['org-name', 'orgname', 'organization', 'owner', 'descr'],
  abuse: ['orgabuseemail', 'abuse-mailbox', 'e-mail abuse'],
} as const

/** The first network of the answer, with the organization it names. */
export function numberResourceIn(entries: readonly Entry[]): NumberResource {
  const first = (keys: readonly string[]) =>
    keys.flatMap(key => entries.flatMap(entry => (entry.key === key ? [entry.value] : [])))[0]
  const date = (keys: readonly string[]) => canonicalDate(first(keys)?.replace(/^\S+@\S+\s+/, '') ?? '')
  const found = emptyResource()
  const country = first(KEYS.country)?.toUpperCase().slice(0, 2)
  const org = first(KEYS.organization)?.replace(/\s+\([\w-]+\)$/, '')
  const email = first(KEYS.abuse)
  const organization: Contact = {}
  put(organization, 'org', org)
  put(organization, 'country', country)
  found.ranges = [first(KEYS.ranges)].filter(range => range !== undefined)
  found.statuses = [first(KEYS.status)].filter(status => status !== undefined)
  put(found, 'handle', first(KEYS.handle))
  put(found, 'name', first(KEYS.name))
  put(found, 'country', country)
  put(found, 'organization', org ? organization : undefined)
  put(found, 'abuse', email ? { email } : undefined)
  put(found, 'created', date(KEYS.created))
  put(found, 'updated', date(KEYS.updated))
  return found
}
