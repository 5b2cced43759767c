import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { noRedis, startRedis } from '../test/redis.ts'
import { createCounter, createHistogram, family } from './exposition.ts'
import { defaultLimits } from './limits.ts'
import { createMetrics, metricsServer } from './metrics.ts'
import { redisCoordination } from './redis/coordination.ts'
import { readSettings } from './settings.ts'
import { createStore } from './store/store.ts'
import { type TrialOptions, trial } from './trial.ts'

type Read = Map<string, { type: string; samples: Map<string, number> }>

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\n"])*"'
const HEAD = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`)
const SAMPLE = new RegExp(`^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$`)
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

/** Reads the format by its rules and refuses whatever breaks one: what is read is compared with what was asked. */
function strictRead(text: string): Read {
  assert.ok(text === '' || text.endsWith('\n'), 'the last line ends with a line feed')
  const families: Read = new Map()
  const helped = new Set<string>()
  let current = ''
  for (const line of text.split('\n').slice(0, -1)) {
    const [, keyword, name = '', rest = ''] = HEAD.exec(line) ?? []
    if (keyword === 'HELP') {
      assert.ok(!helped.has(name), `one HELP for ${name}`)
      assert.doesNotMatch(rest.replaceAll(/\\[\\n]/g, ''), /\\/, line)
      helped.add(name)
    } else if (keyword === 'TYPE') {
      assert.ok(!families.has(name) && TYPES.includes(rest), line)
      families.set(name, { type: rest, samples: new Map() })
      current = name
    } else {
      const [, sample = '', labels = '', value = ''] =
        SAMPLE.exec(line) ?? assert.fail(`not a line of the format: ${line}`)
      const found = families.get(current) ?? assert.fail(`before any TYPE: ${line}`)
      const suffixes = found.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      assert.ok(
        suffixes.some(suffix => sample === current + suffix),
        `${line} stands among ${current}`,
      )
      const key = (sample + labels).slice(current.length)
      assert.ok(!found.samples.has(key), `twice: ${line}`)
      const parsed = Number(value.replace('Inf', 'Infinity'))
      assert.ok(!Number.isNaN(parsed) || value === 'NaN', line)
      if (found.type === 'counter') assert.ok(parsed >= 0, line)
      found.samples.set(key, parsed)
    }
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') checkHistogram(name, samples)
  return families
}

/** Buckets rise, the last is +Inf, and it equals the count. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const counts = [...samples].filter(([key]) => key.startsWith('_count'))
  for (const [key, count] of counts) {
    const own = key.slice('_count'.length).slice(1, -1)
    const buckets = [...samples].filter(([bucket]) => bucket.startsWith(`_bucket{${own}${own && ','}le="`))
    const bounds = buckets.map(([bucket]) => Number(/le="([^"]+)"/.exec(bucket)?.[1]?.replace('Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
      name,
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, name)
    const values = buckets.map(([, value]) => value)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
      name,
    )
    assert.equal(values.at(-1), count, name)
    assert.ok(samples.has(`_sum${key.slice('_count'.length)}`), name)
  }
}

async function watched(t: TestContext, options: TrialOptions = {}) {
  const metrics = createMetrics()
  t.after(() => metrics.stop())
  const app = await trial(t, { metrics, ...options })
  const server = metricsServer(async () => metrics.text(await app.figures(), Date.now()), readSettings({}).limits)
  t.after(() => server.close())
  const read = async () => {
    const { statusCode, headers, body } = await server.inject('/metrics')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    return { families: strictRead(body), body }
  }
  return { app, server, read }
}

const figureOf = (families: Read, name: string, labels = '') => families.get(name)?.samples.get(labels)

test('Prometheus text format 0.0.4: help and label values are escaped, figures stand as they are', () => {
  const counter = createCounter('a_total', 'A back\\slash and\na line.')
  counter.add({ route: '/a"b\\c\nd', method: 'GET' })
  counter.add({ route: '/a"b\\c\nd', method: 'GET' })
  assert.equal(
    counter.text(),
    '# HELP a_total A back\\\\slash and\\na line.\n# TYPE a_total counter\na_total{route="/a\\"b\\\\c\\nd",method="GET"} 2\n',
  )
  const gauge = family('b', 'gauge', 'B.', [
    [{}, 1.5e21],
    [{ x: '1' }, Number.NaN],
    [{ x: '2' }, Number.NEGATIVE_INFINITY],
  ])
  assert.equal(gauge, '# HELP b B.\n# TYPE b gauge\nb 1.5e+21\nb{x="1"} NaN\nb{x="2"} -Inf\n')
  strictRead(counter.text() + gauge)
  assert.equal(family('c', 'gauge', 'C.', []), '')
})

test('a histogram counts a value on a bound below it, and all values in the last bucket', () => {
  const histogram = createHistogram('h_seconds', 'H.', [0.1, 1])
  for (const value of [0.1, 0.100001, 1, 7]) histogram.observe({ class: 'a' }, value)
  const { samples } = strictRead(histogram.text()).get('h_seconds') ?? assert.fail()
  assert.deepEqual(
    [...samples.entries()].map(([key, value]) => [key, Math.round(value * 10) / 10]),
    [
      ['_bucket{class="a",le="0.1"}', 1],
      ['_bucket{class="a",le="1"}', 3],
      ['_bucket{class="a",le="+Inf"}', 4],
      ['_sum{class="a"}', 8.2],
      ['_count{class="a"}', 4],
    ],
  )
})

test('the reader of this test refuses what is not the format', () => {
  for (const text of [
    'a 1',
    'a 1\n',
    '# TYPE a counter\nb 1\n',
    '# TYPE a counter\na -1\n',
    '# TYPE a counter\na{b="c} 1\n',
    '# TYPE a counter\na 1\na 1\n',
    '# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
    '# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  ]) {
    assert.throws(() => strictRead(text), assert.AssertionError, JSON.stringify(text))
  }
})

test('known requests are counted by pattern and outcome, timed by class, and refusals by themselves', async t => {
  const { app, read } = await watched(t, { limits: { lightPerMinute: 2 } })
  for (let times = 0; times < 3; times++)
    await app.inject({ method: 'POST', url: '/api/steps/', payload: { count: 1 } })
  await app.inject('/api/look/abc/')
  await app.inject('/healthz')
  await app.inject('/no-such-page/')
  const { families } = await read()
  const of = (route: string, method: string, status: number, outcome: string) =>
    figureOf(
      families,
      'assay_requests_total',
      `{route="${route}",method="${method}",status="${status}",outcome="${outcome}"}`,
    )
  assert.equal(of('/api/steps/', 'POST', 200, 'ok'), 2)
  assert.equal(of('/api/steps/', 'POST', 429, 'limited'), 1)
  assert.equal(of('/api/look/:domain/', 'GET', 400, 'invalid-input'), 1)
  assert.equal(of('/healthz', 'GET', 200, 'ok'), 1)
  assert.equal(of('none', 'GET', 404, 'not-found'), 1)
  assert.equal(figureOf(families, 'assay_rate_refusals_total'), 1)
  const timed = (kind: string) => figureOf(families, 'assay_request_duration_seconds', `_count{class="${kind}"}`)
  assert.deepEqual([timed('light'), timed('lookup'), timed('page'), timed('other')], [3, 1, 1, 1])
})

test('P1: no label holds what was asked or by whom, and unknown addresses make no new ones', async t => {
  const CANARY = 'kanarienvogel'
  const { app, read } = await watched(t)
  const ask = (n: number) =>
    Promise.all([
      app.inject({ url: `/${CANARY}${n}/?${CANARY}=${n}`, headers: { 'x-forwarded-for': CANARY } }),
      app.inject(`/api/${CANARY}${n}/`),
      app.inject(`/api/look/${CANARY}${n}.example/`),
      app.inject({ method: 'POST', url: '/api/bug/', payload: { input_text: CANARY + n, inline: 'yes' } }),
    ])
  await ask(0)
  const before = (await read()).body.split('\n').length
  for (let n = 1; n < 20; n++) await ask(n)
  const { body } = await read()
  assert.doesNotMatch(body, new RegExp(`${CANARY}|127\\.0\\.0\\.1`, 'i'))
  assert.equal(body.split('\n').length, before)
})

test('compute children: what runs, what waits and what was killed', async t => {
  const { app, read } = await watched(t, { limits: { workChildren: 1, workMs: 300 } })
  const spin = () => app.inject({ method: 'POST', url: '/api/spin/', payload: { how: 'loop' } })
  await app.inject({ method: 'POST', url: '/api/steps/', payload: { count: 1, wait: 0 } })
  const both = Promise.all([spin(), spin()])
  const end = Date.now() + 5_000
  for (;;) {
    const { families } = await read()
    const at = (name: string) => figureOf(families, `assay_compute_jobs_${name}`, '{pool="work"}')
    if (at('running') === 1 && at('queued') === 1) break
    assert.ok(Date.now() < end, 'the jobs were never seen')
    await wait(5)
  }
  await both
  const { families } = await read()
  assert.equal(figureOf(families, 'assay_compute_children_killed_total', '{pool="work"}'), 2)
  assert.equal(figureOf(families, 'assay_compute_children_died_total', '{pool="work"}'), 0)
  assert.equal(figureOf(families, 'assay_compute_jobs_running', '{pool="work"}'), 0)
})

test('P2: the store, its oldest rows, the mails that wait and the last sweep', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-metrics-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = createStore({ folder, address: undefined, timeoutMs: 500, connections: 1 })
  const { app, read } = await watched(t, { store, settings: { data: folder } })
  const figure = async (name: string, labels = '') => figureOf((await read()).families, name, labels)
  assert.equal(await figure('assay_store_up'), 1)
  assert.equal(await figure('assay_retention_last_success_timestamp_seconds'), 0)
  assert.equal(await figure('assay_oldest_row_age_seconds', '{table="message"}'), 0)
  const day = 86_400_000
  const add = (table: 'message' | 'mail', days: number, more: object) =>
    store.use(db =>
      db
        .insertInto(table)
        .values({ id: `${table}${days}`, created_at: Date.now() - days * day, text: '', ...more } as never)
        .execute(),
    )
  await add('message', 2, { name: '', email: '' })
  const mail = { recipient: '', reply_name: '', reply_email: '', subject: '', attempts: 0, failure: '' }
  await add('mail', 1, { ...mail, state: 'given-up', due_at: 0 })
  await add('mail', 0, { ...mail, state: 'waiting', due_at: Date.now() + day })
  assert.ok(Math.abs(((await figure('assay_oldest_row_age_seconds', '{table="message"}')) ?? 0) - 2 * 86_400) < 60)
  assert.equal(await figure('assay_outbox_mails', '{state="waiting"}'), 1)
  assert.equal(await figure('assay_outbox_mails', '{state="given-up"}'), 1)
  app.warm()
  const end = Date.now() + 5_000
  while ((await figure('assay_retention_last_success_timestamp_seconds')) === 0) {
    assert.ok(Date.now() < end)
    await wait(5)
  }
  const swept = (await figure('assay_retention_last_success_timestamp_seconds')) ?? 0
  assert.ok(Math.abs(swept - Date.now() / 1000) < 60)
})

test('X1: a store that is away is said to be down, without its figures', async t => {
  const store = createStore({ folder: '/dev/null', address: undefined, timeoutMs: 500, connections: 1 })
  const { read } = await watched(t, { store })
  const { families } = await read()
  assert.equal(figureOf(families, 'assay_store_up'), 0)
  assert.equal(families.has('assay_outbox_mails'), false)
  assert.equal(families.has('assay_oldest_row_age_seconds'), false)
})

test('X2: Redis that goes away is said to be down, and there is no figure where there is none', {
  skip: noRedis,
}, async t => {
  const redis = await startRedis()
  t.after(() => redis.stop())
  const limits = { ...defaultLimits, redisRetryMs: 100 }
  const coordination = redisCoordination({ address: redis.address, base: undefined, limits })
  const { read } = await watched(t, { coordination })
  const figure = async (name: string) => figureOf((await read()).families, name)
  const reaches = async (value: number) => {
    const end = Date.now() + 10_000
    while ((await figure('assay_redis_up')) !== value) {
      assert.ok(Date.now() < end)
      await wait(20)
    }
  }
  await coordination.ready
  await reaches(1)
  assert.equal(await figure('assay_processes'), 1)
  redis.freeze()
  await reaches(0)
  redis.thaw()
  await reaches(1)
  const { read: readAlone } = await watched(t)
  assert.equal((await readAlone()).families.has('assay_redis_up'), false)
})

test('the private listener has one address, and the public server has none for it', async t => {
  const { app, server } = await watched(t)
  assert.equal((await app.inject('/metrics')).statusCode, 404)
  for (const [method, url] of [
    ['GET', '/'],
    ['POST', '/metrics'],
    ['GET', '/api/md5/'],
  ] as const) {
    const { statusCode, body } = await server.inject({ method, url })
    assert.deepEqual([statusCode, body], [404, 'GET /metrics\n'])
  }
})

test('counting a request costs less than 20 microseconds', () => {
  const metrics = createMetrics()
  const [batches, rounds, routes] = [10, 10_000, 300]
  let microseconds = Number.POSITIVE_INFINITY
  // The quickest batch: whatever else the machine does makes the others slower.
  for (let batch = 0; batch < batches; batch++) {
    const started = performance.now()
    for (let n = 0; n < rounds; n++) {
      const route = `/api/route-${n % routes}/`
      metrics.answered({ class: 'light', route, method: 'POST', status: 200, outcome: 'ok', seconds: 0.001 })
    }
    microseconds = Math.min(microseconds, ((performance.now() - started) * 1000) / rounds)
  }
  metrics.stop()
  assert.ok(microseconds < 20, `${microseconds.toFixed(2)} µs`)
})
