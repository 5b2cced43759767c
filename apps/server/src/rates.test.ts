import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKeys, memoryRates } from './rates.ts'

const MINUTE = 60_000
const rule = (limit: number, key = 'a') => ({ key, limit, windowMs: MINUTE })

test('a window holds its limit and no more', () => {
  const rates = memoryRates(10, () => MINUTE * 5)
  for (let i = 0; i < 60; i++) assert.equal(rates.take([rule(60)], 1), 0)
  assert.equal(rates.take([rule(60)], 1), MINUTE + 1000)
  assert.equal(rates.take([rule(60, 'b')], 1), 0)
})

test('C10: nobody gets twice the limit around the turn of a window', () => {
  let now = MINUTE * 5 + 59_000
  const rates = memoryRates(10, () => now)
  let given = 0
  const drain = () => {
    while (rates.take([rule(60)], 1) === 0) given++
  }
  drain()
  for (let second = 0; second < 60; second++) {
    now += 1000
    drain()
  }
  assert.ok(given <= 60 * 2, `${given} in two windows`)
  now = MINUTE * 5 + 61_000
  assert.ok(given >= 60)
})

test('the wait that is told is long enough, and not much longer than needed', () => {
  let now = MINUTE * 5 + 20_000
  const rates = memoryRates(10, () => now)
  for (let i = 0; i < 10; i++) rates.take([rule(10)], 1)
  const wait = Number(rates.take([rule(10)], 1))
  now += wait
  assert.equal(rates.take([rule(10)], 1), 0)
  now -= 1000
  assert.notEqual(memoryWithSameHistory(now - wait + 1000, wait - 1000), 0)
})

/** Takes ten tokens at one moment and one more after a wait. */
function memoryWithSameHistory(start: number, wait: number): number | Promise<number> {
  let now = start
  const rates = memoryRates(10, () => now)
  for (let i = 0; i < 10; i++) rates.take([rule(10)], 1)
  now += wait
  return rates.take([rule(10)], 1)
}

test('A1: one token a minute comes again after a minute, wherever on the clock the first was taken', () => {
  for (const start of [0, 1, 30_000, 59_999]) {
    let now = MINUTE * 5 + start
    const rates = memoryRates(10, () => now)
    const take = () => rates.take([rule(1)], 1)
    for (let round = 0; round < 3; round++) {
      assert.equal(take(), 0)
      now += 20_000
      assert.equal(take(), 40_000)
      now += 39_999
      assert.equal(take(), 1)
      now += 1
    }
  }
})

test('A1: a request that another rule refused does not begin the minute of the single token', () => {
  let now = MINUTE * 5
  const rates = memoryRates(10, () => now)
  rates.take([rule(5, 'wide')], 5)
  assert.notEqual(rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
  now += 50_000
  assert.equal(rates.take([rule(1, 'narrow')], 1), 0)
  now += 20_000
  assert.equal(rates.take([rule(1, 'narrow')], 1), 40_000)
})

test('all rules or none: a refused request costs nothing', () => {
  const rates = memoryRates(10, () => 0)
  assert.equal(rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
  for (let i = 0; i < 9; i++) assert.notEqual(rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
  for (let i = 0; i < 4; i++) assert.equal(rates.take([rule(5, 'wide')], 1), 0)
  assert.notEqual(rates.take([rule(5, 'wide')], 1), 0)
})

test('a single run dearer than the whole limit is still possible', () => {
  const rates = memoryRates(10, () => 0)
  assert.equal(rates.take([rule(5)], 100), 0)
  assert.notEqual(rates.take([rule(5)], 1), 0)
})

test('memory is bounded: keys not touched for longest are dropped', () => {
  const rates = memoryRates(3, () => 0)
  for (const key of ['a', 'b', 'c', 'd']) rates.take([rule(1, key)], 1)
  assert.equal(rates.take([rule(1, 'a')], 1), 0)
  assert.notEqual(rates.take([rule(1, 'd')], 1), 0)
})

test('F13: IPv6 counts by /64, mapped IPv4 as IPv4, and wider blocks share more', () => {
  const keys = (address: string) => clientKeys(address).map(({ key, factor }) => `${key} ×${factor}`)
  assert.deepEqual(keys('192.0.2.7'), ['192.0.2.7/32 ×1', '192.0.2.0/24 ×4'])
  assert.deepEqual(keys('::ffff:192.0.2.7'), keys('192.0.2.7'))
  assert.deepEqual(keys('2001:db8:1:2ff:3::4'), [
    '2001:db8:1:2ff::/64 ×1',
    '2001:db8:1:200::/56 ×4',
    '2001:db8:1::/48 ×16',
  ])
  assert.deepEqual(keys(''), ['local ×1'])
})
