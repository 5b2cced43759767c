import { hasNoParameters, readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence } from '../asn1/der.ts'
import { bitLength, fromOctets, toOctets } from '../asn1/integer.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import { digest, hashFunction } from '../hash/digest.ts'
import type { RsaPrivateKey, RsaPublicKey } from '../key/key.ts'
import { modulusBytes, rsaPrivate, rsaPublic } from '../key/rsa.ts'
import { mgf1 } from '../key/rsa-encryption.ts'
import { hashByOid, hashOids, type SignatureHash } from './hash-oid.ts'

/** RSA signatures: RSASSA-PKCS1-v1_5 and RSASSA-PSS. RFC 8017 §8. */

/** Bytes of the older encoding beside DigestInfo: three, and at least eight of ff (§9.2). */
const PKCS1_OVERHEAD = 11

/** EMSA-PKCS1-v1_5: §9.2. The whole of it is compared on verification, so nothing can hide in it. */
async function encodePkcs1(hash: SignatureHash, message: Uint8Array, length: number): Promise<Bytes> {
  const info = der.sequence(writeAlgorithm(hashOids[hash], der.null()), der.octetString(await digest(hash, message)))
  if (length < info.length + PKCS1_OVERHEAD) throw new RangeError(`the key is too short for a signature with ${hash}`)
  const padding = new Uint8Array(length - info.length - 3).fill(255)
  return concat(Uint8Array.of(0, 1), padding, Uint8Array.of(0), info)
}

/** §8.2.1 */
export async function signPkcs1(key: RsaPrivateKey, hash: SignatureHash, message: Uint8Array): Promise<Bytes> {
  const length = modulusBytes(key.publicKey)
  return seal(key, await encodePkcs1(hash, message, length))
}

/** §8.2.2 */
export async function verifyPkcs1(
  key: RsaPublicKey,
  hash: SignatureHash,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const length = modulusBytes(key)
  const encoded = open(key, signature, length)
  return encoded !== undefined && equalBytes(encoded, await encodePkcs1(hash, message, length))
}

/** What RFC 8702 puts in the place of hash function and mask in PSS, with 256 and 512 bits of output. */
const shakes = {
  SHAKE128: async () => (await import('@noble/hashes/sha3.js')).shake128_32,
  SHAKE256: async () => (await import('@noble/hashes/sha3.js')).shake256_64,
} as const
export type PssHash = SignatureHash | keyof typeof shakes
const isShake = (name: PssHash): name is keyof typeof shakes => name in shakes

const pssFunction = (name: PssHash) => (isShake(name) ? shakes[name]() : hashFunction(name))
const pssDigest = async (name: PssHash, message: Uint8Array): Promise<Bytes> =>
  Uint8Array.from((await pssFunction(name))(message))

export interface PssOptions<H extends PssHash = PssHash> {
  hash: H
  /** The hash function inside MGF1, or the mask function itself; the same one unless said otherwise. */
  mgfHash?: H
  saltBytes: number
}

/** §8.1.1 with the encoding of §9.1.1 */
export async function signPss(
  key: RsaPrivateKey,
  message: Uint8Array,
  { hash, mgfHash = hash, saltBytes }: PssOptions,
  random: (length: number) => Uint8Array,
): Promise<Bytes> {
  const { bits, length, size } = await pssSizes(key.publicKey, hash)
  if (length < size + saltBytes + 2) {
    throw new RangeError(
      `at most ${Math.max(length - size - 2, 0)} bytes of salt fit with this key and ${hash}, got ${saltBytes}`,
    )
  }
  const salt = random(saltBytes)
  const proof = await pssDigest(hash, concat(new Uint8Array(8), await pssDigest(hash, message), salt))
  const block = concat(new Uint8Array(length - saltBytes - size - 2), Uint8Array.of(1), salt)
  const masked = await masks(mgfHash, proof, block, bits)
  return seal(key, concat(masked, proof, Uint8Array.of(0xbc)))
}

/** §8.1.2 with the check of §9.1.2 */
export async function verifyPss(
  key: RsaPublicKey,
  message: Uint8Array,
  signature: Uint8Array,
  { hash, mgfHash = hash, saltBytes }: PssOptions,
): Promise<boolean> {
  const opened = await openPss(key, signature, { hash, mgfHash })
  return opened?.salt.length === saltBytes && pssHolds(opened, hash, message)
}

/** The same whatever the length of the salt is, which is the answer; undefined when the signature does not hold. */
export async function verifyPssAnySalt(
  key: RsaPublicKey,
  message: Uint8Array,
  signature: Uint8Array,
  { hash, mgfHash = hash }: Omit<PssOptions, 'saltBytes'>,
): Promise<number | undefined> {
  const opened = await openPss(key, signature, { hash, mgfHash })
  return opened && (await pssHolds(opened, hash, message)) ? opened.salt.length : undefined
}

interface OpenedPss {
  salt: Uint8Array
  proof: Uint8Array
  /** Octets before the salt that can be nothing but zero. */
  zeros: number
}

/** Steps 3 to 11 of §9.1.2: what the salt is, when the encoding is one of this hash function. */
async function openPss(
  key: RsaPublicKey,
  signature: Uint8Array,
  { hash, mgfHash = hash }: Omit<PssOptions, 'saltBytes'>,
): Promise<OpenedPss | undefined> {
  const { bits, length, size } = await pssSizes(key, hash)
  const encoded = open(key, signature, length)
  if (!encoded || length < size + 2 || encoded[length - 1] !== 0xbc) return undefined
  const [masked, proof] = [encoded.subarray(0, length - size - 1), encoded.subarray(length - size - 1, length - 1)]
  const unused = 8 * length - bits
  if ((masked[0] ?? 0) >> (8 - unused)) return undefined
  const block = await masks(mgfHash, proof, masked, bits)
  const zeros = block.findIndex(octet => octet !== 0)
  return block[zeros] === 1 ? { salt: block.subarray(zeros + 1), proof, zeros } : undefined
}

/** Steps 12 to 14 of §9.1.2 */
const pssHolds = async ({ salt, proof }: OpenedPss, hash: PssHash, message: Uint8Array): Promise<boolean> =>
  equalBytes(proof, await pssDigest(hash, concat(new Uint8Array(8), await pssDigest(hash, message), salt)))

/** The encoding is one bit shorter than the modulus: §8.1.1 step 1. */
async function pssSizes(key: RsaPublicKey, hash: PssHash) {
  const bits = bitLength(key.n) - 1
  return { bits, length: Math.ceil(bits / 8), size: (await pssFunction(hash)).outputLen }
}

async function masks(hash: PssHash, proof: Uint8Array, block: Uint8Array, bits: number): Promise<Bytes> {
  const mask = isShake(hash)
    ? (await shakes[hash]())(proof, { dkLen: block.length })
    : await mgf1(hash, proof, block.length)
  const masked = Uint8Array.from(block, (octet, i) => octet ^ (mask[i] ?? 0))
  masked[0] = (masked[0] ?? 0) & (0xff >> ((8 - (bits % 8)) % 8))
  return masked
}

const seal = (key: RsaPrivateKey, encoded: Uint8Array): Bytes =>
  toOctets(rsaPrivate(key, fromOctets(encoded)), modulusBytes(key.publicKey))

/** The encoding under a signature; undefined for one of the wrong length or out of range. */
function open(key: RsaPublicKey, signature: Uint8Array, length: number): Bytes | undefined {
  const representative = fromOctets(signature)
  if (signature.length !== modulusBytes(key) || representative >= key.n) return undefined
  const encoded = rsaPublic(key, representative)
  return bitLength(encoded) > 8 * length ? undefined : toOctets(encoded, length)
}

/** Why a signature cannot be one of this key, whatever was signed; undefined when it can. */
function unfit(key: RsaPublicKey, signature: Uint8Array): string | undefined {
  const length = modulusBytes(key)
  if (signature.length !== length)
    return `the signature has ${signature.length} bytes, and those of this key have ${length}`
  return fromOctets(signature) < key.n ? undefined : 'the number that the signature stands for is not below the modulus'
}

/** What a signature that does not hold carries, as far as it can be told: what verifyPkcs1 and verifyPss keep quiet. */
export async function explainRsa(
  key: RsaPublicKey,
  { hash, mgfHash = hash, scheme, saltBytes }: RsaTerms,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<string> {
  const fault = unfit(key, signature)
  if (fault) return fault
  const block = toOctets(rsaPublic(key, fromOctets(signature)), modulusBytes(key))
  const pkcs1 = await explainPkcs1(block, hash, message)
  const pss = pkcs1 ? undefined : await explainPss(key, { hash, mgfHash, message, signature })
  const padding = pkcs1 ? 'PKCS #1 v1.5' : pss ? 'PSS' : undefined
  const found = pkcs1 ?? pss
  if (!found) {
    return 'what it opens to is no padding of RSA: it was made with another key, or it is not whole'
  }
  if (scheme && scheme !== padding) {
    const how = found.holds ? ` and holds with ${found.hash}` : ''
    return `it is a signature with the padding ${padding}${how}, and ${scheme} was asked for`
  }
  if (found.hash && found.hash !== hash) {
    const how = found.holds ? 'and holds with that' : 'and that does not fit the message either'
    return `it was made with ${found.hash}, not with ${hash}, ${how}`
  }
  if (found.salt !== undefined && found.holds && saltBytes !== undefined && found.salt !== saltBytes) {
    return `its salt has ${found.salt} bytes, not ${saltBytes}; with that it holds`
  }
  return found.fault ?? `it was made with this key and ${hash}, but over another message`
}

export interface RsaTerms {
  hash: PssHash
  mgfHash?: PssHash
  /** The padding that was asked for; either when left out. */
  scheme?: 'PKCS #1 v1.5' | 'PSS'
  saltBytes?: number | undefined
}
interface Finding {
  hash?: PssHash
  holds: boolean
  salt?: number
  fault?: string
}

/** What stands after 00 01 ff … 00 (§9.2); undefined when the block does not begin so. */
async function explainPkcs1(block: Bytes, hash: PssHash, message: Uint8Array): Promise<Finding | undefined> {
  const end = block.indexOf(0, 1)
  const padding = block.subarray(2, end)
  if (block[0] !== 0 || block[1] !== 1 || end < 10 || padding.some(octet => octet !== 255)) return undefined
  try {
    const info = parseSequence(block.slice(end + 1), 'DigestInfo')
    const algorithm = readAlgorithm(info, 'DigestInfo')
    const octets = info.octetString('DigestInfo')
    info.end('DigestInfo')
    const named = hashByOid(algorithm.oid)
    if (!named) {
      return {
        holds: false,
        fault: `its DigestInfo names ${oidLabel(algorithm.oid)}, which is not a hash function here`,
      }
    }
    if (!hasNoParameters(algorithm)) {
      return { holds: false, fault: `its DigestInfo gives ${named} parameters, and RFC 8017 §A.2.4 asks for NULL` }
    }
    const holds = equalBytes(octets, await digest(named, message))
    if (named === hash && holds && !algorithm.parameters) {
      return { hash: named, holds: false, fault: 'its DigestInfo leaves out the NULL that RFC 8017 §A.2.4 asks for' }
    }
    return { hash: named, holds }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const octets = block.subarray(end + 1)
    const bare = equalBytes(octets, await pssDigest(hash, message))
    return {
      holds: false,
      fault: bare
        ? `the bare hash value stands in it without DigestInfo, which would say that it is ${hash}`
        : `its DigestInfo is malformed: ${cause.message}`,
    }
  }
}

interface PssQuestion {
  hash: PssHash
  mgfHash: PssHash
  message: Uint8Array
  signature: Uint8Array
}

const pureShakes = (Object.keys(shakes) as (keyof typeof shakes)[]).map((name): [PssHash, PssHash] => [name, name])

/** Hash functions that PSS is met with, the one asked for first. */
async function explainPss(key: RsaPublicKey, { hash, mgfHash, message, signature }: PssQuestion) {
  const pairs: [PssHash, PssHash][] = [[hash, mgfHash], ...pureShakes]
  for (const other of Object.keys(hashOids) as SignatureHash[]) pairs.push([other, other], [other, 'SHA-1'])
  let opened: Finding | undefined
  for (const [main, mask] of pairs) {
    const found = await openPss(key, signature, { hash: main, mgfHash: mask })
    if (!found) continue
    const holds = await pssHolds(found, main, message)
    const finding: Finding = {
      ...{ hash: main, holds, salt: found.salt.length },
      ...(main === hash &&
        mask !== mgfHash &&
        holds && { fault: `its mask is made with ${mask}, not with ${mgfHash}` }),
    }
    if (holds) return finding
    // A block of another hash function begins by chance as one of this, but not with eight zeros.
    if (found.zeros >= 8) opened ??= finding
  }
  return opened
}
