import { der } from '../asn1/write.ts'
import { type Bytes, concat } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import type { PrivateKey, PublicKey } from '../key/key.ts'
import { keyOctets, writeSpki } from '../key/spki.ts'
import { signerFor } from '../sign/signer.ts'
import { type AltName, writeAltNames } from './alt-name.ts'
import { extensionOids } from './extension.ts'
import { keyUsages } from './extension-value.ts'

/** New certificates (RFC 5280 §4) and certificate requests (RFC 2986 §4). */

type KeyUsage = (typeof keyUsages)[number]
export type Role = 'Server' | 'Authority'

export interface CertificatePlan {
  key: PrivateKey
  publicKey: PublicKey
  /** The DER of the name, which is subject and issuer at once. */
  subject: Bytes
  altNames: readonly AltName[]
  role: Role
  notBefore: Date
  notAfter: Date
}

/** CA/B Forum Baseline Requirements §7.1 asks for 64 random bits at least; RFC 5280 §4.1.2.2 allows 20 octets. */
const SERIAL_BYTES = 16
const OID_SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const OID_EXTENSION_REQUEST = '1.2.840.113549.1.9.14'

/** A self-signed certificate, version 3. */
export async function createSelfSigned(plan: CertificatePlan, random: (length: number) => Bytes): Promise<Bytes> {
  const { key, publicKey, subject, notBefore, notAfter } = plan
  const signer = signerFor(key)
  const body = der.sequence(
    der.explicit(0, der.integer(2)),
    der.integer(serialNumber(random)),
    signer.algorithm,
    subject,
    der.sequence(der.time(notBefore), der.time(notAfter)),
    subject,
    writeSpki(publicKey),
    der.explicit(3, der.sequence(...(await extensionsOf(plan)))),
  )
  return der.sequence(body, signer.algorithm, der.bitString(await signer.sign(body)))
}

/** Positive, and always of the same length: the second highest bit is set. */
function serialNumber(random: (length: number) => Bytes): bigint {
  const bytes = random(SERIAL_BYTES)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.reduce((number, octet) => number * 256n + BigInt(octet), 0n)
}

async function extensionsOf({ publicKey, altNames, role, subject }: CertificatePlan): Promise<Bytes[]> {
  const authority = role === 'Authority'
  const identifier = await keyIdentifierOf(publicKey)
  const oids = extensionOids
  return [
    extension(oids.basicConstraints, der.sequence(...(authority ? [der.boolean(true)] : [])), 'critical'),
    extension(oids.keyUsage, der.namedBits(usagesOf(publicKey, role).map(name => keyUsages.indexOf(name))), 'critical'),
    ...(authority ? [] : [extension(oids.extKeyUsage, der.sequence(der.oid(OID_SERVER_AUTH)))]),
    extension(oids.subjectKeyIdentifier, der.octetString(identifier)),
    extension(oids.authorityKeyIdentifier, der.sequence(der.implicit(0, identifier))),
    ...altNameExtension(altNames, subject),
  ]
}

/** RFC 5280 §4.2.1.2, the first of its two ways. */
export const keyIdentifierOf = (key: PublicKey): Promise<Bytes> => digest('SHA-1', keyOctets(key))

/** RFC 5280 §4.2.1.3; keyEncipherment is for the key exchange with RSA that ended with TLS 1.2. */
function usagesOf({ type }: PublicKey, role: Role): KeyUsage[] {
  if (role === 'Authority') return ['digitalSignature', 'keyCertSign', 'cRLSign']
  return type === 'RSA' ? ['digitalSignature', 'keyEncipherment'] : ['digitalSignature']
}

/** RFC 5280 §4.2.1.6: critical where it is all there is to go by. */
const altNameExtension = (names: readonly AltName[], subject: Bytes): Bytes[] =>
  names.length
    ? [extension(extensionOids.subjectAltName, writeAltNames(names), subject.length === 2 ? 'critical' : undefined)]
    : []

const extension = (oid: string, value: Bytes, critical?: 'critical'): Bytes =>
  der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value))

export interface RequestPlan {
  key: PrivateKey
  publicKey: PublicKey
  subject: Bytes
  altNames: readonly AltName[]
}

/** A certificate request; the names are asked for by extensionRequest (RFC 2985 §5.4.2). */
export async function createRequest({ key, publicKey, subject, altNames }: RequestPlan): Promise<Bytes> {
  const signer = signerFor(key)
  const extensions = altNameExtension(altNames, subject)
  const attributes = extensions.length
    ? [der.sequence(der.oid(OID_EXTENSION_REQUEST), der.setOf(der.sequence(...extensions)))]
    : []
  const body = der.sequence(
    der.integer(0),
    subject,
    writeSpki(publicKey),
    der.implicitConstructed(0, concat(...attributes)),
  )
  return der.sequence(body, signer.algorithm, der.bitString(await signer.sign(body)))
}
