import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { onBothStores } from '../../test/both-stores.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }
const unlimited = {
  accountMailsPerQuarterHour: 10_000,
  accountMailsPerHour: 10_000,
  accountCallsPerMinute: 100_000,
  loginsPerQuarterHour: 10_000,
  clientLoginsPerQuarterHour: 10_000,
  guessesPerHour: 10_000,
  queuedPasswords: 1_000,
}

const bearer = (access: string) => ({ authorization: `Bearer ${access}` })
const times = <T>(count: number, work: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => work(i))

/** Of reset links that are asked for now. */
async function newResetTokens({ post, links }: AccountTrial, count: number): Promise<string[]> {
  const before = await links(0)
  for (let i = 0; i < count; i++) await post('/auth/password-change/', { email: person.email })
  for (let tries = 0; tries < 500; tries++) {
    const fresh = (await links(0)).filter(path => path.includes('mode=reset') && !before.includes(path))
    if (fresh.length >= count) return fresh.map(path => path.split('token=')[1] ?? '')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('the mails never came')
}

onBothStores('accounts under races', newPlace => {
  const begin = async (t: Parameters<typeof accountTrial>[0]) =>
    accountTrial(t, { ...(await newPlace()), limits: unlimited })

  test('U8: of two reset links opened at the same moment, each is answered and nothing else is held up', async t => {
    const trial = await begin(t)
    await trial.signIn(person)
    for (let round = 0; round < 5; round++) {
      const tokens = await newResetTokens(trial, 2)
      const answers = await Promise.all(
        tokens.map((token, i) => trial.post('/auth/password-reset/confirm/', { token, password: `secret ${i}` })),
      )
      for (const { statusCode, body } of answers) assert.ok([200, 400].includes(statusCode), `${statusCode} ${body}`)
      assert.ok(answers.some(({ statusCode }) => statusCode === 200))
    }
  })

  test('U7: a login with the old password while a reset is under way leaves no session', async t => {
    const trial = await begin(t)
    await trial.signIn(person)
    let password = person.password
    for (let round = 0; round < 4; round++) {
      const [token] = await newResetTokens(trial, 1)
      const old = password
      password = `secret number ${round}`
      const reset = trial.post('/auth/password-reset/confirm/', { token, password })
      const logins = await Promise.all(times(6, () => trial.post('/auth/login/', { ...person, password: old })))
      assert.equal((await reset).statusCode, 200)
      for (const login of logins) {
        assert.ok([200, 401].includes(login.statusCode), login.body)
        if (login.statusCode === 200)
          assert.equal((await trial.get('/user/profile/', bearer(login.json().access))).statusCode, 401)
      }
    }
  })

  test('U7: a login while the account is deleted is refused like any other', async t => {
    const trial = await begin(t)
    for (let round = 0; round < 4; round++) {
      await trial.signIn(person)
      const logins = times(5, () => trial.post('/auth/login/', person))
      await new Promise(resolve => setTimeout(resolve, 20 + 25 * round))
      await trial.store.use(db => db.deleteFrom('account').where('email', '=', person.email).execute())
      for (const { statusCode, body } of await Promise.all(logins))
        assert.ok([200, 401].includes(statusCode), `${statusCode} ${body}`)
      const left = await trial.store.use(db => db.selectFrom('session').select('id').execute())
      assert.deepEqual(left, [])
    }
  })

  test('U6: a stolen token that is used fifty times at once ends the session once, and one mail says so', async t => {
    const trial = await begin(t)
    const first = await trial.signIn(person)
    const second = (await trial.post('/auth/refresh/', { refresh: first.refresh })).json()
    await trial.post('/auth/refresh/', { refresh: second.refresh })
    const answers = await Promise.all(times(50, () => trial.post('/auth/refresh/', { refresh: first.refresh })))
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [401])
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.equal((await trial.letters(2)).filter(text => text.includes('logged out on one device')).length, 1)
  })

  test('U6: logging out while a tab renews its tokens warns nobody of a thief', async t => {
    const trial = await begin(t)
    await trial.signIn(person)
    for (let round = 0; round < 10; round++) {
      const { access, refresh } = (await trial.post('/auth/login/', person)).json()
      const renewals = times(3, () => trial.post('/auth/refresh/', { refresh }))
      await trial.post('/auth/logout/', undefined, bearer(access))
      await Promise.all(renewals)
    }
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.deepEqual(
      (await trial.letters(1)).filter(text => text.includes('logged out on one device')),
      [],
    )
  })

  test('U7: logging out with a token that was just renewed says so, and is never a promise that is not kept', async t => {
    const trial = await begin(t)
    const first = await trial.signIn(person)
    const second = (await trial.post('/auth/refresh/', { refresh: first.refresh })).json()
    assert.equal((await trial.post('/auth/logout/', undefined, bearer(first.access))).statusCode, 401)
    assert.equal((await trial.get('/user/profile/', bearer(second.access))).statusCode, 200)
    assert.equal((await trial.post('/auth/logout/', undefined, bearer(second.access))).statusCode, 200)
    for (const { access } of [first, second])
      assert.equal((await trial.post('/auth/logout/', undefined, bearer(access))).statusCode, 200)
  })

  test('U11: whoever registers again and again at once cannot bring a password back that was set aside', async t => {
    const trial = await begin(t)
    for (let round = 0; round < 4; round++) {
      const email = `both${round}@example.org`
      await trial.post('/auth/register/', { email, password: 'of the thief' })
      await Promise.all([
        ...times(4, () => trial.post('/auth/register/', { email, password: 'of the thief' })),
        trial.post('/auth/register/', { email, password: 'of the owner' }),
      ])
      const { password_hash } = await trial.store.use(db =>
        db.selectFrom('account').select('password_hash').where('email', '=', email).executeTakeFirstOrThrow(),
      )
      assert.equal(password_hash, null)
    }
  })

  test('A7: many right logins before the address is verified bring one mail', async t => {
    const trial = await begin(t)
    await trial.post('/auth/register/', person)
    trial.clock.ms += 300_000
    await Promise.all(times(20, () => trial.post('/auth/login/', person)))
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.equal((await trial.letters(2)).length, 2)
  })

  test('U15: fifteen at once register one address, twice over', async t => {
    const trial = await begin(t)
    for (let round = 0; round < 2; round++) {
      const email = `many${round}@example.org`
      const answers = await Promise.all(times(15, () => trial.post('/auth/register/', { ...person, email })))
      assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [201])
    }
    const rows = await trial.store.use(db => db.selectFrom('account').select('email').execute())
    assert.equal(rows.length, 2)
  })

  test('a new session is kept however the clock was set back', async t => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits: { ...unlimited, sessionsPerAccount: 3 } })
    await trial.signIn(person)
    for (let i = 0; i < 3; i++) await trial.post('/auth/login/', person)
    trial.clock.ms -= 3_600_000
    const { access } = (await trial.post('/auth/login/', person)).json()
    assert.equal((await trial.get('/user/profile/', bearer(access))).statusCode, 200)
  })
})
