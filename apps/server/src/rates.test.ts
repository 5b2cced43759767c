import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { noRedis, startRedis, type TestRedis } from '../test/redis.ts'
import { clientKeys, memoryRates, type RateStore } from './rates.ts'
import { createRedisLink, type RedisLink } from './redis/link.ts'
import { createNames } from './redis/names.ts'
import { redisRates } from './redis/rates.ts'

const MINUTE = 60_000
const rule = (limit: number, key = 'a') => ({ key, limit, windowMs: MINUTE })

type Create = (now: () => number) => RateStore

function sameOnBoth(create: Create) {
  test('a window holds its limit and no more', async () => {
    const rates = create(() => MINUTE * 5)
    for (let i = 0; i < 60; i++) assert.equal(await rates.take([rule(60)], 1), 0)
    assert.equal(await rates.take([rule(60)], 1), MINUTE + 1000)
    assert.equal(await rates.take([rule(60, 'b')], 1), 0)
  })

  test('C10: nobody gets twice the limit around the turn of a window', async () => {
    let now = MINUTE * 5 + 59_000
    const rates = create(() => now)
    let given = 0
    const drain = async () => {
      while ((await rates.take([rule(60)], 1)) === 0) given++
    }
    await drain()
    for (let second = 0; second < 60; second++) {
      now += 1000
      await drain()
    }
    assert.ok(given <= 60 * 2, `${given} in two windows`)
    now = MINUTE * 5 + 61_000
    assert.ok(given >= 60)
  })

  test('the wait that is told is long enough, and not much longer than needed', async () => {
    let now = MINUTE * 5 + 20_000
    const taken = async () => {
      const rates = create(() => now)
      for (let i = 0; i < 10; i++) await rates.take([rule(10)], 1)
      return rates
    }
    const start = now
    const [enough, tooShort] = [await taken(), await taken()]
    const wait = await enough.take([rule(10)], 1)
    now = start + wait
    assert.equal(await enough.take([rule(10)], 1), 0)
    now -= 1000
    assert.notEqual(await tooShort.take([rule(10)], 1), 0)
  })

  test('A1: one token a minute comes again after a minute, wherever on the clock the first was taken', async () => {
    for (const start of [0, 1, 30_000, 59_999]) {
      let now = MINUTE * 5 + start
      const rates = create(() => now)
      const take = () => rates.take([rule(1)], 1)
      for (let round = 0; round < 3; round++) {
        assert.equal(await take(), 0)
        now += 20_000
        assert.equal(await take(), 40_000)
        now += 39_999
        assert.equal(await take(), 1)
        now += 1
      }
    }
  })

  test('A1: a request that another rule refused does not begin the minute of the single token', async () => {
    let now = MINUTE * 5
    const rates = create(() => now)
    await rates.take([rule(5, 'wide')], 5)
    assert.notEqual(await rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
    now += 50_000
    assert.equal(await rates.take([rule(1, 'narrow')], 1), 0)
    now += 20_000
    assert.equal(await rates.take([rule(1, 'narrow')], 1), 40_000)
  })

  test('A1: asking for no token does not begin the minute of the single one', async () => {
    let now = MINUTE * 5
    const rates = create(() => now)
    assert.equal(await rates.take([rule(1)], 0), 0)
    now += 50_000
    assert.equal(await rates.take([rule(1)], 1), 0)
    now += 20_000
    assert.equal(await rates.take([rule(1)], 1), 40_000)
  })

  test('all rules or none: a refused request costs nothing', async () => {
    const rates = create(() => 0)
    assert.equal(await rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
    for (let i = 0; i < 9; i++) assert.notEqual(await rates.take([rule(5, 'wide'), rule(1, 'narrow')], 1), 0)
    for (let i = 0; i < 4; i++) assert.equal(await rates.take([rule(5, 'wide')], 1), 0)
    assert.notEqual(await rates.take([rule(5, 'wide')], 1), 0)
  })

  test('a single run dearer than the whole limit is still possible', async () => {
    const rates = create(() => 0)
    assert.equal(await rates.take([rule(5)], 100), 0)
    assert.notEqual(await rates.take([rule(5)], 1), 0)
  })

  test('no tokens are given where none is left, and cost nothing where some are', async () => {
    const rates = create(() => 0)
    assert.equal(await rates.take([rule(1)], 0), 0)
    assert.equal(await rates.take([rule(1)], 1), 0)
    assert.equal(await rates.take([rule(5, 'wide')], 4), 0)
    for (let i = 0; i < 3; i++) assert.equal(await rates.take([rule(5, 'wide')], 0), 0)
    assert.equal(await rates.take([rule(5, 'wide')], 1), 0)
    assert.equal(await rates.take([], 1), 0)
  })
}

describe('limits in memory', () => {
  sameOnBoth(now => memoryRates(10, now))

  test('memory is bounded: keys not touched for longest are dropped', () => {
    const rates = memoryRates(3, () => 0)
    for (const key of ['a', 'b', 'c', 'd']) rates.take([rule(1, key)], 1)
    assert.equal(rates.take([rule(1, 'a')], 1), 0)
    assert.notEqual(rates.take([rule(1, 'd')], 1), 0)
  })
})

describe('limits in Redis', { skip: noRedis }, () => {
  let server: TestRedis
  let link: RedisLink
  let stores = 0
  const create = (now?: () => number) => redisRates({ link, names: createNames(`${stores++}`), keys: 10, now })

  before(async () => {
    server = await startRedis()
    const { address } = server
    link = createRedisLink({ address, timeoutMs: 5_000, retryMs: 1_000, staleMs: 3_000, processesKey: 'p' })
    await link.ready
  })
  after(async () => {
    await link.close()
    await server.stop()
  })

  sameOnBoth(create)

  test('two thousand random takes give the same as in memory', async () => {
    let now = MINUTE * 5
    let random = 1
    const next = (most: number) => {
      random = (random * 48_271) % 2_147_483_647
      return random % most
    }
    const [memory, redis] = [memoryRates(100, () => now), create(() => now)]
    for (let i = 0; i < 2_000; i++) {
      now += next(3) ? next(2_000) : next(40_000)
      const rules = Array.from({ length: 1 + next(3) }, () => {
        const limit = [1, 2, 7, 60][next(4)] ?? 1
        const windowMs = [1_000, MINUTE, MINUTE * 60][next(3)] ?? 1
        return { key: `${limit} ${windowMs} ${next(3)}`, limit, windowMs }
      })
      const unique = [...new Map(rules.map(rule => [rule.key, rule])).values()]
      const tokens = next(5)
      assert.equal(await redis.take(unique, tokens), memory.take(unique, tokens), `take ${i}`)
    }
  })

  test('the clock is that of Redis, to the millisecond', async () => {
    const rates = create()
    assert.equal(await rates.take([rule(1)], 1), 0)
    const wait = await rates.take([rule(1)], 1)
    assert.ok(wait > MINUTE - 5_000 && wait <= MINUTE, `${wait}`)
  })

  test('[OPEN-007] P1: nothing in Redis tells a client, and nothing stays longer than two windows', async () => {
    await server.client.flushall()
    const rates = create()
    for (const address of ['192.0.2.77', '2001:db8:77::1']) {
      const rules = clientKeys(address).map(({ key }) => ({ key: `lookup ${key}`, limit: 60, windowMs: MINUTE }))
      assert.equal(await rates.take([...rules, { ...rule(1, address) }], 1), 0)
    }
    const keys = await server.client.keys('*')
    assert.equal(keys.filter(key => /^assay:[\w-]{22}$/.test(key)).length, 7)
    for (const key of keys.filter(key => key !== 'p')) {
      assert.doesNotMatch(`${key} ${await server.client.get(key)}`, /192\.0\.2|2001:db8/)
      const left = await server.client.pttl(key)
      assert.ok(left > 0 && left <= 2 * MINUTE, `${left}`)
    }
  })
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
