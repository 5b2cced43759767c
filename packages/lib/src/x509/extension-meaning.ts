import { type Bytes, toHex } from '../bytes.ts'
import type { Extension } from './extension.ts'
import {
  accesses,
  acmeIdentifier,
  altNames,
  anyText,
  authorityKeyIdentifier,
  authorityVersion,
  basicConstraints,
  certificateTemplate,
  distributionPoints,
  inhibitAnyPolicy,
  isNull,
  keyIdentifier,
  keyUsage,
  nameConstraints,
  netscapeType,
  plainNumber,
  policies,
  policyConstraints,
  policyMappings,
  purposes,
  qcStatements,
  securityIdentifier,
  timestamps,
  tlsFeature,
  usagePeriod,
  wholeHex,
} from './extension-value.ts'

/** What extensions mean, for people: a title, a sentence and lines for each of them. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

interface Row {
  /** As people call it. */
  title: string
  /** What it says, in one sentence. */
  meaning: string
  read(bytes: Bytes): Json
  /** The value in lines for people. */
  lines(bytes: Bytes): string[]
}

const row = <T extends Json>(
  title: string,
  meaning: string,
  read: (bytes: Bytes) => T,
  lines: (value: T) => string[],
): Row => ({
  title,
  meaning,
  read,
  lines: bytes => lines(read(bytes)),
})

const printed = (list: readonly { type: string; value: string }[]) => list.map(({ type, value }) => `${type}: ${value}`)
const keyUsageWords: Readonly<Record<string, string>> = {
  digitalSignature: 'digital signature',
  nonRepudiation: 'non-repudiation (content commitment)',
  keyEncipherment: 'key encipherment',
  dataEncipherment: 'data encipherment',
  keyAgreement: 'key agreement',
  keyCertSign: 'signing certificates',
  cRLSign: 'signing revocation lists',
  encipherOnly: 'encipher only',
  decipherOnly: 'decipher only',
}

/** TLS extensions that a server promises: RFC 7633 §4 with numbers of the IANA registry. */
const tlsFeatures: Readonly<Record<number, string>> = {
  5: 'status_request (OCSP must-staple)',
  17: 'status_request_v2',
}

const keyPurposes: Readonly<Record<string, string>> = {
  serverAuth: 'TLS server',
  clientAuth: 'TLS client',
  codeSigning: 'code signing',
  emailProtection: 'e-mail protection',
  timeStamping: 'timestamping',
  OCSPSigning: 'signing OCSP answers',
  anyExtendedKeyUsage: 'any purpose',
}

const present = () => ['present']
const flat = (list: readonly string[]) => [...list]

const rows: Readonly<Record<string, Row>> = {
  '2.5.29.14': row(
    'Subject key identifier',
    'A short name of the key in this certificate, to match it with others.',
    keyIdentifier,
    v => [v.key_identifier],
  ),
  '2.5.29.35': row('Authority key identifier', 'Which key signed this certificate.', authorityKeyIdentifier, v => [
    ...(v.key_identifier ? [`key ${v.key_identifier}`] : []),
    ...printed(v.issuer ?? []),
    ...(v.serial ? [`serial number ${v.serial}`] : []),
  ]),
  '2.5.29.15': row('Key usage', 'What the key may do.', keyUsage, v => v.map(name => keyUsageWords[name] ?? name)),
  '2.5.29.37': row('Extended key usage', 'What the certificate may be used for.', purposes, v =>
    v.map(({ name }) => keyPurposes[name] ?? name),
  ),
  '2.5.29.16': row(
    'Private key usage period',
    'When the private key may sign; today nobody reads it.',
    usagePeriod,
    v => [`${v.not_before ?? '…'} to ${v.not_after ?? '…'}`],
  ),
  '2.5.29.17': row(
    'Subject alternative name',
    'The names the certificate is for. Browsers look here and nowhere else.',
    altNames,
    printed,
  ),
  '2.5.29.18': row('Issuer alternative name', 'Further names of the issuer.', altNames, printed),
  '2.5.29.19': row(
    'Basic constraints',
    'Whether the certificate may sign others, and how many may follow it.',
    basicConstraints,
    v => [
      v.ca
        ? `certificate authority${v.path_length === null ? '' : `, at most ${v.path_length} more below it`}`
        : 'not a certificate authority',
    ],
  ),
  '2.5.29.30': row('Name constraints', 'The names that certificates below this one may have.', nameConstraints, v => [
    ...printed(v.permitted).map(name => `permitted ${name}`),
    ...printed(v.excluded).map(name => `excluded ${name}`),
  ]),
  '2.5.29.31': row('CRL distribution points', 'Where the list of revoked certificates is.', distributionPoints, v =>
    v.flatMap(point => [...printed(point.names), ...point.reasons, ...printed(point.issuer)]),
  ),
  '2.5.29.46': row('Freshest CRL', 'Where the newest changes to the revocation list are.', distributionPoints, v =>
    v.flatMap(point => printed(point.names)),
  ),
  '2.5.29.32': row('Certificate policies', 'Under which rules it was issued.', policies, v =>
    v.map(({ oid, name, qualifiers }) =>
      [name === oid ? oid : `${name} (${oid})`, ...qualifiers.map(({ text }) => text)].join(' '),
    ),
  ),
  '2.5.29.33': row('Policy mappings', 'Which policies of two authorities count as the same.', policyMappings, v =>
    v.map(({ issuer, subject }) => `${issuer} = ${subject}`),
  ),
  '2.5.29.36': row(
    'Policy constraints',
    'How policies must be handled below this certificate.',
    policyConstraints,
    v => [
      ...(v.require_explicit_policy === null ? [] : [`explicit policy after ${v.require_explicit_policy}`]),
      ...(v.inhibit_policy_mapping === null ? [] : [`no mapping after ${v.inhibit_policy_mapping}`]),
    ],
  ),
  '2.5.29.54': row(
    'Inhibit any-policy',
    'After how many certificates "any policy" no longer counts.',
    inhibitAnyPolicy,
    v => [String(v)],
  ),
  '2.5.29.9': row('Subject directory attributes', 'Further attributes of the subject.', wholeHex, v => [v]),
  '1.3.6.1.5.5.7.1.1': row(
    'Authority information access',
    "Where the issuer's certificate and the OCSP responder are.",
    accesses,
    v =>
      v.map(
        ({ method, type, location }) =>
          `${method === 'ocsp' ? 'OCSP' : method === 'caIssuers' ? 'issuer' : method} — ${type}: ${location}`,
      ),
  ),
  '1.3.6.1.5.5.7.1.11': row('Subject information access', 'Where the subject publishes.', accesses, v =>
    v.map(({ method, type, location }) => `${method} — ${type}: ${location}`),
  ),
  '1.3.6.1.5.5.7.1.3': row(
    'Qualified certificate statements',
    'What the issuer declares under European law.',
    qcStatements,
    v => v.map(({ name }) => name),
  ),
  '1.3.6.1.5.5.7.1.24': row('TLS feature', 'What the server promises to do in every handshake.', tlsFeature, v =>
    v.map(number => tlsFeatures[number] ?? `TLS extension ${number}`),
  ),
  '1.3.6.1.5.5.7.1.31': row(
    'ACME identifier',
    'The answer to a TLS-ALPN challenge; the certificate is for nothing else.',
    acmeIdentifier,
    v => [v],
  ),
  '1.3.6.1.5.5.7.48.1.5': row(
    'OCSP no check',
    'This responder need not be checked for revocation itself.',
    isNull,
    present,
  ),
  '1.3.6.1.4.1.11129.2.4.2': row(
    'Certificate transparency timestamps',
    'Promises of public logs to list this certificate.',
    bytes => timestamps(bytes).map(timestamp => ({ ...timestamp })),
    v => v.map(({ log_id, timestamp, algorithm }) => `${timestamp} log ${log_id} (${algorithm})`),
  ),
  '1.3.6.1.4.1.11129.2.4.3': row(
    'Certificate transparency poison',
    'This is a precertificate, made for a log only: nobody may accept it.',
    isNull,
    present,
  ),
  '1.3.6.1.4.1.44363.44': row('Delegation usage', 'The certificate may issue delegated credentials.', isNull, present),
  '2.16.840.1.113730.1.1': row(
    'Netscape certificate type',
    'What the certificate may be used for, in a form of the nineties.',
    netscapeType,
    flat,
  ),
  '2.16.840.1.113730.1.13': row('Netscape comment', 'A remark by whoever made the certificate.', anyText, v => [v]),
  '1.3.6.1.4.1.311.20.2': row('Certificate template name', 'The template of a Microsoft authority.', anyText, v => [v]),
  '1.3.6.1.4.1.311.21.7': row(
    'Certificate template',
    'The template of a Microsoft authority.',
    certificateTemplate,
    v => [`${v.oid}${v.major === null ? '' : ` version ${v.major}.${v.minor ?? 0}`}`],
  ),
  '1.3.6.1.4.1.311.21.1': row(
    'CA version',
    'How often a Microsoft authority renewed its certificate.',
    authorityVersion,
    v => [`certificate ${v & 0xffff}, key ${v >>> 16}`],
  ),
  '1.3.6.1.4.1.311.21.10': row('Application policies', "Microsoft's extended key usage.", policies, v =>
    v.map(({ name }) => name),
  ),
  '1.3.6.1.4.1.311.25.2': row(
    'Security identifier',
    'The account in Active Directory the certificate is bound to.',
    securityIdentifier,
    flat,
  ),
  '2.5.29.20': row('CRL number', 'The number of a revocation list.', plainNumber, v => [v]),
}

/** What an extension says. One that is unknown or broken keeps its bytes. */
export interface ExtensionMeaning {
  title: string
  meaning?: string
  value?: Json
  lines: string[]
  problem?: string
}

export const isKnownExtension = (oid: string): boolean => oid in rows

export function meaningOf({ oid, name, bytes }: Extension): ExtensionMeaning {
  const known = rows[oid]
  if (!known) return { title: name, lines: [toHex(bytes)] }
  const { title, meaning } = known
  try {
    return { title, meaning, value: known.read(bytes), lines: known.lines(bytes) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { title, meaning, lines: [toHex(bytes)], problem: error.message }
  }
}
