import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { numeralConverter } from './numeral-converter.ts'

async function run(input: Record<string, unknown>) {
  const [action = assert.fail()] = numeralConverter.actions
  const { result, input: read } = await performed(action, input, replay())
  return { result: result as Record<string, unknown>, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-130] [CTL-131] both bases are a fixed choice of 2, 8, 10 and 16', () => {
  const fields = numeralConverter.actions[0]?.fields ?? {}
  for (const name of ['from_base', 'to_base']) assert.deepEqual(fields[name]?.options, ['2', '8', '10', '16'])
  assert.deepEqual([fields.from_base?.default, fields.to_base?.default], ['10', '16'])
})

test('every pair of the four, and any other base', async () => {
  for (const [from, text] of [
    ['2', '-11111111'],
    ['8', '-377'],
    ['10', '-255'],
    ['16', '-ff'],
  ] as const) {
    for (const [to, output] of [
      ['2', '-11111111'],
      ['8', '-377'],
      ['10', '-255'],
      ['16', '-ff'],
    ]) {
      assert.equal((await run({ input_text: text, from_base: from, to_base: to })).result.output, output)
    }
  }
  const { result } = await run({ input_text: '255', other_to_base: '36', letters: 'upper' })
  assert.deepEqual([result.output, result.to_base], ['73', 36])
})

test('what goes on without end is told', async () => {
  const { panels } = await run({ input_text: '0.1', to_base: '2' })
  assert.ok(panels.some(panel => panel.kind === 'note' && /repeat without end/.test(panel.text)))
  const long = await run({ input_text: `0.${'0'.repeat(20)}1`, other_to_base: '3' })
  assert.equal(long.result.cut, true)
  assert.ok(long.panels.some(panel => panel.kind === 'note' && /cut off after 2000/.test(panel.text)))
})

test('refusals name the field', async () => {
  for (const [input, field, message] of [
    [{ input_text: '12f' }, 'input_text', /^Number: character 3 is no digit of base 10\.$/],
    [{ input_text: '' }, 'input_text', /^Number: expected at least one digit\.$/],
    [{ input_text: '1', other_from_base: '37' }, 'other_from_base', /expected a whole number from 2 to 36/],
    [{ input_text: '1', other_to_base: 'x' }, 'other_to_base', /expected a whole number from 2 to 36/],
    [{ input_text: '1', to_base: '7' }, 'to_base', /^To base: expected one of 2, 8, 10, 16/],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
