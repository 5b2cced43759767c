import { type Bytes, equalBytes } from '../bytes.ts'
import { type OkpName, type OkpPrivateKey, type OkpPublicKey, okpLengths } from './key.ts'

/** Keys of the Edwards and Montgomery curves. RFC 8032, RFC 7748. */
const publicKeys: Readonly<Record<OkpName, (secret: Uint8Array) => Promise<Uint8Array>>> = {
  Ed25519: async secret => (await import('@noble/curves/ed25519.js')).ed25519.getPublicKey(secret),
  X25519: async secret => (await import('@noble/curves/ed25519.js')).x25519.getPublicKey(secret),
  Ed448: async secret => (await import('@noble/curves/ed448.js')).ed448.getPublicKey(secret),
  X448: async secret => (await import('@noble/curves/ed448.js')).x448.getPublicKey(secret),
}

/** The bytes when they are as many as a key of this kind has. */
export function okpBytes(type: OkpName, bytes: Bytes, what: string): Bytes {
  if (bytes.length === okpLengths[type]) return bytes
  throw new RangeError(`${what} of ${type} has ${okpLengths[type]} bytes, and this one has ${bytes.length}`)
}

/** The public key that belongs to a private one; a public key that came along must be the same. */
export async function okpPublicKeyOf({ type, bytes, publicKey }: OkpPrivateKey): Promise<OkpPublicKey> {
  const own = Uint8Array.from(await publicKeys[type](okpBytes(type, bytes, 'the private key')))
  if (publicKey && !equalBytes(publicKey.bytes, own)) {
    throw new RangeError('the public key inside does not belong to the private key')
  }
  return { type, bytes: own }
}

/** A new private key: any bytes of the right length are one. */
export const generateOkpKey = async (type: OkpName, random: (length: number) => Bytes): Promise<OkpPrivateKey> => {
  const bytes = random(okpLengths[type])
  return { type, bytes, publicKey: await okpPublicKeyOf({ type, bytes }) }
}
