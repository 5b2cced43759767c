import { parseSequence } from '../asn1/der.ts'
import { fromOctets, toOctets } from '../asn1/integer.ts'
import type { BitString } from '../asn1/value.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, concat } from '../bytes.ts'
import { hashFunction } from '../hash/digest.ts'
import { type CurveName, curveOf } from '../key/curves.ts'
import { isSigningCurve, loadCurve, type SigningCurve, uncompressedPoint } from '../key/ec.ts'
import type { EcPrivateKey, EcPublicKey } from '../key/key.ts'
import type { SignatureHash } from './hash-oid.ts'

/** ECDSA. FIPS 186-5 §6, SEC 1 §4.1; deterministic as RFC 6979 §3.2 makes it. */
export interface EcdsaSignature {
  r: bigint
  s: bigint
}

/** JWS is P1363 in Base64url (RFC 7518 §3.4). */
export const ecdsaFormats = ['DER', 'P1363', 'JWS'] as const
export type EcdsaFormat = (typeof ecdsaFormats)[number]

/** The order of the base point, and its half: Bitcoin takes no s above it. */
export const orderOf = async (curve: SigningCurve): Promise<bigint> => (await loadCurve(curve)).Point.Fn.ORDER

async function signer(name: CurveName, hash: SignatureHash) {
  if (!isSigningCurve(name)) throw new RangeError(`no signatures are computed on the curve ${name} here`)
  const [{ ecdsa }, { Point }, digest] = await Promise.all([
    import('@noble/curves/abstract/weierstrass.js'),
    loadCurve(name),
    hashFunction(hash),
  ])
  return ecdsa(Point, digest, { lowS: false })
}

/** RFC 6979 §3.2: no randomness is needed, and the same message always gets the same signature. */
export async function signEcdsa(
  { curve, d }: EcPrivateKey,
  hash: SignatureHash,
  message: Uint8Array,
): Promise<EcdsaSignature> {
  const compact = (await signer(curve, hash)).sign(message, d, { lowS: false })
  const { bytes } = curveOf(curve)
  return { r: fromOctets(compact.subarray(0, bytes)), s: fromOctets(compact.subarray(bytes)) }
}

/** Whether the numbers are a signature of the message; out of range they are not. */
export async function verifyEcdsa(
  { curve, point }: EcPublicKey,
  hash: SignatureHash,
  message: Uint8Array,
  { r, s }: EcdsaSignature,
): Promise<boolean> {
  const verifier = await signer(curve, hash)
  const order = verifier.Point.Fn.ORDER
  if (r < 1n || s < 1n || r >= order || s >= order) return false
  const { bytes } = curveOf(curve)
  const compact = concat(toOctets(r, bytes), toOctets(s, bytes))
  return verifier.verify(compact, message, await uncompressedPoint(curve, point), { lowS: false, format: 'compact' })
}

/** The signature as bytes; JWS has those of P1363. */
export function writeEcdsaSignature({ r, s }: EcdsaSignature, format: EcdsaFormat, curve: CurveName): Bytes {
  if (format === 'DER') return der.sequence(der.integer(r), der.integer(s))
  const { bytes } = curveOf(curve)
  return concat(toOctets(r, bytes), toOctets(s, bytes))
}

/**
 * Reads a signature strictly: SEC 1 §C.5 in DER with nothing after it, or two numbers of exactly the length of the order.
 * RangeError, with the reason, for anything else, and for numbers that no signature has.
 */
export async function readEcdsaSignature(
  bytes: Bytes,
  format: EcdsaFormat,
  curve: SigningCurve,
): Promise<EcdsaSignature> {
  const order = await orderOf(curve)
  const signature = format === 'DER' ? readDer(bytes) : readFixed(bytes, curve)
  for (const name of ['r', 's'] as const) {
    const number = signature[name]
    if (number === 0n) throw new RangeError(`${name} is zero`)
    if (number < 0n) throw new RangeError(`${name} is negative`)
    if (number >= order) throw new RangeError(`${name} is not below the order of the curve ${curve}`)
  }
  return signature
}

function readDer(bytes: Bytes): EcdsaSignature {
  const reader = parseSequence(bytes, 'the signature')
  const [r, s] = [reader.integer('r'), reader.integer('s')]
  reader.end('the signature')
  return { r, s }
}

function readFixed(bytes: Bytes, curve: CurveName): EcdsaSignature {
  const { bytes: size } = curveOf(curve)
  if (bytes.length !== 2 * size) {
    throw new RangeError(
      `a signature on ${curve} has ${2 * size} bytes in this format, and this one has ${bytes.length}`,
    )
  }
  return { r: fromOctets(bytes.subarray(0, size)), s: fromOctets(bytes.subarray(size)) }
}

/** The signature in a certificate: DER in a bit string without unused bits. */
export const signatureOctets = ({ bytes, unused }: BitString): Bytes => {
  if (unused) throw new RangeError('the signature does not fill its last byte')
  return bytes
}
