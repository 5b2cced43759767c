import { chacha8, chacha12, chacha20, chacha20poly1305, xchacha20, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { type Bytes, concat } from '../bytes.ts'
import type { Sealed } from './aead.ts'

/**
 * ChaCha and its authenticated form: RFC 8439 and, with the long nonce, draft-irtf-cfrg-xchacha. Eight and twelve
 * rounds as in Bernstein, "ChaCha, a variant of Salsa20".
 */
export const chachaNames = [
  'ChaCha20-Poly1305',
  'XChaCha20-Poly1305',
  'ChaCha20',
  'XChaCha20',
  'ChaCha12',
  'ChaCha8',
] as const
export type ChachaName = (typeof chachaNames)[number]

const CHACHA_KEY_BYTES = 32
export const POLY1305_TAG_BYTES = 16
const BLOCK_BYTES = 64
/** RFC 8439 §2.3: the counter has 32 bits. */
export const MAX_COUNTER = 2 ** 32 - 1

/** Nonces of eight bytes are those of the original ChaCha, whose counter has 64 bits. */
const streams = {
  ChaCha20: { cipher: chacha20, nonceBytes: [12, 8] },
  XChaCha20: { cipher: xchacha20, nonceBytes: [24] },
  ChaCha12: { cipher: chacha12, nonceBytes: [12, 8] },
  ChaCha8: { cipher: chacha8, nonceBytes: [12, 8] },
} as const
const aeads = {
  'ChaCha20-Poly1305': { cipher: chacha20poly1305, nonceBytes: [12] },
  'XChaCha20-Poly1305': { cipher: xchacha20poly1305, nonceBytes: [24] },
} as const

const isAead = (name: ChachaName): name is keyof typeof aeads => name in aeads

export const authenticatedChachas = chachaNames.filter(isAead)
export const isAuthenticatedChacha = (name: ChachaName): boolean => isAead(name)

const nonceBytesOf = (name: ChachaName): readonly number[] =>
  isAead(name) ? aeads[name].nonceBytes : streams[name].nonceBytes

/** How long a nonce to make. */
export const freshNonceBytes = (name: ChachaName): number => nonceBytesOf(name)[0] ?? 0

export interface ChachaJob {
  name: ChachaName
  key: Bytes
  nonce: Bytes
  /** Associated data, where there is a tag. */
  aad: Bytes
  /** The number of the first block, where there is no tag. */
  counter: number
}

export function checkChachaKey(key: Uint8Array): void {
  if (key.length !== CHACHA_KEY_BYTES) throw new RangeError(`expected ${CHACHA_KEY_BYTES} bytes, got ${key.length}`)
}

export function checkChachaNonce(name: ChachaName, nonce: Uint8Array): void {
  const allowed = nonceBytesOf(name)
  if (!allowed.includes(nonce.length)) {
    throw new RangeError(`expected ${allowed.join(' or ')} bytes, got ${nonce.length}`)
  }
}

function check({ name, key, nonce }: ChachaJob): void {
  checkChachaKey(key)
  checkChachaNonce(name, nonce)
}

/** Encrypts; the tag is empty where there is none. */
export function encryptChacha(job: ChachaJob, plaintext: Bytes): Sealed {
  check(job)
  if (!isAead(job.name)) return { ciphertext: stream(job, plaintext), tag: new Uint8Array() }
  const sealed = aeads[job.name].cipher(job.key, job.nonce, job.aad).encrypt(plaintext)
  return { ciphertext: sealed.slice(0, -POLY1305_TAG_BYTES), tag: sealed.slice(-POLY1305_TAG_BYTES) }
}

/** Decrypts; undefined when the tag does not belong to the text. */
export function decryptChacha(job: ChachaJob, ciphertext: Bytes, tag: Bytes): Bytes | undefined {
  check(job)
  if (!isAead(job.name)) return stream(job, ciphertext)
  if (tag.length !== POLY1305_TAG_BYTES) {
    throw new RangeError(`expected a tag of ${POLY1305_TAG_BYTES} bytes, got ${tag.length}`)
  }
  const cipher = aeads[job.name].cipher(job.key, job.nonce, job.aad)
  try {
    return cipher.decrypt(concat(ciphertext, tag))
  } catch {
    // Lengths are checked above, so a wrong tag is all that is left.
    return undefined
  }
}

function stream({ name, key, nonce, counter }: ChachaJob, text: Bytes): Bytes {
  if (isAead(name)) throw new TypeError(`${name} is no stream cipher`)
  if (!Number.isInteger(counter) || counter < 0 || counter + Math.ceil(text.length / BLOCK_BYTES) > MAX_COUNTER) {
    throw new RangeError('the counter runs over before the text ends')
  }
  // While the counter fits in 32 bits, the short nonce is the long one behind four zeros.
  const whole = nonce.length === 8 ? concat(new Uint8Array(4), nonce) : nonce
  return streams[name].cipher(key, whole, concat(text), undefined, counter)
}
