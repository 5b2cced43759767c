import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Panel } from '@assay/kit'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { plainEndpoint, showDohSupport } from './doh-support.show.ts'
import { dohSupport } from './doh-support.ts'

const [action] = dohSupport.actions
assert.ok(action)

const texts = (panels: readonly Panel[]) => JSON.stringify(panels)
const tile = (panels: readonly Panel[], label: string) =>
  panels.flatMap(one => (one.kind === 'tiles' ? one.tiles : [])).find(each => each.label === label)

test('[DOH-001] [ERR-037] [OPEN-045] nothing at all is told as title and message', () => {
  for (const empty of [null, undefined, {}]) {
    assert.deepEqual(showDohSupport(empty), [
      { kind: 'note', tone: 'info', text: 'No DoH support data available', title: 'No DoH Support Results' },
    ])
  }
})

const fed = {
  input_servers: ['192.0.2.1', '192.0.2.2'],
  conclusion: 'abc',
  summary: { total_servers_tested: 3, servers_with_doh_support: 2, success_rate: '67%', total_endpoint_tests: 6 },
  server_results: {
    '192.0.2.1': {
      supports_doh: true,
      status: 'DoH Supported' as const,
      working_endpoint: '[https://dns.example/dns-query](x)',
      recommendation: 'use it',
      domain_tests: { total_tests: 3, successful_tests: 3, success_rate: '100%' },
      endpoint_test_details: {
        'https://dns.example/dns-query': { status: 'DoH Supported' as const },
        'https://192.0.2.1/': { status: 'Not DoH' as const, error: 'The server answered with status 404.' },
      },
    },
  },
  tested_domains: ['example.com', 'example.net'],
}

test('[DOH-002] [DOH-003] the head has the conclusion and the servers', () => {
  const [banner] = showDohSupport(fed)
  assert.deepEqual(banner, {
    kind: 'banner',
    tone: 'good',
    title: 'abc',
    badge: 'SUPPORTED',
    detail: '192.0.2.1, 192.0.2.2',
  })
})

test('[DOH-004] [DOH-005] [DOH-007] [DOH-012] [DOH-013] [DOH-014] the tiles', () => {
  const panels = showDohSupport(fed)
  assert.deepEqual(tile(panels, 'DoH Servers'), { label: 'DoH Servers', value: 3 })
  assert.deepEqual(tile(panels, 'DoH Support'), { label: 'DoH Support', value: 2, detail: '67%' })
  assert.deepEqual(tile(panels, 'Endpoints Tested'), { label: 'Endpoints Tested', value: 6 })
  const section = panels.find(one => one.kind === 'section')
  assert.ok(section?.kind === 'section')
  assert.deepEqual(
    ['Total Tests', 'Successful', 'Success Rate'].map(label => tile(section.panels, label)?.value),
    [3, 3, '100%'],
  )
})

test('[DOH-006] [BIZ-022] the success rate is 0% when there is none', () => {
  const { success_rate: _, ...summary } = fed.summary
  assert.equal(tile(showDohSupport({ ...fed, summary }), 'DoH Support')?.detail, '0%')
})

test('[DOH-008] [DOH-011] [DOH-015] [DOH-016] [DOH-018] [DOH-020] [OPEN-063] a section for each server, then the names', () => {
  const panels = showDohSupport(fed)
  const section = panels.find(one => one.kind === 'section')
  assert.deepEqual(section?.kind === 'section' && section.badge, { text: 'DoH Supported', tone: 'good', badge: true })
  const said = texts(panels)
  for (const words of ['use it', 'DoH Supported', 'Not DoH', 'The server answered with status 404.']) {
    assert.ok(said.includes(words), words)
  }
  const last = panels.at(-1)
  assert.ok(last?.kind === 'list' && last.title === 'Tested Domains' && last.items.length === 2)
  const lower = { ...fed.server_results['192.0.2.1'], status: 'doh supported' as 'DoH Supported' }
  const odd = showDohSupport({ ...fed, server_results: { a: lower } }).find(one => one.kind === 'section')
  assert.equal(odd?.kind === 'section' && odd.badge?.tone, 'bad')
})

test('[DOH-009] [DOH-010] the working endpoint is a link without brackets and parentheses', () => {
  assert.match(texts(showDohSupport(fed)), /"href":"https:\/\/dns\.example\/dns-query"/)
  for (const text of ['[https://a.test/x](https://b.test/)', '(https://a.test/x)', '[https://a.test/x]']) {
    assert.equal(plainEndpoint(text), 'https://a.test/x')
  }
})

test('[DOH-019] [ERR-040] "No endpoint available" when there is none', () => {
  const server = { ...fed.server_results['192.0.2.1'], working_endpoint: null }
  assert.match(texts(showDohSupport({ ...fed, server_results: { a: server } })), /No endpoint available/)
})

test('[DOH-017] [OPEN-084] the badges come from the data', () => {
  const server = fed.server_results['192.0.2.1']
  const badges = (changes: object) =>
    texts(showDohSupport({ ...fed, server_results: { a: { ...server, ...changes } } }))
  const all = badges({})
  for (const words of ['Encrypted DNS (HTTPS)', 'Endpoint verified', 'All domains resolved'])
    assert.ok(all.includes(words))
  const partly = badges({ domain_tests: { total_tests: 3, successful_tests: 2, success_rate: '67%' } })
  assert.ok(!partly.includes('All domains resolved') && partly.includes('Endpoint verified'))
  const none = badges({ supports_doh: false, working_endpoint: null, domain_tests: { success_rate: '0%' } })
  assert.ok(none.includes('None detected') && !none.includes('Endpoint verified'))
})

test('[API-033] [OPEN-044] [OPEN-062] the response has the fields of the contract; 2 of 3 is 67%', async () => {
  const { result } = await performed(
    action,
    { ip: '192.0.2.53' },
    replay({
      encryptedDns: {
        'https://192.0.2.53/dns-query': { zone: 'example.com. A 192.0.2.1\nexample.org. A 192.0.2.1' },
      },
    }),
  )
  assert.partialDeepStrictEqual(result, {
    input_servers: ['192.0.2.53'],
    conclusion: '192.0.2.53 answers DNS over HTTPS at https://192.0.2.53/dns-query.',
    summary: { total_servers_tested: 1, servers_with_doh_support: 1, success_rate: '100%', total_endpoint_tests: 2 },
    server_results: {
      '192.0.2.53': {
        supports_doh: true,
        status: 'DoH Supported',
        working_endpoint: 'https://192.0.2.53/dns-query',
        domain_tests: { total_tests: 3, successful_tests: 2, success_rate: '67%' },
        endpoint_test_details: {
          'https://192.0.2.53/dns-query': { status: 'DoH Supported', error: null },
          'https://192.0.2.53/': { status: 'Unreachable' },
        },
      },
    },
    tested_domains: ['example.com', 'example.net', 'example.org'],
  })
})

test('RFC 8484 §3: of two addresses that work, the one whose certificate holds is recommended', async () => {
  const zone = 'example.com. A 192.0.2.1'
  const { result } = await performed(
    action,
    { ip: '192.0.2.53' },
    replay({
      zone: '53.2.0.192.in-addr.arpa. PTR ns.example.test.',
      encryptedDns: {
        'https://ns.example.test/dns-query': { zone, tls: { problem: 'The certificate is for another name.' } },
        'https://192.0.2.53/dns-query': { zone },
      },
    }),
  )
  assert.partialDeepStrictEqual(result, {
    server_results: { '192.0.2.53': { working_endpoint: 'https://192.0.2.53/dns-query' } },
  })
})
