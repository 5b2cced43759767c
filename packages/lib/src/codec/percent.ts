import { fromUtf8, toHex } from '../bytes.ts'
import type { Decoded } from './grouped.ts'

/**
 * Percent-encoding: RFC 3986 §2.1, and the percent-encode sets of the WHATWG URL Standard. Bytes in, bytes out, so
 * that what is not UTF-8 survives.
 */
export const percentModes = ['component', 'full URI', 'form (+)', 'all characters', 'all but unreserved'] as const
export type PercentMode = (typeof percentModes)[number]

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** What encodeURI leaves alone because it has a meaning in an address (ECMA-262 §19.2.6.3). */
const RESERVED = ';/?:@&=+$,#'

/** The characters each mode leaves as they are. */
const kept: Record<PercentMode, string> = {
  // URL Standard §1.3: the component percent-encode set gives what encodeURIComponent gives.
  component: `${LETTERS_AND_DIGITS}-_.!~*'()`,
  'full URI': `${LETTERS_AND_DIGITS}-_.!~*'()${RESERVED}`,
  // URL Standard §1.3: the application/x-www-form-urlencoded percent-encode set.
  'form (+)': `${LETTERS_AND_DIGITS}*-._`,
  'all characters': '',
  // RFC 3986 §2.3.
  'all but unreserved': `${LETTERS_AND_DIGITS}-._~`,
}

export function encodePercent(bytes: Uint8Array, mode: PercentMode): string {
  const table = Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    if (mode === 'form (+)' && character === ' ') return '+'
    return kept[mode].includes(character) ? character : `%${toHex(Uint8Array.of(byte)).toUpperCase()}`
  })
  let text = ''
  for (const byte of bytes) text += table[byte]
  return text
}

/**
 * Reads percent sequences back; characters that stand for themselves are taken as UTF-8. In 'full URI' sequences of
 * reserved characters stay as they are, because decoding them would change where the address points (as decodeURI).
 * A percent sign without two digits stays too, as URL Standard §1.3 has it, with a remark; strict reading refuses it, as
 * decodeURIComponent does.
 */
export function decodePercent(text: string, mode: PercentMode, strict: boolean): Decoded {
  const plain = fromUtf8(text)
  const bytes = new Uint8Array(plain.length)
  const broken = { count: 0, first: 0 }
  let length = 0
  for (let i = 0; i < plain.length; i++) {
    const byte = plain[i] ?? 0
    if (byte !== PERCENT) {
      bytes[length++] = mode === 'form (+)' && byte === PLUS ? SPACE : byte
      continue
    }
    const digits = String.fromCharCode(...plain.subarray(i + 1, i + 3))
    if (!/^[0-9a-f]{2}$/i.test(digits)) {
      if (strict) throw new RangeError(`the percent sign at character ${characterAt(plain, i)} ${BROKEN}`)
      if (!broken.count++) broken.first = characterAt(plain, i)
      bytes[length++] = byte
      continue
    }
    const value = Number.parseInt(digits, 16)
    if (mode === 'full URI' && RESERVED.includes(String.fromCharCode(value))) bytes[length++] = byte
    else {
      bytes[length++] = value
      i += 2
    }
  }
  const { count, first } = broken
  const others = count > 1 ? `, and ${count - 1} more,` : ''
  return {
    bytes: bytes.slice(0, length),
    remarks: count ? [`The percent sign at character ${first}${others} ${BROKEN} and was left as it is.`] : [],
  }
}

const [PERCENT, PLUS, SPACE] = [37, 43, 32]
const BROKEN = 'is not followed by two hexadecimal digits'

/** Where a byte of UTF-8 stands in the text, counted in characters from 1. */
const characterAt = (bytes: Uint8Array, index: number): number =>
  new TextDecoder().decode(bytes.subarray(0, index)).length + 1
