import { type Bytes, concat } from '../bytes.ts'

/** Encrypts one block in place. */
export type EncryptBlock = (block: Uint8Array) => void

/** Output feedback: the cipher's output is its next input and is added to the text. NIST SP 800-38A §6.4. */
export function ofb(encrypt: EncryptBlock, iv: Uint8Array, text: Uint8Array): Bytes {
  const stream = concat(iv)
  const out = concat(text)
  for (let i = 0; i < out.length; i += stream.length) {
    encrypt(stream)
    for (let j = 0; j < stream.length && i + j < out.length; j++) out[i + j] = (out[i + j] ?? 0) ^ (stream[j] ?? 0)
  }
  return out
}

/** Cipher feedback with segments of eight bits: one block for every byte. NIST SP 800-38A §6.3. */
export function cfb8(encrypt: EncryptBlock, iv: Uint8Array, text: Uint8Array, way: 'encrypt' | 'decrypt'): Bytes {
  const register = concat(iv)
  const block = new Uint8Array(iv.length)
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    block.set(register)
    encrypt(block)
    const [byte, result] = [text[i] ?? 0, (text[i] ?? 0) ^ (block[0] ?? 0)]
    out[i] = result
    register.copyWithin(0, 1)
    register[register.length - 1] = way === 'encrypt' ? result : byte
  }
  return out
}
