import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { replay } from '@assay/kit/replay'
import { noRedis, startRedis, type TestRedis } from '../test/redis.ts'
import type { Room } from './outcome-size.ts'
import { createRedisLink, type RedisLink } from './redis/link.ts'
import { createNames } from './redis/names.ts'
import { redisRemembered } from './redis/remembered.ts'
import { createVault } from './redis/vault.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import { trial } from './trial.ts'

const outcome = (result: string) => ({ input: {}, result })

const HOUR = 3_600_000
const room = (results: number): Room => ({ results, characters: 10_000 })

function sameOnBoth(create: (room: Room, now: () => Date) => Remembered) {
  test('[OPEN-042] an outcome is found while it is fresh enough for who asks, and the newest counts', async () => {
    let at = 0
    const remembered = create(room(10), () => new Date(at))
    await remembered.keep('a', outcome('old'), HOUR)
    at = 1_000
    assert.deepEqual(await remembered.find('a', 1_000), outcome('old'))
    assert.equal(await remembered.find('a', 999), undefined)
    assert.equal(await remembered.find('b', 1_000), undefined)
    await remembered.keep('a', outcome('new'), HOUR)
    assert.deepEqual(await remembered.find('a', 0), outcome('new'))
  })

  test('the oldest are forgotten beyond the bound', async () => {
    const remembered = create(room(2), () => new Date(0))
    for (const key of ['a', 'b', 'a', 'c']) {
      await remembered.keep(key, outcome(key), HOUR)
      await setTimeout(2)
    }
    assert.equal(await remembered.find('b', 1), undefined)
    assert.deepEqual(await remembered.find('a', 1), outcome('a'))
    assert.deepEqual(await remembered.find('c', 1), outcome('c'))
  })
}

describe('remembered in memory', () => sameOnBoth(createRemembered))

describe('remembered in Redis', { skip: noRedis }, () => {
  let server: TestRedis
  let link: RedisLink
  let secrets = 0
  before(async () => {
    server = await startRedis()
    const { address } = server
    link = createRedisLink({ address, timeoutMs: 2_000, retryMs: 200, staleMs: 3_000, processesKey: 'p' })
    await link.ready
  })
  after(async () => {
    await link.close()
    await server.stop()
  })

  const createWith =
    (secret: string, version = 'one') =>
    (room: Room, now: () => Date) =>
      redisRemembered({
        link,
        names: createNames(secret),
        createVault: question => createVault(secret, question, 1_000),
        version: async () => version,
        room,
        now,
      })

  sameOnBoth((room, now) => createWith(`${secrets++}`)(room, now))

  const now = () => new Date(0)

  test('what one process learned all know, as long as it can be asked for', async () => {
    const [a, b] = [createWith('shared')(room(10), now), createWith('shared')(room(10), now)]
    await a.keep('a', outcome('of a'), 300)
    assert.deepEqual(await b.find('a', HOUR), outcome('of a'))
    assert.equal(await createWith('shared', 'two')(room(10), now).find('a', HOUR), undefined)
    assert.equal(await createWith('other')(room(10), now).find('a', HOUR), undefined)
    await setTimeout(400)
    assert.equal(await b.find('a', HOUR), undefined)
  })

  test('an outcome that is too large to share is remembered by who had it', async () => {
    const [a, b] = [createWith('large')(room(10), now), createWith('large')(room(10), now)]
    await a.keep('a', outcome('x'.repeat(1_000)), HOUR)
    assert.deepEqual(await a.find('a', 0), outcome('x'.repeat(1_000)))
    assert.equal(await b.find('a', 0), undefined)
  })

  test('security H2: long ones are forgotten before short ones fill the room of all processes', async () => {
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(700))).toString('latin1')
    const small = { results: 10, characters: 2_000 }
    const [a, b] = [createWith('room')(small, now), createWith('room')(room(10), now)]
    for (const key of ['a', 'b', 'c']) {
      await a.keep(key, outcome(noise()), HOUR)
      await setTimeout(5)
    }
    assert.equal(await b.find('a', HOUR), undefined)
    assert.ok(await b.find('b', HOUR))
    assert.ok(await b.find('c', HOUR))
  })

  test('[OPEN-007] P1: what was asked and answered stands nowhere in Redis, and nothing there stays for ever', async () => {
    await server.client.flushall()
    await createWith('canary')(room(10), now).keep('kanarienvogel', outcome('kanarienvogel'), HOUR)
    const keys = await server.client.keys('assay:*')
    assert.equal(keys.length, 2)
    for (const key of keys) {
      const dump = await server.client.dumpBuffer(key)
      assert.ok(!`${key} ${dump?.toString('latin1')}`.includes('kanarienvogel'))
      const left = await server.client.pttl(key)
      assert.ok(left > 0 && left <= HOUR, `${left}`)
    }
  })

  test('X2: without Redis each process remembers its own', async () => {
    const remembered = createWith('alone')(room(10), now)
    await remembered.keep('a', outcome('before'), HOUR)
    await server.kill()
    assert.deepEqual(await remembered.find('a', 0), outcome('before'))
    await remembered.keep('b', outcome('without'), HOUR)
    assert.deepEqual(await remembered.find('b', 0), outcome('without'))
    await server.restart()
  })
})

test('security H2: long ones are forgotten before short ones fill the room', async () => {
  const remembered = createRemembered({ results: 10, characters: 1_000 }, () => new Date(0))
  await remembered.keep('short', outcome('x'), HOUR)
  for (const key of ['a', 'b']) await remembered.keep(key, outcome('x'.repeat(600)), HOUR)
  assert.equal(await remembered.find('short', 1), undefined)
  assert.equal(await remembered.find('a', 1), undefined)
  assert.equal((await remembered.find('b', 1))?.result, 'x'.repeat(600))
  await remembered.keep('b', outcome('x'.repeat(2_000)), HOUR)
  assert.equal(await remembered.find('b', 1), undefined)
  for (let i = 0; i < 10; i++) await remembered.keep(`${i}`, outcome('x'.repeat(90)), HOUR)
  assert.equal((await remembered.find('0', 1))?.result, 'x'.repeat(90))
})

test('[OPEN-042] a plain address answers with the last result, where the fresh one asks again', async t => {
  const zone =
    'com. 60 SOA a.test. b.test. 1 2 3 4 60\ncom. 60 NS a.test.\na.test. 60 A 192.0.2.1\nexampl.com. 60 NS a.test.'
  let jobs = 0
  const app = await trial(t, {
    catalogue: true,
    limits: { scanSharedMs: 1 },
    createJob: (_, signal) => {
      jobs++
      return { context: replay({ zone }, signal), dispose() {} }
    },
  })
  const get = async (path: string) =>
    (await app.inject({ method: 'GET', url: `/api/check-typosquatting/${path}/` })).json()
  const first = await get('example.com')
  assert.deepEqual(first.detected_domains, ['exampl.com'])
  assert.equal(jobs, 1)
  await setTimeout(5)
  assert.deepEqual(await get('example.com'), first)
  assert.equal(jobs, 1)
  assert.deepEqual(await get('example.com/refresh'), first)
  assert.equal(jobs, 2)
})
