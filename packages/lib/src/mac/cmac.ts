import { cmac as aesCmac } from '@noble/ciphers/aes.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import type { BlockEncryption } from '../cipher/block-cipher.ts'
import { tripleDes } from '../cipher/des.ts'

/** The block cipher message authentication code. NIST SP 800-38B §6.2, RFC 4493 §2.4. */
export const cmacCiphers = ['AES', '3DES'] as const
export type CmacCipher = (typeof cmacCiphers)[number]

/** The lengths of an AES key in bytes. FIPS 197 §5. */
const AES_KEY_BYTES = [16, 24, 32]
/** NIST SP 800-38B §A.2: codes shorter than 64 bits need an analysis of their own. */
export const LEAST_CMAC_BYTES = 8

export function cmac(cipher: CmacCipher, key: Uint8Array, message: Uint8Array): Bytes {
  if (cipher === '3DES') return blockCmac(tripleDes(key), message)
  if (!AES_KEY_BYTES.includes(key.length)) throw new RangeError(`expected 16, 24 or 32 bytes, got ${key.length}`)
  return aesCmac(message, key) as Bytes
}

/** Over a cipher of 64-bit blocks. */
function blockCmac(cipher: BlockEncryption, message: Uint8Array): Bytes {
  const size = cipher.blockBytes
  const whole = message.length > 0 && message.length % size === 0
  const zero = new Uint8Array(size)
  cipher.encrypt(zero, 0)
  const first = doubled(zero)
  const mask = whole ? first : doubled(first)
  const text = whole ? concat(message) : concat(message, Uint8Array.of(0x80), new Uint8Array(size))
  const end = whole ? text.length : message.length - (message.length % size) + size
  const state = new Uint8Array(size)
  for (let i = 0; i < end; i += size) {
    const isLast = i + size === end
    for (let j = 0; j < size; j++) state[j] = (state[j] ?? 0) ^ (text[i + j] ?? 0) ^ (isLast ? (mask[j] ?? 0) : 0)
    cipher.encrypt(state, 0)
  }
  return state
}

/** SP 800-38B §5.3: R for blocks of 64 bits. */
const REDUCTION_64 = 0x1b

/** One bit to the left, and what falls out is folded back. §6.1 */
function doubled(block: Uint8Array): Bytes {
  const out = new Uint8Array(block.length)
  for (let i = 0; i < block.length; i++) out[i] = ((block[i] ?? 0) << 1) | ((block[i + 1] ?? 0) >> 7)
  if ((block[0] ?? 0) & 0x80) out[block.length - 1] = (out[block.length - 1] ?? 0) ^ REDUCTION_64
  return out
}

/** Whether a code is that of the message, whole or its beginning of 64 bits or more. NIST SP 800-38B §6.3. */
export function isCmac(code: Uint8Array, expected: Uint8Array): boolean {
  if (code.length > expected.length || code.length < LEAST_CMAC_BYTES) return false
  return equalBytes(code, expected.subarray(0, code.length))
}
