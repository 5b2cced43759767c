/** An RDAP domain object as a registration. RFC 9083 §5.3, RFC 9537 (redaction), RFC 8056 (status). */

import { canonicalDate } from '../whois/dates.ts'
import { type Contact, emptyRegistration, put, type Registration, type Role } from '../whois/registration.ts'
import { contactOf, meaningful } from './jcard.ts'
import { type Json, list, object, objects, text, texts } from './json.ts'
import { eppStatus } from './status.ts'

const roles: Readonly<Record<string, Role>> = {
  registrant: 'registrant',
  administrative: 'admin',
  technical: 'tech',
  billing: 'billing',
  abuse: 'abuse',
}

/** Reads a domain object; undefined when it is something else. */
export function registrationOf(answer: Json): Registration | undefined {
  if (answer.objectClassName !== 'domain' && !text(answer.ldhName)) return undefined
  const found = emptyRegistration()
  const registrar = entityWith(answer, 'registrar')
  const registrarCard = registrar && contactOf(registrar.vcardArray)
  put(found, 'name', text(answer.ldhName)?.toLowerCase().replace(/\.$/, ''))
  put(found, 'handle', meaningful(text(answer.handle)))
  put(found, 'registrar', registrarCard?.name ?? registrarCard?.org ?? meaningful(text(registrar?.handle)))
  put(found, 'registrarId', idOf(registrar))
  put(found, 'registrarUrl', linkOf(registrar))
  put(found, 'whoisServer', text(answer.port43)?.toLowerCase())
  put(found, 'dnssec', dnssecOf(answer))
  put(found, 'created', eventOf(answer, ['registration']))
  put(found, 'expires', eventOf(answer, ['expiration', 'registrar expiration']))
  put(found, 'updated', eventOf(answer, ['last changed']))
  found.statuses = [...new Set(texts(answer.status).map(eppStatus))]
  found.nameServers = objects(answer.nameservers).flatMap(nameServerOf)
  found.contacts = contactsOf(answer)
  found.redacted = redactedIn(answer)
  return found
}

/** Entities may hold entities: the abuse contact usually sits in the registrar. RFC 9083 §5.1. */
function entitiesOf(answer: Json, depth = 3): Json[] {
  if (depth === 0) return []
  return objects(answer.entities).flatMap(entity => [entity, ...entitiesOf(entity, depth - 1)])
}

const hasRole = (entity: Json, role: string) => texts(entity.roles).some(each => each.toLowerCase() === role)
const entityWith = (answer: Json, role: string) => entitiesOf(answer).find(entity => hasRole(entity, role))

function idOf(registrar: Json | undefined): string | undefined {
  const id = objects(registrar?.publicIds).find(({ type }) => /iana registrar id/i.test(text(type) ?? ''))
  return text(id?.identifier)
}

function linkOf(registrar: Json | undefined): string | undefined {
  const url = objects(registrar?.links).find(({ rel }) => rel === 'about' || rel === 'related')?.href
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}

function contactsOf(answer: Json): Registration['contacts'] {
  const contacts: Partial<Record<Role, Contact>> = {}
  for (const entity of entitiesOf(answer)) {
    const contact = contactOf(entity.vcardArray)
    for (const [word, role] of Object.entries(roles)) {
      if (contact && hasRole(entity, word)) contacts[role] ??= contact
    }
  }
  return contacts
}

function nameServerOf(server: Json): Registration['nameServers'] {
  const name = text(server.ldhName)?.toLowerCase().replace(/\.$/, '')
  const addresses = object(server.ipAddresses) ?? {}
  return name ? [{ name, addresses: [...texts(addresses.v4), ...texts(addresses.v6)] }] : []
}

function dnssecOf({ secureDNS }: Json): Registration['dnssec'] {
  const { delegationSigned, dsData, keyData } = object(secureDNS) ?? {}
  if (delegationSigned === true || list(dsData).length || list(keyData).length) return 'signedDelegation'
  return delegationSigned === false ? 'unsigned' : undefined
}

function eventOf({ events }: Json, actions: readonly string[]): string | undefined {
  const found = actions.flatMap(action =>
    objects(events).filter(each => text(each.eventAction)?.toLowerCase() === action),
  )
  return found.flatMap(({ eventDate }) => canonicalDate(text(eventDate) ?? '') ?? [])[0]
}

/** RFC 9537 §4.2: what was left out, by its registered type or its description. */
function redactedIn({ redacted }: Json): string[] {
  const names = objects(redacted).flatMap(
    ({ name }) => text(object(name)?.type) ?? text(object(name)?.description) ?? [],
  )
  return [...new Set(names)]
}

/** RFC 9083 §4.2: where the registrar tells more. Only web addresses, and not the answer's own. */
export function relatedLink(answer: Json, own: string): string | undefined {
  const link = objects(answer.links).find(
    ({ rel, type, href }) =>
      rel === 'related' && type === 'application/rdap+json' && typeof href === 'string' && href !== own,
  )
  return text(link?.href)
}
