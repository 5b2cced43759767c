import assert from 'node:assert/strict'
import { test } from 'node:test'
import { characterClasses } from './password.ts'
import { seeded } from './seeded.fixture.ts'
import { createPicker, drawBelow, drawFraction, type Random } from './uniform.ts'

/** Every byte once, in order, again and again. */
const everyByte: Random = length => Uint8Array.from({ length }, (_, i) => i % 256)

test('of all 256 bytes, each number comes from equally many, and the rest are drawn again', () => {
  for (const bound of [1, 2, 3, 10, 26, 62, 94, 128, 200, 255, 256]) {
    const pick = createPicker(everyByte)
    const each = Math.floor(256 / bound)
    const counts = new Array<number>(bound).fill(0)
    for (let i = 0; i < each * bound; i++) {
      const value = pick(bound)
      counts[value] = (counts[value] ?? 0) + 1
    }
    assert.ok(
      counts.every(count => count === each),
      `bound ${bound}`,
    )
  }
})

test('larger bounds take more bytes and stay below the bound', () => {
  const pick = createPicker(seeded('large'))
  for (const bound of [257, 65_536, 65_537, 1_000_000, 2 ** 32]) {
    const values = Array.from({ length: 2000 }, () => pick(bound))
    assert.ok(values.every(value => value >= 0 && value < bound && Number.isInteger(value)))
    assert.ok(Math.max(...values) > bound * 0.99)
    assert.ok(Math.min(...values) < bound * 0.01)
  }
})

test('bounds that are none are refused', () => {
  const pick = createPicker(everyByte)
  for (const bound of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) assert.throws(() => pick(bound), { name: 'RangeError' })
})

test('chi-squared over the 94 printable characters and a seeded source is not suspicious', () => {
  const alphabet = Object.values(characterClasses).join('')
  assert.equal(alphabet.length, 94)
  const pick = createPicker(seeded('uniformity'))
  const counts = new Array<number>(94).fill(0)
  const draws = 94_000
  for (let i = 0; i < draws; i++) {
    const value = pick(94)
    counts[value] = (counts[value] ?? 0) + 1
  }
  assert.ok(counts.every(count => count > 0))
  const expected = draws / 94
  const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // The quantiles of chi-squared with 93 degrees of freedom at 0.001 and 0.999 are about 56 and 141.
  assert.ok(chiSquared > 56 && chiSquared < 141, String(chiSquared))
})

test('of all values of two bytes, each number below a large bound comes from equally many', () => {
  for (const bound of [1n, 2n, 3n, 1000n, 40_000n, 65_535n, 65_536n]) {
    // The bits of the bound are looked at and no others, so every such pattern once is every value once.
    const width = (bound - 1n).toString(2).length
    let next = 0
    const inOrder: Random = length => {
      assert.equal(length, bound === 1n ? 0 : Math.ceil(width / 8))
      const value = next++
      return Uint8Array.from({ length }, (_, i) => (value >> (8 * (length - 1 - i))) & 255)
    }
    const counts = new Map<bigint, number>()
    for (let i = 0n; i < bound; i++) {
      const value = drawBelow(bound, inOrder)
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    assert.equal(counts.size, Number(bound))
    assert.ok([...counts.keys()].every(value => value >= 0n && value < bound))
  }
})

test('numbers of a thousand digits reach both ends, and bounds that are none are refused', () => {
  const bound = 10n ** 1000n
  const random = seeded('large')
  const values = Array.from({ length: 300 }, () => drawBelow(bound, random))
  assert.ok(values.every(value => value >= 0n && value < bound))
  assert.ok(values.some(value => value > (bound * 98n) / 100n) && values.some(value => value < bound / 50n))
  for (const none of [0n, -1n]) assert.throws(() => drawBelow(none, random), { name: 'RangeError' })
})

test('IEEE 754: fractions are whole multiples of 2^-53 from 0 to 1 without 1', () => {
  assert.equal(
    drawFraction(length => new Uint8Array(length)),
    0,
  )
  assert.equal(
    drawFraction(length => new Uint8Array(length).fill(255)),
    1 - 2 ** -53,
  )
  const random = seeded('fractions')
  const counts = new Array<number>(64).fill(0)
  for (let i = 0; i < 64_000; i++) {
    const at = Math.floor(drawFraction(random) * 64)
    counts[at] = (counts[at] ?? 0) + 1
  }
  const chiSquared = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  // The quantiles of chi-squared with 63 degrees of freedom at 0.001 and 0.999 are about 34 and 104.
  assert.ok(chiSquared > 34 && chiSquared < 104, String(chiSquared))
})
