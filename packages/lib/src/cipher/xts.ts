import { ecb } from '@noble/ciphers/aes.js'
import { type Bytes, concat, fromHex } from '../bytes.ts'

/** XTS-AES, the mode for storage: IEEE 1619-2018 §5, NIST SP 800-38E. */
const BLOCK_BYTES = 16
/** Two AES keys of equal length. IEEE 1619 has 128 and 256 bits; 192 is what some libraries add. */
const KEY_BYTES = [32, 48, 64]
/** SP 800-38E §4: a data unit has at most 2^20 blocks. */
export const MAX_XTS_BYTES = 2 ** 20 * BLOCK_BYTES
const unpadded = { disablePadding: true }

export function checkXtsKey(key: Uint8Array): void {
  if (!KEY_BYTES.includes(key.length)) throw new RangeError(`expected 32, 48 or 64 bytes, got ${key.length}`)
  const half = key.length / 2
  // The implementation guidance of FIPS 140-3 asks for this: with equal halves a chosen ciphertext betrays the tweak.
  if (key.subarray(0, half).every((byte, i) => byte === key[half + i])) {
    throw new RangeError('expected two different halves, and they are equal')
  }
}

export function checkXtsText(text: Uint8Array): void {
  if (text.length < BLOCK_BYTES || text.length > MAX_XTS_BYTES) {
    throw new RangeError(`expected ${BLOCK_BYTES} to ${MAX_XTS_BYTES} bytes, got ${text.length}`)
  }
}

export const tweakFormats = ['Automatic', 'Number', 'Hex'] as const
export type TweakFormat = (typeof tweakFormats)[number]

/**
 * A tweak as it is typed: the number of a data unit, whose 16 bytes begin with the lowest (IEEE 1619 §5.1), or the bytes in
 * hexadecimal, with zeros behind them where they are fewer. Automatic takes decimal digits for a number unless they are
 * 32, which is how all bytes are written.
 */
export function readTweak(text: string, format: TweakFormat): Bytes {
  const typed = text.trim()
  const isNumber =
    format === 'Number' || (format === 'Automatic' && /^\d+$/.test(typed) && typed.length !== 2 * BLOCK_BYTES)
  if (isNumber) return tweakOfNumber(typed)
  const bytes = fromHex(typed.replace(/^0x/i, ''))
  if (bytes.length < 1 || bytes.length > BLOCK_BYTES) {
    throw new RangeError(`expected a number, or 1 to ${BLOCK_BYTES} bytes in hexadecimal, got ${bytes.length} bytes`)
  }
  return concat(bytes, new Uint8Array(BLOCK_BYTES - bytes.length))
}

function tweakOfNumber(digits: string): Bytes {
  if (!/^\d{1,39}$/.test(digits) || BigInt(digits) >= 1n << 128n) {
    throw new RangeError('expected a whole number from 0 to below 2^128')
  }
  return fromHex(
    BigInt(digits)
      .toString(16)
      .padStart(2 * BLOCK_BYTES, '0'),
  ).reverse()
}

interface XtsJob {
  key: Bytes
  /** 16 bytes. */
  tweak: Bytes
}

export function encryptXts(job: XtsJob, plaintext: Bytes): Bytes {
  const { crypt, tweaks, whole, rest } = start(job, plaintext, 'encrypt')
  const out = concat(crypt(plaintext.subarray(0, whole), tweaks), plaintext.subarray(whole))
  if (rest) {
    // §5.3.2: the last whole block of ciphertext lends its end to fill up the short one, and takes its place.
    const lent = out.slice(whole - BLOCK_BYTES, whole)
    const filled = concat(plaintext.subarray(whole), lent.subarray(rest))
    out.set(crypt(filled, tweaks.subarray(whole)), whole - BLOCK_BYTES)
    out.set(lent.subarray(0, rest), whole)
  }
  return out
}

export function decryptXts(job: XtsJob, ciphertext: Bytes): Bytes {
  const { crypt, tweaks, whole, rest } = start(job, ciphertext, 'decrypt')
  if (!rest) return crypt(ciphertext, tweaks)
  // §5.4.2: the last two tweaks change places.
  const before = whole - BLOCK_BYTES
  const out = concat(crypt(ciphertext.subarray(0, before), tweaks), ciphertext.subarray(before))
  const filled = crypt(ciphertext.subarray(before, whole), tweaks.subarray(whole))
  const lent = concat(ciphertext.subarray(whole), filled.subarray(rest))
  out.set(crypt(lent, tweaks.subarray(before)), before)
  out.set(filled.subarray(0, rest), whole)
  return out
}

function start({ key, tweak }: XtsJob, text: Bytes, way: 'encrypt' | 'decrypt') {
  checkXtsKey(key)
  checkXtsText(text)
  if (tweak.length !== BLOCK_BYTES)
    throw new RangeError(`expected a tweak of ${BLOCK_BYTES} bytes, got ${tweak.length}`)
  const half = key.length / 2
  const rest = text.length % BLOCK_BYTES
  const tweaks = tweaksFrom(ecb(key.slice(half), unpadded).encrypt(tweak), Math.ceil(text.length / BLOCK_BYTES))
  return {
    tweaks,
    rest,
    whole: text.length - rest,
    /** Whole blocks with a tweak each: all are added, all are encrypted, all are added again. */
    crypt(blocks: Uint8Array, tweaks: Uint8Array): Bytes {
      if (!blocks.length) return new Uint8Array()
      const out = ecb(key.slice(0, half), unpadded)[way](sum(blocks, tweaks))
      return sum(out, tweaks)
    },
  }
}

function sum(blocks: Uint8Array, tweaks: Uint8Array): Bytes {
  const out = new Uint8Array(blocks.length)
  for (let i = 0; i < out.length; i++) out[i] = (blocks[i] ?? 0) ^ (tweaks[i] ?? 0)
  return out
}

/** §5.2: each tweak is the one before times alpha, in the field of x^128 + x^7 + x^2 + x + 1, lowest byte first. */
function tweaksFrom(first: Uint8Array, count: number): Bytes {
  const tweaks = new Uint8Array(count * BLOCK_BYTES)
  tweaks.set(first)
  for (let i = BLOCK_BYTES; i < tweaks.length; i += BLOCK_BYTES) {
    let carry = 0
    for (let j = 0; j < BLOCK_BYTES; j++) {
      const byte = tweaks[i - BLOCK_BYTES + j] ?? 0
      tweaks[i + j] = (byte << 1) | carry
      carry = byte >> 7
    }
    if (carry) tweaks[i] = (tweaks[i] ?? 0) ^ 0x87
  }
  return tweaks
}
