import { looksLikePem, parsePem } from '@assay/lib/asn1/pem'
import { type Bytes, fromBase64, fromPastedHex, isPastedHex } from '@assay/lib/bytes'

/** The bytes of a signature as people paste it: hexadecimal or Base64, but for JWS Base64url and nothing else. */
export function signatureBytes(text: string, format: string): Bytes {
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('please paste a signature')
  if (format === 'JWS') {
    // RFC 7515 §2: no padding, no white space, no other alphabet.
    if (!/^[A-Za-z0-9_-]*$/.test(trimmed)) throw new RangeError('a signature of JWS is Base64url without padding')
    return fromBase64(trimmed)
  }
  return isPastedHex(trimmed) ? fromPastedHex(trimmed) : fromBase64(trimmed)
}

export const signatureForms = ['auto', 'Base64', 'Hex', 'PEM'] as const
export type SignatureForm = (typeof signatureForms)[number]

/** The same in a form that is named, or in whichever it is in: PEM, hexadecimal, Base64. */
export function signatureIn(text: string, form: SignatureForm): Bytes {
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('please paste a signature')
  if (form === 'PEM' || (form === 'auto' && looksLikePem(trimmed))) {
    const [block, ...more] = parsePem(trimmed)
    if (!block || more.length) throw new RangeError('expected one block, and there are several')
    return block.bytes
  }
  if (form === 'auto') return signatureBytes(trimmed, 'any')
  return form === 'Hex' ? fromPastedHex(trimmed) : fromBase64(trimmed)
}
