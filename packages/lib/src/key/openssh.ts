import { fromOctets, toOctets, toSignedOctets } from '../asn1/integer.ts'
import { toPem } from '../asn1/pem.ts'
import { type Bytes, concat, equalBytes, fromBase64, fromLatin1, fromUtf8, toBase64, toUtf8 } from '../bytes.ts'
import { curveBySsh, curveOf } from './curves.ts'
import type { PrivateKey, PublicKey } from './key.ts'
import { modInverse } from './modular.ts'
import { okpBytes } from './okp.ts'
import { PassphraseError } from './passphrase.ts'
import { checkRsaPublicKey, rsaPrimes, withPrimes } from './rsa.ts'

/**
 * Keys of SSH: public ones as RFC 4253 §6.6, RFC 5656 §3.1 and RFC 8709 §4 write them, private ones in OpenSSH's own container
 * (PROTOCOL.key of its source).
 */

const MAX_FIELD = 1_048_576

/** Strings and integers of RFC 4251 §5. */
class SshReader {
  readonly #bytes: Bytes
  #at = 0
  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }
  get done(): boolean {
    return this.#at >= this.#bytes.length
  }
  rest(): Bytes {
    return this.#bytes.subarray(this.#at)
  }
  uint32(what: string): number {
    return new DataView(Uint8Array.from(this.#take(4, what)).buffer).getUint32(0)
  }
  string(what: string): Bytes {
    const length = this.uint32(what)
    if (length > MAX_FIELD) throw new RangeError(`${what} says it has ${length} bytes`)
    return this.#take(length, what)
  }
  text(what: string): string {
    return toUtf8(this.string(what))
  }
  /** A number from 0 up, in the fewest octets. */
  mpint(what: string): bigint {
    const octets = this.string(what)
    const [first = 0, second = 0] = octets
    if (first > 127) throw new RangeError(`${what} is negative`)
    if (octets.length && first === 0 && second < 128)
      throw new RangeError(`${what} has a leading zero it does not need`)
    return fromOctets(octets)
  }
  end(what: string): void {
    if (!this.done) throw new RangeError(`${this.#bytes.length - this.#at} bytes follow the end of ${what}`)
  }
  #take(length: number, what: string): Bytes {
    const part = this.#bytes.subarray(this.#at, this.#at + length)
    if (part.length < length) throw new RangeError(`the bytes end in the middle of ${what}`)
    this.#at += length
    return part
  }
}

const uint32 = (number: number) => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}
const string = (bytes: Uint8Array) => concat(uint32(bytes.length), bytes)
const text = (value: string) => string(fromUtf8(value))
const mpint = (number: bigint) => string(number === 0n ? new Uint8Array() : toSignedOctets(number))

const ED25519 = 'ssh-ed25519'
const ED448 = 'ssh-ed448'

/** The public key of a blob such as stands in Base64 after "ssh-rsa". */
export function readSshBlob(blob: Bytes): PublicKey {
  const reader = new SshReader(blob)
  const key = readPublicFields(reader, reader.text('the type of the SSH key'))
  reader.end('the SSH key')
  return key
}

function readPublicFields(reader: SshReader, type: string): PublicKey {
  if (type === 'ssh-rsa') {
    const e = reader.mpint('the public exponent')
    return { type: 'RSA', n: reader.mpint('the modulus'), e }
  }
  if (type === 'ssh-dss') {
    const [p, q, g] = [reader.mpint('p'), reader.mpint('q'), reader.mpint('g')]
    return { type: 'DSA', p, q, g, y: reader.mpint('the DSA public key') }
  }
  if (type === ED25519)
    return { type: 'Ed25519', bytes: okpBytes('Ed25519', reader.string('the key'), 'the public key') }
  if (type === ED448) return { type: 'Ed448', bytes: okpBytes('Ed448', reader.string('the key'), 'the public key') }
  const curve = type.startsWith('ecdsa-sha2-') ? curveBySsh(type.slice(11)) : undefined
  if (!curve) throw new RangeError(unknownType(type))
  if (reader.text('the curve') !== curve.ssh) throw new RangeError('the SSH key names two different curves')
  return { type: 'EC', curve: curve.name, point: reader.string('the public key') }
}

function unknownType(type: string): string {
  if (type.startsWith('sk-')) return 'the SSH key lives on a security key, so only its maker can use it'
  if (type.includes('-cert-v01@')) return 'this is an SSH certificate, not a plain key'
  return 'the type of the SSH key is not one of ssh-rsa, ssh-dss, ssh-ed25519, ssh-ed448 and ecdsa-sha2-nistp256, 384 and 521'
}

export function sshKeyType(key: PublicKey): string {
  if (key.type === 'RSA') return 'ssh-rsa'
  if (key.type === 'DSA') return 'ssh-dss'
  if (key.type === 'Ed25519') return ED25519
  if (key.type === 'Ed448') return ED448
  const ssh = key.type === 'EC' ? curveOf(key.curve).ssh : undefined
  if (!ssh) throw new RangeError(`SSH has no keys of the kind ${key.type === 'EC' ? key.curve : key.type}`)
  return `ecdsa-sha2-${ssh}`
}

/** The blob of a public key; EC points must be uncompressed. */
export function writeSshBlob(key: PublicKey): Bytes {
  const type = text(sshKeyType(key))
  if (key.type === 'RSA') return concat(type, mpint(key.e), mpint(key.n))
  if (key.type === 'DSA') return concat(type, mpint(key.p), mpint(key.q), mpint(key.g), mpint(key.y))
  if (key.type === 'EC') return concat(type, text(curveOf(key.curve).ssh ?? ''), string(key.point))
  return concat(type, string(key.bytes))
}

/** RFC 4253 §6.6: a blob begins with the length of a short name, and no DER begins with a zero. */
export const isSshBlob = (bytes: Bytes): boolean => bytes.length > 4 && !bytes[0] && !bytes[1] && !bytes[2]

const KEY_TYPE =
  '(?:ssh-(?:rsa|dss|ed25519|ed448)|ecdsa-sha2-nistp\\d{3}|sk-[\\w@.-]{1,60}|[\\w-]{1,40}-cert-v01@openssh\\.com)'
const BEGINS_WITH_TYPE = new RegExp(`^${KEY_TYPE}\\s`)
/** A blob begins with zeros, and its Base64 so with AAAA. */
const KEY_OF_LINE = new RegExp(`(?:^|[ \\t])(${KEY_TYPE}[ \\t]+AAAA.*)$`)

/**
 * The one public key of a text, from its type on: a .pub file, or a line of authorized_keys or known_hosts, where options or host
 * names stand before it. Undefined where there is none.
 */
export function sshLineIn(value: string): string | undefined {
  const lines = value.split(/\r?\n/).filter(line => !line.startsWith('#'))
  const [found, ...more] = lines.flatMap(line => KEY_OF_LINE.exec(line)?.[1] ?? [])
  if (more.length) throw new RangeError(`there are ${more.length + 1} keys, so please paste the one that is meant`)
  // The Base64 may be broken into lines.
  return BEGINS_WITH_TYPE.test(value) ? value : found
}

/** Type, Base64, comment. */
export function readSshLine(line: string): { key: PublicKey; comment: string } {
  const [type = '', base64 = '', ...words] = line.trim().split(/[ \t]+/)
  const comment = words.join(' ')
  if (!base64) throw new RangeError('the SSH key has no Base64 after its type')
  const blob = fromBase64(base64)
  const key = readSshBlob(blob)
  if (new SshReader(blob).text('the type of the SSH key') !== type) {
    throw new RangeError('the SSH key is of another type than the line says')
  }
  return { key, comment }
}

export const writeSshLine = (key: PublicKey, comment = ''): string =>
  `${sshKeyType(key)} ${toBase64(writeSshBlob(key))}${comment ? ` ${comment}` : ''}`

export const isSsh2Block = (value: string): boolean => /---- BEGIN SSH2 PUBLIC KEY ----/.test(value)

/** The public key file of RFC 4716 §3. */
export function readSsh2Block(value: string): { key: PublicKey; comment: string } {
  const lines = value.split(/\r?\n/).map(line => line.trim())
  const [from, to] = [lines.indexOf('---- BEGIN SSH2 PUBLIC KEY ----'), lines.indexOf('---- END SSH2 PUBLIC KEY ----')]
  if (to < from || from < 0) throw new RangeError('the block has no line that reads ---- END SSH2 PUBLIC KEY ----')
  const [fields, base64]: [string[], string[]] = [[], []]
  for (const line of lines.slice(from + 1, to)) {
    const last = fields.length - 1
    // A field goes on where its line ends in a backslash.
    if (!base64.length && fields[last]?.endsWith('\\')) fields[last] = fields[last].slice(0, -1) + line
    else if (line.includes(':')) fields.push(line)
    else base64.push(line)
  }
  const comment =
    fields
      .find(field => /^comment:/i.test(field))
      ?.slice('comment:'.length)
      .trim() ?? ''
  return { key: readSshBlob(fromBase64(base64.join(''))), comment: comment.replace(/^"(.*)"$/, '$1') }
}

const MAGIC = fromLatin1('openssh-key-v1\0')
export const OPENSSH_LABEL = 'OPENSSH PRIVATE KEY'

interface LockCipher {
  keyBytes: number
  ivBytes: number
  run(key: Bytes, iv: Bytes, bytes: Bytes): Promise<Uint8Array>
}
const noble = () => import('@noble/ciphers/aes.js')
const counter = (keyBytes: number): LockCipher => ({
  keyBytes,
  ivBytes: 16,
  run: async (key, iv, bytes) => (await noble()).ctr(key, iv).decrypt(bytes),
})
const chained = (keyBytes: number): LockCipher => ({
  keyBytes,
  ivBytes: 16,
  run: async (key, iv, bytes) => (await noble()).cbc(key, iv, { disablePadding: true }).decrypt(bytes),
})
const lockCiphers: Readonly<Record<string, LockCipher>> = {
  'aes128-ctr': counter(16),
  'aes192-ctr': counter(24),
  'aes256-ctr': counter(32),
  'aes128-cbc': chained(16),
  'aes192-cbc': chained(24),
  'aes256-cbc': chained(32),
}
/** What ssh-keygen itself writes. */
const WRITTEN_CIPHER = 'aes256-ctr'
const WRITTEN_ROUNDS = 24
const SALT_BYTES = 16
const AES_BLOCK = 16
const PLAIN_BLOCK = 8

/** The one private key of an OpenSSH container. */
export async function readOpenSshPrivateKey(
  bytes: Bytes,
  passphrase: string | undefined,
): Promise<{ key: PrivateKey; comment: string; encrypted: boolean }> {
  if (!equalBytes(bytes.subarray(0, MAGIC.length), MAGIC))
    throw new RangeError('the OpenSSH key does not begin with openssh-key-v1')
  const reader = new SshReader(bytes.subarray(MAGIC.length))
  const [cipher, kdf] = [reader.text('the cipher'), reader.text('the key derivation')]
  const options = reader.string('the options of the key derivation')
  if (reader.uint32('the number of keys') !== 1) throw new RangeError('the OpenSSH file does not hold exactly one key')
  const publicKey = reader.string('the public key')
  const locked = reader.string('the private key')
  if (cipher === 'none') {
    reader.end('the OpenSSH key')
    return { ...readPrivateSection(locked, publicKey, PLAIN_BLOCK), encrypted: false }
  }
  const lock = lockCiphers[cipher]
  if (!lock) throw new RangeError('the OpenSSH key is encrypted with a cipher other than AES in counter or CBC mode')
  reader.end('the OpenSSH key')
  if (kdf !== 'bcrypt') throw new RangeError('the OpenSSH key is encrypted without bcrypt')
  if (!passphrase) throw new PassphraseError('missing')
  if (locked.length % AES_BLOCK) throw new RangeError('the encrypted part is not a number of AES blocks')
  const material = await deriveLock(options, passphrase, lock)
  const plain = Uint8Array.from(
    await lock.run(material.subarray(0, lock.keyBytes), material.subarray(lock.keyBytes), locked),
  )
  return { ...readPrivateSection(plain, publicKey, AES_BLOCK, 'encrypted'), encrypted: true }
}

async function deriveLock(options: Bytes, passphrase: string, { keyBytes, ivBytes }: LockCipher): Promise<Bytes> {
  const reader = new SshReader(options)
  const salt = reader.string('the salt')
  const rounds = reader.uint32('the rounds')
  reader.end('the options of the key derivation')
  const { bcryptPbkdf } = await import('./bcrypt-pbkdf.ts')
  return bcryptPbkdf(fromUtf8(passphrase), salt, rounds, keyBytes + ivBytes)
}

function readPrivateSection(section: Bytes, publicBlob: Bytes, block: number, state: 'plain' | 'encrypted' = 'plain') {
  const reader = new SshReader(section)
  const checks = [reader.uint32('the first check number'), reader.uint32('the second check number')]
  if (checks[0] !== checks[1]) {
    if (state === 'encrypted') throw new PassphraseError('wrong')
    throw new RangeError('the two check numbers of the OpenSSH key differ')
  }
  const type = reader.text('the type of the SSH key')
  const key = readPrivateFields(reader, type)
  const comment = reader.text('the comment')
  const padding = reader.rest()
  if (section.length % block || padding.length >= block || padding.some((octet, i) => octet !== i + 1)) {
    throw new RangeError('the padding of the OpenSSH key is wrong')
  }
  if (key.publicKey && !equalBytes(writeSshBlob(key.publicKey), publicBlob)) {
    throw new RangeError('the public key inside does not belong to the private key')
  }
  return { key, comment }
}

function readPrivateFields(reader: SshReader, type: string): PrivateKey {
  if (type === 'ssh-rsa') {
    const [n, e, d] = [
      reader.mpint('the modulus'),
      reader.mpint('the public exponent'),
      reader.mpint('the private exponent'),
    ]
    const coefficient = reader.mpint('the coefficient')
    const [p, q] = [reader.mpint('the first prime'), reader.mpint('the second prime')]
    const publicKey = checkRsaPublicKey({ type: 'RSA', n, e })
    if (p < 3n || q < 3n || p * q !== n) throw new RangeError('the modulus is not the product of the primes')
    if (modInverse(q, p) !== coefficient) throw new RangeError('the coefficient of the RSA key is wrong')
    return { type: 'RSA', publicKey, d, primes: rsaPrimes(p, q, d) }
  }
  const publicKey = readPublicFields(reader, type)
  if (publicKey.type === 'DSA') return { type: 'DSA', publicKey, x: reader.mpint('the DSA private key') }
  if (publicKey.type === 'EC') {
    const { bytes } = curveOf(publicKey.curve)
    return { type: 'EC', curve: publicKey.curve, d: toOctets(reader.mpint('the private key'), bytes), publicKey }
  }
  if (publicKey.type === 'RSA') throw new RangeError(unknownType(type))
  // RFC 8032 keys stand here as seed and public key together.
  const both = reader.string('the private key')
  const size = publicKey.bytes.length
  if (both.length !== 2 * size || !equalBytes(both.subarray(size), publicKey.bytes)) {
    throw new RangeError('the public key inside does not belong to the private key')
  }
  return { type: publicKey.type, bytes: Uint8Array.from(both.subarray(0, size)), publicKey }
}

function writePrivateFields(key: PrivateKey): Bytes {
  if (key.type === 'RSA') {
    const { publicKey, d, primes } = withPrimes(key)
    const [p, q, ...others] = primes
    if (others.length) throw new RangeError('OpenSSH has no keys of more than two primes')
    const numbers = [publicKey.n, publicKey.e, d, q?.coefficient ?? 0n, p?.prime ?? 0n, q?.prime ?? 0n]
    return concat(text('ssh-rsa'), ...numbers.map(mpint))
  }
  if (!key.publicKey) throw new RangeError('the public key is not known')
  const head = writeSshBlob(key.publicKey)
  if (key.type === 'DSA') return concat(head, mpint(key.x))
  if (key.type === 'EC') return concat(head, mpint(fromOctets(key.d)))
  return concat(head, string(concat(key.bytes, key.publicKey.bytes)))
}

interface OpenSshOptions {
  comment?: string
  passphrase?: string | undefined
  random(length: number): Bytes
}

/** An OpenSSH container in PEM, locked with AES-256 in counter mode and bcrypt where there is a passphrase. */
export async function writeOpenSshPrivateKey(
  key: PrivateKey,
  { comment = '', passphrase, random }: OpenSshOptions,
): Promise<string> {
  if (!key.publicKey) throw new RangeError('the public key is not known')
  const check = random(4)
  const section = concat(check, check, writePrivateFields(key), text(comment))
  const block = passphrase ? AES_BLOCK : PLAIN_BLOCK
  const padded = concat(
    section,
    Uint8Array.from({ length: (block - (section.length % block)) % block }, (_, i) => i + 1),
  )
  const lock = passphrase ? await lockSection(padded, passphrase, random(SALT_BYTES)) : undefined
  const container = concat(
    MAGIC,
    text(lock ? WRITTEN_CIPHER : 'none'),
    text(lock ? 'bcrypt' : 'none'),
    string(lock?.options ?? new Uint8Array()),
    uint32(1),
    string(writeSshBlob(key.publicKey)),
    string(lock?.section ?? padded),
  )
  return toPem(OPENSSH_LABEL, container)
}

async function lockSection(section: Bytes, passphrase: string, salt: Bytes) {
  const options = concat(string(salt), uint32(WRITTEN_ROUNDS))
  const cipher = counter(32)
  const material = await deriveLock(options, passphrase, cipher)
  // Counter mode is its own opposite.
  return { options, section: await cipher.run(material.subarray(0, 32), material.subarray(32), section) }
}
