/** The signature algorithms and digests of DNSSEC: which are verified, which are given up, and how each is computed. */
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import { pause } from '../hash/pause.ts'
import { keyTag } from './dnskey.ts'
import type { RecordData, ResourceRecord } from './message.ts'
import { encodeName } from './name.ts'
import type { DsRecord } from './trust-anchors.ts'

export type KeyRecord = Extract<ResourceRecord, { type: 'DNSKEY' }> & { data: RecordData<'DNSKEY'> }

type Verify = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => Promise<boolean>

/** Larger moduli only cost time; RFC 3110 §2 allows up to 4096 bits. */
export const MAX_RSA_BITS = 4096
/** The public exponents in use are 3, 5, 17 and 65537; a long one makes each verification a hundred times as dear. */
export const MAX_RSA_EXPONENT_BITS = 64

interface Algorithm {
  verify: Verify
  /** MUST NOT be used for validation, so that a zone with nothing else counts as unsigned. */
  givenUp?: string
  /** Verified, but no longer to be signed with. */
  discouraged?: string
}

/** IANA "DNS Security Algorithm Numbers"; what is required of validators by RFC 9904. */
const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  /** RFC 3110 */
  5: { verify: rsa('SHA-1'), givenUp: 'RFC 9905' },
  /** RFC 5155 §2 */
  7: { verify: rsa('SHA-1'), givenUp: 'RFC 9905' },
  /** RFC 5702 §3.1 */
  8: { verify: rsa('SHA-256') },
  /** RFC 5702 §3.2 */
  10: { verify: rsa('SHA-512'), discouraged: 'RFC 9904' },
  /** RFC 6605 §4 */
  13: { verify: ecdsa('P-256', 'SHA-256') },
  14: { verify: ecdsa('P-384', 'SHA-384') },
  /** RFC 8080 §3, §4 */
  15: { verify: ed25519 },
  16: { verify: ed448 },
}

/** Algorithms that nobody validates any more, by the document that ended them. */
const GIVEN_UP: Readonly<Record<number, string>> = { 1: 'RFC 6944', 3: 'RFC 8624', 6: 'RFC 8624', 12: 'RFC 9906' }

/** Whether signatures of an algorithm count; a zone with none that does is insecure, not bogus (RFC 4035 §5.2). */
export const isSupported = (algorithm: number): boolean => {
  const known = ALGORITHMS[algorithm]
  return known !== undefined && known.givenUp === undefined
}

/** The document that gave an algorithm up or advises against signing with it. */
export const deprecatedBy = (algorithm: number): string | undefined =>
  ALGORITHMS[algorithm]?.givenUp ?? ALGORITHMS[algorithm]?.discouraged ?? GIVEN_UP[algorithm]

/** Verifies one signature, whether or not its algorithm still counts. False for keys that are none. */
export async function verifyWith(
  { algorithm, publicKey }: Pick<RecordData<'DNSKEY'>, 'algorithm' | 'publicKey'>,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const known = ALGORITHMS[algorithm]
  if (!known) throw new RangeError(`the algorithm is unknown: expected one of ${Object.keys(ALGORITHMS).join(', ')}`)
  try {
    return await known.verify(publicKey, signature, message)
  } catch (error) {
    // WebCrypto refuses keys that are not on their curve, or too small, with an exception of its own.
    if (error instanceof RangeError || error instanceof DOMException) return false
    throw error
  }
}

function rsa(hash: 'SHA-1' | 'SHA-256' | 'SHA-512'): Verify {
  return async (publicKey, signature, message) => {
    const { exponent, modulus } = readRsaKey(publicKey)
    if (modulus.length * 8 > MAX_RSA_BITS || exponent.length * 8 > MAX_RSA_EXPONENT_BITS) return false
    await pause()
    const { verifyPkcs1 } = await import('../sign/rsa-signature.ts')
    return verifyPkcs1({ type: 'RSA', n: toInteger(modulus), e: toInteger(exponent) }, hash, message, signature)
  }
}

/** The key of RFC 3110 §2, without leading zeros. RangeError when it is cut short. */
function readRsaKey(bytes: Uint8Array): { exponent: Uint8Array; modulus: Uint8Array } {
  const [short = 0, high = 0, low = 0] = bytes
  const start = short ? 1 : 3
  const length = short || (high << 8) | low
  const exponent = trim(bytes.subarray(start, start + length))
  const modulus = trim(bytes.subarray(start + length))
  if (exponent.length === 0 || modulus.length === 0) throw new RangeError('the RSA key is cut short')
  return { exponent, modulus }
}

const trim = (bytes: Uint8Array): Uint8Array => {
  const start = bytes.findIndex(byte => byte !== 0)
  return start < 0 ? bytes.subarray(bytes.length) : bytes.subarray(start)
}

const toInteger = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** RFC 6605 §4: the key is the point without its first byte, the signature r and s. */
function ecdsa(namedCurve: 'P-256' | 'P-384', hash: 'SHA-256' | 'SHA-384'): Verify {
  return async (publicKey, signature, message) => {
    const point = concat(Uint8Array.of(4), publicKey)
    const key = await crypto.subtle.importKey('raw', point, { name: 'ECDSA', namedCurve }, false, ['verify'])
    return crypto.subtle.verify({ name: 'ECDSA', hash }, key, Uint8Array.from(signature), Uint8Array.from(message))
  }
}

async function ed25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const name = { name: 'Ed25519' }
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), name, false, ['verify'])
  return crypto.subtle.verify(name, key, Uint8Array.from(signature), Uint8Array.from(message))
}

/** Not in the WebCrypto of browsers. Some milliseconds long, so whatever waits has its turn before. */
async function ed448(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  if (publicKey.length !== 57 || signature.length !== 114) return false
  await pause()
  const { ed448: curve } = await import('@noble/curves/ed448.js')
  return curve.verify(signature, message, publicKey)
}

/** IANA "DS RR Type Digest Algorithms": those that are computed, by strength. */
const DIGESTS: Readonly<Record<number, 'SHA-1' | 'SHA-256' | 'SHA-384'>> = { 1: 'SHA-1', 2: 'SHA-256', 4: 'SHA-384' }

export const isSupportedDigest = (type: number): boolean => DIGESTS[type] !== undefined
/** RFC 9905: no new DS records with SHA-1; RFC 4509 §3: ignored beside a better one. */
export const DEPRECATED_DIGEST = 1

/** The digest of a key as a DS record holds it (RFC 4034 §5.1.4). RangeError for other digest types. */
export async function keyDigest(key: KeyRecord, digestType: number): Promise<Bytes> {
  const hash = DIGESTS[digestType]
  if (!hash) throw new RangeError(`the digest type is unknown: expected one of ${Object.keys(DIGESTS).join(', ')}`)
  const input = concat(encodeName(key.name.toLowerCase()), key.rdata)
  return new Uint8Array(await crypto.subtle.digest(hash, input))
}

/** Whether a DS record is of this key. */
export async function isDigestOf(ds: DsRecord, key: KeyRecord): Promise<boolean> {
  const { algorithm, digestType, digest } = ds.data
  if (ds.data.keyTag !== keyTag(key.rdata) || algorithm !== key.data.algorithm) return false
  return equalBytes(digest, await keyDigest(key, digestType))
}
