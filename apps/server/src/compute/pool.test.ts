import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileOf, Problem, type Raw } from '@assay/kit'
import type { Answer, Step } from '../answer.ts'
import { Gone, Wait } from '../errors.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { actions } from './hostile-tools.ts'
import { ChildBug, createPool, type Pool } from './pool.ts'

const module = import.meta.resolve('./hostile-tools.ts')
const never = new AbortController().signal

function pool(
  t: TestContext,
  { runMs = 5_000, children = 1, ...limits }: Partial<Limits> & { runMs?: number; children?: number } = {},
): Pool {
  const made = createPool({ module, children, runMs, limits: { ...defaultLimits, ...limits } })
  t.after(() => made.close())
  return made
}

function start(pool: Pool, path: string, raw: Raw = {}, signal = never) {
  const action = actions.find(entry => entry.action.path === path)?.action
  assert.ok(action)
  return pool.run({ action, raw, now: new Date(), detailed: true, updates: true }, signal)
}

async function finish(run: AsyncGenerator<Step, Answer, void>): Promise<{ steps: Step[]; answer: Answer }> {
  const steps: Step[] = []
  for (;;) {
    const { done, value } = await run.next()
    if (done) return { steps, answer: value }
    steps.push(value)
  }
}

const runs = async (pool: Pool, path: string, raw?: Raw) => (await finish(start(pool, path, raw))).answer.result

test('C2, F3: work that will not stop is killed at the limit, native or not, and the next job runs', async t => {
  const work = pool(t, { runMs: 300 })
  await runs(work, 'steps', { count: 1, wait: 0 })
  for (const how of ['loop', 'pbkdf2', 'regex', 'bigint', 'async']) {
    await assert.rejects(runs(work, 'spin', { how }), { name: 'Problem', code: 'timeout' }, how)
  }
  assert.deepEqual(await runs(work, 'steps', { count: 1, wait: 0 }), { seen: [1] })
})

test('C3, F5: work that takes all memory dies alone, on the heap, outside it and in the parser', async t => {
  const work = pool(t, { runMs: 30_000, heapMegabytes: 64, residentMegabytes: 200 })
  const before = process.memoryUsage.rss()
  for (const how of ['heap', 'buffers', 'json']) {
    await assert.rejects(runs(work, 'hoard', { how }), { code: 'invalid-input', message: /more memory/ }, how)
  }
  assert.ok(process.memoryUsage.rss() - before < 64 * 1_048_576)
  assert.deepEqual(await runs(work, 'steps', { count: 1, wait: 0 }), { seen: [1] })
})

test('a child has no files, no processes, no threads and no environment', async t => {
  assert.deepEqual(await runs(pool(t), 'breakout'), {
    file: 'ERR_ACCESS_DENIED',
    child: 'ERR_ACCESS_DENIED',
    worker: 'ERR_ACCESS_DENIED',
    environment: 0,
    fetch: false,
    proto: false,
  })
})

test('progress and partial results come while the run goes on, with panels', async t => {
  const { steps, answer } = await finish(start(pool(t), 'steps', { count: 3 }))
  assert.deepEqual(answer, { result: { seen: [1, 2, 3] }, panels: [{ kind: 'code', code: '1 2 3' }] })
  assert.deepEqual(steps[0], {
    progress: 1 / 3,
    label: 'step 1',
    partial: { seen: [1] },
    panels: [{ kind: 'code', code: '1' }],
  })
})

test('K2: cancelling kills the child and a new one takes its place', async t => {
  const work = pool(t)
  const cancel = new AbortController()
  const running = finish(start(work, 'spin', { how: 'loop' }, cancel.signal))
  setTimeout(() => cancel.abort(new Gone()), 300)
  await assert.rejects(running, Gone)
  assert.deepEqual(await runs(work, 'steps', { count: 1, wait: 0 }), { seen: [1] })
})

test('whoever stops reading ends the run', async t => {
  const work = pool(t)
  const run = start(work, 'steps', { count: 50, wait: 200 })
  await run.next()
  await run.return({ result: undefined })
  assert.deepEqual(await runs(work, 'steps', { count: 1, wait: 0 }), { seen: [1] })
})

test('C8: the queue is bounded, waits a while, and says when to come back', async t => {
  const work = pool(t, { queuedJobs: 2, queuedMs: 400 })
  // On a busy machine a child may take longer to start than anything may wait.
  for (let tries = 0, ready = false; !ready && tries < 50; tries++) {
    ready = await runs(work, 'steps', { count: 1, wait: 0 }).then(
      () => true,
      () => false,
    )
  }
  const busy = runs(work, 'steps', { count: 1, wait: 2_500 })
  // The first is taken up; then two more wait and are told after their time.
  const waiting = [runs(work, 'steps'), runs(work, 'steps')]
  const outcomes = await Promise.allSettled([...waiting, runs(work, 'steps')])
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected')
    assert.ok(outcome.reason instanceof Wait && outcome.reason.code === 'busy')
  }
  await busy.catch(() => {})
})

test('a client that leaves the queue frees its place', async t => {
  const work = pool(t, { queuedJobs: 1 })
  await runs(work, 'steps', { count: 1, wait: 0 })
  const busy = runs(work, 'steps', { count: 1, wait: 500 })
  const leave = new AbortController()
  const left = finish(start(work, 'steps', {}, leave.signal))
  leave.abort(new Gone())
  await assert.rejects(left, Gone)
  assert.deepEqual(await runs(work, 'steps', { count: 1, wait: 0 }), { seen: [1] })
  await busy
})

test('a problem crosses the border whole, a bug without its message', async t => {
  const work = pool(t)
  await assert.rejects(runs(work, 'refuse', { code: 'not-found' }), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.message, error.detail], ['not-found', 'No DNS records found', 'More on it.'])
    return true
  })
  await assert.rejects(runs(work, 'bug', { input_text: 'kanarienvogel' }), (error: unknown) => {
    assert.ok(error instanceof ChildBug)
    assert.match(error.bug.stack, /hostile-tools/)
    assert.doesNotMatch(JSON.stringify(error.bug) + error.message, /kanarienvogel/)
    return true
  })
})

test('files are pulled in chunks, and their faults end the job', async t => {
  const work = pool(t)
  assert.deepEqual(await runs(work, 'count', { file: fileOf('x'.repeat(100_000), 'a.bin') }), {
    label: null,
    name: 'a.bin',
    bytes: 100_000,
  })
  const broken = {
    name: 'b.bin',
    stream: async function* () {
      yield new Uint8Array(10)
      throw new Gone()
    },
  }
  await assert.rejects(runs(work, 'count', { file: broken }), Gone)
})

test('an upload that stalls lets go of the child', async t => {
  const work = pool(t, { uploadStallMs: 200, runMs: 20_000 })
  const stalled = {
    name: 'slow.bin',
    stream: async function* () {
      yield new Uint8Array(10)
      await new Promise(() => {})
    },
  }
  await assert.rejects(runs(work, 'count', { file: stalled }), { code: 'timeout', message: 'The upload stalled.' })
})

test('P4: a child does so many jobs and no more', async t => {
  const work = pool(t, { jobsPerChild: 2, inlineMs: 0 })
  const pids = []
  for (let job = 0; job < 4; job++) pids.push(((await runs(work, 'price')) as { pid: number }).pid)
  assert.equal(pids[0], pids[1])
  assert.notEqual(pids[1], pids[2])
  assert.equal(pids[2], pids[3])
})

test('closing leaves no child behind', { skip: !existsSync('/proc/self/stat') }, async t => {
  const work = pool(t)
  const { pid } = (await runs(work, 'price')) as { pid: number }
  const running = runs(work, 'spin', { how: 'pbkdf2' })
  await new Promise(resolve => setTimeout(resolve, 200))
  work.close()
  await assert.rejects(running, { code: 'busy' })
  for (let tries = 0; tries < 50 && existsSync(`/proc/${pid}/stat`); tries++) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  assert.ok(!existsSync(`/proc/${pid}/stat`))
  await assert.rejects(runs(work, 'price'), { code: 'busy' })
})
