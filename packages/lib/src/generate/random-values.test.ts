import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  drawDistinct,
  drawFloat,
  drawGaussian,
  drawInteger,
  drawString,
  drawWith,
  drawWithout,
  parseAlphabet,
  parseEntries,
  parseInteger,
  parseNumber,
} from './random-values.ts'
import { seeded } from './seeded.fixture.ts'

/** Chi-squared of counts that should be equal. */
function chiSquared(counts: ReadonlyMap<unknown, number>, kinds: number): number {
  const draws = [...counts.values()].reduce((a, b) => a + b, 0)
  const expected = draws / kinds
  const missing = (kinds - counts.size) * expected
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, missing)
}

function tally<T>(draws: number, draw: () => T): Map<T, number> {
  const counts = new Map<T, number>()
  for (let i = 0; i < draws; i++) {
    const value = draw()
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

test('chi-squared: whole numbers, below zero and beyond 2^64', () => {
  const random = seeded('integers')
  for (const min of [-3n, 0n, 10n ** 30n]) {
    const counts = tally(10_000, () => drawInteger(min, min + 9n, random))
    assert.deepEqual([...counts.keys()].toSorted(), Array.from({ length: 10 }, (_, i) => min + BigInt(i)).toSorted())
    // The quantiles with 9 degrees of freedom at 0.001 and 0.999.
    const value = chiSquared(counts, 10)
    assert.ok(value > 1.15 && value < 27.88, String(value))
  }
  assert.equal(drawInteger(5n, 5n, random), 5n)
})

test('chi-squared: every order of four entries, and every pick of two', () => {
  const random = seeded('orders')
  const orders = tally(2400, () => drawWithout(['a', 'b', 'c', 'd'], 4, random).join(''))
  assert.equal(orders.size, 24)
  // 23 degrees of freedom.
  const value = chiSquared(orders, 24)
  assert.ok(value > 7.53 && value < 49.73, String(value))
  const pairs = tally(1200, () => drawWithout(['a', 'b', 'c', 'd'], 2, random).join(''))
  assert.equal(pairs.size, 12)
  // 11 degrees of freedom.
  assert.ok(chiSquared(pairs, 12) < 31.26)
})

test('chi-squared: entries and characters with repetition', () => {
  const random = seeded('repetition')
  // 2 and 25 degrees of freedom.
  assert.ok(
    chiSquared(
      tally(3000, () => drawWith(['x', 'y', 'z'], 1, random)[0]),
      3,
    ) < 13.82,
  )
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const drawn = drawString(letters, 26_000, random)
  let at = 0
  assert.ok(
    chiSquared(
      tally(26_000, () => drawn[at++]),
      26,
    ) < 52.62,
  )
})

test('chi-squared: the deciles of the normal distribution', () => {
  // NIST/SEMATECH e-Handbook §1.3.6.7.1
  const deciles = [-1.28155, -0.84162, -0.5244, -0.25335, 0, 0.25335, 0.5244, 0.84162, 1.28155]
  const values = drawGaussian(20_001, 100, 15, seeded('normal'))
  assert.equal(values.length, 20_001)
  let at = 0
  const counts = tally(20_001, () => {
    const value = ((values[at++] ?? 0) - 100) / 15
    return deciles.filter(decile => value > decile).length
  })
  const value = chiSquared(counts, 10)
  assert.ok(value > 1.15 && value < 27.88, String(value))
  const edge = drawGaussian(2, 0, 1, length => new Uint8Array(length).fill(255))
  assert.ok(edge.every(value => Number.isFinite(value) && Math.abs(value) < 8.6))
  assert.ok(drawGaussian(2, 0, 1, length => new Uint8Array(length)).every(value => Math.abs(value) === 0))
})

test('fractions stay within their range, however wide or narrow', () => {
  const random = seeded('floats')
  for (const [min, max] of [
    [0, 1],
    [-1.5, -1],
    [-Number.MAX_VALUE, Number.MAX_VALUE],
    [1, 1 + 2 * Number.EPSILON],
    [0, Number.MIN_VALUE],
  ] as const) {
    for (let i = 0; i < 500; i++) {
      const value = drawFloat(min, max, random)
      assert.ok(value >= min && value < max, `${value} of ${min} to ${max}`)
    }
  }
  assert.equal(drawFloat(2.5, 2.5, random), 2.5)
})

test('distinct values are all there are when all are wanted, and too many are refused', () => {
  const random = seeded('distinct')
  const all = drawDistinct(1000, () => drawInteger(1n, 1000n, random))
  assert.equal(new Set(all).size, 1000)
  assert.throws(() => drawDistinct(3, () => drawFloat(1, 1 + 2 * Number.EPSILON, random)), {
    message: 'expected fewer values, or a range that holds more',
  })
})

test('alphabets are characters as seen, each once', () => {
  assert.deepEqual(parseAlphabet('abca\r\n'), ['a', 'b', 'c'])
  assert.deepEqual(parseAlphabet('e\u0301é👩‍🚀🇨🇭'), ['e\u0301', 'é', '👩‍🚀', '🇨🇭'])
  assert.deepEqual(parseAlphabet(' \t'), [' ', '\t'])
  assert.throws(() => parseAlphabet('\n'), { message: 'expected the characters to choose from' })
})

test('lists are lines, or one line with commas', () => {
  assert.deepEqual(parseEntries('a\r\nb\n\n  \nc, d'), ['a', 'b', 'c, d'])
  assert.deepEqual(parseEntries(' red , green,,blue '), ['red', 'green', 'blue'])
  assert.deepEqual(parseEntries('alone'), ['alone'])
  assert.deepEqual(parseEntries(''), [])
})

test('numbers are read strictly', () => {
  assert.equal(parseInteger(' -007 '), -7n)
  assert.equal(parseInteger('+12'), 12n)
  assert.equal(parseInteger('9'.repeat(1000)), 10n ** 1000n - 1n)
  for (const text of ['', '1.0', '1e3', '0x10', '١', '1 0', '--1', 'NaN']) {
    assert.throws(() => parseInteger(text), { message: 'expected a whole number' })
  }
  assert.throws(() => parseInteger('9'.repeat(1001)), { message: 'expected at most 1000 digits, got 1001' })
  assert.deepEqual(['.5', '-1.', '1e-3', ' 2 '].map(parseNumber), [0.5, -1, 0.001, 2])
  for (const text of ['', '.', '1e309', 'Infinity', 'NaN', '0x10', '1,5']) {
    assert.throws(() => parseNumber(text), { message: 'expected a number such as 0.5 or 1e6' })
  }
})
