import { concat } from '../bytes.ts'
import { type BlockCipher, readWord, writeWord } from './block-cipher.ts'

/** The Data Encryption Standard, FIPS 46-3. */
export const DES_KEY_BYTES = 8
export const DES_BLOCK_BYTES = 8
const ROUNDS = 16

/** Appendix 1: the selection functions S1 to S8, four rows of sixteen values, a hexadecimal digit each. */
const SELECTIONS = [
  'e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d',
  'f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9',
  'a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c',
  '7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e',
  '2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453',
  'c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d',
  '4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c',
  'd2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b',
]

/** Appendix 1: the permutation P, bits counted from 1 at the left. */
const P = [
  ...[16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10],
  ...[2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25],
]

/** Appendix 1: permuted choice 1, which leaves out the eight bits of parity. */
const CHOICE_1 = [
  ...[57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36],
  ...[63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4],
]

/** Appendix 1: permuted choice 2, the 48 bits of a round key. */
const CHOICE_2 = [
  ...[14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2],
  ...[41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32],
]

/** Appendix 1: places the halves of the key move along before each round. */
const ROTATIONS = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]

/** For each of the eight selections and six bits that enter it: what leaves it, after P. */
const SELECTED = new Int32Array(8 * 64)
SELECTIONS.forEach((digits, box) => {
  const values = digits.replaceAll(' ', '')
  for (let six = 0; six < 64; six++) {
    // The outer two bits are the row, the inner four the column.
    const row = ((six >> 4) & 2) | (six & 1)
    const value = Number.parseInt(values.charAt(row * 16 + ((six >> 1) & 15)), 16)
    const placed = value << (28 - 4 * box)
    let word = 0
    for (const bit of P) word = (word << 1) | ((placed >>> (32 - bit)) & 1)
    SELECTED[box * 64 + six] = word
  }
})

/**
 * The keys of the sixteen rounds, two words each: the six bits for S1, S3, S5 and S7 and those for S2, S4, S6 and S8,
 * where the two rotations of the half that make up the selection E put theirs.
 */
function schedule(key: Uint8Array): Int32Array {
  const bitOf = (bit: number) => ((key[(bit - 1) >> 3] ?? 0) >> (7 - ((bit - 1) & 7))) & 1
  const chosen = CHOICE_1.map(bitOf)
  const keys = new Int32Array(2 * ROUNDS)
  let moved = 0
  ROTATIONS.forEach((places, round) => {
    moved += places
    CHOICE_2.forEach((bit, i) => {
      const half = bit > 28 ? 28 : 0
      const value = chosen[half + ((bit - 1 - half + moved) % 28)] ?? 0
      const group = Math.floor(i / 6)
      const shift = 26 - 8 * (group >> 1) + 5 - (i % 6)
      const at = 2 * round + (group & 1)
      keys[at] = (keys[at] ?? 0) | (value << shift)
    })
  })
  return keys
}

/** The rounds backwards undo them. */
function reversed(keys: Int32Array): Int32Array {
  const back = new Int32Array(keys.length)
  for (let i = 0; i < keys.length; i += 2) {
    back[i] = keys[keys.length - 2 - i] ?? 0
    back[i + 1] = keys[keys.length - 1 - i] ?? 0
  }
  return back
}

/** The cipher function f: E, the key of the round, S1 to S8 and P. */
function f(half: number, odd: number, even: number): number {
  const a = ((half >>> 1) | (half << 31)) ^ odd
  const b = ((half << 3) | (half >>> 29)) ^ even
  return (
    (SELECTED[a >>> 26] ?? 0) ^
    (SELECTED[64 | (b >>> 26)] ?? 0) ^
    (SELECTED[128 | ((a >>> 18) & 63)] ?? 0) ^
    (SELECTED[192 | ((b >>> 18) & 63)] ?? 0) ^
    (SELECTED[256 | ((a >>> 10) & 63)] ?? 0) ^
    (SELECTED[320 | ((b >>> 10) & 63)] ?? 0) ^
    (SELECTED[384 | ((a >>> 2) & 63)] ?? 0) ^
    (SELECTED[448 | ((b >>> 2) & 63)] ?? 0)
  )
}

/**
 * One block in place, under one key or under three after each other: the initial permutation and its inverse between
 * two ciphers cancel, so that only the halves change places. Both permutations are five exchanges of bits.
 */
function crypt(keys: Int32Array, bytes: Uint8Array, offset: number): void {
  let left = readWord(bytes, offset)
  let right = readWord(bytes, offset + 4)
  let bits = ((left >>> 4) ^ right) & 0x0f0f0f0f
  right ^= bits
  left ^= bits << 4
  bits = ((left >>> 16) ^ right) & 0x0000ffff
  right ^= bits
  left ^= bits << 16
  bits = ((right >>> 2) ^ left) & 0x33333333
  left ^= bits
  right ^= bits << 2
  bits = ((right >>> 8) ^ left) & 0x00ff00ff
  left ^= bits
  right ^= bits << 8
  bits = ((left >>> 1) ^ right) & 0x55555555
  right ^= bits
  left ^= bits << 1
  for (let cipher = 0; cipher < keys.length; cipher += 2 * ROUNDS) {
    for (let i = cipher; i < cipher + 2 * ROUNDS; i += 4) {
      left ^= f(right, keys[i] ?? 0, keys[i + 1] ?? 0)
      right ^= f(left, keys[i + 2] ?? 0, keys[i + 3] ?? 0)
    }
    const half = left
    left = right
    right = half
  }
  bits = ((left >>> 1) ^ right) & 0x55555555
  right ^= bits
  left ^= bits << 1
  bits = ((right >>> 8) ^ left) & 0x00ff00ff
  left ^= bits
  right ^= bits << 8
  bits = ((right >>> 2) ^ left) & 0x33333333
  left ^= bits
  right ^= bits << 2
  bits = ((left >>> 16) ^ right) & 0x0000ffff
  right ^= bits
  left ^= bits << 16
  bits = ((left >>> 4) ^ right) & 0x0f0f0f0f
  right ^= bits
  left ^= bits << 4
  writeWord(bytes, offset, left)
  writeWord(bytes, offset + 4, right)
}

function cipherOf(encryption: Int32Array): BlockCipher {
  const decryption = reversed(encryption)
  return {
    blockBytes: DES_BLOCK_BYTES,
    encrypt: (bytes, offset) => crypt(encryption, bytes, offset),
    decrypt: (bytes, offset) => crypt(decryption, bytes, offset),
  }
}

/** DES. The eighth bit of every byte of the key is parity and is not looked at. */
export function des(key: Uint8Array): BlockCipher {
  if (key.length !== DES_KEY_BYTES) throw new RangeError(`expected ${DES_KEY_BYTES} bytes, got ${key.length}`)
  return cipherOf(schedule(key))
}

/** The Triple Data Encryption Algorithm with two keys or three: encrypt, decrypt, encrypt. NIST SP 800-67. */
export function tripleDes(key: Uint8Array): BlockCipher {
  const [first, second, third] = partsOf(key).map(schedule)
  if (!first || !second || !third) throw new RangeError(`expected 16 or 24 bytes, got ${key.length}`)
  const keys = new Int32Array(6 * ROUNDS)
  keys.set(first)
  keys.set(reversed(second), 2 * ROUNDS)
  keys.set(third, 4 * ROUNDS)
  return cipherOf(keys)
}

/** The three keys of a bundle; of two, the first is the third as well. None when the length is wrong. */
function partsOf(key: Uint8Array): Uint8Array[] {
  if (key.length !== 2 * DES_KEY_BYTES && key.length !== 3 * DES_KEY_BYTES) return []
  const bundle = key.length === 2 * DES_KEY_BYTES ? concat(key, key.subarray(0, DES_KEY_BYTES)) : key
  return [0, 1, 2].map(i => bundle.subarray(i * DES_KEY_BYTES, (i + 1) * DES_KEY_BYTES))
}

/**
 * How many different round keys a key has: 16, or fewer where rotation does not change what is rotated. NIST SP
 * 800-67 §3.3.2 calls a key with one weak, with two semi-weak and with four possibly weak.
 */
export function desKeyWeakness(key: Uint8Array): keyof typeof weaknesses | undefined {
  const keys = schedule(key)
  const different = new Set(Array.from({ length: ROUNDS }, (_, i) => `${keys[2 * i]},${keys[2 * i + 1]}`)).size
  if (different === 1) return 'weak'
  if (different === 2) return 'semi-weak'
  return different === 4 ? 'possibly weak' : undefined
}

const weaknesses = {
  weak: 'a weak key: all its round keys are the same, so encrypting twice gives the text back',
  'semi-weak': 'a semi-weak key: another key undoes what it does',
  'possibly weak': 'a possibly weak key: it has only four different round keys',
}

/** The bytes of a key, counted from 1, whose number of ones is even, where FIPS 46-3 asks for an odd one. */
export function desParityErrors(key: Uint8Array): number[] {
  return Array.from(key, (byte, i) => (isOdd(byte) ? 0 : i + 1)).filter(position => position > 0)
}

function isOdd(byte: number): boolean {
  let folded = byte ^ (byte >> 4)
  folded ^= folded >> 2
  return ((folded ^ (folded >> 1)) & 1) === 1
}

/** What can be told about a key, and what speaks against it. */
export function judgeDesKey(key: Uint8Array) {
  const weakness = desKeyWeakness(key)
  return {
    properties: { 'Key that counts': '56 bits', Parity: parityOf(key) },
    warnings: weakness ? [`This is ${weaknesses[weakness]}.`] : [],
  }
}

function parityOf(key: Uint8Array): string {
  const errors = desParityErrors(key)
  if (!errors.length) return 'Odd in every byte, as it should be'
  return `Even in byte${errors.length === 1 ? '' : 's'} ${errors.join(', ')}; it is not used, but some programs refuse it`
}

/** The same for a bundle, whose keys are compared without their parity. */
export function judgeTripleDesKey(key: Uint8Array) {
  const parts = partsOf(key)
  const [first = '', second = '', third = ''] = parts.map(part => part.map(byte => byte & 0xfe).join())
  const isSingle = first === second || second === third
  return {
    properties: {
      Keying: isSingle
        ? 'One key'
        : first === third
          ? 'Two keys, 112 bits that count'
          : 'Three keys, 168 bits that count',
      Parity: parityOf(key),
    },
    warnings: [
      ...(isSingle ? ['Two keys next to each other are the same and cancel, so this is single DES.'] : []),
      ...parts.flatMap((part, i) => {
        const weakness = i === 2 && key.length < 3 * DES_KEY_BYTES ? undefined : desKeyWeakness(part)
        return weakness ? [`Key ${i + 1} is ${weaknesses[weakness]}.`] : []
      }),
    ],
  }
}
