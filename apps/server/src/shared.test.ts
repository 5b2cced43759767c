import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome, Update } from '@assay/kit'
import { createSharedRuns } from './shared.ts'

const outcome: Outcome = { input: {}, result: 'found' }
const room = { results: 10, characters: 1_000 }
const never = () => new AbortController().signal

async function drain(run: AsyncGenerator<Update, Outcome, void>): Promise<{ updates: Update[]; outcome: Outcome }> {
  const updates: Update[] = []
  for (;;) {
    const { done, value } = await run.next()
    if (done) return { updates, outcome: value }
    updates.push(value)
  }
}

test('all who ask the same get one run, its latest update and its result', async () => {
  const runs = createSharedRuns(60_000, room)
  const go = Promise.withResolvers<void>()
  let started = 0
  const start = async function* () {
    started++
    yield { progress: 0.5 }
    await go.promise
    return outcome
  }
  const first = runs.join('a', never(), start)
  const second = runs.join('a', never(), start)
  assert.deepEqual((await first.next()).value, { progress: 0.5 })
  const late = drain(runs.join('a', never(), start))
  go.resolve()
  assert.deepEqual(await late, { updates: [{ progress: 0.5 }], outcome })
  assert.deepEqual((await drain(first)).outcome, outcome)
  assert.deepEqual((await drain(second)).outcome, outcome)
  assert.deepEqual((await drain(runs.join('a', never(), start))).outcome, outcome)
  assert.equal(started, 1)
})

test('a failure reaches everybody, also those who have not read yet, and is not kept', async () => {
  const runs = createSharedRuns(60_000, room)
  let started = 0
  // biome-ignore lint/correctness/useYield: it fails before there is anything to say
  const start = async function* (): AsyncGenerator<Update, Outcome, void> {
    started++
    throw new Error('down')
  }
  const first = runs.join('a', never(), start)
  const second = runs.join('a', never(), start)
  await new Promise(resolve => setTimeout(resolve, 10))
  await assert.rejects(drain(first), /down/)
  await assert.rejects(drain(second), /down/)
  await assert.rejects(drain(runs.join('a', never(), start)), /down/)
  assert.equal(started, 2)
})

test('a run goes on while one follows it, and stops when the last has left', async () => {
  const runs = createSharedRuns(60_000, room)
  let stopped = false
  const start = async function* (signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      stopped = true
    })
    yield { progress: 0 }
    await new Promise(() => {})
    return outcome
  }
  const [one, two] = [new AbortController(), new AbortController()]
  const first = runs.join('a', one.signal, start)
  const second = runs.join('a', two.signal, start)
  await first.next()
  one.abort(new Error('gone'))
  await assert.rejects(drain(first), /gone/)
  assert.equal(stopped, false)
  two.abort(new Error('gone'))
  await assert.rejects(drain(second), /gone/)
  assert.equal(stopped, true)
})

test('results are kept for a while, and not more than so many', async () => {
  const runs = createSharedRuns(30, { ...room, results: 2 })
  let started = 0
  // biome-ignore lint/correctness/useYield: a run without updates
  const start = async function* () {
    started++
    return outcome
  }
  for (const key of ['a', 'a', 'b', 'c', 'b', 'a']) await drain(runs.join(key, never(), start))
  assert.equal(started, 4)
  await new Promise(resolve => setTimeout(resolve, 60))
  await drain(runs.join('a', never(), start))
  assert.equal(started, 5)
})

test('security H2: what hostile servers make long does not stay, and short results do', async () => {
  const runs = createSharedRuns(60_000, room)
  const started: string[] = []
  const ask = (key: string, length: number) =>
    drain(
      // biome-ignore lint/correctness/useYield: a run without updates
      runs.join(key, never(), async function* () {
        started.push(key)
        return { input: {}, result: 'x'.repeat(length) }
      }),
    )
  for (const key of ['a', 'b']) await ask(key, 100)
  for (const key of ['c', 'd']) await ask(key, 600)
  assert.equal((await ask('e', 2_000)).outcome.result, 'x'.repeat(2_000))
  started.length = 0
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ask(key, 100)
  assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e'])
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ask(key, 100)
  assert.equal(started.length, 5)
})
