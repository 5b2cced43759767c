import { field, sh, type TlsHandshake, type TlsHandshakeOptions, tool } from '@assay/kit'
import { showSslHandshake } from './ssl-handshake.show.ts'
import { exampleHandshake, refusedHandshake } from './tls-examples.ts'

const versions = ['auto', 'TLS 1.0', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3'] as const
type Version = (typeof versions)[number]

const lowest: Readonly<Record<Version, NonNullable<TlsHandshakeOptions['minVersion']>>> = {
  auto: 'TLSv1.0',
  'TLS 1.0': 'TLSv1.0',
  'TLS 1.1': 'TLSv1.1',
  'TLS 1.2': 'TLSv1.2',
  'TLS 1.3': 'TLSv1.3',
}
const TLS13 = 0x0304

/** One handshake as it really goes, message by message. RFC 8446 §2, RFC 5246 §7.3. */
export const sslHandshake = tool({
  id: 'ssl-handshake',
  path: 'ssl-handshake',
  title: 'SSL / TLS Handshake Inspector',
  category: 'certificate-and-pki-tools',
  summary: 'What a client and a server agree on in TLS, with every message of the handshake in order and in words.',
  keywords: [
    'tls handshake',
    'ssl',
    'cipher suite',
    'alpn',
    'session resumption',
    'ocsp stapling',
    'client hello',
    'alert',
    'openssl s_client',
  ],
  specs: ['RFC 8446', 'RFC 5246', 'RFC 7301', 'RFC 6066', 'RFC 6962', 'RFC 7627', 'RFC 9850'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['ssl-handshake/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.host('Domain'),
    port: field.number('Port', { min: 1, max: 65_535, default: 443 }),
    min_version: field.choice('Lowest version', versions, {
      help: 'What the client offers at least; always up to TLS 1.3. Automatic begins with TLS 1.0.',
    }),
  },

  async run({ domain, port, min_version }, { tls, now }) {
    const seen = await tls.handshake(domain, port, { minVersion: lowest[min_version], resume: true })
    return describe({ domain, min_version, seen, now: now() })
  },

  show: result => showSslHandshake(result),

  terminal: ({ domain, port, min_version }) => ({
    command: `${sh`openssl s_client -connect ${`${domain.includes(':') ? `[${domain}]` : domain}:${port}`} -servername ${domain} -alpn h2,http/1.1 -status -trace`}${
      min_version === 'auto' ? '' : ` -min_protocol ${lowest[min_version].replace('.0', '')}`
    } </dev/null`,
  }),

  examples: [
    {
      from: 'RFC 8446 §2',
      title: 'TLS 1.3 in one round trip',
      input: { domain: 'example.com' },
      recording: {
        now: '2026-06-01T00:00:00Z',
        handshakes: { 'example.com:443': exampleHandshake(['leaf', 'intermediate']) },
      },
      result: {
        complete: true,
        version: 'TLS 1.3',
        cipher_suite: 'TLS_AES_128_GCM_SHA256',
        group: 'x25519',
        alpn: 'h2',
        alert: null,
      },
    },
    {
      from: 'RFC 8446 §6.2',
      title: 'A server that is too old refuses with an alert',
      input: { domain: 'old.example', min_version: 'TLS 1.2' },
      recording: { handshakes: { 'old.example:443': refusedHandshake } },
      result: {
        complete: false,
        version: null,
        alert: { from: 'server', name: 'protocol_version', code: 70, fatal: true },
      },
    },
  ],
})

export type SslHandshake = Awaited<ReturnType<typeof describe>>

interface Described {
  domain: string
  min_version: Version
  seen: TlsHandshake
  now: Date
}

async function describe({ domain, min_version, seen, now }: Described) {
  const [registry, { suiteOf }, { messageMeaning }, { strengthOf }] = await Promise.all([
    import('@assay/lib/tls/registry'),
    import('@assay/lib/tls/suites'),
    import('@assay/lib/tls/message-meaning'),
    import('@assay/lib/tls/judge'),
  ])
  const { transcript, timings } = seen
  const { hello, offer, alert } = transcript
  const is13 = hello?.version === TLS13
  const suite = hello && suiteOf(hello.suite)
  const has = (type: number) => (hello ? transcript.extensions.includes(type) : null)
  const groupName = (code: number) => registry.groupOf(code)?.name ?? `group ${code}`
  const types = registry.extensionTypes
  return {
    domain,
    port: seen.port,
    address: seen.address,
    min_version,
    complete: seen.complete,
    reason: seen.reason ?? null,
    alert: alert
      ? { from: alert.from, name: registry.alertName(alert.code), code: alert.code, fatal: alert.fatal }
      : null,
    version: hello ? versionName(hello.version) : null,
    cipher_suite: suite?.name ?? null,
    cipher_suite_openssl: suite?.openssl ?? null,
    cipher_bits: suite?.bits ?? null,
    cipher_strength: suite ? strengthOf(suite) : null,
    forward_secrecy: suite ? suite.forwardSecrecy || is13 : null,
    group: transcript.group === undefined ? null : groupName(transcript.group),
    post_quantum: transcript.group === undefined ? null : registry.groupOf(transcript.group)?.kind === 'hybrid',
    dh_prime_bits: transcript.primeBits ?? null,
    signature_scheme:
      transcript.signatureScheme === undefined ? null : registry.signatureSchemeName(transcript.signatureScheme),
    alpn: transcript.protocol ?? null,
    hello_retry: transcript.retried,
    /** RFC 7627; TLS 1.3 is always made that way. */
    extended_master_secret: hello ? is13 || has(types.extendedMainSecret) : null,
    secure_renegotiation: is13 ? null : has(types.renegotiationInfo),
    session: {
      tickets: transcript.tickets.map(({ lifetimeSeconds, bytes }) => ({ lifetime_seconds: lifetimeSeconds, bytes })),
      resumed: seen.resumed,
    },
    client_certificate_asked: transcript.clientCertificateAsked,
    ocsp_stapled: hello ? transcript.status !== undefined : null,
    ...(await certificateSummary(seen, now)),
    trust: seen.trust ? (seen.trust.problem ?? 'The chain holds.') : null,
    trusted: seen.trust ? seen.trust.problem === undefined : null,
    offered: offer
      ? {
          versions: offer.versions.map(versionName),
          cipher_suites: offer.suites.map(code => suiteOf(code)?.name ?? hex(code)),
          groups: offer.groups.map(groupName),
          key_shares: offer.shares.map(groupName),
          alpn: offer.protocols,
          server_name: offer.serverName ?? null,
        }
      : null,
    messages: transcript.messages.map(({ from, milliseconds, name, bytes, encrypted }) => ({
      from,
      at_ms: round(milliseconds),
      name,
      bytes,
      encrypted,
      ...messageMeaning(name, is13 ? 'TLS 1.3' : 'before'),
    })),
    timings: {
      dns_ms: round(timings.dnsMs),
      connect_ms: round(timings.connectMs),
      first_answer_ms: timings.helloMs === null ? null : round(timings.helloMs),
      handshake_ms: timings.tlsMs === null ? null : round(timings.tlsMs),
    },
    fault: transcript.fault ?? null,
  }
}

const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10
const hex = (code: number) => `0x${code.toString(16).padStart(4, '0').toUpperCase()}`

/** RFC 8446 §4.2.1; what means nothing (RFC 8701) keeps its number. */
const versionName = (code: number): string =>
  ({ 768: 'SSL 3.0', 769: 'TLS 1.0', 770: 'TLS 1.1', 771: 'TLS 1.2', 772: 'TLS 1.3' })[code] ?? hex(code)

async function certificateSummary({ transcript }: TlsHandshake, now: Date) {
  const [first] = transcript.certificates
  const head = { certificates: transcript.certificates.length }
  if (!first) return { ...head, certificate: null, timestamps: null }
  const [{ parseCertificate }, { linksOf }, { describeCertificate }, { readTimestamps }, extension, { timestamps }] =
    await Promise.all([
      import('@assay/lib/x509/certificate'),
      import('@assay/lib/x509/chain'),
      import('@assay/lib/x509/describe'),
      import('@assay/lib/x509/sct'),
      import('@assay/lib/x509/extension'),
      import('@assay/lib/x509/extension-value'),
    ])
  try {
    const certificate = parseCertificate(first)
    const [link] = await linksOf([certificate])
    if (!link) return { ...head, certificate: null, timestamps: null }
    const { title, subject, issuer, validity, names, public_key, signature, fingerprints, pem } =
      await describeCertificate(certificate, link, now)
    const { extensionOids, extensionValue } = extension
    return {
      ...head,
      certificate: {
        title,
        subject: subject.text,
        issuer: issuer.text,
        not_before: validity.not_before,
        not_after: validity.not_after,
        days_left: validity.days_left,
        names: names.map(({ value }) => value),
        public_key: public_key.description,
        signature: signature.algorithm,
        fingerprint_sha256: fingerprints.sha256,
        pem,
      },
      /** RFC 6962 §3.3: in the certificate, and in the handshake where the server sends some there unasked. */
      timestamps: {
        in_certificate: extensionValue(certificate.extensions, extensionOids.timestamps, timestamps)?.length ?? 0,
        in_handshake: transcript.timestamps ? readTimestamps(transcript.timestamps).length : 0,
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return { ...head, certificate: null, timestamps: null }
    throw error
  }
}
