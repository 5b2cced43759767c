import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDice, rangeOfDice, throwDice } from './dice.ts'
import { seeded } from './seeded.fixture.ts'
import { createPicker } from './uniform.ts'

test('notations and what they can give', () => {
  for (const [notation, least, most] of [
    ['3d6', 3, 18],
    ['d20', 1, 20],
    ['D%', 1, 100],
    ['2d6+3', 5, 15],
    ['4d6kh3', 3, 18],
    ['2d20kl1', 1, 20],
    ['2d20k1', 1, 20],
    [' 1d8 - 1d4 + 2 ', -1, 9],
    ['-d4', -4, -1],
    ['10-1d6', 4, 9],
    ['1000d1', 1000, 1000],
  ] as const) {
    const dice = parseDice(notation)
    assert.deepEqual(rangeOfDice(dice), [least, most], notation)
    const pick = createPicker(seeded(notation))
    for (let i = 0; i < 50; i++) {
      const { total } = throwDice(dice, pick)
      assert.ok(total >= least && total <= most, notation)
    }
  }
})

test('the rolls add up, and those not kept stand in parentheses', () => {
  const pick = createPicker(seeded('rolls'))
  for (let i = 0; i < 200; i++) {
    const { total, rolls } = throwDice(parseDice('4d6kh3 - 2d4kl1 + 5'), pick)
    const [, six = '', four = ''] = /^([^−]+) − (.+) \+ 5$/.exec(rolls) ?? []
    const all = (text: string) => Array.from(text.matchAll(/\d+/g), Number)
    const kept = (text: string) => all(text.replace(/\(\d+\)/g, ''))
    assert.deepEqual([all(six).length, kept(six).length, all(four).length, kept(four).length], [4, 3, 2, 1])
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
    assert.equal(sum(kept(six)), sum(all(six)) - Math.min(...all(six)))
    assert.equal(kept(four)[0], Math.min(...all(four)))
    assert.equal(total, sum(kept(six)) - sum(kept(four)) + 5)
  }
})

test('chi-squared: two dice make their sums as often as they should', () => {
  const pick = createPicker(seeded('two dice'))
  const counts = new Array<number>(13).fill(0)
  const dice = parseDice('2d6')
  for (let i = 0; i < 36_000; i++) {
    const { total } = throwDice(dice, pick)
    counts[total] = (counts[total] ?? 0) + 1
  }
  let chiSquared = 0
  for (let total = 2; total <= 12; total++) {
    const expected = 1000 * (6 - Math.abs(7 - total))
    chiSquared += ((counts[total] ?? 0) - expected) ** 2 / expected
  }
  // The quantiles of chi-squared with 10 degrees of freedom at 0.001 and 0.999.
  assert.ok(chiSquared > 1.48 && chiSquared < 29.59, String(chiSquared))
})

test('what is no notation is refused by the number of its part', () => {
  for (const [notation, message] of [
    ['', 'expected dice such as 3d6'],
    ['7', 'expected at least one die, such as d6'],
    ['3d', /^part 1 is neither dice/],
    ['3d6+x', /^part 2 is neither dice/],
    ['3d6+', /^part 2 is neither dice/],
    ['d0', 'part 1: expected from 1 to 1000000 faces'],
    ['0d6', 'part 1: expected from 1 to 1000 dice'],
    ['d6+1001d6', 'part 2: expected from 1 to 1000 dice'],
    ['600d6+600d6', 'expected at most 1000 dice in a throw'],
    ['2d6kh3', 'part 1: expected from 1 to 2 dice to keep'],
    [`d${'9'.repeat(400)}`, 'part 1: expected from 1 to 1000000 faces'],
  ] as const) {
    assert.throws(() => parseDice(notation), { name: 'RangeError', message })
  }
})
