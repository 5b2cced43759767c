import { fromOctets } from '../asn1/integer.ts'
import type { Bytes } from '../bytes.ts'

/** EdDSA, checked as RFC 8032 §5.1.7 and §5.2.7 write it: canonical encodings only, and no key of small order. */
export type EddsaName = 'Ed25519' | 'Ed448'

const signatureLengths: Readonly<Record<EddsaName, number>> = { Ed25519: 64, Ed448: 114 }

const curves = {
  Ed25519: async () => (await import('@noble/curves/ed25519.js')).ed25519,
  Ed448: async () => (await import('@noble/curves/ed448.js')).ed448,
} as const

/** Refuses bytes that are no point, or one that anybody could sign for. */
export async function checkEddsaKey(name: EddsaName, key: Uint8Array): Promise<void> {
  const { Point } = await curves[name]()
  let small: boolean
  try {
    small = Point.fromBytes(key).isSmallOrder()
  } catch (cause) {
    throw new RangeError(`the public key is not a point of ${name}`, { cause })
  }
  if (small) throw new RangeError(`the public key is a point of small order of ${name}, for which anybody can sign`)
}

/** Why the signature does not hold; undefined when it does. */
export async function eddsaFault(
  name: EddsaName,
  key: Bytes,
  message: Uint8Array,
  signature: Bytes,
  context: Uint8Array = new Uint8Array(),
): Promise<string | undefined> {
  const length = signatureLengths[name]
  if (signature.length !== length) return `the signature has ${signature.length} bytes, and ${name} has ${length}`
  const curve = await curves[name]()
  const s = fromOctets(signature.slice(length / 2).toReversed())
  if (s >= curve.Point.Fn.ORDER) return 'its second half is a number that is not below the order of the group'
  const options = name === 'Ed25519' ? { zip215: false } : context.length ? { context } : {}
  if (curve.verify(signature, message, key, options)) return undefined
  try {
    curve.Point.fromBytes(signature.slice(0, length / 2))
  } catch {
    return `its first half is not a point of ${name}`
  }
  return 'it was made for another message or with another key'
}
