import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createApp } from '@assay/server/app'
import { createNetwork } from '@assay/server/network'
import { readSettings } from '@assay/server/settings'
import autocannon from 'autocannon'
import Fastify from 'fastify'
import type { Row } from './table.ts'

const SECONDS = 5
const CONNECTIONS = 100

/** A cheap POST through limits, log, field reading and result, against bare Fastify with the same hash. */
export async function measureServer(): Promise<Row[]> {
  const settings = readSettings({ ASSAY_LIGHT_PER_MINUTE: '1000000000' })
  const app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
  const ours = await load(await listen(app.server), '/api/sha/', {
    input_text: 'The quick brown fox',
    algorithm: 'SHA-256',
  })
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
  ]
}

async function listen(server: { listen(options: object): Promise<string>; server: { address(): unknown } }) {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

async function load(port: number, path: string, body: object) {
  const options = {
    url: `http://127.0.0.1:${port}${path}`,
    connections: CONNECTIONS,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  await autocannon({ ...options, duration: 2 })
  return autocannon({ ...options, duration: SECONDS })
}
