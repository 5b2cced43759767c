import type { Bytes } from '../bytes.ts'
import { PassphraseError } from './passphrase.ts'

/** The ciphers that lock keys, all of them in CBC mode, by the names of OpenSSL. RFC 8018 §B.2. */
export const cbcCiphers = {
  'AES-128-CBC': { keyBytes: 16, blockBytes: 16 },
  'AES-192-CBC': { keyBytes: 24, blockBytes: 16 },
  'AES-256-CBC': { keyBytes: 32, blockBytes: 16 },
  'DES-CBC': { keyBytes: 8, blockBytes: 8 },
  'DES-EDE3-CBC': { keyBytes: 24, blockBytes: 8 },
} as const
export type CbcCipher = keyof typeof cbcCiphers

export const isCbcCipher = (name: string): name is CbcCipher => Object.hasOwn(cbcCiphers, name)

export function checkCbcIv(cipher: CbcCipher, iv: Bytes): void {
  const { blockBytes } = cbcCiphers[cipher]
  if (iv.length !== blockBytes) {
    throw new RangeError(`the initialization vector has ${iv.length} bytes, not ${blockBytes}`)
  }
}

/** What was locked, without the padding of RFC 8018 §6.1.1; one that is not there means the passphrase is wrong. */
export async function decryptCbc(cipher: CbcCipher, key: Bytes, iv: Bytes, ciphertext: Bytes): Promise<Bytes> {
  checkCbcIv(cipher, iv)
  const { blockBytes } = cbcCiphers[cipher]
  if (!ciphertext.length || ciphertext.length % blockBytes) {
    throw new RangeError(`the encrypted part has ${ciphertext.length} bytes, which is not a number of blocks`)
  }
  const padded = await decryptUnpadded(cipher, key, iv, ciphertext)
  const count = padded[padded.length - 1] ?? 0
  const padding = padded.subarray(padded.length - Math.min(count, padded.length))
  if (count < 1 || count > blockBytes || padding.some(octet => octet !== count)) throw new PassphraseError('wrong')
  return Uint8Array.from(padded.subarray(0, padded.length - count))
}

async function decryptUnpadded(cipher: CbcCipher, key: Bytes, iv: Bytes, ciphertext: Bytes): Promise<Uint8Array> {
  if (cipher !== 'DES-CBC' && cipher !== 'DES-EDE3-CBC') {
    const { cbc } = await import('@noble/ciphers/aes.js')
    return cbc(key, iv, { disablePadding: true }).decrypt(ciphertext)
  }
  const [{ des, tripleDes }, { decryptBlocks }] = await Promise.all([
    import('../cipher/des.ts'),
    import('../cipher/block-mode.ts'),
  ])
  const setUp = cipher === 'DES-CBC' ? des : tripleDes
  return decryptBlocks({ cipher: setUp(key), mode: 'CBC', iv, padding: 'None' }, ciphertext)
}
