import { badge, type Cell, mono, type Panel, panel, type Tone } from '@assay/kit'
import { barOf, type Grade, gradeOf, meanOf, percentOf } from '@assay/lib/dns/response-times'
import type { BrowserBenchmark, ServerBenchmark } from './benchmark.ts'

const GRADE_TONES: Readonly<Record<Grade, Tone>> = { Excellent: 'good', Good: 'warn', Average: 'serious', Poor: 'bad' }
/** Rows that stand out. */
const TOP = 3

/** What either mode found. */
export const benchmarkPanels = (result: ServerBenchmark | BrowserBenchmark): Panel[] =>
  'summary' in result ? serverPanels(result) : browserPanels(result)

function serverPanels({ domain, summary, dns_servers }: ServerBenchmark): Panel[] {
  const { fastest_resolver, fastest_time_ms, performance_grade, top_3_fastest, recommendations } = summary
  return [
    panel.banner('neutral', domain, {
      badge: performance_grade.toUpperCase(),
      detail: `${summary.total_resolvers_tested} resolvers, by traditional DNS and by DoH`,
    }),
    panel.tiles(
      {
        label: 'Fastest Resolver',
        value: fastest_time_ms === null ? 'none' : milliseconds(fastest_time_ms),
        ...(fastest_resolver && { detail: fastest_resolver }),
      },
      {
        label: 'Success Rate',
        value: `${summary.success_rate_percentage}%`,
        detail: `${summary.successful_resolvers}/${summary.total_resolvers_tested} providers`,
      },
      {
        label: 'DoH Support',
        value: `${summary.doh_support_percentage}%`,
        detail: `${summary.doh_enabled_resolvers} by DoH`,
      },
      { label: 'Performance', value: gradeCell(performance_grade) },
    ),
    panel.table(
      ['Rank', 'Resolver', 'IP', 'Method', 'Time', 'Rating'],
      top_3_fastest.map(({ resolver, ip, method, time_ms }, i) => [
        rank(i),
        resolver,
        mono(ip),
        method,
        milliseconds(time_ms),
        gradeCell(gradeOf(time_ms)),
      ]),
      { title: 'Top 3 Fastest', empty: 'No resolver answered.' },
    ),
    panel.table(
      ['Rank', 'Provider', 'Method', 'Response Time', 'Cached (ms)', 'Not cached (ms)', 'Grade'],
      dns_servers.map((server, i) => [
        server.average_ms === null ? '' : rank(i),
        { text: `${server.resolver} (${server.ip})` },
        server.test_method,
        timeCell(server.average_ms, server.min_ms, server.max_ms, server.reason),
        server.cached_ms === null ? '' : mono(server.cached_ms.toFixed(2)),
        server.uncached_ms === null ? '' : mono(server.uncached_ms.toFixed(2)),
        gradeCell(server.grade ?? 'Failed'),
      ]),
      { title: 'Complete Results', cards: true },
    ),
    panel.list(
      recommendations.map(text => ({ text })),
      { title: 'Recommendations' },
    ),
  ]
}

function browserPanels({ domain, providers, total }: BrowserBenchmark): Panel[] {
  const timed = providers.flatMap(({ name, avg }) => (avg === null ? [] : [{ name, avg }]))
  const mean = meanOf(timed.map(({ avg }) => avg))
  const [fastest] = timed
  return [
    panel.banner('neutral', domain, { detail: `${providers.length} of ${total} providers, from this browser` }),
    panel.tiles(
      {
        label: 'Fastest',
        value: fastest ? milliseconds(fastest.avg) : 'none',
        ...(fastest && { detail: fastest.name }),
      },
      {
        label: 'Success Rate',
        value: `${percentOf(timed.length, providers.length)}%`,
        detail: `${timed.length}/${providers.length} providers`,
      },
      { label: 'DoH Support', value: '100%', detail: 'a browser can use nothing else' },
      {
        label: 'Average Performance',
        value: mean === undefined ? 'none' : milliseconds(mean),
        ...(mean !== undefined && { detail: gradeOf(mean) }),
      },
    ),
    panel.table(
      ['Rank', 'Provider', 'Method', 'Average (min-max)', 'Median', 'Grade'],
      providers.map(({ name, avg, min, max, med, timingOnly, fails }, i) => [
        avg === null ? '' : rank(i),
        name,
        timingOnly ? 'DoH (Timing)' : 'DoH (Full)',
        timeCell(avg, min, max, fails ? `${fails} samples without an answer` : null),
        med === null ? '' : milliseconds(med),
        gradeCell(avg === null ? 'Failed' : gradeOf(avg)),
      ]),
      { title: 'Results', cards: true, empty: 'No provider has been measured yet.' },
    ),
    panel.note(
      'info',
      'Measured by this browser, which talks directly to the providers listed, over HTTPS. Each time includes what the browser adds to a question.',
    ),
  ]
}

const milliseconds = (value: number) => mono(`${value.toFixed(2)} ms`)

const rank = (i: number): Cell => (i < TOP ? badge(`${i + 1}`, 'good') : String(i + 1))

function gradeCell(grade: string): Cell {
  const tone = (GRADE_TONES as Readonly<Record<string, Tone>>)[grade]
  return tone ? badge(grade, tone) : badge(grade, 'neutral')
}

function timeCell(average: number | null, min: number | null, max: number | null, reason: string | null): Cell {
  if (average === null) return { text: 'Failed', tone: 'bad', ...(reason && { title: reason }) }
  const tone = GRADE_TONES[gradeOf(average)]
  const range = min === null || max === null ? '' : ` (${min.toFixed(1)}-${max.toFixed(1)})`
  return { ...mono(`${average.toFixed(2)} ms${range}`), bar: barOf(average), tone, ...(reason && { title: reason }) }
}
