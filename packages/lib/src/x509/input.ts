import { parseDer, Reader } from '../asn1/der.ts'
import { tags } from '../asn1/element.ts'
import { looksLikePem, parsePem } from '../asn1/pem.ts'
import { type Bytes, fromBase64, fromPastedHex, isPastedHex, toUtf8 } from '../bytes.ts'

/** Certificates in what people paste or choose: PEM, or DER as bytes, in Base64 or in hexadecimal. */

/** Certificates of one input; a bundle of all roots has about 150. */
export const MAX_CERTIFICATES = 200

const CERTIFICATE_LABELS = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']

/** What other blocks are, by their label. RFC 7468. */
const otherLabels: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/CERTIFICATE REQUEST$/, 'a certificate request (CSR), which `openssl req -noout -text` shows'],
  [/CRL$/, 'a revocation list (CRL), which `openssl crl -noout -text` shows'],
  [
    /^(?:PKCS7|PKCS #7 SIGNED DATA|CMS)$/,
    'a PKCS #7 bundle, out of which `openssl pkcs7 -print_certs` takes the certificates',
  ],
  [/PRIVATE KEY$/, 'a private key, and the certificate is another block'],
  [/PUBLIC KEY$/, 'a public key alone, without a certificate around it'],
  [/^PGP/, 'an OpenPGP block, which is no X.509 certificate'],
]

/** The DER of every certificate in a text, in order. */
export function certificatesInText(text: string): Bytes[] {
  const trimmed = text.trim()
  if (!trimmed) throw new RangeError('there is nothing in it')
  if (/-----BEGIN PGP /.test(trimmed)) throw notCertificate('PGP')
  if (looksLikePem(trimmed)) return fromPem(trimmed)
  return [fromDer(isPastedHex(trimmed) ? fromPastedHex(trimmed) : base64Of(trimmed))]
}

/** The DER of every certificate in a file, which may be binary or text. */
export function certificatesInFile(bytes: Bytes): Bytes[] {
  if (!bytes.length) throw new RangeError('the file is empty')
  // 30 is the SEQUENCE that DER begins with, and the digit 0 in text; a long length tells them apart.
  if (bytes[0] === 0x30 && ((bytes[1] ?? 0) > 0x7f || bytes.length === (bytes[1] ?? 0) + 2)) return [fromDer(bytes)]
  if (bytes[0] === 0xfe && bytes[1] === 0xed)
    throw new RangeError('this is a Java keystore, out of which `keytool -exportcert -rfc` takes a certificate')
  let text: string
  try {
    text = toUtf8(bytes)
  } catch (cause) {
    throw new RangeError('the file is neither DER nor text', { cause })
  }
  return certificatesInText(text.replace(/^\ufeff/, ''))
}

function fromPem(text: string): Bytes[] {
  const blocks = parsePem(text)
  const found = blocks.filter(({ label }) => CERTIFICATE_LABELS.includes(label))
  if (!found.length) throw notCertificate(blocks[0]?.label ?? '')
  if (found.length > MAX_CERTIFICATES)
    throw new RangeError(`expected at most ${MAX_CERTIFICATES} certificates, got ${found.length}`)
  return found.map(({ label, bytes }) => (label === 'TRUSTED CERTIFICATE' ? firstElement(bytes) : fromDer(bytes)))
}

function notCertificate(label: string): RangeError {
  const what = otherLabels.find(([pattern]) => pattern.test(label))?.[1] ?? `a block of ${label}, not a certificate`
  return new RangeError(`this is ${what}`)
}

/** OpenSSL's TRUSTED CERTIFICATE has notes of its own after the certificate. */
const firstElement = (bytes: Bytes): Bytes => Uint8Array.from(new Reader(bytes).next('the certificate').whole)

function base64Of(text: string): Bytes {
  try {
    return fromBase64(text)
  } catch (cause) {
    throw new RangeError('this is no certificate in PEM, and no DER in Base64 or hexadecimal', { cause })
  }
}

/** DER that is a certificate by its structure; what else it may be is said. */
function fromDer(bytes: Bytes): Bytes {
  const parts = new Reader(parseDer(bytes).whole).sequence('the certificate').rest('a part of the certificate')
  const shape = parts.map(({ tagClass, tag }) => (tagClass === 'universal' ? tag : `[${tag}]`)).join(' ')
  if (shape === `${tags.objectIdentifier} [0]`) throw notCertificate('PKCS7')
  if (shape === '2 16' || shape === '2 16 16')
    throw new RangeError('this is a PKCS #12 file, out of which `openssl pkcs12 -nokeys` takes the certificates')
  if (/^2 16 4\b/.test(shape) || /^2 2\b/.test(shape) || /^2 4\b/.test(shape)) throw notCertificate('PRIVATE KEY')
  if (shape === '16 3') throw notCertificate('PUBLIC KEY')
  const [body] = parts
  if (shape !== '16 16 3' || !body) throw new RangeError('this is DER, but no certificate')
  const inside = Reader.inside(body)
    .rest('a part of the certificate')
    .map(({ tagClass, tag }) => (tagClass === 'universal' ? tag : `[${tag}]`))
    .join(' ')
  if (/^2 16 16 \[0\]/.test(inside)) throw notCertificate('CERTIFICATE REQUEST')
  if (/^(?:2 )?16 16 (?:23|24)\b/.test(inside)) throw notCertificate('CRL')
  return bytes
}
