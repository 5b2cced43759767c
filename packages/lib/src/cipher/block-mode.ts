import { type Bytes, concat } from '../bytes.ts'
import type { BlockCipher, BlockEncryption } from './block-cipher.ts'
import { type Padding, pad, unpad } from './block-padding.ts'

/** The modes of operation of NIST SP 800-38A over any block cipher. */
export const blockModes = ['CBC', 'ECB', 'CFB', 'OFB', 'CTR'] as const
export type BlockMode = (typeof blockModes)[number]

/** One text to encrypt or decrypt. */
export interface BlockJob {
  cipher: BlockCipher
  mode: BlockMode
  /** Empty in ECB, else one block. */
  iv: Bytes
  /** CBC and ECB. */
  padding: Padding
}

/** Modes that take whole blocks, so that the text is padded. */
export const isPadded = (mode: BlockMode): boolean => mode === 'CBC' || mode === 'ECB'

/** How long the IV of a mode is. */
export const ivBytesOf = (mode: BlockMode, blockBytes: number): number => (mode === 'ECB' ? 0 : blockBytes)

export function checkBlockIv({ mode, iv, cipher }: Pick<BlockJob, 'mode' | 'iv' | 'cipher'>): void {
  const wanted = ivBytesOf(mode, cipher.blockBytes)
  if (iv.length !== wanted) throw new RangeError(`expected ${wanted} bytes, got ${iv.length}`)
}

/** `random` fills the padding of ISO 10126. */
export function encryptBlocks(job: BlockJob, plaintext: Bytes, random: (length: number) => Uint8Array): Bytes {
  checkBlockIv(job)
  const { cipher, mode, iv, padding } = job
  switch (mode) {
    case 'ECB':
      return eachBlock(pad(padding, plaintext, cipher.blockBytes, random), cipher, 'encrypt')
    case 'CBC':
      return chain(pad(padding, plaintext, cipher.blockBytes, random), cipher, iv)
    case 'CFB':
      return cfb(cipher, iv, plaintext, 'encrypt')
    case 'OFB':
      return ofb(cipher, iv, plaintext)
    case 'CTR':
      return ctr(cipher, iv, plaintext)
  }
}

/** RangeError when the ciphertext cannot be one, or when the padding is not where it should be. */
export function decryptBlocks(job: BlockJob, ciphertext: Bytes): Bytes {
  checkBlockIv(job)
  const { cipher, mode, iv, padding } = job
  if (isPadded(mode)) checkWholeBlocks(ciphertext.length, cipher.blockBytes, padding)
  switch (mode) {
    case 'ECB':
      return unpad(padding, eachBlock(concat(ciphertext), cipher, 'decrypt'), cipher.blockBytes)
    case 'CBC':
      return unpad(padding, unchain(ciphertext, cipher, iv), cipher.blockBytes)
    case 'CFB':
      return cfb(cipher, iv, ciphertext, 'decrypt')
    case 'OFB':
      return ofb(cipher, iv, ciphertext)
    case 'CTR':
      return ctr(cipher, iv, ciphertext)
  }
}

/** Of a ciphertext: whole blocks, and at least one where the padding has added something. */
export function checkWholeBlocks(length: number, blockBytes: number, padding: Padding): void {
  if (length % blockBytes || (!length && padding !== 'None' && padding !== 'Zero')) {
    throw new RangeError(`expected whole blocks of ${blockBytes} bytes, got ${length} bytes`)
  }
}

/** Electronic codebook, §6.1, in place. */
function eachBlock(text: Bytes, cipher: BlockCipher, way: 'encrypt' | 'decrypt'): Bytes {
  for (let i = 0; i < text.length; i += cipher.blockBytes) cipher[way](text, i)
  return text
}

/** Cipher block chaining, §6.2, in place: every block is added to the ciphertext before it. */
function chain(text: Bytes, cipher: BlockCipher, iv: Bytes): Bytes {
  const size = cipher.blockBytes
  for (let i = 0; i < text.length; i += size) {
    if (i === 0) add(text, 0, iv, 0, size)
    else add(text, i, text, i - size, size)
    cipher.encrypt(text, i)
  }
  return text
}

function unchain(ciphertext: Bytes, cipher: BlockCipher, iv: Bytes): Bytes {
  const size = cipher.blockBytes
  const text = concat(ciphertext)
  for (let i = 0; i < text.length; i += size) {
    cipher.decrypt(text, i)
    if (i === 0) add(text, 0, iv, 0, size)
    else add(text, i, ciphertext, i - size, size)
  }
  return text
}

/** Adds `count` bytes of `other` to those of `target`, without carry. */
function add(target: Uint8Array, at: number, other: Uint8Array, from: number, count: number): void {
  for (let j = 0; j < count; j++) target[at + j] = (target[at + j] ?? 0) ^ (other[from + j] ?? 0)
}

/** Cipher feedback with segments of a whole block, §6.3; the last one may be short. */
export function cfb(cipher: BlockEncryption, iv: Uint8Array, text: Uint8Array, way: 'encrypt' | 'decrypt'): Bytes {
  const size = cipher.blockBytes
  const register = concat(iv)
  const out = concat(text)
  const ciphertext = way === 'encrypt' ? out : text
  for (let i = 0; i < out.length; i += size) {
    cipher.encrypt(register, 0)
    const count = Math.min(size, out.length - i)
    add(out, i, register, 0, count)
    for (let j = 0; j < count; j++) register[j] = ciphertext[i + j] ?? 0
  }
  return out
}

/** Cipher feedback with segments of eight bits, §6.3: one block for every byte. */
export function cfb8(cipher: BlockEncryption, iv: Uint8Array, text: Uint8Array, way: 'encrypt' | 'decrypt'): Bytes {
  const register = concat(iv)
  const block = new Uint8Array(iv.length)
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    block.set(register)
    cipher.encrypt(block, 0)
    const [byte, result] = [text[i] ?? 0, (text[i] ?? 0) ^ (block[0] ?? 0)]
    out[i] = result
    register.copyWithin(0, 1)
    register[register.length - 1] = way === 'encrypt' ? result : byte
  }
  return out
}

/** Output feedback, §6.4: the cipher's output is its next input and is added to the text. */
export function ofb(cipher: BlockEncryption, iv: Uint8Array, text: Uint8Array): Bytes {
  const stream = concat(iv)
  const out = concat(text)
  for (let i = 0; i < out.length; i += stream.length) {
    cipher.encrypt(stream, 0)
    add(out, i, stream, 0, Math.min(stream.length, out.length - i))
  }
  return out
}

/** Counter mode, §6.5, with all bits of the block counting (§B.1). */
export function ctr(cipher: BlockEncryption, iv: Uint8Array, text: Uint8Array): Bytes {
  const size = cipher.blockBytes
  const counter = concat(iv)
  const block = new Uint8Array(size)
  const out = concat(text)
  for (let i = 0; i < out.length; i += size) {
    block.set(counter)
    cipher.encrypt(block, 0)
    add(out, i, block, 0, Math.min(size, out.length - i))
    for (let j = size - 1; j >= 0; j--) {
      const next = ((counter[j] ?? 0) + 1) & 255
      counter[j] = next
      if (next) break
    }
  }
  return out
}
