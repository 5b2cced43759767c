import { hmac } from '@noble/hashes/hmac.js'
import type { CHash } from '@noble/hashes/utils.js'
import { parseSequence } from '../asn1/der.ts'
import { bitLength, fromOctets, toOctets } from '../asn1/integer.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, concat } from '../bytes.ts'
import { hashFunction } from '../hash/digest.ts'
import type { DsaPrivateKey, DsaPublicKey } from '../key/key.ts'
import { mod, modInverse, modPow } from '../key/modular.ts'
import { checkDsaParameters } from '../key/spki.ts'
import type { SignatureHash } from './hash-oid.ts'

/** DSA signatures. FIPS 186-4 §4; deterministic as RFC 6979 §3.2 makes them. */
export interface DsaSignature {
  r: bigint
  s: bigint
}

export const dsaFormats = ['DER', 'P1363'] as const
export type DsaFormat = (typeof dsaFormats)[number]

/** Dss-Sig-Value of RFC 3279 §2.2.2, strictly, or two numbers of exactly the length of q. */
export function readDsaSignature(bytes: Bytes, format: DsaFormat, { q }: Pick<DsaPublicKey, 'q'>): DsaSignature {
  if (format === 'DER') {
    const reader = parseSequence(bytes, 'the signature')
    const [r, s] = [reader.integer('r'), reader.integer('s')]
    reader.end('the signature')
    return { r, s }
  }
  const size = octetsOf(q)
  if (bytes.length !== 2 * size) {
    throw new RangeError(
      `a signature with this key has ${2 * size} bytes in this format, and this one has ${bytes.length}`,
    )
  }
  return { r: fromOctets(bytes.subarray(0, size)), s: fromOctets(bytes.subarray(size)) }
}

export function writeDsaSignature({ r, s }: DsaSignature, format: DsaFormat, { q }: Pick<DsaPublicKey, 'q'>): Bytes {
  const size = octetsOf(q)
  return format === 'DER' ? der.sequence(der.integer(r), der.integer(s)) : concat(toOctets(r, size), toOctets(s, size))
}

const octetsOf = (number: bigint) => Math.ceil(bitLength(number) / 8)

/** Why the numbers are a signature of nothing: §4.7 step 1. */
export function dsaRangeFault({ r, s }: DsaSignature, { q }: Pick<DsaPublicKey, 'q'>): string | undefined {
  for (const [name, number] of [['r', r] as const, ['s', s] as const]) {
    if (number === 0n) return `${name} is zero`
    if (number < 0n) return `${name} is negative`
    if (number >= q) return `${name} is not below q`
  }
  return undefined
}

/** The pairs of lengths of p and q: FIPS 186-4 §4.2. */
const lengthPairs: readonly (readonly [p: number, q: number])[] = [
  [1024, 160],
  [2048, 224],
  [2048, 256],
  [3072, 256],
]

export const dsaLengths = ({ p, q }: Pick<DsaPublicKey, 'p' | 'q'>) => {
  const lengths = { p: bitLength(p), q: bitLength(q) }
  return { ...lengths, approved: lengthPairs.some(pair => pair[0] === lengths.p && pair[1] === lengths.q) }
}

/** Refuses a key on which anybody could sign: q must divide p − 1, and g and y must be of the order q (FIPS 186-4 §4.1). */
export function checkDsaKey({ p, q, g, y }: DsaPublicKey): void {
  checkDsaParameters({ p, q, g })
  if ((p - 1n) % q !== 0n) throw new RangeError('q does not divide p − 1')
  if (modPow(g, q, p) !== 1n) throw new RangeError('g is not of the order q')
  if (y < 2n || y >= p) throw new RangeError('the DSA key is out of range')
  if (modPow(y, q, p) !== 1n) throw new RangeError('the public number y is not of the order q')
}

/** §4.6: as many bits of the hash value as q has. */
function truncated(octets: Uint8Array, q: bigint): bigint {
  const excess = octets.length * 8 - bitLength(q)
  return excess > 0 ? fromOctets(octets) >> BigInt(excess) : fromOctets(octets)
}

/** §4.6; the secret number is derived as RFC 6979 asks, or drawn from `random`. */
export async function signDsa(
  { publicKey: { p, q, g }, x }: DsaPrivateKey,
  hash: SignatureHash,
  message: Uint8Array,
  random?: (length: number) => Uint8Array,
): Promise<DsaSignature> {
  const hashing = await hashFunction(hash)
  const z = truncated(hashing(message), q)
  for (const k of random ? randomNonces(q, random) : derivedNonces(hashing, q, x, z)) {
    const r = modPow(g, k, p) % q
    const s = mod(modInverse(k, q) * (z + x * r), q)
    if (r !== 0n && s !== 0n) return { r, s }
  }
  throw new RangeError('no signature was found')
}

/** FIPS 186-4 §B.2.1: 64 more bits than q has, so that no number is likelier than another. */
function* randomNonces(q: bigint, random: (length: number) => Uint8Array) {
  for (;;) yield mod(fromOctets(random(octetsOf(q) + 8)), q - 1n) + 1n
}

/** RFC 6979 §3.2 */
function* derivedNonces(hash: CHash, q: bigint, x: bigint, z: bigint) {
  const seed = concat(toOctets(x, octetsOf(q)), toOctets(mod(z, q), octetsOf(q)))
  const step = (key: Uint8Array, ...parts: Uint8Array[]) => hmac(hash, key, concat(...parts))
  let value: Uint8Array = new Uint8Array(hash.outputLen).fill(1)
  let key: Uint8Array = new Uint8Array(hash.outputLen)
  for (const mark of [0, 1]) {
    key = step(key, value, Uint8Array.of(mark), seed)
    value = step(key, value)
  }
  for (;;) {
    let octets: Bytes = new Uint8Array()
    while (octets.length < octetsOf(q)) {
      value = step(key, value)
      octets = concat(octets, value)
    }
    const k = truncated(octets, q)
    if (k >= 1n && k < q) yield k
    key = step(key, value, Uint8Array.of(0))
    value = step(key, value)
  }
}

/** FIPS 186-4 §4.7 */
export async function verifyDsa(
  { p, q, g, y }: DsaPublicKey,
  hash: SignatureHash,
  message: Uint8Array,
  signature: DsaSignature,
): Promise<boolean> {
  checkDsaParameters({ p, q, g })
  if (y < 2n || y >= p) throw new RangeError('the DSA key is out of range')
  if (dsaRangeFault(signature, { q })) return false
  const { r, s } = signature
  const z = truncated((await hashFunction(hash))(message), q)
  const w = modInverse(s, q)
  const v = (modPow(g, (z * w) % q, p) * modPow(y, (r * w) % q, p)) % p
  return v % q === r
}
