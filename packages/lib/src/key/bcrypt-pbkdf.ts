import { sha512 } from '@noble/hashes/sha2.js'
import { type Bytes, concat, fromLatin1 } from '../bytes.ts'

/**
 * The key derivation that OpenSSH locks private keys with: bcrypt_pbkdf(3) of OpenBSD, which runs the setup of bcrypt (Provos
 * and Mazières 1999, §4) over SHA-512 of passphrase and salt.
 */

const ROUNDS = 16
const BOX_WORDS = 256
/** Of OpenBSD's bcrypt_pbkdf: the text that is encrypted, 32 bytes. */
const MAGIC = fromLatin1('OxychromaticBlowfishSwatDynamite')
const HASH_BYTES = MAGIC.length
const SETUPS = 64

/** The subkeys of Blowfish: 18 of them and four boxes of 256 words, one after the other. */
interface Subkeys {
  p: Uint32Array
  s: Uint32Array
}

/** Rounds of bcrypt_pbkdf: ssh-keygen makes 16 or 24, and each takes about 15 ms. */
export const MAX_ROUNDS = 128

/** `length` bytes from a passphrase. */
export function bcryptPbkdf(passphrase: Uint8Array, salt: Uint8Array, rounds: number, length: number): Bytes {
  if (rounds < 1 || rounds > MAX_ROUNDS)
    throw new RangeError(`the key derivation asks for ${rounds} rounds, and from 1 to ${MAX_ROUNDS} are taken`)
  if (!passphrase.length || !salt.length) throw new RangeError('the passphrase or the salt is empty')
  const fresh = initialSubkeys()
  const secret = sha512(passphrase)
  const key = new Uint8Array(length)
  const stride = Math.ceil(length / HASH_BYTES)
  for (let block = 0; block < stride; block++) {
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, block + 1)
    let hash = bcryptHash(fresh, secret, sha512(concat(salt, counter)))
    const sum = hash.slice()
    for (let round = 1; round < rounds; round++) {
      hash = bcryptHash(fresh, secret, sha512(hash))
      for (let i = 0; i < HASH_BYTES; i++) sum[i] = (sum[i] ?? 0) ^ (hash[i] ?? 0)
    }
    // The output is interleaved, so that no part of the key is cheaper than another.
    for (let i = 0; i * stride + block < length; i++) key[i * stride + block] = sum[i] ?? 0
  }
  return key
}

function bcryptHash(fresh: Subkeys, secret: Uint8Array, salt: Uint8Array): Uint8Array {
  const keys = { p: fresh.p.slice(), s: fresh.s.slice() }
  const [secretWords, saltWords] = [words(secret), words(salt)]
  expand(keys, secretWords, saltWords)
  for (let i = 0; i < SETUPS; i++) {
    expand(keys, saltWords)
    expand(keys, secretWords)
  }
  const text = words(MAGIC)
  for (let i = 0; i < SETUPS; i++) for (let at = 0; at < text.length; at += 2) encipher(keys, text, at)
  const hash = new Uint8Array(HASH_BYTES)
  const view = new DataView(hash.buffer)
  for (const [i, word] of text.entries()) view.setUint32(i * 4, word, true)
  return hash
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(i * 4))
}

/** The key schedule, with a salt mixed in where there is one. */
function expand(keys: Subkeys, key: Uint32Array, salt?: Uint32Array): void {
  const { p, s } = keys
  for (let i = 0; i < p.length; i++) p[i] = (p[i] ?? 0) ^ (key[i % key.length] ?? 0)
  const block = new Uint32Array(2)
  let at = 0
  for (const subkeys of [p, s]) {
    for (let i = 0; i < subkeys.length; i += 2) {
      if (salt) {
        block[0] = (block[0] ?? 0) ^ (salt[at++ % salt.length] ?? 0)
        block[1] = (block[1] ?? 0) ^ (salt[at++ % salt.length] ?? 0)
      }
      encipher(keys, block, 0)
      subkeys[i] = block[0] ?? 0
      subkeys[i + 1] = block[1] ?? 0
    }
  }
}

function encipher({ p, s }: Subkeys, block: Uint32Array, at: number): void {
  let left = (block[at] ?? 0) ^ (p[0] ?? 0)
  let right = block[at + 1] ?? 0
  for (let round = 1; round <= ROUNDS; round += 2) {
    right ^= mix(s, left) ^ (p[round] ?? 0)
    left ^= mix(s, right) ^ (p[round + 1] ?? 0)
  }
  block[at] = right ^ (p[ROUNDS + 1] ?? 0)
  block[at + 1] = left
}

function mix(s: Uint32Array, word: number): number {
  const sum = (s[word >>> 24] ?? 0) + (s[BOX_WORDS + ((word >>> 16) & 255)] ?? 0)
  return (((sum ^ (s[2 * BOX_WORDS + ((word >>> 8) & 255)] ?? 0)) >>> 0) + (s[3 * BOX_WORDS + (word & 255)] ?? 0)) | 0
}

/** Blowfish begins with the fractional part of π (Schneier 1993), reckoned here rather than copied. */
function initialSubkeys(): Subkeys {
  const count = ROUNDS + 2 + 4 * BOX_WORDS
  const guard = 64n
  const bits = BigInt(count * 32) + guard
  // Machin 1706: π = 16 arctan 1/5 − 4 arctan 1/239.
  const pi = 16n * arctanInverse(5n, bits) - 4n * arctanInverse(239n, bits)
  const digits = ((pi & ((1n << bits) - 1n)) >> guard).toString(16).padStart(count * 8, '0')
  const all = Uint32Array.from({ length: count }, (_, i) => Number.parseInt(digits.slice(i * 8, i * 8 + 8), 16))
  return { p: all.slice(0, ROUNDS + 2), s: all.slice(ROUNDS + 2) }
}

/** arctan 1/x times 2^bits, by Gregory's series. */
function arctanInverse(x: bigint, bits: bigint): bigint {
  let power = (1n << bits) / x
  let sum = power
  for (let n = 3n; power; n += 2n) {
    power = -power / (x * x)
    sum += power / n
  }
  return sum
}
