import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import type { Json } from '../../../test/openid-provider.ts'
import { BASE, type Browser, pairOf, socialTrial } from '../../../test/social-trial.ts'

/** Attacks on signing in by a provider, each against the whole: our server, and a provider that is a server too. */

const { browser, google, github, get, post, inject, lines, clock, store } = await socialTrial({ after })
const honest = { google: { ...google }, github: { ...github } }

beforeEach(() => {
  Object.assign(google, honest.google)
  Object.assign(github, honest.github)
})

type Answered = Awaited<ReturnType<Browser['open']>>

function refused(answer: Answered, provider = 'google', error = 'provider_failed'): void {
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers.location, `/auth/?error=${error}&provider=${provider}`)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

const accepted = (answer: Answered, provider = 'google') =>
  assert.match(String(answer.headers.location), new RegExp(`^/auth/${provider}/callback/\\?access=`))

/** The address that a provider sends the browser to, with its query changed. */
function changed(path: string, change: (query: URLSearchParams) => void): string {
  const url = new URL(path, BASE)
  change(url.searchParams)
  return `${url.pathname}${url.search}`
}

const partOf = (path: string, name: string) => new URL(path, BASE).searchParams.get(name) ?? ''

/** What became of somebody whose provider answers like this. */
async function withIdToken(token: (claims: Json) => string | undefined): Promise<Answered> {
  google.alter = answer => ({ ...answer, id_token: token(google.claimsOf(answer.id_token)) })
  const own = browser()
  return own.open(await own.leave('google'))
}

const lastReason = () => lines.flatMap(line => (line.event === 'provider' ? line.text : [])).at(-1)

test('U9: a return without state', async () => {
  const own = browser()
  refused(await own.open(changed(await own.leave('google'), query => query.delete('state'))))
})

test('U9: a return with a state that nobody made', async () => {
  const own = browser()
  refused(await own.open(changed(await own.leave('google'), query => query.set('state', 'x'.repeat(43)))))
})

test('U9: the state of another browser', async () => {
  const [victim, thief] = [browser(), browser()]
  const theirs = await thief.leave('google')
  await victim.leave('google')
  refused(await victim.open(theirs))
})

test('U9 login CSRF: the return address of a thief, opened in a browser that began nothing', async () => {
  for (const provider of ['google', 'github'] as const)
    refused(await browser().open(await browser().leave(provider)), provider)
})

test('U9: state, code or issuer given twice', async () => {
  for (const name of ['state', 'code', 'iss']) {
    const own = browser()
    const path = await own.leave('google')
    refused(await own.open(changed(path, query => query.append(name, partOf(path, name)))))
  }
})

test('U9: a return opened a second time', async () => {
  const own = browser()
  const path = await own.leave('google')
  accepted(await own.open(path))
  refused(await own.open(path))
})

test('U9: a used code with a fresh state', async () => {
  for (const provider of ['google', 'github'] as const) {
    const own = browser()
    const used = await own.leave(provider)
    accepted(await own.open(used), provider)
    const fresh = changed(await own.leave(provider), query => query.set('code', partOf(used, 'code')))
    refused(await own.open(fresh), provider)
  }
})

test('U9 code injection: a stolen code in an attempt of the thief fails for its PKCE verifier', async () => {
  for (const provider of ['google', 'github'] as const) {
    const [victim, thief] = [browser(), browser()]
    const code = partOf(await victim.leave(provider), 'code')
    refused(await thief.open(changed(await thief.leave(provider), query => query.set('code', code))), provider)
    assert.match(String(lastReason()), /invalid_grant|bad_verification_code/)
  }
})

test('U9: the code of another client of the same provider', async () => {
  const own = browser()
  google.redirect = path => path.replace('client_id=assay', 'client_id=another')
  refused(await own.open(await own.leave('google')))
  assert.equal(lastReason(), 'google: invalid_grant')
})

test('U9: PKCE taken out of the question on its way', async () => {
  const own = browser()
  google.redirect = path => path.replace(/&code_challenge(?:_method)?=[^&]*/g, '')
  refused(await own.open(await own.leave('google')))
  assert.equal(lastReason(), 'google: invalid_grant')
})

test('U9: the verifier is long enough, differs each time, and fits the challenge', async () => {
  const own = browser()
  const challenges = new Set<string | null>()
  for (let count = 0; count < 3; count++) {
    const { location } = (await own.open('/auth/google/login/')).headers
    challenges.add(new URL(String(location)).searchParams.get('code_challenge'))
  }
  assert.equal(challenges.size, 3)
  for (const challenge of challenges) assert.match(String(challenge), /^[\w-]{43}$/)
})

test('U9: an ID token with the nonce of another attempt, or none', async () => {
  refused(await withIdToken(claims => google.sign({ ...claims, nonce: 'another' })))
  refused(await withIdToken(({ nonce, ...claims }) => google.sign(claims)))
})

test('U9: an ID token whose claims were changed after signing', async () => {
  google.alter = answer => {
    const [header, , signature] = String(answer.id_token).split('.')
    const claims = { ...google.claimsOf(answer.id_token), email: 'victim@example.org' }
    return {
      ...answer,
      id_token: [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.'),
    }
  }
  const own = browser()
  refused(await own.open(await own.leave('google')))
})

test('U9: an ID token signed with another key under the same name', async () => {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  refused(await withIdToken(claims => google.sign(claims, { key })))
  refused(await withIdToken(claims => google.sign(claims, { key, header: { kid: 'unknown' } })))
})

test('U9: an ID token without signature, by algorithm none in any spelling', async () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
    refused(await withIdToken(claims => `${google.sign(claims, { header: { alg } }).replace(/\.[^.]*$/, '')}.`))
  }
})

test('U9: an ID token signed by HMAC with what is public, or with the client secret', async () => {
  const pem = createPublicKey(google.key).export({ type: 'spki', format: 'pem' })
  for (const key of [pem, google.client.clientSecret]) {
    const token = (claims: Json) => {
      const signed = google.sign(claims, { header: { alg: 'HS256' } }).replace(/\.[^.]*$/, '')
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
    }
    refused(await withIdToken(token))
  }
})

test('U9: an ID token for another audience', async () => {
  refused(await withIdToken(claims => google.sign({ ...claims, aud: 'another' })))
  refused(await withIdToken(claims => google.sign({ ...claims, aud: ['assay', 'another'], azp: 'another' })))
  refused(await withIdToken(({ aud, ...claims }) => google.sign(claims)))
})

test('U9: an ID token of another issuer', async () => {
  for (const iss of ['https://accounts.google.com', `${google.client.address}more`, undefined])
    refused(await withIdToken(claims => google.sign({ ...claims, iss })))
})

test('U9: an ID token that is over, or not yet good, or says nothing of it', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  refused(await withIdToken(claims => google.sign({ ...claims, iat: seconds - 7_200, exp: seconds - 3_600 })))
  refused(await withIdToken(claims => google.sign({ ...claims, nbf: seconds + 3_600 })))
  refused(await withIdToken(({ exp, ...claims }) => google.sign(claims)))
})

test('U9: no ID token at all, or one that is none', async () => {
  for (const token of [undefined, '', 'x', 'a.b.c', '..']) refused(await withIdToken(() => token))
  refused(await withIdToken(({ sub, ...claims }) => google.sign(claims)))
})

test('U9: signed anew and otherwise the same, it is good: the refusals above have their reasons', async () => {
  accepted(await withIdToken(claims => google.sign(claims)))
})

test('U9 mix-up: what one provider answered, at the address of the other', async () => {
  for (const [asked, told] of [
    ['google', 'github'],
    ['github', 'google'],
  ] as const) {
    const own = browser()
    const path = (await own.leave(asked)).replace(`/auth/${asked}/`, `/auth/${told}/`)
    const before = [google.asked.length, github.asked.length]
    refused(await own.open(path), told)
    assert.deepEqual([google.asked.length, github.asked.length], before, 'no code was sent anywhere')
  }
})

test('U9 mix-up, RFC 9207: an answer that names another issuer', async () => {
  for (const provider of ['google', 'github'] as const) {
    const own = browser()
    const path = await own.leave(provider)
    assert.ok(partOf(path, 'iss'))
    refused(await own.open(changed(path, query => query.set('iss', 'https://thief.example'))), provider)
  }
})

test('U9 mix-up, RFC 9207 §2.4: an answer without the issuer, of a provider that always names it', async () => {
  const own = browser()
  refused(await own.open(changed(await own.leave('google'), query => query.delete('iss'))))
})

test('[OPEN-018] an older GitHub Enterprise Server names no issuer, which is well', async () => {
  github.namesIssuer = false
  accepted(await browserBack('github'), 'github')
})

async function browserBack(provider: 'google' | 'github'): Promise<Answered> {
  const own = browser()
  return own.open(await own.leave(provider))
}

test('U9 open redirect: nothing in an address or a header decides where a browser goes', async () => {
  const evil = 'https://thief.example/'
  const query = ['return', 'next', 'redirect_uri', 'redirect', 'url', 'continue']
    .map(name => `${name}=${evil}`)
    .join('&')
  const headers = {
    host: 'thief.example',
    'x-forwarded-host': 'thief.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=thief.example',
  }
  const own = browser()
  const asked = await own.open(`/auth/google/login/?${query}`, headers)
  const there = new URL(String(asked.headers.location))
  assert.equal(there.origin, new URL(google.client.address).origin)
  assert.equal(there.searchParams.get('redirect_uri'), `${BASE}/auth/google/complete/`)
  assert.ok(!there.href.includes('thief'))
  const back = await own.open(`${await own.leave('google')}&${query}`, headers)
  accepted(back)
  assert.ok(!String(back.headers.location).includes('thief'))
  refused(await own.open(`/auth/google/complete/?${query}`, headers))
})

test('U9: another site cannot send its visitors through', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const own = browser()
    const answer = await own.open('/auth/google/login/', { 'sec-fetch-site': site })
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, '/auth/'])
    assert.equal(own.cookies.size, 0)
  }
})

test('U9: the way back comes from another site and is good all the same', async () => {
  const own = browser()
  accepted(await own.open(await own.leave('google'), { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }))
})

test('U9: an attempt is good for ten minutes', async () => {
  const own = browser()
  const [early, late] = [await own.leave('google'), await own.leave('google')]
  clock.ms += 599_999
  accepted(await own.open(early))
  clock.ms += 2
  refused(await own.open(late))
})

test('U9: the visitor changed his mind, and whatever else the provider says', async () => {
  const texts = ['access_denied', 'server_error', '<script>alert(1)</script>', 'a@example.org']
  for (const provider of ['google', 'github'] as const) {
    for (const error of texts) {
      const own = browser()
      const path = changed(await own.leave(provider), query => {
        query.delete('code')
        query.set('error', error)
        query.set('error_description', 'words of a stranger')
      })
      refused(await own.open(path), provider)
    }
  }
  const said = lines.flatMap(line => (line.event === 'provider' ? line.text : [])).join('\n')
  assert.match(said, /google: access_denied/)
  assert.doesNotMatch(said, /script|stranger|@/)
})

test('U9: two cookies of the name, of which one was planted', async () => {
  const [own, thief] = [browser(), browser()]
  const path = await own.leave('google')
  await thief.leave('google')
  const [mine, theirs] = [own.cookies.get('__Host-oauth'), thief.cookies.get('__Host-oauth')]
  refused(await own.open(path, { cookie: `__Host-oauth=${theirs}; __Host-oauth=${mine}` }))
})

test('U9: the cookie is the only one, and nobody else can read or plant it', async () => {
  const own = browser()
  const { headers } = await own.open('/auth/google/login/')
  assert.match(
    String(headers['set-cookie']),
    /^__Host-oauth=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('U9: nothing in the store lets anybody go on with an attempt', async () => {
  const own = browser()
  const path = await own.leave('google')
  const address = await own.comeBack('github')
  const rows = await store.use(async db => [
    await db.selectFrom('social_attempt').selectAll().execute(),
    await db.selectFrom('social_return').selectAll().execute(),
  ])
  const kept = JSON.stringify(rows)
  for (const secret of [own.cookies.get('__Host-oauth'), partOf(path, 'state'), ...Object.values(pairOf(address))])
    assert.ok(secret && !kept.includes(secret))
})

test('U9: two tabs at once, with one provider and with both', async () => {
  const own = browser()
  const paths = [await own.leave('google'), await own.leave('github'), await own.leave('google')]
  const backs = []
  for (const path of paths) backs.push(await own.open(path))
  for (const back of backs) assert.equal((await own.redeem(pairOf(String(back.headers.location)))).statusCode, 200)
  assert.equal(own.cookies.size, 0)
})

test('U9: a token endpoint that leads elsewhere, says too much, nothing or nonsense', async () => {
  const internal = `${github.client.address}/api/v3/user`
  const answers: Record<string, (response: ServerResponse) => void> = {
    redirecting: response => response.writeHead(302, { location: internal }).end(),
    'redirecting with 307': response => response.writeHead(307, { location: internal }).end(),
    huge: response => response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(300_000)),
    'of another type': response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sorry'),
    broken: response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":'),
    'a list': response => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    empty: response => response.writeHead(204).end(),
    down: response => response.writeHead(503).end(),
    cut: response => response.destroy(),
  }
  for (const [what, answer] of Object.entries(answers)) {
    for (const [provider, trial, path] of [
      ['google', google, '/token'],
      ['github', github, '/login/oauth/access_token'],
    ] as const) {
      trial.intercept = ({ url }, response) => {
        if (url !== path) return false
        answer(response)
        return true
      }
      const own = browser()
      const back = await own.leave(provider)
      const before = github.asked.filter(asked => asked === '/api/v3/user').length
      refused(await own.open(back), provider)
      assert.equal(github.asked.filter(asked => asked === '/api/v3/user').length, before, what)
      assert.equal(own.cookies.size, 0, 'the cookie is taken back')
    }
  }
})

test('U9: GitHub says nothing sensible of who it is', async () => {
  for (const user of [{}, { id: '1' }, { id: 1.5 }, { id: null }, [], null, 'ada']) {
    Object.assign(github, { user })
    refused(await browserBack('github'), 'github')
  }
  github.user = honest.github.user
  for (const emails of [{}, null, 'ada@example.org']) {
    github.emails = emails
    refused(await browserBack('github'), 'github')
  }
})

test('U10: a pair without the cookie of its browser, and with that of another', async () => {
  const [victim, thief] = [browser(), browser()]
  const pair = pairOf(await thief.comeBack('google'))
  const without = await victim.redeem(pair)
  assert.deepEqual([without.statusCode, without.json().detail], [401, 'Unauthorized. Please log in.'])
  await victim.comeBack('google')
  assert.equal((await victim.redeem(pair)).statusCode, 401)
  assert.equal((await thief.redeem(pair)).statusCode, 200, 'which did not use it up')
})

test('U10: a pair used twice, and fifty times at once', async () => {
  const own = browser()
  const first = pairOf(await own.comeBack('google'))
  const kept = { cookie: `__Host-oauth=${own.cookies.get('__Host-oauth')}` }
  assert.equal((await own.redeem(first)).statusCode, 200)
  assert.equal((await own.redeem(first, kept)).statusCode, 401)
  const second = pairOf(await own.comeBack('google'))
  const again = { cookie: `__Host-oauth=${own.cookies.get('__Host-oauth')}` }
  const answers = await Promise.all(Array.from({ length: 50 }, () => own.redeem(second, again)))
  assert.equal(answers.filter(answer => answer.statusCode === 200).length, 1)
})

test('U10: a pair is good for a minute', async () => {
  const own = browser()
  const pairs = [pairOf(await own.comeBack('google')), pairOf(await own.comeBack('google'))] as const
  clock.ms += 59_999
  assert.equal((await own.redeem(pairs[0])).statusCode, 200)
  clock.ms += 2
  assert.equal((await own.redeem(pairs[1])).statusCode, 401)
})

test('U10: halves swapped, taken from two pairs, missing, or no text', async () => {
  const own = browser()
  const [one, two] = [pairOf(await own.comeBack('google')), pairOf(await own.comeBack('google'))]
  const wrong = [
    { access: one.refresh, refresh: one.access },
    { access: one.access, refresh: two.refresh },
    { access: one.access, refresh: one.access },
    { access: one.access, refresh: null },
    { access: [one.access], refresh: { a: one.refresh } },
    { access: `${one.access} `, refresh: one.refresh },
    { access: '', refresh: '' },
  ]
  for (const pair of wrong) assert.equal((await own.redeem(pair)).statusCode, 401)
  assert.equal((await own.redeem({ ...one, account: 'x' })).statusCode, 400)
  assert.equal((await own.redeem(one)).statusCode, 200)
})

test('U10: the real tokens of a thief, pushed into the address of the page', async () => {
  const [victim, thief] = [browser(), browser()]
  const real = await thief.signIn('google')
  await victim.comeBack('google')
  assert.equal((await victim.redeem(real)).statusCode, 401)
  assert.equal((await get('/user/profile/', { authorization: `Bearer ${real.access}` })).statusCode, 200)
})

test('U10: a pair opens nothing but the one address', async () => {
  const own = browser()
  const { access, refresh } = pairOf(await own.comeBack('google'))
  for (const token of [access, refresh]) {
    assert.equal((await get('/user/profile/', { authorization: `Bearer ${token}` })).statusCode, 401)
    assert.equal((await post('/auth/refresh/', { refresh: token })).statusCode, 401)
    assert.equal((await post('/api/steps/', { count: '1' }, { authorization: `Bearer ${token}` })).statusCode, 401)
    assert.equal((await post('/auth/password-reset/confirm/', { token, password: 'x' })).statusCode, 400)
    assert.equal((await get(`/auth/verify-email/?token=${token}`)).headers.location, '/auth/?error=verify_link')
  }
  assert.equal((await own.redeem({ access, refresh })).statusCode, 200, 'and is still good there')
})

test('U13: no other site redeems a pair, nor does a form', async () => {
  const own = browser()
  const pair = pairOf(await own.comeBack('google'))
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await own.redeem(pair, { 'sec-fetch-site': site })).statusCode, 403)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    assert.equal((await own.redeem(pair, { 'content-type': type })).statusCode, 415)
  assert.equal((await get('/auth/redeem/')).statusCode, 405)
  assert.equal((await own.redeem(pair, { 'sec-fetch-site': 'same-origin' })).statusCode, 200)
})

test('U10: the cookie is taken back with the last pair', async () => {
  const own = browser()
  const [first, second] = [pairOf(await own.comeBack('google')), pairOf(await own.comeBack('github'))]
  assert.equal((await own.redeem(first)).headers['set-cookie'], undefined)
  assert.equal(
    (await own.redeem(second)).headers['set-cookie'],
    '__Host-oauth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  )
})

test('U10: an account that is deleted before its pair is redeemed', async () => {
  google.person = { ...google.person, sub: 'short-lived', email: 'short@example.org' }
  const own = browser()
  const pair = pairOf(await own.comeBack('google'))
  await store.use(db => db.deleteFrom('account').where('email', '=', 'short@example.org').execute())
  assert.equal((await own.redeem(pair)).statusCode, 401)
})

test('U9: only GET begins and completes, whatever a provider may post', async () => {
  for (const url of ['/auth/google/login/', '/auth/github/complete/']) {
    const answer = await inject({ method: 'POST', url, payload: 'code=a&state=b' })
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'GET'])
  }
})

test('U9: a provider that never answers, drips, or went away: back at the form within the time', async t => {
  const { browser, google, github } = await socialTrial(t, { limits: { providerMs: 200 } })
  const drip = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  }
  for (const [provider, trial] of Object.entries({ google, github })) {
    for (const answer of [() => {}, drip]) {
      trial.intercept = ({ method }, response) => {
        if (method === 'POST') answer(response)
        return method === 'POST'
      }
      const own = browser()
      const path = await own.leave(provider as 'google' | 'github')
      const start = performance.now()
      refused(await own.open(path), provider)
      assert.ok(performance.now() - start < 3_000)
    }
  }
  const own = browser()
  const path = await own.leave('google')
  await google.stop()
  refused(await own.open(path))
})

test('U9: a provider that says it is another is asked again the next time', async t => {
  const { browser, google, lines } = await socialTrial(t)
  google.intercept = (_, response) => {
    const issuer = 'https://accounts.google.com'
    const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/j` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, ...endpoints }))
    return true
  }
  refused(await browser().open('/auth/google/login/'))
  google.intercept = () => false
  const own = browser()
  accepted(await own.open(await own.leave('google')))
  assert.match(JSON.stringify(lines), /google: OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED/)
})

test('U9: a provider that is not there', async t => {
  const { browser, google, lines } = await socialTrial(t)
  await google.stop()
  refused(await browser().open('/auth/google/login/'))
  assert.match(JSON.stringify(lines), /google: ECONNREFUSED/)
})
