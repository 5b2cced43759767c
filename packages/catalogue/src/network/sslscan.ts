import { field, Problem, sh, type TlsChainObservation, type TlsObservation, tool, type Update } from '@assay/kit'
import type { TlsFinding } from '@assay/lib/tls/judge'
import { showSslscan } from './sslscan.show.ts'
import { modernServer, oldServer } from './sslscan-examples.ts'

/** Ports that speak TLS from the first byte. */
const PORTS = ['443', '8443', '465', '993', '995', '853'] as const
/** Clauses of a certificate's own findings that the verdict on trust already holds. */
const COVERED = new Set(['Validity', 'Names'])

/** Versions, suites, groups and certificates of a TLS server, judged by RFC 8996 and RFC 9325. */
export const sslscan = tool({
  id: 'sslscan',
  path: 'sslscan',
  title: 'TLS Scan',
  category: 'network-tools',
  summary:
    'Which versions, cipher suites and groups a TLS server accepts, with its certificates and a grade you can add up.',
  keywords: [
    'ssl',
    'tls',
    'cipher suites',
    'ssl test',
    'https',
    'certificate',
    'post-quantum',
    'forward secrecy',
    'testssl',
  ],
  specs: ['RFC 8446', 'RFC 5246', 'RFC 8996', 'RFC 9325', 'RFC 8701', 'RFC 5746', 'RFC 7627'],
  runs: 'server',
  weight: 'scan',
  lookups: ['sslscan/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.domain('Domain'),
    port: field.choice('Port', PORTS, { help: 'Ports that speak TLS from the first byte.' }),
  },

  async *run({ domain, port }, { tls, now }): AsyncGenerator<Update<SslscanResult>, SslscanResult, void> {
    const steps = tls.scan(domain, Number(port))
    let observation: TlsObservation
    for (;;) {
      const { done, value } = await steps.next()
      if (done) {
        observation = value
        break
      }
      yield value
    }
    refuseOther(observation)
    yield { progress: 0.95, label: 'Judging' }
    return describe(domain, observation, now())
  },

  show: result => showSslscan(result),

  terminal: ({ domain, port }) => ({ command: sh`sslscan --show-cipher-ids ${domain}:${port}` }),

  examples: [
    {
      from: 'RFC 9325 §3.1.1',
      title: 'TLS 1.3 alone',
      input: { domain: 'modern.example' },
      recording: { now: '2026-06-01T00:00:00Z', tls: { 'modern.example:443': modernServer } },
      result: { domain: 'modern.example', grade: 'A', score: 100, server_preference: 'server' },
    },
    {
      from: 'RFC 8996 §4 and §5',
      title: 'A server that was never updated',
      input: { domain: 'old.example' },
      recording: { now: '2026-06-01T00:00:00Z', tls: { 'old.example:443': oldServer } },
      result: { domain: 'old.example', grade: 'F', server_preference: 'client' },
    },
  ],
})

/** Whoever answers in no version does not speak TLS; whoever is silent may. */
function refuseOther({ versions, faults }: TlsObservation): void {
  if (versions.some(({ supported }) => supported)) return
  const [fault] = faults
  if (fault)
    throw new Problem('unreachable', 'The server does not speak TLS on this port', {
      detail: `It broke a rule: ${fault}.`,
    })
  if (versions.every(({ supported }) => supported === null)) {
    throw new Problem('timeout', 'The server accepts connections and does not answer in TLS')
  }
  const detail = versions.find(({ name }) => name === 'TLSv1.2')?.reason
  throw new Problem('unreachable', 'The server does not speak TLS on this port', { detail })
}

export type SslscanResult = Awaited<ReturnType<typeof describe>>

async function describe(domain: string, observation: TlsObservation, now: Date) {
  const [{ groupOf }, { ssl2Ciphers, suiteOf }, { gradeOf, judgeTls, strengthOf }] = await Promise.all([
    import('@assay/lib/tls/registry'),
    import('@assay/lib/tls/suites'),
    import('@assay/lib/tls/judge'),
  ])
  const { address, port, versions, groups, primeBits, features, trust, faults } = observation
  const chains = await Promise.all(observation.chains.map(chain => describeChain(chain, now)))
  const findings = judgeTls({
    versions,
    groups,
    primeBits,
    features,
    trust,
    faults,
    certificateFaults: chains.flatMap(({ faults }) => faults),
    chainFault: chains.find(({ order_fault }) => order_fault)?.order_fault ?? undefined,
  })
  const { grade, score } = gradeOf(findings)
  const [first] = chains
  return {
    domain,
    port,
    address,
    protocols: versions.map(({ name, supported, reason, incomplete, preference }) => ({
      name,
      supported,
      reason: reason && !supported ? reason : null,
      preference,
      incomplete,
    })),
    ciphers: versions.flatMap(({ name, suites }) =>
      suites.map(code => {
        const [, ssl2Name, ssl2Bits] = (name === 'SSLv2' && ssl2Ciphers.find(([known]) => known === code)) || []
        const suite = suiteOf(code)
        return {
          protocol: name,
          name: ssl2Name ?? suite?.name ?? 'unknown',
          openssl_name: ssl2Name ? null : (suite?.openssl ?? null),
          code: `0x${code.toString(16).padStart(4, '0').toUpperCase()}`,
          bits: ssl2Bits ?? suite?.bits ?? 0,
          forward_secrecy: suite?.forwardSecrecy ?? false,
          strength: suite && !ssl2Name ? strengthOf(suite) : ('insecure' as const),
        }
      }),
    ),
    groups: groups.map(({ code, versions: seen }) => ({
      name: groupOf(code)?.name ?? `group ${code}`,
      code,
      bits: groupOf(code)?.bits ?? 0,
      post_quantum: groupOf(code)?.kind === 'hybrid',
      protocols: seen,
    })),
    /** Of the newest version with a choice. */
    server_preference: versions.findLast(({ preference }) => preference)?.preference ?? null,
    dh_prime_bits: primeBits,
    features: {
      compression: features.compression,
      secure_renegotiation: features.secureRenegotiation,
      extended_main_secret: features.extendedMainSecret,
      session_tickets: features.sessionTickets,
      fallback_scsv: features.fallbackSignal,
      grease_tolerance: features.greaseTolerance,
      hello_retry_request: features.helloRetryRequest,
      ocsp_stapling: first?.ocsp_stapling ?? null,
    },
    alpn: observation.protocol,
    certificate_chain: first?.certificates ?? [],
    certificates: chains,
    trusted: trust.checked ? trust.problem === undefined : null,
    trust_problem: trust.problem ?? null,
    findings,
    grade,
    score,
    /** 100, and what each finding takes off. */
    score_sum: [{ reason: 'To begin with', points: 100 }, ...findings.filter(({ points }) => points).map(sumRow)],
    connections: observation.connections,
    milliseconds: observation.milliseconds,
  }
}

const sumRow = ({ name, detail, points }: TlsFinding) => ({ reason: `${name}: ${detail}`, points: -points })

async function describeChain({ kind, certificates, reordered, status, timestamps }: TlsChainObservation, now: Date) {
  const [{ parseCertificate }, { chainOf, linksOf }, { describeCertificate }, { readTimestamps }] = await Promise.all([
    import('@assay/lib/x509/certificate'),
    import('@assay/lib/x509/chain'),
    import('@assay/lib/x509/describe'),
    import('@assay/lib/x509/sct'),
  ])
  const head = { key: kind, count: certificates.length, ocsp_stapling: status === undefined ? null : status !== null }
  try {
    const parsed = certificates.map(parseCertificate)
    const links = await linksOf(parsed)
    const chain = chainOf(links)
    const reports = []
    for (const [index, one] of parsed.entries()) {
      const link = links[index]
      if (link) reports.push(await describeCertificate(one, link, now))
    }
    const embedded = reports[0]?.extensions.some(({ oid }) => oid === SCT_LIST) ?? false
    const leafFaults =
      reports[0]?.findings.filter(({ name, verdict }) => verdict === 'fail' && !COVERED.has(name)) ?? []
    const straight = reordered || chain.order === 'single' || chain.order === 'leaf first'
    return {
      ...head,
      certificates: reports.map(
        ({ title, subject, issuer, validity, names, public_key, signature, fingerprints, serial, pem }) => ({
          title,
          subject: subject.text,
          issuer: issuer.text,
          serial,
          not_before: validity.not_before,
          not_after: validity.not_after,
          days_left: validity.days_left,
          names: names.map(({ value }) => value),
          public_key: public_key.description,
          signature: signature.algorithm,
          fingerprint_sha256: fingerprints.sha256,
          pem,
        }),
      ),
      complete: chain.complete,
      certificate_transparency: timestamps
        ? `${readTimestamps(timestamps).length} timestamps in the handshake`
        : embedded
          ? 'timestamps in the certificate'
          : null,
      order_fault: straight ? null : `The certificates came in the order "${chain.order}".`,
      faults: leafFaults.map(({ name, detail }) => `${name}: ${detail}`),
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return {
      ...head,
      certificates: [],
      complete: false,
      certificate_transparency: null,
      order_fault: null,
      faults: [`It cannot be read: ${error.message}.`],
    }
  }
}

/** RFC 6962 §3.3. */
const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2'
