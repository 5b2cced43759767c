import { bitLength } from '../asn1/integer.ts'
import type { Bytes } from '../bytes.ts'
import type { RsaPrime, RsaPrivateKey, RsaPublicKey } from './key.ts'
import { gcd, mod, modInverse, modPow } from './modular.ts'

/** RSA keys and the two primitives. RFC 8017 §3 and §5. */

/** The bounds OpenSSL sets (OPENSSL_RSA_MAX_MODULUS_BITS, …_SMALL_MODULUS_BITS, …_MAX_PUBEXP_BITS). */
export const MAX_MODULUS_BITS = 16384
const SMALL_MODULUS_BITS = 3072
const MAX_EXPONENT_BITS = 64
/** A private operation of this size takes about a second. */
export const MAX_PRIVATE_BITS = 8192

/** The bytes of the modulus: k of RFC 8017. */
export const modulusBytes = ({ n }: RsaPublicKey): number => Math.ceil(bitLength(n) / 8)

/** Refuses what cannot be a public key (RFC 8017 §3.1) or takes too long to compute with. */
export function checkRsaPublicKey(key: RsaPublicKey): RsaPublicKey {
  const { n, e } = key
  const bits = bitLength(n > 0n ? n : 0n)
  if (n < 6n || n % 2n === 0n) throw new RangeError('the modulus is not a product of odd primes')
  if (bits > MAX_MODULUS_BITS)
    throw new RangeError(`the modulus has ${bits} bits, and the most taken is ${MAX_MODULUS_BITS}`)
  if (e < 3n || e % 2n === 0n || e >= n)
    throw new RangeError('the public exponent is not an odd number from 3 to below the modulus')
  if (bits > SMALL_MODULUS_BITS && bitLength(e) > MAX_EXPONENT_BITS) {
    throw new RangeError(
      `the public exponent has ${bitLength(e)} bits, and the most taken beside a long modulus is ${MAX_EXPONENT_BITS}`,
    )
  }
  return key
}

/** Refuses a private key whose parts do not belong together (RFC 8017 §3.2). */
export function checkRsaPrivateKey(key: RsaPrivateKey): RsaPrivateKey {
  const { publicKey, d, primes } = key
  checkRsaPublicKey(publicKey)
  const { n, e } = publicKey
  if (bitLength(n) > MAX_PRIVATE_BITS) {
    throw new RangeError(
      `the modulus of the private key has ${bitLength(n)} bits, and the most taken is ${MAX_PRIVATE_BITS}`,
    )
  }
  if (d < 1n || d >= n) throw new RangeError('the private exponent is out of range')
  const foreign = new RangeError('the private exponent does not belong to the public key')
  if (!primes.length) {
    if (modPow(modPow(2n, e, n), d, n) !== 2n) throw foreign
    return key
  }
  if (primes.length < 2) throw new RangeError('a second prime is missing')
  let product = 1n
  for (const [index, { prime, exponent, coefficient }] of primes.entries()) {
    if (prime < 3n || exponent < 1n) throw new RangeError('a prime or its exponent is out of range')
    if (mod(e * exponent, prime - 1n) !== mod(1n, prime - 1n)) {
      throw new RangeError(`the exponent of prime ${index + 1} does not belong to the public key`)
    }
    if (mod(d - exponent, prime - 1n) !== 0n) throw foreign
    // The first coefficient of a key is q⁻¹ mod p, and stands with q here; the others are the inverse of the product.
    const [modulus, factor] = index === 1 ? [primes[0]?.prime ?? 1n, prime] : [prime, product]
    if (index > 0 && mod(coefficient * factor, modulus) !== 1n) {
      throw new RangeError(`the coefficient of prime ${index + 1} is wrong`)
    }
    product *= prime
  }
  if (product !== n) throw new RangeError('the modulus is not the product of the primes')
  return key
}

/** The two-prime parts that RFC 8017 §A.1.2 writes: exponents, and q⁻¹ mod p beside q. */
export const rsaPrimes = (p: bigint, q: bigint, d: bigint): RsaPrime[] => [
  { prime: p, exponent: mod(d, p - 1n), coefficient: 0n },
  { prime: q, exponent: mod(d, q - 1n), coefficient: modInverse(q, p) },
]

/** The key with its primes, found from both exponents where they did not come along (NIST SP 800-56B §C.2). */
export function withPrimes(key: RsaPrivateKey): RsaPrivateKey {
  if (key.primes.length) return key
  const { n, e } = key.publicKey
  let [odd, twos] = [key.d * e - 1n, 0]
  while (odd > 0n && odd % 2n === 0n) [odd, twos] = [odd / 2n, twos + 1]
  for (let base = 2n; base < 102n; base++) {
    let root = modPow(base, odd, n)
    for (let i = 0; i < twos && root !== 1n && root !== n - 1n; i++) {
      const square = (root * root) % n
      if (square === 1n) {
        const factors = [gcd(root - 1n, n), gcd(root + 1n, n)]
        const [p = 1n, q = 1n] = factors.toSorted((a, b) => (a < b ? 1 : -1))
        if (p * q === n) return checkRsaPrivateKey({ ...key, primes: rsaPrimes(p, q, key.d) })
      }
      root = square
    }
  }
  throw new RangeError('the primes cannot be found from the exponents: they may not belong together')
}

/** RSAEP and RSAVP1 (RFC 8017 §5.1.1, §5.2.2). */
export function rsaPublic({ n, e }: RsaPublicKey, representative: bigint): bigint {
  if (representative < 0n || representative >= n) throw new RangeError('the number is not below the modulus')
  return modPow(representative, e, n)
}

/** RSADP and RSASP1 (RFC 8017 §5.1.2, §5.2.1), by the Chinese remainder theorem where the primes are known. */
export function rsaPrivate({ publicKey: { n }, d, primes }: RsaPrivateKey, representative: bigint): bigint {
  if (representative < 0n || representative >= n) throw new RangeError('the number is not below the modulus')
  const [first, second, ...others] = primes
  if (!first || !second) return modPow(representative, d, n)
  const m1 = modPow(representative, first.exponent, first.prime)
  const m2 = modPow(representative, second.exponent, second.prime)
  let message = m2 + second.prime * mod((m1 - m2) * second.coefficient, first.prime)
  let product = first.prime * second.prime
  for (const { prime, exponent, coefficient } of others) {
    const part = modPow(representative, exponent, prime)
    message += product * mod((part - message) * coefficient, prime)
    product *= prime
  }
  return message
}

export const rsaKeySizes = [2048, 3072, 4096] as const
export type RsaKeySize = (typeof rsaKeySizes)[number]

/** A new key in PKCS #8, from the platform's own generator, with the exponent 65537 (FIPS 186-5 §A.1). */
export async function generateRsaPkcs8(bits: RsaKeySize): Promise<Bytes> {
  const algorithm = { name: 'RSA-OAEP', modulusLength: bits, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt'])
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
}
