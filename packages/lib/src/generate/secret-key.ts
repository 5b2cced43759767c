import { type Bytes, toBase64, toBase64Url, toHex } from '../bytes.ts'
import { encodeBase32 } from '../codec/base32.ts'

/** Random bytes as keys, and what the standards say of their length. */
export const keyFormats = ['Hex', 'Base64', 'Base64URL', 'Base32', 'C array', 'env'] as const
export type KeyFormat = (typeof keyFormats)[number]

export const keyPurposes = ['AES key', 'HMAC key', 'IV', 'salt', 'JWT secret', 'API token'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** What initialization vectors are for, by the length they have. */
export const vectorBits = {
  'AES in CBC, CTR, CFB or OFB mode': 128,
  'AES-GCM, AES-CCM or ChaCha20-Poly1305': 96,
  'XChaCha20-Poly1305': 192,
} as const

/** One key in a format; `name` is that of a constant, such as "AES_KEY". */
export function writeKey(bytes: Bytes, format: KeyFormat, name: string): string {
  switch (format) {
    case 'Hex':
      return toHex(bytes)
    case 'Base64':
      return toBase64(bytes)
    case 'Base64URL':
      return toBase64Url(bytes)
    case 'Base32':
      return encodeBase32(bytes, 'RFC4648', true)
    case 'C array':
      return cArray(bytes, name.toLowerCase())
    case 'env':
      return `${name}=${toHex(bytes)}`
  }
}

const BYTES_A_LINE = 8

function cArray(bytes: Bytes, name: string): string {
  const values = Array.from(bytes, byte => `0x${toHex(Uint8Array.of(byte))}`)
  const lines = Array.from({ length: Math.ceil(values.length / BYTES_A_LINE) }, (_, i) =>
    values.slice(i * BYTES_A_LINE, (i + 1) * BYTES_A_LINE).join(', '),
  )
  return `static const unsigned char ${name}[${bytes.length}] = {\n${lines.map(line => `    ${line},\n`).join('')}};`
}

export interface Fitness {
  fits: 'yes' | 'sometimes' | 'no'
  /** One sentence with its source. */
  because: string
}

/** Whether a length suits a purpose. */
export function judgeKeyLength(purpose: KeyPurpose, bits: number): Fitness {
  switch (purpose) {
    case 'AES key':
      return aesKey(bits)
    case 'HMAC key':
      return hmacKey(bits)
    case 'IV':
      return vector(bits)
    case 'salt':
      return { fits: 'yes', because: `NIST SP 800-132 §5.1 asks for at least 128 bits of salt.` }
    case 'JWT secret':
      return jwtSecret(bits)
    case 'API token':
      return { fits: 'yes', because: `${bits} random bits are beyond guessing, even with many tokens to hit.` }
  }
}

function aesKey(bits: number): Fitness {
  if (bits <= 256) return { fits: 'yes', because: `FIPS 197 §5: AES-${bits} has keys of ${bits} bits.` }
  const modes = bits === 512 ? 'AES-256-XTS (NIST SP 800-38E) and AES-SIV (RFC 5297)' : 'AES-SIV (RFC 5297)'
  return { fits: 'sometimes', because: `AES has no such key; ${modes} take it as two keys of ${bits / 2} bits.` }
}

/** RFC 2104 §3: a key shorter than the hash weakens it, one longer adds little. */
function hmacKey(bits: number): Fitness {
  if (bits < 256) {
    return { fits: 'sometimes', because: 'RFC 2104 §3 discourages keys shorter than the hash; SHA-256 has 256 bits.' }
  }
  return { fits: 'yes', because: `RFC 2104 §3: as long as the hash of HMAC-SHA-${bits}.` }
}

function vector(bits: number): Fitness {
  const [use] = Object.entries(vectorBits).find(([, length]) => length === bits) ?? []
  return use
    ? { fits: 'yes', because: `${bits} bits are what ${use} takes.` }
    : { fits: 'no', because: `No common mode takes an initialization vector of ${bits} bits; AES has blocks of 128.` }
}

/** RFC 7518 §3.2: a key of the same size as the hash output or larger must be used. */
function jwtSecret(bits: number): Fitness {
  if (bits < 256) return { fits: 'no', because: 'RFC 7518 §3.2 asks for at least 256 bits, even for HS256.' }
  const algorithms = { 256: 'HS256', 384: 'HS256 and HS384' }[bits] ?? 'HS256, HS384 and HS512'
  return { fits: 'yes', because: `RFC 7518 §3.2: long enough for ${algorithms}.` }
}
