import type { Bytes } from '../bytes.ts'
import { isSpace } from './digits.ts'

/**
 * Four bytes as one number in five digits of base 85, the first byte and the first digit counting most: what Ascii85,
 * the alphabet of RFC 1924 and Z85 share.
 */
export interface Base85 {
  /** As the code is called in refusals. */
  name: string
  letters: string
  /** Single characters for whole groups, such as z for four zero bytes. */
  short?: Readonly<Record<string, number>>
}

const BASE = 85
const GROUP_BYTES = 4
const GROUP_DIGITS = 5
const MAX_GROUP = 2 ** 32 - 1

/** Digits of the bytes; a last group of n bytes has n + 1, or all five when it is filled up with zero bytes. */
export function encodeBase85(bytes: Uint8Array, { letters, short = {} }: Base85, filled = false): string {
  const alphabet = Uint8Array.from(letters, letter => letter.charCodeAt(0))
  const signs = new Map(Object.entries(short).map(([sign, group]) => [group, sign.charCodeAt(0)]))
  const codes = new Uint8Array(Math.ceil(bytes.length / GROUP_BYTES) * GROUP_DIGITS)
  let at = 0
  for (let i = 0; i < bytes.length; i += GROUP_BYTES) {
    const taken = filled ? GROUP_BYTES : Math.min(GROUP_BYTES, bytes.length - i)
    let group = 0
    for (let k = 0; k < GROUP_BYTES; k++) group = group * 256 + (bytes[i + k] ?? 0)
    const sign = taken === GROUP_BYTES ? signs.get(group) : undefined
    if (sign !== undefined) {
      codes[at++] = sign
      continue
    }
    for (let k = GROUP_DIGITS - 1; k >= 0; k--, group = Math.floor(group / BASE)) {
      codes[at + k] = alphabet[group % BASE] ?? 0
    }
    at += taken + 1
  }
  return new TextDecoder().decode(codes.subarray(0, at))
}

const NO_DIGIT = -1
const NO_SIGN = -1

/**
 * Reads the characters from `start` to `end`; white space is passed over unless reading is strict. A last group of
 * n + 1 digits gives n bytes. A refusal says at which character of the whole text.
 */
export function decodeBase85(
  text: string,
  { name, letters, short = {} }: Base85,
  { strict, start = 0, end = text.length }: { strict: boolean; start?: number; end?: number },
): { bytes: Bytes; remarks: string[] } {
  const values = new Int8Array(128).fill(NO_DIGIT)
  for (let value = 0; value < BASE; value++) values[letters.charCodeAt(value)] = value
  const signs = new Float64Array(128).fill(NO_SIGN)
  for (const [sign, group] of Object.entries(short)) signs[sign.charCodeAt(0)] = group
  // A sign gives four bytes for one character.
  const bytes = new Uint8Array(roomFor(text, start, end, Object.keys(short)))
  let [group, digits, first, at] = [0, 0, 0, 0]
  const writeGroup = (value: number, count: number) => {
    for (let k = 0; k < count; k++) bytes[at++] = Math.floor(value / 256 ** (GROUP_BYTES - 1 - k))
  }
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? (values[code] ?? NO_DIGIT) : NO_DIGIT
    if (value === NO_DIGIT) {
      const sign = code < 128 ? (signs[code] ?? NO_SIGN) : NO_SIGN
      if (sign === NO_SIGN) {
        if (!strict && isSpace(code)) continue
        throw new RangeError(
          `character ${i + 1} ${isSpace(code) ? 'is white space, which strict reading refuses' : `is not in this ${name} alphabet`}`,
        )
      }
      if (digits) throw new RangeError(`character ${i + 1} stands for a whole group, and is inside of one`)
      writeGroup(sign, GROUP_BYTES)
      continue
    }
    if (!digits) first = i
    group = group * BASE + value
    if (++digits < GROUP_DIGITS) continue
    if (group > MAX_GROUP) throw new RangeError(`the group at character ${first + 1} is more than four bytes can hold`)
    writeGroup(group, GROUP_BYTES)
    group = 0
    digits = 0
  }
  if (digits === 1) throw new RangeError(`the last group is character ${first + 1} alone, which no bytes give`)
  if (!digits) return { bytes: bytes.slice(0, at), remarks: [] }
  const { value, usual } = lastGroup(group, digits, first)
  if (strict && !usual) {
    throw new RangeError(`the last group, at character ${first + 1}, is not what the encoder would write`)
  }
  writeGroup(value, digits - 1)
  return { bytes: bytes.slice(0, at), remarks: usual ? [] : ['The encoder would write the last group otherwise.'] }
}

/** The number that a cut group stands for, and whether the encoder writes its bytes with these digits. */
function lastGroup(group: number, digits: number, first: number): { value: number; usual: boolean } {
  // The missing digits are taken for the highest one, so that what is cut off cannot carry.
  const missing = BASE ** (GROUP_DIGITS - digits)
  const value = (group + 1) * missing - 1
  if (value > MAX_GROUP) {
    throw new RangeError(`the last group, at character ${first + 1}, is more than its bytes can hold`)
  }
  const unit = 256 ** (GROUP_DIGITS - digits)
  return { value, usual: Math.floor((Math.floor(value / unit) * unit) / missing) === group }
}

function roomFor(text: string, start: number, end: number, signs: readonly string[]): number {
  let count = 0
  for (const sign of signs)
    for (let i = text.indexOf(sign, start); i >= 0 && i < end; i = text.indexOf(sign, i + 1)) count++
  return Math.ceil(((end - start - count) * GROUP_BYTES) / GROUP_DIGITS) + count * GROUP_BYTES + GROUP_BYTES
}
