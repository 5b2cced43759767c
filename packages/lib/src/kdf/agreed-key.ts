import type { Bytes } from '../bytes.ts'
import { x963 } from './x963.ts'

/** Keys out of shared secrets: HKDF of RFC 5869 and the function of ANSI X9.63, both with SHA-256. */
export const agreedKdfs = ['HKDF-SHA256', 'X9.63-SHA256'] as const
export type AgreedKdf = (typeof agreedKdfs)[number]

/** Of HKDF: RFC 5869 §2.3 ends at 255 blocks. */
export const MAX_AGREED_BYTES = 255 * 32

export interface AgreedKeyTerms {
  /** Of HKDF only. */
  salt?: Uint8Array | undefined
  /** SharedInfo in X9.63. */
  info?: Uint8Array | undefined
  length: number
}

export async function agreedKey(kdf: AgreedKdf, secret: Uint8Array, terms: AgreedKeyTerms): Promise<Bytes> {
  const { salt, info = new Uint8Array(), length } = terms
  if (length > MAX_AGREED_BYTES) throw new RangeError(`expected at most ${MAX_AGREED_BYTES} bytes`)
  if (kdf === 'X9.63-SHA256') return x963('SHA-256', secret, info, length)
  const [{ hkdf }, { sha256 }] = await Promise.all([import('@noble/hashes/hkdf.js'), import('@noble/hashes/sha2.js')])
  return Uint8Array.from(hkdf(sha256, secret, salt, info, length))
}
