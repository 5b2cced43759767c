import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Benchmark, benchmark, type Engine, loadEngines } from './benchmark.ts'

const BUDGET_MS = 7000
const fill = (length: number) => new Uint8Array(length).fill(7)
async function run(
  engines: readonly Engine[],
  now: () => number,
): Promise<Benchmark & { labels: string[]; done: number[] }> {
  const running = benchmark(engines, { fill, now, budgetMs: BUDGET_MS })
  const [labels, done]: [string[], number[]] = [[], []]
  for (;;) {
    const { done: ended, value } = await running.next()
    if (ended) return { ...value, labels, done }
    labels.push(value.label)
    done.push(value.done)
  }
}
/** An engine that takes so many milliseconds for a MiB, on a clock that only it moves. */
function pretended(rate: number, digest = 0) {
  const clock = { now: 0 }
  const engine = (name: string): Engine => ({
    algorithm: 'test',
    engine: name,
    start: () => ({
      update: bytes => {
        clock.now += (bytes.length / 1_048_576) * rate
      },
      digest: () => Uint8Array.of(digest),
    }),
  })
  return { clock, engine }
}

test('every engine gives the digest of OpenSSL', async () => {
  const openssl: Record<string, string> = {
    ...{ MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-512': 'sha512' },
    ...{ 'SHA3-256': 'sha3-256', BLAKE2b: 'blake2b512' },
  }
  const message = new Uint8Array(100_003).map((_, i) => i * 7)
  const engines = await loadEngines()
  assert.equal(engines.length, 17)
  for (const { algorithm, start, whole } of engines.filter(engine => openssl[engine.algorithm])) {
    const hash = start?.()
    hash?.update(message.subarray(0, 1000))
    hash?.update(message.subarray(1000))
    const digest = hash?.digest() ?? (await whole?.(message))
    const expected = createHash(openssl[algorithm] ?? '')
      .update(message)
      .digest('hex')
    assert.equal(Buffer.from(digest ?? []).toString('hex'), expected, algorithm)
  }
})

test('a clock that stands still gives no rates, and costs no work', async () => {
  const { agree, measured, labels } = await run(await loadEngines(), () => 0)
  assert.equal(agree, true)
  assert.equal(measured.length, 17)
  assert.ok(measured.every(({ rates }) => rates.every(rate => rate === null)))
  assert.ok(labels.every(label => !/ MiB/.test(label)))
})

test('rates are bytes by time, whatever the size', async () => {
  const { clock, engine } = pretended(5)
  const { measured, done } = await run([engine('a')], () => clock.now)
  assert.deepEqual(measured, [{ algorithm: 'test', engine: 'a', rates: [200, 200, 200] }])
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  )
})

test('a slow machine ends within its budget and says what was not measured', async () => {
  const { clock, engine } = pretended(90)
  const { measured } = await run([engine('a'), engine('b')], () => clock.now)
  assert.deepEqual(
    measured.map(({ rates }) => rates),
    [
      [11.1, 11.1, 11.1],
      [11.1, 11.1, null],
    ],
  )
  // The measurement that was begun is ended.
  assert.ok(clock.now < BUDGET_MS + 64 * 90)
})

test('engines that disagree are named and not timed', async () => {
  const [right, wrong] = [pretended(1, 1), pretended(1, 2)]
  const { agree, disagreeing, measured } = await run([right.engine('a'), wrong.engine('b')], () => right.clock.now)
  assert.deepEqual([agree, disagreeing, measured], [false, ['test'], []])
})
