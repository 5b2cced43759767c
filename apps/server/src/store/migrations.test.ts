import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { onBothStores } from '../../test/both-stores.ts'
import { createStore } from './store.ts'

const PROCESSES = 5
const TIMEOUT_MS = 20_000
/** The version of a store without the table usage_day. */
const BEFORE_DAYS = 4

/** A program that waits for a line, so that all begin at the same moment, then opens the store and writes. */
const program = (place: object, n: number) => `
  import { once } from 'node:events'
  import { createStore } from ${JSON.stringify(import.meta.resolve('./store.ts'))}
  const store = createStore({ ...${JSON.stringify(place)}, timeoutMs: ${TIMEOUT_MS}, connections: 1 })
  console.log('here')
  await once(process.stdin, 'data')
  await store.open()
  const message = { id: '${n}', created_at: 1, name: '', email: '', text: '' }
  await store.use(db => db.insertInto('message').values(message).execute())
  await store.close()
  process.exit(0)
`

onBothStores('the tables', newPlace => {
  test('Z3: five processes that start at the same moment make them once, and each can write', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const place = { folder, address: undefined, ...(await newPlace()) }
    const children = Array.from({ length: PROCESSES }, (_, n) =>
      spawn(process.execPath, ['--input-type=module-typescript', '-e', program(place, n)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    t.after(() => {
      for (const child of children) child.kill('SIGKILL')
    })
    const ended = Promise.all(children.map(child => once(child, 'exit')))
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of children) stdin.write('go\n')
    assert.deepEqual(
      await ended,
      children.map(() => [0, null]),
    )
    const store = createStore({ ...place, timeoutMs: TIMEOUT_MS, connections: 1 })
    t.after(() => store.close())
    const rows = await store.use(db => db.selectFrom('message').select('id').orderBy('id').execute())
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['0', '1', '2', '3', '4'],
    )
    await store.close()
  })
  test('a store from before the days were counted counts what it has', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const place = { folder, address: undefined, ...(await newPlace()), timeoutMs: TIMEOUT_MS, connections: 1 }
    const before = createStore(place)
    t.after(() => before.close())
    const [day, ms] = [86_400_000, 5]
    const account = {
      id: 'a',
      email: 'a@site.example',
      password_hash: null,
      verified_at: 1,
      created_at: 1,
      link_sent_at: 1,
    }
    const row = { tool: 'md5', status: 200, ms, client: 'c', account: 'a', api_key: null }
    await before.use(async db => {
      await db.insertInto('account').values(account).execute()
      const times = [20_000 * day, 20_000 * day + 5, 20_001 * day - 1, 20_001 * day]
      const rows = times.map((at, index) => ({ ...row, at, status: index === 1 ? 429 : 200 }))
      await db
        .insertInto('usage')
        .values([...rows, { ...row, at: 1, account: null }])
        .execute()
      await db.schema.dropTable('usage_day').execute()
      await sql`update store_version set version = ${BEFORE_DAYS}`.execute(db)
    })
    await before.close()
    const after = createStore(place)
    t.after(() => after.close())
    const days = await after.use(db => db.selectFrom('usage_day').selectAll().orderBy('at').execute())
    // Rows of SQLite have no prototype.
    assert.deepEqual(
      days.map(row => ({ ...row })),
      [
        { account: 'a', at: 20_000 * day, requests: 3, failures: 1 },
        { account: 'a', at: 20_001 * day, requests: 1, failures: 0 },
      ],
    )
  })
})
