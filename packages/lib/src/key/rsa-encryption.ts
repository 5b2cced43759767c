import { fromOctets, toOctets } from '../asn1/integer.ts'
import { type Bytes, concat } from '../bytes.ts'
import { type HashName, hashFunction } from '../hash/digest.ts'
import type { RsaPrivateKey, RsaPublicKey } from './key.ts'
import { modulusBytes, rsaPrivate, rsaPublic } from './rsa.ts'

/** RSA encryption: RSAES-OAEP, RSAES-PKCS1-v1_5 and the bare primitive. RFC 8017 §5.1 and §7. */

type Random = (length: number) => Uint8Array

export interface OaepOptions {
  hash: HashName
  /** The hash function inside MGF1; the same one unless said otherwise. */
  mgfHash?: HashName
  label?: Uint8Array
}

/**
 * A ciphertext that does not decrypt. One fault for every reason (RFC 8017 §7.1.2, §7.2.2): telling a wrong key from a wrong
 * padding has given plaintexts away (Manger 2001, Bleichenbacher 1998).
 */
export class DecryptionError extends Error {
  constructor() {
    super('decryption error')
    this.name = 'DecryptionError'
  }
}

/** Bytes that an OAEP message can have with this key; negative when the key is too short for the hash function. */
export const oaepCapacity = async (key: RsaPublicKey, hash: HashName): Promise<number> =>
  modulusBytes(key) - 2 * (await hashFunction(hash)).outputLen - 2

/** Bytes beside the message in the older padding: two, at least eight of random, and a zero. */
const PKCS1_OVERHEAD = 11
export const pkcs1Capacity = (key: RsaPublicKey): number => modulusBytes(key) - PKCS1_OVERHEAD

/** RFC 8017 §7.1.1 */
export async function encryptOaep(
  key: RsaPublicKey,
  message: Uint8Array,
  options: OaepOptions,
  random: Random,
): Promise<Bytes> {
  const { hash, mgfHash = hash, label = new Uint8Array() } = options
  const capacity = await oaepCapacity(key, hash)
  checkFits(message, capacity)
  const digest = await hashFunction(hash)
  const block = concat(digest(label), new Uint8Array(capacity - message.length), Uint8Array.of(1), message)
  const seed = random(digest.outputLen)
  const maskedBlock = xor(block, await mgf1(mgfHash, seed, block.length))
  const maskedSeed = xor(seed, await mgf1(mgfHash, maskedBlock, seed.length))
  return run(key, concat(Uint8Array.of(0), maskedSeed, maskedBlock))
}

/** RFC 8017 §7.1.2 */
export async function decryptOaep(key: RsaPrivateKey, ciphertext: Uint8Array, options: OaepOptions): Promise<Bytes> {
  const { hash, mgfHash = hash, label = new Uint8Array() } = options
  const digest = await hashFunction(hash)
  const size = digest.outputLen
  if ((await oaepCapacity(key.publicKey, hash)) < 0) throw new RangeError(`the key is too short for OAEP with ${hash}`)
  const encoded = open(key, ciphertext)
  const [maskedSeed, maskedBlock] = [encoded.subarray(1, 1 + size), encoded.subarray(1 + size)]
  const seed = xor(maskedSeed, await mgf1(mgfHash, maskedBlock, size))
  const block = xor(maskedBlock, await mgf1(mgfHash, seed, maskedBlock.length))
  // Everything is looked at before anything is refused.
  let fault = encoded[0] ?? 1
  for (const [i, octet] of digest(label).entries()) fault |= octet ^ (block[i] ?? 0)
  let start = 0
  for (let i = size; i < block.length; i++) {
    const octet = block[i] ?? 0
    if (start === 0 && octet === 1) start = i + 1
    else if (start === 0) fault |= octet
  }
  if (fault || start === 0) throw new DecryptionError()
  return block.slice(start)
}

/** RFC 8017 §7.2.1 */
export function encryptPkcs1(key: RsaPublicKey, message: Uint8Array, random: Random): Bytes {
  const capacity = pkcs1Capacity(key)
  checkFits(message, capacity)
  const padding = nonZero(capacity - message.length + PKCS1_OVERHEAD - 3, random)
  return run(key, concat(Uint8Array.of(0, 2), padding, Uint8Array.of(0), message))
}

/** RFC 8017 §7.2.2 */
export function decryptPkcs1(key: RsaPrivateKey, ciphertext: Uint8Array): Bytes {
  if (pkcs1Capacity(key.publicKey) < 0) throw new RangeError('the key is too short for this padding')
  const encoded = open(key, ciphertext)
  const separator = encoded.indexOf(0, 2)
  if (encoded[0] !== 0 || encoded[1] !== 2 || separator < PKCS1_OVERHEAD - 1) throw new DecryptionError()
  return encoded.slice(separator + 1)
}

/** The primitive on the message as a number, without any padding: for study, never for secrets. RFC 8017 §5.1.1. */
export function encryptRaw(key: RsaPublicKey, message: Uint8Array): Bytes {
  if (fromOctets(message) >= key.n) {
    throw new RangeError(
      `as a number it must be below the modulus, so ${modulusBytes(key) - 1} bytes always fit and it has ${message.length}`,
    )
  }
  return run(key, message)
}

/** The number under the ciphertext, in as many bytes as the modulus has. */
export const decryptRaw = (key: RsaPrivateKey, ciphertext: Uint8Array): Bytes => open(key, ciphertext)

const run = (key: RsaPublicKey, encoded: Uint8Array): Bytes =>
  toOctets(rsaPublic(key, fromOctets(encoded)), modulusBytes(key))

function open(key: RsaPrivateKey, ciphertext: Uint8Array): Bytes {
  const size = modulusBytes(key.publicKey)
  if (ciphertext.length !== size) {
    throw new RangeError(`expected ${size} bytes, as many as the modulus of the key has, got ${ciphertext.length}`)
  }
  const representative = fromOctets(ciphertext)
  if (representative >= key.publicKey.n)
    throw new RangeError('as a number it is not below the modulus, so it was made for another key')
  return toOctets(rsaPrivate(key, representative), size)
}

function checkFits(message: Uint8Array, capacity: number): void {
  if (capacity < 0) throw new RangeError('the key is too short for this padding and hash function')
  if (message.length > capacity) {
    throw new RangeError(`at most ${capacity} bytes fit with this key, and the text has ${message.length}`)
  }
}

function nonZero(length: number, random: Random): Bytes {
  let octets: number[] = []
  while (octets.length < length) octets = [...octets, ...random(length - octets.length)].filter(octet => octet !== 0)
  return Uint8Array.from(octets)
}

const xor = (a: Uint8Array, b: Uint8Array): Bytes => Uint8Array.from(a, (octet, i) => octet ^ (b[i] ?? 0))

/** The mask generation function of RFC 8017 §B.2.1. */
export async function mgf1(name: HashName, seed: Uint8Array, length: number): Promise<Bytes> {
  const hash = await hashFunction(name)
  const mask = new Uint8Array(Math.ceil(length / hash.outputLen) * hash.outputLen)
  const counter = new Uint8Array(4)
  for (let block = 0; block * hash.outputLen < length; block++) {
    new DataView(counter.buffer).setUint32(0, block)
    mask.set(hash(concat(seed, counter)), block * hash.outputLen)
  }
  return mask.subarray(0, length)
}
