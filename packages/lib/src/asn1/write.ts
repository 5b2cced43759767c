import { type Bytes, concat, fromLatin1, fromUtf8 } from '../bytes.ts'
import { tags } from './element.ts'
import { toSignedOctets } from './integer.ts'
import { toOidContent } from './oid.ts'

function element(identifier: number, ...parts: readonly Uint8Array[]): Bytes {
  const content = concat(...parts)
  return concat(Uint8Array.of(identifier), lengthOctets(content.length), content)
}

/** X.690 §10.1: definite, in the fewest octets. */
function lengthOctets(length: number): Bytes {
  if (length < 128) return Uint8Array.of(length)
  const octets: number[] = []
  for (let rest = length; rest; rest = Math.floor(rest / 256)) octets.unshift(rest & 255)
  return Uint8Array.of(0x80 | octets.length, ...octets)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference) return difference
  }
  return a.length - b.length
}

const pad = (number: number, digits = 2) => String(number).padStart(digits, '0')
const clock = (date: Date) =>
  [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    .map(part => pad(part))
    .join('')

/** Writes DER: each function gives a whole element. */
export const der = {
  sequence: (...parts: readonly Uint8Array[]): Bytes => element(0x30, ...parts),
  /** SET OF, in the order of the encodings (X.690 §11.6). */
  setOf: (...parts: readonly Uint8Array[]): Bytes => element(0x31, ...parts.toSorted(compareBytes)),
  integer: (number: bigint | number): Bytes => element(tags.integer, toSignedOctets(BigInt(number))),
  enumerated: (number: bigint | number): Bytes => element(tags.enumerated, toSignedOctets(BigInt(number))),
  boolean: (value: boolean): Bytes => element(tags.boolean, Uint8Array.of(value ? 255 : 0)),
  null: (): Bytes => element(tags.null),
  oid: (dotted: string): Bytes => element(tags.objectIdentifier, toOidContent(dotted)),
  octetString: (bytes: Uint8Array): Bytes => element(tags.octetString, bytes),
  bitString: (bytes: Uint8Array, unused = 0): Bytes => element(tags.bitString, Uint8Array.of(unused), bytes),
  /** A named bit list, without the zeros at its end (X.690 §11.2.2). */
  namedBits(bits: readonly number[]): Bytes {
    if (!bits.length) return der.bitString(new Uint8Array())
    const last = Math.max(...bits)
    const bytes = new Uint8Array((last >> 3) + 1)
    for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (128 >> (bit & 7))
    return der.bitString(bytes, 7 - (last & 7))
  },
  utf8String: (text: string): Bytes => element(tags.utf8String, fromUtf8(text)),
  printableString: (text: string): Bytes => element(tags.printableString, fromLatin1(text)),
  ia5String: (text: string): Bytes => element(tags.ia5String, fromLatin1(text)),
  /** The form RFC 5280 §4.1.2.5 asks for: UTCTime through 2049, GeneralizedTime from 2050 on and before 1950. */
  time(date: Date): Bytes {
    const year = date.getUTCFullYear()
    const generalized = year < 1950 || year > 2049
    const text = `${generalized ? pad(year, 4) : pad(year % 100)}${clock(date)}Z`
    return element(generalized ? tags.generalizedTime : tags.utcTime, fromLatin1(text))
  },
  generalizedTime: (date: Date): Bytes =>
    element(tags.generalizedTime, fromLatin1(`${pad(date.getUTCFullYear(), 4)}${clock(date)}Z`)),
  /** [n] around whole elements. */
  explicit: (tag: number, ...parts: readonly Uint8Array[]): Bytes => element(0xa0 | tag, ...parts),
  /** [n] in place of a primitive's own tag: the content alone. */
  implicit: (tag: number, content: Uint8Array): Bytes => element(0x80 | tag, content),
  /** [n] in place of a constructed type's own tag. */
  implicitConstructed: (tag: number, ...parts: readonly Uint8Array[]): Bytes => element(0xa0 | tag, ...parts),
}
