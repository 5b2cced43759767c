import { unsafe } from '@noble/ciphers/aes.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import type { Aead, AeadParameters } from './aead.ts'

/** Counter with CBC-MAC over AES. NIST SP 800-38C, RFC 3610. */
export const ccm: Aead = {
  seal(parameters, plaintext) {
    const tag = mac(parameters, plaintext)
    return { ciphertext: count(parameters, 1, plaintext), tag: count(parameters, 0, tag) }
  },
  open(parameters, ciphertext, tag) {
    checkLength(parameters, ciphertext.length)
    const plaintext = count(parameters, 1, ciphertext)
    return equalBytes(count(parameters, 0, tag), mac(parameters, plaintext)) ? plaintext : undefined
  },
}

/** Bytes left in a block for the length of the text, q in SP 800-38C. */
const lengthBytes = ({ nonce }: AeadParameters) => 15 - nonce.length

function checkLength(parameters: AeadParameters, length: number): void {
  const limit = 256 ** lengthBytes(parameters)
  if (length >= limit) {
    throw new RangeError(
      `expected fewer than ${limit} bytes with a nonce of ${parameters.nonce.length} bytes, got ${length}`,
    )
  }
}

/** SP 800-38C §A.2 and §6.1: CBC-MAC over the control block, the associated data and the text. */
function mac(parameters: AeadParameters, plaintext: Bytes): Bytes {
  checkLength(parameters, plaintext.length)
  const { key, nonce, aad, tagBytes } = parameters
  const q = lengthBytes(parameters)
  const flags = (aad.length ? 64 : 0) + 8 * ((tagBytes - 2) / 2) + (q - 1)
  const control = concat(Uint8Array.of(flags), nonce, bigEndian(plaintext.length, q))
  const data = concat(control, inBlocks(concat(prefix(aad.length), aad)), inBlocks(plaintext))
  const xk = unsafe.expandKeyLE(key)
  const state = new Uint8Array(16)
  for (let i = 0; i < data.length; i += 16) {
    for (let j = 0; j < 16; j++) state[j] = (state[j] ?? 0) ^ (data[i + j] ?? 0)
    unsafe.encryptBlock(xk, state)
  }
  return state.slice(0, tagBytes)
}

/** SP 800-38C §A.2.2: the length of the associated data, in two bytes or in six. */
function prefix(length: number): Bytes {
  if (length === 0) return new Uint8Array()
  return length < 0xff00 ? bigEndian(length, 2) : concat(Uint8Array.of(0xff, 0xfe), bigEndian(length, 4))
}

/** SP 800-38C §A.3: the text in counter mode from a given counter on. */
function count(parameters: AeadParameters, counter: number, text: Bytes): Bytes {
  const q = lengthBytes(parameters)
  const block = concat(Uint8Array.of(q - 1), parameters.nonce, bigEndian(counter, q))
  return unsafe.ctrCounter(unsafe.expandKeyLE(parameters.key), block, concat(text)) as Bytes
}

function bigEndian(value: number, length: number): Bytes {
  const bytes = new Uint8Array(length)
  for (let i = length - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

const inBlocks = (bytes: Uint8Array) => concat(bytes, new Uint8Array((16 - (bytes.length % 16)) % 16))
