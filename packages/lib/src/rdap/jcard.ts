/** Contacts in RDAP: jCard, RFC 7095, with the properties of vCard 4.0, RFC 6350. */

import { type Contact, put } from '../whois/registration.ts'
import { list, object, text, texts } from './json.ts'

/** Values that stand for nothing: RFC 9537 §3.2 asks for empty ones, but these are what many registries write. */
const PLACEHOLDER =
  /^(?:redacted\b.*|.*\bredacted for privacy\b.*|data (?:protected|redacted).*|not disclosed.*|visit www\..*|hidden upon.*|n\/a|none|-+|\.)$/i

export const meaningful = (value: string | undefined): string | undefined =>
  value === undefined || PLACEHOLDER.test(value) ? undefined : value

interface Property {
  name: string
  parameters: Readonly<Record<string, unknown>>
  values: readonly unknown[]
}

/** The contact in a `vcardArray`; undefined when it says nothing. */
export function contactOf(vcardArray: unknown): Contact | undefined {
  const properties = propertiesOf(vcardArray)
  const first = (name: string) =>
    meaningful(properties.flatMap(each => (each.name === name ? texts(each.values.flat()) : []))[0])
  const address = addressOf(properties.find(({ name }) => name === 'adr'))
  const contact: Contact = {}
  put(contact, 'name', first('fn'))
  put(contact, 'org', first('org'))
  put(contact, 'address', address.lines.length ? address.lines : undefined)
  put(contact, 'country', address.country)
  put(contact, 'email', first('email'))
  put(contact, 'phone', phoneOf(properties))
  return Object.keys(contact).length ? contact : undefined
}

/** RFC 7095 §3: ["vcard", [[name, parameters, type, value, …], …]]. */
function propertiesOf(vcardArray: unknown): Property[] {
  const [tag, properties] = list(vcardArray)
  if (tag !== 'vcard') return []
  return list(properties).flatMap(property => {
    const [name, parameters, , ...values] = list(property)
    return typeof name === 'string' ? [{ name: name.toLowerCase(), parameters: object(parameters) ?? {}, values }] : []
  })
}

/** RFC 6350 §6.3.1: box, extension, street, locality, region, code, country; any of them may be a list. */
function addressOf(property: Property | undefined): { lines: string[]; country?: string } {
  if (!property) return { lines: [] }
  const { parameters, values } = property
  const parts = list(values[0]).map(part => texts(Array.isArray(part) ? part : [part]))
  const code = text(parameters.cc)
  const country = meaningful(parts[6]?.[0]) ?? code?.toUpperCase()
  const known = parts
    .slice(0, 6)
    .flat()
    .filter(part => meaningful(part))
  // RFC 7095 §3.3.1.3: unstructured addresses stand in the label parameter.
  const lines = known.length ? known : (text(parameters.label)?.split(/\r?\n/).filter(meaningful) ?? [])
  return { lines, ...(country && { country: code?.toUpperCase() ?? country }) }
}

/** A voice number rather than a fax; "tel:" in front of a URI goes. */
function phoneOf(properties: readonly Property[]): string | undefined {
  const numbers = properties.filter(({ name }) => name === 'tel')
  const isFax = ({ parameters: { type } }: Property) => [type].flat().some(each => text(each)?.toLowerCase() === 'fax')
  const value = text((numbers.find(each => !isFax(each)) ?? numbers[0])?.values[0])
  return meaningful(value?.replace(/^tel:/i, ''))
}
