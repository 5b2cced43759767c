import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { postgresPrograms, startPostgres, type TestPostgres } from '../test/postgres.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { LogLine } from './log.ts'
import { createRetention, USAGE_DAYS } from './retention.ts'
import { createStore, type Store, type StoreOptions } from './store/store.ts'
import { type TrialOptions, trial } from './trial.ts'
import { createUsage } from './usage.ts'
import { usageOf } from './usage-days.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Half a day past midnight, so that an hour more or less is the same day. */
const NOON = Date.UTC(2026, 10, 22, 12)

type Place = Pick<StoreOptions, 'folder' | 'address'>

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-usage-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function storeFor(t: TestContext, place: Place): Store {
  const store = createStore({ timeoutMs: 5_000, connections: 4, ...place })
  t.after(() => store.close())
  return store
}

const rowsOf = (store: Store) =>
  store.use(async db => (await db.selectFrom('usage').selectAll().orderBy('at').execute()).map(row => ({ ...row })))
const keysOf = (store: Store) => store.use(db => db.selectFrom('usage_key').selectAll().orderBy('day').execute())

async function accountIn(store: Store, id: string): Promise<void> {
  const account = {
    id,
    email: `${id}@site.example`,
    password_hash: null,
    verified_at: 1,
    created_at: 1,
    link_sent_at: 1,
  }
  await store.use(db => db.insertInto('account').values(account).execute())
}

function usageIn(store: Store, limits: Partial<Limits> = {}) {
  const lines: LogLine[] = []
  let clock = NOON
  const now = () => clock
  const usage = createUsage({ store, limits: { ...defaultLimits, ...limits }, log: line => lines.push(line), now })
  const use = { tool: 'sha', status: 200, ms: 1.4, client: '198.51.100.7' }
  const at = (instant: number) => {
    clock = instant
  }
  return { usage, use, lines, now, at }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'never came')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function sameOnBoth(newPlace: (t: TestContext) => Promise<Place>) {
  test('[OPEN-007] a row holds time, tool, status, duration and a keyed hash, and for whom when they said', async t => {
    const store = storeFor(t, await newPlace(t))
    await accountIn(store, 'a')
    const { usage, use } = usageIn(store)
    usage.add(use)
    usage.add({ ...use, status: 429, principal: { account: 'a', key: undefined, scopes: undefined } })
    usage.add({ ...use, principal: { account: 'gone', key: 'gone', scopes: [] } })
    await usage.close()
    const [first, ...others] = await rowsOf(store)
    assert.match(first?.client ?? '', /^[\w-]{16}$/)
    const row = { at: NOON, tool: 'sha', status: 200, ms: 1, client: first?.client, account: null, api_key: null }
    assert.deepEqual(
      [first, ...others].toSorted((a, b) => (a?.status ?? 0) - (b?.status ?? 0)),
      [row, row, { ...row, status: 429, account: 'a' }],
    )
  })

  test('P2: a client has one hash a day, another the next, and none that two processes would make differently', async t => {
    const place = await newPlace(t)
    const [one, two] = [storeFor(t, place), storeFor(t, place)]
    const [a, b] = [usageIn(one), usageIn(two)]
    const clients = [
      '198.51.100.7',
      '198.51.100.8',
      '::ffff:198.51.100.7',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:0:1::1',
      '',
    ]
    for (const client of clients) {
      a.usage.add({ ...a.use, client })
      b.usage.add({ ...b.use, client })
    }
    await Promise.all([a.usage.close(), b.usage.close()])
    const rows = await rowsOf(one)
    // An IPv4 address in IPv6 form is the same client, and so is everybody of one /64.
    assert.equal(new Set(rows.map(({ client }) => client)).size, clients.length - 2)
    assert.equal((await keysOf(one)).length, 1)
    const tomorrow = usageIn(one)
    tomorrow.at(NOON + DAY_MS)
    tomorrow.usage.add(tomorrow.use)
    await tomorrow.usage.close()
    const all = await rowsOf(one)
    assert.equal(all.filter(({ client }) => client === all.at(-1)?.client).length, 1)
    assert.equal((await keysOf(one)).length, 2)
  })

  test('P2: [PRV-001] after 30 days no row is left, and after 48 hours no key that tells whose hash it was', async t => {
    const place = await newPlace(t)
    const store = storeFor(t, place)
    const { usage, use, now, at } = usageIn(store)
    const retention = createRetention({ store, mailFolder: '/nowhere', log: line => assert.fail(line.event), now })
    t.after(retention.stop)
    // More than one slice, some at the same instant.
    for (let count = 0; count < 2_500; count++) {
      at(NOON + Math.floor(count / 3))
      usage.add(use)
    }
    at(NOON)
    await usage.close()
    const [key] = await keysOf(store)
    at(NOON + 46 * HOUR_MS)
    await retention.sweep()
    assert.equal((await keysOf(store)).length, 1)
    at(NOON + 48 * HOUR_MS)
    await retention.sweep()
    assert.deepEqual(await keysOf(store), [])
    at(NOON + USAGE_DAYS * DAY_MS)
    await retention.sweep()
    const rows = await rowsOf(store)
    assert.equal(rows.length, 2_500)
    if (!place.address) assert.ok(bytesIn(place.folder, rows[0]?.client ?? '-'))
    at(NOON + (USAGE_DAYS + 1) * DAY_MS)
    await retention.sweep()
    assert.deepEqual(await rowsOf(store), [])
    const { usage: oldest, usage_day } = await retention.oldest()
    assert.deepEqual([oldest, usage_day], [0, 0])
    if (place.address) return
    assert.ok(!bytesIn(place.folder, rows[0]?.client ?? '-'), 'a hash is left in a file')
    assert.ok(!bytesIn(place.folder, key?.key ?? '-'), 'the key is left in a file')
  })

  test('the last thirty days of an account: every day, oldest first, with its failures, and nobody else', async t => {
    const store = storeFor(t, await newPlace(t))
    for (const id of ['a', 'b']) await accountIn(store, id)
    const { usage, use, at } = usageIn(store)
    const principal = { account: 'a', key: undefined, scopes: undefined }
    const day = (days: number) => NOON - (NOON % DAY_MS) - days * DAY_MS
    for (const [instant, status] of [
      [day(30) - 1, 200],
      [day(29) - 1, 200],
      [day(29), 200],
      [day(1) - 1, 400],
      [day(0), 200],
      [day(0) + 1, 429],
      [day(0) + 2, 499],
      [NOON, 399],
    ] as const) {
      at(instant)
      usage.add({ ...use, status, principal })
      usage.add({ ...use, status, principal: { ...principal, account: 'b' } })
      usage.add({ ...use, status })
    }
    await usage.close()
    const days = await usageOf(store, 'a', 30, NOON)
    assert.equal(days.length, 30)
    assert.deepEqual(days[0], { day: '2026-10-24', requests: 1, failures: 0 })
    assert.deepEqual(days[28], { day: '2026-11-21', requests: 0, failures: 0 })
    assert.deepEqual(days[27], { day: '2026-11-20', requests: 1, failures: 1 })
    assert.deepEqual(days[29], { day: '2026-11-22', requests: 4, failures: 2 })
    assert.equal(days.filter(({ requests }) => requests === 0).length, 27)
    assert.deepEqual(
      (await usageOf(store, 'nobody', 30, NOON)).map(({ requests, failures }) => requests + failures),
      Array(30).fill(0),
    )
  })

  test('U15: processes that count the same days at the same moment lose no call, and nobody counts for who is gone', async t => {
    const place = await newPlace(t)
    const stores = Array.from({ length: 4 }, () => storeFor(t, place))
    const [store] = stores
    assert.ok(store)
    for (const id of ['a', 'b']) await accountIn(store, id)
    const logs = stores.map(store => usageIn(store))
    for (const { usage, use } of logs)
      for (let count = 0; count < 300; count++) {
        const account = ['a', 'b', 'gone'][count % 3] ?? ''
        usage.add({ ...use, status: count % 2 ? 200 : 500, principal: { account, key: undefined, scopes: undefined } })
      }
    await Promise.all(logs.map(({ usage }) => usage.close()))
    for (const { lines } of logs) assert.deepEqual(lines, [])
    for (const account of ['a', 'b'])
      assert.deepEqual((await usageOf(store, account, 1, NOON))[0], { day: '2026-11-22', requests: 400, failures: 200 })
    const days = await store.use(db => db.selectFrom('usage_day').selectAll().execute())
    assert.equal(days.length, 2)
  })

  test('P3: a deleted account leaves its rows to nobody', async t => {
    const store = storeFor(t, await newPlace(t))
    await accountIn(store, 'a')
    const { usage, use } = usageIn(store)
    usage.add({ ...use, principal: { account: 'a', key: undefined, scopes: undefined } })
    await usage.close()
    await store.use(db => db.deleteFrom('account').where('id', '=', 'a').execute())
    assert.deepEqual(
      (await rowsOf(store)).map(({ account }) => account),
      [null],
    )
  })
}

/** Whether a text stands in any file below a folder, deleted or not. */
const bytesIn = (folder: string, text: string): boolean =>
  readdirSync(folder).some(name => readFileSync(join(folder, name), 'latin1').includes(text))

describe('the usage log in the folder', () => {
  sameOnBoth(async t => ({ folder: folderFor(t), address: undefined }))
})

describe('the usage log in PostgreSQL', { skip: !postgresPrograms && 'PostgreSQL is not installed' }, () => {
  let server: TestPostgres
  before(async () => {
    server = await startPostgres(postgresPrograms ?? '')
  })
  after(() => server?.stop())
  sameOnBoth(async () => ({ folder: '/nowhere', address: await server.create() }))
})

test('X1: while the store is down rows are dropped with one notice, and written again after', async t => {
  const folder = folderFor(t)
  const good = storeFor(t, { folder, address: undefined })
  const bad = storeFor(t, { folder: '/dev/null', address: undefined })
  let current = bad
  const store: Store = { ...good, use: work => current.use(work) }
  const { usage, use, lines } = usageIn(store, { usageMs: 10 })
  for (let round = 0; round < 3; round++) {
    usage.add(use)
    await new Promise(resolve => setTimeout(resolve, 60))
  }
  assert.deepEqual(
    lines.map(line => ('text' in line ? line.text : line)),
    ['not written while the store is down'],
  )
  current = good
  usage.add(use)
  await until(async () => (await rowsOf(good)).length === 1)
  await usage.close()
})

test('beyond the bound nothing is noted, and it is said once', async t => {
  const store = storeFor(t, { folder: folderFor(t), address: undefined })
  const { usage, use, lines } = usageIn(store, { usageRows: 5 })
  for (let count = 0; count < 10; count++) usage.add(use)
  assert.equal(lines.length, 1)
  await usage.close()
  assert.equal((await rowsOf(store)).length, 5)
})

async function usageTrial(t: TestContext, options: TrialOptions = {}) {
  const store = createStore({ folder: folderFor(t), address: undefined, timeoutMs: 2_000, connections: 1 })
  const app = await trial(t, { store, ...options, limits: { usageMs: 10, ...options.limits } })
  const noted = async (count: number) => {
    await until(async () => (await rowsOf(store)).length >= count)
    return (await rowsOf(store)).map(({ tool, status }) => `${tool} ${status}`)
  }
  return { ...app, store, noted }
}

test('[OPEN-007] every call of a tool is one row, by whichever door and however it ends, and nothing else is', async t => {
  const { inject, noted } = await usageTrial(t)
  await inject('/healthz')
  await inject('/api/nothing/')
  await inject({ method: 'PUT', url: '/api/steps/' })
  await inject({ method: 'POST', url: '/api/contact/', payload: {} })
  await inject('/api/openapi.json')
  const expected: string[] = []
  const call = async (options: string | InjectOptions, row: string) => {
    await inject(options)
    expected.push(row)
    assert.deepEqual((await noted(expected.length)).toSorted(), expected.toSorted())
  }
  await call('/api/look/example.com/', 'look 200')
  await call('/api/look/abc/', 'look 400')
  await call(
    { method: 'POST', url: '/api/steps/', payload: '{', headers: { 'content-type': 'application/json' } },
    'steps 400',
  )
  await call({ method: 'POST', url: '/api/bug/', payload: { input_text: 'a', inline: 'yes' } }, 'bug 500')
  await call(
    {
      method: 'POST',
      url: '/api/bug/',
      payload: { input_text: 'a', inline: 'no' },
      headers: { accept: 'text/event-stream' },
    },
    'bug 500',
  )
  await call({ method: 'POST', url: '/api/look/', headers: { 'sec-fetch-site': 'cross-site' } }, 'look 403')
  const mcp = (name: string, values: object) => ({
    method: 'POST' as const,
    url: '/mcp',
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } },
    headers: { accept: 'application/json, text/event-stream' },
  })
  await call(mcp('look', { domain: 'example.com' }), 'look 200')
  await call(mcp('look', { domain: 'abc' }), 'look 400')
})

test('what was noted is written before the store closes', async t => {
  const folder = folderFor(t)
  const options = { folder, address: undefined, timeoutMs: 2_000, connections: 1 }
  const app = await trial(t, { store: createStore(options), limits: { usageMs: 60_000 } })
  await app.inject('/api/look/example.com/')
  await app.close()
  assert.equal((await rowsOf(storeFor(t, options))).length, 1)
})
