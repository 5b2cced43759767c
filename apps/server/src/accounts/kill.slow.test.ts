import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Acknowledged, cheapHash, type WriterOptions } from '../../test/account-writer.ts'
import { onBothStores, type Place } from '../../test/both-stores.ts'
import { unhurried } from '../../test/unhurried.ts'
import { defaultLimits } from '../limits.ts'
import { fileSender } from '../mail.ts'
import { createOutbox } from '../outbox.ts'
import { createStore, type Store } from '../store/store.ts'
import { hashOf, newId, tokenOf } from './tokens.ts'

const writer = fileURLToPath(import.meta.resolve('../../test/account-writer.ts'))
const main = fileURLToPath(import.meta.resolve('../main.ts'))
const START_MS = 30_000
const KILLS = 200
const SERVER_KILLS = 5
/** Programs on their way up while others are killed. */
const AHEAD = 2

function foldersFor(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-kill-'))
  const mailFolder = join(folder, 'mail')
  mkdirSync(mailFolder)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, mailFolder }
}

interface Writer {
  child: ChildProcess
  /** What was acknowledged so far. */
  lines(): Acknowledged[]
  /** When the first was. */
  busy: Promise<void>
}

function startWriter(t: TestContext, options: WriterOptions): Writer {
  const child = spawn(process.execPath, [writer, JSON.stringify(options)], {
    env: { NODE_COMPILE_CACHE: join(options.mailFolder, '..', 'compiled') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  const busy = new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error('the writer ended by itself')))
    child.stdout.on('data', chunk => {
      text += chunk
      resolve()
    })
  })
  busy.catch(() => {})
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  return { child, busy, lines }
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

/** What does not fit together between what was acknowledged and what is there. */
async function violations(store: Store, mailFolder: string, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  await sendAll(store, mailFolder)
  const { accounts, sessions, links } = await store.use(async db => ({
    accounts: await db.selectFrom('account').selectAll().execute(),
    sessions: await db.selectFrom('session').selectAll().execute(),
    links: await db.selectFrom('link').selectAll().execute(),
  }))
  const wrong: string[] = []
  const byEmail = Map.groupBy(accounts, ({ email }) => email)
  for (const [email, rows] of byEmail) if (rows.length !== 1) wrong.push(`${email} is there ${rows.length} times`)
  const mailed = new Set(
    readdirSync(mailFolder)
      .filter(name => name.endsWith('.eml'))
      .map(name => /^To: <?([^>\r\n]+)/m.exec(readFileSync(join(mailFolder, name), 'utf8'))?.[1]),
  )
  const last = new Map(acknowledged.map(line => [`${line.did} ${line.email}`, line]))
  const isOver = (email: string) => last.has(`logout ${email}`) || last.has(`reset ${email}`)
  for (const line of last.values()) {
    const { did, email } = line
    const account = byEmail.get(email)?.[0]
    if (!account) wrong.push(`${email} is lost`)
    else if (did === 'register' && !mailed.has(email)) wrong.push(`no mail for ${email}`)
    else if (did === 'verify' && account.verified_at === null) wrong.push(`${email} is not verified any more`)
    else if (did === 'reset') {
      if (account.password_hash !== cheapHash(line.password)) wrong.push(`${email} has its old password`)
      if (!links.some(({ token, used_at }) => token === hashOf(line.token) && used_at !== null))
        wrong.push(`the link of ${email} is not used`)
    } else if (did === 'pair') {
      // The next call may have been carried out and not answered; then the last token is the one before.
      const hash = hashOf(line.refresh)
      const isGood = sessions.some(({ refresh, previous }) => refresh === hash || previous === hash)
      if (!isGood && !isOver(email) && !mayBeOver(line, acknowledged)) wrong.push(`${email} was logged out`)
    } else if (did === 'logout') {
      const { id } = tokenOf('refresh', line.refresh) ?? assert.fail()
      if (sessions.some(session => session.id === id)) wrong.push(`${email} is still logged in`)
    }
  }
  for (const { id, account, refresh, previous } of sessions) {
    if (!accounts.some(row => row.id === account)) wrong.push(`session ${id} belongs to nobody`)
    if (!refresh || refresh === previous) wrong.push(`session ${id} has no token of its own`)
  }
  return wrong
}

/** The writer logs out after its fourth pair, and may have been killed between doing so and saying so. */
const mayBeOver = (line: Acknowledged, all: readonly Acknowledged[]) =>
  all.filter(({ did, email }) => did === 'pair' && email === line.email).length >= 4

async function sendAll(store: Store, mailFolder: string): Promise<void> {
  const limits = { ...defaultLimits, mailPollMs: 5 }
  // As if it were later: what a dead process had claimed is free again.
  const now = () => Date.now() + 10 * limits.mailMs
  const outbox = createOutbox({ store, sender: fileSender(mailFolder, 'site@assay.example'), limits, log() {}, now })
  outbox.wake()
  const end = Date.now() + START_MS
  for (;;) {
    const left = await store.use(db => db.selectFrom('mail').select('id').execute())
    if (left.length === 0) break
    assert.ok(Date.now() < end, `${left.length} mails were never sent`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  await outbox.close()
}

onBothStores('K1', newPlace => {
  test(`K1: ${KILLS} times kill -9 in the middle of writing loses nothing acknowledged`, async t => {
    const { folder, mailFolder } = foldersFor(t)
    const place: Place = await newPlace()
    const store = createStore({ folder, address: place.address, timeoutMs: 5_000, connections: 2 })
    t.after(() => store.close())
    await store.open()
    const acknowledged: Acknowledged[] = []
    const waiting: Writer[] = []
    for (let round = 0; round < KILLS; round++) {
      while (waiting.length < AHEAD)
        waiting.push(startWriter(t, { folder, mailFolder, name: `k${newId().toLowerCase()}`, ...place }))
      const { child, busy, lines } = waiting.shift() ?? assert.fail()
      await busy
      await new Promise(resolve => setTimeout(resolve, Math.random() * 80))
      await kill(child)
      acknowledged.push(...lines())
    }
    for (const { child, lines } of waiting) {
      await kill(child)
      acknowledged.push(...lines())
    }
    t.diagnostic(`${acknowledged.length} writes acknowledged`)
    assert.ok(acknowledged.length >= KILLS)
    assert.deepEqual(await violations(store, mailFolder, acknowledged), [])
  })

  test('K1: two processes that write at the same time lose nothing acknowledged', async t => {
    const { folder, mailFolder } = foldersFor(t)
    const place: Place = await newPlace()
    const writers = ['one', 'two'].map(name => startWriter(t, { folder, mailFolder, name, ...place }))
    await Promise.all(writers.map(({ busy }) => busy))
    await new Promise(resolve => setTimeout(resolve, 2_000))
    await Promise.all(writers.map(({ child }) => kill(child)))
    const store = createStore({ folder, address: place.address, timeoutMs: 5_000, connections: 2 })
    t.after(() => store.close())
    for (const { lines } of writers) assert.ok(lines().length > 10, `${lines().length}`)
    assert.deepEqual(
      await violations(
        store,
        mailFolder,
        writers.flatMap(({ lines }) => lines()),
      ),
      [],
    )
  })

  test(`K1: ${SERVER_KILLS} times kill -9 of the whole server under registrations, and it is ready again`, async t => {
    const { folder, mailFolder } = foldersFor(t)
    const place: Place = await newPlace()
    const socketPath = join(folder, 'assay.sock')
    const kept: string[] = []
    const readyAfter: number[] = []
    for (let round = 0; round < SERVER_KILLS; round++) {
      const start = performance.now()
      const child = spawn(process.execPath, [main], {
        env: {
          ...unhurried,
          NODE_COMPILE_CACHE: join(folder, 'compiled'),
          ASSAY_LISTEN: `unix:${socketPath}`,
          ASSAY_DATA: folder,
          ASSAY_ACCOUNT_MAILS_PER_QUARTER_HOUR: '100000',
          ...(place.address && { DATABASE_URL: place.address }),
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      t.after(() => child.kill('SIGKILL'))
      await once(child.stdout, 'data', { signal: AbortSignal.timeout(START_MS) })
      readyAfter.push(performance.now() - start)
      let first = () => {}
      const busy = new Promise<void>(resolve => {
        first = resolve
      })
      const clients = Array.from({ length: 4 }, async (_, client) => {
        for (let i = 0; ; i++) {
          const email = `s${round}-${client}-${i}@example.org`
          const status = await register(socketPath, email)
          if (status === undefined) return
          assert.equal(status, 201)
          kept.push(email)
          first()
        }
      })
      await busy
      await new Promise(resolve => setTimeout(resolve, Math.random() * 300))
      await kill(child)
      await Promise.all(clients)
    }
    const store = createStore({ folder, address: place.address, timeoutMs: 5_000, connections: 2 })
    t.after(() => store.close())
    t.diagnostic(`${kept.length} registrations; ready after ${readyAfter.map(ms => ms.toFixed(0)).join(', ')} ms`)
    const lines = kept.map((email): Acknowledged => ({ did: 'register', email }))
    assert.deepEqual(await violations(store, mailFolder, lines), [])
  })
})

/** The status; undefined when the server was killed meanwhile. */
function register(socketPath: string, email: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const headers = { 'content-type': 'application/json' }
  const call = request({ socketPath, path: '/auth/register/', method: 'POST', headers }, response => {
    response.resume()
    response.once('end', () => resolve(response.statusCode))
    response.once('error', () => resolve(undefined))
  })
  call.once('error', () => resolve(undefined))
  call.end(JSON.stringify({ email, password: 'secret' }))
  return promise
}
