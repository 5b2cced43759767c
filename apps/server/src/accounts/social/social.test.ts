import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accountTrial } from '../../../test/account-trial.ts'
import { pairOf, socialTrial } from '../../../test/social-trial.ts'

const names = { google: 'Google', github: 'GitHub' } as const
const providers = ['google', 'github'] as const

for (const id of providers) {
  test(`[AUT-048] [AUT-049] [AUT-050] [OPEN-018] sign in by ${names[id]}: there, back with a pair, and in`, async t => {
    const { browser, get, lines } = await socialTrial(t)
    const own = browser()
    const asked = await own.open(`/auth/${id}/login/`)
    const there = new URL(String(asked.headers.location))
    assert.equal(there.searchParams.get('redirect_uri'), `https://assay.example/auth/${id}/complete/`)
    assert.equal(there.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(there.searchParams.has('nonce'), id === 'google')
    const back = await own.open(await own.leave(id))
    assert.equal(back.statusCode, 302)
    assert.equal(back.headers['cache-control'], 'no-store')
    assert.equal(back.headers['referrer-policy'], 'no-referrer')
    const address = String(back.headers.location)
    assert.match(
      address,
      new RegExp(`^/auth/${id}/callback/\\?access=assay_return_[\\w-]+&refresh=assay_return_[\\w-]+$`),
    )
    const redeemed = await own.redeem(pairOf(address), { 'user-agent': 'Firefox/150.0 Linux' })
    assert.equal(redeemed.statusCode, 200)
    assert.equal(redeemed.headers['cache-control'], 'no-store')
    const { access } = redeemed.json()
    const profile = await get('/user/profile/', { authorization: `Bearer ${access}` })
    assert.deepEqual(
      [profile.json().email, profile.json().email_verified, profile.json().providers],
      ['ada@example.org', true, [id]],
    )
    const log = JSON.stringify(lines)
    const secrets = ['state', 'code_challenge', 'nonce'].flatMap(name => there.searchParams.get(name) ?? [])
    for (const secret of [...Object.values(pairOf(address)), ...secrets, 'code=', 'ada@'])
      assert.ok(!log.includes(secret), secret)
    assert.ok(log.includes(`"route":"/auth/${id}/complete/"`))
  })
}

test('[OPEN-018] the session says by whom it was begun', async t => {
  const { browser, store } = await socialTrial(t)
  await browser().signIn('github')
  const sessions = await store.use(db => db.selectFrom('session').select('provider').execute())
  assert.deepEqual(
    sessions.map(session => session.provider),
    ['github'],
  )
})

test('[OPEN-019] without a client the buttons lead back to the form, which says why', async t => {
  const { get } = await accountTrial(t)
  for (const id of providers) {
    const answer = await get(`/auth/${id}/login/`)
    assert.equal(answer.statusCode, 302)
    assert.equal(answer.headers.location, `/auth/?error=provider_unavailable&provider=${id}`)
    assert.equal((await get(`/auth/${id}/complete/?code=a&state=b`)).headers.location, answer.headers.location)
  }
})

test('X1: without the store the buttons and the way back lead to the form', async t => {
  const { browser, store, folder } = await socialTrial(t)
  const own = browser()
  const path = await own.leave('google')
  await store.close()
  const database = join(folder, 'assay.db')
  rmSync(database)
  mkdirSync(database)
  for (const address of ['/auth/google/login/', path]) {
    const answer = await own.open(address)
    assert.equal(answer.headers.location, '/auth/?error=provider_failed&provider=google')
  }
  const redeemed = await own.redeem({ access: 'a', refresh: 'b' })
  assert.equal(redeemed.statusCode, 503)
})

test('[OPEN-009] who presses the button too often is told when to try again', async t => {
  const { get } = await socialTrial(t, { limits: { accountCallsPerMinute: 3 } })
  for (let count = 0; count < 3; count++) assert.equal((await get('/auth/github/login/')).statusCode, 302)
  const slowed = await get('/auth/github/login/')
  assert.equal(slowed.statusCode, 429)
  assert.ok(Number(slowed.headers['retry-after']) > 0)
  assert.match(slowed.json().detail, /^Too many attempts\. Try again in/)
})

test('[OPEN-018] on a site without TLS the cookie does without the prefix that browsers take by https only', async t => {
  const { browser } = await socialTrial(t, { settings: { base: 'http://127.0.0.1:8080' } })
  const own = browser()
  const { headers } = await own.open('/auth/github/login/')
  assert.match(String(headers['set-cookie']), /^oauth=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax$/)
  await own.signIn('google')
})
