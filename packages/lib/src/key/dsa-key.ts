import { parseSequence } from '../asn1/der.ts'
import type { Bytes } from '../bytes.ts'
import type { DsaPrivateKey } from './key.ts'
import { dsaPrivateKey } from './pkcs8.ts'

/** The DSA private key that OpenSSL writes under DSA PRIVATE KEY: version 0, p, q, g, y, x. */
export function readDsaPrivateKey(bytes: Bytes): DsaPrivateKey {
  const reader = parseSequence(bytes, 'the DSA private key')
  if (reader.integer('the version of the DSA private key') !== 0n) {
    throw new RangeError('the DSA private key has a version other than 0')
  }
  const [p, q, g] = [reader.integer('p'), reader.integer('q'), reader.integer('g')]
  const y = reader.integer('the DSA public key')
  const key = dsaPrivateKey({ p, q, g }, reader.integer('the DSA private key'))
  reader.end('the DSA private key')
  if (key.publicKey.y !== y) throw new RangeError('the public key inside does not belong to the private key')
  return key
}
