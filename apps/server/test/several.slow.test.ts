import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { noNginx, startNginx, type TestNginx } from './nginx.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from './postgres.ts'
import { type Postman, postman } from './postman.ts'
import { freePort, noRedis, startRedis, type TestRedis } from './redis.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const START_MS = 60_000
/** nginx connects from here, and no visitor does. */
const PROXY = '127.0.0.9'
const PASSWORD = 'correct horse battery staple'

interface Answer {
  status: number
  body: Record<string, unknown>
}

interface Ask {
  port: number
  method?: 'GET' | 'POST' | undefined
  path: string
  body?: object | undefined
  headers?: Record<string, string>
  /** Any address of 127.0.0.0/8. */
  from?: string
}

/** One request on a connection of its own. An answer that is cut off rejects. */
function ask({ port, path, body, method = body ? 'POST' : 'GET', headers, from = '127.0.0.1' }: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const call = request(
    {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      localAddress: from,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    },
    response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : { text } })
      })
    },
  )
  call.on('error', reject)
  call.end(body && JSON.stringify(body))
  return promise
}

interface Machine {
  port: number
  process: ChildProcess
  exit: Promise<unknown[]>
}

async function start(port: number, environment: Record<string, string>): Promise<Machine> {
  const child = spawn(process.execPath, [main], {
    env: { ASSAY_LISTEN: `127.0.0.1:${port}`, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  try {
    await once(child.stdout, 'data', { signal: AbortSignal.timeout(START_MS) })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { port, process: child, exit }
}

async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = START_MS): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await holds())) {
    assert.ok(Date.now() < end, `never came: ${what}`)
    await wait(50)
  }
}

/** So many mails as a busy machine can send in a few seconds. */
const PACE_MS = 100

/** Asks again and again, `width` at a time, until told to stop. */
function load<T>(width: number, paceMs: number, one: (n: number) => Promise<T>): { stop(): Promise<T[]> } {
  const results: T[] = []
  let stopped = false
  let next = 0
  const worker = async () => {
    while (!stopped) {
      results.push(await one(next++))
      await wait(paceMs)
    }
  }
  const all = Promise.all(Array.from({ length: width }, worker))
  return {
    async stop() {
      stopped = true
      await all
      return results
    },
  }
}

const missing = noNginx || noRedis || (!postgresPrograms && 'the package postgresql is not installed')

describe('two servers on one PostgreSQL and one Redis, behind nginx', { skip: missing }, () => {
  let postgres: TestPostgres
  let redis: TestRedis
  let nginx: TestNginx
  let mails: Postman
  let machines: [Machine, Machine]
  let database: pg.Client
  let environment: Record<string, string>
  const closing: (() => unknown)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'assay-several-'))

  before(async () => {
    postgres = await startPostgres(postgresPrograms ?? '')
    redis = await startRedis()
    mails = await postman({ after: close => closing.push(close as () => unknown) })
    const address = await postgres.create()
    database = new pg.Client({ connectionString: address })
    await database.connect()
    const ports = [await freePort(), await freePort()] as const
    nginx = await startNginx(ports, PROXY)
    environment = {
      NODE_ENV: 'production',
      ASSAY_BASE_URL: `http://127.0.0.1:${nginx.port}`,
      ASSAY_TRUSTED_PROXIES: `${PROXY}/32`,
      ASSAY_DATA: folder,
      DATABASE_URL: address,
      REDIS_URL: redis.url,
      ASSAY_CONTACT: 'office@assay.example',
      ASSAY_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      // Mails of a server that died are taken over after twice that.
      ASSAY_MAIL_MS: '2500',
      ASSAY_MAIL_POLL_MS: '200',
      ASSAY_LIGHT_PER_MINUTE: '100000',
      ASSAY_MESSAGES_PER_QUARTER_HOUR: '100000',
      ASSAY_MESSAGES_PER_HOUR: '100000',
      ASSAY_ACCOUNT_MAILS_PER_QUARTER_HOUR: '100000',
      ASSAY_ACCOUNT_MAILS_PER_HOUR: '100000',
      ASSAY_ACCOUNT_CALLS_PER_MINUTE: '100000',
      ASSAY_KEYS_PER_ACCOUNT: '100000',
      ASSAY_LOOKUPS_PER_MINUTE: '5',
      // The machine that runs the tests may be busy with others.
      ASSAY_LOOP_DELAY_MS: '60000',
      ASSAY_STORE_MS: '5000',
      ASSAY_REDIS_MS: '2000',
    }
    machines = [await start(ports[0], environment), await start(ports[1], environment)]
  })

  after(async () => {
    for (const machine of machines ?? []) {
      machine.process.kill('SIGKILL')
      await machine.exit
    }
    await database?.end()
    await nginx?.stop()
    for (const close of closing) await close()
    await redis?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })

  const throughNginx = (more: Omit<Ask, 'port'>) => ask({ port: nginx.port, ...more })
  const sendMessage = async (message: string) => {
    const body = { name: 'Ada', email: 'ada@example.org', message }
    return { message, status: await throughNginx({ path: '/api/contact/', body }).then(statusOf, () => 0) }
  }
  const statusOf = ({ status }: Answer) => status
  const textsOf = async (query: string) => (await database.query<{ text: string }>(query)).rows.map(({ text }) => text)
  const mailed = (text: string) => mails.taken.filter(mail => mail.includes(text)).length

  /** Ends a machine, lets the load go on with the other one, and starts it anew at its place. */
  async function replace(index: 0 | 1, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> {
    const { port, process, exit } = machines[index]
    process.kill(signal)
    const [status] = await exit
    await wait(500)
    machines[index] = await start(port, environment)
    return status
  }

  test('C10: X-Forwarded-For is believed from nginx only, and limits hold over both servers together', async () => {
    // Counted before it is read, and refused at once.
    const lookup = { path: '/api/whois/no-name/' }
    const isLimited = async (more: Partial<Ask>) => (await throughNginx({ ...lookup, ...more })).status === 429
    const allowed = async (asks: readonly Partial<Ask>[]) => {
      let count = 0
      for (const more of asks) if (!(await isLimited(more))) count++
      return count
    }
    const times = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n))
    // nginx takes turns, so with a count in each server twice as many would pass.
    assert.equal(await allowed(times(15, () => ({ from: '127.0.1.1' }))), 5)
    assert.equal(await allowed(times(2, () => ({ from: '127.0.1.2' }))), 2, 'another client has a share of its own')
    const forged = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
    assert.equal(await allowed(times(15, n => ({ from: '127.0.2.3', headers: forged(n) }))), 5, 'nginx replaces it')
    const direct = times(15, n => ({ from: '127.0.3.4', headers: forged(n), port: machines[n % 2]?.port ?? 0 }))
    assert.equal(await allowed(direct), 5, 'nobody but nginx may say who asks')
  })

  test('messages to both servers arrive once each', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `once-${n}-end`)
    const answers = await Promise.all(names.map(sendMessage))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    await until('all mails', () => names.every(name => mailed(name) > 0))
    // Long enough for another look at what is due.
    await wait(600)
    assert.deepEqual(
      names.filter(name => mailed(name) !== 1),
      [],
    )
    assert.equal(await textsOf('select id as text from mail').then(rows => rows.length), 0)
  })

  test('K1: kill -9 of one under load loses nothing that was acknowledged', async t => {
    await verifyAccount('kept@example.org')
    const { access } = await signIn('kept@example.org')
    let { refresh } = await signIn('kept@example.org')
    const bearer = { authorization: `Bearer ${access}` }
    const post = (path: string, body: object, headers = {}) =>
      throughNginx({ path, body, headers }).catch((): Answer => ({ status: 0, body: {} }))
    const messages = load(2, PACE_MS, n => sendMessage(`kill-${n}-end`))
    const registrations = load(1, PACE_MS, async n => {
      const email = `new${n}@example.org`
      return { email, ...(await post('/auth/register/', { email, password: PASSWORD })) }
    })
    const keys = load(1, PACE_MS, n => post('/user/keys/', { name: `key ${n}` }, bearer))
    const sessions = load(1, PACE_MS, async () => {
      const { status, body } = await post('/auth/refresh/', { refresh })
      // Unanswered, the same token is shown again, as a page would.
      if (status === 200) refresh = String(body.refresh)
      return status
    })
    await wait(1_000)
    await replace(0, 'SIGKILL')
    await wait(500)
    await replace(1, 'SIGKILL')
    await wait(500)
    const [sent, registered, made, refreshed] = await Promise.all([
      messages.stop(),
      registrations.stop(),
      keys.stop(),
      sessions.stop(),
    ])
    const good = <T extends { status: number }>(answers: readonly T[], status: number) =>
      answers.filter(answer => answer.status === status)
    t.diagnostic(
      `acknowledged ${good(sent, 200).length} of ${sent.length} messages, ${good(registered, 201).length} of ${registered.length} registrations, ${good(made, 201).length} of ${made.length} keys`,
    )
    for (const answers of [good(sent, 200), good(registered, 201), good(made, 201)]) assert.ok(answers.length > 2)

    const kept = new Set(await textsOf('select text from message'))
    assert.deepEqual(
      good(sent, 200).filter(({ message }) => !kept.has(message)),
      [],
    )
    const accounts = new Set(await textsOf('select email as text from account'))
    assert.deepEqual(
      good(registered, 201).filter(({ email }) => !accounts.has(email)),
      [],
    )
    for (const { body } of good(made, 201)) {
      const headers = { authorization: `Bearer ${body.key}` }
      assert.equal((await post('/api/md5/', { input_text: 'abc' }, headers)).status, 200)
    }
    assert.ok(refreshed.filter(status => status === 200).length > 2)
    assert.deepEqual(
      refreshed.filter(status => status === 401),
      [],
      'no session was taken for stolen',
    )
    assert.equal((await post('/auth/refresh/', { refresh })).status, 200)

    const expected = good(sent, 200).map(({ message }) => message)
    await until('all mails', () => expected.every(message => mailed(message) > 0))
    // One that was under way when its server died is sent again: at least once, and rarely more.
    const twice = expected.filter(message => mailed(message) > 1).length
    t.diagnostic(`${twice} of ${expected.length} mails came twice`)
    assert.ok(twice <= 2, `${twice} mails came twice`)
  })

  test('K3: SIGTERM of one under load: status 0, and requests go on being answered', async t => {
    const reads = load(2, 0, () => throughNginx({ path: '/api/openapi.json' }).then(statusOf))
    const requests = load(2, 0, n => throughNginx({ path: '/api/md5/', body: { input_text: `${n}` } }).then(statusOf))
    const messages = load(1, PACE_MS, n => sendMessage(`term-${n}-end`))
    await wait(500)
    assert.equal(await replace(0, 'SIGTERM'), 0)
    await wait(300)
    assert.equal(await replace(1, 'SIGTERM'), 0)
    await wait(300)
    const read = await reads.stop()
    const sent = await messages.stop()
    const posted = [...(await requests.stop()), ...sent.map(({ status }) => status)]
    t.diagnostic(`${read.length} GET, ${posted.length} POST`)
    assert.deepEqual(
      read.filter(status => status !== 200),
      [],
    )
    // The system accepts connections for a program that is about to stop listening, and nginx sends no POST twice.
    const lost = posted.filter(status => status !== 200)
    assert.ok(lost.length <= 1, `lost ${lost.join()} of ${posted.length}`)
    const kept = new Set(await textsOf('select text from message'))
    assert.deepEqual(
      sent.filter(({ status, message }) => status === 200 && !kept.has(message)),
      [],
    )
  })

  async function verifyAccount(email: string): Promise<void> {
    assert.equal((await throughNginx({ path: '/auth/register/', body: { email, password: PASSWORD } })).status, 201)
    await until('the link', () => mailed(email) > 0)
    const mail = mails.taken.find(text => text.includes(email)) ?? ''
    // RFC 2045 §6.7: an equals sign at the end of a line only breaks it, and =3D is one.
    const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const [, token] = /verify-email\/\?token=([\w%-]+)/.exec(text) ?? assert.fail(text)
    assert.equal((await throughNginx({ path: `/auth/verify-email/?token=${token}` })).status, 302)
  }

  async function signIn(email: string): Promise<{ access: string; refresh: string }> {
    const { status, body } = await throughNginx({ path: '/auth/login/', body: { email, password: PASSWORD } })
    assert.equal(status, 200)
    return { access: String(body.access), refresh: String(body.refresh) }
  }
})

test('below a path of its host, nginx hands the address over as it is', { skip: noNginx }, async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-below-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const port = await freePort()
  const nginx = await startNginx([port, port], PROXY, '/assay/')
  t.after(() => nginx.stop())
  const machine = await start(port, {
    ASSAY_DATA: folder,
    ASSAY_BASE_URL: `http://127.0.0.1:${nginx.port}/assay`,
    ASSAY_TRUSTED_PROXIES: `${PROXY}/32`,
  })
  t.after(async () => {
    machine.process.kill('SIGKILL')
    await machine.exit
  })
  const answer = await ask({ port: nginx.port, path: '/assay/api/md5/', body: { input_text: 'abc' } })
  assert.equal(answer.status, 200)
  assert.equal((await ask({ port: nginx.port, path: '/assay/readyz' })).status, 200)
  assert.equal((await ask({ port: nginx.port, path: '/api/md5/', body: { input_text: 'abc' } })).status, 404)
  assert.match(String((await ask({ port, path: '/api/md5/', method: 'POST' })).body.error), /begins at \/assay\//)
})
