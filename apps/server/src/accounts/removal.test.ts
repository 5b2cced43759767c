import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type AccountTrial, type AccountTrialOptions, accountTrial } from '../../test/account-trial.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { type Seat, seat } from '../../test/seated.ts'
import type { Tables } from '../store/tables.ts'
import { createToken, hashOf } from './tokens.ts'

const person = { email: 'marker-kanarienvogel@example.org', password: 'a long enough secret' }
const KEY_NAME = 'marker-zaunkoenig'
const DAY_MS = 86_400_000

const remove = (app: AccountTrial, { headers }: Pick<Seat, 'headers'>, payload: object | undefined = {}) =>
  app.inject({ method: 'DELETE', url: '/user/profile/', headers, payload })

/** Somebody who has something in every table. */
async function everything(app: AccountTrial) {
  const { access } = await app.signIn(person)
  const headers = { authorization: `Bearer ${access}` }
  const { id: account } = (await app.get('/user/profile/', headers)).json()
  const { key } = (await app.post('/user/keys/', { name: KEY_NAME, expires_in_days: 9 }, headers)).json()
  await app.post('/api/steps/', { count: '1', wait: '0' }, { authorization: `Bearer ${key}` })
  await app.post('/auth/password-change/', { email: person.email })
  const at = app.clock.ms
  await app.letters(2)
  const noted = () => rowsOf(app, 'usage_day')
  while ((await noted()).length === 0) await new Promise(resolve => setTimeout(resolve, 10))
  const link = createToken('link')
  await app.store.use(async db => {
    const identity = { provider: 'github', subject: 'marker-rotkehlchen', account, created_at: at }
    await db.insertInto('identity').values(identity).execute()
    const back = { access: 'marker-meise', refresh: 'marker-star', browser: 'marker-fink', expires_at: at + DAY_MS }
    await db
      .insertInto('social_return')
      .values({ ...back, account, provider: 'github' })
      .execute()
    const waiting = { state: 'waiting', attempts: 3, due_at: at + DAY_MS, failure: '451', created_at: at } as const
    const text = `Open https://assay.example/auth/?mode=reset&token=${link} now.`
    const mail = { ...waiting, reply_name: 'Assay', reply_email: 'office@assay.example', text, subject: 'marker-amsel' }
    await db
      .insertInto('mail')
      .values([
        { ...mail, id: 'a', recipient: person.email },
        { ...mail, id: 'b', recipient: 'somebody.else@example.org', subject: 'not for them' },
      ])
      .execute()
  })
  return { account, access, key, link, headers }
}

/** Where the rows of a table with an account stand in the export. */
const sections: Partial<Record<keyof Tables, string>> = {
  identity: 'identities',
  session: 'sessions',
  link: 'links',
  api_key: 'keys',
  known_origin: 'known_origins',
  usage: 'usage',
  usage_day: 'days',
  social_return: 'returns',
}
/** What would open the account, or helps to. */
const secrets: Partial<Record<keyof Tables, readonly string[]>> = {
  account: ['password_hash'],
  session: ['id', 'access', 'refresh', 'previous', 'successor'],
  link: ['token'],
  api_key: ['token'],
  social_return: ['access', 'refresh', 'browser'],
}
type Row = Record<string, string | number | null>

const shown = (column: string, value: string | number | null): unknown => {
  if (value === null) return null
  if (/^(?:.*_)?at$/.test(column)) return value === 0 ? null : new Date(Number(value)).toISOString()
  return column === 'scopes' ? String(value).split(' ') : value
}

const rowsOf = (app: AccountTrial, table: keyof Tables): Promise<Row[]> =>
  app.store.use(db => db.selectFrom(table).selectAll().execute()) as Promise<Row[]>

function sameOnBoth(place: () => Promise<AccountTrialOptions>, dump: (app: AccountTrial) => string) {
  const start = async (t: TestContext, options: AccountTrialOptions = {}) =>
    accountTrial(t, { ...(await place()), ...options, limits: { usageMs: 1, ...options.limits } })

  test('[OPEN-085] P3: the export holds every row and column about the account, and nothing that opens it', async t => {
    const app = await start(t)
    const { account, access, key, link, headers } = await everything(app)
    const answer = await app.get('/user/export/', headers)
    assert.equal(answer.statusCode, 200)
    const day = new Date(app.clock.ms).toISOString().slice(0, 10)
    assert.equal(answer.headers['content-disposition'], `attachment; filename="account-${day}.json"`)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    const exported = answer.json()
    const tables = await app.store.use(db => db.introspection.getTables())
    for (const { name, columns } of tables) {
      if (!columns.some(({ name }) => name === 'account')) continue
      const table = name as keyof Tables
      const section: Row[] = exported[sections[table] ?? ''] ?? []
      const rows = (await rowsOf(app, table)).filter(row => row.account === account)
      assert.ok(rows.length > 0, `the test puts nothing into ${table}`)
      assert.equal(section.length, rows.length, `${table} is not exported`)
      const open = columns.map(({ name }) => name).filter(name => name !== 'account' && !secrets[table]?.includes(name))
      for (const name of open)
        for (const { [name]: value = null } of rows)
          assert.ok(
            section.some(row => JSON.stringify(row[name]) === JSON.stringify(shown(name, value))),
            `${table}.${name} is not exported`,
          )
    }
    const [row = {}] = (await rowsOf(app, 'account')).filter(({ id }) => id === account)
    for (const [name, value] of Object.entries(row))
      if (value !== null && name !== 'password_hash') assert.equal(exported.account[name], shown(name, value), name)
    assert.deepEqual([exported.account.has_password, exported.account.email_verified], [true, true])
    assert.deepEqual(
      exported.mails.map(({ subject, text }: Row) => [subject, text]),
      [['marker-amsel', 'Open https://assay.example/auth/?mode=reset&token=(left out) now.']],
    )
    assert.match(exported.note, /contact form are kept apart/)
    for (const secret of [access, key, link]) {
      assert.ok(!answer.body.includes(secret))
      assert.ok(!answer.body.includes(hashOf(secret)))
    }
    assert.doesNotMatch(answer.body, /argon2|assay_/)
    for (const [table, names] of Object.entries(secrets))
      for (const row of await rowsOf(app, table as keyof Tables))
        for (const name of names)
          if (row[name]) assert.ok(!answer.body.includes(String(row[name])), `${table}.${name} is exported`)
  })

  test('P3: a deleted account leaves nothing in any table, file or dump, and its tokens are dead', async t => {
    const app = await start(t)
    const others: Seat[] = []
    for (let n = 0; n < 60; n++) others.push(await seat(app, { email: `other${n}@example.org` }))
    const { account, access, key, headers } = await everything(app)
    for (let n = 60; n < 120; n++) others.push(await seat(app, { email: `other${n}@example.org` }))
    const [session] = (await rowsOf(app, 'session')).filter(row => row.account === account)
    const [apiKey] = await rowsOf(app, 'api_key')
    const [row] = (await rowsOf(app, 'account')).filter(({ id }) => id === account)
    const hash = String(row?.password_hash)
    const traces = [person.email, account, KEY_NAME, hash, 'marker-rotkehlchen', 'marker-amsel']
    traces.push(hashOf(key), 'marker-meise', 'marker-fink')
    traces.push(...[session?.id, session?.access, apiKey?.id, apiKey?.token].map(String))
    const before = dump(app)
    for (const trace of traces) assert.ok(before.includes(trace), `${trace} never was there`)
    const gone = await remove(app, { headers }, { password: person.password })
    assert.deepEqual([gone.statusCode, gone.json()], [200, { detail: 'Account deleted.' }])
    const left = dump(app)
    for (const trace of traces) assert.ok(!left.includes(trace), `${trace} is still there`)
    assert.ok(left.includes('other7@example.org') && left.includes('not for them'))
    for (const token of [access, key]) {
      const call = await app.post('/api/steps/', { count: '1', wait: '0' }, { authorization: `Bearer ${token}` })
      assert.equal(call.statusCode, 401)
    }
    assert.equal((await app.get('/user/profile/', headers)).statusCode, 401)
    assert.equal((await app.post('/auth/login/', person)).statusCode, 401)
    for (const other of [others[0], others[119]])
      assert.equal((await app.get('/user/profile/', other?.headers)).statusCode, 200)
    assert.equal((await app.post('/auth/register/', person)).statusCode, 201, 'the address is free again')
  })

  test('the export holds every call once, and deletion leaves none, however many there are', async t => {
    const app = await start(t)
    const one = await seat(app, { provider: 'google' })
    const other = await seat(app)
    const rows = Array.from({ length: 2_600 }, (_, n) => ({
      at: 1_800_000_000_000 + Math.floor(n / 7),
      tool: 'sha256',
      status: 200,
      ms: n,
      client: 'a',
      account: n === 2_599 ? other.account : one.account,
      api_key: null,
    }))
    for (let from = 0; from < rows.length; from += 650)
      await app.store.use(db =>
        db
          .insertInto('usage')
          .values(rows.slice(from, from + 650))
          .execute(),
      )
    const { usage } = (await app.get('/user/export/', one.headers)).json()
    assert.equal(usage.length, 2_599)
    assert.equal(new Set(usage.map(({ ms }: { ms: number }) => ms)).size, 2_599)
    assert.deepEqual(
      usage.map(({ at }: { at: string }) => at),
      rows.slice(0, -1).map(({ at }) => new Date(at).toISOString()),
    )
    assert.equal((await remove(app, one)).statusCode, 200)
    assert.deepEqual(
      (await rowsOf(app, 'usage')).map(({ account }) => account),
      [other.account],
    )
  })

  test('U15: fifty who delete the same account at once delete one, and none of them sees a fault of ours', async t => {
    const app = await start(t, { limits: { accountCallsPerMinute: 1_000 } })
    const fresh = await seat(app, { provider: 'google' })
    await seat(app, { account: fresh.account, provider: 'google' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove(app, fresh)))
    const codes = new Set(answers.map(({ statusCode }) => statusCode))
    assert.ok(codes.has(200))
    assert.ok(
      [...codes].every(code => code === 200 || code === 401),
      [...codes].join(),
    )
    assert.deepEqual(await rowsOf(app, 'account'), [])
    assert.deepEqual(await rowsOf(app, 'session'), [])
  })
}

/** Whatever lies below a folder. */
function filesIn(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

describe('leaving, in a folder', () => {
  sameOnBoth(
    async () => ({}),
    ({ folder }) => filesIn(folder),
  )
})

describe('leaving, in PostgreSQL', { skip: !postgresPrograms && 'the package postgresql is not installed' }, () => {
  let server: TestPostgres
  let address = ''
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server.stop())
  sameOnBoth(
    async () => {
      address = await server.create()
      return { address }
    },
    ({ folder }) => {
      const { status, stdout } = spawnSync(join(postgresPrograms ?? '', 'pg_dump'), ['--inserts', address], {
        encoding: 'utf8',
      })
      assert.equal(status, 0)
      return stdout + filesIn(folder)
    },
  )
})

test('[OPEN-085] an account is deleted by its password, or within ten minutes of a sign-in by a provider', async t => {
  const app = await accountTrial(t)
  const { access } = await app.signIn(person)
  const headers = { authorization: `Bearer ${access}` }
  const bare = await remove(app, { headers })
  assert.deepEqual([bare.statusCode, bare.json().detail], [403, 'Enter your password to delete your account.'])
  for (const password of ['wrong', '', null, 7, ['a'], 'x'.repeat(1_025), `${person.password} `]) {
    const refused = await remove(app, { headers }, { password })
    assert.deepEqual(
      [refused.statusCode, refused.json().detail],
      [403, 'Wrong password.'],
      String(password).slice(0, 9),
    )
  }
  for (const payload of [{ password: person.password, account: 'x' }, [], { confirm: true }])
    assert.equal((await remove(app, { headers }, payload)).statusCode, 400)
  const byProvider = await seat(app, { provider: 'google' })
  app.clock.ms += 600_001
  const late = await remove(app, byProvider)
  assert.equal(late.statusCode, 403)
  assert.match(late.json().detail, /^Log out and in again to delete/)
  const guess = await remove(app, byProvider, { password: '' })
  assert.deepEqual([guess.statusCode, guess.json().detail], [403, 'Wrong password.'])
  const fresh = await seat(app, { account: byProvider.account, provider: 'google' })
  app.clock.ms += 600_000
  assert.equal((await remove(app, fresh)).statusCode, 200)
  const rows = await rowsOf(app, 'account')
  assert.deepEqual(
    rows.map(({ email }) => email),
    [person.email],
  )
})

test('[OPEN-020] guessing the password of an open session is as slow as logging in', async t => {
  const app = await accountTrial(t, { limits: { loginsPerQuarterHour: 3 } })
  const session = await seat(app)
  const codes: number[] = []
  for (let n = 0; n < 5; n++) codes.push((await remove(app, session, { password: `guess ${n}` })).statusCode)
  assert.deepEqual(codes.slice(0, 2), [403, 403])
  assert.equal(codes[4], 429)
})

test('mails to the operator stay when the operator has an account and deletes it', async t => {
  const app = await accountTrial(t)
  const operator = await seat(app, { email: 'office@assay.example', provider: 'google' })
  const message = { name: 'Ada', email: 'ada@example.org', message: 'marker-message' }
  assert.equal((await app.post('/api/contact/', message)).statusCode, 200)
  await app.letters(1)
  const exported = (await app.get('/user/export/', operator.headers)).json()
  assert.deepEqual(exported.mails, [])
  assert.equal((await remove(app, operator)).statusCode, 200)
  assert.match((await app.letters(1)).join(), /marker-message/)
})
