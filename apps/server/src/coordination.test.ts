import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { replay } from '@assay/kit/replay'
import { noRedis, startRedis, type TestRedis } from '../test/redis.ts'
import type { AppOptions } from './app.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { redisCoordination } from './redis/coordination.ts'
import { type Trial, trial } from './trial.ts'

const zone = 'example.com. 60 TXT "here"'
const QUICK_MS = 200

/** A process of a site that has begun a scan which never ends. */
const endless = (url: string, number: number) => `
  import { redisCoordination } from ${JSON.stringify(import.meta.resolve('./redis/coordination.ts'))}
  import { parseRedisAddress } from ${JSON.stringify(import.meta.resolve('./redis/address.ts'))}
  import { defaultLimits } from ${JSON.stringify(import.meta.resolve('./limits.ts'))}
  const address = parseRedisAddress(${JSON.stringify(url)})
  const limits = { ...defaultLimits, redisMs: 2_000 }
  const { runs, ready } = redisCoordination({ address, base: 'https://site${number}.example', limits })
  await ready
  const run = runs.join(process.env.RUN_KEY, new AbortController().signal, async function* () {
    yield { progress: 0.1 }
    await new Promise(() => {})
  })
  await run.next()
  process.stdout.write('runs')
  await run.next()
`

describe('several processes on one Redis', { skip: noRedis }, () => {
  let server: TestRedis
  let sites = 0
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())

  /** Processes of one site. */
  function site(t: TestContext, limits: Partial<Limits> = {}) {
    const base = `https://site${sites++}.example`
    return async (options: Partial<AppOptions> = {}): Promise<Trial & { reports: string[] }> => {
      const reports: string[] = []
      const coordination = redisCoordination({
        address: server.address,
        base,
        limits: { ...defaultLimits, redisRetryMs: 200, redisMs: 2_000, scanPollMs: 100, ...limits },
        report: text => reports.push(text),
      })
      const app = await trial(t, { recording: { zone }, limits, coordination, ...options })
      await coordination.ready
      // Where fifty start at once the first look may have been late.
      while (reports.at(-1)?.startsWith('down')) await sleep(20)
      return { ...app, reports }
    }
  }

  const get = (app: Trial, path: string, remoteAddress = '198.51.100.7') =>
    app.inject({ method: 'GET', url: `/api/${path}`, remoteAddress })

  /** Whether a process follows the run of another. */
  async function isFollowed(): Promise<boolean> {
    for (const key of await server.client.keys('*')) {
      if ((await server.client.type(key)) !== 'hash') continue
      const [state, followed] = await server.client.hmget(key, 'state', 'followed')
      if (state === 'running' && Number(followed) > 0) return true
    }
    return false
  }

  for (const processes of [2, 50]) {
    test(`C10: ${processes} processes together allow what one would`, async t => {
      const process = site(t)
      const apps = await Promise.all(Array.from({ length: processes }, () => process()))
      const rounds = Math.ceil(200 / processes)
      let allowed = 0
      for (let round = 0; round < rounds; round++) {
        const answers = await Promise.all(apps.map(app => get(app, 'look/example.com/')))
        for (const { statusCode } of answers) {
          assert.ok(statusCode === 200 || statusCode === 429)
          if (statusCode === 200) allowed++
        }
      }
      const { lookupsPerMinute } = defaultLimits
      assert.ok(allowed >= lookupsPerMinute && allowed <= lookupsPerMinute * 1.05, `${allowed} allowed`)
    })
  }

  test('A1: the same scan in two processes is one scan, with the same steps and the same answer', async t => {
    const process = site(t)
    let jobs = 0
    const go = Promise.withResolvers<void>()
    const createJob: AppOptions['createJob'] = (_, signal) => {
      jobs++
      const context = replay({}, signal)
      const scan: typeof context.tcp.scan = async function* (...parameters) {
        for await (const answer of context.tcp.scan(...parameters)) {
          yield answer
          await go.promise
        }
      }
      return { context: { ...context, tcp: { ...context.tcp, scan } }, dispose() {} }
    }
    const [a, b] = [await process({ createJob }), await process({ createJob })]
    const stream = (app: Trial) =>
      app.inject({ method: 'GET', url: '/api/sweep/192.0.2.1/', headers: { accept: 'text/event-stream' } })
    const first = stream(a)
    while (jobs === 0) await sleep(10)
    const second = stream(b)
    while (!(await isFollowed())) await sleep(10)
    await sleep(200)
    go.resolve()
    const step = '"partial":{"target":"192.0.2.1","ports":[80]}'
    const answer = '{"target":"192.0.2.1","ports":[80,443]}'
    for (const { body } of [await first, await second]) {
      assert.ok(body.includes(step) && body.includes(answer), body)
    }
    assert.deepEqual((await get(b, 'sweep/192.0.2.1/')).json(), JSON.parse(answer))
    assert.equal(jobs, 1)
    assert.equal((await get(b, 'sweep/192.0.2.2/')).statusCode, 200)
    assert.equal(jobs, 2)
  })

  test('a process that closes hands over what others follow', async t => {
    const process = site(t)
    const jobs: string[] = []
    const jobOf =
      (name: string, ends: boolean): AppOptions['createJob'] =>
      (_, signal) => {
        jobs.push(name)
        const context = replay({}, signal)
        const scan: typeof context.tcp.scan = async function* (...parameters) {
          yield* context.tcp.scan(...parameters)
          if (!ends) await new Promise(() => {})
        }
        return { context: { ...context, tcp: { ...context.tcp, scan } }, dispose() {} }
      }
    const [a, b] = [await process({ createJob: jobOf('a', false) }), await process({ createJob: jobOf('b', true) })]
    const left = new AbortController()
    const first = a.inject({ method: 'GET', url: '/api/sweep/192.0.2.9/', signal: left.signal })
    while (jobs.length === 0) await sleep(10)
    const second = get(b, 'sweep/192.0.2.9/')
    while (!(await isFollowed())) await sleep(10)
    left.abort()
    await first.catch(() => {})
    await sleep(200)
    assert.deepEqual(jobs, ['a'])
    await a.close()
    assert.deepEqual((await second).json(), { target: '192.0.2.9', ports: [80, 443] })
    assert.deepEqual(jobs, ['a', 'b'])
  })

  test('K1: after kill -9 of the process that scans, one that follows takes over within seconds', async t => {
    const process = site(t)
    const app = await process()
    const { path, input } = { path: 'sweep', input: { target: '192.0.2.33' } }
    const child = spawn(execPath, ['--input-type=module-typescript', '-e', endless(server.url, sites - 1)], {
      env: { ...env, RUN_KEY: `${path} ${JSON.stringify(input)}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const answer = get(app, 'sweep/192.0.2.33/')
    while (!(await isFollowed())) await sleep(10)
    child.kill('SIGKILL')
    const started = performance.now()
    assert.deepEqual((await answer).json(), { target: '192.0.2.33', ports: [80, 443] })
    assert.ok(performance.now() - started < 5_000)
    assert.equal((await get(app, 'sweep/192.0.2.33/')).statusCode, 200)
  })

  test('X2: while Redis is frozen, gone or full, requests are answered at once and limits hold', async t => {
    const process = site(t, { redisMs: 500 })
    const app = await process()
    const quick = async () => {
      const times: number[] = []
      for (let i = 0; i < 20; i++) {
        const started = performance.now()
        const { statusCode } = await get(app, 'look/example.com/', `198.51.${i}.7`)
        assert.equal(statusCode, 200)
        times.push(performance.now() - started)
      }
      // Single ones may wait for a machine that is busy with other tests.
      const half = times.sort((a, b) => a - b)[times.length / 2] ?? 0
      assert.ok(half < QUICK_MS, `${half} ms`)
      const statuses = new Set<number>()
      for (let i = 0; i < 70; i++) statuses.add((await get(app, 'look/example.org/', '198.51.200.7')).statusCode)
      assert.ok(statuses.has(429))
      assert.equal((await get(app, `sweep/192.0.2.${sites++}/`, '198.51.201.7')).statusCode, 200)
    }
    const back = async () => {
      const end = Date.now() + 5_000
      while (app.reports.at(-1) !== 'back') {
        assert.ok(Date.now() < end, 'still away')
        await sleep(20)
      }
    }
    server.freeze()
    await quick().finally(() => server.thaw())
    await back()
    await server.kill()
    await quick()
    await server.restart()
    await back()
    await server.client.config('SET', 'maxmemory', '1')
    await quick()
    await server.client.config('SET', 'maxmemory', '0')
    await back()
    assert.ok(app.reports.length <= 8, app.reports.join())
    assert.ok(!app.lines.some(({ event }) => event === 'bug'))
  })
})
