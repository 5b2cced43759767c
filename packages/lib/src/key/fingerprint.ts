import { bitLength } from '../asn1/integer.ts'
import { fromUtf8, toBase64, toBase64Url, toHex } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import { curveOf } from './curves.ts'
import { writePublicJwk } from './jwk.ts'
import type { PublicKey } from './key.ts'
import { sshKeyType, writeSshBlob } from './openssh.ts'
import { writeSpki } from './spki.ts'

/** The names by which a public key is known; a way that has no form for this kind of key is left out. */
export interface Fingerprints {
  /** SHA-256 of SubjectPublicKeyInfo in hexadecimal. */
  spki_sha256: string
  /** The same in Base64: the pin of RFC 7469 §2.4. */
  pin_sha256: string
  /** As ssh-keygen -l prints it. */
  ssh_sha256?: string
  /** JWK thumbprint with SHA-256, RFC 7638 §3. */
  jwk_thumbprint?: string
}

/** All fingerprints of a key; EC points must be uncompressed. */
export async function fingerprints(key: PublicKey): Promise<Fingerprints> {
  const spki = await digest('SHA-256', writeSpki(key))
  const ssh = hasSshForm(key) ? await digest('SHA-256', writeSshBlob(key)) : undefined
  const jwk = hasJwkForm(key) ? await digest('SHA-256', fromUtf8(canonicalJwk(key))) : undefined
  return {
    spki_sha256: toHex(spki),
    pin_sha256: toBase64(spki),
    ...(ssh && { ssh_sha256: `SHA256:${toBase64(ssh).replace(/=+$/, '')}` }),
    ...(jwk && { jwk_thumbprint: toBase64Url(jwk) }),
  }
}

export const hasJwkForm = (key: PublicKey): boolean =>
  key.type !== 'DSA' && (key.type !== 'EC' || curveOf(key.curve).jose !== undefined)
export const hasSshForm = (key: PublicKey): boolean =>
  key.type === 'EC' ? curveOf(key.curve).ssh !== undefined : !key.type.startsWith('X') && sshKeyType(key) !== ''

/** RFC 7638 §3.2: the required members in the order of their names, without white space. */
function canonicalJwk(key: PublicKey): string {
  const entries = Object.entries(writePublicJwk(key)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}

/** Bits of a key as people state them: of the modulus, of the curve's field. */
export function keyBits(key: PublicKey): number {
  if (key.type === 'RSA') return bitLength(key.n)
  if (key.type === 'DSA') return bitLength(key.p)
  if (key.type === 'EC') return curveOf(key.curve).bits
  return { Ed25519: 256, X25519: 256, Ed448: 456, X448: 448 }[key.type]
}

/** "RSA, 2048 bits", "EC on P-256", "Ed25519". */
export function describeKey(key: PublicKey): string {
  if (key.type === 'EC') return `EC on ${key.curve}`
  return key.type === 'RSA' || key.type === 'DSA' ? `${key.type}, ${keyBits(key)} bits` : key.type
}
