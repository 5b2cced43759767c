import type { Key, Message, PrivateKey, PublicKey } from 'openpgp'
import type { Bytes } from '../bytes.ts'
import { bytesOfBlocks, clearSigned } from './armor.ts'
import { algorithmOf, hexId } from './keys.ts'
import { configFor, limits, loadOpenPgp, MAX_DECOMPRESSED_BYTES, type Profile, reading, wordsOf } from './library.ts'
import { hashes } from './packet-names.ts'

/** Messages and signatures of OpenPGP. RFC 9580 §10.3 and §10.4. */

type VerificationResult = Awaited<ReturnType<Message<Uint8Array>['verify']>>[number]

/** A key that nothing can be encrypted to. */
export class RecipientError extends RangeError {}

export interface EncryptOptions {
  message: Bytes
  recipients: readonly PublicKey[]
  passwords: readonly string[]
  signers: readonly PrivateKey[]
  profile: Profile
  now: Date
}

export interface Recipient {
  user: string
  key_id: string
  algorithm: string
}

export async function encryptMessage(options: EncryptOptions): Promise<{ bytes: Bytes; recipients: Recipient[] }> {
  const { message, recipients, passwords, signers, profile, now } = options
  const { createMessage, encrypt } = await loadOpenPgp()
  const told = await Promise.all(recipients.map(key => recipientOf(key, now)))
  const encrypted = await encrypt({
    message: await createMessage({ binary: message, format: 'binary', date: now }),
    encryptionKeys: [...recipients],
    ...(passwords.length && { passwords: [...passwords] }),
    ...(signers.length && { signingKeys: [...signers] }),
    date: now,
    format: 'binary',
    config: configFor(profile),
  })
  return { bytes: Uint8Array.from(encrypted as Uint8Array), recipients: told }
}

const userOf = (key: Key): string => key.getUserIDs()[0] ?? `key ${hexId(key.getKeyID())}`

/** The key that the message will be locked with; RecipientError when there is none that may be used. */
async function recipientOf(key: PublicKey, now: Date): Promise<Recipient> {
  try {
    const used = await key.getEncryptionKey(undefined, now)
    return { user: userOf(key), key_id: hexId(used.getKeyID()), algorithm: algorithmOf(used) }
  } catch (cause) {
    throw new RecipientError(`a key cannot be encrypted to: ${reasonOf(cause)}`, { cause })
  }
}

/** The library's own words, put into ours. */
const reasons: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/revoked/i, 'it was revoked'],
  [/expired/i, 'it has expired'],
  [/creation time is in the future|future/i, 'it is from the future'],
  [
    /no valid encryption|could not find valid encryption|Could not find encryption/i,
    'it has no part for encryption that is valid today',
  ],
  [/could not find valid (?:self-)?signature|no valid signing/i, 'it has no part that may do this'],
  [/bits|shorter/i, 'it is too short to be safe'],
  [/too weak/i, 'it is of a kind that is no longer safe'],
  [/curve|algorithm|insecure/i, 'it uses an algorithm that is no longer safe'],
]
const reasonOf = (error: unknown): string =>
  reasons.find(([pattern]) => pattern.test(wordsOf(error)))?.[1] ?? 'it is not valid'

/** A message in armor or as bytes. */
export async function readMessage(text: string): Promise<Message<Uint8Array>> {
  const { readMessage: read } = await loadOpenPgp()
  if (clearSigned(text))
    throw new RangeError('this text is signed and not encrypted, so verify it in place of decrypting it')
  const bytes = bytesOfBlocks(text, /^MESSAGE/, 'a PGP MESSAGE')
  try {
    return (await read({ binaryMessage: bytes, config: limits })) as Message<Uint8Array>
  } catch (cause) {
    throw asMessageProblem(cause)
  }
}

/** What went wrong with the message itself. */
function asMessageProblem(cause: unknown): RangeError {
  const words = wordsOf(cause)
  if (/maximum decompressed (?:message )?size/i.test(words)) {
    return new RangeError(`the message unpacks to more than ${MAX_DECOMPRESSED_BYTES / 2 ** 20} MiB`, { cause })
  }
  if (/memory exceeds/i.test(words)) {
    return new RangeError('its password lock (Argon2) asks for more memory than is given to it here', { cause })
  }
  if (/without integrity|not authenticated|missing MDC|Message is not authenticated/i.test(words)) {
    return new RangeError('it has no protection against changes, so it is not opened', { cause })
  }
  if (/modification detected|ciphertext|authentication tag|tag mismatch/i.test(words)) {
    return new RangeError('the message was changed on its way, or is damaged', { cause })
  }
  return new RangeError('this is no message of OpenPGP, or it is damaged', { cause })
}

export class NoKeyError extends RangeError {
  readonly kind: 'key' | 'password'
  constructor(kind: 'key' | 'password', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface DecryptOptions {
  message: Message<Uint8Array>
  keys: readonly PrivateKey[]
  passwords: readonly string[]
  verifiers: readonly PublicKey[]
  now: Date
}

export interface Decrypted {
  data: Bytes
  filename: string
  signatures: SignatureReport[]
  /** Key identifiers the message is for; zeros for a hidden one. */
  recipients: string[]
}

export async function decryptMessage({ message, keys, passwords, verifiers, now }: DecryptOptions): Promise<Decrypted> {
  const { decrypt, enums } = await loadOpenPgp()
  const recipients = message.getEncryptionKeyIDs().map(hexId)
  const forPassword = message.packets.filterByTag(enums.packet.symEncryptedSessionKey).length > 0
  refuseHopeless({ message, keys, passwords, recipients, forPassword })
  try {
    const { data, filename, signatures } = await decrypt({
      message,
      ...(keys.length && { decryptionKeys: [...keys] }),
      ...(passwords.length && { passwords: [...passwords] }),
      verificationKeys: [...verifiers],
      format: 'binary',
      date: now,
      config: reading,
    })
    return {
      data: Uint8Array.from(data as Uint8Array),
      filename: filename === 'msg.txt' ? '' : (filename ?? ''),
      signatures: await describeSignatures(signatures, verifiers, now),
      recipients,
    }
  } catch (cause) {
    throw asDecryptProblem(cause, passwords.length > 0 && keys.length === 0)
  }
}

interface Hope {
  message: Message<Uint8Array>
  keys: readonly PrivateKey[]
  passwords: readonly string[]
  recipients: readonly string[]
  forPassword: boolean
}

/** Says before trying which of the two is missing. */
function refuseHopeless({ keys, passwords, recipients, forPassword }: Hope): void {
  if (!recipients.length && !forPassword) {
    throw new RangeError('it is not encrypted, so there is nothing to decrypt')
  }
  if (keys.length && !forPassword && recipients.every(id => !/^0+$/.test(id))) {
    const own = keys.flatMap(key => key.getKeys().map(part => hexId(part.getKeyID())))
    if (!recipients.some(id => own.includes(id))) {
      throw new NoKeyError('key', `the message is for another key: ${recipients.join(', ')}`)
    }
  }
  if (!keys.length && recipients.length && !forPassword) {
    throw new NoKeyError('key', `the message needs the private key ${recipients.join(' or ')}`)
  }
  if (!passwords.length && !recipients.length) throw new NoKeyError('password', 'the message needs a password')
}

function asDecryptProblem(cause: unknown, byPassword: boolean): RangeError {
  const words = wordsOf(cause)
  const found = asMessageProblem(cause)
  // In the older form a wrong password makes noise, and only the check of the content finds that.
  const noise = byPassword && /was changed on its way/.test(found.message)
  if (!noise && !/no message of OpenPGP/.test(found.message)) return found
  if (
    noise ||
    /session key decryption failed|Error decrypting session keys|Invalid enum value|No symmetrically/i.test(words)
  ) {
    return byPassword
      ? new NoKeyError('password', 'the password does not open the message, or the message is damaged', { cause })
      : new NoKeyError('key', 'the private key does not open the message, or the message is damaged', { cause })
  }
  return new RangeError('the message cannot be opened: it is damaged, or was made for something else', { cause })
}

export type SignatureStatus = 'valid' | 'invalid' | 'unknown key'

export interface SignatureReport {
  status: SignatureStatus
  key_id: string
  fingerprint: string | null
  user: string | null
  created: string | null
  hash: string | null
  reason: string | null
  /** What became of the key since: an old signature of a key that has expired still holds. */
  key_status: 'valid' | 'expired' | 'revoked' | 'unknown'
  /** Why the signature proves little although it holds. */
  weakness: string | null
}

export async function describeSignatures(
  results: readonly VerificationResult[],
  verifiers: readonly PublicKey[],
  now: Date,
): Promise<SignatureReport[]> {
  return Promise.all(results.map(result => describeSignature(result, verifiers, now)))
}

async function describeSignature(
  { keyID, verified, signature }: VerificationResult,
  verifiers: readonly PublicKey[],
  now: Date,
): Promise<SignatureReport> {
  const key = verifiers.find(candidate => candidate.getKeys(keyID).length > 0)
  const outcome = await verified.then(
    () => undefined,
    (error: unknown) => error ?? new Error('not verified'),
  )
  const packet = (await signature.catch(() => undefined))?.packets[0]
  const head = {
    key_id: hexId(keyID),
    fingerprint: key ? key.getFingerprint().toUpperCase() : null,
    user: key ? (key.getUserIDs()[0] ?? null) : null,
    created: packet?.created?.toISOString() ?? null,
    hash: packet?.hashAlgorithm ? (hashes[packet.hashAlgorithm] ?? null) : null,
    key_status: key ? await keyStatus(key, now) : ('unknown' as const),
    weakness: key ? weaknessOf(key, keyID) : null,
  }
  if (!key) return { ...head, status: 'unknown key', reason: 'The key that signed is not among those given.' }
  if (outcome === undefined) return { ...head, status: 'valid', reason: null }
  return { ...head, status: 'invalid', reason: signatureReason(outcome) }
}

/** NIST SP 800-57 part 1 revision 5, table 2, and FIPS 186-5, which no longer has DSA. */
function weaknessOf(key: PublicKey, keyID: VerificationResult['keyID']): string | null {
  const { algorithm, bits = 0 } = (key.getKeys(keyID)[0] ?? key).getAlgorithmInfo()
  if (algorithm === 'dsa') return 'DSA is no longer approved.'
  return algorithm.startsWith('rsa') && bits < 2047 ? `An RSA key of ${bits} bits is too short.` : null
}

async function keyStatus(key: PublicKey, now: Date): Promise<'valid' | 'expired' | 'revoked'> {
  const words = await key.verifyPrimaryKey(now).then(
    () => '',
    error => wordsOf(error),
  )
  return /revoked/i.test(words) ? 'revoked' : /expired/i.test(words) ? 'expired' : 'valid'
}

function signatureReason(error: unknown): string {
  const words = wordsOf(error)
  if (/digest did not match|verification failed|Signature verification/i.test(words)) {
    return 'The signature does not belong to this message: one of the two was changed.'
  }
  if (/revoked/i.test(words)) return 'The key was revoked.'
  if (/Signature is expired/i.test(words)) return 'The signature itself has expired.'
  if (/expired/i.test(words)) return 'The key had expired when it signed.'
  if (/future/i.test(words)) return 'The signature is from the future.'
  if (/insecure|hash algorithm/i.test(words)) return 'It was made with a hash function that is broken.'
  if (/not made|not a data signature|signing key|key flags/i.test(words)) return 'The key is not meant for signatures.'
  return 'The signature is malformed, or of a kind that is not known here.'
}

export const signatureStyles = ['Clear-signed', 'Detached', 'Inline'] as const
export type SignatureStyle = (typeof signatureStyles)[number]

export interface SignOptions {
  message: Bytes
  /** The same as text, for what is signed in the clear. */
  text: string
  style: SignatureStyle
  signers: readonly PrivateKey[]
  profile: Profile
  now: Date
}

/** The signature, or the message with it: text where it is signed in the clear, bytes otherwise. */
export async function signMessage(options: SignOptions): Promise<{ text: string } | { bytes: Bytes }> {
  const { message, text, style, signers, profile, now } = options
  const { createCleartextMessage, createMessage, sign } = await loadOpenPgp()
  const shared = { signingKeys: [...signers], date: now, config: configFor(profile) }
  try {
    if (style === 'Clear-signed') {
      return { text: (await sign({ ...shared, message: await createCleartextMessage({ text }) })) as string }
    }
    const signed = await sign({
      ...shared,
      message: await createMessage({ binary: message, format: 'binary', date: now }),
      detached: style === 'Detached',
      format: 'binary',
    })
    return { bytes: Uint8Array.from(signed as Uint8Array) }
  } catch (cause) {
    throw new RangeError(`the key cannot sign: ${reasonOf(cause)}`, { cause })
  }
}

export interface Verified {
  style: SignatureStyle
  data: Bytes
  signatures: SignatureReport[]
}

export interface VerifyOptions {
  /** A signed message in any style, or what a detached signature is about. */
  message: Bytes
  text: string
  signature: string | undefined
  verifiers: readonly PublicKey[]
  now: Date
}

/** Reads a signed message of any style, and checks every signature in it. */
export async function verifyMessage({ message, text, signature, verifiers, now }: VerifyOptions): Promise<Verified> {
  const openpgp = await loadOpenPgp()
  const shared = { verificationKeys: [...verifiers], date: now, config: reading }
  const reported = (results: readonly VerificationResult[]) => describeSignatures(results, verifiers, now)
  if (signature !== undefined) {
    const bytes = bytesOfBlocks(signature, /^SIGNATURE$/, 'a PGP SIGNATURE')
    const parsed = await parsedSignature(bytes)
    const { signatures } = await openpgp.verify({
      ...shared,
      message: await openpgp.createMessage({ binary: message, format: 'binary' }),
      signature: parsed,
      format: 'binary',
    })
    return { style: 'Detached', data: message, signatures: await reported(signatures) }
  }
  const clear = clearSigned(text)
  if (clear !== undefined) {
    const parsed = await readClear(clear)
    const { signatures } = await openpgp.verify({ ...shared, message: parsed })
    return {
      style: 'Clear-signed',
      data: new TextEncoder().encode(parsed.getText()),
      signatures: await reported(signatures),
    }
  }
  const inline = await readMessage(text)
  try {
    const { data, signatures } = await openpgp.verify({ ...shared, message: inline, format: 'binary' })
    return { style: 'Inline', data: Uint8Array.from(data as Uint8Array), signatures: await reported(signatures) }
  } catch (cause) {
    throw asMessageProblem(cause)
  }
}

async function parsedSignature(bytes: Bytes) {
  const { readSignature } = await loadOpenPgp()
  try {
    return await readSignature({ binarySignature: bytes, config: limits })
  } catch (cause) {
    throw new RangeError('this is no signature of OpenPGP, or it is damaged', { cause })
  }
}

async function readClear(text: string) {
  const { readCleartextMessage } = await loadOpenPgp()
  try {
    return await readCleartextMessage({ cleartextMessage: text, config: limits })
  } catch (cause) {
    throw new RangeError('this is no text signed in the clear, or it is damaged', { cause })
  }
}
