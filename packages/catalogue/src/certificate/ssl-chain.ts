import { field, Problem, type ServerContext, sh, type TlsHandshake, tool, type Update } from '@assay/kit'
import { toPem } from '@assay/lib/asn1/pem'
import type { Bytes } from '@assay/lib/bytes'
import type { Certificate } from '@assay/lib/x509/certificate'
import type { OcspReport } from '@assay/lib/x509/ocsp'
import type { Path, PathStep } from '@assay/lib/x509/path'
import type { ChainFinding } from '@assay/lib/x509/served-chain'
import { showSslChain } from './ssl-chain.show.ts'
import { exampleHandshake, exampleRoots } from './tls-examples.ts'

/** Issuers fetched for one chain, and what one of them may weigh and take. */
const MAX_FETCHES = 4
const MAX_ISSUER_BYTES = 65_536
const FETCH_MS = 5_000
const FETCH_REDIRECTS = 2

/** The certificates that a server sends, put in order and checked up to a root. RFC 8446 §4.4.2, RFC 5280 §6. */
export const sslChain = tool({
  id: 'ssl-chain',
  path: 'ssl-chain',
  title: 'SSL Certificate Chain Checker',
  category: 'certificate-and-pki-tools',
  summary: 'The certificates a server sends, in order up to the root, with everything that is wrong or missing.',
  keywords: [
    'certificate chain',
    'intermediate certificate',
    'incomplete chain',
    'ssl checker',
    'https',
    'root certificate',
    'aia',
    'ocsp',
    'openssl s_client',
  ],
  specs: ['RFC 5280', 'RFC 8446', 'RFC 9525', 'RFC 6960', 'RFC 4158'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['ssl-chain/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.host('Domain'),
    port: field.number('Port', { min: 1, max: 65_535, default: 443 }),
  },

  async *run({ domain, port }, context): AsyncGenerator<Update<SslChain>, SslChain, void> {
    yield { progress: 0.1, label: 'Shaking hands' }
    const seen = await context.tls.handshake(domain, port)
    const { certificates } = seen.transcript
    if (!certificates.length) {
      throw new Problem('unreachable', 'The server sends no certificate', {
        ...(seen.reason && { detail: seen.reason }),
      })
    }
    const sent = await parsed(certificates)
    yield { progress: 0.5, label: 'Looking for the way to a root' }
    const { path, fetches } = await completePath(sent, context)
    yield { progress: 0.9, label: 'Judging' }
    return describe({ domain, port, seen, sent, path, fetches }, context)
  },

  show: result => showSslChain(result),

  terminal: ({ domain, port }) => ({
    command: sh`openssl s_client -connect ${`${domain.includes(':') ? `[${domain}]` : domain}:${port}`} -servername ${domain} -showcerts -status -verify_hostname ${domain} </dev/null`,
  }),

  examples: [
    {
      from: 'OpenSSL 3.0.19',
      title: 'A server with its intermediate, below a trusted root',
      input: { domain: 'example.com' },
      recording: {
        now: '2026-06-01T00:00:00Z',
        handshakes: { 'example.com:443': exampleHandshake(['leaf', 'intermediate']) },
        roots: exampleRoots,
      },
      result: { domain: 'example.com', trusted: true, faults: [], root: 'Example Root', root_store: 'own' },
    },
    {
      from: 'RFC 8446 §4.4.2',
      title: 'The intermediate is missing',
      input: { domain: 'www.example.com' },
      recording: {
        now: '2026-06-01T00:00:00Z',
        handshakes: { 'www.example.com:443': exampleHandshake(['leaf']) },
        roots: exampleRoots,
      },
      result: { trusted: false, faults: ['incomplete'] },
    },
  ],
})

export type SslChain = Awaited<ReturnType<typeof describe>>

/** What breaks the structure of a certificate is said with its number. */
async function parsed(certificates: readonly Bytes[]): Promise<Certificate[]> {
  const { parseCertificate } = await import('@assay/lib/x509/certificate')
  return certificates.map((bytes, index) => {
    try {
      return parseCertificate(bytes)
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      throw new Problem('unsupported', `Certificate ${index + 1} of the server cannot be read`, {
        detail: `${cause.message}.`,
        cause,
      })
    }
  })
}

interface Fetch {
  url: string
  problem: string | null
}

/** RFC 5280 §4.2.2.1: an issuer that was not sent is looked for where the certificate says, over plain HTTP alone. */
async function completePath(
  sent: readonly Certificate[],
  context: ServerContext,
): Promise<{ path: Path; fetches: Fetch[] }> {
  const [{ findPath }, { parseCertificate }] = await Promise.all([
    import('@assay/lib/x509/path'),
    import('@assay/lib/x509/certificate'),
  ])
  const [leaf] = sent
  if (!leaf) throw new Problem('unreachable', 'The server sends no certificate')
  const rootsFor = (certificate: Certificate) =>
    context.tls
      .rootsFor(certificate.whole)
      .map(({ certificate: bytes, store }) => ({ certificate: parseCertificate(bytes), store }))
  const pool: PathStep[] = sent.map(certificate => ({ certificate, source: 'sent' }))
  const fetches: Fetch[] = []
  for (;;) {
    const path = await findPath(leaf, { pool, rootsFor })
    const last = path.steps.at(-1)
    if (path.end !== 'missing' || !last) return { path, fetches }
    const urls = (await issuerAddresses(last.certificate)).filter(url => fetches.every(fetch => fetch.url !== url))
    const [url] = urls
    if (!url || fetches.length === MAX_FETCHES) return { path, fetches }
    const { certificates, problem } = await fetchIssuer(url, context)
    fetches.push({ url, problem })
    pool.push(...certificates.map(certificate => ({ certificate, source: 'fetched' as const })))
  }
}

/** The addresses of caIssuers that are plain HTTP: RFC 5280 §8 warns of circles with https. */
async function issuerAddresses({ extensions }: Certificate): Promise<string[]> {
  const [{ extensionOids, extensionValue }, { accesses }] = await Promise.all([
    import('@assay/lib/x509/extension'),
    import('@assay/lib/x509/extension-value'),
  ])
  return (extensionValue(extensions, extensionOids.authorityInfoAccess, accesses) ?? [])
    .filter(({ method, type, location }) => method === 'caIssuers' && type === 'URI' && /^http:/i.test(location))
    .map(({ location }) => location)
}

async function fetchIssuer(
  url: string,
  { http }: ServerContext,
): Promise<{ certificates: Certificate[]; problem: string | null }> {
  const [{ certificatesOfIssuer }, { parseCertificate }] = await Promise.all([
    import('@assay/lib/x509/issuer-file'),
    import('@assay/lib/x509/certificate'),
  ])
  try {
    const options = { redirects: FETCH_REDIRECTS, bodyBytes: MAX_ISSUER_BYTES, timeoutMs: FETCH_MS }
    const { status, body, truncated } = await http.get(url, options)
    if (status !== 200) return { certificates: [], problem: `The server answers with status ${status}.` }
    if (truncated) return { certificates: [], problem: `It has more than ${MAX_ISSUER_BYTES} bytes.` }
    return { certificates: certificatesOfIssuer(Uint8Array.from(body)).map(parseCertificate), problem: null }
  } catch (error) {
    if (error instanceof Problem && error.code !== 'limited') return { certificates: [], problem: `${error.message}.` }
    if (error instanceof RangeError) return { certificates: [], problem: `It is no certificate: ${error.message}.` }
    throw error
  }
}

interface Gathered {
  domain: string
  port: number
  seen: TlsHandshake
  sent: readonly Certificate[]
  path: Path
  fetches: Fetch[]
}

async function describe({ domain, port, seen, sent, path, fetches }: Gathered, { now }: ServerContext) {
  const [{ linksOf }, { describeCertificate }, { judgeServedChain }, { shortName }, { equalBytes }] = await Promise.all(
    [
      import('@assay/lib/x509/chain'),
      import('@assay/lib/x509/describe'),
      import('@assay/lib/x509/served-chain'),
      import('@assay/lib/x509/name'),
      import('@assay/lib/bytes'),
    ],
  )
  const beyond = path.steps.filter(({ certificate }) => sent.every(one => !equalBytes(one.whole, certificate.whole)))
  const all = [...sent.map(certificate => ({ certificate, source: 'sent' as PathStep['source'] })), ...beyond]
  const links = await linksOf(all.map(({ certificate }) => certificate))
  const reports = await Promise.all(
    all.map(async ({ certificate, source }, index) => {
      const link = links[index]
      return link
        ? [
            {
              ...(await describeCertificate(certificate, link, now())),
              source,
              sent_as: source === 'sent' ? index + 1 : null,
            },
          ]
        : []
    }),
  )
  const ocsp = await stapled(seen, path, now())
  const own = await judgeServedChain({ host: domain, sent, path, ocsp, now: now() })
  const findings = [...own, ...secondOpinion(seen, own)]
  const root = path.end === 'missing' ? undefined : path.steps.at(-1)
  const certificates = reports.flat()
  return {
    domain,
    port,
    address: seen.address,
    checked_at: now().toISOString(),
    /** Everything a client asks that fetches nothing: RFC 5280 §6.1 and RFC 9525. */
    trusted: path.end === 'trusted' && findings.every(({ verdict }) => verdict !== 'fail'),
    faults: [...new Set(findings.flatMap(({ fault }) => fault ?? []))],
    sent: sent.length,
    path: path.steps.map(({ certificate, source }) => ({
      title: shortName(certificate.subject),
      index: certificates.findIndex(({ pem }) => pem === toPem('CERTIFICATE', certificate.whole)),
      source,
    })),
    root: root ? shortName(root.certificate.subject) : null,
    root_store: path.store ?? null,
    certificates,
    findings,
    fetched: fetches,
    ocsp: ocsp ?? null,
    /** A second opinion, with what was sent alone. */
    openssl: seen.trust ? (seen.trust.problem ?? 'The chain holds.') : null,
  }
}

/** What OpenSSL finds and the rules here do not know, such as a name constraint that is broken. */
function secondOpinion({ trust }: TlsHandshake, own: readonly ChainFinding[]): ChainFinding[] {
  if (!trust?.problem || own.some(({ verdict }) => verdict === 'fail')) return []
  return [{ name: 'OpenSSL agrees', verdict: 'fail', detail: trust.problem, clause: 'RFC 5280 §6.1' }]
}

/** RFC 6066 §8: the answer of the authority that came along. */
async function stapled(
  { transcript: { status } }: TlsHandshake,
  { steps }: Path,
  now: Date,
): Promise<OcspReport | undefined> {
  const [leaf, issuer] = steps
  if (!status || !leaf) return undefined
  const { readOcsp, unreadableOcsp } = await import('@assay/lib/x509/ocsp')
  try {
    return await readOcsp(status, { leaf: leaf.certificate, issuer: issuer?.certificate, now })
  } catch (error) {
    if (error instanceof RangeError) return unreadableOcsp(error)
    throw error
  }
}
