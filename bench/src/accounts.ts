import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '@assay/server/app'
import { createNetwork } from '@assay/server/network'
import { readSettings } from '@assay/server/settings'
import { createStore, type Store } from '@assay/server/store/store'
import autocannon from 'autocannon'
import type { Row } from './table.ts'

/** Nothing here is about limits. */
const settings = readSettings(
  Object.fromEntries(
    [
      'LIGHT_PER_MINUTE',
      'ACCOUNT_MAILS_PER_QUARTER_HOUR',
      'ACCOUNT_CALLS_PER_MINUTE',
      'LOGINS_PER_QUARTER_HOUR',
      'CLIENT_LOGINS_PER_QUARTER_HOUR',
      'GUESSES_PER_HOUR',
      'SESSIONS_PER_ACCOUNT',
      'LOOP_DELAY_MS',
    ].map(name => [`ASSAY_${name}`, '1000000000']),
  ),
)
const person = { email: 'ada@example.org', password: 'a long enough secret' }
const digest = { input_text: 'The quick brown fox', algorithm: 'SHA-256' }
/** Some tenths of a second in a compute child, and always some more in the queue. */
const heavy = { password: 'password', salt: 'salt', iterations: 1_000_000 }
const HEAVY_CLIENTS = 32
const LOGINS_PER_SECOND = 20
const LOGIN_SECONDS = 12
const LOGIN_MS = 400
const CONNECTIONS = 100
const TURNS = 5
const TURN_SECONDS = 2
const WARM_UP_REQUESTS = 20_000
const REQUESTS = 200_000
/** At once. */
const WIDTH = 20
const MEBIBYTE = 2 ** 20

interface Site {
  app: Awaited<ReturnType<typeof createApp>>
  base: string
  access: string
  refresh: string
  key: string
  close(): Promise<void>
}

/** Signing in while the tools are flooded, what knowing the caller costs, and what stays in memory. */
export async function measureAccounts(): Promise<Row[]> {
  const site = await open()
  try {
    return [await measureLogins(site), ...(await measureCallers(site)), await measureMemory(site)]
  } finally {
    await site.close()
  }
}

/** A server with one account in a folder, and its tokens. */
async function open(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const store = createStore({ folder, address: undefined, timeoutMs: 5_000, connections: 1 })
  const app = await createApp({
    settings: { ...settings, data: folder },
    store,
    log: () => {},
    ...createNetwork(settings),
  })
  app.warm()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
  await ask(base, '/auth/register/', person)
  await verify(store)
  const { access = '', refresh = '' } = await ask(base, '/auth/login/', person)
  const { key = '' } = await ask(base, '/user/keys/', { name: 'bench' }, access)
  return {
    app,
    base,
    access,
    refresh,
    key,
    async close() {
      await app.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const verify = (store: Store) => store.use(db => db.updateTable('account').set({ verified_at: Date.now() }).execute())

async function ask(base: string, path: string, body: object, token = ''): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  return (await response.json()) as Record<string, string>
}

/** One login every 50 ms, whether or not the last one was answered. */
async function measureLogins({ base }: Site): Promise<Row> {
  const flood = autocannon({
    url: `${base}/api/pbkdf2/`,
    connections: HEAVY_CLIENTS,
    duration: LOGIN_SECONDS + 4,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(heavy),
  })
  await wait(2_000)
  const logins: Promise<number>[] = []
  const start = performance.now()
  for (let i = 0; i < LOGINS_PER_SECOND * LOGIN_SECONDS; i++) {
    await wait(Math.max(0, start + (i * 1_000) / LOGINS_PER_SECOND - performance.now()))
    // One that is turned away takes for ever.
    logins.push(timed(() => ask(base, '/auth/login/', person)).catch(() => Number.POSITIVE_INFINITY))
  }
  const times = await Promise.all(logins)
  await flood
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  const refused = times.filter(ms => ms === Number.POSITIVE_INFINITY).length
  return {
    what: `p99 of ${LOGINS_PER_SECOND} logins/s, tools flooded`,
    ours: `${p99.toFixed(0)} ms (median ${median(times).toFixed(0)} ms, ${refused} of ${times.length} refused)`,
    against: 'limit',
    theirs: `${LOGIN_MS} ms`,
    ratio: p99 / LOGIN_MS,
    goal: 'at most 1',
    holds: p99 <= LOGIN_MS,
  }
}

/** Who calls is asked for in turns, so that whatever disturbs the machine disturbs all. */
async function measureCallers({ base, access, key }: Site): Promise<Row[]> {
  const callers = { nobody: '', 'an access token': access, 'an API key': key }
  const rates = new Map<string, number[]>()
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, token] of Object.entries(callers)) {
      const { requests, non2xx } = await autocannon({
        url: `${base}/api/sha/`,
        connections: CONNECTIONS,
        duration: TURN_SECONDS,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(digest),
      })
      if (non2xx) throw new Error(`${non2xx} calls with ${name} were refused`)
      rates.set(name, [...(rates.get(name) ?? []), requests.average])
    }
  }
  const [nobody = 0, ...known] = [...rates.values()].map(median)
  return known.map((rate, i) => ({
    what: `POST /api/sha/ with ${Object.keys(callers)[i + 1]}`,
    ours: `${rate.toFixed(0)} req/s`,
    against: 'without',
    theirs: `${nobody.toFixed(0)} req/s`,
    ratio: rate / nobody,
    goal: 'at least 0.8',
    holds: rate / nobody >= 0.8,
  }))
}

/** Tools by nobody and by somebody, profiles, renewals, wrong tokens, and now and then a login. */
async function measureMemory({ app, access, refresh, key }: Site): Promise<Row> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let pair = { access, refresh }
  const post = (url: string, payload: object, token = '') =>
    app.server.inject({ method: 'POST', url, payload, headers: token ? { authorization: `Bearer ${token}` } : {} })
  const send = async (i: number): Promise<number> => {
    if (i % 1_000 === 0) {
      pair = (await post('/auth/login/', person)).json()
      return 200
    }
    if (i % 1_000 === 500) {
      pair = (await post('/auth/refresh/', { refresh: pair.refresh })).json()
      return 200
    }
    if (i % 20 === 1) return (await post('/api/sha/', digest, `wrong${i}`)).statusCode === 401 ? 200 : 500
    if (i % 20 === 2) {
      const headers = { authorization: `Bearer ${pair.access}` }
      const { statusCode } = await app.server.inject({ method: 'GET', url: '/user/profile/', headers })
      // Renewed in the meantime.
      return statusCode === 401 ? 200 : statusCode
    }
    return (await post('/api/sha/', digest, i % 4 === 3 ? key : '')).statusCode
  }
  let next = 0
  const run = async (count: number) => {
    const end = next + count
    const worker = async () => {
      while (next < end) {
        const status = await send(next++)
        if (status !== 200) throw new Error(`a request was answered with ${status}`)
      }
    }
    await Promise.all(Array.from({ length: WIDTH }, worker))
    // What is noted is written once a second.
    await wait(2_500)
    collect()
    collect()
    return process.memoryUsage().heapUsed / MEBIBYTE
  }
  const before = await run(WARM_UP_REQUESTS)
  const start = performance.now()
  const after = await run(REQUESTS)
  const seconds = (performance.now() - start) / 1_000
  const rate = (after - before) / (REQUESTS / 100_000)
  return {
    what: `heap after ${REQUESTS} mixed requests in ${seconds.toFixed(0)} s`,
    ours: `${rate.toFixed(2)} MiB more for each 100,000`,
    against: 'limit',
    theirs: '1 MiB',
    ratio: rate,
    goal: 'at most 1',
    holds: rate <= 1,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
