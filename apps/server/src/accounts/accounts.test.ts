import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTrial } from '../../test/account-trial.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }

test('[AUT-039] [AUT-040] [AUT-041] [AUT-042] [OPEN-005] register, verify by the link in the mail, log in', async t => {
  const { post, links, get } = await accountTrial(t)
  const registered = await post('/auth/register/', person)
  assert.equal(registered.statusCode, 201)
  assert.deepEqual(registered.json(), { detail: 'Registered! Please verify your email.' })
  const early = await post('/auth/login/', person)
  assert.equal(early.statusCode, 403)
  assert.equal(early.json().detail, 'Please verify your email.')
  const [link = ''] = await links(1)
  for (const opened of [await get(link), await get(link)]) {
    assert.equal(opened.statusCode, 302)
    assert.equal(opened.headers.location, '/auth/?verified=1')
  }
  const login = await post('/auth/login/', person)
  assert.equal(login.statusCode, 200)
  assert.deepEqual(Object.keys(login.json()), ['access', 'refresh'])
  assert.equal(login.headers['cache-control'], 'no-store')
})

test('[AUT-051] [AUT-053] [OPEN-003] [AUT-055] [OPEN-017] [OPEN-086] the profile by token, and no more after logout', async t => {
  const { signIn, get, post } = await accountTrial(t)
  const { access, refresh } = await signIn(person)
  const headers = { authorization: `Bearer ${access}` }
  const profile = await get('/user/profile/', headers)
  assert.equal(profile.statusCode, 200)
  const { id, created_at, ...rest } = profile.json()
  assert.deepEqual(rest, { email: person.email, email_verified: true, providers: [] })
  assert.match(profile.headers.vary as string, /Accept, Authorization/)
  assert.equal(profile.headers['cache-control'], 'no-store')
  const out = await post('/auth/logout/', undefined, headers)
  assert.equal(out.statusCode, 200)
  assert.equal((await get('/user/profile/', headers)).statusCode, 401)
  assert.equal((await post('/auth/refresh/', { refresh })).statusCode, 401)
  assert.equal(typeof id + typeof created_at, 'stringstring')
})

test('[OPEN-016] a refresh token works once; its successor is given again for ten seconds, then the session ends', async t => {
  const { signIn, post, get, clock, letters } = await accountTrial(t)
  const first = await signIn(person)
  const second = (await post('/auth/refresh/', { refresh: first.refresh })).json()
  assert.notEqual(second.refresh, first.refresh)
  clock.ms += 9_000
  assert.deepEqual((await post('/auth/refresh/', { refresh: first.refresh })).json(), second)
  clock.ms += 2_000
  assert.equal((await post('/auth/refresh/', { refresh: first.refresh })).statusCode, 401)
  assert.equal((await get('/user/profile/', { authorization: `Bearer ${second.access}` })).statusCode, 401)
  assert.equal((await post('/auth/refresh/', { refresh: second.refresh })).statusCode, 401)
  const mails = await letters(2)
  assert.match(mails.join(), /you were logged out on one device/)
})

test('[OPEN-016] an access token lives 15 minutes and is then said to be expired', async t => {
  const { signIn, get, clock } = await accountTrial(t)
  const { access } = await signIn(person)
  const headers = { authorization: `Bearer ${access}` }
  clock.ms += 899_999
  assert.equal((await get('/user/profile/', headers)).statusCode, 200)
  clock.ms += 1
  const late = await get('/user/profile/', headers)
  assert.deepEqual([late.statusCode, late.json().detail], [401, 'Token expired'])
})

test('[AUT-046] [OPEN-004] a reset link sets a password once, and ends all sessions', async t => {
  const { signIn, post, links, get } = await accountTrial(t)
  const { access } = await signIn(person)
  const asked = await post('/auth/password-change/', { email: person.email })
  assert.deepEqual([asked.statusCode, asked.json().detail], [200, 'Password reset link sent to email.'])
  const unknown = await post('/auth/password-change/', { email: 'nobody@example.org' })
  assert.deepEqual([unknown.statusCode, unknown.body], [asked.statusCode, asked.body])
  const link = (await links(2)).find(text => text.includes('mode=reset')) ?? ''
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  const password = 'another secret'
  assert.equal((await post('/auth/password-reset/confirm/', { token, password })).statusCode, 200)
  const again = await post('/auth/password-reset/confirm/', { token, password })
  assert.deepEqual([again.statusCode, again.json().code], [400, 'invalid-link'])
  assert.equal((await get('/user/profile/', { authorization: `Bearer ${access}` })).statusCode, 401)
  assert.equal((await post('/auth/login/', person)).statusCode, 401)
  assert.equal((await post('/auth/login/', { ...person, password })).statusCode, 200)
})

test('[OPEN-020] weak passwords pass, empty ones and those over 1,024 bytes do not', async t => {
  const { post } = await accountTrial(t, { limits: { accountMailsPerQuarterHour: 100 } })
  const register = (password: unknown, n: number) => post('/auth/register/', { email: `p${n}@example.org`, password })
  for (const [n, password] of ['a', '1', ' ', 'é'.repeat(512), 'x'.repeat(1024)].entries())
    assert.equal((await register(password, n)).statusCode, 201, String(password).slice(0, 3))
  for (const password of ['', 'x'.repeat(1025), 'é'.repeat(513), 7, null, undefined, ['a'], '\ud800']) {
    const refused = await register(password, 99)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().detail, /password/)
  }
})

test('[OPEN-020] the eleventh wrong login within a quarter of an hour is 429 and says when to try again', async t => {
  const { post, signIn } = await accountTrial(t)
  await signIn(person)
  const guess = () => post('/auth/login/', { ...person, password: 'wrong' })
  for (let count = 0; count < 9; count++) assert.equal((await guess()).statusCode, 401)
  const slowed = await guess()
  assert.equal(slowed.statusCode, 429)
  assert.ok(Number(slowed.headers['retry-after']) > 0)
  assert.match(slowed.json().detail, /^Too many attempts\. Try again in \d+ minutes?\.$/)
})

test('U11: two who register one address with different passwords: who opens the link chooses one', async t => {
  const { post, links, get } = await accountTrial(t)
  await post('/auth/register/', { ...person, password: 'of the thief' })
  await post('/auth/register/', person)
  for (const link of await links(2)) {
    const opened = await get(link)
    assert.match(String(opened.headers.location), /^\/auth\/\?mode=reset&token=assay_link_/)
  }
  for (const password of ['of the thief', person.password])
    assert.equal((await post('/auth/login/', { ...person, password })).statusCode, 401)
})

test('U15: fifty who register one address at once make one account', async t => {
  const { post, store } = await accountTrial(t, { limits: { accountMailsPerQuarterHour: 100, queuedPasswords: 200 } })
  await Promise.all(Array.from({ length: 50 }, () => post('/auth/register/', person)))
  const rows = await store.use(db => db.selectFrom('account').selectAll().execute())
  assert.equal(rows.length, 1)
  assert.match(String(rows[0]?.password_hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('[OPEN-015] tokens and tools: a bad one is 401, a good one works', async t => {
  const { signIn, inject, clock } = await accountTrial(t)
  const { access } = await signIn(person)
  const call = async (authorization: string) => {
    const answer = await inject({
      method: 'POST',
      url: '/api/steps/',
      payload: { count: '1' },
      headers: { authorization },
    })
    return [answer.statusCode, answer.json().error]
  }
  assert.deepEqual(await call(`Bearer ${access}`), [200, undefined])
  for (const wrong of ['Bearer x', `Bearer ${access.slice(0, -1)}`, 'Bearer assay_key_aaaa'])
    assert.deepEqual(await call(wrong), [401, 'Unauthorized'])
  clock.ms += 900_000
  assert.deepEqual(await call(`Bearer ${access}`), [401, 'Token expired'])
})
