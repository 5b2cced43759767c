import { ghash } from '@noble/ciphers/_polyval.js'
import { unsafe } from '@noble/ciphers/aes.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import type { Aead, AeadParameters } from './aead.ts'

/**
 * Galois/Counter Mode over AES with a nonce of any length but zero and a tag cut to any length. NIST SP 800-38D.
 * The library's own GCM takes neither nonces under eight bytes nor short tags, so only its parts are used.
 */
export const gcm: Aead = {
  seal(parameters, plaintext) {
    const { xk, hashKey, j0 } = start(parameters)
    const ciphertext = unsafe.ctr32(xk, false, increment32(j0), concat(plaintext))
    return { ciphertext, tag: tagOf(parameters, { xk, hashKey, j0 }, ciphertext) }
  },
  open(parameters, ciphertext, tag) {
    const state = start(parameters)
    if (!equalBytes(tag, tagOf(parameters, state, ciphertext))) return undefined
    return unsafe.ctr32(state.xk, false, increment32(state.j0), concat(ciphertext))
  },
}

interface State {
  xk: Uint32Array<ArrayBuffer>
  hashKey: Bytes
  /** The pre-counter block. */
  j0: Bytes
}

function start({ key, nonce }: AeadParameters): State {
  const xk = unsafe.expandKeyLE(key)
  const hashKey = unsafe.encryptBlock(xk, new Uint8Array(16))
  return { xk, hashKey, j0: preCounterBlock(hashKey, nonce) }
}

/** SP 800-38D §7.1, step 2. */
function preCounterBlock(hashKey: Bytes, nonce: Bytes): Bytes {
  if (nonce.length === 12) return concat(nonce, Uint8Array.of(0, 0, 0, 1))
  return ghash(concat(inBlocks(nonce), lengths(0, nonce.length)), hashKey)
}

/** SP 800-38D §7.1, steps 4 to 6. */
function tagOf({ aad, tagBytes }: AeadParameters, { xk, hashKey, j0 }: State, ciphertext: Bytes): Bytes {
  const s = ghash(concat(inBlocks(aad), inBlocks(ciphertext), lengths(aad.length, ciphertext.length)), hashKey)
  return unsafe.ctr32(xk, false, concat(j0), s).slice(0, tagBytes)
}

const inBlocks = (bytes: Uint8Array) => concat(bytes, new Uint8Array((16 - (bytes.length % 16)) % 16))

/** Two lengths in bits, 64 bits each. */
function lengths(first: number, second: number): Bytes {
  const block = new Uint8Array(16)
  const view = new DataView(block.buffer)
  view.setBigUint64(0, BigInt(first) * 8n)
  view.setBigUint64(8, BigInt(second) * 8n)
  return block
}

/** SP 800-38D §6.2: the last 32 bits count, the others stay. */
function increment32(block: Bytes): Bytes {
  const next = concat(block)
  const view = new DataView(next.buffer)
  view.setUint32(12, (view.getUint32(12) + 1) >>> 0)
  return next
}
