import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Problem } from '@assay/kit'
import { createBudget, type JobKind, jobLimits, type Limits } from './budget.ts'

const limits: Limits = {
  wallMs: 60_000,
  wireBytes: 10,
  decodedBytes: 10,
  packets: 2,
  connections: 2,
  redirects: 2,
  questionsPerSecond: 1,
}
const limited = (error: unknown) => error instanceof Problem && error.code === 'limited'

test('security A4: no lookup sends more than 200 packets', () => {
  assert.ok(jobLimits.lookup.packets <= 200)
})

test('[OPEN-009] a lookup ends after 30 s, a scan after 120 s', () => {
  assert.deepEqual([jobLimits.lookup.wallMs, jobLimits.scan.wallMs], [30_000, 120_000])
})

test('what is left can be spent, and not one more', t => {
  for (const kind of ['packets', 'connections', 'redirects'] as const) {
    const budget = createBudget(limits)
    t.after(() => budget.end())
    budget.spend(kind)
    assert.equal(budget.left(kind), 1)
    budget.spend(kind)
    assert.equal(budget.left(kind), 0)
    assert.ok(!budget.signal.aborted)
    assert.throws(() => budget.spend(kind), limited)
  }
})

test('what runs out ends the job for everything', () => {
  const budget = createBudget(limits)
  assert.throws(() => budget.spend('wireBytes', 11), limited)
  assert.ok(budget.signal.aborted)
  assert.throws(() => budget.spend('packets'), limited)
  assert.throws(() => budget.check(), limited)
})

test('a charge throws at nobody and ends the job all the same', () => {
  const budget = createBudget(limits)
  budget.charge('wireBytes', 10)
  budget.check()
  budget.charge('wireBytes', 1)
  assert.throws(() => budget.check(), limited)
})

test('the time of a job ends it', async () => {
  const budget = createBudget({ ...limits, wallMs: 10 })
  const alive = setInterval(() => {}, 1_000)
  await once(budget.signal, 'abort')
  clearInterval(alive)
  assert.throws(
    () => budget.spend('packets'),
    (error: unknown) => error instanceof Problem && error.code === 'timeout' && error.message === 'Request timeout',
  )
})

test('a visitor who leaves ends the job, before or after its start', () => {
  const visitor = new AbortController()
  const budget = createBudget(limits, visitor.signal)
  const gone = new Error('gone')
  visitor.abort(gone)
  for (const one of [budget, createBudget(limits, visitor.signal)]) {
    assert.throws(
      () => one.spend('packets'),
      error => error === gone,
    )
  }
})

test('limits are named for every kind of job', () => {
  for (const kind of Object.keys(jobLimits) as JobKind[]) {
    for (const value of Object.values(jobLimits[kind])) assert.ok(Number.isInteger(value) && value > 0)
  }
})
