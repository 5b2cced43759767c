import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { type Bytes, concat } from '../bytes.ts'

/** BLAKE2 with the fields of its parameter block that a single hash uses. RFC 7693, and the BLAKE2 paper §2.8. */
export interface Blake2Parameters {
  /** Of the result, in bytes. */
  length: number
  /** Makes the hash a message authentication code. RFC 7693 §2.9. */
  key?: Uint8Array | undefined
  /** Shorter ones are filled up with zeros, as the reference code and Python do. */
  salt?: Uint8Array | undefined
  personalization?: Uint8Array | undefined
}

/** The most bytes of result and key, and of salt and personalisation. RFC 7693 §2.1, BLAKE2 paper §2.8. */
export const blake2Limits = {
  BLAKE2b: { length: 64, key: 64, salt: 16 },
  BLAKE2s: { length: 32, key: 32, salt: 8 },
} as const
export type Blake2Name = keyof typeof blake2Limits

/** The hash of a message; RangeError for parameters that are too long. */
export function blake2(name: Blake2Name, message: Uint8Array, parameters: Blake2Parameters): Bytes {
  const limits = blake2Limits[name]
  const { length, key, salt, personalization } = parameters
  if (!Number.isInteger(length) || length < 1 || length > limits.length) {
    throw new RangeError(`expected a result of 1 to ${limits.length} bytes`)
  }
  refuseLong('key', key, limits.key)
  refuseLong('salt', salt, limits.salt)
  refuseLong('personalisation', personalization, limits.salt)
  const hash = name === 'BLAKE2b' ? blake2b : blake2s
  return hash(message, {
    dkLen: length,
    ...(key?.length && { key }),
    ...(salt?.length && { salt: padded(salt, limits.salt) }),
    ...(personalization?.length && { personalization: padded(personalization, limits.salt) }),
  }) as Bytes
}

function refuseLong(what: string, bytes: Uint8Array | undefined, most: number): void {
  if (bytes && bytes.length > most) {
    throw new RangeError(`expected a ${what} of at most ${most} bytes, got ${bytes.length}`)
  }
}

const padded = (bytes: Uint8Array, length: number) => concat(bytes, new Uint8Array(length - bytes.length))
