import { fromOctets, toOctets } from '../asn1/integer.ts'
import { type Bytes, concat, fromBase64, toBase64Url } from '../bytes.ts'
import { curveByJose, curveOf } from './curves.ts'
import { isOkp, type KeyMaterial, type OkpName, type PrivateKey, type PublicKey, type RsaPrime } from './key.ts'
import { okpBytes } from './okp.ts'
import { withPrimes } from './rsa.ts'

/** JSON Web Keys. RFC 7517, RFC 7518 §6, RFC 8037 §2, RFC 8812 §3.1. */
export type Jwk = Record<string, unknown>

/** The key of a JWK; RangeError when a member is missing or has the wrong form. */
export function readJwk(jwk: Jwk): KeyMaterial {
  switch (jwk.kty) {
    case 'RSA':
      return readRsa(jwk)
    case 'EC':
      return readEc(jwk)
    case 'OKP':
      return readOkp(jwk)
    case 'oct':
      throw new RangeError('the JWK holds a symmetric key, not a key pair')
    default:
      throw new RangeError('the member kty of the JWK is not RSA, EC or OKP')
  }
}

/** Base64url without padding and white space, the only form RFC 7515 §2 knows. */
function octets(jwk: Jwk, name: string): Bytes {
  const value = jwk[name]
  if (typeof value !== 'string')
    throw new RangeError(`the member ${name} of the JWK is ${value === undefined ? 'missing' : 'not a string'}`)
  if (!/^[A-Za-z0-9_-]*$/.test(value))
    throw new RangeError(`the member ${name} of the JWK is not Base64url without padding`)
  try {
    return fromBase64(value)
  } catch (cause) {
    throw new RangeError(`the member ${name} of the JWK is not Base64url: it is cut short or changed`, { cause })
  }
}

/** Base64urlUInt: RFC 7518 §2. Leading zero octets are wrong there but met, and mean the same. */
const uint = (jwk: Jwk, name: string) => fromOctets(octets(jwk, name))

function readRsa(jwk: Jwk): KeyMaterial {
  const publicKey = { type: 'RSA', n: uint(jwk, 'n'), e: uint(jwk, 'e') } as const
  if (jwk.d === undefined) return { role: 'public', key: publicKey }
  const parts = ['p', 'q', 'dp', 'dq', 'qi'].filter(name => jwk[name] !== undefined)
  if (parts.length && parts.length < 5) {
    throw new RangeError('the JWK has some of p, q, dp, dq and qi, and RFC 7518 §6.3.2 wants all of them or none')
  }
  const primes: RsaPrime[] = parts.length
    ? [
        { prime: uint(jwk, 'p'), exponent: uint(jwk, 'dp'), coefficient: 0n },
        { prime: uint(jwk, 'q'), exponent: uint(jwk, 'dq'), coefficient: uint(jwk, 'qi') },
        ...otherPrimes(jwk.oth),
      ]
    : []
  return { role: 'private', key: { type: 'RSA', publicKey, d: uint(jwk, 'd'), primes } }
}

/** RFC 7518 §6.3.2.7 */
function otherPrimes(oth: unknown): RsaPrime[] {
  if (oth === undefined) return []
  if (!Array.isArray(oth) || !oth.every(isJwk))
    throw new RangeError('the member oth of the JWK is not a list of primes')
  return oth.map(prime => ({ prime: uint(prime, 'r'), exponent: uint(prime, 'd'), coefficient: uint(prime, 't') }))
}

function readEc(jwk: Jwk): KeyMaterial {
  const curve = typeof jwk.crv === 'string' ? curveByJose(jwk.crv) : undefined
  if (!curve) throw new RangeError('the member crv of the JWK is not P-256, P-384, P-521 or secp256k1')
  const coordinate = (name: string) => {
    const bytes = octets(jwk, name)
    if (bytes.length !== curve.bytes) {
      throw new RangeError(
        `the member ${name} of the JWK has ${bytes.length} bytes, and ${curve.name} takes ${curve.bytes}`,
      )
    }
    return bytes
  }
  const point = concat(Uint8Array.of(4), coordinate('x'), coordinate('y'))
  const publicKey = { type: 'EC', curve: curve.name, point } as const
  if (jwk.d === undefined) return { role: 'public', key: publicKey }
  return { role: 'private', key: { type: 'EC', curve: curve.name, d: coordinate('d'), publicKey } }
}

function readOkp(jwk: Jwk): KeyMaterial {
  const type: OkpName | undefined = typeof jwk.crv === 'string' && isOkp(jwk.crv) ? jwk.crv : undefined
  if (!type) throw new RangeError('the member crv of the JWK is not Ed25519, Ed448, X25519 or X448')
  const publicKey = { type, bytes: okpBytes(type, octets(jwk, 'x'), 'the public key') }
  if (jwk.d === undefined) return { role: 'public', key: publicKey }
  return { role: 'private', key: { type, bytes: okpBytes(type, octets(jwk, 'd'), 'the private key'), publicKey } }
}

export const isJwk = (value: unknown): value is Jwk =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const base64Uint = (number: bigint) => toBase64Url(number === 0n ? Uint8Array.of(0) : toOctets(number))

/** The JWK of a public key; EC points must be uncompressed. */
export function writePublicJwk(key: PublicKey): Record<string, string> {
  if (key.type === 'RSA') return { kty: 'RSA', n: base64Uint(key.n), e: base64Uint(key.e) }
  if (key.type === 'EC') {
    const { jose, bytes, name } = curveOf(key.curve)
    if (!jose) throw new RangeError(`the curve ${name} has no name in JOSE, so a key on it has no JWK`)
    if (key.point[0] !== 4) throw new RangeError('the point is compressed')
    const [x, y] = [key.point.subarray(1, 1 + bytes), key.point.subarray(1 + bytes)]
    return { kty: 'EC', crv: jose, x: toBase64Url(x), y: toBase64Url(y) }
  }
  if (key.type === 'DSA') throw new RangeError('JOSE has no DSA keys')
  return { kty: 'OKP', crv: key.type, x: toBase64Url(key.bytes) }
}

/** The JWK of a private key, which must know its public one. */
export function writePrivateJwk(key: PrivateKey): Record<string, unknown> {
  if (!key.publicKey) throw new RangeError('the public key is not known')
  const head = writePublicJwk(key.publicKey)
  if (key.type === 'EC') return { ...head, d: toBase64Url(key.d) }
  if (key.type !== 'RSA') return 'bytes' in key ? { ...head, d: toBase64Url(key.bytes) } : head
  const { d, primes } = withPrimes(key)
  const [p, q, ...others] = primes
  return {
    ...head,
    d: base64Uint(d),
    p: base64Uint(p?.prime ?? 0n),
    q: base64Uint(q?.prime ?? 0n),
    dp: base64Uint(p?.exponent ?? 0n),
    dq: base64Uint(q?.exponent ?? 0n),
    qi: base64Uint(q?.coefficient ?? 0n),
    ...(others.length && {
      oth: others.map(({ prime, exponent, coefficient }) => ({
        r: base64Uint(prime),
        d: base64Uint(exponent),
        t: base64Uint(coefficient),
      })),
    }),
  }
}
