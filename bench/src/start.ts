import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Row } from './table.ts'

const main = new URL('../../apps/server/src/main.ts', import.meta.url).pathname
const READY_MS = 3_000
const STARTS = 3
const GIVE_UP_MS = 60_000
const SECONDS = 5
const CONNECTIONS = 50

/** From the start of the program to its first answer, and what a second process adds. */
export async function measureStart(): Promise<Row[]> {
  const times: number[] = []
  for (let n = 0; n < STARTS; n++) {
    const machine = await start()
    times.push(machine.ms)
    await machine.stop()
  }
  const slowest = Math.max(...times)
  const cores = availableParallelism()
  const one = await throughput(1)
  const two = await throughput(2)
  return [
    {
      what: `ready, the slowest of ${STARTS} starts with an empty folder`,
      ours: `${slowest.toFixed(0)} ms`,
      against: 'limit',
      theirs: `${READY_MS} ms`,
      ratio: slowest / READY_MS,
      goal: 'at most 1',
      holds: slowest <= READY_MS,
    },
    {
      what: `POST /api/sha/ on two processes; ${cores} cores for them, their children and the load`,
      ours: `${two.toFixed(0)} req/s`,
      against: 'one process',
      theirs: `${one.toFixed(0)} req/s`,
      ratio: two / one,
      goal: cores >= 4 ? 'at least 1.6' : 'none with fewer than 4 cores',
      holds: cores >= 4 ? two / one >= 1.6 : undefined,
    },
  ]
}

interface Machine {
  port: number
  /** Until it was ready. */
  ms: number
  stop(): Promise<void>
}

async function start(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [main], {
    env: {
      ASSAY_LISTEN: `127.0.0.1:${port}`,
      ASSAY_DATA: folder,
      ASSAY_LIGHT_PER_MINUTE: '1000000000',
      // The load shares the cores, and nothing is to be turned away for it.
      ASSAY_LOOP_DELAY_MS: '60000',
    },
    stdio: 'ignore',
  })
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    const ms = performance.now() - started
    if (ready) return { port, ms, stop }
    if (ms > GIVE_UP_MS || child.exitCode !== null) {
      await stop()
      throw new Error('the server never became ready')
    }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Requests a second over so many processes, each with its share of the connections. */
async function throughput(processes: number): Promise<number> {
  const machines: Machine[] = []
  try {
    for (let n = 0; n < processes; n++) machines.push(await start())
    const loads = machines.map(({ port }) => load(port, CONNECTIONS / processes))
    return (await Promise.all(loads)).reduce((sum, rate) => sum + rate, 0)
  } finally {
    for (const machine of machines) await machine.stop()
  }
}

async function load(port: number, connections: number): Promise<number> {
  const options = {
    url: `http://127.0.0.1:${port}/api/sha/`,
    connections,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input_text: 'The quick brown fox', algorithm: 'SHA-256' }),
  }
  await autocannon({ ...options, duration: 2 })
  const { requests, non2xx } = await autocannon({ ...options, duration: SECONDS })
  if (non2xx > 0) throw new Error(`${non2xx} requests failed`)
  return requests.average
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
