import { type Bytes, concat } from '../bytes.ts'

/** RC4, as in RFC 6229 and draft-kaukonen-cipher-arcfour-03: a key of 1 to 256 bytes. */
export const MAX_RC4_KEY_BYTES = 256
/** Bytes of the key stream to leave out; RFC 4345 leaves out 1536. */
export const MAX_RC4_DROP_BYTES = 2 ** 20

/** Adds the key stream to the text, after its first `drop` bytes; the same way encrypts and decrypts. */
export function rc4(key: Uint8Array, text: Uint8Array, drop = 0): Bytes {
  if (key.length < 1 || key.length > MAX_RC4_KEY_BYTES) {
    throw new RangeError(`expected 1 to ${MAX_RC4_KEY_BYTES} bytes, got ${key.length}`)
  }
  const state = schedule(key)
  const out = concat(text)
  let [i, j] = [0, 0]
  for (let n = -drop; n < out.length; n++) {
    i = (i + 1) & 255
    const a = state[i] ?? 0
    j = (j + a) & 255
    const b = state[j] ?? 0
    state[i] = b
    state[j] = a
    if (n >= 0) out[n] = (out[n] ?? 0) ^ (state[(a + b) & 255] ?? 0)
  }
  return out
}

function schedule(key: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  let j = 0
  for (let i = 0; i < 256; i++) {
    const a = state[i] ?? 0
    j = (j + a + (key[i % key.length] ?? 0)) & 255
    state[i] = state[j] ?? 0
    state[j] = a
  }
  return state
}
