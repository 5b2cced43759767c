import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** The tools that look at web sites, as shipped, through the API, against the lab's sites. */
if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

let app: App
before(async () => {
  const settings = readSettings({
    ...unhurried,
    ASSAY_LOOKUPS_PER_MINUTE: '10000',
    ASSAY_SCANS_PER_MINUTE: '1000',
    ASSAY_TARGET_PER_MINUTE: '10000',
  })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of several tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}/` })
  return { status: statusCode, body: JSON.parse(body) }
}
const look = (url: string) => get(`url-monitor/${encodeURIComponent(url)}`)

for (const [url, up, code, message] of [
  ['https://www.good.test/', true, 200, /OK/],
  ['https://status.good.test/200', true, 200, /OK/],
  ['https://status.good.test/301', true, 301, /Moved Permanently/],
  ['https://status.good.test/401', true, 401, /Unauthorized/],
  ['https://status.good.test/403', true, 403, /Forbidden/],
  ['https://status.good.test/404', false, 404, /Not Found/],
  ['https://status.good.test/405', true, 405, /Method Not Allowed/],
  ['https://status.good.test/429', true, 429, /Too Many Requests/],
  ['https://status.good.test/500', false, 500, /Internal Server Error/],
  ['https://status.good.test/503', false, 503, /Service Unavailable/],
  ['https://no-such-name.good.test/', false, 0, /DNS error/],
  ['http://closed.ports.test/', false, 0, /Connection error/],
  ['https://status.good.test/reset', false, 0, /No valid response/],
  ['https://status.good.test/empty', false, 0, /No valid response/],
  ['http://raw.good.test/banner', false, 0, /No valid response/],
  ['https://expired.tls.test/', false, 0, /TLS error/],
  ['https://selfsigned.tls.test/', false, 0, /TLS error/],
  ['https://wronghost.tls.test/', false, 0, /TLS error/],
  ['https://silent.ports.test/', false, 0, /Timeout/],
  ['https://redirect.good.test/to-loopback', false, 302, /Redirect not followed/],
  ['https://redirect.good.test/to-private-name', false, 302, /Redirect not followed/],
  ['https://redirect.good.test/to-script', false, 302, /Redirect not followed/],
  ['https://redirect.good.test/loop', false, 302, /Redirect not followed/],
] as const) {
  test(`[API-024] network.md §1.22: ${url} is ${up ? 'up' : 'down'} with ${code} ${message.source}`, async () => {
    const { status, body } = await look(url)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.url, url)
    assert.equal(typeof body.message, 'string')
    const { is_up, status_code, status_message, last_checked } = body.status
    assert.deepEqual([is_up, status_code], [up, code], JSON.stringify(body))
    assert.match(status_message, message)
    assert.ok(Math.abs(Date.parse(last_checked) - Date.now()) < 60_000)
  })
}

test('url-monitor: an expired certificate says that it has expired', async () => {
  const { body } = await look('https://expired.tls.test/')
  assert.equal(body.failure.kind, 'tls')
  assert.match(body.failure.detail, /expired/)
})

test('url-monitor: a slow page is up, and the time goes where it is slow', async () => {
  const { body } = await look('https://status.good.test/slow')
  const { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = body.timings
  assert.equal(body.status.is_up, true)
  assert.ok(first_byte_ms >= 2900 && total_ms >= first_byte_ms, JSON.stringify(body.timings))
  assert.ok(first_byte_ms >= dns_ms + connect_ms + tls_ms)
})

test('url-monitor: redirects are followed and listed', async () => {
  const { body } = await look('https://redirect.good.test/hops/3')
  assert.deepEqual(
    body.redirects.map(({ status_code }: { status_code: number }) => status_code),
    [307, 301, 302],
  )
  assert.equal(body.final_url, 'https://redirect.good.test/')
  assert.equal(body.status.status_code, 200)
})

test('[OPEN-039] url-monitor: without a scheme https comes first, then http', async () => {
  assert.equal((await look('www.good.test')).body.url, 'https://www.good.test/')
  const { body } = await look('plain.good.test')
  assert.equal(body.url, 'http://plain.good.test/')
  assert.equal(body.status.is_up, true)
  assert.deepEqual(
    body.attempts.map(({ failure }: { failure: string | null }) => failure),
    ['tcp', null],
  )
})

test('[OPEN-008] [OPEN-039] url-monitor: private addresses and other schemes are refused', async () => {
  for (const url of [
    'http://127.0.0.1/',
    'http://loopback.rebind.test/',
    'http://[::1]/',
    'http://www.good.test:22/',
  ]) {
    const { status, body } = await look(url)
    assert.equal(status, 400, `${url} ${JSON.stringify(body)}`)
    assert.match(body.error, /^Validation error: /)
  }
  for (const url of ['ftp://www.good.test', 'http://localhost', 'https://www.good.test/?q=1']) {
    assert.equal((await look(url)).status, 400, url)
  }
})

test('[OPEN-039] url-monitor: a proxy that has decoded the value changes nothing', async () => {
  const { body } = await get('url-monitor/https:/status.good.test/200')
  assert.equal(body.url, 'https://status.good.test/200')
})

const validate = (domain: string) => get(`access-control-validator/${domain}`)
const foundIn = (vulnerabilities: Record<string, { description: string; url: string }[]>) =>
  Object.fromEntries(
    Object.entries(vulnerabilities).map(([category, entries]) => [
      category,
      entries.map(({ url }) => url.replace(/^https?:\/\/[^/]+/, '')),
    ]),
  )

test('[API-038] network.md §1.21: a hardened site has no entry at all', async () => {
  const { status, body } = await validate('hardened.good.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.vulnerabilities, { CORS: [], 'Security Headers': [], Authentication: [], Authorization: [] })
  assert.deepEqual([body.security_status, body.risk_level], ['Secure', 'None'])
  assert.deepEqual(body.untested, [])
})

test('[API-038] [ACV-015] [ACV-016] [ACV-017] [ACV-018] network.md §1.21: a weak site has exactly the planted fourteen', async () => {
  const { status, body } = await validate('holes.good.test')
  assert.equal(status, 200, JSON.stringify(body))
  const found = foundIn(body.vulnerabilities)
  assert.deepEqual(found.CORS, ['/'])
  assert.deepEqual(found['Security Headers'], ['/', '/', '/', '/', '/'])
  assert.equal(found.Authentication?.length, 4, JSON.stringify(body.vulnerabilities.Authentication))
  assert.deepEqual(found.Authorization?.toSorted(), ['/.env', '/.git/HEAD', '/files/', '/server-status'])
  assert.equal(body.total_vulnerabilities, 14)
  assert.equal(body.risk_level, 'Medium')
  for (const entry of Object.values<Record<string, unknown>[]>(body.vulnerabilities).flat()) {
    assert.equal(entry.status_code, 200)
    assert.match(String(entry.description), /\w{4}/)
    assert.match(String(entry.proof), /\w{2}/)
  }
  assert.ok(!JSON.stringify(body).includes('hunter2'), 'secrets are not repeated')
})

test('network.md §1.21: a site that answers 200 to every path opens none of them', async () => {
  const { body } = await validate('spa.good.test')
  assert.deepEqual(body.vulnerabilities.Authorization, [])
})

test('[OPEN-068] the validator asks at most thirty times, whatever the site says', async () => {
  for (const domain of [
    'hardened.good.test',
    'holes.good.test',
    'spa.good.test',
    'weak.good.test',
    'plain.good.test',
    'odd.good.test',
  ]) {
    const { body } = await validate(domain)
    assert.ok(body.requests >= 15 && body.requests <= 30, `${domain} ${body.requests}`)
  }
})

test('validator: plain HTTP alone and a bad certificate are entries', async () => {
  const descriptions = async (domain: string) =>
    (await validate(domain)).body.vulnerabilities.Authentication.map(
      ({ description }: { description: string }) => description,
    )
  assert.ok((await descriptions('plain.good.test')).includes('The site is not there over HTTPS'))
  assert.ok((await descriptions('expired.tls.test')).includes('The certificate does not hold'))
})

test('[OPEN-008] validator: names that lead to private addresses are refused', async () => {
  const { status, body } = await validate('loopback.rebind.test')
  assert.equal(status, 400)
  assert.equal(body.error, 'Validation error: target address is not allowed')
})

test('network.md §1.23: the grade of a hardened site and of one full of holes, with the sum shown', async () => {
  for (const [domain, grade, score] of [
    ['hardened.good.test', 'A+', 135],
    ['www.good.test', 'B+', 80],
    ['holes.good.test', 'F', 0],
  ] as const) {
    const { body } = await get(`http-headers/${domain}`)
    const points: { points: number; counted: boolean }[] = body.modifiers
    const sum = points.reduce((total, { points, counted }) => total + (counted ? points : 0), 100)
    assert.equal(body.score, Math.max(0, sum))
    assert.deepEqual([body.grade, body.score], [grade, score], JSON.stringify(body.modifiers))
  }
})

for (const path of [
  ...['to-loopback6', 'to-mapped', 'to-decimal', 'to-private', 'to-metadata', 'to-port', 'to-userinfo', 'to-file'],
  ...['to-other-scheme', 'ping', 'hops/6', 'hops/20'],
]) {
  test(`security E4: a redirect such as /${path} is told and not followed`, async () => {
    const { status, body } = await look(`https://redirect.good.test/${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.failure?.kind, 'redirect', JSON.stringify(body))
    assert.deepEqual([body.status.is_up, body.status.status_code], [false, 302])
  })
}

test('security E4: five redirects are followed', async () => {
  const { body } = await look('https://redirect.good.test/hops/5')
  assert.equal(body.status.is_up, true)
  assert.equal(body.redirects.length, 5)
})
