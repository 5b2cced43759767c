import type { Reader } from '../asn1/der.ts'
import { type Element, tags } from '../asn1/element.ts'
import { oidName } from '../asn1/oid-names.ts'
import { oidOf } from '../asn1/value.ts'
import { type Bytes, toHex } from '../bytes.ts'
import { textOf, visible } from './text.ts'

/** Distinguished names. RFC 5280 §4.1.2.4, in text RFC 4514. */
export interface NameAttribute {
  /** Short name such as CN, or the identifier where there is none. */
  type: string
  oid: string
  /** The text, or # and the DER in hexadecimal where the value is no text. */
  value: string
}
export interface Name {
  /** In the order of RFC 4514 §2.1: the last part first. Nothing in it is invisible. */
  text: string
  /** Relative names in the order of the certificate; most have one attribute. */
  parts: NameAttribute[][]
  whole: Bytes
  /** Equal for names that RFC 5280 §7.1 calls equal: case, runs of white space and the encoding of a text do not count. */
  canonical: string
  faults: string[]
}

export function readName(reader: Reader, what: string): Name {
  const element = reader.peek()
  const sequence = reader.sequence(what)
  const faults: string[] = []
  const parts: NameAttribute[][] = []
  while (!sequence.done) {
    const set = sequence.set(`a part of ${what}`)
    const attributes: NameAttribute[] = []
    while (!set.done) attributes.push(readAttribute(set, what, faults))
    if (!attributes.length) faults.push(`a part of ${what} is empty`)
    parts.push(attributes)
  }
  const text = parts
    .toReversed()
    .map(attributes => attributes.map(print).join('+'))
    .join(',')
  return { text, parts, whole: element?.whole ?? new Uint8Array(), canonical: canonicalOf(parts), faults }
}

function readAttribute(set: Reader, what: string, faults: string[]): NameAttribute {
  const pair = set.sequence(`a part of ${what}`)
  const oid = oidOf(pair.take(tags.objectIdentifier, `the type of a part of ${what}`))
  const element = pair.next(`the value of a part of ${what}`)
  pair.end(`a part of ${what}`)
  const decoded = textOf(element)
  const type = oidName(oid) ?? oid
  if (decoded?.fault) faults.push(`${type} in ${what}: ${decoded.fault}`)
  return { type, oid, value: decoded?.text ?? hexValue(element) }
}

const hexValue = ({ whole }: Element) => `#${toHex(whole)}`

/** RFC 4514 §2.4: what would end the value is escaped. */
function print({ type, oid, value }: NameAttribute): string {
  if (type === oid || value.startsWith('#')) return `${type}=${visible(value)}`
  const escaped = value
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
  return `${type}=${visible(escaped)}`
}

/** The first value of an attribute. */
export const attributeOf = (name: Name, type: string): string | undefined =>
  name.parts.flat().find(attribute => attribute.type === type)?.value

/** What stands for the whole name in a title: the common name, or else the organization, or else everything. */
export const shortName = (name: Name): string =>
  visible(attributeOf(name, 'CN') ?? attributeOf(name, 'O') ?? '') || name.text || '(no name)'

export const equalNames = (a: Name, b: Name): boolean => a.canonical === b.canonical

const canonicalOf = (parts: Name['parts']): string =>
  JSON.stringify(
    parts.map(attributes =>
      attributes.map(({ oid, value }) => [oid, value.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')]),
    ),
  )

/** What the API says of a name. */
export const describeName = ({ text, parts }: Name) => ({ text, attributes: parts.flat() })
