import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { address } from '@assay/lab/inventory'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** sslscan, doh-support and dot-support as shipped, against the lab's real servers. */
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
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}/` })
  return { status: statusCode, body: JSON.parse(body) }
}

const ipOf = (name: string) => address(name).v4

test('[API-033] [OPEN-044] doh-support: the resolvers of the lab by their published address', async () => {
  for (const [ip, url, http1] of [
    ['8.8.8.8', 'https://dns.google/dns-query', true],
    ['9.9.9.9', 'https://dns.quad9.net/dns-query', false],
    ['94.140.14.140', 'https://unfiltered.adguard-dns.com/dns-query', false],
    ['2620:fe::fe', 'https://dns.quad9.net/dns-query', false],
  ] as const) {
    const { status, body } = await get(`doh-support/${ip}`)
    assert.equal(status, 200, JSON.stringify(body))
    const server = body.server_results[ip]
    assert.deepEqual(
      [body.input_servers, server.supports_doh, server.status, server.working_endpoint],
      [[ip], true, 'DoH Supported', url],
    )
    assert.deepEqual(server.domain_tests, { total_tests: 3, successful_tests: 3, success_rate: '100%' })
    assert.deepEqual(body.summary, {
      total_servers_tested: 1,
      servers_with_doh_support: 1,
      success_rate: '100%',
      total_endpoint_tests: Object.keys(server.endpoint_test_details).length,
    })
    assert.deepEqual(body.tested_domains, ['example.com', 'example.net', 'example.org'])
    const verdicts = Object.fromEntries(
      server.checks.map((one: { name: string; verdict: string }) => [one.name, one.verdict]),
    )
    assert.deepEqual(
      [verdicts.GET, verdicts.POST, verdicts['HTTP/2'], verdicts['Certificate proves the name']],
      ['pass', 'pass', 'pass', 'pass'],
    )
    assert.equal(verdicts['HTTP/1.1'], http1 ? 'pass' : 'not-applicable')
  }
})

test('RFC 9462 §4: what a resolver designates is tried at its own address', async () => {
  const ip = '45.11.45.11'
  const doh = (await get(`doh-support/${ip}`)).body.server_results[ip]
  const details = doh.endpoint_test_details['https://unfiltered.adguard-dns.com/dns-query']
  assert.deepEqual([details.source, details.status], ['designated by the resolver (RFC 9462)', 'DoH Supported'])
  const { results } = (await get(`dot-support/${ip}`)).body
  assert.deepEqual(
    results.map((one: { server_name: string; name_source: string }) => [one.server_name, one.name_source]),
    [
      ['dot.sb', 'published by the operator'],
      ['unfiltered.adguard-dns.com', 'designated by the resolver'],
      [ip, 'the address itself'],
    ],
  )
})

test('RFC 8484 §4.2.1: a page with status 200, or another type of content, is no DNS over HTTPS', async () => {
  for (const [name, type] of [
    ['page.tls.test', 'text/html'],
    ['wrongtype.tls.test', 'application/octet-stream'],
  ] as const) {
    const ip = ipOf(name)
    const { body } = await get(`doh-support/${ip}`)
    const server = body.server_results[ip]
    assert.deepEqual([server.supports_doh, server.status, server.working_endpoint], [false, 'DoH Not Supported', null])
    const details = server.endpoint_test_details[`https://${name}/dns-query`]
    assert.deepEqual([details.status, details.http_status, details.content_type], ['Not DoH', 200, type])
    assert.match(details.error, new RegExp(`^The content is ${type}`))
    assert.equal(body.summary.success_rate, '0%')
  }
})

test('HTTP/1.1 alone works and is told; a day in caches is longer than the TTL', async () => {
  const ip = ipOf('http1.tls.test')
  const { body } = await get(`doh-support/${ip}`)
  const server = body.server_results[ip]
  assert.equal(server.working_endpoint, 'https://http1.tls.test/dns-query')
  const verdict = (name: string) => server.checks.find((one: { name: string }) => one.name === name)?.verdict
  assert.deepEqual(
    [verdict('HTTP/2'), verdict('HTTP/1.1'), verdict('Caches keep to the TTL')],
    ['warn', 'pass', 'fail'],
  )
})

test('a certificate that proves nothing is told beside an answer', async () => {
  const ip = ipOf('stranger.tls.test')
  const { body } = await get(`doh-support/${ip}`)
  const server = body.server_results[ip]
  assert.equal(server.supports_doh, true)
  assert.equal(
    server.endpoint_test_details[server.working_endpoint].certificate_problem,
    'The certificate is self-signed.',
  )
  assert.match(server.recommendation, /refuse this address/)
  const dot = (await get(`dot-support/${ip}`)).body
  assert.ok(
    dot.results.every(
      (one: { status: string; authenticated: boolean }) => one.status === 'DoT Supported' && !one.authenticated,
    ),
  )
})

test('nothing on port 443 and 853: not supported, and not could not tell', async () => {
  const ip = '64.6.64.6'
  const doh = (await get(`doh-support/${ip}`)).body
  assert.deepEqual([doh.server_results[ip].status, doh.summary.success_rate], ['DoH Not Supported', '0%'])
  const dot = (await get(`dot-support/${ip}`)).body
  assert.ok(
    dot.results.every((one: { status: string; error: string }) => one.status === 'DoT Not Supported' && one.error),
  )
})

test('[API-034] [OPEN-044] dot-support agrees with kdig on every resolver of the lab', async () => {
  for (const ip of ['8.8.8.8', '1.1.1.1', '9.9.9.9', '208.67.222.222', '94.140.14.140', '194.242.2.2', '64.6.64.6']) {
    const { status, body } = await get(`dot-support/${ip}`)
    assert.equal(status, 200)
    assert.equal(body.domain, ip)
    const [first] = body.results
    assert.deepEqual(
      Object.keys(first)
        .slice(0, 2)
        .concat(Object.keys(first).filter(name => name === 'status' || name === 'error')),
      ['server_name', 'server_url', 'status', 'error'],
    )
    assert.equal(first.server_url, `tls://${ip}:853`)
    const strict = ['+tls-ca', `+tls-hostname=${first.server_name}`]
    const line = [`@${ip}`, ...strict, '+short', '+time=3', '+retry=0', 'example.com', 'A']
    const kdig = await exec('kdig', line).then(
      ({ stdout }) => stdout.trim(),
      () => '',
    )
    const reached = /^\d+\.\d+/.test(kdig)
    assert.equal(first.status === 'DoT Supported' && first.authenticated === true, reached, `${ip}: ${kdig}`)
    if (!reached) continue
    assert.deepEqual([first.error, first.rcode], [null, 'NOERROR'])
    assert.match(first.tls_version, /^TLSv1\.[23]$/)
    assert.equal(first.checks.find((one: { name: string }) => one.name === 'DNS over QUIC').verdict, 'skipped')
  }
})

test('[VAL-033] [OPEN-008] names and private addresses are refused', async () => {
  for (const tool of ['doh-support', 'dot-support']) {
    assert.equal((await get(`${tool}/example.com`)).status, 400)
    for (const ip of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1']) {
      const { status, body } = await get(`${tool}/${ip}`)
      assert.equal(status, 400, ip)
      assert.match(JSON.stringify(body), /target address is not allowed/)
    }
  }
  assert.equal((await get('sslscan/loopback.rebind.test')).status, 400)
  assert.equal((await get('sslscan/abc')).status, 400)
})

test('[API-037] [OPEN-070] [VAL-020] sslscan: the suites are those of the program of that name', async () => {
  for (const [name, grade] of [
    ['modern', 'A'],
    ['intermediate', 'A'],
    ['old', 'F'],
    ['rsa', 'C'],
    ['ecdsa', 'A'],
  ] as const) {
    const host = `${name}.tls.test`
    const { status, body } = await get(`sslscan/${host}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { stdout } = await exec('sslscan', ['--no-colour', '--no-groups', host])
    const theirs = [...stdout.matchAll(/^(?:Accepted|Preferred)\s+(\S+)\s+(\d+) bits\s+(\S+)/gm)].map(([, ...one]) =>
      one.join(' '),
    )
    const ours = body.ciphers.map(
      (one: { protocol: string; bits: number; openssl_name: string }) =>
        `${one.protocol} ${one.bits} ${one.openssl_name}`,
    )
    assert.deepEqual(ours.toSorted(), theirs.toSorted(), host)
    const enabled = [...stdout.matchAll(/^(\S+)\s+enabled/gm)].map(([, version]) => version)
    assert.deepEqual(
      body.protocols.filter((one: { supported: boolean }) => one.supported).map((one: { name: string }) => one.name),
      enabled,
    )
    assert.equal(body.grade, grade, JSON.stringify(body.score_sum))
    const sum = body.score_sum.reduce((total: number, one: { points: number }) => total + one.points, 0)
    assert.equal(body.score, Math.max(0, sum))
    assert.equal(body.trusted, true)
    assert.ok(body.certificate_chain.length >= 2)
  }
})

test('sslscan: what is wrong with the certificates of the lab', async () => {
  for (const [name, problem] of [
    ['expired', 'The certificate has expired.'],
    ['selfsigned', 'The certificate is self-signed.'],
    ['wronghost', 'The certificate is for another name.'],
    ['nochain', 'The issuer of the certificate is unknown or missing from the chain.'],
  ] as const) {
    const { body } = await get(`sslscan/${name}.tls.test`)
    assert.deepEqual([body.trusted, body.trust_problem], [false, problem])
    assert.ok(body.score <= 60)
  }
})

test('sslscan: a port that is closed, and one that speaks something else', async () => {
  const closed = await get('sslscan/plain.good.test')
  assert.ok(closed.status >= 400, JSON.stringify(closed.body))
  assert.match(JSON.stringify(closed.body), /refuses the connection/)
})
