import { type Algorithm, hasNoParameters, readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { Reader } from '../asn1/der.ts'
import { bitLength } from '../asn1/integer.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import type { BitString } from '../asn1/value.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import { type Curve, curveOf } from './curves.ts'
import { type DsaPublicKey, isOkp, okpNames, type PublicKey } from './key.ts'
import { okpBytes } from './okp.ts'
import { readRsaPublicKey, writeRsaPublicKey } from './pkcs1.ts'
import { readCurve } from './sec1.ts'

/** Public keys with their algorithm: SubjectPublicKeyInfo. RFC 5280 §4.1.2.7, RFC 3279 §2.3, RFC 5480, RFC 8410. */

export const keyOids = {
  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  rsaOaep: '1.2.840.113549.1.1.7',
  dsa: '1.2.840.10040.4.1',
  ec: '1.2.840.10045.2.1',
  X25519: '1.3.101.110',
  X448: '1.3.101.111',
  Ed25519: '1.3.101.112',
  Ed448: '1.3.101.113',
} as const

export interface SubjectPublicKeyInfo {
  algorithm: Algorithm
  bits: BitString
  whole: Bytes
}

/** The structure alone, whatever the algorithm is. */
export function readSpki(reader: Reader): SubjectPublicKeyInfo {
  const element = reader.peek()
  const inner = reader.sequence('the public key')
  const algorithm = readAlgorithm(inner, 'the public key')
  const bits = inner.bitString('the public key')
  inner.end('the public key')
  return { algorithm, bits, whole: element?.whole ?? new Uint8Array() }
}

/** The key inside; RangeError for an algorithm that is not known here and for a key that does not fit it. */
export function publicKeyOfSpki({ algorithm, bits: { bytes, unused } }: SubjectPublicKeyInfo): PublicKey {
  if (unused) throw new RangeError('the public key does not fill its last byte')
  const { oid } = algorithm
  if (oid === keyOids.rsa) {
    if (!hasNoParameters(algorithm)) throw new RangeError('the algorithm of the RSA key has parameters')
    return readRsaPublicKey(bytes)
  }
  if (oid === keyOids.rsaPss || oid === keyOids.rsaOaep) {
    return { ...readRsaPublicKey(bytes), restricted: algorithm.whole }
  }
  if (oid === keyOids.ec) return { type: 'EC', curve: curveOfAlgorithm(algorithm).name, point: bytes }
  if (oid === keyOids.dsa) return readDsaPublicKey(algorithm, bytes)
  const name = okpName(oid)
  if (!name)
    throw new RangeError(
      `the key has the algorithm ${oidLabel(oid)}, which is not one of RSA, EC, DSA, ${okpNames.join(', ')}`,
    )
  if (algorithm.parameters) throw new RangeError(`the algorithm ${name} has parameters, and RFC 8410 §3 allows none`)
  return { type: name, bytes: okpBytes(name, bytes, 'the public key') }
}

export const okpName = (oid: string) => okpNames.find(name => keyOids[name] === oid)

export function curveOfAlgorithm({ parameters }: Algorithm): Curve {
  if (!parameters) throw new RangeError('the EC key does not say on which curve it is')
  return readCurve(new Reader(parameters.whole, { offset: parameters.offset }))
}

/** Dss-Parms: RFC 3279 §2.3.2 */
export function readDsaParameters({ parameters }: Algorithm): DsaParameters {
  if (!parameters) throw new RangeError('the DSA key inherits its parameters, which do not stand here')
  const reader = Reader.inside(parameters)
  const [p, q, g] = [reader.integer('p'), reader.integer('q'), reader.integer('g')]
  reader.end('the DSA parameters')
  return checkDsaParameters({ p, q, g })
}

type DsaParameters = Omit<DsaPublicKey, 'type' | 'y'>

/** OpenSSL's OPENSSL_DSA_MAX_MODULUS_BITS, and twice the longest order of FIPS 186-4 §4.2. */
const MAX_DSA_MODULUS_BITS = 10_000
const MAX_DSA_ORDER_BITS = 512

/** Refuses what cannot be DSA parameters (FIPS 186-4 §4.1) or takes too long to compute with. */
export function checkDsaParameters(parameters: DsaParameters): DsaParameters {
  const { p, q, g } = parameters
  if (p < 3n || q < 3n || g < 2n || g >= p) throw new RangeError('the DSA parameters are out of range')
  if (bitLength(p) > MAX_DSA_MODULUS_BITS || bitLength(q) > MAX_DSA_ORDER_BITS) {
    throw new RangeError('the DSA parameters are too long to compute with')
  }
  return parameters
}

function readDsaPublicKey(algorithm: Algorithm, bytes: Bytes): DsaPublicKey {
  const reader = new Reader(bytes)
  const y = reader.integer('the DSA public key')
  reader.end('the DSA public key')
  return { type: 'DSA', ...readDsaParameters(algorithm), y }
}

export const writeDsaAlgorithm = ({ p, q, g }: DsaParameters): Bytes =>
  writeAlgorithm(keyOids.dsa, der.sequence(der.integer(p), der.integer(q), der.integer(g)))

/** The algorithm identifier that goes with a key. */
export function algorithmOfKey(key: PublicKey): Bytes {
  if (key.type === 'RSA') return key.restricted ?? writeAlgorithm(keyOids.rsa, der.null())
  if (key.type === 'EC') return writeAlgorithm(keyOids.ec, der.oid(curveOf(key.curve).oid))
  return key.type === 'DSA' ? writeDsaAlgorithm(key) : writeAlgorithm(keyOids[key.type])
}

export function writeSpki(key: PublicKey): Bytes {
  return der.sequence(algorithmOfKey(key), der.bitString(keyOctets(key)))
}

/** What the bit string of SubjectPublicKeyInfo holds: what key identifiers are hashed from (RFC 5280 §4.2.1.2). */
export function keyOctets(key: PublicKey): Bytes {
  if (key.type === 'RSA') return writeRsaPublicKey(key)
  if (key.type === 'EC') return key.point
  return isOkp(key.type) && 'bytes' in key ? key.bytes : 'y' in key ? der.integer(key.y) : new Uint8Array()
}
