import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { postman } from '../test/postman.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const START_MS = 20_000

function start(
  t: TestContext,
  environment: Record<string, string>,
): ChildProcess & { text: Promise<string>; errors: () => string } {
  const data = mkdtempSync(join(tmpdir(), 'assay-data-'))
  const env = { ASSAY_DATA: data, ...environment }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(data, { recursive: true })
  })
  let [out, errors] = ['', '']
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  const text = new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`nothing was printed; ${errors}`)), START_MS)
    const settle = () => {
      clearTimeout(late)
      resolve(out)
    }
    child.stdout?.on('data', chunk => {
      out += chunk
      if (out.includes('\n')) settle()
    })
    child.once('exit', settle)
  })
  return Object.assign(child, { text, errors: () => errors })
}

function ask(
  where: { socketPath: string } | { port: number },
  path: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      { ...where, path, method: body ? 'POST' : 'GET', headers: body ? { 'content-type': 'application/json' } : {} },
      response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    call.on('error', reject)
    call.end(body && JSON.stringify(body))
  })
}

test('it says where it listens, answers, and ends with status 0 on SIGTERM, its answers out', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socketPath = join(folder, 'assay.sock')
  const child = start(t, { ASSAY_LISTEN: `unix:${socketPath}` })
  assert.match(await child.text, new RegExp(`^Assay listens on unix:${socketPath}\n`))
  assert.equal((await ask({ socketPath }, '/readyz')).status, 200)
  const large = ask({ socketPath }, '/api/md5/', { input_text: 'a'.repeat(900_000) })
  await new Promise(resolve => setTimeout(resolve, 50))
  child.kill('SIGTERM')
  const [[status], { status: answered, text }] = await Promise.all([once(child, 'exit'), large])
  assert.equal(status, 0, child.errors())
  assert.equal(answered, 200, text + child.errors())
  assert.match(child.errors(), /"event":"stop"/)
})

test('the place of a killed server is taken over', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socketPath = join(folder, 'assay.sock')
  const first = start(t, { ASSAY_LISTEN: `unix:${socketPath}` })
  await first.text
  first.kill('SIGKILL')
  await once(first, 'exit')
  assert.ok(existsSync(socketPath))
  const second = start(t, { ASSAY_LISTEN: `unix:${socketPath}` })
  assert.match(await second.text, /^Assay listens/)
  second.kill('SIGINT')
  assert.deepEqual(await once(second, 'exit'), [0, null])
})

test('a setting that makes no sense, or a place that is taken, stops the start with a sentence', async t => {
  const wrong = start(t, { ASSAY_LISTEN: 'everywhere' })
  assert.deepEqual(await once(wrong, 'exit'), [1, null])
  assert.match(wrong.errors(), /^ASSAY_LISTEN: expected an address and a port[^\n]*\.\n$/)
  const taken = start(t, { ASSAY_LISTEN: 'unix:/dev/null' })
  assert.deepEqual(await once(taken, 'exit'), [1, null])
  assert.match(taken.errors(), /^Assay cannot listen on unix:\/dev\/null: [^\n]*\.\n$/)
})

test('X1: with nowhere to keep anything it starts, says so, and its tools answer', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socketPath = join(folder, 'assay.sock')
  const child = start(t, { ASSAY_LISTEN: `unix:${socketPath}`, ASSAY_DATA: '/dev/null' })
  assert.match(await child.text, /^Nothing can be stored in the folder \/dev\/null at the moment\./)
  await until(() => child.errors().includes('"event":"start"'))
  assert.equal((await ask({ socketPath }, '/api/md5/', { input_text: 'abc' })).status, 200)
  assert.match(child.errors(), /"event":"store"[^\n]*"text":"down: EEXIST"/)
})

test('X2: with a Redis that is not there it starts, says so once, and its tools answer', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socketPath = join(folder, 'assay.sock')
  const child = start(t, {
    ASSAY_LISTEN: `unix:${socketPath}`,
    ASSAY_DATA: folder,
    ASSAY_REDIS_RETRY_MS: '50',
    REDIS_URL: 'redis://:secret@127.0.0.1:1',
  })
  await child.text
  await until(() => child.errors().includes('"event":"start"'))
  assert.equal((await ask({ socketPath }, '/api/md5/', { input_text: 'abc' })).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.deepEqual(child.errors().match(/"event":"redis"[^\n]*/g)?.length, 1)
  assert.match(child.errors(), /"event":"redis"[^\n]*"text":"down: ECONNREFUSED"/)
  assert.doesNotMatch(child.errors(), /secret/)
})

test('Z3: a store of a newer program stops the start with a sentence', async t => {
  const data = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(data, { recursive: true }))
  const database = new DatabaseSync(join(data, 'assay.db'))
  database.exec('create table store_version (version integer not null); insert into store_version values (1000)')
  database.close()
  const child = start(t, { ASSAY_LISTEN: '127.0.0.1:0', ASSAY_DATA: data })
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(child.errors(), /^The store is of version 1000 and this program knows versions up to \d+: [^\n]*\.\n$/)
})

test('K1: [OPEN-001] a message that was accepted survives kill -9 and arrives when the mail server is back', async t => {
  const data = mkdtempSync(join(tmpdir(), 'assay-main-'))
  t.after(() => rmSync(data, { recursive: true }))
  const socketPath = join(data, 'assay.sock')
  const { port, taken } = await postman(t)
  const environment = {
    ASSAY_LISTEN: `unix:${socketPath}`,
    ASSAY_DATA: data,
    ASSAY_CONTACT: 'office@assay.example',
    ASSAY_MESSAGES_PER_QUARTER_HOUR: '100',
    ASSAY_MAIL_MS: '1000',
    ASSAY_MAIL_POLL_MS: '200',
  }
  const accepted: string[] = []
  for (let round = 0; round < 3; round++) {
    const child = start(t, { ...environment, ASSAY_SMTP_URL: 'smtp://127.0.0.1:1' })
    await child.text
    for (let i = 0; i < 3; i++) {
      const message = `message ${round}.${i}`
      const answer = ask({ socketPath }, '/api/contact/', { name: 'Ada', email: 'ada@example.org', message })
      assert.equal((await answer).status, 200)
      accepted.push(message)
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = start(t, { ...environment, ASSAY_SMTP_URL: `smtp://127.0.0.1:${port}` })
  await last.text
  await until(() => accepted.every(message => taken.some(text => text.includes(message))))
  assert.equal(taken.length, accepted.length)
  last.kill('SIGTERM')
  assert.deepEqual(await once(last, 'exit'), [0, null])
})

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + START_MS
  while (!holds()) {
    assert.ok(Date.now() < end, 'never came')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
