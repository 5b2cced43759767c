import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { accountTrial } from '../../test/account-trial.ts'
import { defaultLimits } from '../limits.ts'
import { type Store, StoreDown } from '../store/store.ts'
import { createPrincipals } from './principals.ts'
import { createSessions } from './sessions.ts'
import { createToken, hashOf, newId } from './tokens.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }

/** Principals over a store that is away, with the number of questions it was asked. */
function away() {
  const asked = { count: 0 }
  const clock = { ms: 1_000_000 }
  const use: Store['use'] = async () => {
    asked.count++
    throw new StoreDown(undefined)
  }
  const nothing = undefined as never
  const parts = {
    store: { use, open: nothing, scrub: nothing, close: nothing },
    outbox: nothing,
    passwords: nothing,
    mails: nothing,
    limits: defaultLimits,
    now: () => clock.ms,
  }
  return { ...createPrincipals({ ...parts, sessions: createSessions(parts) }), asked, clock }
}

test('X1: while the store is away one call a second waits for it, and all are nobody', async () => {
  const { find, asked, clock } = away()
  for (let i = 0; i < 20; i++) {
    for (const token of [createToken('access', newId()), createToken('key')])
      assert.equal(await find(`Bearer ${token}`), undefined)
  }
  assert.equal(asked.count, 1)
  clock.ms += defaultLimits.principalMs
  await find(`Bearer ${createToken('key')}`)
  assert.equal(asked.count, 2)
})

test('U12: what was never a token of ours is refused without a question to the store', async () => {
  const { find, asked } = away()
  const wrong = [
    'x',
    'x'.repeat(15_000),
    createToken('key').slice(0, -1),
    createToken('link'),
    createToken('refresh', newId()),
  ]
  for (const token of wrong) await assert.rejects(find(`Bearer ${token}`), { message: 'Unauthorized' })
  for (const header of [undefined, '', 'Basic YTpi']) assert.equal(await find(header), undefined)
  assert.equal(asked.count, 0)
})

test('X1: a store that can only be read still tells whose key it is', async t => {
  const { signIn, store, inject } = await accountTrial(t, { limits: { lightPerMinute: 1, keyFactor: 10 } })
  await signIn(person)
  const key = createToken('key')
  await store.use(async db => {
    const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow()
    const rest = { name: 'k', last_four: key.slice(-4), scopes: 'light', created_at: 0, expires_at: null }
    await db
      .insertInto('api_key')
      .values({ id: newId(), account: id, token: hashOf(key), last_used_at: null, ...rest })
      .execute()
    await sql`pragma query_only = on`.execute(db)
  })
  const headers = { authorization: `Bearer ${key}` }
  for (let i = 0; i < 5; i++) {
    const { statusCode } = await inject({ method: 'POST', url: '/api/steps/', payload: { count: '1' }, headers })
    assert.equal(statusCode, 200)
  }
})
