import { field, sh, tool } from '@assay/kit'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { gradeOf, meanOf, percentOf, type Times } from '@assay/lib/dns/response-times'
import { benchmarkPanels } from './benchmark.show.ts'
import { type MeasuredServer, type Method, measureResolver } from './benchmark-measure.ts'
import { asTheyArrive, inLanes } from './resolver-question.ts'

/** Measured when nothing else is typed. */
const DEFAULT_DOMAIN = 'example.com'
/** Resolvers measured at once; more would make our own processor part of the time. */
const LANES = 8

interface Summary {
  fastest_resolver: string | null
  fastest_time_ms: number | null
  success_rate_percentage: number
  successful_resolvers: number
  total_resolvers_tested: number
  doh_support_percentage: number
  doh_enabled_resolvers: number
  performance_grade: string
  top_3_fastest: { resolver: string; ip: string; method: Method; time_ms: number }[]
  recommendations: string[]
}

/** Measured by the server: thirty resolvers, each by the methods it offers. */
export interface ServerBenchmark {
  domain: string
  summary: Summary
  dns_servers: MeasuredServer[]
}

/** One provider as the visitor's own browser saw it: the times in milliseconds of the samples that were answered. */
export interface MeasuredProvider extends Times {
  name: string
  /** At least one sample was answered. */
  ok: boolean
  /** Only the time was to be seen, not the answer. */
  timingOnly: boolean
  fails: number
}

/** Measured by the visitor's own browser. The page makes it, and `show` draws it as it draws the other. */
export interface BrowserBenchmark {
  domain: string
  /** Those measured so far, the fastest first. */
  providers: MeasuredProvider[]
  total: number
}

/** How fast public resolvers answer. */
export const dnsBenchmarkTest = tool({
  id: 'dns-benchmark-test',
  path: 'dns-benchmark-test',
  title: 'DNS Benchmark',
  category: 'dns-tools',
  summary: 'How fast public DNS resolvers answer, measured from this server or from your own browser.',
  keywords: ['fastest dns', 'resolver', 'speed', 'namebench', 'latency', 'dns over https', 'doh', 'compare'],
  specs: ['RFC 1035', 'RFC 8484'],
  runs: 'server',
  weight: 'scan',
  lookups: ['dns-benchmark-test/{domain}'],
  button: ['Start Test', 'Testing...'],
  fields: { domain: field.domain('Domain', { default: DEFAULT_DOMAIN }) },

  async *run({ domain }, context) {
    const lane = inLanes(LANES)
    const measured: MeasuredServer[][] = []
    const tasks = publicResolvers.map(resolver => lane(() => measureResolver(context, resolver, domain)))
    for await (const servers of asTheyArrive(tasks)) {
      measured.push(servers)
      const done = measured.length
      const label = `Running DNS Benchmark: ${done} of ${publicResolvers.length} resolvers`
      yield { progress: done / publicResolvers.length, label, partial: resultOf(domain, measured) }
    }
    return resultOf(domain, measured)
  },

  show: (result: ServerBenchmark | BrowserBenchmark) => benchmarkPanels(result),

  terminal: ({ domain }) => ({
    command: publicResolvers
      .filter(({ encryptedOnly }) => !encryptedOnly)
      .slice(0, 4)
      .map(({ ipv4 }) => sh`dig +noall +stats @${ipv4[0]} ${domain} A`)
      .join('; '),
  }),

  examples: [
    {
      from: 'RFC 2606 §3',
      title: 'Two resolvers of a name reserved for examples',
      input: { domain: 'example.com' },
      recording: {
        servers: {
          '8.8.8.8': { zone: 'example.com. 300 A 192.0.2.1', milliseconds: 20 },
          '1.1.1.1': { zone: 'example.com. 300 A 192.0.2.1', milliseconds: 10 },
          '9.9.9.9': { rcode: 'SERVFAIL' },
        },
        encryptedDns: {
          'https://dns.google/dns-query': { zone: 'example.com. 300 A 192.0.2.1', milliseconds: 30 },
        },
      },
      result: {
        domain: 'example.com',
        summary: {
          fastest_resolver: 'Cloudflare',
          fastest_time_ms: 10,
          success_rate_percentage: 7,
          successful_resolvers: 2,
          total_resolvers_tested: 30,
          doh_support_percentage: 3,
          doh_enabled_resolvers: 1,
          performance_grade: 'Excellent',
          top_3_fastest: [
            { resolver: 'Cloudflare', ip: '1.1.1.1', method: 'UDP', time_ms: 10 },
            { resolver: 'Google Public DNS', ip: '8.8.8.8', method: 'UDP', time_ms: 20 },
            { resolver: 'Google Public DNS', ip: '8.8.8.8', method: 'DoH', time_ms: 30 },
          ],
        },
        dns_servers: [
          { resolver: 'Cloudflare', test_method: 'UDP', average_ms: 10 },
          { resolver: 'Google Public DNS', test_method: 'UDP', average_ms: 20 },
          { resolver: 'Google Public DNS', test_method: 'DoH', average_ms: 30 },
        ],
      },
    },
  ],
})

function resultOf(domain: string, measured: readonly MeasuredServer[][]): ServerBenchmark {
  const order = new Map(publicResolvers.map(({ name }, i) => [name, i]))
  const place = ({ average_ms }: MeasuredServer) => average_ms ?? Number.POSITIVE_INFINITY
  const known = ({ resolver }: MeasuredServer) => order.get(resolver) ?? 0
  const servers = measured.flat().sort((a, b) => (place(a) === place(b) ? known(a) - known(b) : place(a) - place(b)))
  return { domain, summary: summarise(servers, measured.length), dns_servers: servers }
}

function summarise(servers: readonly MeasuredServer[], total: number): Summary {
  const timed = servers.flatMap(({ average_ms, ...server }) => (average_ms === null ? [] : [{ ...server, average_ms }]))
  const successful = new Set(timed.map(({ resolver }) => resolver)).size
  const withDoh = timed.filter(({ test_method }) => test_method === 'DoH').length
  const mean = meanOf(timed.map(({ average_ms }) => average_ms))
  const [fastest] = timed
  return {
    fastest_resolver: fastest?.resolver ?? null,
    fastest_time_ms: fastest?.average_ms ?? null,
    success_rate_percentage: percentOf(successful, total),
    successful_resolvers: successful,
    total_resolvers_tested: total,
    doh_support_percentage: percentOf(withDoh, total),
    doh_enabled_resolvers: withDoh,
    performance_grade: mean === undefined ? 'Failed' : gradeOf(mean),
    top_3_fastest: timed
      .slice(0, 3)
      .map(({ resolver, ip, test_method, average_ms }) => ({ resolver, ip, method: test_method, time_ms: average_ms })),
    recommendations: recommend(timed, total - successful),
  }
}

function recommend(
  timed: readonly { resolver: string; ip: string; test_method: Method; average_ms: number }[],
  silent: number,
): string[] {
  const [fastest] = timed
  const encrypted = timed.find(({ test_method }) => test_method === 'DoH')
  const unfiltered = new Set(publicResolvers.flatMap(({ name, filters }) => (filters ? [] : [name])))
  const plain = timed.find(({ resolver }) => unfiltered.has(resolver))
  if (!fastest) return ['No resolver answered. The network of this server may not let DNS out.']
  const time = (ms: number) => `${ms.toFixed(1)} ms`
  return [
    `Fastest from this server: ${fastest.resolver} (${fastest.ip}) by ${fastest.test_method}, ${time(fastest.average_ms)} on average.`,
    ...(encrypted
      ? [
          `Fastest with encryption: ${encrypted.resolver} over HTTPS, ${time(encrypted.average_ms)} once the connection stands.`,
        ]
      : []),
    ...(plain && plain !== fastest
      ? [`Fastest that filters nothing: ${plain.resolver} (${plain.ip}), ${time(plain.average_ms)}.`]
      : []),
    ...(silent ? [`${silent} ${silent === 1 ? 'resolver' : 'resolvers'} did not answer from here.`] : []),
    'These are times from where this server stands. Browser mode measures from where you are.',
  ]
}
