import { field, mono, type Panel, Problem, panel, tool } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import { visible } from '@assay/lib/x509/text'
import {
  costOfKey,
  keyFields,
  namesFrom,
  newKeyOptions,
  newPair,
  pemPanels,
  privatePem,
  sanField,
  subjectOptions,
} from './new-key.ts'

const DAY_MS = 86_400_000
/** A century; longer than any key will hold. */
const MAX_DAYS = 36_500
/** Apple's systems refuse server certificates with a longer life, also those of one's own making. */
const APPLE_DAYS = 825

const roles = ['Server', 'Authority'] as const

/** A certificate that signs itself. RFC 5280 §4, RFC 9525. */
export const selfSignedCertificate = tool({
  id: 'self-signed-certificate',
  path: 'self-signed-certificate',
  title: 'Self-Signed Certificate Generator',
  category: 'certificate-and-pki-tools',
  summary: 'A certificate with its private key for a server of your own, or for an authority of your own.',
  keywords: ['openssl req -x509', 'localhost', 'https', 'test certificate', 'mkcert', 'snakeoil', 'root ca', 'tls'],
  specs: ['RFC 5280', 'RFC 9525', 'RFC 5958', 'RFC 5758', 'RFC 8410'],
  runs: 'anywhere',
  fields: {
    common_name: field.text('Common name', {
      placeholder: 'localhost',
      help: 'The host the certificate is for, or the name of the authority.',
    }),
    organization: field.text('Organization', { optional: true }),
    validity_days: field.number('Validity', { min: 1, max: MAX_DAYS, default: 365, unit: 'days' }),
    ...keyFields,
    san: sanField,
    role: field.choice('Role', roles, {
      help: 'A server proves its own name. An authority signs certificates for others.',
    }),
    passphrase: field.password('Passphrase', {
      optional: true,
      help: 'Locks the private key. Servers start by themselves only with a key that opens without.',
    }),
  },
  async run({ common_name, organization, validity_days, keyType, key_size, san, role, passphrase }, context) {
    const { random, signal } = context
    const { subject, altNames } = await namesFrom({ common_name, organization }, san, role)
    if (subject.length === 2) {
      throw new Problem('invalid-input', 'Please enter a common name, such as localhost.', { field: 'common_name' })
    }
    const pair = await newPair(keyType, key_size, random)
    signal.throwIfAborted()
    const [{ createSelfSigned }, { parseCertificate }, { linksOf }, { describeCertificate }] = await Promise.all([
      import('@assay/lib/x509/builder'),
      import('@assay/lib/x509/certificate'),
      import('@assay/lib/x509/chain'),
      import('@assay/lib/x509/describe'),
    ])
    const now = context.now()
    const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000)
    const notAfter = new Date(notBefore.getTime() + validity_days * DAY_MS)
    const bytes = await createSelfSigned({ ...pair, subject, altNames, role, notBefore, notAfter }, random)
    const certificate = parseCertificate(bytes)
    const [link] = await linksOf([certificate])
    if (link?.signature.verdict !== 'valid') throw new Error('the new certificate does not verify')
    const report = await describeCertificate(certificate, link, now)
    return {
      certificate: toPem('CERTIFICATE', bytes),
      privateKey: await privatePem(pair.key, passphrase, random),
      subject: report.subject.text,
      names: report.names,
      role,
      key: report.public_key.description,
      keyType,
      signature: report.signature.algorithm,
      serial: report.serial,
      not_before: report.validity.not_before,
      not_after: report.validity.not_after,
      validity_days,
      encrypted: passphrase !== undefined,
      fingerprints: report.fingerprints,
      findings: report.findings,
    }
  },
  show: result => [
    panel.banner('good', visible(result.subject), {
      badge: result.role === 'Authority' ? 'AUTHORITY' : 'SELF-SIGNED',
      detail: `${result.key}, until ${result.not_after.slice(0, 10)}`,
    }),
    ...pemPanels('Certificate', result.certificate, 'certificate.pem'),
    ...pemPanels(result.encrypted ? 'Private key, locked' : 'Private key', result.privateKey, 'private.pem'),
    panel.facts([
      ['Names', result.names.length ? mono(result.names.map(({ value }) => visible(value)).join(', ')) : 'none'],
      ['Valid', `${result.not_before} to ${result.not_after}`],
      ['Serial number', mono(result.serial)],
      ['Signed with', result.signature],
      ['SHA-256', mono(result.fingerprints.sha256)],
      ['Pin (RFC 7469)', mono(result.fingerprints.pin_sha256)],
    ]),
    panel.checks(
      result.findings.map(({ name, verdict, detail, clause }) => ({
        name,
        verdict,
        detail,
        ...(clause && { clause }),
      })),
    ),
    ...notes(result),
  ],
  terminal: ({ common_name, organization, validity_days, role, ...key }, { names }) => ({
    command: [
      `openssl req -x509 ${newKeyOptions(key)} ${subjectOptions({ common_name, organization }, names)}`,
      ...(role === 'Server'
        ? ['-addext basicConstraints=critical,CA:FALSE', '-addext extendedKeyUsage=serverAuth']
        : ['-addext keyUsage=critical,keyCertSign,cRLSign']),
      `-days ${validity_days} -out certificate.pem`,
    ].join(' '),
  }),
  cost: ({ keyType, key_size, passphrase }) => costOfKey({ keyType, key_size }, passphrase !== undefined),
  examples: [
    {
      from: 'RFC 9525 §6.3',
      title: 'For this machine',
      input: { common_name: 'localhost', san: '127.0.0.1, ::1', keyType: 'ECDSA P-256' },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: {
        subject: 'CN=localhost',
        names: [
          { type: 'DNS', value: 'localhost' },
          { type: 'IP', value: '127.0.0.1' },
          { type: 'IP', value: '::1' },
        ],
        key: 'EC on P-256',
        not_before: '2026-06-01T00:00:00.000Z',
        not_after: '2027-06-01T00:00:00.000Z',
      },
    },
    {
      from: 'RFC 5280 §4.1.2.5',
      title: 'An authority of one’s own, for 30 years',
      input: {
        common_name: 'Example Root CA',
        organization: 'Example Inc.',
        role: 'Authority',
        keyType: 'ECDSA P-384',
        validity_days: 10_957,
      },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: {
        subject: 'CN=Example Root CA,O=Example Inc.',
        names: [],
        not_after: '2056-05-31T00:00:00.000Z',
        role: 'Authority',
      },
    },
  ],
})

interface Noted {
  role: (typeof roles)[number]
  names: readonly unknown[]
  validity_days: number
  keyType: string
  encrypted: boolean
}

function notes({ role, names, validity_days, keyType, encrypted }: Noted): Panel[] {
  const server = role === 'Server'
  return [
    ...(server && !names.length
      ? [panel.note('warn', 'The common name is no host and there are no alternative names: no browser will take it.')]
      : []),
    ...(server && validity_days > APPLE_DAYS
      ? [panel.note('warn', `Apple’s systems refuse certificates of servers that live more than ${APPLE_DAYS} days.`)]
      : []),
    ...(keyType === 'Ed25519' ? [panel.note('warn', 'Chrome does not take certificates with Ed25519 keys.')] : []),
    ...(encrypted
      ? []
      : [panel.note('info', 'The private key opens without a passphrase: whoever has the file has the key.')]),
  ]
}
