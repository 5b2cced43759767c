import { parseDer, Reader } from '../asn1/der.ts'
import { tags } from '../asn1/element.ts'
import { looksLikePem, type PemBlock, parsePem } from '../asn1/pem.ts'
import { type Bytes, fromBase64, fromPastedHex, isPastedHex } from '../bytes.ts'
import { readDsaPrivateKey } from './dsa-key.ts'
import { checkedEcPublicKey, ecPublicKeyOf, isSigningCurve } from './ec.ts'
import { isJwk, readJwk } from './jwk.ts'
import type { KeyMaterial, PrivateKey, PublicKey } from './key.ts'
import { okpPublicKeyOf } from './okp.ts'
import {
  isSsh2Block,
  isSshBlob,
  OPENSSH_LABEL,
  readOpenSshPrivateKey,
  readSsh2Block,
  readSshBlob,
  readSshLine,
  sshLineIn,
} from './openssh.ts'
import { PassphraseError } from './passphrase.ts'
import { decryptPkcs8 } from './pbes2.ts'
import { readRsaPrivateKey, readRsaPublicKey } from './pkcs1.ts'
import { readPkcs8 } from './pkcs8.ts'
import { checkRsaPrivateKey, checkRsaPublicKey } from './rsa.ts'
import { readEcPrivateKey } from './sec1.ts'
import { publicKeyOfSpki, readSpki, type SubjectPublicKeyInfo } from './spki.ts'
import { isLocked, unlock } from './traditional.ts'

/** A key in any of the forms that keys are passed around in. */

/** What came out, and what it was: "PKCS #8 in PEM". */
export type FoundKey = KeyMaterial & { form: string; comment?: string; encrypted?: boolean }

export interface ReadKeyOptions {
  passphrase?: string | undefined
  /** Where a text holds both, which one is meant. */
  prefer?: 'public' | 'private'
}

/** Characters of a key; a 16384-bit private key in PEM has about 13,000. */
export const MAX_KEY_LENGTH = 200_000

/**
 * Reads a key: PEM with any of its labels, an SSH line, JWK, or DER in hexadecimal or Base64. The parts of the key are made
 * sure to belong together, and an EC point to lie on its curve.
 */
export async function readKey(text: string, options: ReadKeyOptions = {}): Promise<FoundKey> {
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('please paste a key')
  if (trimmed.length > MAX_KEY_LENGTH)
    throw new RangeError(`expected at most ${MAX_KEY_LENGTH} characters, got ${trimmed.length}`)
  return checked(await read(trimmed, options))
}

async function read(text: string, options: ReadKeyOptions): Promise<FoundKey> {
  if (text.startsWith('{') || text.startsWith('[')) return readJson(text)
  if (isSsh2Block(text)) return { role: 'public', ...readSsh2Block(text), form: 'SSH2 public key file' }
  if (/BEGIN PGP /.test(text)) throw new RangeError('this is an OpenPGP block, which the OpenPGP tools read')
  if (looksLikePem(text)) return readPem(text, options)
  const line = sshLineIn(text)
  if (line) return { role: 'public', ...readSshLine(line), form: 'OpenSSH public key' }
  const hex = isPastedHex(text)
  const bytes = hex ? fromPastedHex(text) : notPem(text)
  const encoding = hex ? 'hexadecimal' : 'Base64'
  if (isSshBlob(bytes)) return { role: 'public', key: readSshBlob(bytes), form: `OpenSSH public key in ${encoding}` }
  return readDer(bytes, `DER in ${encoding}`, options)
}

function notPem(text: string): Bytes {
  try {
    return fromBase64(text)
  } catch (cause) {
    throw new RangeError('this is not a key in PEM, JWK, an SSH line, or DER in Base64 or hexadecimal', { cause })
  }
}

function readJson(text: string): FoundKey {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RangeError('this begins like a JWK but is not JSON', { cause })
  }
  const set = isJwk(value) ? value.keys : value
  const keys = Array.isArray(set) ? set : [value]
  const [only] = keys
  if (keys.length !== 1)
    throw new RangeError(`this is a set of ${keys.length} keys, so please paste the one that is meant`)
  if (!isJwk(only)) throw new RangeError('this is JSON but not a JWK')
  return { ...readJwk(only), form: 'JWK' }
}

/** How each label is read; `note` names the form. RFC 7468 §§5, 7, 10, 11, 13. */
const labels: Readonly<Record<string, { role: 'public' | 'private'; form: string }>> = {
  'PUBLIC KEY': { role: 'public', form: 'SPKI' },
  'RSA PUBLIC KEY': { role: 'public', form: 'PKCS #1' },
  CERTIFICATE: { role: 'public', form: 'X.509 certificate' },
  'X509 CERTIFICATE': { role: 'public', form: 'X.509 certificate' },
  'TRUSTED CERTIFICATE': { role: 'public', form: 'X.509 certificate' },
  'CERTIFICATE REQUEST': { role: 'public', form: 'certificate request' },
  'NEW CERTIFICATE REQUEST': { role: 'public', form: 'certificate request' },
  'PRIVATE KEY': { role: 'private', form: 'PKCS #8' },
  'ENCRYPTED PRIVATE KEY': { role: 'private', form: 'encrypted PKCS #8' },
  'RSA PRIVATE KEY': { role: 'private', form: 'PKCS #1' },
  'EC PRIVATE KEY': { role: 'private', form: 'SEC 1' },
  'DSA PRIVATE KEY': { role: 'private', form: 'DSA private key of OpenSSL' },
  [OPENSSH_LABEL]: { role: 'private', form: 'OpenSSH private key' },
}

async function readPem(text: string, options: ReadKeyOptions): Promise<FoundKey> {
  const blocks = parsePem(text).filter(({ label }) => !label.endsWith(' PARAMETERS'))
  const keys = blocks.filter(({ label }) => labels[label])
  const wanted = keys.filter(({ label }) => labels[label]?.role === options.prefer)
  const candidates = wanted.length ? wanted : keys
  const plain = candidates.filter(({ label }) => !label.includes('CERTIFICATE'))
  const [block, ...more] = plain.length ? plain : candidates.slice(0, 1)
  if (!block) throw new RangeError(`a block of ${blocks[0]?.label ?? 'parameters'} is not a key`)
  if (more.length) throw new RangeError(`there are ${more.length + 1} keys, so please paste the one that is meant`)
  const found = await readBlock(block, options)
  const certificates = plain.length ? 1 : candidates.length
  return certificates > 1 ? { ...found, form: `first of ${certificates} blocks, ${found.form}` } : found
}

async function readBlock(block: PemBlock, { passphrase }: ReadKeyOptions): Promise<FoundKey> {
  const { label } = block
  const form = `${labels[label]?.form ?? label} in PEM`
  const encrypted = isLocked(block)
  const bytes = encrypted ? await unlock(block, passphrase) : block.bytes
  const locked = encrypted ? { encrypted: true } : {}
  switch (label) {
    case 'RSA PUBLIC KEY':
      return { role: 'public', key: readRsaPublicKey(bytes), form }
    case 'PUBLIC KEY':
      return { role: 'public', key: publicKeyOfSpki(wholeSpki(bytes)), form }
    case 'PRIVATE KEY':
      return { role: 'private', key: readPkcs8(bytes), form, ...locked }
    case 'ENCRYPTED PRIVATE KEY':
      return { role: 'private', key: readPkcs8(await decryptPkcs8(bytes, passphrase)), form, encrypted: true }
    case 'RSA PRIVATE KEY':
      return { role: 'private', key: unlocked(encrypted, () => readRsaPrivateKey(bytes)), form, ...locked }
    case 'EC PRIVATE KEY':
      return { role: 'private', key: unlocked(encrypted, () => readEcPrivateKey(bytes)), form, ...locked }
    case 'DSA PRIVATE KEY':
      return { role: 'private', key: unlocked(encrypted, () => readDsaPrivateKey(bytes)), form, ...locked }
    case OPENSSH_LABEL:
      return { role: 'private', ...(await readOpenSshPrivateKey(bytes, passphrase)), form }
    default:
      return { role: 'public', key: publicKeyOfSpki(spkiInside(bytes)), form }
  }
}

/** What a wrong passphrase leaves behind is noise, and about one time in 256 noise with a padding. */
function unlocked<T>(encrypted: boolean, readInside: () => T): T {
  try {
    return readInside()
  } catch (error) {
    if (encrypted && error instanceof RangeError) throw new PassphraseError('wrong')
    throw error
  }
}

function wholeSpki(bytes: Bytes) {
  const reader = new Reader(bytes)
  const spki = readSpki(reader)
  reader.end('the public key')
  return spki
}

/** The key of a certificate (RFC 5280 §4.1) or a request (RFC 2986 §4.1), whose other parts are not looked at. */
function spkiInside(bytes: Bytes) {
  const body = new Reader(bytes).sequence('the certificate').sequence('the certificate')
  while (!body.done) {
    const element = body.next('a part of the certificate')
    if (element.tag === tags.sequence && isSpkiShaped(Reader.inside(element))) {
      return readSpki(new Reader(element.whole, { offset: element.offset }))
    }
  }
  return body.fail('the certificate holds no public key')
}

const isSpkiShaped = (reader: Reader): boolean => {
  if (!reader.has(tags.sequence)) return false
  reader.next('the algorithm')
  return reader.has(tags.bitString)
}

/**
 * The SubjectPublicKeyInfo of a public key or a certificate, in PEM or DER, whatever its algorithm is; undefined where the text
 * holds something else.
 */
export function findSpki(text: string): SubjectPublicKeyInfo | undefined {
  if (looksLikePem(text)) {
    const block = parsePem(text).find(({ label }) => label === 'PUBLIC KEY' || label.endsWith('CERTIFICATE'))
    return block && (block.label === 'PUBLIC KEY' ? wholeSpki(block.bytes) : spkiInside(block.bytes))
  }
  try {
    const bytes = isPastedHex(text) ? fromPastedHex(text) : fromBase64(text)
    const [first, second] = new Reader(parseDer(bytes).whole).sequence('the key').rest('a part of the key')
    if (first?.tag !== tags.sequence) return undefined
    return second?.tag === tags.bitString ? wholeSpki(bytes) : spkiInside(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** DER says by its structure what it is. */
async function readDer(bytes: Bytes, where: string, { passphrase }: ReadKeyOptions): Promise<FoundKey> {
  // X.690 §8.9: every key is a SEQUENCE.
  if (bytes[0] !== 0x30) {
    throw new RangeError(
      `this is not a key in DER but something else of ${bytes.length} byte${bytes.length === 1 ? '' : 's'}`,
    )
  }
  const parts = new Reader(parseDer(bytes).whole).sequence('the key').rest('a part of the key')
  const shape = parts.map(({ tagClass, tag }) => (tagClass === 'universal' ? tag : -1)).join(' ')
  const named = (form: string) => `${form} in ${where}`
  if (/^2 16 4\b/.test(shape)) return { role: 'private', key: readPkcs8(bytes), form: named('PKCS #8') }
  if (/^2 4\b/.test(shape)) return { role: 'private', key: readEcPrivateKey(bytes), form: named('SEC 1') }
  if (shape === '2 2') return { role: 'public', key: readRsaPublicKey(bytes), form: named('PKCS #1') }
  if (shape === '2 2 2 2 2 2') return { role: 'private', key: readDsaPrivateKey(bytes), form: named('DSA private key') }
  if (/^(?:2 ){8}2\b/.test(shape)) return { role: 'private', key: readRsaPrivateKey(bytes), form: named('PKCS #1') }
  if (shape === '16 3') return { role: 'public', key: publicKeyOfSpki(wholeSpki(bytes)), form: named('SPKI') }
  if (shape === '16 16 3') {
    return { role: 'public', key: publicKeyOfSpki(spkiInside(bytes)), form: named('X.509 certificate') }
  }
  if (shape === '16 4') {
    const pkcs8 = await decryptPkcs8(bytes, passphrase)
    return { role: 'private', key: readPkcs8(pkcs8), form: named('encrypted PKCS #8'), encrypted: true }
  }
  throw new RangeError('this is DER, but not a key')
}

async function checked(found: FoundKey): Promise<FoundKey> {
  if (found.role === 'private') return { ...found, key: await checkedPrivateKey(found.key) }
  return { ...found, key: await checkedPublicKey(found.key) }
}

async function checkedPublicKey(key: PublicKey): Promise<PublicKey> {
  if (key.type === 'RSA') return checkRsaPublicKey(key)
  return key.type === 'EC' && isSigningCurve(key.curve) ? checkedEcPublicKey(key) : key
}

async function checkedPrivateKey(key: PrivateKey): Promise<PrivateKey> {
  if (key.type === 'RSA') return checkRsaPrivateKey(key)
  if (key.type === 'DSA') return key
  if (key.type !== 'EC') return { ...key, publicKey: await okpPublicKeyOf(key) }
  return isSigningCurve(key.curve) ? { ...key, publicKey: await ecPublicKeyOf(key) } : key
}

/** A public key where one is wanted. The public half of a private key is taken, and `note` says so. */
export async function readPublicKey(
  text: string,
  options: ReadKeyOptions = {},
): Promise<{ key: PublicKey; form: string; note?: string }> {
  const found = await readKey(text, { ...options, prefer: 'public' })
  if (found.role === 'public') return found
  const key = found.key.publicKey
  if (!key) throw new RangeError('this is a private key on a curve that no public key is computed for here')
  return {
    key,
    form: found.form,
    note: 'A private key was given where the public one is enough, so its public half was used.',
  }
}

/** A private key where one is wanted. */
export async function readPrivateKey(
  text: string,
  options: ReadKeyOptions = {},
): Promise<{ key: PrivateKey; form: string; encrypted?: boolean }> {
  const found = await readKey(text, { ...options, prefer: 'private' })
  if (found.role === 'private') return found
  throw new RangeError(`this is a public key (${found.form}), and the private one is needed`)
}
