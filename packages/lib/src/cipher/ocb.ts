import { unsafe } from '@noble/ciphers/aes.js'
import { type Bytes, concat, equalBytes } from '../bytes.ts'
import type { Aead, AeadParameters } from './aead.ts'

/** Offset Codebook Mode, its third version, over AES. RFC 7253. */
export const ocb: Aead = {
  seal(parameters, plaintext) {
    const { text, checksum, offset } = crypt(parameters, plaintext, 'encrypt')
    return { ciphertext: text, tag: tagOf(parameters, checksum, offset) }
  },
  open(parameters, ciphertext, tag) {
    const { text, checksum, offset } = crypt(parameters, ciphertext, 'decrypt')
    return equalBytes(tag, tagOf(parameters, checksum, offset)) ? text : undefined
  },
}

/** The offsets of a key: L_*, L_$ and L_0 onwards, each the double of the one before (§4.1). */
function offsetsOf(xk: Uint32Array<ArrayBuffer>) {
  const star = unsafe.encryptBlock(xk, new Uint8Array(16))
  const dollar = unsafe.dbl(concat(star))
  const numbered: Bytes[] = []
  return {
    star,
    dollar,
    /** L_i for block number `block`, counted from 1: i is the number of zero bits at its end. */
    of(block: number): Bytes {
      const i = 31 - Math.clz32(block & -block)
      while (numbered.length <= i) numbered.push(unsafe.dbl(concat(numbered.at(-1) ?? dollar)))
      return numbered[i] ?? dollar
    },
  }
}

/** §4.2, §4.3: the text block by block, with the checksum of the plaintext and the last offset. */
function crypt({ key, nonce, tagBytes }: AeadParameters, input: Bytes, way: 'encrypt' | 'decrypt') {
  const xk = unsafe.expandKeyLE(key)
  const offsets = offsetsOf(xk)
  const blockKey = way === 'encrypt' ? xk : unsafe.expandKeyDecLE(key)
  const transform = way === 'encrypt' ? unsafe.encryptBlock : unsafe.decryptBlock
  const offset = firstOffset(xk, nonce, tagBytes)
  const checksum = new Uint8Array(16)
  const out = new Uint8Array(input.length)
  const whole = input.length - (input.length % 16)
  for (let i = 0; i < whole; i += 16) {
    xorInto(offset, offsets.of(i / 16 + 1))
    const block = input.slice(i, i + 16)
    if (way === 'encrypt') xorInto(checksum, block)
    xorInto(block, offset)
    transform(blockKey, block)
    xorInto(block, offset)
    if (way === 'decrypt') xorInto(checksum, block)
    out.set(block, i)
  }
  if (whole < input.length) {
    xorInto(offset, offsets.star)
    const rest = input.slice(whole)
    const text = rest.slice()
    xorInto(text, unsafe.encryptBlock(xk, concat(offset)))
    out.set(text, whole)
    const plain = way === 'encrypt' ? rest : text
    xorInto(checksum, concat(plain, Uint8Array.of(0x80), new Uint8Array(15 - plain.length)))
  }
  return { text: out, checksum, offset }
}

/** §4.2, "Nonce-dependent and per-encryption variables". */
function firstOffset(xk: Uint32Array<ArrayBuffer>, nonce: Bytes, tagBytes: number): Bytes {
  const block = new Uint8Array(16)
  block.set(nonce, 16 - nonce.length)
  block[0] = (block[0] ?? 0) | (((tagBytes * 8) % 128) << 1)
  block[15 - nonce.length] = (block[15 - nonce.length] ?? 0) | 1
  const bottom = (block[15] ?? 0) & 63
  block[15] = (block[15] ?? 0) & 0xc0
  const ktop = unsafe.encryptBlock(xk, block)
  const stretch = concat(
    ktop,
    ktop.slice(0, 8).map((byte, i) => byte ^ (ktop[i + 1] ?? 0)),
  )
  const [skip, shift] = [bottom >> 3, bottom & 7]
  return Uint8Array.from({ length: 16 }, (_, i) => {
    const pair = ((stretch[i + skip] ?? 0) << 8) | (stretch[i + skip + 1] ?? 0)
    return (pair >> (8 - shift)) & 255
  })
}

function tagOf({ key, aad, tagBytes }: AeadParameters, checksum: Bytes, offset: Bytes): Bytes {
  const xk = unsafe.expandKeyLE(key)
  const offsets = offsetsOf(xk)
  const tag = concat(checksum)
  xorInto(tag, offset)
  xorInto(tag, offsets.dollar)
  unsafe.encryptBlock(xk, tag)
  xorInto(tag, hash(xk, offsets, aad))
  return tag.slice(0, tagBytes)
}

/** HASH(K, A) of §4.1. */
function hash(xk: Uint32Array<ArrayBuffer>, offsets: ReturnType<typeof offsetsOf>, aad: Bytes): Bytes {
  const [sum, offset] = [new Uint8Array(16), new Uint8Array(16)]
  const whole = aad.length - (aad.length % 16)
  for (let i = 0; i < aad.length; i += 16) {
    xorInto(offset, i < whole ? offsets.of(i / 16 + 1) : offsets.star)
    const block = new Uint8Array(16)
    block.set(aad.subarray(i, i + 16))
    if (i >= whole) block[aad.length - whole] = 0x80
    xorInto(block, offset)
    xorInto(sum, unsafe.encryptBlock(xk, block))
  }
  return sum
}

function xorInto(target: Bytes, other: Uint8Array): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) ^ (other[i] ?? 0)
}
