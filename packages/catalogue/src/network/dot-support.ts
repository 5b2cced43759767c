import {
  badge,
  type Check,
  type DotExchange,
  type EncryptedDns,
  field,
  mono,
  Problem,
  panel,
  type ServerContext,
  sh,
  tool,
  type Update,
} from '@assay/kit'
import { DISCOVERY_NAME, designationsOf, isDot, publishedResolver } from '@assay/lib/dns/designated'
import { createQuery } from '@assay/lib/dns/message'
import { reverseName } from '@assay/lib/ip/address'

/** RFC 7858 §3.1. */
const PORT = 853
/** A neutral name that exists (RFC 2606 §3). */
const QUERY_NAME = 'example.com.'
const MAX_NAMES = 4
const DISCOVERY_TIMEOUT_MS = 2_000

const SUPPORTED = 'DoT Supported'
type Status = typeof SUPPORTED | 'DoT Not Supported' | 'Could Not Tell'

/** Where a name for the server came from. */
type Source = 'published by the operator' | 'designated by the resolver' | 'reverse DNS' | 'the address itself'

export interface DotResult {
  server_name: string
  server_url: string
  status: Status
  error: string | null
  name_source: Source
  /** RFC 8310 §5: whether the certificate proves the name, apart from whether anybody answers. */
  authenticated: boolean | null
  certificate_problem: string | null
  tls_version: string | null
  cipher: string | null
  alpn: string | null
  connect_ms: number | null
  tls_ms: number | null
  query_ms: number | null
  /** The same question again on the open connection. */
  reused_query_ms: number | null
  session_resumed: boolean | null
  rcode: string | null
  checks: Check[]
}

export interface DotSupport {
  domain: string
  results: DotResult[]
  operator: string | null
  working: number
}

const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10
const query = createQuery({ id: 0, name: QUERY_NAME, type: 'A', rd: true })

/** Whether a DNS server answers over TLS, and whether its certificate proves who it is. RFC 7858, RFC 8310. */
export const dotSupport = tool({
  id: 'dot-support',
  path: 'dot-support',
  title: 'DoT Support',
  category: 'network-tools',
  summary: 'Whether a DNS server answers over TLS on port 853, and whether its certificate proves its name.',
  keywords: ['dns over tls', 'dot', 'encrypted dns', 'rfc 7858', 'port 853', 'private dns', 'doq'],
  specs: ['RFC 7858', 'RFC 8310', 'RFC 9325', 'RFC 9462'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dot-support/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { ip: field.ip('IP address of the DNS server') },

  async *run({ ip }, context): AsyncGenerator<Update<DotSupport>, DotSupport, void> {
    yield { progress: 0.1, label: 'Looking for the names of the server' }
    const names = await namesOf(ip, context)
    const results: DotResult[] = []
    const summarise = (): DotSupport => ({
      domain: ip,
      results: [...results],
      operator: publishedResolver(ip)?.name ?? null,
      working: results.filter(({ status }) => status === SUPPORTED).length,
    })
    for (const [name, source] of names) {
      const label = `Asking over TLS, with the certificate of ${source === 'the address itself' ? 'the address' : 'a name'}`
      yield { progress: 0.2 + (0.8 * results.length) / names.size, label, partial: summarise() }
      results.push(await tryName(context.encryptedDns, ip, name, source))
    }
    return summarise()
  },

  show(result) {
    if (!result?.results?.length) {
      return [panel.note('info', 'No DNS over TLS data available', 'No DoT Support Results')]
    }
    const { domain, results, operator, working } = result
    const unknown = results.every(({ status }) => status === 'Could Not Tell')
    const answering = results.filter(({ status }) => status === SUPPORTED)
    const quickest = answering.flatMap(({ query_ms }) => query_ms ?? []).sort((a, b) => a - b)[0]
    const proven = results.some(({ authenticated }) => authenticated)
    return [
      panel.banner(working ? (proven ? 'good' : 'warn') : unknown ? 'neutral' : 'bad', domain, {
        badge: working ? (proven ? 'SUPPORTED' : 'NOT AUTHENTICATED') : unknown ? 'COULD NOT TELL' : 'NOT SUPPORTED',
        ...(operator && { detail: operator }),
      }),
      panel.tiles(
        { label: 'Names tried', value: results.length },
        { label: 'Supported', value: { text: String(answering.length), tone: answering.length ? 'good' : 'bad' } },
        { label: 'Quickest answer', value: quickest === undefined ? 'none' : `${quickest} ms` },
      ),
      ...results.map(one =>
        panel.section(
          one.server_name,
          [
            panel.facts([
              ['URL', mono(one.server_url)],
              ['Error', one.error ? { text: one.error, tone: 'bad' } : 'none'],
              ['Name from', one.name_source],
              ...(one.tls_version
                ? ([
                    ['TLS', mono(`${one.tls_version}, ${one.cipher}`)],
                    ['Connect, TLS, question', mono(`${one.connect_ms} ms, ${one.tls_ms} ms, ${one.query_ms} ms`)],
                    [
                      'Question on the open connection',
                      mono(one.reused_query_ms === null ? '' : `${one.reused_query_ms} ms`),
                    ],
                  ] as const)
                : []),
            ]),
            panel.checks(one.checks),
          ],
          {
            badge: badge(
              one.status,
              one.status === SUPPORTED ? 'good' : one.status === 'Could Not Tell' ? 'neutral' : 'bad',
            ),
          },
        ),
      ),
      panel.note('info', insightOf({ working: working > 0, proven, unknown }), 'Insights'),
    ]
  },

  terminal: ({ ip }, { results: [first] }) => ({
    command:
      first && first.server_name !== ip
        ? sh`kdig @${ip} +tls-ca +tls-hostname=${first.server_name} example.com A`
        : sh`kdig @${ip} +tls example.com A`,
  }),

  examples: [
    {
      from: 'RFC 8310 §7.1 and the operator of the address',
      title: 'A public resolver',
      input: { ip: '9.9.9.9' },
      recording: {
        zone: '9.9.9.9.in-addr.arpa. 3600 PTR dns9.quad9.net.',
        encryptedDns: {
          'tls://9.9.9.9': { zone: 'example.com. 300 A 192.0.2.1', milliseconds: 4 },
        },
      },
      result: {
        domain: '9.9.9.9',
        operator: 'Quad9',
        results: [
          {
            server_name: 'dns.quad9.net',
            server_url: 'tls://9.9.9.9:853',
            status: 'DoT Supported',
            error: null,
            authenticated: true,
          },
        ],
      },
    },
    {
      from: 'RFC 5737 §3',
      title: 'Nothing listens',
      input: { ip: '192.0.2.53' },
      recording: {},
      result: {
        domain: '192.0.2.53',
        working: 0,
        results: [{ server_name: '192.0.2.53', status: 'DoT Not Supported', tls_version: null }],
      },
    },
  ],
})

/** The names to try with where each came from, the surest first; the address is always the last. */
async function namesOf(ip: string, { dns, signal }: ServerContext): Promise<Map<string, Source>> {
  const names = new Map<string, Source>()
  const published = publishedResolver(ip)?.dot
  if (published && published !== ip) names.set(published, 'published by the operator')
  const [designated, reverse] = await Promise.all([
    dns
      .ask(ip, DISCOVERY_NAME, 'SVCB', { recursionDesired: true, timeoutMs: DISCOVERY_TIMEOUT_MS })
      .then(({ answers }) => designationsOf(answers).filter(isDot), unlessOver(signal)),
    dns.resolve(`${reverseName(ip)}.`, 'PTR').then(({ records }) => records, unlessOver(signal)),
  ])
  for (const { name } of designated) if (!names.has(name)) names.set(name, 'designated by the resolver')
  const pointer = reverse.find(({ type }) => type === 'PTR')
  const host = pointer?.type === 'PTR' ? pointer.data?.ptrdname.replace(/\.$/, '').toLowerCase() : undefined
  if (host && /^[a-z0-9.-]+$/.test(host) && names.size === 0) names.set(host, 'reverse DNS')
  return new Map([...[...names].slice(0, MAX_NAMES - 1), [ip, 'the address itself']])
}

/** A server that names nothing has no names; the end of the job stays the end. */
const unlessOver =
  (signal: AbortSignal) =>
  (error: unknown): [] => {
    signal.throwIfAborted()
    if (error instanceof Problem) return []
    throw error
  }

async function tryName(dns: EncryptedDns, ip: string, name: string, source: Source): Promise<DotResult> {
  const head = {
    server_name: name,
    server_url: `tls://${ip.includes(':') ? `[${ip}]` : ip}:${PORT}`,
    name_source: source,
  }
  const server = { address: ip, name }
  try {
    const first = await dns.overTls(server, query)
    const again = await dns.overTls(server, query).catch(orNothing)
    const resumed = await dns.overTls(server, query, { resume: true }).catch(orNothing)
    return { ...head, ...report(first, again, resumed) }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'limited' || error.code === 'refused') throw error
    const silent = error.code === 'timeout' || error.code === 'busy'
    return {
      ...head,
      status: silent ? 'Could Not Tell' : 'DoT Not Supported',
      error: [error.message, error.detail].filter(Boolean).join('. '),
      ...NOTHING,
      checks: [
        {
          name: 'Connection on port 853',
          verdict: silent ? 'unknown' : 'fail',
          detail: error.message,
          clause: 'RFC 7858 §3.1',
        },
      ],
    }
  }
}

const NOTHING = {
  authenticated: null,
  certificate_problem: null,
  tls_version: null,
  cipher: null,
  alpn: null,
  connect_ms: null,
  tls_ms: null,
  query_ms: null,
  reused_query_ms: null,
  session_resumed: null,
  rcode: null,
}

function orNothing(error: unknown): undefined {
  if (error instanceof Problem) return undefined
  throw error
}

function report(first: DotExchange, again: DotExchange | undefined, resumed: DotExchange | undefined) {
  const { tls, message } = first
  return {
    status: SUPPORTED as Status,
    error: tls.problem ?? null,
    authenticated: tls.problem === undefined,
    certificate_problem: tls.problem ?? null,
    tls_version: tls.protocol,
    cipher: tls.cipher,
    alpn: tls.alpn ?? null,
    connect_ms: round(first.connectMs),
    tls_ms: round(first.tlsMs),
    query_ms: round(first.milliseconds),
    reused_query_ms: again?.reused ? round(again.milliseconds) : null,
    session_resumed: resumed?.tls.resumed ?? null,
    rcode: message.rcode,
    checks: checksOf(first, again, resumed),
  }
}

function checksOf({ tls, message }: DotExchange, again?: DotExchange, resumed?: DotExchange): Check[] {
  const modern = tls.protocol === 'TLSv1.2' || tls.protocol === 'TLSv1.3'
  return [
    { name: 'Connection on port 853', verdict: 'pass', clause: 'RFC 7858 §3.1' },
    {
      name: 'Certificate proves the name',
      verdict: tls.problem ? 'fail' : 'pass',
      ...(tls.problem && { detail: tls.problem }),
      clause: 'RFC 8310 §8.1',
    },
    { name: 'TLS 1.2 or newer', verdict: modern ? 'pass' : 'fail', detail: tls.protocol, clause: 'RFC 8310 §9' },
    {
      name: 'Protocol chosen by ALPN',
      verdict: tls.alpn === 'dot' ? 'pass' : 'not-applicable',
      detail: tls.alpn ?? 'The server chooses none, which RFC 7858 permits.',
      clause: 'RFC 7301 §3.2',
    },
    {
      name: 'A question is answered',
      verdict: message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN' ? 'pass' : 'warn',
      detail: `${message.rcode}, ${message.answers.length} ${message.answers.length === 1 ? 'record' : 'records'} for example.com`,
      clause: 'RFC 7858 §3.3',
    },
    {
      name: 'The connection stays open',
      verdict: again ? (again.reused ? 'pass' : 'warn') : 'unknown',
      clause: 'RFC 7858 §3.4',
    },
    {
      name: 'Sessions are resumed',
      verdict: resumed ? (resumed.tls.resumed ? 'pass' : 'warn') : 'unknown',
      clause: 'RFC 7858 §3.4',
    },
    { name: 'DNS over QUIC', verdict: 'skipped', detail: 'Not tested.', clause: 'RFC 9250' },
  ]
}

/** RFC 8310 §5: what a client gets from the server, with and without a name that is proven. */
function insightOf({ working, proven, unknown }: Record<'working' | 'proven' | 'unknown', boolean>): string {
  if (working && proven) return 'A client that is told the name can insist on it, and then knows whom it asks.'
  if (working) return 'Questions are encrypted on their way, but a client cannot tell whom it asks.'
  if (unknown) return 'No answer came that would tell, so the server may offer DNS over TLS or not.'
  return 'A client that insists on DNS over TLS gets no answers here.'
}
