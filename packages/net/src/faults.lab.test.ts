import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { canary, faultNames } from '@assay/lab/faults'
import { SLACK_MS, typed } from '../test/fault-operations.ts'
import type { Report } from '../test/fault-visitor.ts'

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

const visitor = fileURLToPath(new URL('../test/fault-visitor.ts', import.meta.url))
const MINUTES = 5

async function visit(options: readonly string[], flags: readonly string[] = []): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...flags, visitor, ...options], {
    maxBuffer: 2 ** 26,
    timeout: MINUTES * 60_000,
  })
  return JSON.parse(stdout)
}

let report: Report
before(async () => {
  report = await visit(['10', '1'])
})
const told = (outcomes: Report['outcomes']) =>
  outcomes.map(({ fault, operation, milliseconds, words }) => [fault, operation, Math.round(milliseconds), words])

test('security H1 to H4: every fault is met, and none comes out as anything but a result or a problem', () => {
  const met = new Set(report.outcomes.map(({ fault }) => fault))
  assert.deepEqual(
    faultNames.filter(name => !met.has(name)),
    [],
  )
  assert.ok(report.outcomes.length > 2 * faultNames.length)
  assert.deepEqual(told(report.outcomes.filter(({ end }) => end === 'exception')), [])
})

test(`security X4: each ends within its budget and ${SLACK_MS} ms`, () => {
  const late = report.outcomes.filter(({ milliseconds, budgetMs }) => milliseconds > budgetMs + SLACK_MS)
  assert.deepEqual(told(late), [])
})

/** A sentence and perhaps a second one with the reason. */
const SENTENCES = /^[A-Z][ -~]{5,200}(?: \| [\dA-Z][ -~]{5,400}\.)?$/

test('security H8: a problem is a sentence, with nothing of what the server or the visitor wrote', () => {
  const problems = report.outcomes.filter(({ end }) => end === 'problem')
  assert.ok(problems.length > 100)
  assert.deepEqual(told(problems.filter(({ words }) => !SENTENCES.test(words))), [])
  assert.deepEqual(told(problems.filter(({ words }) => words.includes(canary) || words.includes(typed))), [])
})

test('security M1: no socket and no timer is left open', () => {
  assert.deepEqual(report.open, [])
})

test('security H2: a server of HTTP/2 that sends too many fields does not end the process, whenever memory is collected', async () => {
  // With a young generation of 1 MiB it was over within a hundred requests.
  const { outcomes } = await visit(['4', '12', 'h2-bomb'], ['--max-semi-space-size=1'])
  assert.ok(outcomes.length > 40)
  assert.deepEqual(told(outcomes.filter(({ end }) => end === 'exception')), [])
})

test('security H2: bombs of every kind, met again and again, leave less than 32 MiB behind', async () => {
  const { memory, outcomes } = await visit(['4', '4', 'http-'])
  assert.deepEqual(told(outcomes.filter(({ end }) => end === 'exception')), [])
  const [honest, once, ...again] = memory.map(({ rss, heap }) => ({ rss: Math.round(rss), heap: Math.round(heap) }))
  assert.ok(honest && once)
  const figures = JSON.stringify({ honest, once, again })
  assert.ok(
    again.every(({ rss, heap }) => rss - once.rss < 32 && heap - honest.heap < 16),
    figures,
  )
  // The first time, the allocator keeps what the decoders and sockets of four at once have had, and uses it again.
  assert.ok(once.rss - honest.rss < 128, figures)
})
