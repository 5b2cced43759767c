import { type BlockCipher, readWord, writeWord } from './block-cipher.ts'
import { CAST_BOXES } from './cast128-boxes.ts'

/** CAST-128, also called CAST5. RFC 2144. */
export const MIN_CAST_KEY_BYTES = 5
export const MAX_CAST_KEY_BYTES = 16
const BLOCK_BYTES = 8
/** §2.5: keys of up to 80 bits get twelve rounds, longer ones sixteen. */
const SHORT_KEY_BYTES = 10

/**
 * §2.4: the key schedule. In each row a word of x or z is a word of the other plus a byte of each in S5, S6, S7 and
 * S8, and one more byte in S7, S8, S5 and S6.
 */
const Z_FROM_X = ['z0 x0 xD xF xC xE x8', 'z4 x8 z0 z2 z1 z3 xA', 'z8 xC z7 z6 z5 z4 x9', 'zC x4 zA z9 zB z8 xB']
const X_FROM_Z = ['x0 z8 z5 z7 z4 z6 z0', 'x4 z0 x0 x2 x1 x3 z2', 'x8 z4 x7 x6 x5 x4 z1', 'xC zC xA x9 xB x8 z3']
/** The subkeys: a byte in each of S5, S6, S7 and S8, and one more in S5, S6, S7 and S8. */
const K1_K4 = ['z8 z9 z7 z6 z2', 'zA zB z5 z4 z6', 'zC zD z3 z2 z9', 'zE zF z1 z0 zC']
const K5_K8 = ['x3 x2 xC xD x8', 'x1 x0 xE xF xD', 'x7 x6 x8 x9 x3', 'x5 x4 xA xB x7']
const K9_K12 = ['z3 z2 zC zD z9', 'z1 z0 zE zF zC', 'z7 z6 z8 z9 z2', 'z5 z4 zA zB z6']
const K13_K16 = ['x8 x9 x7 x6 x3', 'xA xB x5 x4 x7', 'xC xD x3 x2 x8', 'xE xF x1 x0 xD']

/** Where a byte lies: those of x first, then those of z. */
const placesOf = (row: string): number[] =>
  row.split(' ').map(name => Number.parseInt(name.charAt(1), 16) + (name.startsWith('z') ? 16 : 0))

const STEPS = [
  { words: Z_FROM_X.map(placesOf), subkeys: K1_K4.map(placesOf) },
  { words: X_FROM_Z.map(placesOf), subkeys: K5_K8.map(placesOf) },
  { words: Z_FROM_X.map(placesOf), subkeys: K9_K12.map(placesOf) },
  { words: X_FROM_Z.map(placesOf), subkeys: K13_K16.map(placesOf) },
]

/** S1 is box 0. */
const box = (number: number, byte: number): number => CAST_BOXES[(number << 8) | byte] ?? 0

/** A byte in each of S5, S6, S7 and S8, and one more in the box named last. */
function mix(bytes: Uint8Array, places: readonly number[], last: number): number {
  const at = (i: number) => bytes[places[i] ?? 0] ?? 0
  return box(4, at(0)) ^ box(5, at(1)) ^ box(6, at(2)) ^ box(7, at(3)) ^ box(last, at(4))
}

/** K1 to K32: the masks of sixteen rounds, then their rotations. */
function schedule(key: Uint8Array): Int32Array {
  const state = new Uint8Array(32)
  state.set(key)
  const subkeys: number[] = []
  for (const { words, subkeys: rows } of [...STEPS, ...STEPS]) {
    words.forEach(([to = 0, from = 0, ...places], i) => {
      writeWord(state, to, readWord(state, from) ^ mix(state, places, [6, 7, 4, 5][i] ?? 4))
    })
    rows.forEach((places, i) => {
      subkeys.push(mix(state, places, 4 + i))
    })
  }
  // A rotation has the lowest five bits.
  return Int32Array.from(subkeys, (subkey, i) => (i < 16 ? subkey : subkey & 31))
}

const rotated = (word: number, places: number): number => (word << places) | (word >>> (32 - places))

/** §2.2: the three types of round. */
function f1(half: number, mask: number, places: number): number {
  const i = rotated((mask + half) | 0, places)
  return (((box(0, i >>> 24) ^ box(1, (i >>> 16) & 255)) - box(2, (i >>> 8) & 255)) | 0) + box(3, i & 255)
}

function f2(half: number, mask: number, places: number): number {
  const i = rotated(mask ^ half, places)
  return (((box(0, i >>> 24) - box(1, (i >>> 16) & 255)) | 0) + box(2, (i >>> 8) & 255)) ^ box(3, i & 255)
}

function f3(half: number, mask: number, places: number): number {
  const i = rotated((mask - half) | 0, places)
  return ((box(0, i >>> 24) + box(1, (i >>> 16) & 255)) ^ box(2, (i >>> 8) & 255)) - box(3, i & 255)
}

export function cast128(key: Uint8Array): BlockCipher {
  if (key.length < MIN_CAST_KEY_BYTES || key.length > MAX_CAST_KEY_BYTES) {
    throw new RangeError(`expected ${MIN_CAST_KEY_BYTES} to ${MAX_CAST_KEY_BYTES} bytes, got ${key.length}`)
  }
  const keys = schedule(key)
  const isLong = castRounds(key) === 16
  return {
    blockBytes: BLOCK_BYTES,
    encrypt: (bytes, offset) => encrypt(keys, isLong, bytes, offset),
    decrypt: (bytes, offset) => decrypt(keys, isLong, bytes, offset),
  }
}

function encrypt(keys: Int32Array, isLong: boolean, bytes: Uint8Array, offset: number): void {
  let left = readWord(bytes, offset)
  let right = readWord(bytes, offset + 4)
  for (let i = 0; i < 12; i += 6) {
    left ^= f1(right, keys[i] ?? 0, keys[16 + i] ?? 0)
    right ^= f2(left, keys[i + 1] ?? 0, keys[17 + i] ?? 0)
    left ^= f3(right, keys[i + 2] ?? 0, keys[18 + i] ?? 0)
    right ^= f1(left, keys[i + 3] ?? 0, keys[19 + i] ?? 0)
    left ^= f2(right, keys[i + 4] ?? 0, keys[20 + i] ?? 0)
    right ^= f3(left, keys[i + 5] ?? 0, keys[21 + i] ?? 0)
  }
  if (isLong) {
    left ^= f1(right, keys[12] ?? 0, keys[28] ?? 0)
    right ^= f2(left, keys[13] ?? 0, keys[29] ?? 0)
    left ^= f3(right, keys[14] ?? 0, keys[30] ?? 0)
    right ^= f1(left, keys[15] ?? 0, keys[31] ?? 0)
  }
  writeWord(bytes, offset, right)
  writeWord(bytes, offset + 4, left)
}

function decrypt(keys: Int32Array, isLong: boolean, bytes: Uint8Array, offset: number): void {
  let right = readWord(bytes, offset)
  let left = readWord(bytes, offset + 4)
  if (isLong) {
    right ^= f1(left, keys[15] ?? 0, keys[31] ?? 0)
    left ^= f3(right, keys[14] ?? 0, keys[30] ?? 0)
    right ^= f2(left, keys[13] ?? 0, keys[29] ?? 0)
    left ^= f1(right, keys[12] ?? 0, keys[28] ?? 0)
  }
  for (let i = 6; i >= 0; i -= 6) {
    right ^= f3(left, keys[i + 5] ?? 0, keys[21 + i] ?? 0)
    left ^= f2(right, keys[i + 4] ?? 0, keys[20 + i] ?? 0)
    right ^= f1(left, keys[i + 3] ?? 0, keys[19 + i] ?? 0)
    left ^= f3(right, keys[i + 2] ?? 0, keys[18 + i] ?? 0)
    right ^= f2(left, keys[i + 1] ?? 0, keys[17 + i] ?? 0)
    left ^= f1(right, keys[i] ?? 0, keys[16 + i] ?? 0)
  }
  writeWord(bytes, offset, left)
  writeWord(bytes, offset + 4, right)
}

/** How many rounds a key is given. §2.5 */
export const castRounds = (key: Uint8Array): number => (key.length <= SHORT_KEY_BYTES ? 12 : 16)
