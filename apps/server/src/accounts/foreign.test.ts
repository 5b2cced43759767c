import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { type Seat, seat } from '../../test/seated.ts'

const person = { email: 'ada@example.org', password: 'secret' }

/** Every address that changes something, with what it takes. */
const changing = (token: string): ['POST' | 'DELETE', string, object?][] => [
  ['POST', '/auth/register/', person],
  ['POST', '/auth/login/', person],
  ['POST', '/auth/refresh/', { refresh: token }],
  ['POST', '/auth/logout/'],
  ['POST', '/auth/redeem/', { access: token, refresh: token }],
  ['POST', '/auth/password-change/', { email: person.email }],
  ['POST', '/auth/password-reset/confirm/', { token, password: 'another' }],
  ['POST', '/auth/verify-email/', { email: person.email }],
  ['POST', '/user/keys/', { name: 'a' }],
  ['DELETE', '/user/keys/a/'],
  ['DELETE', '/user/sessions/a/'],
  ['DELETE', '/user/profile/', {}],
]

const tables = ['account', 'session', 'link', 'api_key', 'mail', 'known_origin', 'identity'] as const
const state = ({ store }: AccountTrial) =>
  store.use(async db => {
    const rows = []
    for (const table of tables) rows.push(await db.selectFrom(table).selectAll().execute())
    return rows
  })

/** As a page would send it, the token of whoever is signed in included. */
function send(app: AccountTrial, { headers, refresh }: Seat, more: Record<string, string>, type = 'application/json') {
  return changing(refresh).map(([method, url, payload]) => {
    const body = payload ? { payload: JSON.stringify(payload) } : {}
    const content = payload && type ? { 'content-type': type } : {}
    return app.inject({ method, url, headers: { ...headers, ...content, ...more }, ...body })
  })
}

test('U13: a page of another site changes nothing, whatever of it the browser tells', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 1_000 } })
  const signedIn = await seat(app, { provider: 'google' })
  const before = await state(app)
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://assay.example' },
    { 'sec-fetch-site': 'none-such' },
    { origin: 'https://evil.example' },
    { origin: 'http://assay.example' },
    { origin: 'https://assay.example.evil.example' },
    { origin: 'https://assay.example:8443' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'assay.example' },
  ]
  for (const more of foreign)
    for (const answer of await Promise.all(send(app, signedIn, more)))
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [403, { detail: 'Forbidden', code: 'forbidden' }],
        JSON.stringify(more),
      )
  assert.deepEqual(await state(app), before)
})

test('U13: what a form can send without asking is not read', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 1_000 } })
  const signedIn = await seat(app, { provider: 'google' })
  const before = await state(app)
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/json', '']
  for (const type of [...types, 'text/plain; charset=application/json', 'application/jsonx'])
    for (const [n, answer] of (await Promise.all(send(app, signedIn, {}, type))).entries()) {
      const [method, url, payload] = changing('')[n] ?? []
      if (payload) assert.ok([400, 415].includes(answer.statusCode), `${type} ${method} ${url} ${answer.statusCode}`)
    }
  const [accounts, , ...others] = await state(app)
  assert.deepEqual([accounts, ...others], [before[0], ...before.slice(2)])
})

test('U13: the own pages and programs pass', async t => {
  const app = await accountTrial(t, { limits: { accountCallsPerMinute: 1_000 } })
  const { headers } = await seat(app)
  const own: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin', origin: 'https://assay.example' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://assay.example' },
    // Without TLS, by an address that nobody set.
    { origin: 'http://192.0.2.7:8080', host: '192.0.2.7:8080' },
    { origin: 'http://[2001:db8::7]', host: '[2001:db8::7]' },
  ]
  for (const more of own) {
    const answer = await app.post('/user/keys/', { name: 'a' }, { ...headers, ...more })
    assert.equal(answer.statusCode, 201, JSON.stringify(more))
  }
  const reading = await app.get('/user/keys/', { ...headers, origin: 'https://evil.example' })
  assert.equal(reading.statusCode, 200)
  assert.equal(reading.headers['access-control-allow-origin'], undefined)
})

test('U13: where a proxy hides the address that the browser knows, only a trusted one may tell it', async t => {
  const send = async (trustedProxies: string[]) => {
    const app = await accountTrial(t, { settings: { trustedProxies } })
    const { headers } = await seat(app)
    const told = { host: '127.0.0.1:8080', 'x-forwarded-host': 'tools.example', origin: 'http://tools.example' }
    return (await app.post('/user/keys/', { name: 'a' }, { ...headers, ...told })).statusCode
  }
  assert.equal(await send(['127.0.0.1/32']), 201)
  assert.equal(await send(['192.0.2.0/24']), 403)
  assert.equal(await send([]), 403)
})
