import { Reader } from '../asn1/der.ts'
import { type Element, tagName, tags } from '../asn1/element.ts'
import { fromOidContent } from '../asn1/oid.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { oidOf } from '../asn1/value.ts'
import { type Bytes, toHex, toLatin1 } from '../bytes.ts'
import { addressOfBytes, formatAddress } from '../ip/address.ts'
import { readName } from './name.ts'
import { textOf } from './text.ts'

/** The names of RFC 5280 §4.2.1.6. */
export interface GeneralName {
  type: 'DNS' | 'email' | 'IP' | 'URI' | 'directory' | 'other' | 'registered ID' | 'X.400' | 'EDI party' | 'unknown'
  value: string
  /** For `other`: what kind of name it is. */
  oid?: string
}

const kinds = [
  'other',
  'email',
  'DNS',
  'X.400',
  'directory',
  'EDI party',
  'URI',
  'IP',
  'registered ID',
] as const satisfies readonly GeneralName['type'][]

/** One name; inside name constraints an address carries its mask. */
export function generalNameOf(element: Element, use: 'name' | 'subtree' = 'name'): GeneralName {
  const { tag, content } = element
  const type = element.tagClass === 'context' ? (kinds[tag] ?? 'unknown') : 'unknown'
  switch (type) {
    case 'email':
    case 'DNS':
    case 'URI':
      return { type, value: toLatin1(content) }
    case 'IP':
      return { type, value: use === 'name' ? address(content) : subtree(content) }
    case 'directory':
      return { type, value: readName(Reader.inside(element), 'a directory name').text }
    case 'registered ID':
      return { type, value: oidLabel(fromOidContent(content)) }
    case 'other':
      return otherName(element)
    case 'unknown':
      return { type, value: `${tagName(element)} ${toHex(content)}` }
    default:
      return { type, value: toHex(content) }
  }
}

function address(content: Bytes): string {
  if (content.length !== 4 && content.length !== 16) return `${toHex(content)} (${content.length} bytes are no address)`
  return formatAddress(addressOfBytes(content))
}

/** RFC 5280 §4.2.1.10: address and mask, in one. */
function subtree(content: Bytes): string {
  const half = content.length / 2
  if (half !== 4 && half !== 16) return address(content)
  const mask = [...content.subarray(half)].map(octet => octet.toString(2).padStart(8, '0')).join('')
  const network = formatAddress(addressOfBytes(content.slice(0, half)))
  return /^1*0*$/.test(mask)
    ? `${network}/${mask.replace(/0/g, '').length}`
    : `${network} mask ${toHex(content.slice(half))}`
}

function otherName(element: Element): GeneralName {
  const reader = Reader.inside(element)
  const oid = oidOf(reader.take(tags.objectIdentifier, 'the kind of another name'))
  const inner = reader.explicit(0, 'the value of another name')
  const value = inner?.next('the value of another name')
  const text = value && textOf(value)?.text
  return { type: 'other', oid, value: `${oidLabel(oid)}: ${text ?? (value ? toHex(value.whole) : '')}` }
}

/** GeneralNames, one after the other. */
export const generalNames = (reader: Reader): GeneralName[] =>
  reader.rest('a name').map(element => generalNameOf(element))

export const printGeneralName = ({ type, value }: GeneralName): string => `${type}: ${value}`
