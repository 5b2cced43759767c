import { parseSequence, type Reader } from '../asn1/der.ts'
import { tags } from '../asn1/element.ts'
import { oidOf } from '../asn1/value.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import { type Curve, curveByOid, curveOf } from './curves.ts'
import type { EcPrivateKey } from './key.ts'

/** Elliptic curve private keys. SEC 1 §C.4, RFC 5915 §3. */

/** The curve of ECParameters (RFC 5480 §2.1.1), which names it: explicit parameters are refused. */
export function readCurve(reader: Reader): Curve {
  if (reader.has(tags.sequence)) {
    throw new RangeError('the curve is described by its parameters, and RFC 5480 wants it named')
  }
  if (reader.has(tags.null))
    throw new RangeError('the curve is inherited from a certificate, and RFC 5480 wants it named')
  const oid = oidOf(reader.take(tags.objectIdentifier, 'the curve'))
  const curve = curveByOid(oid)
  if (!curve) throw new RangeError(`the curve with the identifier ${oid} is not known here`)
  return curve
}

/** ECPrivateKey; the curve may be given from outside, as PKCS #8 does. */
export function readEcPrivateKey(bytes: Bytes, outer?: Curve): EcPrivateKey {
  const reader = parseSequence(bytes, 'the EC private key')
  const version = reader.smallInteger('the version of the EC private key')
  if (version !== 1) throw new RangeError(`the EC private key has version ${version}, and only 1 is defined`)
  const octets = reader.octetString('the EC private key')
  const parameters = reader.explicit(0, 'the curve')
  const inner = parameters && readCurve(parameters)
  parameters?.end('the curve')
  const curve = inner ?? outer
  if (!curve) throw new RangeError('the EC private key does not say on which curve it is')
  if (inner && outer && inner.name !== outer.name) {
    throw new RangeError(`the EC private key names two curves, ${outer.name} and ${inner.name}`)
  }
  const publicPart = reader.explicit(1, 'the public key')
  const point = publicPart?.bitString('the public key')
  publicPart?.end('the public key')
  if (point?.unused) throw new RangeError('the public key does not fill its last byte')
  reader.end('the EC private key')
  return {
    type: 'EC',
    curve: curve.name,
    d: privateOctets(octets, curve),
    ...(point && { publicKey: { type: 'EC', curve: curve.name, point: point.bytes } }),
  }
}

/** RFC 5915 §3 wants as many octets as the order has; shorter and zero-padded ones are met and mean the same. */
function privateOctets(octets: Bytes, { name, bytes }: Curve): Bytes {
  const extra = octets.length - bytes
  if (extra > 0 && octets.subarray(0, extra).some(octet => octet)) {
    throw new RangeError(`the EC private key has ${octets.length} bytes, and ${name} takes ${bytes}`)
  }
  const d = new Uint8Array(bytes)
  d.set(octets.subarray(Math.max(extra, 0)), Math.max(-extra, 0))
  return d
}

/** ECPrivateKey; inside PKCS #8 the curve stands outside. */
export const writeEcPrivateKey = (
  { curve, d, publicKey }: EcPrivateKey,
  inside: 'alone' | 'PKCS #8' = 'alone',
): Bytes =>
  der.sequence(
    der.integer(1),
    der.octetString(d),
    ...(inside === 'alone' ? [der.explicit(0, der.oid(curveOf(curve).oid))] : []),
    ...(publicKey ? [der.explicit(1, der.bitString(publicKey.point))] : []),
  )
