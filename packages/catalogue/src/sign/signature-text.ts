import { type Bytes, fromBase64, fromHex } from '@assay/lib/bytes'

/** The bytes of a signature as people paste it: hexadecimal or Base64, but for JWS Base64url and nothing else. */
export function signatureBytes(text: string, format: string): Bytes {
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('please paste a signature')
  if (format === 'JWS') {
    // RFC 7515 §2: no padding, no white space, no other alphabet.
    if (!/^[A-Za-z0-9_-]*$/.test(trimmed)) throw new RangeError('a signature of JWS is Base64url without padding')
    return fromBase64(trimmed)
  }
  return /^(?:0x)?[0-9a-f\s:]+$/i.test(trimmed) ? fromHex(trimmed.replace(/^0x/i, '')) : fromBase64(trimmed)
}
