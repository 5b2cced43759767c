import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '@assay/server/app'
import { createNetwork } from '@assay/server/network'
import { readSettings } from '@assay/server/settings'
import { createStore } from '@assay/server/store/store'
import autocannon from 'autocannon'
import Fastify from 'fastify'
import type { Row } from './table.ts'

const SECONDS = 5
const CONNECTIONS = 100
/** The difference that the usage log makes is small, so both are measured several times in turns. */
const TURNS = 5
const TURN_SECONDS = 2

const settings = readSettings({ ASSAY_LIGHT_PER_MINUTE: '1000000000' })
const digest = { input_text: 'The quick brown fox', algorithm: 'SHA-256' }

/** A cheap POST through limits, log, field reading and result, against bare Fastify with the same hash. */
export async function measureServer(): Promise<Row[]> {
  const app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
  const ours = await load(await listen(app.server), '/api/sha/', digest)
  await app.close()

  const bare = Fastify()
  bare.post<{ Body: { input_text: string } }>('/hash', async ({ body }) => ({
    hash: createHash('sha256').update(body.input_text).digest('hex'),
  }))
  const theirs = await load(await listen(bare), '/hash', { input_text: 'The quick brown fox' })
  await bare.close()

  const ratio = ours.requests.average / theirs.requests.average
  return [
    {
      what: `POST /api/sha/, ${CONNECTIONS} connections`,
      ours: `${ours.requests.average.toFixed(0)} req/s`,
      against: 'bare Fastify, same hash',
      theirs: `${theirs.requests.average.toFixed(0)} req/s`,
      ratio,
      goal: 'at least 0.5',
      holds: ratio >= 0.5 && ours.non2xx === 0,
    },
    {
      what: 'p99 of the same',
      ours: `${ours.latency.p99} ms`,
      against: 'limit',
      theirs: '25 ms',
      ratio: ours.latency.p99 / 25,
      goal: 'at most 1',
      holds: ours.latency.p99 <= 25,
    },
    await measureUsageLog(),
  ]
}

/** The same requests with a row for each in the usage log. */
async function measureUsageLog(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const store = createStore({ folder, address: undefined, timeoutMs: 5_000, connections: 1 })
  const options = { settings: { ...settings, data: folder }, log: () => {}, ...createNetwork(settings) }
  const apps = [await createApp({ ...options, store }), await createApp(options)]
  const ports = await Promise.all(apps.map(({ server }) => listen(server)))
  const rates: number[][] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, port] of ports.entries()) {
      const { requests } = await load(port, '/api/sha/', digest, TURN_SECONDS)
      rates[index]?.push(requests.average)
    }
  }
  for (const app of apps) await app.close()
  rmSync(folder, { recursive: true })
  const [noted = 0, plain = 0] = rates.map(median)
  return {
    what: 'the same with the usage log in SQLite',
    ours: `${noted.toFixed(0)} req/s`,
    against: 'without a store',
    theirs: `${plain.toFixed(0)} req/s`,
    ratio: noted / plain,
    goal: 'at least 0.95',
    holds: noted / plain >= 0.95,
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

async function listen(server: { listen(options: object): Promise<string>; server: { address(): unknown } }) {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

async function load(port: number, path: string, body: object, duration = SECONDS) {
  const options = {
    url: `http://127.0.0.1:${port}${path}`,
    connections: CONNECTIONS,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  await autocannon({ ...options, duration: duration / 2 })
  return autocannon({ ...options, duration })
}
