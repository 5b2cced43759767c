import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { postgresPrograms, startPostgres } from '../../test/postgres.ts'
import { createStore, type Store } from './store.ts'

const text = readFileSync(new URL('../../../../docs/deploy.md', import.meta.url), 'utf8')
const ROWS_BEFORE = 500

/** The command that the document gives under this name. */
function documented(name: string): string {
  const [, command] = new RegExp(`\`\`\`sh ${name}\\n(.*)\\n\`\`\``).exec(text) ?? []
  return command ?? assert.fail(`docs/deploy.md has no ${name}`)
}

async function run(command: string, cwd: string, environment: Record<string, string> = {}): Promise<void> {
  const path = [dirname(process.execPath), postgresPrograms, process.env.PATH].filter(Boolean).join(':')
  const child = spawn('sh', ['-c', command], { cwd, env: { PATH: path, ...environment }, stdio: 'inherit' })
  assert.deepEqual(await once(child, 'close'), [0, null], command)
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function storeAt(t: TestContext, folder: string, address?: string): Store {
  const store = createStore({ folder, address, timeoutMs: 10_000, connections: 2 })
  t.after(() => store.close())
  return store
}

/** Two messages that belong together, as a transaction. */
const writePair = (store: Store, n: number) =>
  store.use(db =>
    db.transaction().execute(async transaction => {
      for (const half of ['a', 'b']) {
        const message = { id: `${n}${half}`, created_at: n, name: half, email: '', text: 'x'.repeat(200) }
        await transaction.insertInto('message').values(message).execute()
      }
    }),
  )

/** Backs up while pairs are written, and says how many there were before and after. */
async function whileWriting(store: Store, backUp: () => Promise<void>): Promise<{ before: number; after: number }> {
  let written = 0
  let stopped = false
  while (written < ROWS_BEFORE) await writePair(store, written++)
  const writing = (async () => {
    while (!stopped) {
      await writePair(store, written++)
      await wait(1)
    }
  })()
  const before = written - 1
  await backUp()
  const after = written
  stopped = true
  await writing
  return { before, after }
}

/** What was there before the backup is in it, whole, and nothing is in it that came after. */
async function checkCopy(store: Store, { before, after }: { before: number; after: number }): Promise<void> {
  const rows = await store.use(db => db.selectFrom('message').select(['id', 'created_at']).execute())
  const ids = new Set(rows.map(({ id }) => id))
  for (let n = 0; n < before; n++) assert.ok(ids.has(`${n}a`) && ids.has(`${n}b`), `pair ${n}`)
  for (const { created_at: n } of rows) assert.ok(ids.has(`${n}a`) && ids.has(`${n}b`) && n <= after, `pair ${n}`)
  await writePair(store, 1_000_000)
}

describe('backups by the commands of the document', () => {
  test('a folder, while something writes', async t => {
    const folder = temporary(t)
    const store = storeAt(t, join(folder, 'data'))
    const range = await whileWriting(store, () => run(documented('backup-sqlite'), folder))
    assert.equal(statSync(join(folder, 'copy.db')).mode & 0o777, 0o600)
    const restored = join(folder, 'restored')
    mkdirSync(restored)
    renameSync(join(folder, 'copy.db'), join(restored, 'assay.db'))
    const copy = storeAt(t, restored)
    const { rows } = await copy.use(db => sql<object>`pragma integrity_check`.execute(db))
    assert.deepEqual(Object.values(rows[0] ?? {}), ['ok'])
    await checkCopy(copy, range)
  })

  test('the folder of a stopped server', async t => {
    const folder = temporary(t)
    const store = storeAt(t, join(folder, 'data'))
    for (let n = 0; n < 20; n++) await writePair(store, n)
    await store.close()
    cpSync(join(folder, 'data'), join(folder, 'restored'), { recursive: true })
    await checkCopy(storeAt(t, join(folder, 'restored')), { before: 20, after: 20 })
  })

  test('PostgreSQL, while something writes', {
    skip: !postgresPrograms && 'the package postgresql is not installed',
  }, async t => {
    const server = await startPostgres(postgresPrograms ?? '')
    t.after(() => server.stop())
    const folder = temporary(t)
    const [from, to] = [await server.create(), await server.create()]
    const store = storeAt(t, folder, from)
    const environment = { DATABASE_URL: from, EMPTY_DATABASE_URL: to }
    const range = await whileWriting(store, () => run(documented('backup-postgres'), folder, environment))
    await run(documented('restore-postgres'), folder, environment)
    const copy = storeAt(t, folder, to)
    await checkCopy(copy, range)
    await copy.close()
    await store.close()
  })
})
