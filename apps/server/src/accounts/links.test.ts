import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountTrial, accountTrial } from '../../test/account-trial.ts'
import { onBothStores } from '../../test/both-stores.ts'
import { createToken, newId } from './tokens.ts'

const person = { email: 'ada@example.org', password: 'a long enough secret' }
const other = { email: 'eve@example.org', password: 'another long secret' }
const HOUR_MS = 3_600_000
const unlimited = { accountMailsPerQuarterHour: 10_000, accountMailsPerHour: 10_000 }
const invalid = '/auth/?error=verify_link'

const tokenIn = (path: string) => decodeURIComponent(path.split('token=')[1] ?? '')
const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))

/** Tokens that are nearly the given one, or not at all. */
const forged = (token: string): Record<string, string> => ({
  'without its last character': token.slice(0, -1),
  'with one character more': `${token}A`,
  'without its first character': token.slice(1),
  'cut in the middle': token.slice(0, token.length / 2),
  'in the other case': swapCase(token),
  'with one character changed': token.slice(0, 20) + (token[20] === 'A' ? 'B' : 'A') + token.slice(21),
  'with a space behind it': `${token} `,
  'with a NUL behind it': `${token}\0`,
  'in Base64 with padding': `${token}==`,
  twice: `${token}${token}`,
  'only the prefix': 'assay_link_',
  'of our form, and never given out': createToken('link'),
  'of another kind': createToken('access', newId()),
  'an API key': createToken('key'),
  'with the prefix of another kind': token.replace('assay_link_', 'assay_key_'),
  'its own hash': 'x'.repeat(43),
  SQL: "' or '1'='1",
  'a pattern': '%',
  empty: '',
})

async function asked({ post, links }: AccountTrial, url: string, email: string): Promise<string> {
  const before = await links(0)
  await post(url, { email })
  for (let tries = 0; tries < 500; tries++) {
    const [fresh] = (await links(0)).filter(path => !before.includes(path))
    if (fresh) return tokenIn(fresh)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('the mail never came')
}

onBothStores('links in mails', newPlace => {
  test('U8: forged links for verifying are refused alike, and the address stays as it was', async t => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits: unlimited })
    await trial.post('/auth/register/', person)
    const [path = ''] = await trial.links(1)
    for (const [what, token] of Object.entries(forged(tokenIn(path)))) {
      const opened = await trial.get(`/auth/verify-email/?token=${encodeURIComponent(token)}`)
      assert.deepEqual([opened.statusCode, opened.headers.location], [302, invalid], what)
    }
    const token = tokenIn(path)
    for (const query of ['', `?Token=${token}`, `?token=${token}&token=${token}`, `?token[]=${token}`, `#${token}`]) {
      const opened = await trial.get(`/auth/verify-email/${query}`)
      assert.deepEqual([opened.statusCode, opened.headers.location], [302, invalid], query)
    }
    const reset = await asked(trial, '/auth/password-change/', person.email)
    assert.equal((await trial.get(`/auth/verify-email/?token=${reset}`)).headers.location, invalid)
    assert.equal((await trial.post('/auth/login/', person)).statusCode, 403)
    assert.equal((await trial.get(path)).headers.location, '/auth/?verified=1')
  })

  test('U8: forged links for a new password are refused alike, and the password stays as it was', async t => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits: unlimited })
    await trial.signIn(person)
    const token = await asked(trial, '/auth/password-change/', person.email)
    const confirm = (body: object) => trial.post('/auth/password-reset/confirm/', body)
    const values: Record<string, unknown> = {
      ...forged(token),
      'a number': 7,
      null: null,
      'a list': [token],
      nothing: undefined,
    }
    for (const [what, value] of Object.entries(values)) {
      const answer = await confirm({ token: value, password: 'stolen' })
      const detail = 'This link does not work any more. Ask for a new one.'
      assert.deepEqual([answer.statusCode, answer.json()], [400, { detail, code: 'invalid-link' }], what)
    }
    const [verify = ''] = (await trial.links(0)).filter(path => path.includes('verify-email'))
    assert.equal((await confirm({ token: tokenIn(verify), password: 'stolen' })).json().code, 'invalid-link')
    assert.equal((await confirm({ token, password: '' })).json().code, 'invalid-input')
    assert.equal((await confirm({ token, password: 'x'.repeat(1025) })).json().code, 'invalid-input')
    assert.equal((await confirm({ token, password: 'x', email: other.email })).json().code, 'invalid-input')
    assert.equal((await trial.post('/auth/login/', { ...person, password: 'stolen' })).statusCode, 401)
    assert.equal((await confirm({ token, password: 'mine' })).statusCode, 200)
  })

  test('U8: links end: after their time, after they were used, and when a newer one was used', async t => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits: unlimited })
    await trial.post('/auth/register/', person)
    const [verify = ''] = await trial.links(1)
    trial.clock.ms += 24 * HOUR_MS - 1
    const second = await asked(trial, '/auth/verify-email/', person.email)
    assert.equal((await trial.get(verify)).headers.location, '/auth/?verified=1')
    trial.clock.ms += 1
    assert.equal((await trial.get(verify)).headers.location, invalid)
    assert.equal((await trial.get(`/auth/verify-email/?token=${second}`)).headers.location, '/auth/?verified=1')
    const confirm = (token: string) => trial.post('/auth/password-reset/confirm/', { token, password: 'mine' })
    const old = await asked(trial, '/auth/password-change/', person.email)
    trial.clock.ms += HOUR_MS
    assert.equal((await confirm(old)).statusCode, 400)
    const [one, two] = [
      await asked(trial, '/auth/password-change/', person.email),
      await asked(trial, '/auth/password-change/', person.email),
    ]
    trial.clock.ms += HOUR_MS - 1
    assert.equal((await confirm(two)).statusCode, 200)
    for (const token of [one, two]) assert.equal((await confirm(token)).statusCode, 400)
  })

  test('U8: the link of one account does nothing to another, and is gone with its own', async t => {
    const trial = await accountTrial(t, { ...(await newPlace()), limits: unlimited })
    await trial.signIn(other)
    await trial.signIn(person)
    const token = await asked(trial, '/auth/password-change/', person.email)
    await trial.store.use(db => db.deleteFrom('account').where('email', '=', person.email).execute())
    assert.equal((await trial.post('/auth/password-reset/confirm/', { token, password: 'x' })).statusCode, 400)
    assert.equal((await trial.post('/auth/login/', other)).statusCode, 200)
  })
})

test('U8: mails name the address of the settings, whatever a request says it was sent to', async t => {
  const trial = await accountTrial(t, { limits: unlimited, settings: { trustedProxies: ['127.0.0.0/8'] } })
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-port': '666',
    'x-original-url': 'https://evil.example/',
    forwarded: 'host=evil.example;proto=http',
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
  }
  await trial.post('/auth/register/', person, headers)
  await trial.post('/auth/password-change/', { email: person.email }, headers)
  await trial.post('/auth/verify-email/', { email: person.email }, headers)
  for (const letter of await trial.letters(3)) {
    assert.doesNotMatch(letter, /evil|gopher|666/)
    assert.match(letter, /https:\/\/assay\.example\/auth\//)
  }
  for (const path of await trial.links(3)) {
    const { headers: answer } = await trial.get(path.replace('mode=reset&', ''), headers)
    assert.doesNotMatch(String(answer.location), /evil/)
  }
})

test('U8: programs that look through mails change nothing by looking at a link for a new password', async t => {
  const trial = await accountTrial(t, { limits: unlimited })
  await trial.signIn(person)
  const token = await asked(trial, '/auth/password-change/', person.email)
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const)
    for (const url of [`/auth/?mode=reset&token=${token}`, `/auth/password-reset/confirm/?token=${token}`])
      await trial.inject({ method, url })
  assert.equal((await trial.post('/auth/login/', person)).statusCode, 200)
  assert.equal((await trial.post('/auth/password-reset/confirm/', { token, password: 'mine' })).statusCode, 200)
})
