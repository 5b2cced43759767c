import { type Bytes, fromBase64, fromHex } from '../bytes.ts'

/** A hash as programs print it: hexadecimal, Base64, or the fingerprint of a key with the name of its function. */
export interface Fingerprint {
  bytes: Bytes
  /** The function, where the text or the length says it. */
  name?: string
}

const MIN_BYTES = 8
const MAX_BYTES = 128

/** Functions by the length of what they give; 32 and 64 bytes come from many. */
const names: Readonly<Record<number, string>> = { 16: 'MD5', 20: 'SHA1', 32: 'SHA256', 48: 'SHA384', 64: 'SHA512' }

/** Reads any of these forms; RangeError that says what was expected. */
export function parseFingerprint(text: string): Fingerprint {
  const value = text.trim()
  const [, label, rest = ''] = /^(MD5|SHA1|SHA256|SHA384|SHA512):(.*)$/s.exec(value) ?? []
  const bytes = label === 'MD5' ? fromHex(rest) : label ? fromBase64(rest) : plainBytes(value)
  if (label && names[bytes.length] !== label) {
    const expected = Object.entries(names).find(([, name]) => name === label)?.[0]
    throw new RangeError(`expected ${expected} bytes after ${label}:, got ${bytes.length}`)
  }
  if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
    throw new RangeError(`expected from ${MIN_BYTES} to ${MAX_BYTES} bytes, got ${bytes.length}`)
  }
  const name = label ?? names[bytes.length]
  return { bytes, ...(name && { name }) }
}

/** Digits of a hash could be Base64 as well; whoever writes only such digits means hexadecimal. */
function plainBytes(value: string): Bytes {
  const digits = value.replace(/^0x/i, '')
  return /^[0-9a-f:\s]*$/i.test(digits) ? fromHex(digits) : fromBase64(value)
}
