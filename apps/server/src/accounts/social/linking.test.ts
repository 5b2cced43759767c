import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresPrograms, startPostgres } from '../../../test/postgres.ts'
import { pairOf, socialTrial } from '../../../test/social-trial.ts'

/**
 * Who gets into whose account, in every order of events that was used for taking one over: Sudhodanan and Paverd,
 * "Pre-hijacked accounts: An Empirical Study of Security Failures in User Account Creation on the Web", USENIX
 * Security 2022. Always `victim` owns the address, and `thief` only ever types it.
 */

const address = 'victim@example.org'
const victim = { sub: 'the-victim', email: address, email_verified: true }
const thief = { sub: 'the-thief', email: 'thief@example.org', email_verified: true }
const password = { email: address, password: 'of the thief' }

const refusedEmail = (provider: string) => `/auth/?error=provider_email&provider=${provider}`

type Trial = Awaited<ReturnType<typeof socialTrial>>

const profile = async ({ get }: Trial, access: string) =>
  (await get('/user/profile/', { authorization: `Bearer ${access}` })).json()

const signInAs = async (trial: Trial, person: Trial['google']['person']) => {
  trial.google.person = person
  return trial.browser().signIn('google')
}

const accounts = ({ store }: Trial) =>
  store.use(db => db.selectFrom('account').select(['email', 'password_hash', 'verified_at']).orderBy('email').execute())

test('[OPEN-005] U11: a new person gets an account that is verified and has no password', async t => {
  const trial = await socialTrial(t)
  const { access } = await signInAs(trial, victim)
  const { email, email_verified, providers } = await profile(trial, access)
  assert.deepEqual(
    { email, email_verified, providers },
    { email: address, email_verified: true, providers: ['google'] },
  )
  assert.equal((await accounts(trial))[0]?.password_hash, null)
  assert.equal((await trial.post('/auth/login/', { email: address, password: '' })).statusCode, 400)
  assert.equal((await trial.post('/auth/login/', password)).statusCode, 401)
})

test('U11 classic-federated: the thief registers the address and waits; the owner comes by a provider', async t => {
  const trial = await socialTrial(t)
  await trial.post('/auth/register/', password)
  await trial.letters(1)
  const { access } = await signInAs(trial, victim)
  assert.equal((await profile(trial, access)).email, address)
  assert.equal((await trial.post('/auth/login/', password)).statusCode, 401, 'that password is gone')
  await trial.post('/auth/register/', password)
  assert.equal((await trial.post('/auth/login/', password)).statusCode, 401, 'and does not come back')
  assert.equal((await accounts(trial)).length, 1)
})

test('U11: the owner comes by a provider and later opens the link of the registration of the thief', async t => {
  const trial = await socialTrial(t)
  await trial.post('/auth/register/', password)
  const [link = ''] = await trial.links(1)
  await signInAs(trial, victim)
  assert.match(
    String((await trial.get(link)).headers.location),
    /^\/auth\/\?mode=reset&token=/,
    'the owner may choose one',
  )
  assert.equal((await trial.post('/auth/login/', password)).statusCode, 401)
})

test('U11 non-verifying provider: the thief has the address there, unverified', async t => {
  const trial = await socialTrial(t)
  const own = await trial.signIn({ email: address, password: 'of the owner' })
  for (const email_verified of [false, undefined, 'true', 'false', 1, null]) {
    trial.google.person = { sub: 'the-thief', email: address, email_verified }
    assert.equal(await trial.browser().comeBack('google'), refusedEmail('google'))
  }
  trial.github.emails = [
    { email: address, primary: true, verified: false },
    { email: address, primary: false, verified: true },
    { email: 'thief@example.org', primary: false, verified: true },
  ]
  assert.equal(await trial.browser().comeBack('github'), refusedEmail('github'))
  assert.deepEqual((await profile(trial, own.access)).providers, [])
  assert.equal((await accounts(trial)).length, 1)
})

test('U11 non-verifying provider, before the owner: no account is made for an unverified address', async t => {
  const trial = await socialTrial(t)
  trial.google.person = { ...victim, sub: 'the-thief', email_verified: false }
  assert.equal(await trial.browser().comeBack('google'), refusedEmail('google'))
  assert.deepEqual(await accounts(trial), [])
  const own = await signInAs(trial, victim)
  assert.equal((await profile(trial, own.access)).email, address)
})

test('U11: a provider adds itself to an account with a verified address, and its owner is told', async t => {
  const trial = await socialTrial(t)
  const before = await trial.signIn({ email: address, password: 'of the owner' })
  const { access } = await signInAs(trial, victim)
  assert.equal((await profile(trial, access)).id, (await profile(trial, before.access)).id)
  const told = (await trial.letters(2)).join()
  assert.match(told, /Google sign-in was added/)
  assert.equal((await trial.post('/auth/login/', { email: address, password: 'of the owner' })).statusCode, 200)
  await signInAs(trial, victim)
  assert.equal((await trial.letters(2)).length, 2, 'once')
})

test('U11 trojan identifier: the thief changes the address at the provider to that of the owner', async t => {
  const trial = await socialTrial(t)
  const own = await signInAs(trial, victim)
  const theirs = await signInAs(trial, thief)
  for (const email_verified of [true, false]) {
    const again = await signInAs(trial, { ...thief, email: address, email_verified })
    assert.equal((await profile(trial, again.access)).id, (await profile(trial, theirs.access)).id)
  }
  assert.notEqual((await profile(trial, own.access)).id, (await profile(trial, theirs.access)).id)
  assert.equal((await profile(trial, theirs.access)).email, thief.email)
})

test('U11: the owner changes the address at the provider, and keeps the account', async t => {
  const trial = await socialTrial(t)
  const before = await signInAs(trial, victim)
  const later = await signInAs(trial, { ...victim, email: 'married@example.org', email_verified: false })
  assert.equal((await profile(trial, later.access)).id, (await profile(trial, before.access)).id)
})

test('U11: one subject at two providers is two people', async t => {
  const trial = await socialTrial(t)
  trial.github.emails = [{ email: thief.email, primary: true, verified: true }]
  trial.github.user = { id: 7 }
  const own = await signInAs(trial, { ...victim, sub: '7' })
  const theirs = await trial.browser().signIn('github')
  assert.notEqual((await profile(trial, own.access)).id, (await profile(trial, theirs.access)).id)
})

test('U11: two providers with one verified address are one account, however it is written', async t => {
  const trial = await socialTrial(t)
  const one = await signInAs(trial, { ...victim, email: 'Victim@EXAMPLE.org' })
  trial.github.emails = [{ email: address, primary: true, verified: true }]
  const two = await trial.browser().signIn('github')
  assert.equal((await profile(trial, one.access)).id, (await profile(trial, two.access)).id)
  assert.deepEqual((await profile(trial, two.access)).providers, ['github', 'google'])
  assert.match((await trial.letters(1)).join(), /GitHub sign-in was added/)
})

test('U11: the owner signs in by a provider, then sets a password by the mail; both work, other sessions are over', async t => {
  const trial = await socialTrial(t)
  const before = await signInAs(trial, victim)
  await trial.post('/auth/password-change/', { email: address })
  const [link = ''] = await trial.links(1)
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  const own = { email: address, password: 'of the owner' }
  assert.equal((await trial.post('/auth/password-reset/confirm/', { token, password: own.password })).statusCode, 200)
  assert.equal((await trial.get('/user/profile/', { authorization: `Bearer ${before.access}` })).statusCode, 401)
  assert.equal((await trial.post('/auth/login/', own)).statusCode, 200)
  const later = await signInAs(trial, victim)
  assert.equal((await profile(trial, later.access)).email, address)
})

test('U11: an account that was deleted comes back as a new one, and nothing of the old one opens it', async t => {
  const trial = await socialTrial(t)
  const old = await signInAs(trial, victim)
  const { id } = await profile(trial, old.access)
  const waiting = trial.browser()
  const pair = pairOf(await waiting.comeBack('google'))
  await trial.store.use(db => db.deleteFrom('account').where('id', '=', id).execute())
  const fresh = await signInAs(trial, victim)
  assert.notEqual((await profile(trial, fresh.access)).id, id)
  assert.equal((await trial.get('/user/profile/', { authorization: `Bearer ${old.access}` })).statusCode, 401)
  assert.equal((await trial.post('/auth/refresh/', { refresh: old.refresh })).statusCode, 401)
  assert.equal((await waiting.redeem(pair)).statusCode, 401)
})

test('U11: the thief registers an address that an account by a provider has: no password is set', async t => {
  const trial = await socialTrial(t)
  const own = await signInAs(trial, victim)
  const registered = await trial.post('/auth/register/', password)
  assert.equal(registered.statusCode, 201)
  assert.equal((await trial.post('/auth/login/', password)).statusCode, 401)
  assert.match((await trial.letters(1)).join(), /you already have an account/)
  assert.equal((await accounts(trial))[0]?.password_hash, null)
  assert.equal((await profile(trial, own.access)).email, address)
})

test('U11: an address that is none, or no text, or too long makes no account', async t => {
  const trial = await socialTrial(t)
  for (const email of [
    '',
    'victim',
    'victim@',
    '@example.org',
    `${'x'.repeat(300)}@example.org`,
    'a b@example.org',
    7,
  ]) {
    trial.google.person = { ...victim, email: email as string }
    assert.equal(await trial.browser().comeBack('google'), refusedEmail('google'))
  }
  assert.deepEqual(await accounts(trial), [])
})

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  const skip = kind === 'PostgreSQL' && !postgresPrograms
  test(`U15: one person in twenty tabs at once is one account and one identity, in ${kind}`, { skip }, async t => {
    const server = kind === 'PostgreSQL' && postgresPrograms ? await startPostgres(postgresPrograms) : undefined
    if (server) after(server.stop)
    const trial = await socialTrial(t, { ...(server && { address: await server.create() }) })
    trial.github.emails = [{ email: address, primary: true, verified: true }]
    await trial.post('/auth/register/', password)
    const tabs = Array.from({ length: 20 }, () => trial.browser())
    const sessions = await Promise.all(tabs.map(tab => tab.signIn('github')))
    const profiles = await Promise.all(sessions.map(({ access }) => profile(trial, access)))
    assert.equal(new Set(profiles.map(({ id }) => id)).size, 1)
    const rows = await trial.store.use(db => db.selectFrom('identity').select('account').execute())
    assert.equal(rows.length, 1)
  })
}
