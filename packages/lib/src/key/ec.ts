import type { ECDSA } from '@noble/curves/abstract/weierstrass.js'
import { type Bytes, equalBytes } from '../bytes.ts'
import { type CurveName, curveOf } from './curves.ts'
import type { EcPrivateKey, EcPublicKey } from './key.ts'

/** Elliptic curves that keys are computed on, each loaded when first asked for. */
const implementations = {
  'P-256': async () => (await import('@noble/curves/nist.js')).p256,
  'P-384': async () => (await import('@noble/curves/nist.js')).p384,
  'P-521': async () => (await import('@noble/curves/nist.js')).p521,
  secp256k1: async () => (await import('@noble/curves/secp256k1.js')).secp256k1,
  brainpoolP256r1: async () => (await import('@noble/curves/misc.js')).brainpoolP256r1,
  brainpoolP384r1: async () => (await import('@noble/curves/misc.js')).brainpoolP384r1,
  brainpoolP512r1: async () => (await import('@noble/curves/misc.js')).brainpoolP512r1,
} as const satisfies Partial<Record<CurveName, () => Promise<ECDSA>>>

/** Curves that signatures can be made and checked on. */
export type SigningCurve = keyof typeof implementations
export const signingCurves = Object.keys(implementations) as SigningCurve[]
export const isSigningCurve = (name: CurveName): name is SigningCurve => name in implementations

export const loadCurve = (name: SigningCurve): Promise<ECDSA> => implementations[name]()

function signingCurve(name: CurveName): SigningCurve {
  if (isSigningCurve(name)) return name
  throw new RangeError(`the curve ${name} is not one of ${signingCurves.join(', ')}`)
}

/**
 * The point of a public key, uncompressed. Refuses what SEC 1 §2.3.4 and §3.2.2.1 refuse: other lengths and first octets, the
 * point at infinity, coordinates out of range, and points off the curve. The curves here have cofactor 1.
 */
export async function uncompressedPoint(curveName: CurveName, point: Uint8Array): Promise<Bytes> {
  const { bytes } = curveOf(curveName)
  const curve = await loadCurve(signingCurve(curveName))
  const [form] = point
  const uncompressed = form === 4 && point.length === 1 + 2 * bytes
  const compressed = (form === 2 || form === 3) && point.length === 1 + bytes
  if (!uncompressed && !compressed) throw new RangeError(pointFault(curveName, point))
  try {
    return Uint8Array.from(curve.Point.fromBytes(point).toBytes(false))
  } catch (cause) {
    throw new RangeError(`the public key is not a point on the curve ${curveName}`, { cause })
  }
}

function pointFault(curve: CurveName, point: Uint8Array): string {
  const [form] = point
  const { bytes } = curveOf(curve)
  if (form === 0 && point.length === 1) return 'the public key is the point at infinity'
  if (form === undefined || ![2, 3, 4].includes(form))
    return 'the point of the public key does not begin with 02, 03 or 04'
  const expected = form === 4 ? 1 + 2 * bytes : 1 + bytes
  return `a point on ${curve} that begins with 0${form} takes ${expected} bytes, and this one has ${point.length}`
}

/** The key with its point on the curve made sure and written out. */
export const checkedEcPublicKey = async (key: EcPublicKey): Promise<EcPublicKey> => ({
  ...key,
  point: await uncompressedPoint(key.curve, key.point),
})

/** The public key that belongs to a private one; a public key that came along must be the same. */
export async function ecPublicKeyOf({ curve: name, d, publicKey }: EcPrivateKey): Promise<EcPublicKey> {
  const curve = await loadCurve(signingCurve(name))
  if (!curve.utils.isValidSecretKey(d)) {
    throw new RangeError(`the private key is not a number from 1 to the order of the curve ${name} less one`)
  }
  const point = Uint8Array.from(curve.getPublicKey(d, false))
  if (publicKey && !equalBytes(await uncompressedPoint(name, publicKey.point), point)) {
    throw new RangeError('the public key inside does not belong to the private key')
  }
  return { type: 'EC', curve: name, point }
}

/** A private key that knows its public one. */
export type NewEcKey = EcPrivateKey & { publicKey: EcPublicKey }

/** A new private key from `random`, by discarding candidates out of range (FIPS 186-5 §A.2.2). */
export async function generateEcKey(name: SigningCurve, random: (length: number) => Uint8Array): Promise<NewEcKey> {
  const { bytes, bits } = curveOf(name)
  const curve = await loadCurve(name)
  for (;;) {
    const d = Uint8Array.from(random(bytes))
    d[0] = (d[0] ?? 0) & (0xff >> (bytes * 8 - bits))
    if (curve.utils.isValidSecretKey(d))
      return { type: 'EC', curve: name, d, publicKey: await ecPublicKeyOf({ type: 'EC', curve: name, d }) }
  }
}
