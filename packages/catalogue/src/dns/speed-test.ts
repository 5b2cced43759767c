import { badge, field, mono, type Panel, panel, type ServerContext, sh, type Tone, tool } from '@assay/kit'
import { createQuery, presentation } from '@assay/lib/dns/message'
import { type PublicResolver, publicResolvers } from '@assay/lib/dns/resolvers'
import { medianOf, rounded } from '@assay/lib/dns/response-times'
import { askResolver, asTheyArrive } from './resolver-question.ts'

const TYPES = ['A', 'AAAA', 'MX', 'NS', 'TXT'] as const
/** Twelve operators, each with the first of its services. */
const PROVIDERS = publicResolvers
  .filter(({ encryptedOnly }) => !encryptedOnly)
  .filter((one, i, all) => all.findIndex(({ name }) => operator(name) === operator(one.name)) === i)
  .slice(0, 12)

function operator(name: string): string {
  return name.split(' ')[0] ?? name
}

const ENCRYPTED_TIMEOUT_MS = 2_500

/** Up to this many milliseconds an answer is fast, up to the other one fair. */
const FAST_MS = 10
const FAIR_MS = 50

export function speedTone(milliseconds: number): Tone {
  if (milliseconds <= FAST_MS) return 'good'
  return milliseconds <= FAIR_MS ? 'warn' : 'bad'
}

interface SpeedRow {
  record_type: string
  value: string
  ttl: number
  /** The first question: what a visitor waits whose resolver was not asked lately. */
  response_time_ms: number
  /** The same question again, now that the resolver has the answer. */
  warm_ms: number | null
}

interface Encrypted {
  connect_ms: number
  tls_ms: number
  /** The question alone, on the connection that stands. */
  query_ms: number
}

interface SpeedResult {
  domain: string
  speed_results: Record<string, SpeedRow[]>
  providers: { provider: string; ip: string; failure: string | null; encrypted: Encrypted | null }[]
}

/** How long public resolvers take for the records of a domain. */
export const dnsSpeedTest = tool({
  id: 'dns-speed-test',
  path: 'dns-speed-test',
  title: 'DNS Speed Test',
  category: 'dns-tools',
  summary: 'How many milliseconds public resolvers take for each record of a domain.',
  keywords: ['latency', 'response time', 'fast dns', 'resolver', 'milliseconds', 'dns over https'],
  specs: ['RFC 1035', 'RFC 7766', 'RFC 8484'],
  runs: 'server',
  // Some 120 questions to others: more than a lookup may send.
  weight: 'scan',
  lookups: ['dns-speed-test/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context) {
    const result: SpeedResult = {
      domain,
      speed_results: Object.fromEntries(PROVIDERS.map(({ name }) => [name, []])),
      providers: [],
    }
    const heads = new Map<string, SpeedResult['providers'][number]>()
    const timed = PROVIDERS.map(provider => time(context, provider, `${domain}.`))
    for await (const { rows, ...head } of asTheyArrive(timed)) {
      heads.set(head.provider, head)
      result.providers = PROVIDERS.flatMap(({ name }) => heads.get(name) ?? [])
      result.speed_results[head.provider] = rows
      const done = result.providers.length
      const label = `${done} of ${PROVIDERS.length} providers timed`
      yield { progress: done / PROVIDERS.length, label, partial: structuredClone(result) }
    }
    return result
  },

  show: speedPanels,

  terminal: ({ domain }) => ({
    command: PROVIDERS.slice(0, 3)
      .map(({ ipv4 }) => sh`dig +noall +stats @${ipv4[0]} ${domain} A`)
      .join('; '),
  }),

  examples: [
    {
      from: 'RFC 7505 §3',
      title: 'A domain that takes no mail',
      input: { domain: 'nomail.example.com' },
      recording: {
        servers: { '8.8.8.8': { zone: 'nomail.example.com. 86400 MX 0 .', milliseconds: 12.34567 } },
      },
      result: {
        domain: 'nomail.example.com',
        speed_results: {
          'Google Public DNS': [{ record_type: 'MX', value: '0 .', ttl: 86400, response_time_ms: 12.346 }],
          Cloudflare: [],
        },
      },
    },
  ],
})

/** One question after the other, so that none waits for another of ours. */
async function time(context: ServerContext, { name: provider, ipv4: [ip], doh }: PublicResolver, name: string) {
  const rows: SpeedRow[] = []
  let failure: string | null = null
  for (const type of TYPES) {
    const cold = await askResolver(context, { server: ip, name, type })
    if (cold.failure) {
      failure = cold.reason
      break
    }
    const { rcode, answers } = cold.message
    if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') failure = `The resolver answered ${rcode}.`
    const found = answers.filter(record => record.type === type)
    if (!found.length) continue
    const warm = await askResolver(context, { server: ip, name, type, tries: 1 })
    for (const record of found) {
      rows.push({
        record_type: type,
        value: presentation(record),
        ttl: record.ttl,
        response_time_ms: rounded(cold.milliseconds, 3),
        warm_ms: warm.failure ? null : rounded(warm.milliseconds, 3),
      })
    }
  }
  return { provider, ip, rows, failure, encrypted: doh ? await timeEncrypted(context, doh, ip, name) : null }
}

/** One question over HTTPS: what the connection costs, and apart from it the question. */
async function timeEncrypted(
  { encryptedDns, signal }: ServerContext,
  url: string,
  address: string,
  name: string,
): Promise<Encrypted | null> {
  try {
    const query = createQuery({ id: 0, name, type: 'A', rd: true })
    const options = { timeoutMs: ENCRYPTED_TIMEOUT_MS, fresh: true }
    const exchange = await encryptedDns.overHttps({ url, address }, query, options)
    if (!exchange.message) return null
    return {
      connect_ms: rounded(exchange.connectMs, 3),
      tls_ms: rounded(exchange.tlsMs, 3),
      query_ms: rounded(exchange.milliseconds, 3),
    }
  } catch {
    // Not offered at this address, or not now: the measure over UDP stands without it.
    signal.throwIfAborted()
    return null
  }
}

/** Exported for its empty states, which a run never reaches. */
export function speedPanels(result: Partial<SpeedResult> | undefined): Panel[] {
  if (!result) return [panel.banner('warn', 'No Speed Test Results', { detail: 'No speed test data available' })]
  const { domain = '', speed_results = {}, providers = [] } = result
  const names = Object.keys(speed_results)
  if (!names.length) {
    const detail = 'No DNS speed test results available. Please try again later.'
    return [panel.banner('warn', 'No Speed Test Results', { detail })]
  }
  const ranked = names
    .map(name => ({ name, median: medianOf((speed_results[name] ?? []).map(row => row.response_time_ms)) }))
    .flatMap(({ name, median }) => (median === undefined ? [] : [{ name, median }]))
    .sort((a, b) => a.median - b.median)
  const [fastest] = ranked
  const heads = new Map(providers.map(head => [head.provider, head]))
  return [
    panel.banner('neutral', domain, {
      badge: `${names.length} PROVIDERS`,
      detail: `Tested at ${names.length} providers`,
    }),
    panel.tiles(
      { label: 'Providers', value: names.length },
      { label: 'Answered', value: ranked.length },
      {
        label: 'Fastest',
        value: fastest?.name ?? 'none',
        ...(fastest && { detail: `${fastest.median.toFixed(3)} ms in the middle` }),
      },
    ),
    ...names.map(name => providerPanel(name, speed_results[name] ?? [], heads.get(name))),
    panel.note('info', insightOf(ranked), 'Insights'),
  ]
}

/** The first and the last of those in order. */
function insightOf(ranked: readonly { name: string; median: number }[]): string {
  const [fastest, slowest] = [ranked[0], ranked.at(-1)]
  if (!fastest || !slowest) return 'Nothing was timed: no provider gave records of this name.'
  const inMs = ({ name, median }: typeof fastest) => `${name} with a median of ${median.toFixed(3)} ms`
  const others = fastest === slowest ? '' : `, the slowest ${inMs(slowest)}`
  return `The fastest is ${inMs(fastest)}${others}, seen from this server. From your network the order may be another one.`
}

function providerPanel(
  name: string,
  rows: readonly SpeedRow[],
  head: SpeedResult['providers'][number] | undefined,
): Panel {
  const queries = `${rows.length} ${rows.length === 1 ? 'query' : 'queries'}`
  const { encrypted, failure, ip } = head ?? {}
  return panel.section(
    name,
    [
      panel.table(
        ['Record Type', 'Value', 'TTL', 'Response Time', 'Again'],
        rows.map(({ record_type, value, ttl, response_time_ms, warm_ms }) => [
          badge(record_type, 'info'),
          mono(value),
          mono(`${ttl} s`),
          milliseconds(response_time_ms),
          warm_ms === null ? '' : milliseconds(warm_ms),
        ]),
        { cards: true, empty: 'No speed test data for this provider.' },
      ),
      ...(failure ? [panel.note('warn', failure)] : []),
      ...(encrypted
        ? [
            panel.facts(
              [
                ['Connecting', mono(`${encrypted.connect_ms.toFixed(3)} ms`)],
                ['TLS', mono(`${encrypted.tls_ms.toFixed(3)} ms`)],
                ['The question alone', milliseconds(encrypted.query_ms)],
              ],
              'Over HTTPS',
            ),
          ]
        : []),
    ],
    {
      badge: rows.length ? badge('Active', 'good') : badge('No Data', 'neutral'),
      detail: [ip, queries].filter(Boolean).join(', '),
    },
  )
}

const milliseconds = (value: number) => mono(`${value.toFixed(3)} ms`, speedTone(value))
