import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { onBothStores, type Place } from '../../test/both-stores.ts'
import { defaultLimits } from '../limits.ts'
import { originOf } from './clients.ts'
import { createSessions, type TokenPair } from './sessions.ts'

const HOUR_MS = 3_600_000
const person = { email: 'ada@example.org', password: 'a long enough secret' }
const unlimited = {
  accountMailsPerQuarterHour: 1e6,
  accountMailsPerHour: 1e6,
  accountCallsPerMinute: 1e6,
  loginsPerQuarterHour: 1e6,
  clientLoginsPerQuarterHour: 1e6,
  guessesPerHour: 1e6,
  queuedPasswords: 1_000,
  sessionsPerAccount: 10_000,
}
const times = <T>(count: number, work: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => work(i))

test('U2: of 10,000 guesses from 1,000 addresses within an hour 100 are looked at, and the owner signs in meanwhile', async t => {
  const trial = await accountTrial(t, { settings: { trustedProxies: ['127.0.0.0/8'] } })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const home = from('203.0.113.7')
  trial.clock.ms = Math.ceil(trial.clock.ms / HOUR_MS) * HOUR_MS
  await trial.post('/auth/register/', person, home)
  for (const path of await trial.links(1)) await trial.get(path)
  assert.equal((await trial.post('/auth/login/', person, home)).statusCode, 200)
  trial.clock.ms += 2 * HOUR_MS
  const statuses: Record<number, number> = {}
  const owner: number[] = []
  const addressOf = (i: number) => `10.${i % 250}.${i % 2}.${1 + (i % 200)}`
  for (let i = 0; i < 10_000; i++) {
    const { statusCode } = await trial.post('/auth/login/', { ...person, password: `guess ${i}` }, from(addressOf(i)))
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    trial.clock.ms += HOUR_MS / 10_000
    if (i % 2_500 === 2_000) owner.push((await trial.post('/auth/login/', person, home)).statusCode)
  }
  const { id } = await trial.store.use(db => db.selectFrom('account').select('id').executeTakeFirstOrThrow())
  // Places are kept as 16 bits: one in 65,536 is taken for the home, and held back by its own ten guesses alone.
  const looksLikeHome = (address: string) => originOf(id, address) === originOf(id, '203.0.113.7')
  const looked = 100 + 10 * times(1_000, addressOf).filter(looksLikeHome).length
  assert.deepEqual(statuses, { 401: looked, 429: 10_000 - looked })
  assert.deepEqual(owner, [200, 200, 200, 200])
})

/** Sessions of one account, begun without the price of so many passwords. */
async function families(trial: AccountTrial, count: number): Promise<TokenPair[]> {
  const { store, clock } = trial
  const { id } = await store.use(db => db.selectFrom('account').select('id').executeTakeFirstOrThrow())
  const unused = undefined as never
  const limits = { ...defaultLimits, ...unlimited }
  const sessions = createSessions({
    store,
    limits,
    now: () => clock.ms,
    outbox: unused,
    mails: unused,
    passwords: unused,
  })
  const pairs: TokenPair[] = []
  for (let i = 0; i < count; i++)
    pairs.push(
      await store.use(db =>
        db.transaction().execute(tx => sessions.begin(tx, { account: id, client: 'x', provider: '' })),
      ),
    )
  return pairs
}

const FAMILIES = 100

onBothStores('U6: 500 families of refresh tokens', newPlace => {
  const begin = async (t: Parameters<typeof accountTrial>[0], place: Place) => {
    const trial = await accountTrial(t, { ...place, limits: unlimited })
    await trial.signIn(person)
    const renew = async ({ refresh }: TokenPair): Promise<TokenPair | undefined> => {
      const answer = await trial.post('/auth/refresh/', { refresh })
      assert.ok([200, 401].includes(answer.statusCode), answer.body)
      return answer.statusCode === 200 ? answer.json() : undefined
    }
    const isAlive = async ({ access }: TokenPair) =>
      (await trial.get('/user/profile/', { authorization: `Bearer ${access}` })).statusCode === 200
    return { trial, renew, isAlive, pairs: await families(trial, FAMILIES) }
  }
  const must = (pair: TokenPair | undefined): TokenPair => pair ?? assert.fail('an honest client was logged out')

  test('the one before last ends the session, however soon', async t => {
    const { trial, renew, isAlive, pairs } = await begin(t, await newPlace())
    let dead = 0
    for (const first of pairs) {
      const third = must(await renew(must(await renew(first))))
      trial.clock.ms += 1_000
      assert.equal(await renew(first), undefined)
      if (!(await isAlive(third)) && !(await renew(third))) dead++
    }
    assert.equal(dead, FAMILIES)
  })

  test('the last one ends the session after ten seconds', async t => {
    const { trial, renew, isAlive, pairs } = await begin(t, await newPlace())
    let dead = 0
    for (const first of pairs) {
      const second = must(await renew(first))
      trial.clock.ms += 10_001
      assert.equal(await renew(first), undefined)
      if (!(await isAlive(second)) && !(await renew(second))) dead++
    }
    assert.equal(dead, FAMILIES)
  })

  test('fifty honest calls at once get one and the same pair', async t => {
    const { renew, isAlive, pairs } = await begin(t, await newPlace())
    let alive = 0
    for (const first of pairs) {
      const answers = await Promise.all(times(50, () => renew(first)))
      assert.equal(new Set(answers.map(pair => must(pair).refresh)).size, 1)
      if (await isAlive(must(answers[0]))) alive++
    }
    assert.equal(alive, FAMILIES)
  })

  test('two tabs that renew again and again, each when it likes, stay signed in', async t => {
    const { trial, renew, isAlive, pairs } = await begin(t, await newPlace())
    let alive = 0
    for (const first of pairs) {
      // What both tabs share in the browser.
      let shared = first
      for (let round = 0; round < 3; round++) {
        const held = shared
        const [one, two] = [renew(held), new Promise(resolve => setTimeout(resolve, round)).then(() => renew(held))]
        shared = must(await one)
        assert.deepEqual(must(await two), shared)
        trial.clock.ms += 600_000
      }
      shared = must(await renew(shared))
      if (await isAlive(shared)) alive++
    }
    assert.equal(alive, FAMILIES)
  })

  test('an answer that was lost is asked for again', async t => {
    const { trial, renew, isAlive, pairs } = await begin(t, await newPlace())
    let alive = 0
    for (const first of pairs) {
      const lost = must(await renew(first))
      trial.clock.ms += 9_000
      const again = must(await renew(first))
      assert.deepEqual(again, lost)
      if (await isAlive(must(await renew(again)))) alive++
    }
    assert.equal(alive, FAMILIES)
  })
})
