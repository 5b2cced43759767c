import {
  asFieldProblem,
  badge,
  field,
  mono,
  type Panel,
  Problem,
  panel,
  printf,
  type ServerContext,
  tool,
} from '@assay/kit'
import { type Bytes, fromUtf8, toBase64 } from '@assay/lib/bytes'
import { pinFormats, pinText } from '@assay/lib/x509/pin'
import { visible } from '@assay/lib/x509/text'
import { exampleHandshake } from './tls-examples.ts'
import { chain } from './x509-examples.ts'

/** Keys of one input. */
const MAX_KEYS = 20

/** SHA-256 of SubjectPublicKeyInfo in Base64. RFC 7469 §2.4. */
export const sslPinning = tool({
  id: 'ssl-pinning',
  path: 'ssl-pinning',
  title: 'SSL Pinning (SPKI pin) Generator and Checker',
  category: 'certificate-and-pki-tools',
  summary: 'Pins of the keys of a server or of a certificate, ready for apps, and whether a pin still fits.',
  keywords: [
    'hpkp',
    'pin-sha256',
    'certificate pinning',
    'public key pinning',
    'okhttp',
    'network security config',
    'nspinneddomains',
    'trustkit',
    'spki',
  ],
  specs: ['RFC 7469', 'RFC 5280'],
  caution: 'A pin locks out your own users when the key changes unexpectedly; pin a spare key too, or do not pin.',
  runs: 'server',
  weight: 'lookup',
  lookups: ['ssl-pinning/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.host('Domain', { optional: true, help: 'Its certificates are fetched, unless you paste some.' }),
    port: field.number('Port', { min: 1, max: 65_535, default: 443 }),
    certificate: field.area('Certificate or public key', {
      optional: true,
      placeholder: '-----BEGIN CERTIFICATE-----',
      takes: ['certificate', 'public-key'],
      help: 'A certificate, a chain or public keys in PEM, or one of them as DER in Base64 or hexadecimal.',
    }),
    pin: field.text('Pin to check', {
      optional: true,
      placeholder: 'sha256/… or pin-sha256="…"',
      help: 'Base64 or hexadecimal; several with spaces between.',
    }),
    format: field.choice('Format', pinFormats),
  },
  async run({ domain, port, certificate, pin, format }, context) {
    if (!domain && !certificate?.trim()) {
      throw new Problem('invalid-input', 'Please enter a domain, or paste a certificate or a public key.', {
        field: 'domain',
      })
    }
    const { pinsInText } = await import('@assay/lib/x509/pin')
    const wanted = await refused('pin', 'Pin to check', () => pinsInText(pin ?? ''))
    const keys = certificate?.trim()
      ? await refused('certificate', 'Certificate or public key', () => keysInText(certificate))
      : await keysOfServer(domain ?? '', port, context)
    const pins = await Promise.all(keys.map(describeKey))
    const checked = wanted.map(value => ({
      pin: value,
      matches: pins.findIndex(own => own.pin === value),
    }))
    return {
      source: certificate?.trim() ? 'what was pasted' : 'the server',
      host: domain ?? null,
      format,
      pins,
      output: pinText(
        format,
        domain ?? 'example.com',
        pins.map(({ pin: value, role }) => ({ pin: value, authority: role === 'authority' })),
      ),
      checked: checked.map(({ pin: value, matches }) => ({
        pin: value,
        match: matches >= 0,
        of: matches < 0 ? null : (pins[matches]?.title ?? null),
      })),
      valid: wanted.length ? checked.some(({ matches }) => matches >= 0) : null,
    }
  },
  show: result => [
    ...verdictPanels(result),
    panel.code(result.output, {
      title: formatTitles[result.format],
      language: result.format === 'NSC XML' ? 'xml' : 'text',
    }),
    ...result.pins.map(({ title, role, pin, pin_hex, key, not_after }, index) =>
      panel.section(
        `${index + 1}. ${visible(title)}`,
        [
          panel.facts([
            ['Pin', mono(`sha256/${pin}`)],
            ['In hexadecimal', mono(pin_hex)],
            ['Key', key],
            ...(not_after ? ([['Certificate until', not_after]] as const) : []),
          ]),
        ],
        { badge: badge(role.toUpperCase(), 'info') },
      ),
    ),
    ...(result.pins.length === 1
      ? [panel.note('warn', 'One pin alone locks everybody out when the key is lost: RFC 7469 §4.3 asks for a spare.')]
      : []),
  ],
  terminal({ domain, port, certificate }, { pins: [first] }) {
    const hash = 'openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64'
    if (!certificate?.trim()) {
      const host = domain?.includes(':') ? `[${domain}]` : domain
      return {
        command: `openssl s_client -connect ${host}:${port} -servername ${domain} </dev/null | openssl x509 -pubkey -noout | ${hash}`,
      }
    }
    if (!first?.public_key) return undefined
    return { command: `${printf(fromUtf8(first.public_key))} | ${hash}`, prints: first.pin }
  },
  examples: [
    {
      from: 'OpenSSL 3.0.19',
      title: 'A chain, for Android',
      input: { certificate: chain, format: 'NSC XML' },
      result: { source: 'what was pasted', valid: null, format: 'NSC XML' },
    },
    {
      from: 'RFC 7469 §2.4',
      title: 'A server, and a pin that is not its own',
      input: { domain: 'example.com', pin: 'sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=' },
      recording: { handshakes: { 'example.com:443': exampleHandshake(['leaf', 'intermediate']) } },
      result: { source: 'the server', host: 'example.com', valid: false },
    },
  ],
})

const formatTitles: Readonly<Record<(typeof pinFormats)[number], string>> = {
  'pin-sha256': 'Pins (RFC 7469)',
  OkHttp: 'For OkHttp, in Kotlin',
  iOS: 'For iOS, in Info.plist',
  'NSC XML': 'For Android, in network_security_config.xml',
  curl: 'For curl',
}

interface Verdict {
  valid: boolean | null
  host: string | null
  source: string
  checked: { pin: string; match: boolean; of: string | null }[]
  pins: { title: string }[]
}

function verdictPanels({ valid, host, source, checked, pins }: Verdict): Panel[] {
  const title = host ?? visible(pins[0]?.title ?? '')
  const detail = `${pins.length} keys, of ${source}`
  if (valid === null) return [panel.banner('info', title, { badge: `${pins.length} PINS`, detail })]
  return [
    panel.banner(valid ? 'good' : 'bad', title, { badge: valid ? 'PIN FITS' : 'NO PIN FITS', detail }),
    panel.table(
      ['Pin', 'Fits'],
      checked.map(({ pin, match, of }) => [
        mono(pin),
        match ? { text: visible(of ?? ''), tone: 'good' as const } : badge('no', 'bad'),
      ]),
      { title: 'Checked' },
    ),
  ]
}

interface FoundKey {
  title: string
  role: 'server' | 'authority' | 'key'
  spki: Bytes
  description: string
  not_after: string | null
}

async function describeKey({ spki, title, role, description, not_after }: FoundKey) {
  const [{ pinOf }, { toHex, fromBase64 }, { toPem }] = await Promise.all([
    import('@assay/lib/x509/pin'),
    import('@assay/lib/bytes'),
    import('@assay/lib/asn1/pem'),
  ])
  const pin = toBase64(await pinOf(spki))
  return {
    title,
    role,
    pin,
    pin_hex: toHex(fromBase64(pin)),
    key: description,
    not_after,
    public_key: toPem('PUBLIC KEY', spki),
  }
}

/** Certificates in their order, and public keys beside them. */
async function keysInText(text: string): Promise<FoundKey[]> {
  const { looksLikePem, parsePem } = await import('@assay/lib/asn1/pem')
  const trimmed = text.trim()
  const blocks = looksLikePem(trimmed) ? parsePem(trimmed) : []
  const others = blocks.filter(({ label }) => !/CERTIFICATE$/.test(label))
  if (!blocks.length) return keysInDer(trimmed)
  if (blocks.length > MAX_KEYS)
    throw new RangeError(`expected at most ${MAX_KEYS} certificates or keys, got ${blocks.length}`)
  const certificates = others.length === blocks.length ? [] : await keysOfCertificates(trimmed)
  const { toPem } = await import('@assay/lib/asn1/pem')
  const keys = await Promise.all(others.map(({ label, bytes, headers }) => publicKeyIn(toPem(label, bytes, headers))))
  return [...certificates, ...keys]
}

async function keysInDer(text: string): Promise<FoundKey[]> {
  try {
    return await keysOfCertificates(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [await publicKeyIn(text)]
  }
}

async function publicKeyIn(text: string): Promise<FoundKey> {
  const [{ readKey }, { writeSpki }, { describeKey: describe }] = await Promise.all([
    import('@assay/lib/key/read'),
    import('@assay/lib/key/spki'),
    import('@assay/lib/key/fingerprint'),
  ])
  const { role, key } = await readKey(text, { prefer: 'public' })
  if (role === 'private') throw new RangeError('a private key does not belong here, and its public half is enough')
  return { title: describe(key), role: 'key', spki: writeSpki(key), description: describe(key), not_after: null }
}

async function keysOfCertificates(text: string): Promise<FoundKey[]> {
  const { certificatesInText } = await import('@assay/lib/x509/input')
  return Promise.all(certificatesInText(text).map(keyOfCertificate))
}

async function keyOfCertificate(bytes: Bytes): Promise<FoundKey> {
  const [{ parseCertificate }, { shortName }, { isAuthority }, { describeKey: describe }] = await Promise.all([
    import('@assay/lib/x509/certificate'),
    import('@assay/lib/x509/name'),
    import('@assay/lib/x509/judge'),
    import('@assay/lib/key/fingerprint'),
  ])
  const certificate = parseCertificate(bytes)
  return {
    title: shortName(certificate.subject),
    role: isAuthority(certificate) ? 'authority' : 'server',
    spki: Uint8Array.from(certificate.keyInfo.whole),
    description: certificate.key ? describe(certificate.key) : (certificate.keyProblem ?? ''),
    not_after: certificate.notAfter.date.toISOString(),
  }
}

async function keysOfServer(domain: string, port: number, { tls }: ServerContext): Promise<FoundKey[]> {
  const { transcript, reason } = await tls.handshake(domain, port)
  if (!transcript.certificates.length) {
    throw new Problem('unreachable', 'The server sends no certificate', { ...(reason && { detail: reason }) })
  }
  try {
    return await Promise.all(transcript.certificates.slice(0, MAX_KEYS).map(keyOfCertificate))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Problem('unsupported', 'A certificate of the server cannot be read', {
      detail: `${cause.message}.`,
      cause,
    })
  }
}

async function refused<T>(name: string, label: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFieldProblem(name, label, error)
  }
}
