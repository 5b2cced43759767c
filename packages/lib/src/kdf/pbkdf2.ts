import { hmac } from '@noble/hashes/hmac.js'
import { createView } from '@noble/hashes/utils.js'
import type { Bytes } from '../bytes.ts'
import { hashFunction } from '../hash/digest.ts'
import { pause } from '../hash/pause.ts'

/** PBKDF2 with HMAC, the password-based key derivation function of PKCS #5. RFC 8018 §5.2. */

export const pbkdf2Hashes = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const
export type Pbkdf2Hash = (typeof pbkdf2Hashes)[number]

/** What Web Crypto has: all of them without SHA-224. */
const nativeHashes: ReadonlySet<Pbkdf2Hash> = new Set(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])
export const isNativePbkdf2 = (hash: Pbkdf2Hash): boolean => nativeHashes.has(hash)

export interface Pbkdf2Parameters {
  hash: Pbkdf2Hash
  iterations: number
  /** Of the key, in bytes. */
  length: number
}

const HASH_BYTES: Record<Pbkdf2Hash, number> = {
  'SHA-1': 20,
  'SHA-224': 28,
  'SHA-256': 32,
  'SHA-384': 48,
  'SHA-512': 64,
}

/** How often HMAC runs: the iterations for each block of the key. */
export const pbkdf2Work = ({ hash, iterations, length }: Pbkdf2Parameters): number =>
  iterations * Math.ceil(length / HASH_BYTES[hash])

/** The derived key; by Web Crypto where that has the hash, which is five times as fast. Yields the part that is done. */
export async function* pbkdf2(
  password: Uint8Array,
  salt: Uint8Array,
  parameters: Pbkdf2Parameters,
): AsyncGenerator<number, Bytes, void> {
  const { hash, iterations, length } = parameters
  if (!Number.isInteger(iterations) || iterations < 1) throw new RangeError('expected at least one iteration')
  if (!Number.isInteger(length) || length < 1) throw new RangeError('expected a key of at least one byte')
  const native = isNativePbkdf2(hash) ? await viaWebCrypto(password, salt, parameters) : undefined
  return native ?? (yield* pbkdf2Script(password, salt, parameters))
}

/** undefined where the platform has no Web Crypto or takes no empty password. */
async function viaWebCrypto(
  password: Uint8Array,
  salt: Uint8Array,
  { hash, iterations, length }: Pbkdf2Parameters,
): Promise<Bytes | undefined> {
  try {
    const key = await crypto.subtle.importKey('raw', Uint8Array.from(password), 'PBKDF2', false, ['deriveBits'])
    const algorithm = { name: 'PBKDF2', hash, salt: Uint8Array.from(salt), iterations }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8))
  } catch {
    return undefined
  }
}

/** Iterations between two looks at whether someone wants to stop: some 20 ms. */
const SLICE = 10_000

/** The same in JavaScript, for SHA-224 and for platforms without Web Crypto. */
export async function* pbkdf2Script(
  password: Uint8Array,
  salt: Uint8Array,
  parameters: Pbkdf2Parameters,
): AsyncGenerator<number, Bytes, void> {
  const { hash, iterations, length } = parameters
  const keyed = hmac.create(await hashFunction(hash), password)
  const salted = keyed.clone().update(salt)
  const running = keyed.clone()
  const key = new Uint8Array(length)
  const counter = new Uint8Array(4)
  const total = pbkdf2Work(parameters)
  let done = 0
  for (let block = 1, start = 0; start < length; block++, start += HASH_BYTES[hash]) {
    createView(counter).setUint32(0, block)
    const round = salted.clone().update(counter).digest()
    const sum = Uint8Array.from(round)
    for (let iteration = 1; iteration < iterations; iteration++) {
      keyed._cloneInto(running).update(round).digestInto(round)
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) ^ (round[i] ?? 0)
      if (++done % SLICE === 0) {
        yield done / total
        await pause()
      }
    }
    key.set(sum.subarray(0, length - start), start)
  }
  return key
}
