import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed, type Recording, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { benchmarkPanels } from './benchmark.show.ts'
import { type BrowserBenchmark, dnsBenchmarkTest, type ServerBenchmark } from './benchmark.ts'
import { cacheStateOf, dnsCachingCheck, ttlClassOf } from './caching.ts'
import { ednsPanels } from './edns.show.ts'
import { ednsSupportCheck } from './edns.ts'
import { dnsPropagationCheck, propagationPanels } from './propagation.ts'
import { speedPanels, speedTone } from './speed-test.ts'

async function run(tool: Tool, input: Record<string, unknown>, recording: Recording) {
  const [action] = tool.actions
  assert.ok(action)
  const { result, input: read } = await performed(action, input, replay(recording))
  // biome-ignore lint/suspicious/noExplicitAny: results of several tools, read by the assertions
  return { result: result as any, panels: action.show?.(result, read) ?? [] }
}

const words = (panels: readonly Panel[]) => JSON.stringify(panels)
const tableOf = (panels: readonly Panel[], title: string) => {
  const found = panels.find(panel => panel.kind === 'table' && panel.title === title)
  assert.ok(found?.kind === 'table', title)
  return found
}
const sectionOf = (panels: readonly Panel[], title: string) => {
  const found = panels.find(panel => panel.kind === 'section' && panel.title === title)
  assert.ok(found?.kind === 'section', title)
  return found
}
const everywhere = (zone: string) => Object.fromEntries(publicResolvers.map(({ ipv4 }) => [ipv4[0], { zone }]))
const name = 'www.example.com'
const zone = `${name}. 300 A 192.0.2.1`

test('[BIZ-019] [SPD-014] [SPD-015] [SPD-016] response times are coloured at 10 and 50 ms', () => {
  assert.deepEqual([0, 10, 10.001, 50, 50.001, 900].map(speedTone), ['good', 'good', 'warn', 'warn', 'bad', 'bad'])
})

test('[BIZ-021] [CCH-006] [CCH-007] [CCH-008] TTL classes change above 300 and 3600 s', () => {
  assert.deepEqual([0, 300, 301, 3600, 3601].map(ttlClassOf), [
    ...['Short Cache', 'Short Cache', 'Medium Cache', 'Medium Cache', 'Long Cache'],
  ])
})

test('RFC 1035 §3.2.1: what two answers a few seconds apart say of a cache', () => {
  const seen = (first: number, second: number | null, elapsedSeconds: number, authoritative: number | null = 300) =>
    cacheStateOf({ first, second, elapsedSeconds, authoritative })
  assert.equal(seen(120, 118, 2.2), 'cached')
  assert.equal(seen(120, 117, 2.2), 'cached', 'a whole second more, by rounding')
  assert.equal(seen(300, 298, 2.2), 'fetched')
  assert.equal(seen(120, 300, 2.2), 'another-backend')
  assert.equal(seen(120, 60, 2.2), 'another-backend', 'a jump down is another cache too')
  assert.equal(seen(300, 300, 2.2), 'fixed')
  assert.equal(seen(0, 0, 2.2), 'uncached')
  assert.equal(seen(120, null, 2.2), 'unknown')
  assert.equal(seen(120, 118, 2.2, null), 'cached')
})

test('[SPD-001] [SPD-002] [SPD-003] [OPEN-045] [ERR-036] the speed test without anything to show', () => {
  const said = 'No DNS speed test results available. Please try again later.'
  for (const nothing of [{ domain: name }, { domain: name, speed_results: {} }]) {
    assert.deepEqual(speedPanels(nothing), [
      { kind: 'banner', tone: 'warn', title: 'No Speed Test Results', detail: said },
    ])
  }
  assert.match(words(speedPanels(undefined)), /No Speed Test Results.*No speed test data available/)
})

test('[SPD-004] [SPD-005] [SPD-006] [SPD-007] [SPD-008] [SPD-009] [SPD-010] [SPD-011] [SPD-012] [SPD-013] [BIZ-020] a card for each provider', () => {
  const row = { record_type: 'A', value: '192.0.2.1', ttl: 300, response_time_ms: 12.34567, warm_ms: null }
  const panels = speedPanels({ domain: name, speed_results: { One: [row, row, row], Two: [] } })
  assert.match(words(panels.slice(0, 1)), /2 PROVIDERS/)
  const [one, two] = [sectionOf(panels, 'One'), sectionOf(panels, 'Two')]
  assert.match(one.detail ?? '', /3 queries/)
  assert.equal(one.badge?.text, 'Active')
  assert.equal(two.badge?.text, 'No Data')
  const [table] = one.panels
  assert.ok(table?.kind === 'table')
  assert.deepEqual(table.columns.slice(0, 4), ['Record Type', 'Value', 'TTL', 'Response Time'])
  assert.match(words(one.panels), /"A".*192\.0\.2\.1.*300 s.*12\.346 ms/)
  assert.match(words(two.panels), /No speed test data for this provider\./)
})

test('[PRO-001] [OPEN-045] [ERR-038] propagation without anything to show', () => {
  for (const nothing of [{}, { domain: name, propagation_results: {} }]) {
    const panels = propagationPanels(nothing)
    assert.deepEqual(panels, [
      { kind: 'banner', tone: 'warn', title: 'No Propagation Results', detail: 'No propagation data available' },
    ])
  }
})

test('[PRO-002] [PRO-003] [PRO-004] [PRO-005] [PRO-013] [ERR-039] a record list for each resolver', async () => {
  const recording = { zone, servers: { '8.8.8.8': { zone } } }
  const { panels } = await run(dnsPropagationCheck, { domain: name }, recording)
  assert.match(words(sectionOf(panels, 'Google Public DNS').panels), /"A".*192\.0\.2\.1.*300/)
  assert.match(words(sectionOf(panels, 'Cloudflare').panels), /No records found for this resolver\./)
})

test('propagation: the order and case of records do not matter, other records do', async () => {
  const records = (...lines: string[]) => lines.map(line => `${name}. 300 ${line}`).join('\n')
  const recording = {
    zone: records('MX 10 a.example.', 'MX 20 b.example.'),
    servers: {
      '8.8.8.8': { zone: records('MX 20 B.example.', 'MX 10 A.example.') },
      '1.1.1.1': { zone: records('MX 10 a.example.') },
    },
  }
  const { result } = await run(dnsPropagationCheck, { domain: name, type: 'MX' }, recording)
  assert.deepEqual([result.resolvers[0].verdict, result.resolvers[1].verdict], ['same', 'stale'])
})

test('RFC 8914 §4: filtered, stale, failed, missing and silent are five different things', async () => {
  const servers: Record<string, NonNullable<Recording['servers']>[string]> = {
    ...everywhere(zone),
    '8.8.8.8': { rcode: 'NXDOMAIN' },
    '1.1.1.1': { zone, errors: [{ code: 3, text: '' }] },
    '1.1.1.2': { rcode: 'NXDOMAIN' },
    '9.9.9.10': { zone: `${name}. 60 A 0.0.0.0` },
    '208.67.222.222': { zone: `${name}. 60 A 146.112.61.104` },
    '94.140.14.140': { rcode: 'NXDOMAIN', errors: [{ code: 17, text: '' }] },
    '76.76.2.0': { rcode: 'SERVFAIL', errors: [{ code: 22, text: 'no servers' }] },
    '185.222.222.222': { rcode: 'REFUSED' },
  }
  const { '45.90.28.0': _, ...heard } = servers
  const { result } = await run(dnsPropagationCheck, { domain: name }, { zone, servers: heard })
  const verdicts = new Map(result.resolvers.map((row: { ip: string; verdict: string }) => [row.ip, row.verdict]))
  const expected = {
    '8.8.8.8': 'missing',
    '1.1.1.1': 'stale',
    '1.1.1.2': 'filtered',
    '9.9.9.10': 'filtered',
    '208.67.222.222': 'filtered',
    '94.140.14.140': 'filtered',
    '76.76.2.0': 'failed',
    '185.222.222.222': 'failed',
    '45.90.28.0': 'silent',
    '193.17.47.1': 'same',
  }
  for (const [ip, verdict] of Object.entries(expected)) assert.equal(verdicts.get(ip), verdict, ip)
  assert.equal(
    result.resolvers.find((row: { ip: string }) => row.ip === '76.76.2.0').errors[0].name,
    'No Reachable Authority',
  )
  assert.equal(result.summary.percent, 91, 'of those that tell something of the domain: 20 of 22')
})

test('propagation: many different answers are geography, not age', async () => {
  const servers = Object.fromEntries(
    publicResolvers.map(({ ipv4 }, i) => [ipv4[0], { zone: `${name}. 60 A 192.0.2.${1 + (i % 5)}` }]),
  )
  const { result } = await run(dnsPropagationCheck, { domain: name }, { zone, servers })
  assert.equal(result.summary.stale, 0)
  assert.ok(result.summary.varies > 10)
  assert.equal(result.summary.percent, 100)
})

test('propagation: without an answer of the domain itself nothing is called old', async () => {
  const { result } = await run(
    dnsPropagationCheck,
    { domain: name },
    { zone: `${name}. 300 CNAME ${name}.`, servers: everywhere(zone) },
  )
  assert.equal(result.summary.stale + result.summary.missing + result.summary.same, 0)
  assert.equal(result.summary.unknown, 29)
})

test('[CCH-001] [CCH-002] [CCH-003] [CCH-004] [CCH-005] records of each resolver with their TTL class', async () => {
  const servers = { '8.8.8.8': { zone: `${name}. 0 A 192.0.2.1` }, '1.1.1.1': { zone: `${name}. 0 A 192.0.2.1` } }
  const { panels, result } = await run(dnsCachingCheck, { domain: name }, { zone, servers })
  for (const resolver of ['Google Public DNS', 'Cloudflare']) {
    assert.match(words(sectionOf(panels, resolver).panels), /"A".*192\.0\.2\.1.*0 s.*Short Cache/)
    assert.equal(result.caching_results[resolver].length, 1)
  }
  assert.match(words(tableOf(panels, 'What the domain’s own name servers allow').rows as never), /Short Cache/)
})

const server = {
  ...{ ip: '192.0.2.1', median_ms: 1, min_ms: 1, max_ms: 1, cached_ms: 1, uncached_ms: 1, samples: 4, failures: 0 },
  ...{ setup_ms: null, reason: null },
}
const benchmark: ServerBenchmark = {
  domain: name,
  summary: {
    fastest_resolver: 'One',
    fastest_time_ms: 12.5,
    success_rate_percentage: 67,
    successful_resolvers: 2,
    total_resolvers_tested: 3,
    doh_support_percentage: 33,
    doh_enabled_resolvers: 1,
    performance_grade: 'Good',
    top_3_fastest: [{ resolver: 'One', ip: '192.0.2.1', method: 'UDP', time_ms: 12.5 }],
    recommendations: ['Take One.', 'Or take Two.'],
  },
  dns_servers: [
    { ...server, resolver: 'One', test_method: 'UDP', average_ms: 12.5, grade: 'Excellent' },
    { ...server, resolver: 'Two', test_method: 'DoH', average_ms: 500, grade: 'Poor' },
    { ...server, resolver: 'Three', test_method: 'UDP', average_ms: null, grade: null },
  ],
}

test('[BEN-008] [BEN-009] [BEN-010] [BEN-011] [BEN-012] [BEN-025] [BEN-049] [OPEN-061] the cards and lists of server mode', () => {
  const panels = benchmarkPanels(benchmark)
  const tiles = panels.find(panel => panel.kind === 'tiles')
  assert.ok(tiles)
  assert.match(
    words([tiles]),
    /Fastest Resolver.*12\.50 ms.*One.*Success Rate.*67%.*2\/3 providers.*DoH Support.*33%.*1 by DoH.*Performance.*Good/,
  )
  assert.match(JSON.stringify(panels.find(panel => panel.kind === 'list')), /Take One\..*Or take Two\./)
})

test('[BEN-013] [BEN-014] [BEN-015] [BEN-016] [BEN-017] [BEN-018] the fastest three with rank, method and rating', () => {
  const { rows } = tableOf(benchmarkPanels(benchmark), 'Top 3 Fastest')
  assert.match(JSON.stringify(rows[0]), /"1".*One.*192\.0\.2\.1.*UDP.*12\.50 ms.*Excellent/)
})

test('[BEN-019] [BEN-020] [BEN-021] [BEN-022] [BEN-023] [BEN-024] [OPEN-060] the complete table, with bars and without', () => {
  const { rows } = tableOf(benchmarkPanels(benchmark), 'Complete Results')
  assert.match(JSON.stringify(rows[1]), /"2".*Two \(192\.0\.2\.1\).*DoH.*500\.00 ms.*"bar":0\.75.*Poor/)
  assert.match(JSON.stringify(rows[2]), /Three.*UDP.*"Failed"/)
  assert.doesNotMatch(JSON.stringify(rows[2]), /bar/)
})

test('[BEN-046] [BEN-047] [API-043] the fields of the summary and of the servers', async () => {
  const { result } = await run(
    dnsBenchmarkTest,
    { domain: 'example.com' },
    dnsBenchmarkTest.actions[0]?.examples[0]?.recording ?? {},
  )
  assert.deepEqual(Object.keys(result.summary), Object.keys(benchmark.summary))
  for (const field of ['resolver', 'ip', 'test_method', 'average_ms']) assert.ok(field in result.dns_servers[0], field)
})

test('[BEN-048] what a browser measured is drawn with its averages, ranges and methods', () => {
  const times = { avg: 20.25, min: 10.1, max: 30.4, med: 20, ok: true, fails: 0 }
  const nothing = { avg: null, min: null, max: null, med: null, ok: false, fails: 4 }
  const measured: BrowserBenchmark = {
    domain: name,
    total: 15,
    providers: [
      { name: 'Full', ...times, timingOnly: false },
      { name: 'Timing', ...times, timingOnly: true },
      { name: 'Dead', ...nothing, timingOnly: true },
    ],
  }
  const { rows } = tableOf(benchmarkPanels(measured), 'Results')
  assert.match(JSON.stringify(rows[0]), /Full.*DoH \(Full\).*20\.25 ms \(10\.1-30\.4\).*Excellent/)
  assert.match(JSON.stringify(rows[1]), /DoH \(Timing\)/)
  assert.match(JSON.stringify(rows[2]), /Dead.*Failed/)
  assert.match(words(benchmarkPanels(measured)), /DoH Support.*100%/)
})

const finding = { dns_server_name: 'Nine', timestamp: '2026-11-21T12:00:00.000Z', query_status: 'NOERROR', error: null }
const ednsServer = (name: string, supports_edns: 'Yes' | 'No' | 'Unknown') => ({
  ...{ dns_server_name: name, dns_server: '192.0.2.1', supports_edns, query_status: 'NOERROR' },
  ...{ response_flags: 'QR RD RA', udp_size: 1232, nsid: null, response_time_ms: 1 },
})
const edns = (...results: ReturnType<typeof ednsServer>[]) =>
  ednsPanels({
    ip: '192.0.2.1',
    results,
    recent_checks: [
      { ...finding, supports_edns: 'Yes' },
      { ...finding, supports_edns: 'No' },
    ],
    probes: [],
    role: 'resolver',
    zone: '.',
  })

test('[EDN-001] [EDN-002] [EDN-003] [EDN-004] [EDN-005] [OPEN-062] the tiles of EDNS support', () => {
  const tilesOf = (panels: readonly Panel[]) => panels.find(panel => panel.kind === 'tiles')?.tiles ?? []
  const [servers, support, recent] = tilesOf(
    edns(ednsServer('A', 'Yes'), ednsServer('B', 'Yes'), ednsServer('C', 'No')),
  )
  assert.deepEqual([servers?.label, servers?.value], ['DNS Servers', 3])
  assert.deepEqual([support?.label, support?.value, support?.detail], ['EDNS Support', 2, '67% compatible'])
  assert.deepEqual([recent?.label, recent?.value], ['Recent Tests', 2])
  assert.equal(tilesOf(edns())[1]?.detail, '0% compatible')
})

test('[EDN-006] [EDN-007] [EDN-008] [EDN-009] [EDN-015] [EDN-016] each server with badge, status and flags', () => {
  const panels = edns(ednsServer('A', 'Yes'), ednsServer('B', 'No'), ednsServer('C', 'Unknown'))
  const { rows } = tableOf(panels, 'DNS Server EDNS Support')
  assert.match(JSON.stringify(rows[0]), /"SUPPORTED".*NOERROR.*QR RD RA/)
  for (const row of rows.slice(1)) assert.match(JSON.stringify(row), /"NOT SUPPORTED"/)
  sectionOf(panels, 'EDNS Support Analysis')
})

test('[EDN-010] [EDN-011] [EDN-012] [EDN-013] [EDN-014] recent checks with name, moment, badge and status', () => {
  const { rows } = tableOf(edns(ednsServer('A', 'Yes')), 'Recent EDNS Checks')
  assert.match(JSON.stringify(rows[0]), /Nine.*"instant":"2026-11-21T12:00:00\.000Z".*"Supported".*NOERROR/)
  assert.match(JSON.stringify(rows[1]), /"Not Supported"/)
})

test('[OPEN-043] the server asked about comes first, and who asked is nowhere in what is kept', async () => {
  const root = { zone: '. 60 SOA a. b. 1 2 3 4 5' }
  const { result } = await run(ednsSupportCheck, { ip: '9.9.9.9' }, { servers: { '9.9.9.9': root, '8.8.8.8': root } })
  assert.equal(result.results[0].dns_server, '9.9.9.9')
  assert.equal(result.results.filter((each: { dns_server: string }) => each.dns_server === '9.9.9.9').length, 1)
  assert.deepEqual(Object.keys(result.recent_checks[0]), [
    ...['dns_server_name', 'dns_server', 'timestamp', 'supports_edns', 'query_status', 'error'],
  ])
  assert.equal(result.probes.length, 18)
  assert.ok(
    result.probes.every(({ words }: { words: string[] }) => words[0] === 'ok'),
    JSON.stringify(result.probes),
  )
})

test('[BEN-062] [OPEN-059] thirty resolvers, 5 to 295 ms away, stand in that order', async () => {
  const delays = publicResolvers.map((_, i) => 5 + 10 * ((i * 7) % 30))
  const servers = Object.fromEntries(
    publicResolvers.map(({ ipv4 }, i) => [
      ipv4[0],
      { zone: 'example.com. 60 A 192.0.2.1', milliseconds: delays[i] ?? 0 },
    ]),
  )
  const { result } = await run(dnsBenchmarkTest, { domain: 'example.com' }, { servers })
  const order = publicResolvers
    .map(({ name, encryptedOnly }, i) => ({ name, encryptedOnly, delay: delays[i] ?? 0 }))
    .filter(({ encryptedOnly }) => !encryptedOnly)
    .sort((a, b) => a.delay - b.delay)
  const timed = result.dns_servers.filter(({ average_ms }: { average_ms: number | null }) => average_ms !== null)
  assert.deepEqual(
    timed.map(({ resolver, average_ms }: { resolver: string; average_ms: number }) => [resolver, average_ms]),
    order.map(({ name, delay }) => [name, delay]),
  )
  assert.ok(result.summary.total_resolvers_tested >= 22)
})
