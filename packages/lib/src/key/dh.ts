import { readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence, Reader } from '../asn1/der.ts'
import { bitLength, fromOctets, toOctets } from '../asn1/integer.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { looksLikePem, parsePem, toPem } from '../asn1/pem.ts'
import { der } from '../asn1/write.ts'
import type { Bytes } from '../bytes.ts'
import { DH_GENERATOR, type DhGroupName, dhGroups } from './dh-groups.ts'
import { modPow } from './modular.ts'
import { isProbablePrime, smallFactor } from './prime.ts'

/** Diffie-Hellman in the integers modulo a prime. NIST SP 800-56A revision 3 §5.7.1.1, RFC 7919, PKCS #3 §9. */
export interface DhGroup {
  p: bigint
  g: bigint
  /** Bits of a new private key; as many as p allows when left out. */
  privateBits?: number
  /** p = 2q + 1 with a prime q: the only subgroups are those of 1, 2, q and 2q elements. */
  safePrime: boolean
}

/** The longest p that is tested for being prime: two such tests take some four seconds. */
export const MAX_DH_BITS = 4096
/** Under this a group is for study: logarithms in it are computed in days (Logjam, 2015) or at once. */
export const STUDY_BITS = 1024
/** A composite number passes with a chance under one in 10^12, however it was chosen. */
const ROUNDS = 20

export const namedDhGroup = (name: DhGroupName): DhGroup => ({
  p: dhGroups[name].p,
  g: DH_GENERATOR,
  privateBits: dhGroups[name].privateBits,
  safePrime: true,
})

interface CheckOptions {
  random(length: number): Uint8Array
  signal?: AbortSignal | undefined
}

/** A group of one's own; RangeError when p is no prime or g generates next to nothing. */
export async function checkedDhGroup(p: bigint, g: bigint, options: CheckOptions): Promise<DhGroup> {
  const known = Object.values(dhGroups).some(row => row.p === p)
  if (!known) {
    const bits = bitLength(p)
    if (bits > MAX_DH_BITS) throw new RangeError(`p has ${bits} bits, and the most taken is ${MAX_DH_BITS}`)
    if (p < 5n) throw new RangeError('p is below 5')
    if (!(await isProbablePrime(p, { rounds: ROUNDS, ...options }))) throw new RangeError('p is not a prime')
  }
  if (g < 2n || g > p - 2n) throw new RangeError('g is not from 2 to p − 2')
  const safePrime = known || (await isProbablePrime((p - 1n) / 2n, { rounds: ROUNDS, ...options }))
  if (bitLength(p) > STUDY_BITS && isInSmallSubgroup({ p, safePrime }, g)) {
    throw new RangeError('g generates a small subgroup only, so every secret could be guessed')
  }
  return { p, g, safePrime }
}

/** Whether a number has an order that is a product of small primes: then whoever sends it learns a part of the secret. */
export function isInSmallSubgroup({ p, safePrime }: Pick<DhGroup, 'p' | 'safePrime'>, number: bigint): boolean {
  if (safePrime) return number === 1n || number === p - 1n
  return modPow(number, smallPart(p - 1n), p) === 1n
}

/** The product of all factors below 20,000. */
function smallPart(number: bigint): bigint {
  let [rest, part] = [number, 1n]
  for (let factor = factorOf(rest); factor; factor = factorOf(rest)) {
    rest /= factor
    part *= factor
  }
  return part

  function factorOf(n: bigint): bigint | undefined {
    if (n < 20_000n) return n > 1n ? n : undefined
    const factor = smallFactor(n)
    return factor === undefined ? undefined : BigInt(factor)
  }
}

/** NIST SP 800-56A revision 3 §5.6.2.3.1, as far as it goes without q. */
export function checkDhPublic(group: DhGroup, y: bigint): void {
  const { p } = group
  if (y < 2n || y > p - 2n)
    throw new RangeError('the public key is not from 2 to p − 2, and gives a secret known to all')
  if (bitLength(p) > STUDY_BITS && isInSmallSubgroup(group, y)) {
    throw new RangeError('the public key lies in a small subgroup, and would give parts of the private key away')
  }
}

export function checkDhPrivate({ p }: DhGroup, x: bigint): void {
  if (x < 1n || x > p - 2n) throw new RangeError('the private key is not from 1 to p − 2')
}

export const dhPublic = ({ p, g }: DhGroup, x: bigint): bigint => modPow(g, x, p)

/** A private key, drawn so that no number is likelier than another. */
export function generateDhKey({ p, privateBits, safePrime }: DhGroup, random: (length: number) => Uint8Array): bigint {
  if (privateBits) {
    const bits = BigInt(privateBits)
    // The top bit is set, so that the key is as long as RFC 7919 §5.2 asks.
    return (fromOctets(random(Math.ceil(privateBits / 8))) % (1n << (bits - 1n))) + (1n << (bits - 1n))
  }
  const order = safePrime ? (p - 1n) / 2n : p - 1n
  return (fromOctets(random(Math.ceil(bitLength(p) / 8) + 8)) % (order - 1n)) + 1n
}

/** The secret at the full length of p, with leading zeros (RFC 8446 §7.4.1, NIST SP 800-56A §5.7.1.1). */
export const dhSecret = ({ p }: DhGroup, x: bigint, y: bigint): Bytes =>
  toOctets(modPow(y, x, p), Math.ceil(bitLength(p) / 8))

/** dhKeyAgreement of PKCS #3 §9, and dhpublicnumber of RFC 3279 §2.3.3: in both p and g stand first. */
const oids = { pkcs3: '1.2.840.113549.1.3.1', x942: '1.2.840.10046.2.1' } as const

const algorithm = ({ p, g, privateBits }: DhGroup) =>
  writeAlgorithm(
    oids.pkcs3,
    der.sequence(der.integer(p), der.integer(g), ...(privateBits ? [der.integer(privateBits)] : [])),
  )

export const dhPublicPem = (group: DhGroup, y: bigint): string =>
  toPem('PUBLIC KEY', der.sequence(algorithm(group), der.bitString(der.integer(y))))
export const dhPrivatePem = (group: DhGroup, x: bigint): string =>
  toPem('PRIVATE KEY', der.sequence(der.integer(0), algorithm(group), der.octetString(der.integer(x))))

interface DhPem {
  p: bigint
  g: bigint
  number: bigint
}

function parseDhPem(text: string, label: string): DhPem {
  const block = parsePem(text).find(candidate => candidate.label === label)
  if (!block) throw new RangeError(`there is no block of ${label}`)
  const reader = parseSequence(block.bytes, 'the key')
  if (label === 'PRIVATE KEY') reader.integer('the version')
  const { oid, parameters } = readAlgorithm(reader, 'the key')
  if ((oid !== oids.pkcs3 && oid !== oids.x942) || !parameters) {
    throw new RangeError(`this is a key for ${oidLabel(oid)}, not for Diffie-Hellman`)
  }
  const inner = Reader.inside(parameters)
  const [p, g] = [inner.integer('p'), inner.integer('g')]
  const octets = label === 'PUBLIC KEY' ? reader.bitString('the key').bytes : reader.octetString('the key')
  return { p, g, number: new Reader(octets).integer('the key') }
}

const labels = { public: 'PUBLIC KEY', private: 'PRIVATE KEY' } as const

/** A key in PEM, which must be of the group; undefined for a text that is no PEM. */
export function readDhPem(text: string, group: DhGroup, role: 'public' | 'private'): bigint | undefined {
  if (!looksLikePem(text)) return undefined
  const { p, g, number } = parseDhPem(text, labels[role])
  if (p !== group.p || g !== group.g) throw new RangeError('the key belongs to another group than the chosen one')
  return number
}

/** The numbers of the group that a key in PEM brings along; undefined for a text that is no PEM. */
export function dhGroupOfPem(text: string, role: 'public' | 'private'): { p: bigint; g: bigint } | undefined {
  if (!looksLikePem(text)) return undefined
  const { p, g } = parseDhPem(text, labels[role])
  return { p, g }
}
