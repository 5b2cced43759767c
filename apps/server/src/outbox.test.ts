import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { postgresPrograms, startPostgres, type TestPostgres } from '../test/postgres.ts'
import { postman } from '../test/postman.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { LogLine } from './log.ts'
import { parseSmtpAddress, type SmtpServer, smtpSender } from './mail.ts'
import { createOutbox, type Letter, type Outbox } from './outbox.ts'
import { createStore, type Store } from './store/store.ts'

/** An attempt that is over soon, for tests that wait for its end. */
const SHORT_MS = 500

const letter: Letter = {
  recipient: 'office@assay.example',
  reply_name: 'Ada',
  reply_email: 'ada@example.org',
  subject: 'Hello',
  text: 'Is it \u{1f426}?\n.\nYes.',
}
const limits: Limits = { ...defaultLimits, mailMs: 3_000, mailRetryMs: 40, mailRetryMaxMs: 80, mailPollMs: 20 }

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-outbox-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

interface Sending {
  store: Store
  outbox: Outbox
  lines: LogLine[]
  /** State, attempts and failure of what is still in the table. */
  left(): Promise<unknown[][]>
  post(count?: number): Promise<void>
}

interface SendingOptions {
  now?: () => number
  mailMs?: number
  address?: string
}

function sending(
  t: TestContext,
  folder: string,
  server: Partial<SmtpServer>,
  { now = Date.now, mailMs = limits.mailMs, address }: SendingOptions = {},
): Sending {
  const store = createStore({ folder, address, timeoutMs: 2_000, connections: 2 })
  const lines: LogLine[] = []
  const smtp = { host: '127.0.0.1', port: 1, secure: false, login: undefined, ...server }
  const sender = smtpSender({ server: smtp, from: 'site@assay.example', timeoutMs: mailMs })
  const outbox = createOutbox({ store, sender, limits: { ...limits, mailMs }, log: line => lines.push(line), now })
  t.after(async () => {
    await outbox.close()
    await store.close()
  })
  return {
    store,
    outbox,
    lines,
    async left() {
      const rows = await store.use(db => db.selectFrom('mail').selectAll().execute())
      return rows.map(({ state, attempts, failure }) => [state, attempts, failure])
    },
    async post(count = 1) {
      for (let i = 0; i < count; i++) await store.use(db => outbox.add(db, { ...letter, subject: `Hello ${i}` }))
      outbox.wake()
    },
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 8_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'never came')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const mailIds = (taken: readonly string[]) => taken.map(text => /^Message-ID: (.*)\r$/m.exec(text)?.[1])
const said = (lines: readonly LogLine[]) => lines.flatMap(line => (line.event === 'mail' ? [line.text] : []))

test('a mail goes out at once and leaves nothing behind', async t => {
  const { port, taken } = await postman(t)
  const { post, left, lines } = sending(t, folderFor(t), { port })
  await post()
  await until(() => taken.length === 1)
  await until(async () => (await left()).length === 0)
  const [text = ''] = taken
  assert.match(text, /^From: site@assay\.example\r$/m)
  assert.match(text, /^To: office@assay\.example\r$/m)
  assert.match(text, /^Reply-To: "?Ada"? <ada@example\.org>\r$/m)
  assert.match(text, /^Message-ID: <[\da-f-]{36}@assay\.example>\r$/m)
  assert.deepEqual(lines, [])
})

test('X5: while the server is down mails wait, and go out once when it is back', async t => {
  const { port, close } = await postman(t)
  await close()
  const { post, left, lines } = sending(t, folderFor(t), { port })
  await post(3)
  await until(() => said(lines).length >= 2)
  assert.match(said(lines).join(), /^attempt 1 failed: ECONNREFUSED,attempt \d failed: ECONNREFUSED/)
  const { taken } = await postman(t, {}, port)
  await until(async () => (await left()).length === 0)
  assert.equal(taken.length, 3)
  assert.equal(new Set(mailIds(taken)).size, 3)
})

test('RFC 5321 §4.2.1: 4yz is tried again, longer each time, with the same Message-ID', async t => {
  let refusals = 0
  const { port, taken } = await postman(t, {
    onRcptTo(_, __, callback) {
      if (++refusals > 3) return callback()
      callback(Object.assign(new Error('come back for ada@example.org'), { responseCode: 451 }))
    },
  })
  const { post, left, lines } = sending(t, folderFor(t), { port })
  await post()
  await until(() => taken.length === 1)
  await until(async () => (await left()).length === 0)
  assert.deepEqual(
    said(lines),
    [1, 2, 3].map(attempt => `attempt ${attempt} failed: 451`),
  )
})

test('RFC 5321 §4.2.1: 5yz is given up, recorded, and does not hold up others', async t => {
  for (const at of ['onMailFrom', 'onRcptTo', 'onData'] as const) {
    let first = true
    const taken: string[] = []
    const { port } = await postman(t, {
      [at](
        stream: { resume?(): void; on?(event: 'end', done: () => void): void },
        _: unknown,
        callback: (error?: Error) => void,
      ) {
        const answer = () => {
          const refused = first
          first = false
          taken.push(refused ? 'refused' : 'taken')
          callback(refused ? Object.assign(new Error('no ada@example.org here'), { responseCode: 550 }) : undefined)
        }
        if (at !== 'onData') return answer()
        stream.resume?.()
        stream.on?.('end', answer)
      },
    })
    const { post, left, lines } = sending(t, folderFor(t), { port })
    await post(2)
    await until(() => taken.length === 2)
    await until(async () => (await left()).length === 1)
    assert.deepEqual(await left(), [['given-up', 1, '550']], at)
    assert.deepEqual(said(lines), ['given up: 550'])
  }
})

test('a server that asks for a login gets the mail when the operator has set one', async t => {
  const { port, taken } = await postman(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, callback) {
      if (username === 'assay' && password === 'p@ss:word') callback(null, { user: username })
      else callback(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })
  const folder = folderFor(t)
  const anonymous = sending(t, folder, { port })
  await anonymous.post()
  await until(() => said(anonymous.lines).length > 0)
  assert.deepEqual(said(anonymous.lines)[0], 'attempt 1 failed: 530')
  await anonymous.outbox.close()
  const wrong = sending(t, folder, { port, login: { user: 'assay', pass: 'guess' } })
  wrong.outbox.wake()
  await until(async () => {
    wrong.outbox.wake()
    return said(wrong.lines).length > 0
  })
  assert.match(said(wrong.lines)[0] ?? '', /^attempt \d+ failed: 535$/)
  await wrong.outbox.close()
  const right = sending(t, folder, { port, login: parseSmtpAddress('smtp://assay:p%40ss%3Aword@h').login })
  right.outbox.wake()
  await until(() => taken.length === 1)
})

test('a password is not told in the clear to another machine', async t => {
  const told: unknown[] = []
  const { port } = await postman(t, {
    allowInsecureAuth: true,
    onAuth: (auth, _, callback) => {
      told.push(auth)
      callback(null, { user: 'assay' })
    },
  })
  // Written so, the address is not known to be this machine.
  const { post, lines } = sending(t, folderFor(t), { host: '127.1', port, login: { user: 'assay', pass: 'secret' } })
  await post()
  await until(() => said(lines).length > 0)
  assert.match(said(lines)[0] ?? '', /^attempt 1 failed: (?:ETLS|5\d\d)$/)
  assert.deepEqual(told, [])
})

test('a server that is slow is waited for as long as an attempt lasts, then tried again', async t => {
  let calls = 0
  const { port, taken } = await postman(t, {
    onConnect(_, callback) {
      if (++calls === 1) return
      setTimeout(callback, 150)
    },
  })
  const { post, left, lines } = sending(t, folderFor(t), { port }, { mailMs: SHORT_MS })
  await post()
  await until(async () => (await left()).length === 0)
  assert.equal(taken.length, 1)
  assert.equal(said(lines)[0], 'attempt 1 failed: timeout')
})

test('what cannot be delivered for five days is given up and recorded', async t => {
  let clock = Date.now()
  const { post, left, lines } = sending(t, folderFor(t), { port: 1 }, { now: () => clock })
  await post()
  await until(() => said(lines).length === 1)
  clock += limits.mailGiveUpMs + 60_000
  await until(async () => (await left())[0]?.[0] === 'given-up')
  assert.deepEqual(await left(), [['given-up', 2, 'ECONNREFUSED']])
})

test('two processes on one folder send every mail once', async t => {
  const { port, taken } = await postman(t)
  const folder = folderFor(t)
  const [first, second] = [sending(t, folder, { port }), sending(t, folder, { port })]
  await Promise.all([first.post(20), second.post(20)])
  await until(async () => (await first.left()).length === 0)
  assert.equal(taken.length, 40)
  assert.equal(new Set(mailIds(taken)).size, 40)
})

test('a mail that was being sent when its process died is sent by the next', async t => {
  const { port, taken } = await postman(t)
  const folder = folderFor(t)
  const dead = sending(t, folder, { port: 1 }, { mailMs: SHORT_MS })
  const at = Date.now()
  await dead.store.use(db => dead.outbox.add(db, letter))
  await dead.store.use(db =>
    db
      .updateTable('mail')
      .set({ attempts: 1, due_at: at + 2 * SHORT_MS })
      .execute(),
  )
  const next = sending(t, folder, { port }, { mailMs: SHORT_MS })
  next.outbox.wake()
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(taken.length, 0)
  await until(() => taken.length === 1)
  assert.ok(Date.now() - at >= 2 * SHORT_MS)
})

test('the address of the SMTP server is read, and refused without repeating its password', () => {
  const read = parseSmtpAddress
  assert.deepEqual(read('smtp://mail.example'), { host: 'mail.example', port: 587, secure: false, login: undefined })
  assert.deepEqual(read('smtps://a:b@mail.example:4650'), {
    ...{ host: 'mail.example', port: 4650, secure: true },
    login: { user: 'a', pass: 'b' },
  })
  assert.equal(read('smtp://[::1]:25').host, '::1')
  for (const wrong of [
    'mail.example',
    'http://a:secret@mail.example',
    'smtp://',
    'smtp://a:secret@h/path',
    'smtp://a:secret@h?x=1',
  ]) {
    assert.throws(
      () => read(wrong),
      error => error instanceof RangeError && !/secret/.test(error.message),
      wrong,
    )
  }
})

describe('the outbox in PostgreSQL', { skip: !postgresPrograms && 'the package postgresql is not installed' }, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server.stop())

  test('two machines send every mail once, and record what is refused', async t => {
    let refusals = 0
    const { port, taken } = await postman(t, {
      onRcptTo(_, __, callback) {
        if (++refusals > 1) return callback()
        callback(Object.assign(new Error('no'), { responseCode: 550 }))
      },
    })
    const address = await server.create()
    const [first, second] = [1, 2].map(() => sending(t, '/nowhere', { port }, { address }))
    assert.ok(first && second)
    await Promise.all([first.post(10), second.post(10)])
    await until(async () => taken.length === 19 && (await first.left()).length === 1)
    assert.equal(new Set(mailIds(taken)).size, 19)
    assert.deepEqual(await first.left(), [['given-up', 1, '550']])
  })
})
