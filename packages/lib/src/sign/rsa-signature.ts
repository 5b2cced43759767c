import { writeAlgorithm } from '../asn1/algorithm.ts'
import { der } from '../asn1/der.ts'
import { bitLength, fromOctets, toOctets } from '../asn1/integer.ts'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import { digest, hashFunction } from '../hash/digest.ts'
import type { RsaPrivateKey, RsaPublicKey } from '../key/key.ts'
import { modulusBytes, rsaPrivate, rsaPublic } from '../key/rsa.ts'
import { mgf1 } from '../key/rsa-encryption.ts'
import { hashOids, type SignatureHash } from './hash-oid.ts'

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

export interface PssOptions {
  hash: SignatureHash
  /** The hash function inside MGF1; the same one unless said otherwise. */
  mgfHash?: SignatureHash
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
  const proof = await digest(hash, concat(new Uint8Array(8), await digest(hash, message), salt))
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
  const { bits, length, size } = await pssSizes(key, hash)
  const encoded = open(key, signature, length)
  if (!encoded || length < size + saltBytes + 2 || encoded[length - 1] !== 0xbc) return false
  const [masked, proof] = [encoded.subarray(0, length - size - 1), encoded.subarray(length - size - 1, length - 1)]
  const unused = 8 * length - bits
  if ((masked[0] ?? 0) >> (8 - unused)) return false
  const block = await masks(mgfHash, proof, masked, bits)
  const zeros = length - size - saltBytes - 2
  if (block.subarray(0, zeros).some(octet => octet !== 0) || block[zeros] !== 1) return false
  const salt = block.subarray(zeros + 1)
  return equalBytes(proof, await digest(hash, concat(new Uint8Array(8), await digest(hash, message), salt)))
}

/** The encoding is one bit shorter than the modulus: §8.1.1 step 1. */
async function pssSizes(key: RsaPublicKey, hash: SignatureHash) {
  const bits = bitLength(key.n) - 1
  return { bits, length: Math.ceil(bits / 8), size: (await hashFunction(hash)).outputLen }
}

async function masks(hash: SignatureHash, proof: Uint8Array, block: Uint8Array, bits: number): Promise<Bytes> {
  const mask = await mgf1(hash, proof, block.length)
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
