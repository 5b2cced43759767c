import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type FileInput, perform, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { entropy } from './entropy.ts'

const [action] = entropy.actions
interface Result {
  bytes: number
  entropy: number
  chi_square: number | null
  guess: { kind: string }
  blocks: unknown[]
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { ...result, panels: JSON.stringify(action.show?.(result, outcome.input)) }
}
const fileOf = (bytes: Uint8Array, pieceBytes = bytes.length || 1): FileInput => ({
  name: 'a file.bin',
  size: bytes.length,
  stream: async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  },
})

test('[CTL-169] texts in every format, and files, are measured alike', async () => {
  const bytes = new Uint8Array(randomBytes(3000))
  const results = await Promise.all(
    [
      { input_text: Buffer.from(bytes).toString('hex'), input_format: 'Hex' },
      { input_text: Buffer.from(bytes).toString('base64'), input_format: 'Base64' },
      { file: fileOf(bytes) },
      { file: fileOf(bytes, 7) },
    ].map(run),
  )
  for (const result of results) assert.deepEqual(result, results[0])
  assert.equal(results[0]?.bytes, 3000)
  assert.equal(results[0]?.blocks.length, 12)
})

test('an empty file and a file of one byte have a result', async () => {
  const empty = await run({ file: fileOf(new Uint8Array()) })
  assert.deepEqual([empty.bytes, empty.entropy, empty.chi_square, empty.guess.kind], [0, 0, null, 'empty'])
  const one = await run({ file: fileOf(Uint8Array.of(0)) })
  assert.deepEqual([one.bytes, one.entropy, one.guess.kind], [1, 0, 'uniform'])
})

test('a file of 16 MiB is measured in pieces, with progress, and can be cancelled', async () => {
  assert.ok(action)
  const controller = new AbortController()
  const whole = new Uint8Array(16 * 1_048_576)
  for (let at = 0; at < whole.length; at += 65_536) crypto.getRandomValues(whole.subarray(at, at + 65_536))
  const updates = perform(action, { file: fileOf(whole) }, replay({}, controller.signal))
  const told: number[] = []
  let kind = ''
  for (;;) {
    const { done, value } = await updates.next()
    if (done) {
      kind = (value.result as Result).guess.kind
      break
    }
    told.push(value.progress ?? -1)
  }
  assert.equal(told.length, 16)
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  )
  assert.ok(kind === 'random' || kind === 'compressed')

  const cancelled = perform(action, { file: fileOf(whole) }, replay({}, controller.signal))
  await cancelled.next()
  controller.abort(new Error('cancelled'))
  await assert.rejects(cancelled.next(), { message: 'cancelled' })
})

test('the pictures say in words what they show', async () => {
  const { panels } = await run({ input_text: 'ab'.repeat(500) })
  assert.match(panels, /Entropy along the input, from 1\.0000 to 1\.0000 bits per byte/)
  assert.match(panels, /How often each of the 256 bytes occurs, at most 500 times/)
  assert.doesNotMatch((await run({ input_text: 'short' })).panels, /Entropy along the input/)
})

test('refusals name the field', async () => {
  for (const [input, field, message] of [
    [{}, 'input_text', 'Text: expected a text, or a file below.'],
    [{ input_text: 'a', file: 'b' }, 'file', 'File: expected a text or a file, not both.'],
    [{ input_text: 'xyz', input_format: 'Hex' }, 'input_text', /^Text: character 1 is not a hexadecimal digit/],
    [{ input_text: 'a', block_size: 15 }, 'block_size', /^Block: expected a whole number from 16 to 1048576 bytes/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
