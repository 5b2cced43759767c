import { asFieldProblem, field, Problem, printf, readWhole, tool } from '@assay/kit'
import { type Bytes, fromUtf8 } from '@assay/lib/bytes'
import type { Certificate } from '@assay/lib/x509/certificate'
import type { CertificateReport } from '@assay/lib/x509/describe'
import { colons, showCertificates } from './x509.show.ts'
import { chain, isrgRootX1, rfc8410Certificate, weakCertificate } from './x509-examples.ts'

/** Bytes of a file that are read: a bundle of all roots has about 250,000. */
const MAX_FILE_BYTES = 1_048_576
/** Characters of a short certificate in PEM, and the time a signature on a slow curve takes. */
const SHORT_CERTIFICATE = 700
const CERTIFICATE_MS = 15

/** X.509 certificates, read field by field, judged and checked against each other. RFC 5280. */
export const x509 = tool({
  id: 'x509',
  path: 'x509',
  title: 'X.509 Certificate Decoder',
  category: 'certificate-and-pki-tools',
  summary: 'Every field of a certificate or a chain in plain words, with its faults and its signatures checked.',
  keywords: [
    'certificate',
    'ssl',
    'tls',
    'pem',
    'der',
    'crt',
    'cer',
    'fingerprint',
    'san',
    'openssl x509',
    'chain',
    'pin',
  ],
  specs: ['RFC 5280', 'RFC 6962', 'RFC 8410', 'RFC 7633', 'X.509'],
  runs: 'anywhere',
  fields: {
    certificate: field.area('Certificate', {
      optional: true,
      placeholder: '-----BEGIN CERTIFICATE-----',
      takes: ['certificate'],
      help: 'One or several, in PEM, or one as DER in Base64 or hexadecimal.',
    }),
    file: field.file('File', { optional: true, accept: '.pem,.crt,.cer,.der,.cert,.txt' }),
  },
  async run({ certificate, file }, context) {
    const [input, { parseCertificate }, { chainOf, linksOf }, { describeCertificate }] = await Promise.all([
      import('@assay/lib/x509/input'),
      import('@assay/lib/x509/certificate'),
      import('@assay/lib/x509/chain'),
      import('@assay/lib/x509/describe'),
    ])
    if (!certificate?.trim() && !file) {
      throw new Problem('invalid-input', 'Please paste a certificate or choose a file.', { field: 'certificate' })
    }
    const parse = (bytes: Bytes, index: number, all: readonly Bytes[]): Certificate =>
      numbered(index, all.length, () => parseCertificate(bytes))
    const pasted = certificate?.trim()
      ? await reading('certificate', 'Certificate', () => input.certificatesInText(certificate).map(parse))
      : []
    const chosen = file
      ? await reading('file', 'File', async () =>
          input.certificatesInFile(await readWhole(file, MAX_FILE_BYTES)).map(parse),
        )
      : []
    const all = [...pasted, ...chosen]
    if (all.length > input.MAX_CERTIFICATES) {
      throw new Problem('invalid-input', `At most ${input.MAX_CERTIFICATES} certificates are taken at once.`, {
        field: 'file',
      })
    }
    const links = await linksOf(all)
    const certificates: CertificateReport[] = []
    for (const [index, one] of all.entries()) {
      const link = links[index]
      if (link) certificates.push(await describeCertificate(one, link, context.now()))
    }
    return { count: all.length, checked_at: context.now().toISOString(), certificates, chain: chainOf(links) }
  },
  show: showCertificates,
  cost: ({ certificate = '', file }) => ({
    milliseconds:
      20 +
      CERTIFICATE_MS * Math.ceil((certificate.length + Math.min(file?.size ?? 0, MAX_FILE_BYTES)) / SHORT_CERTIFICATE),
    megabytes: 32,
  }),
  terminal({ certificate }, { certificates: [first] }) {
    if (!certificate || !first) return undefined
    return {
      command: `${printf(fromUtf8(first.pem))} | openssl x509 -noout -text -fingerprint -sha256`,
      prints: colons(first.fingerprints.sha256),
    }
  },
  examples: [
    {
      from: 'https://letsencrypt.org/certificates/',
      title: 'A root that browsers trust: ISRG Root X1',
      input: { certificate: isrgRootX1 },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: { count: 1, chain: { order: 'single', complete: true } },
    },
    {
      from: 'OpenSSL 3.0.19',
      title: 'A server, its intermediate and its root',
      input: { certificate: chain },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: { count: 3, chain: { order: 'leaf first', path: [0, 1, 2], complete: true } },
    },
    {
      from: 'RFC 8410 §10.2',
      title: 'A key for X25519, signed with Ed25519',
      input: { certificate: rfc8410Certificate },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: { count: 1, chain: { complete: false } },
    },
    {
      from: 'OpenSSL 3.0.19',
      title: 'Everything wrong: expired, RSA of 1024 bits, SHA-1, no names',
      input: { certificate: weakCertificate },
      recording: { now: '2026-06-01T00:00:00Z' },
      result: { count: 1 },
    },
  ],
})

/** In a chain, a fault is no use without the number of the certificate. */
function numbered<T>(index: number, count: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (count > 1 && error instanceof RangeError)
      throw new RangeError(`certificate ${index + 1}: ${error.message}`, { cause: error })
    throw error
  }
}

async function reading<T>(name: string, label: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFieldProblem(name, label, error)
  }
}
