import { cmac as aesCmac } from '@noble/ciphers/aes.js'
import { type Bytes, equalBytes } from '../bytes.ts'

/** The lengths of an AES key in bytes. FIPS 197 §5. */
const KEY_BYTES = [16, 24, 32]
/** NIST SP 800-38B §A.2: codes shorter than 64 bits need an analysis of their own. */
export const LEAST_CMAC_BYTES = 8

/** The block cipher message authentication code over AES. NIST SP 800-38B §6.2, RFC 4493 §2.4. */
export function cmac(key: Uint8Array, message: Uint8Array): Bytes {
  if (!KEY_BYTES.includes(key.length)) throw new RangeError(`expected 16, 24 or 32 bytes, got ${key.length}`)
  return aesCmac(message, key) as Bytes
}

/** Whether a code is that of the message, whole or its beginning of 64 bits or more. NIST SP 800-38B §6.3. */
export function isCmac(code: Uint8Array, expected: Uint8Array): boolean {
  if (code.length > expected.length || code.length < LEAST_CMAC_BYTES) return false
  return equalBytes(code, expected.subarray(0, code.length))
}
