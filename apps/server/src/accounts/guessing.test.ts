import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AccountTrial, type AccountTrialOptions, accountTrial } from '../../test/account-trial.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }
const HOUR_MS = 3_600_000
const PROXY = '127.0.0.0/8'

/** Clients behind a proxy that says where they are, from the turn of an hour on. */
async function guessed(t: TestContext, limits: AccountTrialOptions['limits'] = {}): Promise<AccountTrial> {
  const settings = { trustedProxies: [PROXY] }
  const trial = await accountTrial(t, { settings, limits: { queuedPasswords: 1_000, ...limits } })
  trial.clock.ms = Math.ceil(trial.clock.ms / HOUR_MS) * HOUR_MS
  return trial
}

const from = (address: string) => ({ 'x-forwarded-for': address })
/** Each in a /24 of its own. */
const farAway = (i: number) => `10.${i % 250}.${Math.floor(i / 250)}.1`
const home = from('203.0.113.7')

async function signInAtHome({ post, get, links }: AccountTrial) {
  await post('/auth/register/', person, home)
  for (const path of await links(1)) await get(path)
  assert.equal((await post('/auth/login/', person, home)).statusCode, 200)
}

test('U2: one address that tries one password on many accounts gets as far as thirty', async t => {
  const trial = await guessed(t)
  const statuses: number[] = []
  for (let i = 0; i < 200; i++)
    statuses.push((await trial.post('/auth/login/', { ...person, email: `p${i}@example.org` }, home)).statusCode)
  assert.equal(statuses.filter(status => status === 401).length, 30)
  assert.equal(statuses.lastIndexOf(401), 29)
})

test('U2: a network with all its IPv6 addresses gets no further than a few', async t => {
  const trial = await guessed(t, { clientLoginsPerQuarterHour: 2 })
  let looked = 0
  for (let i = 0; i < 200; i++) {
    const address = `2001:db8:1:${(256 * i).toString(16)}::${i}`
    const email = `p${i}@example.org`
    if ((await trial.post('/auth/login/', { ...person, email }, from(address))).statusCode === 401) looked++
  }
  assert.equal(looked, 2 * 16)
})

test('U2: the leftmost addresses, which the visitor wrote, count for nothing', async t => {
  const trial = await guessed(t)
  let looked = 0
  for (let i = 0; i < 40; i++) {
    const header = { 'x-forwarded-for': `${farAway(i)}, 203.0.113.7` }
    const email = `p${i}@example.org`
    if ((await trial.post('/auth/login/', { ...person, email }, header)).statusCode === 401) looked++
  }
  assert.equal(looked, 30)
})

test('U2: who is refused cannot make the server forget what it counted', async t => {
  const trial = await guessed(t, { rateKeys: 200, clientLoginsPerQuarterHour: 5 })
  const statuses: number[] = []
  for (let i = 0; i < 400; i++)
    statuses.push((await trial.post('/auth/login/', { ...person, email: `p${i}@example.org` }, home)).statusCode)
  assert.equal(statuses.filter(status => status === 401).length, 5)
})

test('A7: of 1,000 resets for one address three are sent within an hour, and each gets the same answer', async t => {
  const trial = await guessed(t)
  await signInAtHome(trial)
  trial.clock.ms += 2 * HOUR_MS
  const before = (await trial.letters(1)).length
  const answers = new Set<string>()
  for (let i = 0; i < 1_000; i++) {
    const { statusCode, body } = await trial.post('/auth/password-change/', { email: person.email }, from(farAway(i)))
    answers.add(`${statusCode} ${body}`)
    trial.clock.ms += 1_000
  }
  assert.deepEqual([...answers], ['200 {"detail":"Password reset link sent to email."}'])
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal((await trial.letters(before + 3)).length, before + 3)
})

test('A7: whoever fills up the mails of an hour does not keep the owner from registering', async t => {
  const trial = await guessed(t)
  for (let i = 0; i < 3; i++) await trial.post('/auth/password-change/', { email: person.email }, from(farAway(i)))
  assert.equal((await trial.post('/auth/register/', person, home)).statusCode, 201)
  assert.equal((await trial.post('/auth/login/', person, home)).json().detail, 'Please verify your email.')
  assert.deepEqual(await trial.letters(0), [])
  trial.clock.ms += 2 * HOUR_MS
  assert.equal((await trial.post('/auth/login/', person, home)).statusCode, 403)
  for (const path of await trial.links(1)) assert.equal((await trial.get(path)).headers.location, '/auth/?verified=1')
  assert.equal((await trial.post('/auth/login/', person, home)).statusCode, 200)
})

test('A7: logging in again and again before the address is verified sends three mails an hour', async t => {
  const trial = await guessed(t)
  await trial.post('/auth/register/', person, home)
  for (let i = 0; i < 11; i++) {
    trial.clock.ms += 300_000
    assert.equal((await trial.post('/auth/login/', person, home)).statusCode, 403)
  }
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal((await trial.letters(3)).length, 3)
})
