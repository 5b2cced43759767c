import type { Algorithm } from '../asn1/algorithm.ts'
import { Reader } from '../asn1/der.ts'
import { type Bytes, concat, fromUtf8 } from '../bytes.ts'
import { type HashName, hashFunction } from '../hash/digest.ts'
import { pause } from '../hash/pause.ts'
import { type CbcCipher, cbcCiphers } from './cbc.ts'

/** Private keys locked before PBES2: PBES1 of RFC 8018 §6.1, and the schemes of PKCS #12, RFC 7292 §B and §C. */

interface Pbe {
  cipher: CbcCipher
  hash: HashName
  /** Bytes that are derived for the key; two keys of Triple DES are made three. */
  keyBytes: number
  derivation: 'PBKDF1' | 'PKCS #12'
}

const schemes: Readonly<Record<string, Pbe>> = {
  // RFC 8018 §A.3
  '1.2.840.113549.1.5.3': { cipher: 'DES-CBC', hash: 'MD5', keyBytes: 8, derivation: 'PBKDF1' },
  '1.2.840.113549.1.5.10': { cipher: 'DES-CBC', hash: 'SHA-1', keyBytes: 8, derivation: 'PBKDF1' },
  // RFC 7292 §C
  '1.2.840.113549.1.12.1.3': { cipher: 'DES-EDE3-CBC', hash: 'SHA-1', keyBytes: 24, derivation: 'PKCS #12' },
  '1.2.840.113549.1.12.1.4': { cipher: 'DES-EDE3-CBC', hash: 'SHA-1', keyBytes: 16, derivation: 'PKCS #12' },
}

/** A way to get key and initialization vector from a passphrase. */
export interface PasswordScheme {
  cipher: CbcCipher
  derive(passphrase: string): Promise<{ key: Bytes; iv: Bytes }>
}

/** Undefined for any other algorithm. */
export function readPbes1(algorithm: Algorithm, maxIterations: number): PasswordScheme | undefined {
  const pbe = schemes[algorithm.oid]
  if (!pbe || !algorithm.parameters) return undefined
  const reader = Reader.inside(algorithm.parameters)
  const salt = reader.octetString('the salt')
  const iterations = reader.smallInteger('the number of iterations')
  reader.end('the parameters of the encryption')
  if (iterations < 1 || iterations > maxIterations) {
    throw new RangeError(
      `the key derivation asks for ${iterations} iterations, and from 1 to ${maxIterations} are taken`,
    )
  }
  return {
    cipher: pbe.cipher,
    derive: passphrase =>
      pbe.derivation === 'PBKDF1'
        ? derive1(pbe, passphrase, salt, iterations)
        : derive12(pbe, passphrase, salt, iterations),
  }
}

/** Rounds of a hash function between two looks at what else waits: some ten milliseconds. */
const ROUNDS_PER_SLICE = 10_000

/** The hash of the hash of the hash. */
async function repeated(hash: HashName, input: Bytes, iterations: number): Promise<Uint8Array> {
  const apply = await hashFunction(hash)
  let block: Uint8Array = input
  for (let i = 1; i <= iterations; i++) {
    block = apply(block)
    if (i % ROUNDS_PER_SLICE === 0) await pause()
  }
  return block
}

/** RFC 8018 §5.1 and §6.1.1: the first half of PBKDF1 is the key, the second the vector. */
async function derive1({ hash, keyBytes }: Pbe, passphrase: string, salt: Bytes, iterations: number) {
  const secret = fromUtf8(passphrase)
  const block = await repeated(hash, concat(secret, salt), iterations)
  return {
    key: Uint8Array.from(block.subarray(0, keyBytes)),
    iv: Uint8Array.from(block.subarray(keyBytes, keyBytes + 8)),
  }
}

/** RFC 7292 §B.3: what the bytes are for. */
const PURPOSE = { key: 1, iv: 2 }
/** RFC 7292 §B.2: the block and the output of SHA-1. */
const [HASH_BLOCK, HASH_BYTES] = [64, 20]

async function derive12({ cipher, keyBytes }: Pbe, passphrase: string, salt: Bytes, iterations: number) {
  const key = await pkcs12(PURPOSE.key, passphrase, salt, { iterations, length: keyBytes })
  const iv = await pkcs12(PURPOSE.iv, passphrase, salt, { iterations, length: cbcCiphers[cipher].blockBytes })
  return { key: key.length === 16 ? concat(key, key.subarray(0, 8)) : key, iv }
}

/** RFC 7292 §B.2 */
async function pkcs12(
  purpose: number,
  passphrase: string,
  salt: Bytes,
  { iterations, length }: { iterations: number; length: number },
): Promise<Bytes> {
  const diversifier = new Uint8Array(HASH_BLOCK).fill(purpose)
  const input = concat(stretched(salt), stretched(bmpString(passphrase)))
  let derived: Bytes = new Uint8Array()
  while (derived.length < length) {
    const block = await repeated('SHA-1', concat(diversifier, input), iterations)
    derived = concat(derived, block)
    const addend = Uint8Array.from({ length: HASH_BLOCK }, (_, i) => block[i % HASH_BYTES] ?? 0)
    for (let at = 0; at < input.length; at += HASH_BLOCK) addOne(input.subarray(at, at + HASH_BLOCK), addend)
  }
  return derived.slice(0, length)
}

/** Repeated up to whole blocks of the hash function. */
const stretched = (bytes: Bytes): Bytes =>
  Uint8Array.from({ length: Math.ceil(bytes.length / HASH_BLOCK) * HASH_BLOCK }, (_, i) => bytes[i % bytes.length] ?? 0)

/** RFC 7292 §B.1: two bytes a character, and two of zero behind them. */
const bmpString = (text: string): Bytes =>
  Uint8Array.from({ length: 2 * text.length + 2 }, (_, i) => (text.charCodeAt(i >> 1) >> (i % 2 ? 0 : 8)) & 255)

/** `target` + `addend` + 1, the highest byte first, in place. */
function addOne(target: Uint8Array, addend: Uint8Array): void {
  let carry = 1
  for (let i = target.length - 1; i >= 0; i--) {
    carry += (target[i] ?? 0) + (addend[i] ?? 0)
    target[i] = carry
    carry >>= 8
  }
}
