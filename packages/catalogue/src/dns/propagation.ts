import {
  badge,
  type CellData,
  field,
  mono,
  type Panel,
  panel,
  type ServerContext,
  sh,
  type Tone,
  tool,
} from '@assay/kit'
import { createQuery } from '@assay/lib/dns/message'
import { type PublicResolver, publicResolvers } from '@assay/lib/dns/resolvers'
import { type Authority, askAuthority } from './authority.ts'
import { judge, type ResolverRow, rowOf, type Verdict } from './propagation-verdict.ts'
import { askResolver, asTheyArrive, PACKET_TIMEOUT_MS, pause, type ResolverReply } from './resolver-question.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'SRV', 'PTR', 'HTTPS', 'DS', 'DNSKEY'] as const

/** How long the domain's own servers are waited for; the resolvers are done by then. */
const AUTHORITY_TIMEOUT_MS = 3_600

interface Row {
  record_type: string
  value: string
  ttl: number
}

export interface PropagationResult {
  domain: string
  record_type: string
  propagation_results: Record<string, Row[]>
  resolvers: ResolverRow[]
  authority: Authority | null
  /** How many resolvers there are of each verdict. */
  summary: { asked: number; answered: number; percent: number } & Record<Verdict, number>
}

const WORDS: Readonly<Record<Verdict, readonly [badge: string, tone: Tone, meaning: string]>> = {
  same: ['UP TO DATE', 'good', 'has what the domain’s own name servers say'],
  missing: ['NOT PROPAGATED', 'bad', 'says there is nothing, while the domain’s own name servers have records'],
  stale: ['OLD ANSWER', 'warn', 'has other records, most likely the earlier ones'],
  filtered: ['FILTERED', 'info', 'does not resolve this name on purpose'],
  varies: ['VARIES', 'info', 'has records of its own place or network'],
  failed: ['FAILED', 'warn', 'could not tell'],
  silent: ['NO ANSWER', 'neutral', 'did not answer, so this says nothing about the domain'],
  unknown: ['NOT COMPARED', 'neutral', 'answered, but the domain’s own name servers did not'],
}

/** What thirty public resolvers say about a name, against what its own name servers say. */
export const dnsPropagationCheck = tool({
  id: 'dns-propagation-check',
  path: 'dns-propagation-check',
  title: 'DNS Propagation Check',
  category: 'dns-tools',
  summary: 'Whether thirty public resolvers around the world have what a domain publishes now.',
  keywords: ['propagation', 'global dns', 'dns change', 'cache', 'resolver', 'whatsmydns', 'stale', 'filtered'],
  specs: ['RFC 1034', 'RFC 2181', 'RFC 8767', 'RFC 8914'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dns-propagation-check/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain'), type: field.choice('Record type', TYPES) },

  async *run({ domain, type }, context) {
    const name = `${domain}.`
    let authority: Authority | undefined
    const own = askAuthority(context, name, type).then(found => {
      authority = found
    })
    const bounded = Promise.race([own, pause(AUTHORITY_TIMEOUT_MS, context.signal)])
    // Looked at below; the job may end before.
    bounded.catch(() => {})
    const rows: ResolverRow[] = []
    const asked = publicResolvers.map(async resolver => rowOf(resolver, type, await ask(context, resolver, name, type)))
    for await (const row of asTheyArrive(asked)) {
      rows.push(row)
      const label = `${rows.length} of ${publicResolvers.length} resolvers asked`
      yield { progress: rows.length / publicResolvers.length, label, partial: resultOf(domain, type, rows, authority) }
    }
    await bounded
    return resultOf(domain, type, rows, authority)
  },

  show: propagationPanels,

  terminal: ({ domain, type }, { authority }) => ({
    command: publicResolvers
      .filter(({ encryptedOnly }) => !encryptedOnly)
      .slice(0, 4)
      .map(({ ipv4 }) => sh`dig +short @${ipv4[0]} ${domain} ${type}`)
      .join('; '),
    ...(authority?.agree && authority.values.length === 1 && type === 'A' && { prints: authority.values[0] }),
  }),

  examples: [
    {
      from: 'RFC 8914 §4.16 and §4.23',
      title: 'Filtered, old, failed and silent resolvers',
      input: { domain: 'www.example.com', type: 'A' },
      recording: {
        zone: 'www.example.com. 300 A 192.0.2.1',
        servers: {
          '8.8.8.8': { zone: 'www.example.com. 120 A 192.0.2.1', milliseconds: 11 },
          '1.1.1.1': { zone: 'www.example.com. 3000 A 198.51.100.7', milliseconds: 9 },
          '1.1.1.2': { zone: 'www.example.com. 60 A 0.0.0.0', errors: [{ code: 15, text: '' }] },
          '9.9.9.9': { rcode: 'SERVFAIL', errors: [{ code: 22, text: 'at delegation example.com.' }] },
          '208.67.222.222': { zone: 'other.example.com. 60 A 192.0.2.9', rcode: 'NXDOMAIN' },
          '193.17.47.1': { rcode: 'NXDOMAIN' },
        },
      },
      result: {
        domain: 'www.example.com',
        propagation_results: {
          'Google Public DNS': [{ record_type: 'A', value: '192.0.2.1', ttl: 120 }],
          Cloudflare: [{ record_type: 'A', value: '198.51.100.7', ttl: 3000 }],
          Quad9: [],
        },
        summary: { asked: 30, answered: 6, same: 1, stale: 1, filtered: 2, failed: 1, missing: 1, silent: 24 },
      },
    },
  ],
})

/** Plain DNS, or HTTPS where an operator offers nothing else. */
async function ask(
  context: ServerContext,
  { ipv4: [server], doh, encryptedOnly }: PublicResolver,
  name: string,
  type: string,
): Promise<ResolverReply> {
  if (!encryptedOnly || !doh) return askResolver(context, { server, name, type })
  try {
    const query = createQuery({ id: 0, name, type, rd: true })
    const options = { timeoutMs: 2 * PACKET_TIMEOUT_MS }
    const { message, milliseconds, problem } = await context.encryptedDns.overHttps(
      { url: doh, address: server },
      query,
      options,
    )
    if (!message) return { failure: 'unreachable', reason: problem ?? 'The answer was not DNS over HTTPS.' }
    return { message, milliseconds, transport: 'HTTPS' }
  } catch (error) {
    context.signal.throwIfAborted()
    return { failure: 'silent', reason: error instanceof Error ? `${error.message}.` : 'No answer.' }
  }
}

function resultOf(
  domain: string,
  type: string,
  arrived: readonly ResolverRow[],
  authority: Authority | undefined,
): PropagationResult {
  const order = new Map(publicResolvers.map(({ name }, i) => [name, i]))
  const rows = judge(arrived, authority).sort((a, b) => (order.get(a.resolver) ?? 0) - (order.get(b.resolver) ?? 0))
  const count = (verdict: Verdict) => rows.filter(row => row.verdict === verdict).length
  const counts = {
    same: count('same'),
    missing: count('missing'),
    stale: count('stale'),
    filtered: count('filtered'),
    varies: count('varies'),
    failed: count('failed'),
    silent: count('silent'),
    unknown: count('unknown'),
  }
  // What filters, fails or is silent says nothing about how far a change has come.
  const comparable = counts.same + counts.missing + counts.stale + counts.varies
  return {
    domain,
    record_type: type,
    propagation_results: Object.fromEntries(
      rows.map(({ resolver, values, ttl }) => [
        resolver,
        values.map(value => ({ record_type: type, value, ttl: ttl ?? 0 })),
      ]),
    ),
    resolvers: rows,
    authority: authority ?? null,
    summary: {
      asked: rows.length,
      answered: rows.length - counts.silent,
      percent: comparable ? Math.round((100 * (counts.same + counts.varies)) / comparable) : 0,
      ...counts,
    },
  }
}

/** Exported for its empty states, which a run never reaches. */
export function propagationPanels(result: Partial<PropagationResult>): Panel[] {
  const { domain = '', record_type = '', resolvers = [], authority, summary } = result
  if (!Object.keys(result.propagation_results ?? {}).length || !summary) {
    return [panel.banner('warn', 'No Propagation Results', { detail: 'No propagation data available' })]
  }
  const whole = summary.percent === 100
  return [
    panel.banner(whole ? 'good' : summary.same ? 'warn' : 'neutral', domain, {
      badge: `${summary.percent}% UP TO DATE`,
      detail: `${record_type} records at ${summary.asked} public resolvers`,
    }),
    panel.tiles(
      ...(['same', 'stale', 'missing', 'filtered', 'varies', 'failed', 'silent', 'unknown'] as const)
        .filter(verdict => summary[verdict] || verdict === 'same')
        .map(verdict => ({ label: LABELS[verdict], value: summary[verdict], detail: WORDS[verdict][2] })),
    ),
    ...authorityPanels(authority),
    panel.table(
      ['Resolver', 'State', 'Value', 'TTL (s)', 'Time (ms)', 'Place'],
      resolvers.map(row => [
        { text: row.resolver, title: row.ip },
        verdictBadge(row.verdict),
        valueCell(row),
        row.ttl === null ? '' : mono(row.ttl),
        row.response_time_ms === null ? '' : mono(row.response_time_ms.toFixed(1)),
        row.place,
      ]),
      { title: 'Resolvers', cards: true },
    ),
    ...resolvers.map(row =>
      panel.section(
        row.resolver,
        [
          panel.table(
            ['Type', 'Value', 'TTL'],
            row.values.map(value => [badge(record_type, 'info'), mono(value), mono(row.ttl ?? 0)]),
            { empty: 'No records found for this resolver.' },
          ),
        ],
        { badge: verdictBadge(row.verdict), detail: WORDS[row.verdict][2] },
      ),
    ),
    panel.note('info', insightOf(summary, resolvers), 'Insights'),
  ]
}

/** How long what is not up to date may stay so. RFC 1035 §3.2.1, RFC 2308 §5. */
function insightOf(summary: PropagationResult['summary'], resolvers: readonly ResolverRow[]): string {
  const kept = Math.max(0, ...resolvers.map(({ verdict, ttl }) => (verdict === 'stale' ? (ttl ?? 0) : 0)))
  if (kept) return `An old answer stays until its time is up, here ${kept} s at most; then the resolver asks again.`
  if (summary.missing)
    return 'That there is nothing is remembered too, for as long as the SOA record of the zone allows.'
  return summary.same
    ? 'What filters, fails or is silent says nothing about the domain; all others are up to date.'
    : 'No resolver was compared with the domain’s own name servers.'
}

const LABELS: Readonly<Record<Verdict, string>> = {
  same: 'Up to date',
  missing: 'Not propagated',
  stale: 'Old answer',
  filtered: 'Filtered',
  varies: 'Varies by place',
  failed: 'Failed',
  silent: 'No answer',
  unknown: 'Not compared',
}

const verdictBadge = (verdict: Verdict): CellData => {
  const [text, tone, title] = WORDS[verdict]
  return { ...badge(text, tone), title }
}

/** The records, or why there are none: the code, and what the resolver says about it. */
function valueCell({ values, rcode, errors, reason }: ResolverRow): CellData {
  const said = errors.map(({ name, text }) => (text ? `${name} (${text})` : name))
  if (values.length) return mono([values.join(', '), ...said].join('; '))
  return { text: [rcode === 'NOERROR' ? 'no records' : (rcode ?? reason ?? ''), ...said].join('; '), tone: 'neutral' }
}

function authorityPanels(authority: Authority | null | undefined): Panel[] {
  if (!authority) {
    const text = 'The domain’s own name servers gave no answer in time, so the resolvers are not compared with them.'
    return [panel.note('warn', text, 'No answer to compare with')]
  }
  const { status, values, ttl, reason, servers, agree } = authority
  const told = status === 'answer' ? values.join(', ') : (reason ?? status)
  return [
    panel.facts(
      [
        ['They say', mono(told)],
        ...(ttl === null ? [] : ([['TTL', `${ttl} s`]] as const)),
        ...servers.map(server => [server.name, mono(server.values.join(', ') || server.status)] as const),
      ],
      'The domain’s own name servers',
    ),
    ...(agree
      ? []
      : [
          panel.note(
            'warn',
            'They do not all say the same. A change has not reached each of them, so what a resolver gets depends on which one it asks.',
            'The name servers disagree',
          ),
        ]),
  ]
}
