import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { createToken, newId } from './tokens.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }
const unlimited = { accountMailsPerQuarterHour: 10_000, accountMailsPerHour: 10_000, accountCallsPerMinute: 10_000 }

interface Refusal {
  what: string
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  body?: unknown
  headers?: Record<string, string>
  expected: [status: number, detail: string | undefined]
}

const noEmail = 'Enter an email address such as name@example.com.'
const noPassword = 'Enter a password.'
const fields = (names: string) => `Expected a JSON object with ${names}, and no other fields.`
const both = fields('email and password')
const doors = ['/auth/register/', '/auth/login/']

const refusals: readonly Refusal[] = [
  ...doors.flatMap((url): Refusal[] => [
    { what: 'no body', url, expected: [400, both] },
    { what: 'an empty text', url, body: '', expected: [400, 'The body is empty, send a JSON object.'] },
    { what: 'no JSON', url, body: '{"email":', expected: [400, 'The body is not valid JSON.'] },
    { what: 'a list', url, body: [person], expected: [400, both] },
    { what: 'null', url, body: 'null', expected: [400, both] },
    { what: 'a number', url, body: '7', expected: [400, both] },
    { what: 'a text', url, body: '"x"', expected: [400, both] },
    { what: 'an empty object', url, body: {}, expected: [400, noEmail] },
    { what: 'no password', url, body: { email: person.email }, expected: [400, noPassword] },
    { what: 'a wrong address', url, body: { ...person, email: 'ada' }, expected: [400, noEmail] },
    { what: 'an address as a list', url, body: { ...person, email: [person.email] }, expected: [400, noEmail] },
    { what: 'a password as an object', url, body: { ...person, password: { $ne: '' } }, expected: [400, noPassword] },
    { what: 'an empty password', url, body: { ...person, password: '' }, expected: [400, noPassword] },
    {
      what: '1,025 bytes',
      url,
      body: { ...person, password: 'x'.repeat(1025) },
      expected: [400, 'Choose a password of at most 1024 bytes.'],
    },
    { what: 'a field more', url, body: { ...person, verified_at: 1 }, expected: [400, both] },
    { what: 'a field of the row', url, body: { ...person, id: 'x', password_hash: 'x' }, expected: [400, both] },
    {
      what: '__proto__',
      url,
      body: '{"email":"ada@example.org","password":"x","__proto__":{"admin":true}}',
      expected: [400, 'The body is not valid JSON.'],
    },
    {
      what: 'constructor.prototype',
      url,
      body: '{"email":"ada@example.org","password":"x","constructor":{"prototype":{"admin":true}}}',
      expected: [400, 'The body is not valid JSON.'],
    },
    {
      what: 'a body too large',
      url,
      body: { ...person, password: 'x'.repeat(4_000_000) },
      expected: [413, 'The body is larger than this server takes.'],
    },
    {
      what: 'a form',
      url,
      body: 'email=ada%40example.org&password=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      expected: [415, 'Send the body as application/json.'],
    },
    {
      what: 'plain text',
      url,
      body: JSON.stringify(person),
      headers: { 'content-type': 'text/plain' },
      expected: [415, 'Send the body as application/json.'],
    },
    {
      what: 'two types',
      url,
      body: JSON.stringify(person),
      headers: { 'content-type': 'text/plain, application/json' },
      expected: [415, 'Send the body as application/json.'],
    },
    {
      what: 'parts',
      url,
      body: '--b\r\ncontent-disposition: form-data; name="email"\r\n\r\nada@example.org\r\n--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      expected: [415, 'Send the body as application/json.'],
    },
    {
      what: 'another site',
      url,
      body: person,
      headers: { 'sec-fetch-site': 'cross-site' },
      expected: [403, 'Forbidden'],
    },
    {
      what: 'a neighbour of ours',
      url,
      body: person,
      headers: { 'sec-fetch-site': 'same-site' },
      expected: [403, 'Forbidden'],
    },
    ...(['GET', 'PUT', 'PATCH', 'DELETE'] as const).map(
      (method): Refusal => ({ what: method, url, method, expected: [405, 'This address takes POST.'] }),
    ),
  ]),
  { what: 'HEAD', url: '/auth/login/', method: 'HEAD', expected: [404, undefined] },
  { what: 'another case', url: '/AUTH/LOGIN/', body: person, expected: [404, undefined] },
  { what: 'no token', url: '/auth/refresh/', body: {}, expected: [401, 'Please log in again.'] },
  {
    what: 'an access token',
    url: '/auth/refresh/',
    body: { refresh: createToken('access', newId()) },
    expected: [401, 'Please log in again.'],
  },
  {
    what: 'an unknown token',
    url: '/auth/refresh/',
    body: { refresh: createToken('refresh', newId()) },
    expected: [401, 'Please log in again.'],
  },
  {
    what: 'a long token',
    url: '/auth/refresh/',
    body: { refresh: 'x'.repeat(1_000_000) },
    expected: [401, 'Please log in again.'],
  },
  {
    what: 'a field more',
    url: '/auth/refresh/',
    body: { refresh: '', access: '' },
    expected: [400, fields('refresh')],
  },
  { what: 'no address', url: '/auth/password-change/', body: {}, expected: [400, noEmail] },
  {
    what: 'a field more',
    url: '/auth/password-change/',
    body: { email: 'a@example.org', host: 'x' },
    expected: [400, fields('email')],
  },
  { what: 'no address', url: '/auth/verify-email/', body: {}, expected: [400, noEmail] },
  { what: 'nothing', url: '/auth/password-reset/confirm/', body: {}, expected: [400, noPassword] },
  {
    what: 'no token',
    url: '/auth/password-reset/confirm/',
    body: { password: 'x' },
    expected: [400, 'This link does not work any more. Ask for a new one.'],
  },
  { what: 'no token', url: '/user/profile/', method: 'GET', expected: [401, 'Unauthorized. Please log in.'] },
  {
    what: 'a token of no session',
    url: '/user/profile/',
    method: 'GET',
    headers: { authorization: `Bearer ${createToken('access', newId())}` },
    expected: [401, 'Unauthorized. Please log in.'],
  },
  {
    what: 'an API key',
    url: '/user/profile/',
    method: 'GET',
    headers: { authorization: `Bearer ${createToken('key')}` },
    expected: [401, 'Unauthorized. Please log in.'],
  },
]

test('[OPEN-019] what these doors refuse gets a status and a sentence of its own, repeats nothing and changes nothing', async t => {
  const trial = await accountTrial(t, { limits: unlimited })
  await trial.signIn(person)
  const before = await everythingOf(trial)
  const wrong: string[] = []
  for (const { what, url, method = 'POST', body, headers = {}, expected } of refusals) {
    const answer = await trial.inject({
      method,
      url,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const detail = method === 'HEAD' ? undefined : answer.json().detail
    if (answer.statusCode !== expected[0] || detail !== expected[1])
      wrong.push(`${url} with ${what}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    assert.doesNotMatch(answer.body, /ada@example|secret|xxxx/, what)
    if (url.startsWith('/auth/') && answer.statusCode !== 404)
      assert.equal(answer.headers['cache-control'], 'no-store', what)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(await everythingOf(trial), before)
  assert.equal((await trial.post('/auth/login/', person)).statusCode, 200)
})

const everythingOf = ({ store }: AccountTrial) =>
  store.use(async db => [
    await db.selectFrom('account').selectAll().execute(),
    await db.selectFrom('session').selectAll().execute(),
    await db.selectFrom('link').selectAll().execute(),
    await db.selectFrom('mail').selectAll().execute(),
  ])

test('addresses work with and without their last slash, and other spellings of them are not found', async t => {
  const { post } = await accountTrial(t, { limits: unlimited })
  for (const url of ['/auth/login/', '/auth/login', '/auth/login/?x=1'])
    assert.equal((await post(url, person)).statusCode, 401, url)
  for (const url of ['/auth/Login/', '//auth/login/', '/auth//login/', '/auth/login;x/', '/auth/login%2f'])
    assert.equal((await post(url, person)).statusCode, 404, url)
})

test('P1: no address, password or token stands in a log line, whatever happens', async t => {
  const trial = await accountTrial(t, { limits: unlimited })
  const { access, refresh } = await trial.signIn(person)
  await trial.post('/auth/refresh/', { refresh })
  await trial.post('/auth/password-change/', { email: person.email })
  for (const path of await trial.links(2)) await trial.get(path)
  await trial.get(`/user/profile/?access=${access}`, { authorization: `Bearer ${access}` })
  await trial.post('/auth/login/', { ...person, password: 'wrong' })
  await trial.store.close()
  await trial.store
    .use(async () => {
      throw new Error(`${person.email} ${person.password}`)
    })
    .catch(() => {})
  const text = JSON.stringify(trial.lines)
  assert.doesNotMatch(text, /ada|example\.org|secret|assay_(?:at|rt|key|link)_/)
  assert.ok(trial.lines.length > 5)
})
