import { type Algorithm, hasNoParameters, readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence, Reader } from '../asn1/der.ts'
import { oidLabel } from '../asn1/oid-names.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, fromUtf8 } from '../bytes.ts'
import type { HashName } from '../hash/digest.ts'
import { type CbcCipher, cbcCiphers, checkCbcIv, decryptCbc } from './cbc.ts'
import { PassphraseError } from './passphrase.ts'
import { type PasswordScheme, readPbes1 } from './pbes1.ts'

/**
 * Private keys locked by a passphrase: EncryptedPrivateKeyInfo of RFC 5958 §3 with PBES2 of RFC 8018 §6.2. Older schemes
 * are read as well.
 */

const oids = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  scrypt: '1.3.6.1.4.1.11591.4.11',
  hmacSha1: '1.2.840.113549.2.7',
  hmacSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
} as const

/** RFC 8018 §B.1 */
const prfs: Readonly<Record<string, HashName>> = {
  [oids.hmacSha1]: 'SHA-1',
  '1.2.840.113549.2.8': 'SHA-224',
  [oids.hmacSha256]: 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
  '1.2.840.113549.2.12': 'SHA-512/224',
  '1.2.840.113549.2.13': 'SHA-512/256',
}
/** RFC 8018 §B.2 */
const ciphers: Readonly<Record<string, CbcCipher>> = {
  '1.3.14.3.2.7': 'DES-CBC',
  '1.2.840.113549.3.7': 'DES-EDE3-CBC',
  '2.16.840.1.101.3.4.1.2': 'AES-128-CBC',
  '2.16.840.1.101.3.4.1.22': 'AES-192-CBC',
  [oids.aes256Cbc]: 'AES-256-CBC',
}

/** Work asked for by a file from elsewhere is bounded before it begins. */
export const MAX_ITERATIONS = 2_000_000
export const MAX_SCRYPT_BYTES = 128 * 1_048_576
export const MAX_SCRYPT_COST = 2 ** 21
/** OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA256. */
const WRITTEN_ITERATIONS = 600_000
const SALT_BYTES = 16
const BLOCK_BYTES = 16

/** The PKCS #8 inside. */
export async function decryptPkcs8(bytes: Bytes, passphrase: string | undefined): Promise<Bytes> {
  const reader = parseSequence(bytes, 'the encrypted private key')
  const algorithm = readAlgorithm(reader, 'the encrypted private key')
  const ciphertext = reader.octetString('the encrypted private key')
  reader.end('the encrypted private key')
  const scheme = readScheme(algorithm)
  if (!passphrase) throw new PassphraseError('missing')
  const { key, iv } = await scheme.derive(passphrase)
  const plaintext = await decryptCbc(scheme.cipher, key, iv, ciphertext)
  if (!isPrivateKeyInfo(plaintext)) throw new PassphraseError('wrong')
  return plaintext
}

/** A wrong passphrase leaves a padding that is right once in 256 times, so the beginning is looked at too. */
function isPrivateKeyInfo(bytes: Bytes): boolean {
  try {
    const reader = parseSequence(bytes, 'the private key')
    return reader.smallInteger('the version') <= 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function readScheme(algorithm: Algorithm): PasswordScheme {
  const { oid, parameters } = algorithm
  if (oid !== oids.pbes2 || !parameters) {
    const older = readPbes1(algorithm, MAX_ITERATIONS)
    if (older) return older
    throw new RangeError(
      `the private key is encrypted with ${oidLabel(oid)}, which is not read: openssl pkcs8 -topk8 -v2 aes-256-cbc changes it`,
    )
  }
  const reader = Reader.inside(parameters)
  const derivation = readAlgorithm(reader, 'the key derivation')
  const encryption = readAlgorithm(reader, 'the encryption')
  reader.end('the parameters of PBES2')
  const cipher = ciphers[encryption.oid]
  if (!cipher || !encryption.parameters) {
    throw new RangeError(
      `the private key is encrypted with ${oidLabel(encryption.oid)}, and only AES and DES in CBC mode are read`,
    )
  }
  const iv = new Reader(encryption.parameters.whole).octetString('the initialization vector')
  checkCbcIv(cipher, iv)
  const derive = readDerivation(derivation, cbcCiphers[cipher].keyBytes)
  return { cipher, derive: async passphrase => ({ key: await derive(fromUtf8(passphrase)), iv }) }
}

type Derive = (passphrase: Bytes) => Promise<Bytes>

function readDerivation({ oid, parameters }: Algorithm, keyBytes: number): Derive {
  if (!parameters) throw new RangeError('the key derivation has no parameters')
  const reader = Reader.inside(parameters)
  if (oid === oids.scrypt) return readScrypt(reader, keyBytes)
  if (oid !== oids.pbkdf2) throw new RangeError(`the key derivation ${oidLabel(oid)} is not PBKDF2 or scrypt`)
  const salt = reader.octetString('the salt')
  const iterations = reader.smallInteger('the number of iterations')
  if (iterations < 1 || iterations > MAX_ITERATIONS) {
    throw new RangeError(
      `the key derivation asks for ${iterations} iterations, and from 1 to ${MAX_ITERATIONS} are taken`,
    )
  }
  if (reader.peek()?.tag === 2) checkLength(reader.smallInteger('the length of the key'), keyBytes)
  const prf = reader.done ? undefined : readAlgorithm(reader, 'the function of PBKDF2')
  reader.end('the parameters of PBKDF2')
  const hash = prfs[prf?.oid ?? oids.hmacSha1]
  if (!hash || (prf && !hasNoParameters(prf)))
    throw new RangeError(`PBKDF2 with ${oidLabel(prf?.oid ?? '')} is not read`)
  return passphrase => pbkdf2(hash, passphrase, salt, iterations, keyBytes)
}

/** RFC 7914 §7 */
function readScrypt(reader: Reader, keyBytes: number): Derive {
  const salt = reader.octetString('the salt')
  const N = reader.smallInteger('the cost of scrypt')
  const r = reader.smallInteger('the block size of scrypt')
  const p = reader.smallInteger('the parallelism of scrypt')
  if (!reader.done) checkLength(reader.smallInteger('the length of the key'), keyBytes)
  reader.end('the parameters of scrypt')
  const sound = N > 1 && (N & (N - 1)) === 0 && r > 0 && p > 0
  if (!sound || 128 * N * r > MAX_SCRYPT_BYTES || N * r * p > MAX_SCRYPT_COST) {
    throw new RangeError(`scrypt with N=${N}, r=${r}, p=${p} is out of bounds`)
  }
  return async passphrase => {
    const { scryptAsync } = await import('@noble/hashes/scrypt.js')
    return Uint8Array.from(
      await scryptAsync(passphrase, salt, { N, r, p, dkLen: keyBytes, maxmem: 2 * MAX_SCRYPT_BYTES }),
    )
  }
}

function checkLength(stated: number, keyBytes: number): void {
  if (stated !== keyBytes)
    throw new RangeError(`the key derivation gives ${stated} bytes, and the cipher takes ${keyBytes}`)
}

const subtleHashes: readonly HashName[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']

/** RFC 8018 §5.2, by the platform where it has the hash function. */
async function pbkdf2(
  hash: HashName,
  passphrase: Bytes,
  salt: Bytes,
  iterations: number,
  length: number,
): Promise<Bytes> {
  if (subtleHashes.includes(hash)) {
    const key = await crypto.subtle.importKey('raw', passphrase, 'PBKDF2', false, ['deriveBits'])
    return new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash, salt, iterations }, key, length * 8))
  }
  const [{ pbkdf2Async }, { hashFunction }] = await Promise.all([
    import('@noble/hashes/pbkdf2.js'),
    import('../hash/digest.ts'),
  ])
  return Uint8Array.from(
    await pbkdf2Async(await hashFunction(hash), passphrase, salt, { c: iterations, dkLen: length }),
  )
}

/** PKCS #8 locked with PBKDF2-HMAC-SHA-256 and AES-256-CBC, which every current program reads. */
export async function encryptPkcs8(
  pkcs8: Bytes,
  passphrase: string,
  random: (length: number) => Bytes,
): Promise<Bytes> {
  const [salt, iv] = [random(SALT_BYTES), random(BLOCK_BYTES)]
  const key = await pbkdf2('SHA-256', fromUtf8(passphrase), salt, WRITTEN_ITERATIONS, 32)
  const { cbc } = await import('@noble/ciphers/aes.js')
  const derivation = writeAlgorithm(
    oids.pbkdf2,
    der.sequence(der.octetString(salt), der.integer(WRITTEN_ITERATIONS), writeAlgorithm(oids.hmacSha256, der.null())),
  )
  const encryption = writeAlgorithm(oids.aes256Cbc, der.octetString(iv))
  return der.sequence(
    writeAlgorithm(oids.pbes2, der.sequence(derivation, encryption)),
    der.octetString(cbc(key, iv).encrypt(pkcs8)),
  )
}
