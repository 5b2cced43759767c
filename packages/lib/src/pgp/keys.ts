import type { Key, PrivateKey, PublicKey, Subkey } from 'openpgp'
import { PassphraseError } from '../key/passphrase.ts'
import { bytesOfBlocks } from './armor.ts'
import { configFor, limits, loadOpenPgp, type Profile, wordsOf } from './library.ts'

/** Keys of OpenPGP as people paste them, and what can be said of them. RFC 9580 §10.1. */

const MAX_KEYS = 50

/** All public keys of a text; of private ones the public half is taken. */
export async function readPublicKeys(text: string): Promise<PublicKey[]> {
  const keys = await readKeys(text, /KEY BLOCK$/, 'a PGP PUBLIC KEY BLOCK')
  return keys.map(key => (key.isPrivate() ? key.toPublic() : (key as PublicKey)))
}

/** All private keys of a text, opened with the passphrase where they are locked. */
export async function readPrivateKeys(text: string, passphrase: string | undefined): Promise<PrivateKey[]> {
  const keys = await readKeys(text, /(?:PRIVATE|SECRET) KEY BLOCK$/, 'a PGP PRIVATE KEY BLOCK')
  const own = keys.filter((key): key is PrivateKey => key.isPrivate())
  if (!own.length) throw new RangeError('this is a public key, and the private one is needed')
  return Promise.all(own.map(key => opened(key, passphrase)))
}

/** The keys of a text that has some; none where it holds something else, or keys of a kind that is not known here. */
export async function readAnyKeys(text: string): Promise<Key[]> {
  try {
    return await readKeys(text, /KEY BLOCK$/, 'a key')
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

async function readKeys(text: string, labels: RegExp, expected: string): Promise<Key[]> {
  const { readKeys: read } = await loadOpenPgp()
  const bytes = bytesOfBlocks(text, labels, expected)
  let keys: Key[]
  try {
    keys = await read({ binaryKeys: bytes, config: limits })
  } catch (cause) {
    throw new RangeError('the key cannot be read: it is damaged, or of a kind that is not known here', { cause })
  }
  if (!keys.length) throw new RangeError(`expected ${expected}`)
  if (keys.length > MAX_KEYS) throw new RangeError(`expected at most ${MAX_KEYS} keys, got ${keys.length}`)
  return keys
}

async function opened(key: PrivateKey, passphrase: string | undefined): Promise<PrivateKey> {
  if (key.isDecrypted()) return key
  if (passphrase === undefined) throw new PassphraseError('missing')
  const { decryptKey } = await loadOpenPgp()
  try {
    return await decryptKey({ privateKey: key, passphrase, config: limits })
  } catch (cause) {
    if (/already decrypted/i.test(wordsOf(cause))) return key
    if (/memory exceeds/i.test(wordsOf(cause))) {
      throw new RangeError('the lock of the private key (Argon2) asks for more memory than is given to it here', {
        cause,
      })
    }
    throw new PassphraseError('wrong')
  }
}

export type KeyStatus = 'valid' | 'expired' | 'revoked' | 'not yet valid' | 'invalid'

export interface KeyReport {
  fingerprint: string
  key_id: string
  version: number
  algorithm: string
  created: string
  expires: string | null
  status: KeyStatus
  private: boolean
  locked: boolean | null
  users: { id: string; status: KeyStatus }[]
  subkeys: {
    fingerprint: string
    key_id: string
    algorithm: string
    created: string
    expires: string | null
    status: KeyStatus
    uses: string[]
  }[]
  uses: string[]
}

/** RFC 9580 §9.1, in the words people know. */
const algorithmNames: Readonly<Record<string, string>> = {
  rsaEncryptSign: 'RSA',
  rsaEncrypt: 'RSA (encryption)',
  rsaSign: 'RSA (signing)',
  elgamal: 'Elgamal',
  dsa: 'DSA',
  ecdh: 'ECDH',
  ecdsa: 'ECDSA',
  eddsaLegacy: 'EdDSA',
  x25519: 'X25519',
  x448: 'X448',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
}
const curveNames: Readonly<Record<string, string>> = {
  ed25519Legacy: 'Ed25519',
  curve25519Legacy: 'Curve25519',
  nistP256: 'P-256',
  nistP384: 'P-384',
  nistP521: 'P-521',
}

export function algorithmOf(key: Key | Subkey): string {
  const { algorithm, bits, curve } = key.getAlgorithmInfo()
  const name = algorithmNames[algorithm] ?? algorithm
  if (curve) return `${name} on ${curveNames[curve] ?? curve}`
  return bits ? `${name}, ${bits} bits` : name
}

export const hexId = (id: { toHex(): string }): string => id.toHex().toUpperCase()

export async function describeKey(key: Key, now: Date): Promise<KeyReport> {
  const expires = await expiryOf(key)
  return {
    fingerprint: key.getFingerprint().toUpperCase(),
    key_id: hexId(key.getKeyID()),
    version: key.keyPacket.version,
    algorithm: algorithmOf(key),
    created: key.getCreationTime().toISOString(),
    expires,
    status: await statusOf(() => key.verifyPrimaryKey(now, undefined, undefined), key.getCreationTime(), expires, now),
    private: key.isPrivate(),
    locked: key.isPrivate() ? !key.isDecrypted() : null,
    users: await Promise.all(
      key.users.map(async user => ({
        id: user.userID?.userID ?? '(a picture)',
        status: await statusOf(() => user.verify(now), key.getCreationTime(), null, now),
      })),
    ),
    subkeys: await Promise.all(key.subkeys.map(subkey => describeSubkey(subkey, now))),
    uses: usesOf(key.users[0]?.selfCertifications[0]?.keyFlags?.[0] ?? directFlags(key)),
  }
}

/** RFC 9580 §5.2.1.10: version 6 keys carry their flags in a direct key signature. */
function directFlags(key: Key): number {
  const signatures = 'directSignatures' in key ? (key.directSignatures as { keyFlags: Uint8Array | null }[]) : []
  return signatures[0]?.keyFlags?.[0] ?? 0
}

async function describeSubkey(subkey: Subkey, now: Date): Promise<KeyReport['subkeys'][number]> {
  const until = await subkey.getExpirationTime(undefined, undefined).catch(() => null)
  const expires = until instanceof Date ? until.toISOString() : null
  return {
    fingerprint: subkey.getFingerprint().toUpperCase(),
    key_id: hexId(subkey.getKeyID()),
    algorithm: algorithmOf(subkey),
    created: subkey.getCreationTime().toISOString(),
    expires,
    status: await statusOf(() => subkey.verify(now), subkey.getCreationTime(), expires, now),
    uses: usesOf(subkey.bindingSignatures[0]?.keyFlags?.[0] ?? 0),
  }
}

async function expiryOf(key: Key): Promise<string | null> {
  const until = await key.getExpirationTime(undefined, undefined).catch(() => null)
  return until instanceof Date ? until.toISOString() : null
}

async function statusOf(
  verify: () => Promise<unknown>,
  created: Date,
  expires: string | null,
  now: Date,
): Promise<KeyStatus> {
  if (created > now) return 'not yet valid'
  try {
    await verify()
    return 'valid'
  } catch (error) {
    const words = wordsOf(error)
    if (/revoked/i.test(words)) return 'revoked'
    if (/expired/i.test(words) || (expires && new Date(expires) <= now)) return 'expired'
    return 'invalid'
  }
}

/** RFC 9580 §5.2.3.29 */
const flagNames: readonly (readonly [bit: number, name: string])[] = [
  [1, 'certify'],
  [2, 'sign'],
  [4, 'encrypt messages'],
  [8, 'encrypt storage'],
  [32, 'authenticate'],
]

const usesOf = (flags: number): string[] => flagNames.filter(([bit]) => flags & bit).map(([, name]) => name)

export const keyTypes = ['Curve25519', 'ECC P-256', 'RSA'] as const
export type KeyType = (typeof keyTypes)[number]

export interface NewKeyOptions {
  name: string
  email: string
  passphrase: string | undefined
  keyType: KeyType
  rsaBits: number
  /** 0 for never. */
  expiresSeconds: number
  profile: Profile
  now: Date
}

/** A primary key for signing with a subkey for encryption, and the certificate that revokes both. */
export async function createKey(options: NewKeyOptions): Promise<{ key: PrivateKey; revocation: string }> {
  const { name, email, passphrase, keyType, rsaBits, expiresSeconds, profile, now } = options
  const { generateKey } = await loadOpenPgp()
  const { privateKey, revocationCertificate } = await generateKey({
    ...kindOf(keyType, profile, rsaBits),
    userIDs: [{ ...(name && { name }), ...(email && { email }) }],
    ...(passphrase && { passphrase }),
    keyExpirationTime: expiresSeconds,
    date: now,
    format: 'object',
    config: configFor(profile),
  })
  return { key: privateKey, revocation: revocationCertificate }
}

/** GnuPG 2.2 knows Curve25519 by its older identifiers alone (RFC 9580 §9.2). */
function kindOf(keyType: KeyType, profile: Profile, rsaBits: number) {
  if (keyType === 'RSA') return { type: 'rsa', rsaBits } as const
  if (keyType === 'ECC P-256') return { type: 'ecc', curve: 'nistP256' } as const
  return profile === 'RFC 9580' ? ({ type: 'curve25519' } as const) : ({ type: 'ecc', curve: 'ed25519Legacy' } as const)
}
