import { hasNoParameters, readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence, Reader } from '../asn1/der.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { bitStringOf } from '../asn1/value.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import { curveOf } from './curves.ts'
import type { DsaPrivateKey, PrivateKey } from './key.ts'
import { modPow } from './modular.ts'
import { okpBytes } from './okp.ts'
import { readRsaPrivateKey, writeRsaPrivateKey } from './pkcs1.ts'
import { readEcPrivateKey, writeEcPrivateKey } from './sec1.ts'
import {
  algorithmOfKey,
  checkDsaParameters,
  curveOfAlgorithm,
  keyOids,
  okpName,
  readDsaParameters,
  writeDsaAlgorithm,
} from './spki.ts'

/** Private keys with their algorithm: PrivateKeyInfo and OneAsymmetricKey. RFC 5208 §5, RFC 5958 §2, RFC 8410 §7. */
export function readPkcs8(bytes: Bytes): PrivateKey {
  const reader = parseSequence(bytes, 'the private key')
  const version = reader.smallInteger('the version of the private key')
  if (version > 1) throw new RangeError(`the private key has version ${version}, and only 0 and 1 are defined`)
  const algorithm = readAlgorithm(reader, 'the private key')
  const octets = reader.octetString('the private key')
  reader.context(0)
  const publicPart = reader.context(1)
  if (publicPart && version === 0) throw new RangeError('the private key has version 0 and yet a public key')
  reader.end('the private key')
  const { oid } = algorithm
  if (oid === keyOids.rsa || oid === keyOids.rsaPss || oid === keyOids.rsaOaep) {
    if (oid === keyOids.rsa && !hasNoParameters(algorithm))
      throw new RangeError('the algorithm of the RSA key has parameters')
    const key = readRsaPrivateKey(octets)
    return oid === keyOids.rsa ? key : { ...key, publicKey: { ...key.publicKey, restricted: algorithm.whole } }
  }
  if (oid === keyOids.ec) return readEcPrivateKey(octets, curveOfAlgorithm(algorithm))
  if (oid === keyOids.dsa) return readDsaPrivateKey(octets, readDsaParameters(algorithm))
  const type = okpName(oid)
  if (!type) throw new RangeError(`the private key has the algorithm ${oidLabel(oid)}, which is not known here`)
  if (algorithm.parameters) throw new RangeError(`the algorithm ${type} has parameters, and RFC 8410 §3 allows none`)
  const inner = new Reader(octets)
  const secret = okpBytes(type, inner.octetString('the private key'), 'the private key')
  inner.end('the private key')
  const publicBits = publicPart && bitStringOf(publicPart, 'the public key')
  return {
    type,
    bytes: secret,
    ...(publicBits && { publicKey: { type, bytes: okpBytes(type, publicBits.bytes, 'the public key') } }),
  }
}

function readDsaPrivateKey(octets: Bytes, parameters: ReturnType<typeof readDsaParameters>): DsaPrivateKey {
  const reader = new Reader(octets)
  const x = reader.integer('the DSA private key')
  reader.end('the DSA private key')
  return dsaPrivateKey(parameters, x)
}

/** A DSA private key with the public one it implies (FIPS 186-4 §4.1). */
export function dsaPrivateKey(parameters: ReturnType<typeof readDsaParameters>, x: bigint): DsaPrivateKey {
  const { p, q, g } = checkDsaParameters(parameters)
  if (x < 1n || x >= q) throw new RangeError('the DSA private key is not from 1 to below q')
  return { type: 'DSA', publicKey: { type: 'DSA', ...parameters, y: modPow(g, x, p) }, x }
}

/** PrivateKeyInfo, version 0, as every program reads it. */
export function writePkcs8(key: PrivateKey): Bytes {
  const [algorithm, octets] = parts(key)
  return der.sequence(der.integer(0), algorithm, der.octetString(octets))
}

function parts(key: PrivateKey): [algorithm: Bytes, octets: Bytes] {
  switch (key.type) {
    case 'RSA':
      return [algorithmOfKey(key.publicKey), writeRsaPrivateKey(key)]
    case 'EC':
      return [writeAlgorithm(keyOids.ec, der.oid(curveOf(key.curve).oid)), writeEcPrivateKey(key, 'PKCS #8')]
    case 'DSA':
      return [writeDsaAlgorithm(key.publicKey), der.integer(key.x)]
    default:
      return [writeAlgorithm(keyOids[key.type]), der.octetString(key.bytes)]
  }
}
