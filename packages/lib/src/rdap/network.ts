/** RDAP objects of the regional registries: IP networks and autonomous systems. RFC 9083 §5.4, §5.5. */

import { canonicalDate } from '../whois/dates.ts'
import { type Contact, put } from '../whois/registration.ts'
import { contactOf } from './jcard.ts'
import { type Json, objects, text, texts } from './json.ts'

export interface NumberResource {
  handle?: string
  name?: string
  /** "192.0.2.0/24", several where the range is no single prefix, or a range of AS numbers. */
  ranges: string[]
  country?: string
  organization?: Contact
  abuse?: Contact
  admin?: Contact
  tech?: Contact
  created?: string
  updated?: string
  statuses: string[]
  whoisServer?: string
  parent?: string
}

export const emptyResource = (): NumberResource => ({ ranges: [], statuses: [] })

/** Reads an "ip network" or "autnum" object; undefined when it is something else. */
export function numberResourceOf(answer: Json): NumberResource | undefined {
  const kind = answer.objectClassName
  if (kind !== 'ip network' && kind !== 'autnum') return undefined
  const entities = objects(answer.entities).flatMap(entity => [entity, ...objects(entity.entities)])
  const withRole = (...roles: string[]): Contact | undefined =>
    roles.flatMap(role =>
      entities.flatMap(entity => (texts(entity.roles).includes(role) ? (contactOf(entity.vcardArray) ?? []) : [])),
    )[0]
  const found = emptyResource()
  found.ranges = kind === 'autnum' ? asRange(answer) : prefixesOf(answer)
  found.statuses = texts(answer.status)
  put(found, 'handle', text(answer.handle))
  put(found, 'name', text(answer.name))
  put(found, 'country', text(answer.country)?.toUpperCase())
  put(found, 'organization', withRole('registrant', 'administrative'))
  put(found, 'abuse', withRole('abuse'))
  put(found, 'admin', withRole('administrative'))
  put(found, 'tech', withRole('technical'))
  put(found, 'created', eventOf(answer, 'registration'))
  put(found, 'updated', eventOf(answer, 'last changed'))
  put(found, 'whoisServer', text(answer.port43))
  put(found, 'parent', text(answer.parentHandle))
  return found
}

/** The cidr0 extension where the server has it, else first and last address. */
function prefixesOf(answer: Json): string[] {
  const cidrs = objects(answer.cidr0_cidrs).flatMap(({ v4prefix, v6prefix, length }) => {
    const prefix = text(v4prefix) ?? text(v6prefix)
    return prefix && typeof length === 'number' ? [`${prefix}/${length}`] : []
  })
  const [first, last] = [text(answer.startAddress), text(answer.endAddress)]
  return cidrs.length ? cidrs : first && last ? [`${first} - ${last}`] : []
}

function asRange(answer: Json): string[] {
  const [first, last] = [text(answer.startAutnum), text(answer.endAutnum)]
  if (!first) return []
  return [!last || last === first ? `AS${first}` : `AS${first} - AS${last}`]
}

const eventOf = ({ events }: Json, action: string) =>
  objects(events).flatMap(each =>
    each.eventAction === action ? (canonicalDate(text(each.eventDate) ?? '') ?? []) : [],
  )[0]
