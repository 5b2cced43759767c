import { type Algorithm, readAlgorithm } from '../asn1/algorithm.ts'
import { parseSequence, type Reader } from '../asn1/der.ts'
import { tags } from '../asn1/element.ts'
import { toSignedOctets } from '../asn1/integer.ts'
import { type BitString, type Time, timeOf } from '../asn1/value.ts'
import { type Bytes, equalBytes } from '../bytes.ts'
import type { PublicKey } from '../key/key.ts'
import { publicKeyOfSpki, readSpki, type SubjectPublicKeyInfo } from '../key/spki.ts'
import { type Extension, readExtensions } from './extension.ts'
import { type Name, readName } from './name.ts'

/**
 * X.509 certificates. RFC 5280 §4.1. What breaks the structure is refused; what only breaks a rule of the profile is read, and
 * listed among the faults, because people bring exactly such certificates to be looked at.
 */
export interface Certificate {
  whole: Bytes
  /** The part that is signed. */
  signed: Bytes
  version: number
  serial: bigint
  /** Octets of the serial number, the one for the sign included. */
  serialBytes: number
  issuer: Name
  subject: Name
  notBefore: Time
  notAfter: Time
  keyInfo: SubjectPublicKeyInfo
  /** Left out for keys of kinds that are not known here, or that are broken. */
  key?: PublicKey
  /** Why there is no key. */
  keyProblem?: string
  extensions: Extension[]
  algorithm: Algorithm
  signature: BitString
  /** Clauses that start in lower case. */
  faults: string[]
}

/** Reads the DER of one certificate. */
export function parseCertificate(bytes: Bytes): Certificate {
  const outer = parseSequence(bytes, 'the certificate')
  const body = outer.peek()
  const reader = outer.sequence('the certificate')
  const algorithm = readAlgorithm(outer, 'the signature')
  const signature = outer.bitString('the signature')
  outer.end('the certificate')
  const faults: string[] = []
  const version = readVersion(reader, faults)
  const serial = reader.integer('the serial number')
  const inner = readAlgorithm(reader, 'the signature')
  if (!equalBytes(inner.whole, algorithm.whole)) {
    faults.push('the algorithm inside the signed part differs from the one beside the signature (RFC 5280 §4.1.1.2)')
  }
  const issuer = readName(reader, 'the issuer')
  const validity = reader.sequence('the validity')
  const notBefore = readTime(validity, 'the beginning of the validity', faults)
  const notAfter = readTime(validity, 'the end of the validity', faults)
  validity.end('the validity')
  const subject = readName(reader, 'the subject')
  const keyInfo = readSpki(reader)
  if (reader.context(1) && version < 2) faults.push('a unique identifier of the issuer needs version 2 or 3')
  if (reader.context(2) && version < 2) faults.push('a unique identifier of the subject needs version 2 or 3')
  const list = reader.explicit(3, 'the extensions')
  const extensions = list ? readExtensions(list, faults) : []
  if (extensions.length && version !== 3) faults.push(`extensions need version 3, and this is version ${version}`)
  reader.end('the signed part of the certificate')
  faults.push(...issuer.faults, ...subject.faults)
  return {
    whole: bytes,
    signed: body?.whole ?? new Uint8Array(),
    version,
    serial,
    serialBytes: toSignedOctets(serial).length,
    issuer,
    subject,
    notBefore,
    notAfter,
    keyInfo,
    ...keyOf(keyInfo),
    extensions,
    algorithm,
    signature,
    faults,
  }
}

function readVersion(reader: Reader, faults: string[]): number {
  const explicit = reader.explicit(0, 'the version')
  if (!explicit) return 1
  const version = explicit.smallInteger('the version') + 1
  explicit.end('the version')
  if (version === 1) faults.push('version 1 is written out, which DER leaves out')
  if (version > 3) faults.push(`version ${version} is not defined`)
  return version
}

function readTime(reader: Reader, what: string, faults: string[]): Time {
  const element = reader.next(what)
  const time = timeOf(element, what)
  if (time.fault) faults.push(`in ${what}, ${time.fault} (RFC 5280 §4.1.2.5)`)
  const year = time.date.getUTCFullYear()
  if (element.tag === tags.generalizedTime && year < 2050) {
    faults.push(`${what} is a GeneralizedTime before 2050, where UTCTime is due (RFC 5280 §4.1.2.5)`)
  }
  return time
}

/** A key that cannot be read does not keep anyone from reading the rest. */
function keyOf(info: SubjectPublicKeyInfo): Pick<Certificate, 'key' | 'keyProblem'> {
  try {
    return { key: publicKeyOfSpki(info) }
  } catch (error) {
    if (error instanceof RangeError) return { keyProblem: error.message }
    throw error
  }
}
