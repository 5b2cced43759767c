import type { CHash } from '@noble/hashes/utils.js'
import type { Bytes } from '../bytes.ts'

/**
 * Hash functions by their standard names, loaded when first asked for so that a page which needs one does not carry
 * the others. Every row gives the same result as the document it cites on any byte string, the empty one included.
 */
const functions = {
  /** RFC 1320 */
  MD4: async () => (await import('./md4.ts')).md4,
  /** RFC 1321 */
  MD5: async () => (await import('@noble/hashes/legacy.js')).md5,
  /** FIPS 180-4 §6.1 */
  'SHA-1': async () => (await import('@noble/hashes/legacy.js')).sha1,
  /** FIPS 180-4 §6.3 */
  'SHA-224': async () => (await import('@noble/hashes/sha2.js')).sha224,
  /** FIPS 180-4 §6.2 */
  'SHA-256': async () => (await import('@noble/hashes/sha2.js')).sha256,
  /** FIPS 180-4 §6.5 */
  'SHA-384': async () => (await import('@noble/hashes/sha2.js')).sha384,
  /** FIPS 180-4 §6.4 */
  'SHA-512': async () => (await import('@noble/hashes/sha2.js')).sha512,
  /** FIPS 180-4 §6.6 */
  'SHA-512/224': async () => (await import('@noble/hashes/sha2.js')).sha512_224,
  /** FIPS 180-4 §6.7 */
  'SHA-512/256': async () => (await import('@noble/hashes/sha2.js')).sha512_256,
  /** FIPS 202 §6.1 */
  'SHA3-224': async () => (await import('@noble/hashes/sha3.js')).sha3_224,
  'SHA3-256': async () => (await import('@noble/hashes/sha3.js')).sha3_256,
  'SHA3-384': async () => (await import('@noble/hashes/sha3.js')).sha3_384,
  'SHA3-512': async () => (await import('@noble/hashes/sha3.js')).sha3_512,
  /** RFC 7693 */
  'BLAKE2b-512': async () => (await import('@noble/hashes/blake2.js')).blake2b,
  'BLAKE2s-256': async () => (await import('@noble/hashes/blake2.js')).blake2s,
  /** The BLAKE3 paper, §2 */
  BLAKE3: async () => (await import('@noble/hashes/blake3.js')).blake3,
  /** SHA-3 proposal BLAKE, version 1.3 of 2010: 14 and 16 rounds */
  'BLAKE-256': async () => (await import('@noble/hashes/blake1.js')).blake256,
  'BLAKE-512': async () => (await import('@noble/hashes/blake1.js')).blake512,
  /** ISO/IEC 10118-3 */
  'RIPEMD-160': async () => (await import('@noble/hashes/legacy.js')).ripemd160,
  /** ISO/IEC 10118-3, and the versions of double length that the same authors gave */
  'RIPEMD-128': async () => (await import('./ripemd.ts')).ripemd128,
  'RIPEMD-256': async () => (await import('./ripemd.ts')).ripemd256,
  'RIPEMD-320': async () => (await import('./ripemd.ts')).ripemd320,
  /** GB/T 32905-2016 */
  SM3: async () => (await import('./sm3.ts')).sm3,
} as const satisfies Record<string, () => Promise<CHash>>

export type HashName = keyof typeof functions
export const hashNames = Object.keys(functions) as HashName[]

/** Functions that were loaded once, so that asking again costs nothing. */
const loaded = new Map<HashName, Promise<CHash>>()

/** The hash function itself, with its block and output lengths in bytes. */
export function hashFunction(name: HashName): Promise<CHash> {
  const known = loaded.get(name)
  if (known) return known
  const loading = functions[name]()
  loaded.set(name, loading)
  // What could not be fetched now may be there the next time.
  loading.catch(() => loaded.delete(name))
  return loading
}

/** From this length on, what is compiled has made up for being fetched and started. */
const LONG_BYTES = 2 ** 20

/** The hash of a byte string. */
export async function digest(name: HashName, message: Uint8Array): Promise<Bytes> {
  if (message.length >= LONG_BYTES) {
    const long = await (await import('./long.ts')).digestLong(name, message)
    if (long) return long
  }
  const hash = await hashFunction(name)
  return hash(message) as Bytes
}
