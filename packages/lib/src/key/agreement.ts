import { type Bytes, equalBytes, fromBase64 } from '../bytes.ts'
import { bareBytes, barePoint, bareScalar } from './bare.ts'
import { curveOf } from './curves.ts'
import { ecPublicKeyOf, isSigningCurve, loadCurve, uncompressedPoint } from './ec.ts'
import { type EcPrivateKey, type EcPublicKey, isOkp, type OkpPrivateKey, type OkpPublicKey, okpLengths } from './key.ts'
import { okpPublicKeyOf } from './okp.ts'
import { readPrivateKey, readPublicKey } from './read.ts'

/** Shared secrets of two key pairs on one curve. NIST SP 800-56A revision 3 §5.7.1.2, SEC 1 §3.3.1, RFC 7748 §6. */

export const agreementCurves = [
  'P-256',
  'P-384',
  'P-521',
  'secp256k1',
  'X25519',
  'X448',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
] as const
export type AgreementCurve = (typeof agreementCurves)[number]

type Montgomery = 'X25519' | 'X448'
export const isMontgomery = (name: string): name is Montgomery => name === 'X25519' || name === 'X448'
const isAgreementCurve = (name: string): name is AgreementCurve => agreementCurves.some(curve => curve === name)

export type AgreementPublicKey = EcPublicKey | (OkpPublicKey & { type: Montgomery })
export type AgreementPrivateKey = (EcPrivateKey | (OkpPrivateKey & { type: Montgomery })) & {
  publicKey: AgreementPublicKey
}

export const agreementCurveOf = (key: AgreementPublicKey | AgreementPrivateKey): AgreementCurve => {
  const name = key.type === 'EC' ? key.curve : key.type
  if (isAgreementCurve(name)) return name
  throw new RangeError(`the key is on the curve ${name}, and the curves at hand are ${agreementCurves.join(', ')}`)
}

/** The bytes of a public key as the other side gets it: an uncompressed point, or the u-coordinate. */
export const publicOctets = (key: AgreementPublicKey): Bytes => (key.type === 'EC' ? key.point : key.bytes)

/** A public key in any form; one that is nothing but bytes is taken to be on the curve that is named beside it. */
export async function readAgreementPublicKey(
  text: string,
  curve: AgreementCurve,
): Promise<{ key: AgreementPublicKey; note?: string }> {
  if (isMontgomery(curve)) {
    const bytes = bareOf(text, okpLengths[curve])
    if (bytes) return { key: { type: curve, bytes } }
  } else {
    const point = barePoint(text, curve)
    if (point) return { key: { type: 'EC', curve, point: await uncompressedPoint(curve, point) } }
  }
  const { key, note } = await readPublicKey(text)
  return { key: await agreeing(key), ...(note && { note }) }
}

/** A private key in any form, with its public one. */
export async function readAgreementPrivateKey(
  text: string,
  curve: AgreementCurve,
  passphrase?: string | undefined,
): Promise<AgreementPrivateKey> {
  if (isMontgomery(curve)) {
    const bytes = bareOf(text, okpLengths[curve])
    if (bytes) return withPublic({ type: curve, bytes })
  } else {
    const d = bareScalar(text, curve)
    if (d) return withPublic({ type: 'EC', curve, d })
  }
  const { key } = await readPrivateKey(text, { passphrase })
  if (key.type === 'EC') return withPublic(key)
  const { type } = key
  if (isMontgomery(type) && 'bytes' in key) return withPublic({ ...key, type })
  throw notAgreeing(key.type)
}

async function withPublic(key: EcPrivateKey | (OkpPrivateKey & { type: Montgomery })): Promise<AgreementPrivateKey> {
  if (key.type === 'EC') return { ...key, publicKey: await ecPublicKeyOf(key) }
  const { bytes } = await okpPublicKeyOf(key)
  return { ...key, publicKey: { type: key.type, bytes } }
}

async function agreeing(key: Awaited<ReturnType<typeof readPublicKey>>['key']): Promise<AgreementPublicKey> {
  if (key.type === 'EC') return { ...key, point: await uncompressedPoint(key.curve, key.point) }
  const { type } = key
  if (isMontgomery(type) && 'bytes' in key) return { type, bytes: key.bytes }
  throw notAgreeing(type)
}

function notAgreeing(type: string): RangeError {
  const signs = isOkp(type)
    ? `, which signs: keys are agreed on with ${type.replace('Ed25519', 'X25519').replace('Ed448', 'X448')}`
    : ''
  return new RangeError(`this is a key of the kind ${type}${signs}`)
}

/** A bare key in hexadecimal or Base64, when it is exactly as many bytes as a key has. */
function bareOf(text: string, length: number): Bytes | undefined {
  const hex = bareBytes(text)
  if (hex?.length === length) return hex
  try {
    const bytes = fromBase64(text.trim())
    return bytes.length === length ? bytes : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export interface SharedSecret {
  bytes: Bytes
  /**
   * All zeros: the public key is one of the few points of small order, the other side has given nothing, and everybody knows
   * the secret (RFC 7748 §6.1 and §6.2). It never happens on the curves of prime order.
   */
  zero: boolean
}

/** The x-coordinate of the common point, at full length; on Montgomery curves the u-coordinate. */
export async function sharedSecret(own: AgreementPrivateKey, other: AgreementPublicKey): Promise<SharedSecret> {
  const [ownCurve, otherCurve] = [agreementCurveOf(own), agreementCurveOf(other)]
  if (ownCurve !== otherCurve) {
    throw new RangeError(`the private key is on ${ownCurve} and the public one on ${otherCurve}`)
  }
  if (own.type !== 'EC') return montgomery(own.type, own.bytes, publicOctets(other))
  const point = await sharedPoint(own, other)
  return { bytes: point.slice(1, 1 + curveOf(own.curve).bytes), zero: false }
}

/** The whole common point, uncompressed, on a Weierstrass curve. */
export async function sharedPoint(own: EcPrivateKey, other: AgreementPublicKey): Promise<Bytes> {
  const { curve, d } = own
  if (other.type !== 'EC' || other.curve !== curve || !isSigningCurve(curve)) {
    throw new RangeError('the two keys are of different kinds')
  }
  return Uint8Array.from(
    (await loadCurve(curve)).getSharedSecret(d, await uncompressedPoint(curve, other.point), false),
  )
}

async function montgomery(name: Montgomery, secret: Bytes, u: Bytes): Promise<SharedSecret> {
  const { scalarMult } =
    name === 'X25519'
      ? (await import('@noble/curves/ed25519.js')).x25519
      : (await import('@noble/curves/ed448.js')).x448
  const zeros = new Uint8Array(okpLengths[name])
  if (secret.length !== zeros.length || u.length !== zeros.length) {
    throw new RangeError(`a key of ${name} has ${zeros.length} bytes`)
  }
  try {
    const bytes = Uint8Array.from(scalarMult(secret, u))
    return { bytes, zero: equalBytes(bytes, zeros) }
  } catch {
    // With lengths that are right the library throws for one reason: the result is zero.
    return { bytes: zeros, zero: true }
  }
}
