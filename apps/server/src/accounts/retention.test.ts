import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { postgresPrograms, startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { createRetention } from '../retention.ts'
import { createStore, type Store, type StoreOptions } from '../store/store.ts'
import { ORIGIN_DAYS, UNVERIFIED_DAYS } from './retention.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 22)

type Place = Pick<StoreOptions, 'folder' | 'address'>

/** A store, and a sweep at any moment. */
function sweptStore(t: TestContext, place: Place) {
  const store = createStore({ ...place, timeoutMs: 5_000, connections: 4 })
  let clock = START
  const log = (line: object) => assert.fail(JSON.stringify(line))
  const retention = createRetention({ store, mailFolder: '/nowhere', log, now: () => clock })
  t.after(async () => {
    retention.stop()
    await store.close()
  })
  const sweepAt = async (at: number) => {
    clock = at
    await retention.sweep()
  }
  return { store, sweepAt }
}

const addAccount = (store: Store, id: string, verified_at: number | null) =>
  store.use(db =>
    db
      .insertInto('account')
      .values({
        id,
        email: `${id}@example.org`,
        password_hash: null,
        verified_at,
        created_at: START,
        link_sent_at: START,
      })
      .execute(),
  )

const addSession = (store: Store, id: string, account: string, expires_at: number) =>
  store.use(db =>
    db
      .insertInto('session')
      .values({
        id,
        account,
        expires_at,
        created_at: START,
        last_used_at: START,
        client: '',
        provider: '',
        access: '',
        access_expires_at: START,
        refresh: '',
        previous: '',
        rotated_at: 0,
        successor: '',
      })
      .execute(),
  )

const addLink = (store: Store, token: string, account: string, expires_at: number, used_at: number | null = null) =>
  store.use(db =>
    db
      .insertInto('link')
      .values({ token, account, purpose: 'verify', created_at: START, expires_at, used_at })
      .execute(),
  )

const addOrigin = (store: Store, account: string, origin: number, seen_at: number) =>
  store.use(db => db.insertInto('known_origin').values({ account, origin, seen_at }).execute())

const left = (store: Store) =>
  store.use(async db => ({
    accounts: (await db.selectFrom('account').select('id').orderBy('id').execute()).map(({ id }) => id),
    sessions: (await db.selectFrom('session').select('id').orderBy('id').execute()).map(({ id }) => id),
    links: (await db.selectFrom('link').select('token').orderBy('token').execute()).map(({ token }) => token),
    origins: (await db.selectFrom('known_origin').select('origin').orderBy('origin').execute()).map(
      ({ origin }) => origin,
    ),
  }))

function sameOnBoth(newPlace: (t: TestContext) => Promise<Place>) {
  test('P2: sessions, links and places that are over go, those that are not stay', async t => {
    const { store, sweepAt } = sweptStore(t, await newPlace(t))
    await addAccount(store, 'a', START)
    await addSession(store, 'over', 'a', START + DAY_MS)
    await addSession(store, 'runs', 'a', START + DAY_MS + 1)
    await addLink(store, 'over', 'a', START + DAY_MS)
    await addLink(store, 'used', 'a', START + 9 * DAY_MS, START)
    await addLink(store, 'works', 'a', START + DAY_MS + 1)
    await addOrigin(store, 'a', 1, START + DAY_MS - ORIGIN_DAYS * DAY_MS)
    await addOrigin(store, 'a', 2, START + DAY_MS - ORIGIN_DAYS * DAY_MS + 1)
    await sweepAt(START + DAY_MS)
    assert.deepEqual(await left(store), { accounts: ['a'], sessions: ['runs'], links: ['works'], origins: [2] })
    await sweepAt(START + 100 * DAY_MS)
    assert.deepEqual(await left(store), { accounts: ['a'], sessions: [], links: [], origins: [] })
  })

  test('P2: sign-ins at providers that are over go', async t => {
    const { store, sweepAt } = sweptStore(t, await newPlace(t))
    await addAccount(store, 'a', START)
    for (const [name, expires_at] of [
      ['over', START + DAY_MS],
      ['runs', START + DAY_MS + 1],
    ] as const) {
      const row = { browser: name, provider: 'google', expires_at } as const
      await store.use(db =>
        db
          .insertInto('social_attempt')
          .values({ ...row, state: name })
          .execute(),
      )
      const back = { ...row, account: 'a', access: name, refresh: name }
      await store.use(db => db.insertInto('social_return').values(back).execute())
    }
    const browsers = (table: 'social_attempt' | 'social_return') =>
      store.use(async db => (await db.selectFrom(table).select('browser').execute()).map(({ browser }) => browser))
    await sweepAt(START + DAY_MS)
    assert.deepEqual([await browsers('social_attempt'), await browsers('social_return')], [['runs'], ['runs']])
  })

  test('P2: an address that nobody verified is forgotten after seven days, with all that is below it', async t => {
    const { store, sweepAt } = sweptStore(t, await newPlace(t))
    await addAccount(store, 'verified', START)
    for (const id of ['forgotten', 'asked-again', 'by-provider']) await addAccount(store, id, null)
    const end = START + UNVERIFIED_DAYS * DAY_MS
    await addLink(store, 'old', 'forgotten', START + DAY_MS)
    await addLink(store, 'new', 'asked-again', end + DAY_MS)
    await addOrigin(store, 'forgotten', 1, end)
    const identity = { provider: 'github', subject: '1', account: 'by-provider', created_at: START }
    await store.use(db => db.insertInto('identity').values(identity).execute())
    await sweepAt(end - 1)
    assert.deepEqual((await left(store)).accounts, ['asked-again', 'by-provider', 'forgotten', 'verified'])
    await sweepAt(end)
    assert.deepEqual(await left(store), {
      accounts: ['asked-again', 'by-provider', 'verified'],
      sessions: [],
      links: ['new'],
      origins: [],
    })
    await sweepAt(end + DAY_MS)
    assert.deepEqual((await left(store)).accounts, ['by-provider', 'verified'])
  })

  test('however much is over, it all goes', async t => {
    const place = await newPlace(t)
    const { store, sweepAt } = sweptStore(t, place)
    await addAccount(store, 'a', START)
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      token: `blaumeise${n}`,
      account: 'a',
      purpose: 'reset' as const,
      created_at: START,
      expires_at: START,
      used_at: null,
    }))
    for (let from = 0; from < rows.length; from += 500)
      await store.use(db =>
        db
          .insertInto('link')
          .values(rows.slice(from, from + 500))
          .execute(),
      )
    await sweepAt(START)
    assert.deepEqual((await left(store)).links, [])
    if (place.address) return
    const files = readdirSync(place.folder).map(name => readFileSync(join(place.folder, name), 'latin1'))
    assert.ok(!files.join().includes('blaumeise'), 'what was deleted is still in a file')
  })
}

describe('what is over of accounts, in a folder', () => {
  sameOnBoth(async t => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-over-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    return { folder, address: undefined }
  })
})

describe('what is over of accounts, in PostgreSQL', {
  skip: !postgresPrograms && 'the package postgresql is not installed',
}, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server.stop())
  sameOnBoth(async () => ({ folder: '/nowhere', address: await server.create() }))
})
