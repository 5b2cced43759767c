import type { Bytes } from '../bytes.ts'
import { characterOf, checkWritten, readDigits, writeDigits } from './digits.ts'
import type { Decoded } from './grouped.ts'

/**
 * Base92 by Nathan Hwang (https://github.com/thenoviceoof/base92): 13 bits in two of 91 digits, the first bit and the
 * first digit counting most; a last group of up to six bits has one digit. The 92nd character stands for no bytes.
 */
const LETTERS = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}"
const EMPTY = '~'
const BASE = 91
const PAIR_BITS = 13
const LAST_BITS = 6

export const encodeBase92 = (bytes: Uint8Array): string => writeDigits(digitsOf(bytes), LETTERS)

function digitsOf(bytes: Uint8Array): Uint8Array {
  const digits = new Uint8Array(2 * Math.ceil((bytes.length * 8) / PAIR_BITS))
  let [value, held, at] = [0, 0, 0]
  const writePair = (pair: number) => {
    digits[at++] = Math.floor(pair / BASE)
    digits[at++] = pair % BASE
  }
  for (const byte of bytes) {
    value = (value << 8) | byte
    held += 8
    if (held < PAIR_BITS) continue
    held -= PAIR_BITS
    writePair(value >> held)
    value &= (1 << held) - 1
  }
  if (held > LAST_BITS) writePair(value << (PAIR_BITS - held))
  else if (held) digits[at++] = value << (LAST_BITS - held)
  return digits.subarray(0, at)
}

/** Reads Base92; white space is passed over unless reading is strict. A refusal says at which character. */
export function decodeBase92(text: string, strict: boolean): Decoded {
  if (text.trim() === EMPTY) return { bytes: new Uint8Array(), remarks: [] }
  const digits = readDigits(text, { name: 'Base92', letters: LETTERS, strict })
  const bytes = bytesOf(digits, text)
  return { bytes, remarks: checkWritten(digits, digitsOf(bytes), strict) }
}

function bytesOf(digits: Uint8Array, text: string): Bytes {
  const bytes = new Uint8Array(Math.ceil((digits.length * PAIR_BITS) / 16) + 1)
  let [value, held, at] = [0, 0, 0]
  for (let i = 0; i < digits.length; i += 2) {
    const [high = 0, low] = digits.subarray(i, i + 2)
    const [group, bits] = low === undefined ? [high, LAST_BITS] : [high * BASE + low, PAIR_BITS]
    if (group >> bits)
      throw new RangeError(`the group at character ${characterOf(text, i)} is more than its bits can hold`)
    value = (value << bits) | group
    for (held += bits; held > 7; ) {
      held -= 8
      bytes[at++] = value >> held
    }
    value &= (1 << held) - 1
  }
  return bytes.slice(0, at)
}
