import { oidLabel } from '../asn1/oid-names.ts'
import { toPem } from '../asn1/pem.ts'
import { toBase64, toHex } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import { describeKey, keyBits } from '../key/fingerprint.ts'
import { signatureAlgorithmOf } from '../sign/verify.ts'
import type { Certificate } from './certificate.ts'
import { isSelfIssued, type Link } from './chain.ts'
import { altNamesOf, type Extension } from './extension.ts'
import { meaningOf } from './extension-meaning.ts'
import { isAuthority, judge, validityOf } from './judge.ts'
import { describeName, shortName } from './name.ts'
import { visible } from './text.ts'

/** Certificates as plain data: what the API answers and the page shows. */

export type CertificateReport = Awaited<ReturnType<typeof describeCertificate>>

export async function describeCertificate(certificate: Certificate, link: Link, now: Date) {
  const { whole, version, serial, subject, issuer, notBefore, notAfter, extensions, signature } = certificate
  return {
    title: shortName(subject),
    version,
    serial: serialHex(serial),
    serial_decimal: String(serial),
    subject: describeName(subject),
    issuer: describeName(issuer),
    validity: {
      not_before: notBefore.date.toISOString(),
      not_after: notAfter.date.toISOString(),
      ...validityOf(certificate, now),
    },
    names: altNamesOf(extensions) ?? [],
    is_authority: isAuthority(certificate),
    self_signed: selfSigned(certificate, link),
    public_key: describePublicKey(certificate),
    signature: {
      ...describeAlgorithm(certificate),
      value: toHex(signature.bytes),
      checked: link.signature.verdict,
      ...('reason' in link.signature && { reason: link.signature.reason }),
      issuer_index: link.issuer,
      issuer_faults: link.faults,
    },
    extensions: extensions.map(describeExtension),
    fingerprints: await fingerprintsOf(certificate),
    findings: await judge(certificate, now),
    bytes: whole.length,
    pem: toPem('CERTIFICATE', whole),
  }
}

/** As openssl x509 -serial prints it, in lower case. */
function serialHex(serial: bigint): string {
  const digits = (serial < 0n ? -serial : serial).toString(16)
  return `${serial < 0n ? '-' : ''}${digits.padStart(digits.length + (digits.length % 2), '0')}`
}

/** Same names at both ends are a claim; only the signature makes it so. */
function selfSigned(certificate: Certificate, { issuer, signature }: Link): 'no' | 'yes' | 'unproven' {
  if (!isSelfIssued(certificate)) return 'no'
  return issuer !== null && signature.verdict === 'valid' ? 'yes' : 'unproven'
}

function describePublicKey({ key, keyProblem, keyInfo }: Certificate) {
  const algorithm = oidLabel(keyInfo.algorithm.oid)
  const head = { algorithm, oid: keyInfo.algorithm.oid, spki: toHex(keyInfo.whole) }
  if (!key) return { ...head, description: algorithm, problem: keyProblem ?? '' }
  const common = { ...head, type: key.type, bits: keyBits(key), description: describeKey(key) }
  switch (key.type) {
    case 'RSA':
      return { ...common, modulus: key.n.toString(16), exponent: String(key.e) }
    case 'EC':
      return { ...common, curve: key.curve, point: toHex(key.point) }
    case 'DSA':
      return { ...common, p: key.p.toString(16), q: key.q.toString(16), g: key.g.toString(16), y: key.y.toString(16) }
    default:
      return { ...common, point: toHex(key.bytes) }
  }
}

function describeAlgorithm({ algorithm }: Certificate) {
  const { oid, name, scheme, hash, pss } = signatureAlgorithmOf(algorithm)
  return {
    algorithm: name,
    oid,
    ...(scheme && { scheme }),
    ...(hash && { hash }),
    ...(pss && { salt_bytes: pss.saltBytes, mgf_hash: pss.mgfHash ?? pss.hash }),
  }
}

function describeExtension(extension: Extension) {
  const { oid, name, critical, bytes } = extension
  const { title, meaning, value, lines, problem } = meaningOf(extension)
  return {
    oid,
    name,
    title,
    critical,
    ...(meaning && { meaning }),
    ...(value !== undefined && { value }),
    lines: lines.map(visible),
    ...(problem && { problem }),
    hex: toHex(bytes),
  }
}

async function fingerprintsOf({ whole, keyInfo }: Certificate) {
  const [sha1, sha256, spki] = await Promise.all([
    digest('SHA-1', whole),
    digest('SHA-256', whole),
    digest('SHA-256', keyInfo.whole),
  ])
  return { sha1: toHex(sha1), sha256: toHex(sha256), spki_sha256: toHex(spki), pin_sha256: toBase64(spki) }
}
