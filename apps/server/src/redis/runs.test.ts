import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, Problem, type Update } from '@assay/kit'
import { noRedis, startRedis, type TestRedis } from '../../test/redis.ts'
import { Wait } from '../errors.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { sharedRoom } from '../outcome-size.ts'
import { createSharedRuns, type SharedRuns, type Start } from '../shared.ts'
import { createRedisLink } from './link.ts'
import { createNames } from './names.ts'
import { redisRuns } from './runs.ts'
import { createVault } from './vault.ts'

const outcome: Outcome = {
  input: { domain: 'example.com' },
  result: { large: 2n ** 70n, bytes: Uint8Array.of(0, 255) },
}
const never = () => new AbortController().signal

interface Drained {
  updates: Update[]
  outcome: Outcome
}

async function drain(run: AsyncGenerator<Update, Outcome, void>): Promise<Drained> {
  const updates: Update[] = []
  for (;;) {
    const { done, value } = await run.next()
    if (done) return { updates, outcome: value }
    updates.push(value)
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'never came')
    await sleep(10)
  }
}

describe('runs of several processes', { skip: noRedis }, () => {
  let server: TestRedis
  let secrets = 0
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())

  /** Processes of one site; `quiet` never says that it lives. */
  function site(t: TestContext, options: Partial<Limits> = {}) {
    const secret = `${secrets++}`
    const limits = { ...defaultLimits, scanLeaseMs: 1_000, scanPollMs: 30, ...options }
    const names = createNames(secret)
    return async (more: { quiet?: boolean; version?: string } = {}): Promise<SharedRuns> => {
      const link = createRedisLink({
        address: server.address,
        timeoutMs: 2_000,
        retryMs: 200,
        staleMs: 3_000,
        processesKey: names('processes'),
      })
      const runs = redisRuns({
        link,
        names,
        limits: { ...limits, ...(more.quiet && { scanPollMs: 60_000 }) },
        version: async () => more.version ?? 'one',
        createVault: question => createVault(secret, question, limits.sharedResultBytes),
      })
      t.after(async () => {
        await runs.close()
        await link.close()
      })
      await link.ready
      return createSharedRuns(limits.scanSharedMs, sharedRoom(limits), runs.run)
    }
  }

  test('A1: who asks the same in any process gets one run, how far it is, and its result as it was', async t => {
    const process = site(t)
    const [a, b, c] = [await process(), await process(), await process()]
    const go = Promise.withResolvers<void>()
    let started = 0
    const start: Start = async function* () {
      started++
      yield { progress: 0.25, partial: { found: [1n] } }
      yield { progress: 0.5, label: 'half' }
      await go.promise
      return outcome
    }
    const first = drain(a.join('a', never(), start))
    await until(() => started === 1)
    const second = b.join('a', never(), start)
    assert.deepEqual((await second.next()).value, { progress: 0.5, label: 'half', partial: { found: [1n] } })
    const third = drain(c.join('a', never(), start))
    go.resolve()
    assert.equal((await first).updates.length, 2)
    assert.deepEqual((await first).outcome, outcome)
    assert.deepEqual((await drain(second)).outcome, outcome)
    assert.deepEqual((await third).outcome, outcome)
    assert.deepEqual((await drain((await process()).join('a', never(), start))).outcome, outcome)
    assert.equal(started, 1)
    assert.deepEqual((await drain((await process()).join('b', never(), start))).outcome, outcome)
    assert.equal(started, 2)
  })

  test('fifty who ask at once in fifty processes get one run', async t => {
    const process = site(t)
    const all = await Promise.all(Array.from({ length: 50 }, () => process()))
    let started = 0
    const start: Start = async function* () {
      started++
      yield { progress: 0 }
      await sleep(200)
      return outcome
    }
    const ends = await Promise.all(all.map(each => drain(each.join('a', never(), start))))
    assert.equal(started, 1)
    for (const end of ends) assert.deepEqual(end.outcome, outcome)
  })

  test('a result is shared for its time and no longer, however late a process hears of it', async t => {
    const process = site(t, { scanSharedMs: 1_000 })
    const [a, b] = [await process(), await process()]
    let started = 0
    // biome-ignore lint/correctness/useYield: a run without updates
    const start: Start = async function* () {
      started++
      return outcome
    }
    await drain(a.join('a', never(), start))
    await sleep(600)
    await drain(b.join('a', never(), start))
    assert.equal(started, 1)
    await sleep(600)
    await drain(b.join('a', never(), start))
    assert.equal(started, 2)
  })

  test('a failure reaches all who follow, with its sentence, and nobody who asks later', async t => {
    const process = site(t)
    const [a, b] = [await process(), await process()]
    for (const [i, [thrown, expected]] of [
      [new Problem('unreachable', 'Nobody is there', { field: 'domain', detail: 'Look.' })],
      [new Wait('limited', 41_000, 'Rate limit exceeded')],
      [new Problem('timeout', 'Request timeout')],
      [new TypeError('x of undefined'), new Error('The run failed in another process.')],
    ].entries()) {
      const go = Promise.withResolvers<void>()
      let started = 0
      // biome-ignore lint/correctness/useYield: it fails before there is anything to say
      const start: Start = async function* () {
        if (++started === 1) await go.promise
        throw thrown
      }
      const first = assert.rejects(drain(a.join(`${i}`, never(), start)), thrown)
      await until(() => started === 1)
      const second = assert.rejects(drain(b.join(`${i}`, never(), start)), expected ?? thrown)
      await sleep(100)
      go.resolve()
      await Promise.all([first, second])
      assert.equal(started, 1)
      await assert.rejects(drain((await process()).join(`${i}`, never(), start)), thrown)
      assert.equal(started, 2)
    }
  })

  test('a run goes on while one process follows it, and is stopped when the last has left', async t => {
    const process = site(t)
    const [a, b] = [await process(), await process()]
    let stopped = 0
    let started = 0
    const start: Start = async function* (signal) {
      started++
      yield { progress: 0 }
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped++
          reject(signal.reason)
        }),
      )
      return outcome
    }
    const [one, two] = [new AbortController(), new AbortController()]
    const first = a.join('a', one.signal, start)
    await first.next()
    const second = b.join('a', two.signal, start)
    await second.next()
    one.abort(new Error('gone'))
    await assert.rejects(drain(first), /gone/)
    await sleep(500)
    assert.equal(stopped, 0)
    two.abort(new Error('gone too'))
    await assert.rejects(drain(second), /gone too/)
    await until(() => stopped === 1)
    const alone = new AbortController()
    const third = b.join('a', alone.signal, start)
    await third.next()
    assert.equal(started, 2)
    const began = performance.now()
    alone.abort(new Error('gone at once'))
    await assert.rejects(drain(third), /gone at once/)
    await until(() => stopped === 2)
    assert.ok(performance.now() - began < 3_000)
  })

  test('when the process that runs it dies, one that follows takes over, once', async t => {
    const process = site(t)
    const [dead, b, c] = [await process({ quiet: true }), await process(), await process()]
    const agains: boolean[] = []
    let end = () => {}
    const hanging: Start = async function* (_, again) {
      agains.push(again)
      yield { progress: 0.1 }
      await new Promise<void>(resolve => {
        end = resolve
      })
      return { input: {}, result: 'of the dead' }
    }
    const whole: Start = async function* (_, again) {
      agains.push(again)
      yield { progress: 0.9 }
      await sleep(200)
      return outcome
    }
    const first = dead.join('a', never(), hanging)
    await first.next()
    const [second, third] = [drain(b.join('a', never(), whole)), drain(c.join('a', never(), whole))]
    assert.deepEqual((await second).outcome, outcome)
    assert.deepEqual((await third).outcome, outcome)
    assert.deepEqual(agains, [false, true])
    // What the first comes up with after all is its own.
    end()
    assert.equal((await drain(first)).outcome.result, 'of the dead')
    await sleep(100)
    assert.deepEqual((await drain((await process()).join('a', never(), whole))).outcome, outcome)
    assert.equal(agains.length, 2)
  })

  test('a run that two processes did not survive is not tried on a third', async t => {
    const process = site(t)
    let started = 0
    const hanging: Start = async function* (signal) {
      started++
      yield { progress: 0.1 }
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      return outcome
    }
    for (let i = 0; i < 2; i++) {
      void (await process({ quiet: true })).join('a', never(), hanging).next()
      await until(() => started === i + 1)
      if (i === 0) await sleep(1_100)
    }
    await assert.rejects(
      drain((await process()).join('a', never(), hanging)),
      new Wait('busy', 1_000, 'the server that ran this has stopped'),
    )
    assert.equal(started, 2)
  })

  test('a process that is too busy, or goes down, leaves its run to one that follows', async t => {
    const process = site(t, { scanLeaseMs: 60_000 })
    const [a, b] = [await process(), await process()]
    const go = Promise.withResolvers<void>()
    let started = 0
    const start: Start = async function* () {
      if (++started > 1) return outcome
      yield { progress: 0 }
      await go.promise
      throw new Wait('busy', 1_000, 'the server is shutting down')
    }
    const first = assert.rejects(drain(a.join('a', never(), start)), /shutting down/)
    await until(() => started === 1)
    const second = drain(b.join('a', never(), start))
    await sleep(100)
    go.resolve()
    await first
    assert.deepEqual((await second).outcome, outcome)
    assert.equal(started, 2)
  })

  test('a result that is too large stays where it is, and others are told', async t => {
    const process = site(t, { sharedResultBytes: 1_000 })
    const [a, b] = [await process(), await process()]
    const go = Promise.withResolvers<void>()
    const large = { input: {}, result: 'x'.repeat(1_000) }
    let started = 0
    const start: Start = async function* () {
      started++
      yield { progress: 0.5, partial: large.result }
      await go.promise
      return large
    }
    const first = drain(a.join('a', never(), start))
    await until(() => started === 1)
    const second = b.join('a', never(), start)
    assert.deepEqual((await second.next()).value, { progress: 0.5, partial: undefined })
    go.resolve()
    assert.deepEqual((await first).outcome, large)
    await assert.rejects(
      drain(second),
      /^Problem: another server has just ended the same run, with a result that is too/,
    )
    assert.deepEqual((await drain(a.join('a', never(), start))).outcome, large)
    assert.equal(started, 1)
  })

  test('of results no more than so many are kept', async t => {
    const process = site(t, { sharedResults: 3 })
    const a = await process()
    // biome-ignore lint/correctness/useYield: a run without updates
    const start: Start = async function* () {
      return outcome
    }
    await server.client.flushall()
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await drain(a.join(key, never(), start))
      await sleep(20)
    }
    await until(async () => (await server.client.keys('*')).length === 5)
  })

  test('security H2: long results are forgotten before short ones fill the room', async t => {
    const process = site(t, { sharedCharacters: 2_000 })
    const a = await process()
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(800))).toString('latin1')
    let started = 0
    // biome-ignore lint/correctness/useYield: a run without updates
    const start: Start = async function* () {
      started++
      return { input: {}, result: noise() }
    }
    for (const key of ['a', 'b', 'c']) {
      await drain(a.join(key, never(), start))
      await sleep(20)
    }
    const b = await process()
    for (const key of ['c', 'b']) await drain(b.join(key, never(), start))
    assert.equal(started, 3)
    await drain(b.join('a', never(), start))
    assert.equal(started, 4)
  })

  test('processes of another version run for themselves', async t => {
    const process = site(t)
    let started = 0
    // biome-ignore lint/correctness/useYield: a run without updates
    const start: Start = async function* () {
      started++
      return outcome
    }
    await drain((await process()).join('a', never(), start))
    await drain((await process({ version: 'two' })).join('a', never(), start))
    assert.equal(started, 2)
  })

  test('[OPEN-007] P1: what is asked and answered stands nowhere in Redis', async t => {
    const process = site(t)
    const [a, b] = [await process(), await process()]
    const canary = 'kanarienvogel'
    await server.client.flushall()
    const go = Promise.withResolvers<void>()
    const start: Start = async function* () {
      yield { label: canary, partial: canary }
      await go.promise
      return { input: { domain: canary }, result: canary }
    }
    const first = drain(a.join(canary, never(), start))
    const second = drain(b.join(canary, never(), start))
    const look = async () => {
      const keys = await server.client.keys('*')
      const dumps = await Promise.all(keys.map(key => server.client.dumpBuffer(key)))
      for (const key of keys) assert.ok((await server.client.pttl(key)) > 0, key)
      assert.ok(!`${keys} ${dumps.map(dump => dump?.toString('latin1'))}`.includes(canary))
    }
    await sleep(200)
    await look()
    go.resolve()
    assert.equal((await first).outcome.result, canary)
    assert.equal((await second).outcome.result, canary)
    await look()
  })

  test('X2: when Redis goes away, who ran goes on and who followed runs for itself', async t => {
    const process = site(t)
    const [a, b] = [await process(), await process()]
    let started = 0
    const start: Start = async function* () {
      started++
      yield { progress: 0 }
      await sleep(500)
      return outcome
    }
    const first = drain(a.join('a', never(), start))
    await until(() => started === 1)
    const second = drain(b.join('a', never(), start))
    await sleep(100)
    await server.kill()
    assert.deepEqual((await first).outcome, outcome)
    assert.deepEqual((await second).outcome, outcome)
    assert.equal(started, 2)
    await server.restart()
  })

  test('X2: a run that Redis forgot is taken up again by who runs it', async t => {
    const process = site(t)
    const [a, b] = [await process(), await process()]
    const go = Promise.withResolvers<void>()
    let started = 0
    const start: Start = async function* () {
      started++
      yield { progress: 0 }
      await go.promise
      return outcome
    }
    const first = drain(a.join('a', never(), start))
    await until(() => started === 1)
    await server.client.flushall()
    await sleep(300)
    const second = drain(b.join('a', never(), start))
    await sleep(100)
    go.resolve()
    assert.deepEqual((await first).outcome, outcome)
    assert.deepEqual((await second).outcome, outcome)
    assert.equal(started, 1)
  })
})
