import assert from 'node:assert/strict'
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
