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
import { presentation } from '@assay/lib/dns/message'
import { type PublicResolver, publicResolvers } from '@assay/lib/dns/resolvers'
import { askResolver, asTheyArrive, pause } from './resolver-question.ts'

const TYPES = ['A', 'AAAA', 'MX', 'NS', 'TXT'] as const
/** Twelve that do not filter, so that what is seen is caching. */
const RESOLVERS = publicResolvers.filter(({ filters, encryptedOnly }) => !filters && !encryptedOnly).slice(0, 12)
/** Long enough for a whole second to be missed, also where TTLs are rounded. */
const GAP_MS = 2_200

/** Above this many seconds a record is kept long, above the other one for a medium time. */
const LONG_TTL_SECONDS = 3_600
const MEDIUM_TTL_SECONDS = 300

export type TtlClass = 'Long Cache' | 'Medium Cache' | 'Short Cache'

export function ttlClassOf(ttl: number): TtlClass {
  if (ttl > LONG_TTL_SECONDS) return 'Long Cache'
  return ttl > MEDIUM_TTL_SECONDS ? 'Medium Cache' : 'Short Cache'
}

/**
 * What two questions a few seconds apart show. `cached`: the TTL went down with the clock; `fetched`: it did, from the
 * full TTL, so the first question filled the cache; `another-backend`: it went up again, so another machine of the same
 * service answered; `fixed`: it stood still, so the resolver makes it up; `uncached`: records may not be kept.
 */
export type CacheState = 'cached' | 'fetched' | 'another-backend' | 'fixed' | 'uncached' | 'unknown'

interface Pair {
  first: number
  second: number | null
  elapsedSeconds: number
  authoritative: number | null
}

/** RFC 1035 §3.2.1 and §7.4: a cached TTL counts down by the second. */
export function cacheStateOf({ first, second, elapsedSeconds, authoritative }: Pair): CacheState {
  if (first === 0 && (second === 0 || second === null)) return 'uncached'
  if (second === null) return 'unknown'
  if (second > first) return 'another-backend'
  const missing = first - second
  if (missing === 0 && elapsedSeconds >= 2) return 'fixed'
  if (Math.abs(missing - elapsedSeconds) > 1.5) return 'another-backend'
  return first === authoritative ? 'fetched' : 'cached'
}

interface CachedRecord {
  record_type: string
  value: string
  ttl: number
  ttl_class: TtlClass
  second_ttl: number | null
  authoritative_ttl: number | null
  state: CacheState
  /** Times of both answers: a cache answers the second question without asking anybody. */
  first_ms: number
  second_ms: number | null
}

interface CachingResult {
  domain: string
  caching_results: Record<string, CachedRecord[]>
  resolvers: { resolver: string; ip: string; failure: string | null; elapsed_seconds: number | null }[]
  /** TTLs of the domain's own name servers, by type; null where they gave no records. */
  authoritative_ttls: Record<string, number | null>
}

/** How long resolvers keep the records of a domain, and whether they have them now. */
export const dnsCachingCheck = tool({
  id: 'dns-caching-check',
  path: 'dns-caching-check',
  title: 'DNS Caching Check',
  category: 'dns-tools',
  summary: 'How long public resolvers keep the records of a domain, seen by asking each of them twice.',
  keywords: ['ttl', 'time to live', 'cache', 'flush', 'resolver', 'dns change'],
  specs: ['RFC 1035', 'RFC 2181', 'RFC 8767'],
  runs: 'server',
  // Some 120 questions to others: more than a lookup may send.
  weight: 'scan',
  lookups: ['dns-caching-check/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context) {
    const result: CachingResult = {
      domain,
      caching_results: Object.fromEntries(RESOLVERS.map(({ name }) => [name, []])),
      resolvers: [],
      authoritative_ttls: await authoritativeTtls(context, `${domain}.`),
    }
    const asked = RESOLVERS.map(resolver => watch(context, resolver, `${domain}.`, result.authoritative_ttls))
    for await (const { head, records } of asTheyArrive(asked)) {
      result.resolvers.push(head)
      result.caching_results[head.resolver] = records
      const done = result.resolvers.length
      const label = `${done} of ${RESOLVERS.length} resolvers asked twice`
      yield { progress: done / RESOLVERS.length, label, partial: structuredClone(result) }
    }
    return result
  },

  show: cachingPanels,

  terminal: ({ domain }) => {
    const [first] = RESOLVERS
    const ask = sh`dig +noall +answer @${first?.ipv4[0] ?? ''} ${domain} A`
    return { command: `${ask}; sleep 2; ${ask}` }
  },

  examples: [
    {
      from: 'RFC 1035 §3.2.1',
      title: 'A TTL of zero forbids keeping the record',
      input: { domain: 'www.example.com' },
      recording: {
        zone: 'www.example.com. 0 A 192.0.2.1',
        servers: { '8.8.8.8': { zone: 'www.example.com. 0 A 192.0.2.1' } },
      },
      result: {
        domain: 'www.example.com',
        caching_results: {
          'Google Public DNS': [
            { record_type: 'A', value: '192.0.2.1', ttl: 0, ttl_class: 'Short Cache', state: 'uncached' },
          ],
          Cloudflare: [],
        },
        authoritative_ttls: { A: 0, MX: null },
      },
    },
  ],
})

async function authoritativeTtls({ dns }: ServerContext, name: string): Promise<Record<string, number | null>> {
  const ttls = TYPES.map(async type => {
    const { records } = await dns.resolve(name, type)
    return [type, records.find(record => record.type === type)?.ttl ?? null] as const
  })
  return Object.fromEntries(await Promise.all(ttls))
}

/** Every type once, one after the other, and after a while every type again. */
async function watch(
  context: ServerContext,
  { name: resolver, ipv4: [ip] }: PublicResolver,
  name: string,
  authoritative: Readonly<Record<string, number | null>>,
) {
  const first = await askAll(context, ip, name, TYPES)
  const found = first.flatMap(({ type, records }) => (records.length ? [type] : []))
  const head = { resolver, ip, failure: first.find(({ failure }) => failure)?.failure ?? null }
  if (!found.length) return { head: { ...head, elapsed_seconds: null }, records: [] }
  await pause(GAP_MS, context.signal)
  const second = await askAll(context, ip, name, found)
  const records = first.flatMap(before => {
    const after = second.find(({ type }) => type === before.type)
    const elapsedSeconds = ((after?.at ?? before.at) - before.at) / 1000
    return before.records.map(record => {
      const secondTtl = after?.records[0]?.ttl ?? null
      const pair = {
        first: record.ttl,
        second: secondTtl,
        elapsedSeconds,
        authoritative: authoritative[before.type] ?? null,
      }
      return {
        record_type: before.type,
        value: presentation(record),
        ttl: record.ttl,
        ttl_class: ttlClassOf(record.ttl),
        second_ttl: secondTtl,
        authoritative_ttl: pair.authoritative,
        state: cacheStateOf(pair),
        first_ms: before.milliseconds,
        second_ms: after ? after.milliseconds : null,
      }
    })
  })
  const elapsed = ((second[0]?.at ?? 0) - (first.find(({ type }) => type === found[0])?.at ?? 0)) / 1000
  return { head: { ...head, elapsed_seconds: Math.round(elapsed * 10) / 10 }, records }
}

async function askAll(context: ServerContext, server: string, name: string, types: readonly string[]) {
  const answers = []
  for (const type of types) {
    const reply = await askResolver(context, { server, name, type })
    const at = context.now().getTime()
    if (reply.failure) {
      answers.push({ type, at, records: [], milliseconds: 0, failure: reply.reason })
      break
    }
    const records = reply.message.answers.filter(record => record.type === type)
    const failed = reply.message.rcode !== 'NOERROR' && reply.message.rcode !== 'NXDOMAIN'
    const failure = failed ? `The resolver answered ${reply.message.rcode}.` : null
    answers.push({ type, at, records, milliseconds: Math.round(reply.milliseconds * 1000) / 1000, failure })
  }
  return answers
}

const CLASS_TONES: Readonly<Record<TtlClass, Tone>> = {
  'Long Cache': 'good',
  'Medium Cache': 'info',
  'Short Cache': 'warn',
}

const STATES: Readonly<Record<CacheState, readonly [text: string, title: string]>> = {
  cached: ['was in the cache', 'The TTL was counting down already, and went on with the clock.'],
  fetched: ['fetched now', 'The first question filled the cache; from there the TTL counts down.'],
  'another-backend': ['another backend', 'The TTL did not go on from the first answer: another machine answered.'],
  fixed: ['TTL stands still', 'The TTL does not count down: the resolver makes it up.'],
  uncached: ['not kept', 'A TTL of zero: nobody may keep the record.'],
  unknown: ['seen once', 'The second question had no answer.'],
}

function cachingPanels({ domain, caching_results, resolvers, authoritative_ttls }: CachingResult): Panel[] {
  const records = Object.values(caching_results).flat()
  const longest = Math.max(0, ...records.map(({ ttl }) => ttl))
  const known = Object.entries(authoritative_ttls).flatMap(([type, ttl]) =>
    ttl === null ? [] : [[type, ttl] as const],
  )
  const failures = new Map(resolvers.map(({ resolver, failure }) => [resolver, failure]))
  return [
    panel.banner('neutral', domain, { detail: `${resolvers.length} resolvers, each asked twice` }),
    panel.tiles(
      { label: 'Resolvers answering', value: resolvers.filter(({ failure }) => !failure).length },
      { label: 'Had it in the cache', value: new Set(cachedAt(caching_results)).size },
      { label: 'Longest time left', value: `${longest} s`, detail: 'until the last of them asks again' },
    ),
    ...(known.length
      ? [
          panel.table(
            ['Type', 'TTL', 'TTL Class'],
            known.map(([type, ttl]) => [badge(type, 'info'), mono(`${ttl} s`), classBadge(ttlClassOf(ttl))]),
            { title: 'What the domain’s own name servers allow' },
          ),
        ]
      : []),
    ...Object.entries(caching_results)
      .filter(([resolver]) => failures.has(resolver))
      .map(([resolver, rows]) =>
        panel.section(resolver, [
          panel.table(
            ['Type', 'Value', 'TTL', 'TTL Class', 'Seen'],
            rows.map(({ record_type, value, ttl, second_ttl, ttl_class, state }) => [
              badge(record_type, 'info'),
              mono(value),
              mono(second_ttl === null ? `${ttl} s` : `${ttl} s, then ${second_ttl} s`),
              classBadge(ttl_class),
              { text: STATES[state][0], title: STATES[state][1] },
            ]),
            { empty: failures.get(resolver) ?? 'No records found for this resolver.' },
          ),
        ]),
      ),
    panel.note('info', insightOf([...records, ...known.map(([, ttl]) => ({ ttl }))]), 'Insights'),
  ]
}

/** RFC 1035 §3.2.1: what is kept now is kept until its TTL is over, whatever the domain publishes meanwhile. */
function insightOf(records: readonly { ttl: number }[]): string {
  if (!records.length) return 'No record was seen, so there is nothing to keep.'
  const seconds = Math.max(...records.map(({ ttl }) => ttl))
  if (!seconds) return 'Nothing here may be kept, so a change is seen with the next question.'
  return `A change made now is seen everywhere after ${seconds} s, by resolvers that keep to the TTL. Before a planned change, lower the TTL that long ahead.`
}

const cachedAt = (results: CachingResult['caching_results']) =>
  Object.entries(results).flatMap(([name, rows]) => (rows.some(({ state }) => state === 'cached') ? [name] : []))

const classBadge = (name: TtlClass): CellData => badge(name, CLASS_TONES[name])
