import { writeAlgorithm } from '../asn1/algorithm.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import type { EcPrivateKey, OkpPrivateKey, PrivateKey } from '../key/key.ts'
import { signEcdsa, writeEcdsaSignature } from './ecdsa.ts'
import type { SignatureHash } from './hash-oid.ts'
import { signPkcs1 } from './rsa-signature.ts'

/** Signatures as certificates and requests carry them. RFC 4055 §5, RFC 5758 §3.2, RFC 8410 §6. */
export interface Signer {
  /** The algorithm identifier that stands inside what is signed and beside the signature. */
  algorithm: Bytes
  /** "ECDSA with SHA-256". */
  name: string
  sign(message: Bytes): Promise<Bytes>
}

/** RFC 5758 §3.2, each with the hash function of the curve's strength. */
const ecdsaAlgorithms: Readonly<Record<string, readonly [hash: SignatureHash, oid: string]>> = {
  'P-256': ['SHA-256', '1.2.840.10045.4.3.2'],
  'P-384': ['SHA-384', '1.2.840.10045.4.3.3'],
  'P-521': ['SHA-512', '1.2.840.10045.4.3.4'],
}
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'

/** Signs with a key the way its kind is used in certificates; RangeError for keys that no certificate is signed with. */
export function signerFor(key: PrivateKey): Signer {
  switch (key.type) {
    case 'RSA':
      return {
        algorithm: writeAlgorithm(SHA256_WITH_RSA, der.null()),
        name: 'RSA with SHA-256',
        sign: message => signPkcs1(key, 'SHA-256', message),
      }
    case 'EC':
      return ecSigner(key)
    case 'Ed25519':
    case 'Ed448':
      return edSigner(key, key.type)
    default:
      throw new RangeError(`a key of the kind ${key.type} signs no certificates; RSA, ECDSA and Ed25519 do`)
  }
}

function ecSigner(key: EcPrivateKey): Signer {
  const [hash, oid] = ecdsaAlgorithms[key.curve] ?? []
  if (!hash || !oid) {
    throw new RangeError(`the curve ${key.curve} is not one of ${Object.keys(ecdsaAlgorithms).join(', ')}`)
  }
  return {
    algorithm: writeAlgorithm(oid),
    name: `ECDSA with ${hash}`,
    sign: async message => writeEcdsaSignature(await signEcdsa(key, hash, message), 'DER', key.curve),
  }
}

const edSigner = ({ bytes }: OkpPrivateKey, type: 'Ed25519' | 'Ed448'): Signer => ({
  algorithm: writeAlgorithm(type === 'Ed25519' ? '1.3.101.112' : '1.3.101.113'),
  name: type,
  async sign(message) {
    if (type === 'Ed25519')
      return Uint8Array.from((await import('@noble/curves/ed25519.js')).ed25519.sign(message, bytes))
    return Uint8Array.from((await import('@noble/curves/ed448.js')).ed448.sign(message, bytes))
  },
})
