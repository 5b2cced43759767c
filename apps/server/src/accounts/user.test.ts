import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { type Seat, seat } from '../../test/seated.ts'
import type { ListedSession } from './session-list.ts'

const remove = (app: AccountTrial, url: string, { headers }: Seat) => app.inject({ method: 'DELETE', url, headers })

const sessions = async (app: AccountTrial, { headers }: Seat): Promise<ListedSession[]> =>
  (await app.get('/user/sessions/', headers)).json().sessions

test('sessions are listed without what stands in their tokens, the own one marked, the last used first', async t => {
  const app = await accountTrial(t)
  const first = await seat(app)
  app.clock.ms += 60_000
  const second = await seat(app, { account: first.account, client: 'Safari on iOS' })
  await seat(app)
  const listed = await sessions(app, first)
  assert.deepEqual(
    listed.map(({ id, ...rest }) => rest),
    [
      {
        created_at: new Date(app.clock.ms).toISOString(),
        last_used_at: new Date(app.clock.ms).toISOString(),
        client: 'Safari on iOS',
        current: false,
      },
      {
        created_at: new Date(app.clock.ms - 60_000).toISOString(),
        last_used_at: new Date(app.clock.ms - 60_000).toISOString(),
        client: 'Firefox on Linux',
        current: true,
      },
    ],
  )
  const bytes = (text: string) => Buffer.from(text.replace(/^assay_.._/, ''), 'base64url').toString('hex')
  for (const { id } of listed) {
    assert.match(id, /^[\w-]{43}$/)
    for (const { session, access, refresh } of [first, second])
      for (const secret of [session, access, refresh]) assert.ok(!bytes(secret).includes(bytes(id).slice(0, 16)))
  }
})

test('[OPEN-085] U7: a session that is ended elsewhere is dead at once, for the account and for tools', async t => {
  const app = await accountTrial(t)
  const here = await seat(app)
  const there = await seat(app, { account: here.account })
  const call = async ({ headers }: Seat) =>
    (await app.post('/api/steps/', { count: '1', wait: '0' }, headers)).statusCode
  assert.deepEqual([await call(here), await call(there)], [200, 200])
  const other = (await sessions(app, here)).find(({ current }) => !current)
  const ended = await remove(app, `/user/sessions/${other?.id}/`, here)
  assert.deepEqual([ended.statusCode, ended.json()], [200, { detail: 'Logged out there.' }])
  assert.equal((await app.get('/user/sessions/', there.headers)).statusCode, 401)
  assert.deepEqual([await call(here), await call(there)], [200, 401])
  assert.equal((await app.post('/auth/refresh/', { refresh: there.refresh })).statusCode, 401)
  assert.equal((await remove(app, `/user/sessions/${other?.id}/`, here)).statusCode, 404)
  const own = (await sessions(app, here))[0]
  assert.equal((await remove(app, `/user/sessions/${own?.id}/`, here)).statusCode, 200)
  assert.equal(await call(here), 401)
})

test('U7: after logging out, and after a reset, tools know at once', async t => {
  const app = await accountTrial(t)
  const call = async ({ headers }: Pick<Seat, 'headers'>) =>
    (await app.post('/api/steps/', { count: '1', wait: '0' }, headers)).statusCode
  const person = await seat(app, { email: 'ada@example.org' })
  const other = await seat(app, { account: person.account })
  assert.deepEqual([await call(person), await call(other)], [200, 200])
  assert.equal((await app.post('/auth/logout/', undefined, person.headers)).statusCode, 200)
  assert.deepEqual([await call(person), await call(other)], [401, 200])
  await app.post('/auth/password-change/', { email: 'ada@example.org' })
  const [link = ''] = await app.links(1)
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  assert.equal((await app.post('/auth/password-reset/confirm/', { token, password: 'another' })).statusCode, 200)
  assert.equal(await call(other), 401)
})

test('a session that ran out is not listed', async t => {
  const app = await accountTrial(t)
  const old = await seat(app)
  app.clock.ms += 2_592_000_000
  const fresh = await seat(app, { account: old.account })
  assert.deepEqual(
    (await sessions(app, fresh)).map(({ current }) => current),
    [true],
  )
})

test('the last thirty days are counted, those by a key and those of a session', async t => {
  const app = await accountTrial(t, { limits: { usageMs: 1 } })
  const person = await seat(app)
  const { key } = (await app.post('/user/keys/', { name: 'a' }, person.headers)).json()
  const usage = async () => (await app.get('/user/usage/', person.headers)).json().days
  const empty = await usage()
  assert.equal(empty.length, 30)
  assert.deepEqual(empty[29], { day: new Date(app.clock.ms).toISOString().slice(0, 10), requests: 0, failures: 0 })
  assert.deepEqual(
    empty.map(({ day }: { day: string }) => day),
    empty.map(({ day }: { day: string }) => day).toSorted(),
  )
  await app.post('/api/steps/', { count: '1', wait: '0' }, { authorization: `Bearer ${key}` })
  await app.post('/api/steps/', { count: 'x' }, person.headers)
  await app.post('/api/steps/', { count: '1', wait: '0' })
  const rows = () => app.store.use(db => db.selectFrom('usage').selectAll().execute())
  for (let n = 0; n < 500 && (await rows()).length < 3; n++) await new Promise(resolve => setTimeout(resolve, 10))
  const { day } = empty[29]
  const counted = () => app.store.use(db => db.selectFrom('usage_day').select('requests').executeTakeFirst())
  for (let n = 0; n < 500 && (await counted())?.requests !== 2; n++)
    await new Promise(resolve => setTimeout(resolve, 10))
  assert.deepEqual((await usage())[29], { day, requests: 2, failures: 1 })
  const [{ id } = { id: '' }] = (await app.get('/user/keys/', person.headers)).json().keys
  assert.deepEqual(
    (await rows()).map(({ account, api_key }) => [account, api_key]).toSorted(),
    [
      [person.account, id],
      [person.account, null],
      [null, null],
    ].toSorted(),
  )
})

/** Every address below /user/, with an id where there is one. */
const addresses = (id: string): ['GET' | 'POST' | 'DELETE', string, object?][] => [
  ['GET', '/user/profile/'],
  ['GET', '/user/sessions/'],
  ['DELETE', `/user/sessions/${id}/`],
  ['GET', '/user/keys/'],
  ['POST', '/user/keys/', { name: 'a' }],
  ['DELETE', `/user/keys/${id}/`],
  ['GET', '/user/export/'],
  ['GET', '/user/usage/'],
]

test('U14: nobody sees or changes what belongs to somebody else', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 10_000, exportsPerHour: 1_000 } })
  const [ada, eve] = [await seat(app), await seat(app)]
  const key = (await app.post('/user/keys/', { name: 'of ada' }, ada.headers)).json()
  const before = await app.store.use(async db => [
    await db.selectFrom('session').selectAll().where('account', '=', ada.account).execute(),
    await db.selectFrom('api_key').selectAll().where('account', '=', ada.account).execute(),
    await db.selectFrom('account').selectAll().where('id', '=', ada.account).execute(),
  ])
  const [{ id: session = '' } = {}] = await sessions(app, ada)
  const { token = '' } = (await app.store.use(db => db.selectFrom('api_key').select('token').executeTakeFirst())) ?? {}
  const ids = [session, key.id, key.key, token, ada.session, ada.account, ada.access, eve.account]
  const malformed = [
    'x',
    '0',
    '-1',
    '%00',
    '%F0%9F%97%9D',
    "'%20or%201=1--",
    '%25',
    '..%2f',
    'a'.repeat(2_000),
    '*',
    '%20',
  ]
  for (const id of [...ids, ...malformed, session.toLowerCase(), `${session}%20`]) {
    for (const [method, url, payload] of addresses(id)) {
      const answer = await app.inject({ method, url, headers: eve.headers, ...(payload && { payload }) })
      const isOne = /(?:sessions|keys)\/./.test(url)
      assert.ok(
        isOne ? answer.statusCode === 404 : answer.statusCode < 300 || answer.statusCode === 409,
        `${url} ${answer.body}`,
      )
      for (const secret of [session, key.id, ada.account, 'of ada']) assert.ok(!answer.body.includes(secret))
    }
    for (const name of ['account', 'id', 'user'])
      assert.ok(!(await app.get(`/user/keys/?${name}=${id}`, eve.headers)).body.includes('of ada'))
  }
  assert.equal((await remove(app, `/user/keys/${'a'.repeat(2_200)}/`, eve)).statusCode, 414)
  const after = await app.store.use(async db => [
    await db.selectFrom('session').selectAll().where('account', '=', ada.account).execute(),
    await db.selectFrom('api_key').selectAll().where('account', '=', ada.account).execute(),
    await db.selectFrom('account').selectAll().where('id', '=', ada.account).execute(),
  ])
  assert.deepEqual(after, before)
})

test('U14: fields that an address does not know are refused, so that none is set by accident', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 1_000 } })
  const [ada, eve] = [await seat(app), await seat(app)]
  const more = ['id', 'account', 'token', 'key', 'last_four', 'created_at', 'expires_at', 'last_used_at', 'constructor']
  for (const name of more) {
    const refused = await app.post('/user/keys/', { name: 'a', [name]: eve.account }, ada.headers)
    assert.deepEqual([refused.statusCode, refused.json().code], [400, 'invalid-input'], name)
    assert.match(refused.json().detail, /and no other fields\.$/)
  }
  for (const body of ['{"name":"a","__proto__":{"scopes":["scan"]}}', '[]', '"a"', '7', 'null', '{', '']) {
    const refused = await app.inject({
      method: 'POST',
      url: '/user/keys/',
      headers: { ...ada.headers, 'content-type': 'application/json' },
      payload: body,
    })
    assert.equal(refused.statusCode, 400, body)
    assert.equal(typeof refused.json().detail, 'string')
  }
  assert.deepEqual((await app.get('/user/keys/', ada.headers)).json(), { keys: [] })
})

test('nobody who is not signed in gets further, and no answer is kept', async t => {
  const app = await accountTrial(t)
  const person = await seat(app)
  for (const [method, url, payload] of [...addresses('x'), ['DELETE', '/user/profile/', {}] as const]) {
    for (const authorization of [undefined, 'Bearer x', `Basic ${person.access}`, person.access]) {
      const headers = { accept: 'application/json', ...(authorization && { authorization }) }
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
      assert.deepEqual([answer.statusCode, answer.json().code], [401, 'unauthorized'], `${method} ${url}`)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
    const other = await app.inject({ method: 'PUT', url, headers: person.headers })
    assert.equal(other.statusCode, 405)
    assert.ok(String(other.headers.allow).split(', ').includes(method), `${other.headers.allow}`)
  }
  app.clock.ms += 900_000
  const late = await app.get('/user/keys/', person.headers)
  assert.deepEqual([late.statusCode, late.json().detail], [401, 'Token expired'])
})

test('a client that asks without end is slowed', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 5 } })
  const person = await seat(app)
  const answers: LightMyRequestResponse[] = []
  for (let n = 0; n < 6; n++) answers.push(await app.get('/user/keys/', person.headers))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200, 429],
  )
  assert.ok(Number(answers[5]?.headers['retry-after']) > 0)
})

test('an account exports some times an hour, and another one does not have to wait for that', async t => {
  const app = await accountTrial(t, { limits: { exportsPerHour: 2 } })
  const [ada, eve] = [await seat(app), await seat(app)]
  const codes: number[] = []
  for (const { headers } of [ada, ada, ada, eve]) codes.push((await app.get('/user/export/', headers)).statusCode)
  assert.deepEqual(codes, [200, 200, 429, 200])
})
