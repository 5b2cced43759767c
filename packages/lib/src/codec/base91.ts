import type { Bytes } from '../bytes.ts'
import { checkWritten, readDigits, writeDigits } from './digits.ts'
import type { Decoded } from './grouped.ts'

/**
 * basE91 by Joachim Henke (https://base91.sourceforge.net): 13 bits, or 14 where they fit, in two of 91 digits. The
 * first bit of a byte is its lowest, and the first digit of a pair counts least.
 */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,./:;<=>?@[]^_`{|}~"'
const BASE = 91
/** 91² − 2¹³ − 1: a pair has room for one more bit when its 13 bits say no more than this. */
const MOST_WITH_14_BITS = 88
const MASK_13 = 8191
const MASK_14 = 16_383

export const encodeBase91 = (bytes: Uint8Array): string => writeDigits(digitsOf(bytes), LETTERS)

function digitsOf(bytes: Uint8Array): Uint8Array {
  // 13 bits in two digits is the worst case: 16/13 of the length, and a last pair.
  const digits = new Uint8Array(Math.ceil((bytes.length * 16) / 13) + 2)
  let [value, held, at] = [0, 0, 0]
  for (const byte of bytes) {
    value |= byte << held
    held += 8
    if (held <= 13) continue
    const taken = (value & MASK_13) > MOST_WITH_14_BITS ? 13 : 14
    const pair = value & (taken === 13 ? MASK_13 : MASK_14)
    value >>= taken
    held -= taken
    digits[at++] = pair % BASE
    digits[at++] = Math.floor(pair / BASE)
  }
  if (held) {
    digits[at++] = value % BASE
    if (held > 7 || value >= BASE) digits[at++] = Math.floor(value / BASE)
  }
  return digits.subarray(0, at)
}

/** Reads basE91; white space is passed over unless reading is strict. A refusal says at which character. */
export function decodeBase91(text: string, strict: boolean): Decoded {
  const digits = readDigits(text, { name: 'basE91', letters: LETTERS, strict })
  const bytes = bytesOf(digits)
  return { bytes, remarks: checkWritten(digits, digitsOf(bytes), strict) }
}

function bytesOf(digits: Uint8Array): Bytes {
  const bytes = new Uint8Array(Math.ceil((digits.length * 7) / 8) + 1)
  let [value, held, at] = [0, 0, 0]
  for (let i = 0; i + 1 < digits.length; i += 2) {
    const pair = (digits[i] ?? 0) + (digits[i + 1] ?? 0) * BASE
    value |= pair << held
    held += (pair & MASK_13) > MOST_WITH_14_BITS ? 13 : 14
    for (; held > 7; held -= 8, value >>= 8) bytes[at++] = value & 255
  }
  if (digits.length % 2) bytes[at++] = (value | ((digits.at(-1) ?? 0) << held)) & 255
  return bytes.slice(0, at)
}
