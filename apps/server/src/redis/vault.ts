import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { deflateRaw, inflateRaw } from 'node:zlib'

/**
 * Values as they stand in Redis: whatever structured clone can carry (bytes, dates and large integers too), made small,
 * and encrypted under a key that takes the question to make, so that a copy of Redis tells neither question nor answer.
 */
export interface Vault {
  /** Undefined when the value is larger than the limit. */
  seal(value: unknown): Promise<Buffer | undefined>
  /** Undefined when this vault did not seal it. */
  open(bytes: Buffer): Promise<unknown>
}

const CIPHER = 'aes-256-gcm'
/** SP 800-38D §8.2.2: 96 random bits; a key lives as long as the one value under it. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

export function createVault(secret: string, question: string, maxBytes: number): Vault {
  const key = createHmac('sha256', secret).update(`value ${question}`).digest()
  return {
    async seal(value) {
      const plain = serialize(value)
      if (plain.length > maxBytes) return undefined
      const small = await deflate(plain)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      const sealed = [cipher.update(small), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
    },
    async open(bytes) {
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES)
        const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const small = [cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]
        return deserialize(await inflate(Buffer.concat(small), { maxOutputLength: maxBytes }))
      } catch {
        return undefined
      }
    },
  }
}
