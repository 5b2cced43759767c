import { aessiv, cbc, cfb, ctr, ecb, gcmsiv, unsafe } from '@noble/ciphers/aes.js'
import { type Bytes, concat } from '../bytes.ts'
import type { Aead, Sealed } from './aead.ts'
import { decryptNative, encryptNative, hasNative, NATIVE_BYTES } from './aes-native.ts'
import type { BlockEncryption } from './block-cipher.ts'
import { cfb8, checkWholeBlocks, ofb } from './block-mode.ts'
import { type Padding, pad, unpad } from './block-padding.ts'
import { ccm } from './ccm.ts'
import { eax } from './eax.ts'
import { gcm } from './gcm.ts'
import { ocb } from './ocb.ts'

/** The Advanced Encryption Standard, FIPS 197, in its modes of operation. */
const AES_BLOCK_BYTES = 16

/** One text to encrypt or decrypt. */
export interface AesJob {
  mode: AesMode
  key: Bytes
  /** The IV or nonce; empty in ECB, and in SIV where there is none. */
  iv: Bytes
  /** Associated data of an authenticated mode. */
  aad: Bytes
  tagBytes: number
  /** CBC and ECB. */
  padding: Padding
}

interface Plain {
  kind: 'blocks' | 'stream'
  encrypt(job: AesJob, text: Bytes): Bytes
  decrypt(job: AesJob, text: Bytes): Bytes
}

interface Authenticated {
  kind: 'authenticated'
  aead: Aead
}

type Mode = (Plain | Authenticated) & {
  keyBytes: readonly number[]
  /** Lengths of the IV that the mode takes. */
  ivBytes: readonly [least: number, most: number]
  /** The length of a fresh IV; none in modes that are whole without one. */
  freshIvBytes: number
  tagBytes?: readonly number[]
}

const KEYS = [16, 24, 32]
const ANY_LENGTH = 2 ** 20
const whole = { keyBytes: KEYS, ivBytes: [16, 16], freshIvBytes: 16 } as const
/** The tag lengths of SP 800-38D §5.2.1.2 for general use; OCB and EAX take them too. */
const TAGS = [16, 15, 14, 13, 12]
const unpadded = { disablePadding: true }

const blockOf = ({ key }: AesJob): BlockEncryption => {
  const xk = unsafe.expandKeyLE(key)
  return {
    blockBytes: AES_BLOCK_BYTES,
    encrypt: (bytes, offset) => unsafe.encryptBlock(xk, bytes.subarray(offset, offset + AES_BLOCK_BYTES)),
  }
}

const modes = {
  /** NIST SP 800-38D */
  GCM: {
    kind: 'authenticated',
    aead: gcm,
    keyBytes: KEYS,
    ivBytes: [1, ANY_LENGTH],
    freshIvBytes: 12,
    tagBytes: TAGS,
  },
  /** NIST SP 800-38A §6.2 */
  CBC: {
    ...whole,
    kind: 'blocks',
    encrypt: ({ key, iv }, text) => cbc(key, iv, unpadded).encrypt(text),
    decrypt: ({ key, iv }, text) => cbc(key, iv, unpadded).decrypt(text),
  },
  /** NIST SP 800-38A §6.5, with all 128 bits counting. */
  CTR: {
    ...whole,
    kind: 'stream',
    encrypt: ({ key, iv }, text) => ctr(key, iv).encrypt(text),
    decrypt: ({ key, iv }, text) => ctr(key, iv).decrypt(text),
  },
  /** NIST SP 800-38A §6.3 with segments of 128 bits. */
  CFB: {
    ...whole,
    kind: 'stream',
    encrypt: ({ key, iv }, text) => cfb(key, iv).encrypt(text),
    decrypt: ({ key, iv }, text) => cfb(key, iv).decrypt(text),
  },
  /** NIST SP 800-38A §6.3 with segments of 8 bits. */
  CFB8: {
    ...whole,
    kind: 'stream',
    encrypt: (job, text) => cfb8(blockOf(job), job.iv, text, 'encrypt'),
    decrypt: (job, text) => cfb8(blockOf(job), job.iv, text, 'decrypt'),
  },
  /** NIST SP 800-38A §6.4 */
  OFB: {
    ...whole,
    kind: 'stream',
    encrypt: (job, text) => ofb(blockOf(job), job.iv, text),
    decrypt: (job, text) => ofb(blockOf(job), job.iv, text),
  },
  /** NIST SP 800-38A §6.1 */
  ECB: {
    kind: 'blocks',
    encrypt: ({ key }, text) => ecb(key, unpadded).encrypt(text),
    decrypt: ({ key }, text) => ecb(key, unpadded).decrypt(text),
    keyBytes: KEYS,
    ivBytes: [0, 0],
    freshIvBytes: 0,
  },
  /** NIST SP 800-38C */
  CCM: {
    kind: 'authenticated',
    aead: ccm,
    keyBytes: KEYS,
    ivBytes: [7, 13],
    freshIvBytes: 12,
    tagBytes: [16, 14, 12],
  },
  /** RFC 7253 */
  OCB: { kind: 'authenticated', aead: ocb, keyBytes: KEYS, ivBytes: [1, 15], freshIvBytes: 12, tagBytes: TAGS },
  /** https://eprint.iacr.org/2003/069 */
  EAX: {
    kind: 'authenticated',
    aead: eax,
    keyBytes: KEYS,
    ivBytes: [0, ANY_LENGTH],
    freshIvBytes: 16,
    tagBytes: TAGS,
  },
  /** RFC 5297: the key is two keys, the associated data is one string, and a nonce, where there is one, another. */
  SIV: {
    kind: 'authenticated',
    aead: {
      seal({ key, nonce, aad }, plaintext) {
        const sealed = aessiv(key, aad, ...(nonce.length ? [nonce] : [])).encrypt(plaintext)
        return { ciphertext: sealed.slice(16), tag: sealed.slice(0, 16) }
      },
      open: ({ key, nonce, aad }, ciphertext, tag) =>
        whenGenuine(() => aessiv(key, aad, ...(nonce.length ? [nonce] : [])).decrypt(concat(tag, ciphertext))),
    },
    keyBytes: [32, 48, 64],
    ivBytes: [0, ANY_LENGTH],
    freshIvBytes: 0,
    tagBytes: [16],
  },
  /** RFC 8452 */
  'GCM-SIV': {
    kind: 'authenticated',
    aead: {
      seal({ key, nonce, aad }, plaintext) {
        const sealed = gcmsiv(key, nonce, aad).encrypt(plaintext)
        return { ciphertext: sealed.slice(0, -16), tag: sealed.slice(-16) }
      },
      open: ({ key, nonce, aad }, ciphertext, tag) =>
        whenGenuine(() => gcmsiv(key, nonce, aad).decrypt(concat(ciphertext, tag))),
    },
    keyBytes: [16, 32],
    ivBytes: [12, 12],
    freshIvBytes: 12,
    tagBytes: [16],
  },
} as const satisfies Record<string, Mode>

export type AesMode = keyof typeof modes
export const aesModes = Object.keys(modes) as AesMode[]
const modeOf = (mode: AesMode): Mode => modes[mode]

/** Modes that tell whether the text was changed. */
export const authenticatedModes = aesModes.filter(mode => modes[mode].kind === 'authenticated')

export const isAuthenticated = (mode: AesMode): boolean => modes[mode].kind === 'authenticated'

/** How long an IV to make for a mode. */
export const freshIvBytes = (mode: AesMode): number => modes[mode].freshIvBytes

export function checkAesKey(mode: AesMode, key: Uint8Array): void {
  expectOneOf(modeOf(mode).keyBytes, key.length, 'bytes')
}

export function checkAesIv(mode: AesMode, iv: Uint8Array): void {
  const [least, most] = modes[mode].ivBytes
  if (iv.length >= least && iv.length <= most) return
  const wanted =
    least === most ? `${least} bytes` : most === ANY_LENGTH ? 'at least 1 byte' : `${least} to ${most} bytes`
  throw new RangeError(`expected ${wanted}, got ${iv.length}`)
}

export function checkAesTagLength(mode: AesMode, tagBytes: number): void {
  const { tagBytes: allowed } = modeOf(mode)
  if (allowed)
    expectOneOf(
      allowed.map(bytes => bytes * 8),
      tagBytes * 8,
      `bits in ${mode}`,
    )
}

/** "expected 16, 24 or 32 bytes, got 5" */
function expectOneOf(allowed: readonly number[], got: number, unit: string): void {
  if (allowed.includes(got)) return
  const list = [allowed.slice(0, -1).join(', '), allowed.at(-1)].filter(part => part !== '').join(' or ')
  throw new RangeError(`expected ${list} ${unit}, got ${got}`)
}

function check({ mode, key, iv, tagBytes }: AesJob): void {
  checkAesKey(mode, key)
  checkAesIv(mode, iv)
  checkAesTagLength(mode, tagBytes)
}

/** Encrypts; the tag is empty where the mode has none. `random` fills the padding of ISO 10126. */
export async function encryptAes(
  job: AesJob,
  plaintext: Bytes,
  random: (length: number) => Uint8Array,
): Promise<Sealed> {
  check(job)
  const mode = modeOf(job.mode)
  if (plaintext.length >= NATIVE_BYTES && hasNative(job)) {
    const sealed = await encryptNative(job, plaintext)
    const end = mode.kind === 'authenticated' ? sealed.length - job.tagBytes : sealed.length
    return { ciphertext: sealed.subarray(0, end), tag: sealed.slice(end) }
  }
  if (mode.kind === 'authenticated') return mode.aead.seal({ ...job, nonce: job.iv }, plaintext)
  const text = mode.kind === 'blocks' ? pad(job.padding, plaintext, AES_BLOCK_BYTES, random) : plaintext
  return { ciphertext: mode.encrypt(job, text), tag: new Uint8Array() }
}

/**
 * Decrypts; undefined when the tag of an authenticated mode does not belong to the text. RangeError when the
 * ciphertext cannot be one, or when the padding is not where it should be.
 */
export async function decryptAes(job: AesJob, ciphertext: Bytes, tag: Bytes): Promise<Bytes | undefined> {
  check(job)
  const mode = modeOf(job.mode)
  if (mode.kind === 'authenticated') {
    if (tag.length !== job.tagBytes) throw new RangeError(`expected a tag of ${job.tagBytes} bytes, got ${tag.length}`)
    if (ciphertext.length >= NATIVE_BYTES && hasNative(job)) return decryptNative(job, ciphertext, tag)
    return mode.aead.open({ ...job, nonce: job.iv }, ciphertext, tag)
  }
  if (mode.kind === 'stream') {
    return ciphertext.length >= NATIVE_BYTES && hasNative(job)
      ? decryptNative(job, ciphertext, tag)
      : mode.decrypt(job, ciphertext)
  }
  checkWholeBlocks(ciphertext.length, AES_BLOCK_BYTES, job.padding)
  const native =
    ciphertext.length >= NATIVE_BYTES && hasNative(job) ? await decryptNative(job, ciphertext, tag) : undefined
  return native ?? unpad(job.padding, mode.decrypt(job, ciphertext), AES_BLOCK_BYTES)
}

/** What the library's own modes throw for a wrong tag says no more than that. */
function whenGenuine(open: () => Bytes): Bytes | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
