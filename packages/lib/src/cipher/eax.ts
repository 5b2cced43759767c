import { cmac, ctr } from '@noble/ciphers/aes.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import type { Aead } from './aead.ts'

/** EAX over AES: counter mode under three CMACs. Bellare, Rogaway and Wagner, https://eprint.iacr.org/2003/069. */
export const eax: Aead = {
  seal({ key, nonce, aad, tagBytes }, plaintext) {
    const start = omac(key, 0, nonce)
    const ciphertext = ctr(key, start).encrypt(plaintext)
    return { ciphertext, tag: xor(start, omac(key, 1, aad), omac(key, 2, ciphertext)).slice(0, tagBytes) }
  },
  open({ key, nonce, aad, tagBytes }, ciphertext, tag) {
    const start = omac(key, 0, nonce)
    const expected = xor(start, omac(key, 1, aad), omac(key, 2, ciphertext)).slice(0, tagBytes)
    return equalBytes(tag, expected) ? ctr(key, start).decrypt(ciphertext) : undefined
  },
}

/** CMAC with a block in front that says which of the three it is. */
const omac = (key: Bytes, which: number, data: Bytes): Bytes =>
  cmac(concat(new Uint8Array(15), Uint8Array.of(which), data), key)

const xor = (a: Bytes, b: Bytes, c: Bytes): Bytes => a.map((byte, i) => byte ^ (b[i] ?? 0) ^ (c[i] ?? 0))
