import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalogue } from '@assay/catalogue/catalogue'
import type { Action } from '@assay/kit'
import { faultHost } from '@assay/lab/faults'
import { host } from '@assay/lab/inventory'
import { unhurried } from './unhurried.ts'

/**
 * What servers that mean harm make the server hold: the process as shipped, asked over HTTP, and its resident memory as
 * the system counts it, every 20 ms. It is compared with what it had after each tool was asked of an honest server.
 * That is more than what is held: V8 lets its heap grow before it collects, and the C library keeps what was freed.
 */
if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const MEBIBYTE = 2 ** 20
const PAGE_BYTES = 4_096
const SAMPLE_MS = 20
const START_MS = 60_000
const EACH_MEBIBYTES = 32

/** Those of each layer that send most. */
const bombs = [
  ...['flood', 'dns-long', 'dns-many', 'dns-transfer', 'tls-giant-chain'],
  ...['http-gzip', 'http-brotli', 'http-members', 'http-body', 'http-long-json', 'h2-bomb'],
]

/** Short jobs, so that the test is short, and nobody turned away. */
const settings = {
  ...unhurried,
  ASSAY_LOOKUP_MS: '1000',
  ASSAY_SCAN_MS: '1000',
  ASSAY_LOOKUPS_PER_MINUTE: '100000',
  ASSAY_LOOKUPS_PER_DAY: '100000',
  ASSAY_SCANS_PER_MINUTE: '100000',
  ASSAY_TARGET_PER_MINUTE: '100000',
}

const actions = catalogue.filter(({ runs }) => runs === 'server').flatMap(tool => tool.actions)

interface Place {
  name: string
  address: string
}
const honest: Place = { name: 'good.test', address: host('dns.google').v4[0] ?? '' }
const placeOf = (fault: string): Place => ({
  name: fault.startsWith('dns-') ? `zone.${faultHost(fault)}` : faultHost(fault),
  address: host(faultHost(fault)).v4[0] ?? '',
})

/** The tool's own example, about another place. */
function inputOf({ fields, examples }: Action, { name, address }: Place): object {
  const places = { domain: name, host: name, holding: name, ip: address, url: `https://${name}/` }
  const target = Object.entries(fields).flatMap(([field, { kind }]) =>
    Object.hasOwn(places, kind) ? [[field, places[kind as keyof typeof places]] as const] : [],
  )
  return { ...examples[0]?.input, ...Object.fromEntries(target) }
}

async function start(t: TestContext): Promise<{ server: ChildProcess; socketPath: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-memory-'))
  const socketPath = join(folder, 'assay.sock')
  const server = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings, ASSAY_LISTEN: `unix:${socketPath}`, ASSAY_DATA: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })
  const lines = on(server.stdout ?? assert.fail(), 'data', { signal: AbortSignal.timeout(START_MS) })
  for await (const [line] of lines) if (String(line).includes('listens')) break
  return { server, socketPath }
}

async function ask(socketPath: string, action: Action, place: Place): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const options = { socketPath, path: `/api/${action.path}/`, method: 'POST' }
  const call = request({ ...options, headers: { 'content-type': 'application/json' } }, response =>
    response.resume().on('end', () => resolve(response.statusCode ?? 0)),
  )
  call.on('error', reject)
  call.end(JSON.stringify(inputOf(action, place)))
  return promise
}

test('security H2: no tool that asks a server with a bomb makes the process grow by 32 MiB', async t => {
  const { server, socketPath } = await start(t)
  const resident = () =>
    (Number(readFileSync(`/proc/${server.pid}/statm`, 'ascii').split(' ')[1]) * PAGE_BYTES) / MEBIBYTE
  for (const action of actions) await ask(socketPath, action, honest)
  const figures: { bomb: string; path: string; growth: number }[] = []
  const first = resident()
  for (const bomb of bombs) {
    for (const action of actions) {
      const before = resident()
      let most = before
      const sampling = setInterval(() => {
        most = Math.max(most, resident())
      }, SAMPLE_MS)
      const status = await ask(socketPath, action, placeOf(bomb))
      clearInterval(sampling)
      assert.notEqual(status, 500, `${bomb} ${action.path}`)
      figures.push({ bomb, path: action.path, growth: Math.round(Math.max(most, resident()) - before) })
    }
  }
  const largest = figures.toSorted((one, other) => other.growth - one.growth).slice(0, 10)
  const told = JSON.stringify({ all: Math.round(resident() - first), largest })
  t.diagnostic(told)
  assert.ok(
    figures.every(({ growth }) => growth < EACH_MEBIBYTES),
    told,
  )
})
