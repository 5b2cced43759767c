import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { parseRedisAddress, type RedisAddress } from '../src/redis/address.ts'
import { connectorTo } from '../src/redis/connector.ts'

const PROGRAM = '/usr/bin/redis-server'
const START_MS = 10_000

export interface TestRedis {
  address: RedisAddress
  url: string
  /** A connection of the test's own. */
  client: Redis
  /** Stops the process where it stands, or lets it go on. */
  freeze(): void
  thaw(): void
  /** Ends the process at once and, unless it is over, starts another that has forgotten everything. */
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Why tests on Redis are left out, where they are. */
export const noRedis: string | false = !existsSync(PROGRAM) && 'the package redis-server is not installed'

/** A Redis server for one test file, on a free port of this machine; it writes nothing to a disk. */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'))
  const port = await freePort()
  const fixed = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, '--save', '', '--appendonly', 'no']
  const start = () => spawn(PROGRAM, [...fixed, ...options], { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  const address = parseRedisAddress(url)
  const client = new Redis({ Connector: connectorTo(address), retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  const answers = async () => {
    const late = setTimeout(() => client.disconnect(), START_MS)
    await client.ping()
    clearTimeout(late)
  }
  let server = start()
  await answers()
  const kill = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  return {
    address,
    url,
    client,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      server = start()
      await answers()
    },
    async stop() {
      client.disconnect()
      if (server.exitCode === null && server.signalCode === null) await kill()
      rmSync(folder, { recursive: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
