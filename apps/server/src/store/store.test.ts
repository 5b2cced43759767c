import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { postgresPrograms, startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { createStore, StoreDown, type StoreOptions } from './store.ts'

const message = (id: string) => ({ id, created_at: 1_800_000_000_000, name: 'n', email: 'e', text: '\u{1f426}\n' })
const temporary = (t: Pick<TestContext, 'after'>) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-store-'))
  t.after(() => {
    // Only the test of full disks has mounted one there.
    if (disks.delete(folder)) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
/** Folders that are disks of their own for a moment. */
const disks = new Set<string>()
const isDown = (error: unknown) => error instanceof StoreDown && error.message === 'nothing can be stored at the moment'

function storeFor(t: Pick<TestContext, 'after'>, place: Partial<StoreOptions>) {
  const reports: string[] = []
  const store = createStore({
    folder: '/nowhere',
    address: undefined,
    timeoutMs: 5_000,
    connections: 4,
    report: text => reports.push(text),
    ...place,
  })
  t.after(() => store.close())
  return Object.assign(store, { reports })
}

const count = (store: ReturnType<typeof storeFor>): Promise<number> =>
  store.use(async db => {
    const { n } = await db
      .selectFrom('message')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  })

type Place = Pick<StoreOptions, 'folder' | 'address'>

function sameOnBoth(newPlace: (t: TestContext) => Promise<Place>) {
  test('what is kept is there at the next start, as it was', async t => {
    const place = await newPlace(t)
    const first = storeFor(t, place)
    await first.use(db => db.insertInto('message').values(message('a')).execute())
    await first.close()
    const rows = await storeFor(t, place).use(db => db.selectFrom('message').selectAll().execute())
    assert.deepEqual(
      rows.map(row => ({ ...row })),
      [message('a')],
    )
  })

  test('Z3: the tables are made once, however often and by however many at the same moment', async t => {
    const place = await newPlace(t)
    const stores = Array.from({ length: 5 }, () => storeFor(t, place))
    await Promise.all(stores.map(store => store.open()))
    await Promise.all(
      stores.map((store, i) =>
        store.use(db =>
          db
            .insertInto('message')
            .values(message(`${i}`))
            .execute(),
        ),
      ),
    )
    for (const store of stores) assert.equal(await count(store), 5)
  })

  test('a store of a newer program is refused with a sentence that says what to do', async t => {
    const place = await newPlace(t)
    const store = storeFor(t, place)
    await store.use(db => sql`update store_version set version = 1000`.execute(db))
    await store.close()
    const older = storeFor(t, place)
    await assert.rejects(
      older.open(),
      ({ cause }) =>
        cause instanceof Error && /^The store is of version 1000 and .* go back to a backup/.test(cause.message),
    )
    assert.match(older.reports.join(), /^down: The store is of version 1000/)
  })

  test('a transaction is whole or not at all, and others see nothing of it before', async t => {
    const place = await newPlace(t)
    const store = storeFor(t, place)
    const broken = store.use(db =>
      db.transaction().execute(async transaction => {
        await transaction.insertInto('message').values(message('a')).execute()
        await transaction.insertInto('message').values(message('a')).execute()
      }),
    )
    await assert.rejects(broken, error => !(error instanceof StoreDown))
    assert.equal(await count(store), 0)
    assert.deepEqual(store.reports, [])
  })

  test('U15: fifty at once read, wait and write without losing a step', async t => {
    const place = await newPlace(t)
    const stores = [storeFor(t, place), storeFor(t, place)]
    await stores[0]?.use(db =>
      db
        .insertInto('message')
        .values({ ...message('a'), name: '0' })
        .execute(),
    )
    const step = (store: ReturnType<typeof storeFor> | undefined) =>
      store?.use(db =>
        db.transaction().execute(async transaction => {
          const query = transaction.selectFrom('message').select('name').where('id', '=', 'a')
          const { name } = await (place.address ? query.forUpdate() : query).executeTakeFirstOrThrow()
          await new Promise(resolve => setTimeout(resolve, 1))
          await transaction
            .updateTable('message')
            .set({ name: `${Number(name) + 1}` })
            .where('id', '=', 'a')
            .execute()
        }),
      )
    await Promise.all(Array.from({ length: 50 }, (_, i) => step(stores[i % 2])))
    const rows = await stores[1]?.use(db => db.selectFrom('message').select('name').execute())
    assert.equal(rows?.[0]?.name, '50')
  })

  test('K1: whatever was acknowledged before kill -9 is there afterwards', async t => {
    const place = await newPlace(t)
    await storeFor(t, place).open()
    const acknowledged: string[] = []
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', writer(place, round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      child.stdout.on('data', chunk => {
        text += chunk
        if (text.split('\n').length > 3 + round * 4) child.kill('SIGKILL')
      })
      await once(child, 'close')
      acknowledged.push(...text.split('\n').slice(0, -1))
    }
    assert.ok(acknowledged.length > 25, `${acknowledged.length} acknowledged`)
    const rows = await storeFor(t, place).use(db => db.selectFrom('message').select('id').execute())
    const kept = new Set(rows.map(({ id }) => id))
    assert.deepEqual(
      acknowledged.filter(id => !kept.has(id)),
      [],
    )
  })
}

/** A program that writes and says so, until it is killed. */
const writer = (place: Place, round: number) => `
  import { createStore } from ${JSON.stringify(import.meta.resolve('./store.ts'))}
  import { writeSync } from 'node:fs'
  const store = createStore({ ...${JSON.stringify(place)}, timeoutMs: 5000, connections: 2 })
  for (let i = 0; i < 1000; i++) {
    const id = '${round}-' + i
    await store.use(db => db.insertInto('message').values({ id, created_at: 1, name: '', email: '', text: '' }).execute())
    writeSync(1, id + '\\n')
  }
`

describe('the store in a folder', () => {
  sameOnBoth(async t => ({ folder: temporary(t), address: undefined }))

  test('only its owner can read what is kept', async t => {
    const folder = join(temporary(t), 'data')
    await storeFor(t, { folder }).use(db => db.insertInto('message').values(message('a')).execute())
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const files = readdirSync(folder).filter(name => name.startsWith('assay.db'))
    assert.ok(files.length >= 2)
    for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
  })

  test('WAL with a full sync at every commit, and what is deleted is overwritten', async t => {
    const store = storeFor(t, { folder: temporary(t) })
    for (const [pragma, value] of [
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['secure_delete', 1],
    ] as const) {
      const { rows } = await store.use(db => sql<object>`pragma ${sql.raw(pragma)}`.execute(db))
      assert.deepEqual(Object.values(rows[0] ?? {}), [value], pragma)
    }
  })

  test('X1: where nothing can be made it says so, and works as soon as it can', async t => {
    const folder = join(temporary(t), 'data')
    writeFileSync(folder, 'in the way')
    const store = storeFor(t, { folder })
    await assert.rejects(store.open(), isDown)
    await assert.rejects(count(store), isDown)
    rmSync(folder)
    mkdirSync(folder)
    assert.equal(await count(store), 0)
    assert.deepEqual(store.reports, ['down: EEXIST', 'back'])
  })

  test('a file that is no database is refused and left as it is', async t => {
    const folder = temporary(t)
    writeFileSync(join(folder, 'assay.db'), 'a letter, not a database. '.repeat(200))
    const store = storeFor(t, { folder })
    await assert.rejects(store.open(), isDown)
    assert.deepEqual(store.reports, ['down: SQLite 26'])
    assert.equal(statSync(join(folder, 'assay.db')).size, 5200)
  })

  test('X1: a process that holds the lock is waited for, then the store is down, and after it is back', async t => {
    const folder = temporary(t)
    const [holder, store] = [storeFor(t, { folder }), storeFor(t, { folder, timeoutMs: 150 })]
    await Promise.all([holder.open(), store.open()])
    const held = Promise.withResolvers<void>()
    const holding = holder.use(db => db.transaction().execute(() => held.promise))
    await new Promise(resolve => setTimeout(resolve, 20))
    const started = performance.now()
    await assert.rejects(
      store.use(db => db.insertInto('message').values(message('a')).execute()),
      isDown,
    )
    assert.ok(performance.now() - started < 2_500)
    held.resolve()
    await holding
    await store.use(db => db.insertInto('message').values(message('b')).execute())
    assert.equal(await count(store), 1)
  })

  const mounts = canMount()
  test('X1: a full disk and a read-only one take nothing, say so, and lose nothing', {
    skip: !mounts && 'needs root to mount a small disk',
  }, async t => {
    const folder = temporary(t)
    const mount = (...parameters: string[]) =>
      assert.equal(spawnSync('mount', parameters).status, 0, parameters.join(' '))
    mount('-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', folder)
    disks.add(folder)
    const store = storeFor(t, { folder })
    let kept = 0
    const put = () =>
      store.use(db =>
        db
          .insertInto('message')
          .values({ ...message(`${kept}`), text: 'x'.repeat(8_000) })
          .execute(),
      )
    await assert.rejects(async () => {
      for (; kept < 100; kept++) await put()
    }, isDown)
    assert.ok(kept > 0 && kept < 40, `${kept} fitted`)
    assert.equal(await count(store), kept)
    mount('-o', 'remount,size=4m', folder)
    await put()
    assert.equal(await count(store), kept + 1)
    await store.close()
    mount('-o', 'remount,ro', folder)
    await assert.rejects(put(), isDown)
    mount('-o', 'remount,rw', folder)
    kept++
    await put()
    assert.equal(await count(store), kept + 1)
  })
})

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'assay-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0
  if (mounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true })
  return mounted
}

describe('the store in PostgreSQL', { skip: !postgresPrograms && 'the package postgresql is not installed' }, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server.stop())

  sameOnBoth(async () => ({ folder: '/nowhere', address: await server.create() }))

  test('X1: a database that may not be written is down, and after that it is back', async t => {
    const address = await server.create()
    const name = /\/(\w+)\?/.exec(address)?.[1]
    const store = storeFor(t, { address })
    await store.open()
    await store.close()
    await server.execute(`alter database ${name} set default_transaction_read_only = on`)
    await assert.rejects(
      store.use(db => db.insertInto('message').values(message('a')).execute()),
      isDown,
    )
    await server.execute(`alter database ${name} set default_transaction_read_only = off`)
    await store.use(db => db.insertInto('message').values(message('a')).execute())
    assert.deepEqual(store.reports, ['down: 25006', 'back'])
  })

  test('X1: connections that are cut are made anew', async t => {
    const store = storeFor(t, { address: await server.create() })
    await store.open()
    await server.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay'")
    await new Promise(resolve => setTimeout(resolve, 50))
    assert.equal(await count(store), 0)
  })

  test('X1: a frozen server is down within the time, and back within five seconds', async t => {
    const store = storeFor(t, { address: await server.create(), timeoutMs: 300 })
    await store.open()
    server.freeze()
    try {
      for (let round = 0; round < 3; round++) {
        const started = performance.now()
        await assert.rejects(count(store), isDown)
        assert.ok(performance.now() - started < 2_500, 'took too long')
      }
    } finally {
      server.thaw()
    }
    const end = Date.now() + 5_000
    for (;;) {
      try {
        assert.equal(await count(store), 0)
        break
      } catch (error) {
        if (Date.now() > end || !isDown(error)) throw error
      }
    }
    assert.deepEqual(store.reports, ['down: no answer in time', 'back'])
  })

  test('X1: an address where nobody answers is down at once', async t => {
    const store = storeFor(t, { address: 'postgresql://nobody@127.0.0.1:1/none' })
    await assert.rejects(store.open(), isDown)
    assert.deepEqual(store.reports, ['down: ECONNREFUSED'])
  })
})
