import type { Bytes } from '../bytes.ts'
import type { CurveName } from './curves.ts'

/** Keys as values: what every codec reads into and writes from. */

/** RFC 8017 §3.1 */
export interface RsaPublicKey {
  type: 'RSA'
  n: bigint
  e: bigint
  /** The identifier of a key that is restricted to PSS or OAEP (RFC 4055 §1.2), as it stands. */
  restricted?: Bytes
}
/** A prime with its CRT exponent and coefficient (RFC 8017 §3.2); the first prime has no coefficient. */
export interface RsaPrime {
  prime: bigint
  exponent: bigint
  coefficient: bigint
}
export interface RsaPrivateKey {
  type: 'RSA'
  publicKey: RsaPublicKey
  d: bigint
  /** p, q and, for multi-prime keys, the others; empty when only the exponent is known. */
  primes: readonly RsaPrime[]
}

/** SEC 1 §3.2.1 */
export interface EcPublicKey {
  type: 'EC'
  curve: CurveName
  /** As encoded: 04 and both coordinates, or 02 or 03 and one. */
  point: Bytes
}
export interface EcPrivateKey {
  type: 'EC'
  curve: CurveName
  /** As long as the order of the curve. */
  d: Bytes
  publicKey?: EcPublicKey
}

export const okpNames = ['Ed25519', 'Ed448', 'X25519', 'X448'] as const
/** RFC 8410 §3 and RFC 8037 §2 */
export type OkpName = (typeof okpNames)[number]
export interface OkpPublicKey {
  type: OkpName
  bytes: Bytes
}
export interface OkpPrivateKey {
  type: OkpName
  /** The seed of RFC 8032 or the scalar of RFC 7748. */
  bytes: Bytes
  publicKey?: OkpPublicKey
}
/** Bytes of a public key, and of a private one. RFC 8032 §5.1.5, §5.2.5; RFC 7748 §5. */
export const okpLengths: Readonly<Record<OkpName, number>> = { Ed25519: 32, Ed448: 57, X25519: 32, X448: 56 }

/** FIPS 186-4 §4.1 */
export interface DsaPublicKey {
  type: 'DSA'
  p: bigint
  q: bigint
  g: bigint
  y: bigint
}
export interface DsaPrivateKey {
  type: 'DSA'
  publicKey: DsaPublicKey
  x: bigint
}

export type PublicKey = RsaPublicKey | EcPublicKey | OkpPublicKey | DsaPublicKey
export type PrivateKey = RsaPrivateKey | EcPrivateKey | OkpPrivateKey | DsaPrivateKey
export type KeyMaterial = { role: 'public'; key: PublicKey } | { role: 'private'; key: PrivateKey }

export const isOkp = (type: string): type is OkpName => okpNames.some(name => name === type)
