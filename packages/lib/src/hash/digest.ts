import type { CHash } from '@noble/hashes/utils.js'
import type { Bytes } from '../bytes.ts'

/**
 * Hash functions by their standard names, loaded when first asked for so that a page which needs one does not carry
 * the others. Every row gives the same result as the standard it cites on any byte string, the empty one included.
 */
const functions = {
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
} as const satisfies Record<string, () => Promise<CHash>>

export type HashName = keyof typeof functions

/** The hash function itself, with its block and output lengths in bytes. */
export const hashFunction = (name: HashName): Promise<CHash> => functions[name]()

/** The hash of a byte string. */
export async function digest(name: HashName, message: Uint8Array): Promise<Bytes> {
  const hash = await hashFunction(name)
  return hash(message) as Bytes
}
