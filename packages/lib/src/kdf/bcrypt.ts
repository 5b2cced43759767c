/// <reference path="../hash/hash-wasm.d.ts" />
import { type Bytes, fromBase64, toBase64 } from '../bytes.ts'

/**
 * bcrypt: N. Provos and D. Mazières, "A Future-Adaptable Password Scheme", 1999, in the form in which OpenBSD and
 * crypt(3) store it. 2a, 2b and 2y name the same computation; they differ in what faults the programs behind them had.
 */
export const bcryptVersions = ['2b', '2a', '2y'] as const
export type BcryptVersion = (typeof bcryptVersions)[number]

/** The key schedule of Blowfish takes 18 words; whatever follows has no influence. */
export const MAX_PASSWORD_BYTES = 72
export const BCRYPT_SALT_BYTES = 16
const MIN_COST = 4
const MAX_COST = 31

export interface BcryptHash {
  version: BcryptVersion
  /** The logarithm of the number of rounds. */
  cost: number
  salt: Bytes
  /** 23 bytes in 31 characters. */
  digest: string
}

/** Reads a stored hash such as $2b$10$ and 53 characters; RangeError when it is none or of a version not known here. */
export function parseBcrypt(text: string): BcryptHash {
  const match = /^\$(2[abxy]?)\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/.exec(text.trim())
  const [, version, cost, salt = '', digest = ''] = match ?? []
  if (version === '2x' || version === '2') {
    throw new RangeError(`a hash of version ${version} comes from a faulty program and cannot be checked here`)
  }
  const known = bcryptVersions.find(name => name === version)
  if (!known) throw new RangeError('expected a hash such as $2b$10$ and 53 characters of salt and hash')
  const rounds = Number(cost)
  refuseCost(rounds)
  return { version: known, cost: rounds, salt: readSalt(salt), digest }
}

/** The form in which a hash is stored. */
export const formatBcrypt = ({ version, cost, salt, digest }: BcryptHash): string =>
  `$${version}$${String(cost).padStart(2, '0')}$${writeSalt(salt)}${digest}`

/**
 * The 31 characters that stand for the hash of a password of at most 72 bytes of UTF-8 without NUL. Bytes that no UTF-8
 * has are refused: after FF the code behind this goes the way of crypt_blowfish for 2a, which is not that of 2b and 2y.
 */
export async function bcryptDigest(password: Uint8Array, salt: Uint8Array, cost: number): Promise<string> {
  refuseCost(cost)
  if (salt.length !== BCRYPT_SALT_BYTES) {
    throw new RangeError(`expected a salt of ${BCRYPT_SALT_BYTES} bytes, got ${salt.length}`)
  }
  if (password.length > MAX_PASSWORD_BYTES) {
    throw new RangeError(`expected at most ${MAX_PASSWORD_BYTES} bytes, got ${password.length}`)
  }
  if (password.includes(0)) throw new RangeError('expected no NUL, which ends a password in the programs that check it')
  if (password.includes(0xff)) throw new RangeError('expected UTF-8, in which there is no byte FF')
  const { default: wasm } = await import('hash-wasm/dist/bcrypt.umd.min.js')
  const encoded: string = await wasm.bcrypt({
    // The password goes in with a final NUL and is repeated, so that nothing and a NUL are the same key.
    password: password.length > 0 ? password : Uint8Array.of(0),
    salt,
    costFactor: cost,
    outputType: 'encoded',
  })
  return encoded.slice(-31)
}

function refuseCost(cost: number): void {
  if (!Number.isInteger(cost) || cost < MIN_COST || cost > MAX_COST) {
    throw new RangeError(`expected a cost from ${MIN_COST} to ${MAX_COST}`)
  }
}

const OWN = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const translate = (text: string, from: string, to: string) =>
  [...text].map(char => to[from.indexOf(char)] ?? '').join('')

/** Base64 with an alphabet of its own, without padding. */
const writeSalt = (salt: Uint8Array) => translate(toBase64(salt).replaceAll('=', ''), STANDARD, OWN)

/** The last of 22 characters holds two bits; the four below are ignored as everywhere. */
function readSalt(text: string): Bytes {
  const last = OWN[OWN.indexOf(text.slice(-1)) & 0x30] ?? ''
  return fromBase64(`${translate(text.slice(0, -1) + last, OWN, STANDARD)}==`)
}
