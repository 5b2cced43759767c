import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trial, trial } from './trial.ts'

const post = (app: Trial, path: string, payload: object | string = {}, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/${path}/`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
const get = (app: Trial, path: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url: `/api/${path}`, headers })

const zone = 'example.com. A 192.0.2.1\nxn--mnchen-3ya.example. A 192.0.2.1\n'

test('[OPEN-010] a tool answers at POST /api/{path}/ with its result object', async t => {
  const app = await trial(t, { catalogue: true })
  const { statusCode, headers, body } = await post(app, 'md5', { input_text: 'abc' })
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(JSON.parse(body).hash, '900150983cd24fb0d6963f7d28e17f72')
})

test('[OPEN-012] API addresses answer with and without the last slash', async t => {
  const app = await trial(t, { recording: { zone } })
  for (const path of ['look/example.com/', 'look/example.com']) {
    assert.deepEqual((await get(app, path)).json(), {
      domain: 'example.com',
      selector: null,
      type: 'A',
      status: 'answer',
    })
  }
  const { statusCode } = await app.inject({ method: 'POST', url: '/api/price', payload: {} })
  assert.equal(statusCode, 200)
})

test('[API-001] [API-002] lookups are GET below /api with the value in the path', async t => {
  const app = await trial(t, { recording: { zone } })
  assert.equal((await get(app, 'look/EXAMPLE.com./')).json().domain, 'example.com')
  assert.equal((await get(app, 'look/example.com/s1/')).json().selector, 's1')
  assert.equal((await get(app, 'look/m%C3%BCnchen.example/')).json().domain, 'xn--mnchen-3ya.example')
})

test('an address that two tools give belongs to the one named like it', async t => {
  const app = await trial(t, { recording: { zone } })
  assert.ok('status' in (await get(app, 'look/example.com/')).json())
  assert.deepEqual((await post(app, 'alias', { domain: 'example.com' })).json(), { alias: 'example.com' })
})

test('a query holds further fields, but no secret ones and none twice', async t => {
  const app = await trial(t, { recording: { zone } })
  assert.equal((await get(app, 'look/example.com/?type=MX')).json().type, 'MX')
  const secret = await get(app, 'look/example.com/?token=hush')
  assert.equal(secret.statusCode, 400)
  assert.match(secret.json().error, /^Validation error: Token is secret and never goes into an address/)
  assert.equal((await get(app, 'look/example.com/?type=A&type=MX')).statusCode, 400)
  assert.equal((await get(app, 'look/example.com/?typ=A')).statusCode, 400)
})

test('[OPEN-039] a web address is taken encoded, decoded by a proxy, and with its slashes squeezed', async t => {
  const app = await trial(t)
  for (const value of ['https%3A%2F%2Fexample.com%2Fa-b', 'https://example.com/a-b', 'https:/example.com/a-b']) {
    assert.deepEqual((await get(app, `site/${value}/`)).json(), { url: 'https://example.com/a-b' }, value)
  }
  assert.equal((await get(app, 'site/example.com/')).json().url, 'https://example.com/')
})

test('F10: values of 101 to 2100 characters reach their tool, longer ones get 414 in JSON', async t => {
  const app = await trial(t)
  const long = await get(app, `look/${'a'.repeat(300)}.example/`)
  assert.equal(long.statusCode, 400)
  assert.equal(long.json().error, 'Invalid domain')
  const longer = await get(app, `look/${'a'.repeat(2101)}/`)
  assert.equal(longer.statusCode, 414)
  assert.equal(longer.json().code, 'too-long')
  assert.equal(longer.headers['x-content-type-options'], 'nosniff')
})

test('A2: other sites cannot make a browser run tools', async t => {
  const app = await trial(t, { recording: { zone } })
  for (const site of ['cross-site', 'same-site', 'nonsense']) {
    const { statusCode, body } = await get(app, 'look/example.com/', { 'sec-fetch-site': site })
    assert.equal(statusCode, 403, site)
    assert.equal(JSON.parse(body).error, 'Forbidden')
    assert.equal((await post(app, 'price', {}, { 'sec-fetch-site': site })).statusCode, 403)
  }
  for (const site of ['same-origin', 'none']) {
    assert.equal((await get(app, 'look/example.com/', { 'sec-fetch-site': site })).statusCode, 200, site)
  }
})

test('Accept: application/vnd.assay+json gives panels, terminal and time with the result', async t => {
  const app = await trial(t, { catalogue: true })
  const { headers, body } = await post(app, 'md5', { input_text: 'abc' }, { accept: 'application/vnd.assay+json' })
  assert.equal(headers['content-type'], 'application/vnd.assay+json; charset=utf-8')
  const { result, panels, terminal, ms } = JSON.parse(body)
  assert.equal(result.hash, '900150983cd24fb0d6963f7d28e17f72')
  assert.equal(panels[0].kind, 'facts')
  assert.match(terminal.command, /^printf 'abc' \|/)
  assert.equal(typeof ms, 'number')
})

function events(body: string) {
  return body
    .split('\n\n')
    .filter(text => text.startsWith('event: '))
    .map(text => {
      const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(text) ?? []
      return { event, data: JSON.parse(data) }
    })
}

test('Accept: text/event-stream sends progress and partial, then the result', async t => {
  const app = await trial(t)
  const { headers, body } = await post(app, 'steps', { count: 2 }, { accept: 'text/event-stream' })
  assert.equal(headers['content-type'], 'text/event-stream')
  assert.equal(headers['cache-control'], 'no-store')
  assert.deepEqual(events(body), [
    { event: 'partial', data: { progress: 0.5, label: 'step 1', partial: { seen: [1] } } },
    { event: 'partial', data: { progress: 1, label: 'step 2', partial: { seen: [1, 2] } } },
    { event: 'result', data: { seen: [1, 2] } },
  ])
  const detailed = await post(app, 'steps', { count: 1 }, { accept: 'text/event-stream, application/vnd.assay+json' })
  const [partial, result] = events(detailed.body)
  assert.deepEqual(partial?.data.panels, [{ kind: 'code', code: '1' }])
  assert.deepEqual(result?.data.panels, [{ kind: 'code', code: '1' }])
})

test('a stream that has begun ends with an error event; input is refused before it begins', async t => {
  const app = await trial(t)
  const refused = await post(app, 'refuse', { code: 'not-found' }, { accept: 'text/event-stream' })
  assert.deepEqual(events(refused.body), [
    {
      event: 'error',
      data: { status: 404, error: 'No DNS records found', code: 'not-found', detail: 'More on it.' },
    },
  ])
  assert.match(JSON.stringify(app.lines), /"status":200,[^}]*"outcome":"not-found"/)
  const invalid = await post(app, 'steps', { count: 'many' }, { accept: 'text/event-stream' })
  assert.equal(invalid.statusCode, 400)
  assert.equal(invalid.headers['content-type'], 'application/json; charset=utf-8')
})

test('[OPEN-077] what is declared too dear is refused before any work', async t => {
  const app = await trial(t, { limits: { workCostMs: 2_000, workCostMegabytes: 100 } })
  for (const [milliseconds, megabytes] of [
    [2_001, 1],
    [1, 101],
    [1_000_000, 100_000],
  ]) {
    const { statusCode, body } = await post(app, 'price', { milliseconds, megabytes })
    assert.equal(statusCode, 400)
    assert.match(JSON.parse(body).error, /^Validation error: These parameters ask for about \d+ seconds and \d+ MB/)
  }
})

test('cheap work is done in this process, dear work in a child', async t => {
  const app = await trial(t)
  const pid = async (body: object) => (await post(app, 'price', body)).json().pid
  assert.equal(await pid({ milliseconds: 0, megabytes: 0 }), process.pid)
  assert.notEqual(await pid({ milliseconds: 50, megabytes: 0 }), process.pid)
})

test('[OPEN-009] 61 lookups in a minute: the last gets 429 and is told when to come back', async t => {
  const app = await trial(t, { recording: { zone } })
  for (let i = 0; i < 60; i++) assert.equal((await get(app, 'look/example.com/')).statusCode, 200)
  const { statusCode, headers, body } = await get(app, 'look/example.com/')
  assert.equal(statusCode, 429)
  const detail = `Try again in ${headers['retry-after']} seconds.`
  assert.deepEqual(JSON.parse(body), { error: 'Rate limit exceeded', code: 'limited', detail })
  assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 120)
  assert.equal((await post(app, 'price')).statusCode, 200)
})

test('[OPEN-009] ten scans in a minute, each of another target', async t => {
  const app = await trial(t)
  for (let i = 0; i < 10; i++) assert.equal((await get(app, `sweep/192.0.2.${i}/`)).statusCode, 200)
  assert.equal((await get(app, 'sweep/192.0.2.10/')).statusCode, 429)
})

test('A1: the same scan within a minute is one scan, whoever asks', async t => {
  let jobs = 0
  const { replay } = await import('@assay/kit/replay')
  const app = await trial(t, {
    createJob(_, signal) {
      jobs++
      return { context: replay({}, signal), dispose() {} }
    },
  })
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, client) =>
      app.inject({ method: 'GET', url: '/api/sweep/192.0.2.1/', remoteAddress: `198.51.100.${client}` }),
    ),
  )
  answers.push(await get(app, 'sweep/192.0.2.1/'))
  for (const answer of answers) assert.deepEqual(answer.json(), { target: '192.0.2.1', ports: [80, 443] })
  assert.equal(jobs, 1)
})

test('A1: all clients together may point only so many lookups at one target', async t => {
  const app = await trial(t, { recording: { zone }, limits: { targetPerMinute: 3 } })
  const from = (client: number, domain: string) =>
    app.inject({ method: 'GET', url: `/api/look/${domain}/`, remoteAddress: `198.51.${client}.1` })
  for (let client = 0; client < 3; client++) assert.equal((await from(client, 'example.com')).statusCode, 200)
  assert.equal((await from(3, 'example.com')).statusCode, 429)
  assert.equal((await from(3, 'example.org')).statusCode, 200)
})

test('A8: names on the opt-out list, and those below them, are not looked up', async t => {
  const settings = { optedOut: { domains: ['example.com'], networks: [] } }
  const app = await trial(t, { recording: { zone }, settings })
  for (const name of ['example.com', 'EXAMPLE.com', 'www.example.com']) {
    const { statusCode, body } = await get(app, `look/${name}/`)
    assert.equal(statusCode, 400, name)
    assert.equal(JSON.parse(body).error, 'Validation error: target asked not to be looked up')
  }
  assert.equal((await get(app, 'look/example.org/')).statusCode, 200)
})

test('F12, C10: an address is believed from a trusted proxy only, and there the last one that is not a proxy', async t => {
  const limits = { lookupsPerMinute: 1 }
  const direct = await trial(t, { limits, recording: { zone } })
  const behind = await trial(t, { limits, recording: { zone }, settings: { trustedProxies: ['127.0.0.0/8'] } })
  const ask = async (app: Trial, forwarded: string) =>
    (await get(app, 'look/example.com/', { 'x-forwarded-for': forwarded })).statusCode
  assert.deepEqual([await ask(direct, '203.0.113.1'), await ask(direct, '203.0.113.2')], [200, 429])
  assert.deepEqual([await ask(behind, '203.0.113.1'), await ask(behind, '203.0.113.1')], [200, 429])
  assert.equal(await ask(behind, '198.51.100.1, 203.0.113.1'), 429)
  assert.equal(await ask(behind, '203.0.113.1, 198.51.100.1'), 200)
})

test('C10: spellings of one address share their counter', async t => {
  const app = await trial(t, { limits: { lookupsPerMinute: 3 }, recording: { zone } })
  const paths = [
    'look/example.com/',
    'look/EXAMPLE.COM',
    'look/%65xample.com/',
    'look/example.com/?type=A',
    'look/example.com./',
  ]
  const statuses = []
  for (const path of paths) statuses.push((await get(app, path)).statusCode)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})

test('E9: a lookup of ours that comes home is turned away', async t => {
  const app = await trial(t, { isOwnRequest: agent => agent === 'us' })
  assert.equal((await get(app, 'look/example.com/', { 'user-agent': 'us' })).statusCode, 403)
})
