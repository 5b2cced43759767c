import { hmac as nobleHmac } from '@noble/hashes/hmac.js'
import { type Bytes, equalBytes } from '../bytes.ts'
import { type HashName, hashFunction } from '../hash/digest.ts'

/** Keyed-hash message authentication, RFC 2104 and FIPS 198-1. */
export async function hmac(name: HashName, key: Uint8Array, message: Uint8Array): Promise<Bytes> {
  return nobleHmac(await hashFunction(name), key, message) as Bytes
}

/** The shortest truncated code that RFC 2104 §5 lets pass: half of the hash, and never under 80 bits. */
export const leastTagBytes = (hashBytes: number): number => Math.max(Math.ceil(hashBytes / 2), 10)

/**
 * Whether a code is that of the message, whole or cut short within RFC 2104 §5. Takes the same time wherever the
 * first difference is.
 */
export function isTag(tag: Uint8Array, expected: Uint8Array): boolean {
  if (tag.length > expected.length || tag.length < leastTagBytes(expected.length)) return false
  return equalBytes(tag, expected.subarray(0, tag.length))
}
