/** A WHOIS answer of a regional registry about an address block or an AS number. */

import { emptyResource, type NumberResource } from '../rdap/network.ts'
import type { Entry } from './answer.ts'
import { canonicalDate } from './dates.ts'
import type { Contact } from './registration.ts'

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
  const name = first(KEYS.name)
  const org = first(KEYS.organization)?.replace(/\s+\([\w-]+\)$/, '')
  const email = first(KEYS.abuse)
  const status = first(KEYS.status)
  const range = first(KEYS.ranges)
  const country = first(KEYS.country)
  const [created, updated] = [date(KEYS.created), date(KEYS.updated)]
  const handle = first(KEYS.handle)
  const organization: Contact = { ...(org && { org }), ...(country && { country: country.toUpperCase() }) }
  return {
    ...emptyResource(),
    ranges: range ? [range] : [],
    statuses: status ? [status] : [],
    ...(handle && { handle }),
    ...(name && { name }),
    ...(country && { country: country.toUpperCase().slice(0, 2) }),
    ...(org && { organization }),
    ...(email && { abuse: { email } }),
    ...(created && { created }),
    ...(updated && { updated }),
  }
}
