import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { characterClasses } from './password.ts'
import { createPicker, type Random } from './uniform.ts'

/** A generator of known bytes: SHA-256 of a seed and a counter. */
function seeded(seed: string): Random {
  let counter = 0
  return length => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32)
      blocks.push(createHash('sha256').update(`${seed}${counter++}`).digest())
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length))
  }
}

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
