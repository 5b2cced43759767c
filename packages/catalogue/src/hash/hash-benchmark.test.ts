import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { hashBenchmark } from './hash-benchmark.ts'

const [action] = hashBenchmark.actions
interface Result {
  agree: boolean
  machine: string
  measured_at: string
  measured: { algorithm: string; engine: string; rates: (number | null)[] }[]
}

test('[CRY-022] it has no fields and runs by the button alone', async () => {
  assert.ok(action)
  assert.deepEqual(action.fields, {})
  // A clock that moves each time it is read: neither the rates nor the end depend on this machine.
  let reads = 0
  const context = { ...replay(), now: () => new Date(60 * reads++) }
  const updates = perform(action, {}, context)
  const told: number[] = []
  for (;;) {
    const { done, value } = await updates.next()
    if (!done) {
      told.push(value.progress ?? -1)
      continue
    }
    const { agree, machine, measured, measured_at } = value.result as Result
    assert.equal(measured_at, '1970-01-01T00:00:00.000Z')
    assert.deepEqual([agree, machine, measured.length], [true, 'Node.js', 17])
    assert.ok(measured.every(({ rates }) => typeof rates[0] === 'number' && rates[0] > 0 && rates[2] === null))
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
    const panels = JSON.stringify(action.show?.(value.result, value.input))
    assert.match(panels, /All engines give the same digests/)
    assert.match(panels, /not in a browser/)
    assert.match(panels, /not measured/)
    return
  }
})

test('it can be cancelled between two slices', async () => {
  assert.ok(action)
  const controller = new AbortController()
  const updates = perform(action, {}, replay({}, controller.signal))
  for (let i = 0; i < 5; i++) await updates.next()
  controller.abort(new Error('cancelled'))
  await assert.rejects(updates.next(), { message: 'cancelled' })
})

test('engines that disagree are told in red', () => {
  assert.ok(action)
  const result = { agree: false, disagreeing: ['MD5'], measured: [], machine: 'browser', sizes_mib: [1, 16, 64] }
  const [banner] = action.show?.(result, {}) ?? []
  assert.deepEqual(banner?.kind === 'banner' && [banner.tone, banner.title], ['bad', 'The engines disagree on MD5'])
})

test('a field is refused, as there is none', async () => {
  assert.ok(action)
  const updates = perform(action, { size: 64 }, replay())
  await assert.rejects(updates.next(), { name: 'Problem', message: 'Unknown field: this tool takes none.' })
})
