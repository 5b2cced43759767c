import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { onBothStores } from '../../test/both-stores.ts'
import { type Seat, seat } from '../../test/seated.ts'
import { defaultLimits } from '../limits.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }
const limits = { accountMailsPerQuarterHour: 1e6, accountMailsPerHour: 1e6, accountCallsPerMinute: 1e6 }

/** Which doors still take the tokens of a session. */
async function doorsOpen(
  trial: AccountTrial,
  { headers, refresh }: Pick<Seat, 'headers' | 'refresh'>,
): Promise<string[]> {
  const open: string[] = []
  for (const url of ['/user/profile/', '/user/sessions/', '/user/keys/', '/user/usage/', '/user/export/'])
    if ((await trial.get(url, headers)).statusCode !== 401) open.push(url)
  if ((await trial.post('/user/keys/', { name: 'x' }, headers)).statusCode !== 401) open.push('POST /user/keys/')
  if ((await trial.post('/auth/refresh/', { refresh })).statusCode !== 401) open.push('/auth/refresh/')
  const tool = await trial.inject({ method: 'POST', url: '/api/steps/', payload: { count: '1' }, headers })
  if (tool.statusCode !== 401) open.push('a tool')
  return open
}

/** Tools believe what they found out for so long; it is a part of the second that the goal allows. */
const settle = ({ clock }: AccountTrial) => {
  clock.ms += defaultLimits.principalMs
}

onBothStores('U7: what ends a session', newPlace => {
  const begin = async (t: Parameters<typeof accountTrial>[0]) => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits })
    const first = await trial.signIn(person)
    const { id } = await trial.store.use(db => db.selectFrom('account').select('id').executeTakeFirstOrThrow())
    const mine = { refresh: first.refresh, headers: { authorization: `Bearer ${first.access}` } }
    const seats = [mine, await seat(trial, { account: id }), await seat(trial, { account: id })]
    // So that each is remembered where tokens are remembered; a busy machine may have no time for the tool itself.
    for (const { headers } of seats) {
      const tool = await trial.inject({ method: 'POST', url: '/api/steps/', payload: { count: '1' }, headers })
      assert.notEqual(tool.statusCode, 401)
    }
    return { trial, mine, seats, id }
  }

  test('U7: after logging out none of its tokens is taken, and the other sessions live', async t => {
    const { trial, mine, seats } = await begin(t)
    assert.equal((await trial.post('/auth/logout/', undefined, mine.headers)).statusCode, 200)
    settle(trial)
    assert.deepEqual(await doorsOpen(trial, mine), [])
    for (const other of seats.slice(1)) assert.equal((await trial.get('/user/profile/', other.headers)).statusCode, 200)
  })

  test('U7: after a new password no token of any session is taken', async t => {
    const { trial, seats } = await begin(t)
    const before = await trial.links(0)
    await trial.post('/auth/password-change/', { email: person.email })
    let path: string | undefined
    for (let tries = 0; tries < 500 && !path; tries++) {
      path = (await trial.links(0)).find(link => !before.includes(link))
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    const token = path?.split('token=')[1]
    assert.equal((await trial.post('/auth/password-reset/confirm/', { token, password: 'new' })).statusCode, 200)
    settle(trial)
    for (const one of seats) assert.deepEqual(await doorsOpen(trial, one), [])
  })

  test('U7: after the account is deleted no token of any session is taken', async t => {
    const { trial, mine, seats } = await begin(t)
    const answer = await trial.inject({
      method: 'DELETE',
      url: '/user/profile/',
      payload: { password: person.password },
      headers: mine.headers,
    })
    assert.equal(answer.statusCode, 200, answer.body)
    settle(trial)
    for (const one of seats) assert.deepEqual(await doorsOpen(trial, one), [])
    assert.equal((await trial.post('/auth/login/', person)).statusCode, 401)
  })

  test('U7: a session that another one ends is over', async t => {
    const { trial, mine, seats } = await begin(t)
    const { sessions } = (await trial.get('/user/sessions/', mine.headers)).json()
    assert.equal(sessions.length, 3)
    for (const { id, current } of sessions)
      if (!current)
        assert.ok(
          (await trial.inject({ method: 'DELETE', url: `/user/sessions/${id}/`, headers: mine.headers })).statusCode <
            300,
        )
    settle(trial)
    for (const other of seats.slice(1)) assert.deepEqual(await doorsOpen(trial, other), [])
    assert.equal((await trial.get('/user/profile/', mine.headers)).statusCode, 200)
  })
})
