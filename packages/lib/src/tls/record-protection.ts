import { type Bytes, concat, fromUtf8 } from '../bytes.ts'

/** Protected records of TLS 1.3, opened with a traffic secret. RFC 8446 §5.2, §5.3 and §7.3. */

/** RFC 8446 §B.4: hash function, bytes of the key, and the cipher. */
const ciphers = {
  4865: { hash: 'SHA-256', keyBytes: 16, kind: 'GCM' },
  4866: { hash: 'SHA-384', keyBytes: 32, kind: 'GCM' },
  4867: { hash: 'SHA-256', keyBytes: 32, kind: 'ChaCha20-Poly1305' },
} as const
const IV_BYTES = 12

export interface OpenedRecord {
  /** The content type that was hidden inside. */
  type: number
  content: Bytes
}

/** Opens the records of one direction, one after the other. */
export interface RecordOpener {
  /** undefined when the record does not belong to the secret. */
  open(header: Uint8Array, content: Uint8Array): OpenedRecord | undefined
}

/** undefined for a suite that is not opened here. */
export async function recordOpener(suite: number, secret: Uint8Array): Promise<RecordOpener | undefined> {
  const parameters = ciphers[suite as keyof typeof ciphers]
  if (!parameters) return undefined
  const [{ gcm }, { chacha20poly1305 }] = await Promise.all([
    import('@noble/ciphers/aes.js'),
    import('@noble/ciphers/chacha.js'),
  ])
  const key = await expandLabel(parameters.hash, secret, 'key', parameters.keyBytes)
  const iv = await expandLabel(parameters.hash, secret, 'iv', IV_BYTES)
  let sequence = 0n
  return {
    open(header, content) {
      const nonce = nonceOf(iv, sequence)
      const cipher = parameters.kind === 'GCM' ? gcm(key, nonce, header) : chacha20poly1305(key, nonce, header)
      let inner: Uint8Array
      try {
        inner = cipher.decrypt(content)
      } catch {
        return undefined
      }
      sequence++
      const end = inner.findLastIndex(octet => octet !== 0)
      return end < 0 ? undefined : { type: inner[end] ?? 0, content: Uint8Array.from(inner.subarray(0, end)) }
    },
  }
}

/** §5.3: the number of the record, exclusive or the initial vector. */
function nonceOf(iv: Uint8Array, sequence: bigint): Uint8Array {
  const nonce = Uint8Array.from(iv)
  for (let at = nonce.length - 1, rest = sequence; rest; at--, rest >>= 8n) {
    nonce[at] = (nonce[at] ?? 0) ^ Number(rest & 255n)
  }
  return nonce
}

/** HKDF-Expand-Label with an empty context: §7.1. */
export async function expandLabel(
  hash: 'SHA-256' | 'SHA-384',
  secret: Uint8Array,
  label: string,
  length: number,
): Promise<Bytes> {
  const [{ expand }, { sha256, sha384 }] = await Promise.all([
    import('@noble/hashes/hkdf.js'),
    import('@noble/hashes/sha2.js'),
  ])
  const name = fromUtf8(`tls13 ${label}`)
  const info = concat(Uint8Array.of(length >> 8, length & 255, name.length), name, Uint8Array.of(0))
  return Uint8Array.from(expand(hash === 'SHA-256' ? sha256 : sha384, secret, info, length))
}
