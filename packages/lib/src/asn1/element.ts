import type { Bytes } from '../bytes.ts'

export type Rules = 'DER' | 'BER'
export type TagClass = 'universal' | 'application' | 'context' | 'private'

/** X.680 §8.4, table 1 */
export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  objectIdentifier: 6,
  objectDescriptor: 7,
  external: 8,
  real: 9,
  enumerated: 10,
  embeddedPdv: 11,
  utf8String: 12,
  relativeOid: 13,
  time: 14,
  sequence: 16,
  set: 17,
  numericString: 18,
  printableString: 19,
  teletexString: 20,
  videotexString: 21,
  ia5String: 22,
  utcTime: 23,
  generalizedTime: 24,
  graphicString: 25,
  visibleString: 26,
  generalString: 27,
  universalString: 28,
  characterString: 29,
  bmpString: 30,
} as const

const tagNames = new Map<number, string>([
  [0, 'end-of-contents'],
  [1, 'BOOLEAN'],
  [2, 'INTEGER'],
  [3, 'BIT STRING'],
  [4, 'OCTET STRING'],
  [5, 'NULL'],
  [6, 'OBJECT IDENTIFIER'],
  [7, 'ObjectDescriptor'],
  [8, 'EXTERNAL'],
  [9, 'REAL'],
  [10, 'ENUMERATED'],
  [11, 'EMBEDDED PDV'],
  [12, 'UTF8String'],
  [13, 'RELATIVE-OID'],
  [14, 'TIME'],
  [16, 'SEQUENCE'],
  [17, 'SET'],
  [18, 'NumericString'],
  [19, 'PrintableString'],
  [20, 'TeletexString'],
  [21, 'VideotexString'],
  [22, 'IA5String'],
  [23, 'UTCTime'],
  [24, 'GeneralizedTime'],
  [25, 'GraphicString'],
  [26, 'VisibleString'],
  [27, 'GeneralString'],
  [28, 'UniversalString'],
  [29, 'CHARACTER STRING'],
  [30, 'BMPString'],
])

/** The name of a tag as ASN.1 writes it: INTEGER, [0], [APPLICATION 3]. */
export function tagName({ tagClass, tag }: Pick<Element, 'tagClass' | 'tag'>): string {
  if (tagClass === 'universal') return tagNames.get(tag) ?? `[UNIVERSAL ${tag}]`
  return tagClass === 'context' ? `[${tag}]` : `[${tagClass.toUpperCase()} ${tag}]`
}

/** Bytes that do not follow the rules, with where. */
export class DerError extends RangeError {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(`${message} (at byte ${offset})`)
    this.name = 'DerError'
    this.offset = offset
  }
}

/** One tag, length and value. */
export interface Element {
  tagClass: TagClass
  constructed: boolean
  tag: number
  /** Where its first octet stands in the whole input. */
  offset: number
  /** Where its content stands in the whole input. */
  contentOffset: number
  content: Bytes
  /** Tag, length and content as they stand in the input. */
  whole: Bytes
  depth: number
  rules: Rules
}
