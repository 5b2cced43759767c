import { parseSequence } from '../asn1/der.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import type { RsaPrime, RsaPrivateKey, RsaPublicKey } from './key.ts'
import { withPrimes } from './rsa.ts'

/** RSA keys in the syntax of PKCS #1. RFC 8017 §A.1. */

const MAX_PRIMES = 16

/** RSAPublicKey: §A.1.1 */
export function readRsaPublicKey(bytes: Bytes): RsaPublicKey {
  const reader = parseSequence(bytes, 'the RSA public key')
  const n = reader.integer('the modulus')
  const e = reader.integer('the public exponent')
  reader.end('the RSA public key')
  return { type: 'RSA', n, e }
}

export const writeRsaPublicKey = ({ n, e }: RsaPublicKey): Bytes => der.sequence(der.integer(n), der.integer(e))

/** RSAPrivateKey: §A.1.2 */
export function readRsaPrivateKey(bytes: Bytes): RsaPrivateKey {
  const reader = parseSequence(bytes, 'the RSA private key')
  const version = reader.smallInteger('the version of the RSA private key')
  if (version > 1) throw new RangeError(`the RSA private key has version ${version}, and only 0 and 1 are defined`)
  const n = reader.integer('the modulus')
  const e = reader.integer('the public exponent')
  const d = reader.integer('the private exponent')
  const [p, q] = [reader.integer('the first prime'), reader.integer('the second prime')]
  const [dp, dq] = [reader.integer('the first exponent'), reader.integer('the second exponent')]
  const coefficient = reader.integer('the coefficient')
  const others: RsaPrime[] = []
  if (version === 1) {
    const list = reader.sequence('the other primes')
    while (!list.done && others.length < MAX_PRIMES) {
      const item = list.sequence('another prime')
      const prime = item.integer('another prime')
      const exponent = item.integer('its exponent')
      others.push({ prime, exponent, coefficient: item.integer('its coefficient') })
      item.end('another prime')
    }
    list.end('the other primes')
    if (!others.length) throw new RangeError('the RSA private key says it has more than two primes, but has not')
  }
  reader.end('the RSA private key')
  const primes = [{ prime: p, exponent: dp, coefficient: 0n }, { prime: q, exponent: dq, coefficient }, ...others]
  // Some programs write zeros for parts they do not know.
  return { type: 'RSA', publicKey: { type: 'RSA', n, e }, d, primes: p === 0n && q === 0n ? [] : primes }
}

export function writeRsaPrivateKey(key: RsaPrivateKey): Bytes {
  const { publicKey, d, primes } = withPrimes(key)
  const [p, q, ...others] = primes
  if (!p || !q) throw new RangeError('the RSA private key has fewer than two primes')
  const numbers = [publicKey.n, publicKey.e, d, p.prime, q.prime, p.exponent, q.exponent, q.coefficient]
  const more = others.map(({ prime, exponent, coefficient }) =>
    der.sequence(der.integer(prime), der.integer(exponent), der.integer(coefficient)),
  )
  return der.sequence(
    der.integer(more.length ? 1 : 0),
    ...numbers.map(number => der.integer(number)),
    ...(more.length ? [der.sequence(...more)] : []),
  )
}
