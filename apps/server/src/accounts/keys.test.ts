import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { type AccountTrial, type AccountTrialOptions, accountTrial } from '../../test/account-trial.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { type Seat, seat } from '../../test/seated.ts'
import { defaultLimits } from '../limits.ts'
import { createStore } from '../store/store.ts'
import type { MadeKey } from './keys.ts'
import { hashOf } from './tokens.ts'

const DAY_MS = 86_400_000
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function made(app: AccountTrial, { headers }: Seat, wanted: object = { name: 'build' }): Promise<MadeKey> {
  const answer = await app.post('/user/keys/', wanted, headers)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

async function listed(app: AccountTrial, { headers }: Seat): Promise<MadeKey[]> {
  const answer = await app.get('/user/keys/', headers)
  assert.equal(answer.statusCode, 200)
  return answer.json().keys
}

const call = (app: AccountTrial, token: string) => app.post('/api/steps/', { count: '1', wait: '0' }, bearer(token))

async function outcome(app: AccountTrial, token: string) {
  const answer = await call(app, token)
  return [answer.statusCode, answer.json().error]
}

function sameOnBoth(place: () => Promise<AccountTrialOptions>) {
  const start = async (t: TestContext, options: AccountTrialOptions = {}) =>
    accountTrial(t, { ...(await place()), ...options })

  test('[OPEN-015] [PRV-004] a key is shown once, calls a tool, is listed by its last four, and revoked is 401', async t => {
    const app = await start(t)
    const person = await seat(app)
    const { key, ...rest } = await made(app, person, { name: ' build server ', expires_in_days: 30 })
    assert.match(key, /^assay_key_[\w-]{48}$/)
    assert.deepEqual(rest, {
      id: rest.id,
      name: 'build server',
      last_four: key.slice(-4),
      scopes: ['light', 'lookup', 'scan'],
      created_at: new Date(app.clock.ms).toISOString(),
      expires_at: new Date(app.clock.ms + 30 * DAY_MS).toISOString(),
      last_used_at: null,
    })
    assert.deepEqual(await listed(app, person), [rest])
    assert.deepEqual(await outcome(app, key), [200, undefined])
    assert.deepEqual(await listed(app, person), [{ ...rest, last_used_at: new Date(app.clock.ms).toISOString() }])
    const gone = await app.inject({ method: 'DELETE', url: `/user/keys/${rest.id}/`, headers: person.headers })
    assert.deepEqual([gone.statusCode, gone.json()], [200, { detail: 'Key revoked.' }])
    assert.deepEqual(await outcome(app, key), [401, 'Unauthorized'])
    assert.deepEqual(await listed(app, person), [])
  })

  test('U12: what stands in the database opens nothing', async t => {
    const app = await start(t)
    const person = await seat(app)
    const { key } = await made(app, person)
    const [row] = await app.store.use(db => db.selectFrom('api_key').selectAll().execute())
    assert.ok(row)
    assert.equal(row.token, hashOf(key))
    const values = [...Object.values(row), person.session, hashOf(person.access), hashOf(person.refresh)]
    for (const value of values) {
      for (const token of [`${value}`, `assay_key_${value}`, `assay_at_${value}`]) {
        if (/\s/.test(token)) continue
        assert.deepEqual(await outcome(app, token), [401, 'Unauthorized'], token)
        assert.equal((await app.get('/user/keys/', bearer(token))).statusCode, 401)
      }
    }
    assert.ok(!JSON.stringify(row).includes(key))
  })

  test('U15: fifty keys wanted at once are twenty keys', async t => {
    const app = await start(t, { limits: { accountCallsPerMinute: 1_000 } })
    const person = await seat(app)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => app.post('/user/keys/', { name: `key ${n}` }, person.headers)),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    assert.equal(codes.filter(code => code === 201).length, 20)
    assert.equal(codes.filter(code => code === 409).length, 30)
    assert.match(answers.find(({ statusCode }) => statusCode === 409)?.json().detail, /at most 20 keys\. Revoke one/)
    const [first] = await listed(app, person)
    const revoke = () => app.inject({ method: 'DELETE', url: `/user/keys/${first?.id}/`, headers: person.headers })
    const revoked = await Promise.all(Array.from({ length: 50 }, revoke))
    assert.equal(revoked.filter(({ statusCode }) => statusCode === 200).length, 1)
    assert.equal(revoked.filter(({ statusCode }) => statusCode === 404).length, 49)
    await made(app, person)
    assert.equal((await listed(app, person)).length, 20)
    const other = await seat(app)
    await made(app, other)
  })

  test('U7: what was ended at one process is dead at another within a second', async t => {
    const options = await place()
    const one = await accountTrial(t, options)
    const store = createStore({ folder: one.folder, address: options.address, timeoutMs: 5_000, connections: 4 })
    const two = await accountTrial(t, { store, now: () => new Date(one.clock.ms) })
    const here = await seat(one)
    const there = await seat(one, { account: here.account })
    const { key, id } = await made(one, here)
    for (const token of [key, there.access]) assert.deepEqual(await outcome(two, token), [200, undefined])
    const [session] = (await one.get('/user/sessions/', here.headers))
      .json()
      .sessions.filter(({ current }: { current: boolean }) => !current)
    for (const url of [`/user/keys/${id}/`, `/user/sessions/${session.id}/`])
      assert.equal((await one.inject({ method: 'DELETE', url, headers: here.headers })).statusCode, 200)
    assert.equal((await two.get('/user/keys/', there.headers)).statusCode, 401, 'where it counts most it is at once')
    one.clock.ms += defaultLimits.principalMs
    for (const token of [key, there.access]) assert.deepEqual(await outcome(two, token), [401, 'Unauthorized'])
    assert.deepEqual(await outcome(two, here.access), [200, undefined])
  })

  test('a key that expires works to the last second, then it is 401 and is still listed', async t => {
    const app = await start(t)
    const person = await seat(app)
    const { key } = await made(app, person, { name: 'short', expires_in_days: 1 })
    app.clock.ms += DAY_MS - 1
    assert.deepEqual(await outcome(app, key), [200, undefined])
    app.clock.ms += defaultLimits.principalMs
    assert.deepEqual(await outcome(app, key), [401, 'Unauthorized'])
    assert.equal((await listed(app, await seat(app, { account: person.account }))).length, 1)
  })

  test('the last use is written once a minute, however many calls there are', async t => {
    const app = await start(t)
    const person = await seat(app)
    const { key } = await made(app, person)
    const first = app.clock.ms
    const seen = new Set<string | null>()
    for (let n = 0; n < 40; n++) {
      await call(app, key)
      const [row] = await app.store.use(db => db.selectFrom('api_key').select('last_used_at').execute())
      seen.add(String(row?.last_used_at))
      app.clock.ms += 3_000
    }
    assert.deepEqual([...seen], [`${first}`, `${first + 60_000}`])
  })
}

describe('keys in a folder', () => sameOnBoth(async () => ({})))

describe('keys in PostgreSQL', { skip: !postgresPrograms && 'the package postgresql is not installed' }, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server.stop())
  sameOnBoth(async () => ({ address: await server.create() }))
})

test('what a key may be called, may do and how long it lives', async t => {
  const app = await accountTrial(t, { limits: { keysPerAccount: 100, accountCallsPerMinute: 1_000 } })
  const person = await seat(app)
  for (const name of [
    'a',
    'x'.repeat(60),
    'Ключ für 東京 🗝️',
    "'; drop table api_key; --",
    '<img src=x>',
    '\u{1f426}'.repeat(60),
  ])
    assert.equal((await made(app, person, { name })).name, name)
  const names = [
    '',
    ' ',
    'x'.repeat(61),
    'a\nb',
    'a\0b',
    'a\u202eb',
    'a\u2066b',
    'a\u2028b',
    '\ud800',
    '\u200b',
    '\u061c a',
  ]
  for (const name of [...names, 7, null, undefined, ['a'], { a: 1 }]) {
    const refused = await app.post('/user/keys/', { name }, person.headers)
    assert.deepEqual(
      [refused.statusCode, refused.json().detail],
      [400, 'Enter a name on one line, of at most 60 characters.'],
      JSON.stringify(name),
    )
  }
  const scoped = await made(app, person, { name: 'a', scopes: ['scan', 'light', 'scan'] })
  assert.deepEqual(scoped.scopes, ['light', 'scan'])
  for (const scopes of [
    [],
    ['all'],
    ['light', 'admin'],
    'light',
    null,
    [['light']],
    { 0: 'light', length: 1 },
    [null],
  ]) {
    const refused = await app.post('/user/keys/', { name: 'a', scopes }, person.headers)
    assert.equal(refused.statusCode, 400, JSON.stringify(scopes))
    assert.match(refused.json().detail, /^Choose one or more scopes out of light, lookup, scan/)
  }
  for (const expires_in_days of [1, 3_650]) await made(app, person, { name: 'a', expires_in_days })
  assert.equal((await made(app, person, { name: 'a', expires_in_days: null })).expires_at, null)
  for (const expires_in_days of [0, -1, 3_651, 1.5, '30', true, [], 1e300]) {
    const refused = await app.post('/user/keys/', { name: 'a', expires_in_days }, person.headers)
    assert.equal(refused.statusCode, 400, JSON.stringify(expires_in_days))
    assert.match(refused.json().detail, /^Choose a whole number of days from 1 to 3650/)
  }
})

test('a key works at every door: lookups by GET, tools by POST, files, event streams, assistants', async t => {
  const app = await accountTrial(t, { recording: { zone: 'example.com. A 192.0.2.1' } })
  const { key } = await made(app, await seat(app))
  const bad = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  const form = [
    '--bound',
    'Content-Disposition: form-data; name="file"; filename="a"',
    'Content-Type: application/octet-stream',
    '',
    'text',
    '--bound--',
    '',
  ].join('\r\n')
  const mcp = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'steps', arguments: { count: 1, wait: 0 } },
  }
  const doors: ((headers: Record<string, string>) => Promise<LightMyRequestResponse>)[] = [
    headers => app.get('/api/look/example.com/', headers),
    headers => app.post('/api/steps/', { count: '1' }, headers),
    headers => app.post('/api/steps/', { count: '1' }, { ...headers, accept: 'text/event-stream' }),
    headers =>
      app.inject({
        method: 'POST',
        url: '/api/count/',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=bound' },
        payload: form,
      }),
    headers => app.post('/mcp/', mcp, { ...headers, accept: 'application/json, text/event-stream' }),
  ]
  for (const [n, door] of doors.entries()) {
    const good = await door(bearer(key))
    assert.equal(good.statusCode, 200, `${n} ${good.body}`)
    for (const wrong of [bad, 'x', '', `${key} ${key}`, `${key},x`]) {
      const refused = await door({ authorization: `Bearer ${wrong}` })
      assert.deepEqual([refused.statusCode, refused.json()], [401, { error: 'Unauthorized', code: 'unauthorized' }])
    }
  }
  // What a proxy in front asks for is not ours to judge.
  assert.equal((await app.get('/api/look/example.com/', { authorization: 'Basic YTpi' })).statusCode, 200)
})

test('U12: a key in an address or a body is not taken', async t => {
  const app = await accountTrial(t, { recording: { zone: 'example.com. A 192.0.2.1' } })
  const person = await seat(app)
  const { key } = await made(app, person)
  for (const name of ['access_token', 'api_key', 'key', 'token', 'authorization']) {
    const inQuery = await app.get(`/api/look/example.com/?${name}=${key}`)
    assert.deepEqual([inQuery.statusCode, inQuery.body.includes(key)], [400, false])
    const inBody = await app.post('/api/steps/', { count: '1', [name]: key })
    assert.deepEqual([inBody.statusCode, inBody.body.includes(key)], [400, false])
    assert.equal((await app.get(`/user/keys/?${name}=${person.access}`)).statusCode, 401)
  }
  await app.get('/api/look/example.com/', { 'x-api-key': key, cookie: `access=${key}` })
  assert.equal((await listed(app, person))[0]?.last_used_at, null, 'nobody was recognised')
})

test('a key opens no address of the account, and an access token is no key', async t => {
  const app = await accountTrial(t)
  const person = await seat(app)
  const { key, id } = await made(app, person)
  const addresses: [method: 'GET' | 'POST' | 'DELETE', url: string][] = [
    ['GET', '/user/profile/'],
    ['DELETE', '/user/profile/'],
    ['GET', '/user/export/'],
    ['GET', '/user/usage/'],
    ['GET', '/user/sessions/'],
    ['DELETE', '/user/sessions/x/'],
    ['GET', '/user/keys/'],
    ['POST', '/user/keys/'],
    ['DELETE', `/user/keys/${id}/`],
  ]
  for (const [method, url] of addresses) {
    const payload = method === 'GET' ? {} : { payload: '{}' }
    const headers = { 'content-type': 'application/json' }
    for (const token of [key, person.refresh]) {
      const answer = await app.inject({ method, url, headers: { ...headers, ...bearer(token) }, ...payload })
      assert.deepEqual([answer.statusCode, answer.json().code], [401, 'unauthorized'], `${method} ${url}`)
    }
  }
  assert.equal((await app.post('/auth/refresh/', { refresh: key })).statusCode, 401)
  await app.post('/auth/logout/', undefined, bearer(key))
  assert.equal((await listed(app, person)).length, 1)
})

test('a key calls the kinds of tools it was made for, and is 403 for the others', async t => {
  const app = await accountTrial(t, { recording: { zone: 'example.com. A 192.0.2.1' } })
  const person = await seat(app)
  const tools = {
    light: (headers: Record<string, string>) => app.post('/api/steps/', { count: '1' }, headers),
    lookup: (headers: Record<string, string>) => app.get('/api/look/example.com/', headers),
    scan: (headers: Record<string, string>) => app.get('/api/sweep/192.0.2.1/', headers),
  }
  for (const own of ['light', 'lookup', 'scan'] as const) {
    const { key } = await made(app, person, { name: own, scopes: [own] })
    for (const [kind, ask] of Object.entries(tools)) {
      const answer = await ask(bearer(key))
      if (kind === own) assert.equal(answer.statusCode, 200, `${kind} ${answer.body}`)
      else assert.deepEqual([answer.statusCode, answer.json().error], [403, 'Forbidden'], kind)
    }
  }
})

test('an account calls ten times as often by its keys, and twenty keys are no more than one', async t => {
  const app = await accountTrial(t, { limits: { lightPerMinute: 3, accountCallsPerMinute: 1_000 } })
  const person = await seat(app)
  const keys = await Promise.all(Array.from({ length: 20 }, () => made(app, person)))
  const inline = (headers: Record<string, string>) =>
    app.post('/api/price/', { milliseconds: 0, megabytes: 0 }, headers)
  const codes: number[] = []
  for (let n = 0; n < 40; n++) codes.push((await inline(bearer(keys[n % 20]?.key ?? ''))).statusCode)
  assert.equal(codes.filter(code => code === 200).length, 30)
  assert.deepEqual(new Set(codes.slice(30)), new Set([429]))
  const open: number[] = []
  for (let n = 0; n < 4; n++) open.push((await inline({})).statusCode)
  assert.deepEqual(open, [200, 200, 200, 429], 'the address has its own share')
  const { key } = await made(app, await seat(app))
  assert.equal((await inline(bearer(key))).statusCode, 200, 'and so has another account')
})
