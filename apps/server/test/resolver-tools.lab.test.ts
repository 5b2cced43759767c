import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { address, host } from '@assay/lab/inventory'
import { publicResolvers } from '@assay/lib/dns/resolvers'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** The tools that ask public resolvers, as shipped, against the thirty of the lab at their real addresses. */
const exec = promisify(execFile)

let app: App
before(async () => {
  const limits = { ASSAY_LOOKUPS_PER_MINUTE: '10000', ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' }
  const settings = readSettings({ ...unhurried, ...limits })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of several tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}` })
  return { status: statusCode, body: JSON.parse(body) }
}

interface Row {
  resolver: string
  ip: string
  verdict: string
  values: string[]
  rcode: string | null
  errors: { code: number; name: string }[]
}
const verdictsOf = (rows: Row[], verdict: string) =>
  rows
    .filter(row => row.verdict === verdict)
    .map(({ resolver }) => resolver)
    .sort()

test('[API-031] [PRO-002] all thirty have what the domain says, but the one that is down', async () => {
  const { status, body } = await get('dns-propagation-check/www.good.test/')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.domain, 'www.good.test')
  assert.deepEqual(
    Object.keys(body.propagation_results),
    publicResolvers.map(({ name }) => name),
  )
  const { v4 } = address('www.good.test')
  const [first] = body.propagation_results['Google Public DNS']
  assert.deepEqual(Object.keys(first), ['record_type', 'value', 'ttl'])
  assert.deepEqual([first.record_type, first.value], ['A', v4])
  assert.deepEqual(verdictsOf(body.resolvers, 'silent'), ['SafeDNS'])
  assert.deepEqual(body.propagation_results.SafeDNS, [])
  assert.equal(body.summary.same, 29)
  assert.equal(body.summary.percent, 100)
})

test('propagation: the answers are those that dig has of the same resolvers', async () => {
  const { body } = await get('dns-propagation-check/good.test/?type=SOA')
  for (const { ip, values, verdict } of (body.resolvers as Row[]).filter(row => row.verdict === 'same').slice(0, 8)) {
    if (ip === '194.242.2.2') continue
    const { stdout } = await exec('dig', [`@${ip}`, '+short', 'good.test', 'SOA'])
    assert.deepEqual(values, [stdout.trim()], `${ip} ${verdict}`)
  }
})

test('RFC 8914: filtered, stale and failed resolvers are told apart from those not up to date', async () => {
  const blocked = await get('dns-propagation-check/blocked.good.test/')
  assert.deepEqual(
    verdictsOf(blocked.body.resolvers, 'filtered'),
    [
      ...['AdGuard DNS', 'CleanBrowsing Security', 'Cloudflare Malware', 'Comodo Secure DNS', 'DNS Forge'],
      ...['DNS4EU Protective', 'OpenDNS', 'OpenDNS FamilyShield', 'SWITCH Public DNS'],
    ].sort(),
  )
  assert.equal(blocked.body.summary.missing + blocked.body.summary.stale, 0)

  const drift = await get('dns-propagation-check/www.drift.test/')
  assert.deepEqual(verdictsOf(drift.body.resolvers, 'stale'), ['114DNS', 'Alibaba AliDNS', 'DNSPod Public DNS+'])
  assert.equal(drift.body.authority.agree, false, 'the two servers of drift.test have two versions')

  const weak = await get('dns-propagation-check/weak.good.test/')
  const [cutOff] = (weak.body.resolvers as Row[]).filter(row => row.verdict === 'failed')
  assert.deepEqual(
    [cutOff?.resolver, cutOff?.rcode, cutOff?.errors[0]?.code],
    ['Vercara UltraDNS Public', 'SERVFAIL', 22],
  )
  assert.equal(weak.body.summary.failed, 1)
})

test('propagation: a name that nobody has is known to be nowhere', async () => {
  const { status, body } = await get('dns-propagation-check/no-such-name.good.test/')
  assert.equal(status, 200)
  assert.equal(body.authority.status, 'nxdomain')
  assert.equal(body.summary.same, 29)
})

test('propagation: where the domain itself is silent, nothing is called old', async () => {
  const { status, body } = await get('dns-propagation-check/dead.test/')
  assert.equal(status, 200)
  assert.equal(body.summary.same + body.summary.stale + body.summary.missing, 0)
})

test('propagation: rows arrive one by one, each time whole', async () => {
  const response = await app.server.inject({
    method: 'GET',
    url: '/api/dns-propagation-check/www.good.test/',
    headers: { accept: 'text/event-stream' },
  })
  const updates = response.body
    .split('\n\n')
    .filter(event => event.startsWith('event: partial') || event.startsWith('event: progress'))
    .map(event => JSON.parse(event.slice(event.indexOf('data:') + 5)))
  const counts = updates.flatMap(({ partial }) => (partial ? [partial.resolvers.length] : []))
  assert.ok(counts.length >= 2, response.body.slice(0, 500))
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
})

test('[API-030] [CCH-001] caches that count, stand still or jump', async () => {
  const { status, body } = await get('dns-caching-check/www.drift.test/')
  assert.equal(status, 200, JSON.stringify(body))
  const stateOf = (resolver: string) => body.caching_results[resolver][0]?.state
  assert.ok(['cached', 'fetched'].includes(stateOf('Google Public DNS')))
  assert.equal(stateOf('Alibaba AliDNS'), 'fixed')
  assert.equal(stateOf('Verisign Public DNS'), 'another-backend')
  const [row] = body.caching_results.Cloudflare
  assert.deepEqual(Object.keys(row).slice(0, 3), ['record_type', 'value', 'ttl'])
  assert.equal(row.authoritative_ttl, 300)
  assert.equal(row.second_ttl < row.ttl, true)
})

test('[API-032] [SPD-005] times of each provider, and none for a name that is not there', async () => {
  const { status, body } = await get('dns-speed-test/types.test/')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(Object.keys(body.speed_results).length, 12)
  for (const [provider, rows] of Object.entries<{ record_type: string; response_time_ms: number }[]>(
    body.speed_results,
  )) {
    assert.deepEqual(
      Object.keys(rows[0] ?? {}).slice(0, 4),
      ['record_type', 'value', 'ttl', 'response_time_ms'],
      provider,
    )
    assert.deepEqual([...new Set(rows.map(row => row.record_type))], ['A', 'AAAA', 'MX', 'NS', 'TXT'], provider)
    for (const { response_time_ms } of rows) {
      assert.ok(response_time_ms > 0)
      assert.equal(Math.round(response_time_ms * 1000) / 1000, response_time_ms, 'to a thousandth')
    }
  }
  const nothing = await get('dns-speed-test/no-such-name.good.test/')
  assert.ok(Object.values<unknown[]>(nothing.body.speed_results).every(rows => rows.length === 0))
})

test('[API-043] [BEN-046] [BEN-047] [OPEN-059] the benchmark: thirty resolvers, two methods, one down', async () => {
  const { status, body } = await get('dns-benchmark-test/good.test/')
  assert.equal(status, 200, JSON.stringify(body))
  const { summary, dns_servers } = body
  assert.equal(summary.total_resolvers_tested, 30)
  assert.equal(summary.successful_resolvers, 29)
  assert.equal(summary.success_rate_percentage, 97)
  assert.equal(summary.doh_enabled_resolvers, publicResolvers.filter(({ doh }) => doh).length)
  assert.deepEqual(
    new Set(dns_servers.map(({ test_method }: { test_method: string }) => test_method)),
    new Set(['UDP', 'DoH']),
  )
  const averages = dns_servers.flatMap(({ average_ms }: { average_ms: number | null }) => average_ms ?? [])
  assert.deepEqual(
    averages,
    averages.toSorted((a: number, b: number) => a - b),
  )
  assert.equal(summary.fastest_time_ms, averages[0])
  assert.equal(summary.top_3_fastest.length, 3)
  const [silent] = dns_servers.filter(({ average_ms }: { average_ms: number | null }) => average_ms === null)
  assert.deepEqual([silent.resolver, silent.grade], ['SafeDNS', null])
})

test('network.md §1.11: with three in ten dead the benchmark is whole within 20 s', async t => {
  // SafeDNS is down by itself; what eight others answer is dropped on its way back.
  const dead = ['SafeDNS', ...publicResolvers.map(({ name }) => name).filter(name => name !== 'SafeDNS')].slice(0, 9)
  const addresses = publicResolvers.filter(({ name }) => dead.includes(name)).map(({ ipv4: [address] }) => address)
  const chain = 'add table inet dead; add chain inet dead input { type filter hook input priority 0; }'
  await exec('nft', [`${chain}; add rule inet dead input ip saddr { ${addresses.join(', ')} } drop`])
  t.after(() => exec('nft', ['delete table inet dead']))
  const start = performance.now()
  const { status, body } = await get('dns-benchmark-test/www.good.test/')
  const seconds = (performance.now() - start) / 1000
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(seconds <= 20, `${seconds} s`)
  assert.equal(body.summary.successful_resolvers, 21)
  const failed = body.dns_servers.filter(({ average_ms }: { average_ms: number | null }) => average_ms === null)
  assert.deepEqual(new Set(failed.map(({ resolver }: { resolver: string }) => resolver)), new Set(dead))
})

interface Probed {
  section: string
  words: string[]
}
const wordsOf = (probes: Probed[]) => Object.fromEntries(probes.map(({ section, words }) => [section, words.join()]))
const only = (name: string) => host(name).v4[0] ?? assert.fail(name)
const bad = (name: string) => only(`${name}.bad.test`)

test('[API-044] RFC 8906 §8: Unbound, BIND, dnsdist and Knot pass every probe', async () => {
  for (const query of ['8.8.8.8/', '9.9.9.9/', '208.67.222.222/', `${address('ns1.hosting.net').v4}/?zone=good.test`]) {
    const { status, body } = await get(`edns-support-check/${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.results[0].supports_edns, 'Yes')
    assert.equal(body.results[0].query_status, 'NOERROR')
    assert.deepEqual(
      body.results.slice(1).map(({ supports_edns }: { supports_edns: string }) => supports_edns === 'Yes'),
      [...body.results.slice(1).map(() => true)],
    )
    for (const { section, words } of body.probes as Probed[]) assert.deepEqual(words, ['ok'], `${query} §${section}`)
    assert.equal(body.probes.length, 18)
  }
})

test('RFC 8906 §8.2: servers with a fault show exactly that', async () => {
  const drop = await get(`edns-support-check/${bad('edns-drop')}/`)
  assert.deepEqual([drop.body.results[0].supports_edns, drop.body.results[0].query_status], ['No', 'TIMEOUT'])
  for (const [section, words] of Object.entries(wordsOf(drop.body.probes))) {
    assert.equal(words, section.startsWith('8.2.') ? 'timeout' : 'ok', section)
  }
  const formerr = await get(`edns-support-check/${bad('edns-formerr')}/`)
  assert.equal(formerr.body.results[0].supports_edns, 'No')
  assert.equal(wordsOf(formerr.body.probes)['8.2.1'], 'formerr')

  const badvers = await get(`edns-support-check/${bad('edns-badvers')}/?zone=edns-badvers.test`)
  assert.equal(badvers.body.results[0].supports_edns, 'No')
  assert.equal(wordsOf(badvers.body.probes)['8.2.1'], 'badvers')

  const noopt = await get(`edns-support-check/${bad('edns-noopt')}/?zone=edns-noopt.test`)
  assert.equal(noopt.body.results[0].supports_edns, 'No')
  assert.equal(wordsOf(noopt.body.probes)['8.2.1'], 'noopt')

  const echo = await get(`edns-support-check/${bad('edns-echo')}/?zone=edns-echo.test`)
  assert.equal(echo.body.results[0].supports_edns, 'Yes')
  const words = wordsOf(echo.body.probes)
  assert.deepEqual([words['8.2.1'], words['8.2.3'], words['8.2.4'], words['8.2.8']], ['ok', 'echoed', 'mbz', 'ok'])
  assert.match(words['8.2.2'] ?? '', /badversion/)
})

test('[OPEN-043] a silent server could not be told, and what may not be contacted is refused', async () => {
  const silent = await get(`edns-support-check/${only('dns1.safedns.com')}/`)
  assert.equal(silent.body.results[0].supports_edns, 'Unknown')
  assert.equal(silent.body.recent_checks[0].dns_server_name, 'SafeDNS')
  assert.ok(silent.body.recent_checks.length <= 10)
  const { status, body } = await get('edns-support-check/10.0.0.1/')
  assert.equal(status, 400)
  assert.equal(body.error, 'Validation error: target address is not allowed')
})
