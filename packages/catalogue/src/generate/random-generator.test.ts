import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { seeded } from '@assay/lib/generate/seeded.fixture'
import { randomGenerator } from './random-generator.ts'

const [action] = randomGenerator.actions
interface Result {
  values: string[]
  from: string
  throws?: { total: number; rolls: string }[]
}
async function run(input: Record<string, unknown>, seed?: string) {
  assert.ok(action)
  const random = seed === undefined ? replay().random : seeded(seed)
  const context = { ...replay(), random: (length: number) => Uint8Array.from(random(length)) }
  const outcome = await performed(action, input, context)
  const result = outcome.result as Result
  return { ...result, panels: JSON.stringify(action.show?.(result, outcome.input)) }
}

/** Of values that should all be as frequent. */
function chiSquared(values: readonly string[]): number {
  const counts = Map.groupBy(values, value => value)
  const expected = values.length / counts.size
  return [...counts.values()].reduce((sum, { length }) => sum + (length - expected) ** 2 / expected, 0)
}

test('[CTL-079] the form is right and no two runs give the same', async () => {
  const input = { min: '1', max: '1000000000000', count: 5 }
  const [first, second] = [await run(input), await run(input)]
  for (const { values } of [first, second]) {
    assert.equal(values.length, 5)
    for (const value of values) assert.match(value, /^[1-9]\d{0,12}$/)
  }
  assert.notDeepEqual(first.values, second.values)
})

test('the defaults give one whole number from 1 to 100', async () => {
  for (let i = 0; i < 50; i++) {
    const { values } = await run({})
    assert.match(values.join(), /^(?:[1-9]|[1-9]\d|100)$/)
  }
})

test('chi-squared: seeded draws through the tool are even', async () => {
  const { values } = await run({ min: '-2', max: '2', count: 10_000 }, 'integers')
  assert.deepEqual(
    [...new Set(values)].map(Number).toSorted((a, b) => a - b),
    [-2, -1, 0, 1, 2],
  )
  // Four degrees of freedom, and one, at 0.001.
  assert.ok(chiSquared(values) < 18.47)
  assert.ok(chiSquared((await run({ type: 'coin', count: 10_000 }, 'coin')).values) < 10.83)
})

test('no repetitions: whole ranges, all byte strings of one byte, all pairs of letters', async () => {
  const numbers = await run({ min: '1', max: '10000', count: 10_000, unique: 'yes' })
  assert.equal(new Set(numbers.values).size, 10_000)
  const bytes = await run({ type: 'bytes', length: 1, count: 256, unique: 'yes' })
  assert.deepEqual(
    bytes.values.toSorted(),
    Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
  )
  const pairs = await run({ type: 'string', input_text: 'abc', length: 2, count: 9, unique: 'yes' })
  assert.deepEqual(pairs.values.toSorted(), ['aa', 'ab', 'ac', 'ba', 'bb', 'bc', 'ca', 'cb', 'cc'])
  const picked = await run({ type: 'pick', input_text: 'a\nb\nc', count: 3, unique: 'yes' })
  assert.deepEqual(picked.values.toSorted(), ['a', 'b', 'c'])
})

test('every kind gives what it says', async () => {
  for (const [input, pattern] of [
    [{ type: 'float', min: '0', max: '1' }, /^(?:0(?:\.\d+)?|\d(?:\.\d+)?e-\d+)$/],
    [{ type: 'bytes' }, /^[0-9a-f]{32}$/],
    [{ type: 'bytes', length: 3, output_format: 'Base64' }, /^[A-Za-z0-9+/]{4}$/],
    [{ type: 'string', length: 8 }, /^[A-Za-z0-9]{8}$/],
    [{ type: 'string', input_text: '🎲é', length: 4 }, /^(?:🎲|é){4}$/u],
    [{ type: 'dice', input_text: '3d6' }, /^(?:[3-9]|1[0-8])$/],
    [{ type: 'dice', min: '1', max: '6' }, /^[1-6]$/],
    [{ type: 'coin' }, /^(?:heads|tails)$/],
    [{ type: 'pick', input_text: 'red, green' }, /^(?:red|green)$/],
    [{ type: 'Gaussian' }, /^-?\d+(?:\.\d+)?(?:e-\d+)?$/],
    [{ type: 'Gaussian', mean: '5', deviation: '0' }, /^5$/],
    [{ min: '-7', max: '-7' }, /^-7$/],
  ] as const) {
    assert.match((await run(input)).values.join(), pattern, JSON.stringify(input))
  }
  const { values } = await run({ type: 'shuffle', input_text: 'c\nb\na' })
  assert.deepEqual(values.toSorted(), ['a', 'b', 'c'])
})

test('dice show their rolls, coins their sides, many values become a file', async () => {
  const dice = await run({ type: 'dice', input_text: '2d6+1', count: 2 })
  assert.equal(dice.throws?.length, 2)
  for (const { rolls } of dice.throws ?? []) assert.match(rolls, /^[1-6] [1-6] \+ 1$/)
  assert.match((await run({ type: 'coin', count: 3 })).panels, /"Heads"/)
  assert.match((await run({ count: 21 })).panels, /random\.txt/)
  assert.doesNotMatch((await run({ count: 20 })).panels, /random\.txt/)
})

test('refusals name the field and say what was expected', async () => {
  for (const [input, field, message] of [
    [{ min: 'a' }, 'min', 'Smallest: expected a whole number.'],
    [{ max: '1.5' }, 'max', 'Largest: expected a whole number.'],
    [{ min: '5', max: '4' }, 'max', 'Largest: expected a number that is not below the smallest.'],
    [{ type: 'float', min: '2', max: '1' }, 'max', 'Largest: expected a number that is not below the smallest.'],
    [{ type: 'float', max: '1e400' }, 'max', 'Largest: expected a number such as 0.5 or 1e6.'],
    [
      { min: '1', max: '6', count: 7, unique: 'yes' },
      'count',
      'How many: expected at most 6 without repetitions, got 7.',
    ],
    [{ type: 'float', min: '1', max: '1', count: 2, unique: 'yes' }, 'count', /a range that holds more/],
    [{ type: 'string', length: 1024, count: 1000 }, 'count', /at most 1000000 characters in all values together/],
    [{ max: '9'.repeat(1000), count: 10_000 }, 'count', /at most 1000000 characters/],
    [{ type: 'dice', input_text: '3x6' }, 'input_text', /^Dice: part 1 is neither dice/],
    [{ type: 'dice', input_text: '1000d6', count: 101 }, 'count', /at most 100000 dice/],
    [{ type: 'shuffle' }, 'input_text', 'Text: expected a list, one entry a line or divided by commas.'],
    [{ type: 'shuffle', input_text: 'a\n'.repeat(10_001) }, 'input_text', /at most 10000 entries, got 10001/],
    [{ type: 'pick', input_text: 'a,b', count: 3, unique: 'yes' }, 'count', /at most 2 without repetitions, got 3/],
    [{ type: 'Gaussian', deviation: '-1' }, 'deviation', /not below zero/],
    [{ count: 10_001 }, 'count', 'How many: expected a whole number from 1 to 10000.'],
  ] as const) {
    await assert.rejects(
      run(input),
      { name: 'Problem', code: 'invalid-input', field, message },
      JSON.stringify(input).slice(0, 200),
    )
  }
})
