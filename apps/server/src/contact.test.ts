import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { createRetention, MESSAGE_DAYS } from './retention.ts'
import { createStore, type Store } from './store/store.ts'
import { type Trial, type TrialOptions, trial } from './trial.ts'

const good = { name: 'Ada Lovelace', email: 'ada@example.org', message: 'Is it correct?\nAll of it?' }
const DAY_MS = 86_400_000

interface ContactTrial extends Trial {
  store: Store
  folder: string
  post(payload: object | string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
}

async function contactTrial(t: TestContext, { settings, ...options }: TrialOptions = {}): Promise<ContactTrial> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-contact-'))
  const data = settings?.data ?? folder
  const store = createStore({ folder: data, address: undefined, timeoutMs: 2_000, connections: 1 })
  const app = await trial(t, {
    store,
    settings: { data: folder, contact: 'office@assay.example', ...settings },
    ...options,
  })
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const post: ContactTrial['post'] = (payload, headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/contact/',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { ...app, store, folder, post }
}

const messages = (store: Store) => store.use(db => db.selectFrom('message').selectAll().execute())

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'never came')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function letters(folder: string, count: number): Promise<string[]> {
  const end = Date.now() + 5_000
  for (;;) {
    try {
      const names = readdirSync(join(folder, 'mail')).filter(name => name.endsWith('.eml'))
      if (names.length >= count) return names.map(name => readFileSync(join(folder, 'mail', name), 'utf8'))
    } catch {}
    assert.ok(Date.now() < end, `never were ${count} mails`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('[OPEN-001] [CON-005] a message is kept, and without an SMTP server lies in a file that only its owner reads', async t => {
  const { post, store, folder, warm, lines } = await contactTrial(t)
  warm()
  const answer = await post(good)
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { message: 'Your message was sent. We typically answer within 24 hours.' })
  const [row] = await messages(store)
  assert.deepEqual([row?.name, row?.email, row?.text], Object.values(good))
  const [letter = ''] = await letters(folder, 1)
  assert.match(letter, /^To: office@assay\.example\r$/m)
  assert.match(letter, /^Reply-To: "?Ada Lovelace"? <ada@example\.org>\r$/m)
  assert.match(letter, /^Subject: Assay: message from Ada Lovelace\r$/m)
  assert.match(letter, /Is it correct\?\r\nAll of it\?/)
  const [name = ''] = readdirSync(join(folder, 'mail'))
  assert.equal(statSync(join(folder, 'mail', name)).mode & 0o777, 0o600)
  const said = lines.flatMap(line => (line.event === 'mail' ? [line.text] : []))
  assert.deepEqual(said, [`written to ${join(folder, 'mail')}`])
})

const refusals: readonly (readonly [payload: unknown, field: string | undefined, sentence: RegExp])[] = [
  [{ ...good, name: undefined }, 'name', /Fill in your name\.$/],
  [{ ...good, name: '  \n' }, 'name', /Fill in your name\.$/],
  [{ ...good, name: 7 }, 'name', /Expected your name as text\.$/],
  [{ ...good, name: { toString: 'x' } }, 'name', /as text\.$/],
  [{ ...good, name: 'a'.repeat(101) }, 'name', /at most 100 characters\.$/],
  [{ ...good, name: 'a\nBcc: x@example.net' }, 'name', /on one line/],
  [{ ...good, name: 'a\r\n\r\nbody' }, 'name', /on one line/],
  [{ ...good, name: 'a\u0000b' }, 'name', /control characters/],
  [{ ...good, name: 'a\u0085b' }, 'name', /on one line/],
  [{ ...good, name: 'a\u2028b' }, 'name', /on one line/],
  [{ ...good, name: 'a\u202eb' }, 'name', /control characters/],
  [{ ...good, name: 'a\ud800b' }, 'name', /whole characters/],
  [{ ...good, email: '' }, 'email', /Fill in your e-mail address\.$/],
  ...[
    'ada',
    '@example.org',
    'ada@',
    'ada@example',
    'ada@@example.org',
    'a b@example.org',
    'ada@example.org\nBcc: x@example.net',
    'ada@example.org, x@example.net',
    'Ada <ada@example.org>',
    '"ada"@example.org',
    'ada@[192.0.2.1]',
    'ada@192.0.2.1',
    'ada@exa mple.org',
    'ada@-example-.org',
    'ada@example.org>',
    'ад@example.org',
    `${'a'.repeat(65)}@example.org`,
  ].map(email => [{ ...good, email }, 'email', /Expected an e-mail address such as name@example\.com\.$/] as const),
  [{ ...good, email: `ada@${'a.'.repeat(130)}org` }, 'email', /at most 254 characters\.$/],
  [{ ...good, message: ' ' }, 'message', /Fill in your message\.$/],
  [{ ...good, message: 'a'.repeat(10_001) }, 'message', /at most 10000 characters\.$/],
  [{ ...good, message: 'a\u0000b' }, 'message', /without control characters\.$/],
  [{ ...good, message: 'a\u001b[31m' }, 'message', /without control characters\.$/],
  [{ ...good, message: ['a'] }, 'message', /as text\.$/],
  [{ ...good, website: 'https://spam.example' }, 'website', /hidden field empty\.$/],
  [[good], undefined, /Expected a JSON object/],
  ['"text"', undefined, /Expected a JSON object/],
  ['null', undefined, /Expected a JSON object/],
  ['{"name":', undefined, /not valid JSON/],
]

test('[OPEN-001] what is missing, malformed or too long is refused by field, without repeating it, and nothing is kept', async t => {
  const { post, store } = await contactTrial(t, { limits: { messagesPerQuarterHour: 1000, messagesPerHour: 1000 } })
  for (const [payload, field, sentence] of refusals) {
    const answer = await post(payload as object | string)
    const about = JSON.stringify(payload).slice(0, 80)
    assert.equal(answer.statusCode, 400, about)
    const body = answer.json()
    assert.match(body.error, /^Validation error: /, about)
    assert.match(body.error, sentence, about)
    assert.equal(body.field, field, about)
  }
  assert.deepEqual(await messages(store), [])
})

test('[OPEN-001] hard but good input arrives as it was written', async t => {
  const { post, store, folder } = await contactTrial(t, { limits: { messagesPerQuarterHour: 100 } })
  const inputs = [
    {
      name: 'Жанна "д\'Арк" <x@y.example>, Bcc: a@b.example',
      email: "o'hara+a/b=c@sub.example.org",
      message: '.\n.\r\nQUIT\r\n',
    },
    { name: '\u{1f426}'.repeat(50), email: 'a@bücher.example', message: `${'long '.repeat(1_900)}\u{1f426}` },
    { name: '=?utf-8?q?a?=', email: 'A@EXAMPLE.ORG', message: '<script>alert(1)</script>\n\tFrom me' },
    { name: 'نام\u200cمن', email: 'a@example.org', message: 'a'.repeat(10_000) },
  ]
  for (const input of inputs) assert.equal((await post(input)).statusCode, 200, input.name)
  const rows = await messages(store)
  assert.equal(rows.length, inputs.length)
  for (const { name, message } of inputs) {
    const row = rows.find(found => found.name === name)
    assert.equal(row?.text, message.trim().replaceAll('\r\n', '\n'))
  }
  assert.ok(rows.some(({ email }) => email === 'a@xn--bcher-kva.example'))
  for (const letter of await letters(folder, inputs.length)) {
    const [head = ''] = letter.split('\r\n\r\n')
    const names = head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(line => line.split(':')[0]?.toLowerCase())
    assert.deepEqual(names.filter(name => !/^(?:mime-version|content-)/.test(name ?? '')).sort(), [
      'date',
      'from',
      'message-id',
      'reply-to',
      'subject',
      'to',
    ])
    assert.doesNotMatch(head, /[^\r\n\t -~]/)
  }
})

test('[OPEN-009] A7: ten messages in a quarter of an hour from one client, then 429 with Retry-After', async t => {
  const { post, store } = await contactTrial(t)
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await post(good)).statusCode)
  assert.deepEqual(statuses, [...Array(10).fill(200), 429])
  const late = await post(good)
  assert.equal(late.json().error, 'Rate limit exceeded')
  assert.ok(Number(late.headers['retry-after']) > 60)
  assert.equal((await messages(store)).length, 10)
})

test('A7: all clients together send no more than a person can read', async t => {
  const { post } = await contactTrial(t, {
    limits: { messagesPerHour: 3 },
    settings: { trustedProxies: ['127.0.0.1/32'] },
  })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await post(good, { 'x-forwarded-for': `198.51.${i}.1` })).statusCode)
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('U13: other sites, other methods and forms are refused', async t => {
  const { post, inject, store } = await contactTrial(t)
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await post(good, { 'sec-fetch-site': site })).statusCode, 403)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    const { statusCode } = await post(JSON.stringify(good), { 'content-type': type })
    assert.ok([400, 415].includes(statusCode), `${type}: ${statusCode}`)
  }
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const answer = await inject({ method, url: '/api/contact/' })
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST'])
  }
  assert.deepEqual(await messages(store), [])
  assert.equal((await post(good, { 'sec-fetch-site': 'same-origin' })).statusCode, 200)
})

test('X1: while nothing can be stored the answer is 503 and says so, and tools work', async t => {
  const { post, inject } = await contactTrial(t, { settings: { data: '/dev/null' } })
  const answer = await post(good)
  assert.equal(answer.statusCode, 503)
  assert.deepEqual(answer.json(), {
    error: '503 Service Unavailable: nothing can be stored at the moment',
    code: 'busy',
    detail: 'Try again in 5 seconds.',
  })
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal((await inject({ method: 'GET', url: '/api/look/example.com/' })).statusCode, 200)
})

test('P1: what is written to us stands in no log line, whatever happens to it', async t => {
  const CANARY = 'kanarienvogel'
  const headers = {
    'user-agent': CANARY,
    authorization: CANARY,
    cookie: CANARY,
    referer: `https://${CANARY}.example/`,
    'x-forwarded-for': CANARY,
    [CANARY]: CANARY,
  }
  const full = { name: CANARY, email: `${CANARY}@${CANARY}.example`, message: CANARY }
  const payloads = [
    full,
    { ...full, website: CANARY },
    { ...full, email: CANARY },
    { ...full, name: `${CANARY}\n${CANARY}`, [CANARY]: CANARY },
    { ...full, message: CANARY.repeat(1_000) },
    `{"${CANARY}`,
  ]
  const unreachable = { host: '127.0.0.1', port: 1, secure: false, login: { user: CANARY, pass: CANARY } }
  for (const settings of [{}, { data: '/dev/null' }, { smtp: unreachable }]) {
    const { post, lines, warm, store } = await contactTrial(t, { settings, limits: { messagesPerQuarterHour: 100 } })
    warm()
    for (const payload of payloads) await post(payload, headers)
    await post(full, { ...headers, 'sec-fetch-site': CANARY })
    // A store whose tables are gone is a bug, and is logged as one.
    await store.use(db => db.schema.dropTable('message').execute()).catch(() => {})
    await post(full, headers)
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.ok(lines.length > payloads.length)
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(CANARY, 'i'))
  }
})

test('P2: messages, mails and their files are gone after 30 days, and not before', async t => {
  let clock = Date.now()
  const app = await contactTrial(t, { now: () => new Date(clock) })
  const { post, store, folder, warm } = app
  await post(good)
  const old = join(folder, 'mail', 'old.eml')
  await letters(folder, 1)
  writeFileSync(old, '')
  utimesSync(old, new Date(clock), new Date(clock))
  writeFileSync(join(folder, 'mail', 'notes.txt'), 'not ours')
  utimesSync(join(folder, 'mail', 'notes.txt'), new Date(0), new Date(0))
  await store.use(db =>
    db
      .insertInto('mail')
      .values({
        ...{ id: 'a', created_at: clock, recipient: '', reply_name: '', reply_email: '', subject: '', text: '' },
        ...{ state: 'given-up', attempts: 1, due_at: clock, failure: '550' },
      })
      .execute(),
  )
  const left = async () => [
    (await messages(store)).length,
    (await store.use(db => db.selectFrom('mail').selectAll().execute())).length,
    readdirSync(join(folder, 'mail')).filter(name => name.endsWith('.eml')).length,
  ]
  const sweep = async () => {
    warm()
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  clock += MESSAGE_DAYS * DAY_MS - 60_000
  await sweep()
  assert.deepEqual(await left(), [1, 1, 2])
  clock += 120_000
  warm()
  await until(async () => (await left()).every(count => count === 0))
  assert.deepEqual(readdirSync(join(folder, 'mail')), ['notes.txt'])
})

test('P2: nothing of what was deleted is left in any file of the store', async t => {
  let clock = Date.now()
  const { post, folder, warm } = await contactTrial(t, { now: () => new Date(clock) })
  const CANARY = 'kanarienvogel'
  const found = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .filter(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1').includes(CANARY))
      .map(({ name }) => name)
  for (let i = 0; i < 5; i++) await post({ ...good, message: `${CANARY} `.repeat(700) })
  await letters(folder, 5)
  assert.ok(found().length > 5)
  clock += (MESSAGE_DAYS + 1) * DAY_MS
  for (const name of readdirSync(join(folder, 'mail'))) utimesSync(join(folder, 'mail', name), 0, 0)
  warm()
  await until(() => found().length === 0)
})

test('P2: what is old is looked for every hour', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { store, folder } = await contactTrial(t)
  let clock = 0
  const retention = createRetention({ store, mailFolder: folder, log: () => {}, now: () => clock })
  t.after(retention.stop)
  await store.use(db =>
    db.insertInto('message').values({ id: 'a', created_at: clock, name: '', email: '', text: '' }).execute(),
  )
  clock = (MESSAGE_DAYS + 1) * DAY_MS
  t.mock.timers.tick(3_599_999)
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.equal((await messages(store)).length, 1)
  t.mock.timers.tick(1)
  await until(async () => (await messages(store)).length === 0)
})
