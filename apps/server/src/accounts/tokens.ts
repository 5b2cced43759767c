import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Opaque tokens: a prefix that says what they are, then in Base64url the id of what they belong to (where they have
 * one), 32 random bytes and a CRC-32, so that scanners of leaked secrets find them and typing errors are told without
 * a look into the store. Only SHA-256 hashes of them are kept; 256 random bits need no slower hash.
 */
const prefixes = {
  access: 'assay_at_',
  refresh: 'assay_rt_',
  key: 'assay_key_',
  link: 'assay_link_',
  returned: 'assay_return_',
} as const
export type TokenKind = keyof typeof prefixes

const ID_BYTES = 16
const SECRET_BYTES = 32
const CHECK_BYTES = 4
const kindsWithId: readonly TokenKind[] = ['access', 'refresh']

export const newId = (): string => randomBytes(ID_BYTES).toString('base64url')

/** A new token; those of a session begin with its id. */
export function createToken(kind: TokenKind, id = ''): string {
  const body = Buffer.concat([Buffer.from(id, 'base64url'), randomBytes(SECRET_BYTES)])
  return `${prefixes[kind]}${Buffer.concat([body, checkOf(body)]).toString('base64url')}`
}

export interface TokenParts {
  kind: TokenKind
  /** Empty for kinds without one. */
  id: string
  hash: string
}

/** Takes a token apart; undefined when it was never one of ours. */
export function readToken(text: string): TokenParts | undefined {
  for (const kind of Object.keys(prefixes) as TokenKind[]) {
    if (!text.startsWith(prefixes[kind])) continue
    const encoded = text.slice(prefixes[kind].length)
    const bytes = Buffer.from(encoded, 'base64url')
    const idBytes = kindsWithId.includes(kind) ? ID_BYTES : 0
    const body = bytes.subarray(0, -CHECK_BYTES)
    // Base64url has several spellings of the same bytes; only ours counts.
    const isOurs =
      bytes.length === idBytes + SECRET_BYTES + CHECK_BYTES &&
      bytes.toString('base64url') === encoded &&
      checkOf(body).equals(bytes.subarray(-CHECK_BYTES))
    return isOurs ? { kind, id: body.subarray(0, idBytes).toString('base64url'), hash: hashOf(text) } : undefined
  }
  return undefined
}

/** The token as a kind that is expected; undefined for any other. */
export function tokenOf(kind: TokenKind, text: unknown): TokenParts | undefined {
  const parts = typeof text === 'string' ? readToken(text) : undefined
  return parts?.kind === kind ? parts : undefined
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

function checkOf(body: Uint8Array): Buffer {
  const check = Buffer.alloc(CHECK_BYTES)
  check.writeUInt32BE(crc32(body))
  return check
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

const keyFrom = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'assay successor', 32))

/** Text that only who holds the token can read again. */
export function sealWith(token: string, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyFrom(token), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Throws when the token is another one. */
export function openWith(token: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, keyFrom(token), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
