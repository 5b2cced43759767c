import { type Bytes, concat } from '../bytes.ts'
import type { AesJob } from './aes.ts'

/** Below this size a plain loop has finished before the platform's cipher has imported the key. */
export const NATIVE_BYTES = 2 ** 20

/** Chromium has no 192-bit keys and Node no GCM nonces under twelve bytes, so these stay with the plain loop. */
export const hasNative = ({ mode, key, iv, padding }: AesJob): boolean =>
  globalThis.crypto?.subtle !== undefined &&
  key.length !== 24 &&
  (mode === 'CTR' || (mode === 'GCM' && iv.length === 12) || (mode === 'CBC' && padding === 'PKCS7'))

/** The platform's cipher: GCM gives the tag at the end of the ciphertext. */
export async function encryptNative(job: AesJob, plaintext: Bytes): Promise<Bytes> {
  const key = await importKey(job, 'encrypt')
  return new Uint8Array(await crypto.subtle.encrypt(parametersOf(job), key, plaintext))
}

/** Undefined when the platform refuses the text: a wrong tag, or a broken padding. */
export async function decryptNative(job: AesJob, ciphertext: Bytes, tag: Bytes): Promise<Bytes | undefined> {
  const key = await importKey(job, 'decrypt')
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parametersOf(job), key, concat(ciphertext, tag)))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'OperationError') return undefined
    throw error
  }
}

const importKey = ({ mode, key }: AesJob, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', key, `AES-${mode}`, false, [use])

function parametersOf({ mode, iv, aad, tagBytes }: AesJob) {
  switch (mode) {
    case 'GCM':
      return { name: 'AES-GCM', iv, additionalData: aad, tagLength: tagBytes * 8 }
    case 'CTR':
      return { name: 'AES-CTR', counter: iv, length: 128 }
    default:
      return { name: 'AES-CBC', iv }
  }
}
