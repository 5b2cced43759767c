import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { catalogue } from '@assay/catalogue/catalogue'
import { trial } from './trial.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const MEBIBYTE = 2 ** 20
const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** Every light tool with its first example, as the page would send it. */
const requests = catalogue
  .filter(({ runs }) => runs === 'anywhere')
  .flatMap(({ actions }) => actions)
  .filter(({ cost, examples }) => cost === 'light' && examples.length > 0)
  .map(({ path, examples }) => ({ url: `/api/${path}/`, payload: examples[0]?.input ?? {} }))

test('M1: memory, files and handles stay where they are, over all light tools again and again', async t => {
  const [warmUp, rounds, perRound, width] = [20_000, 4, 5_000, 20]
  const app = await trial(t, { catalogue: true, limits: { lightPerMinute: 1e9 } })
  let next = 0
  const failed = new Map<string, string>()
  const run = async (count: number) => {
    const end = next + count
    const worker = async () => {
      while (next < end) {
        const one = requests[next++ % requests.length]
        const { statusCode, body } = await app.inject({ method: 'POST', ...one })
        if (statusCode !== 200) failed.set(one?.url ?? '', body)
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
  }
  const measure = async () => {
    // What the last requests still had to put away is no leak.
    await wait(200)
    // What the trial keeps for its tests.
    app.lines.length = 0
    collect()
    collect()
    const { rss, heapUsed } = process.memoryUsage()
    const files = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0
    return { rss: rss / MEBIBYTE, heap: heapUsed / MEBIBYTE, files, handles: process.getActiveResourcesInfo().length }
  }
  await run(warmUp)
  const first = await measure()
  const later = []
  for (let left = rounds; left > 0; left--) {
    await run(perRound)
    later.push(await measure())
  }
  const last = later.at(-1) ?? assert.fail()
  const figures = JSON.stringify([first, ...later])
  assert.deepEqual([...failed], [])
  assert.ok(requests.length >= 20, String(requests.length))
  t.diagnostic(figures)
  // 1 MiB in 100,000 requests, and one for what garbage collection leaves this time or that.
  assert.ok(last.heap - first.heap <= 1 + (rounds * perRound) / 100_000, figures)
  assert.ok(last.rss - first.rss <= 30, figures)
  assert.ok(last.files - first.files <= 2, figures)
  assert.ok(last.handles - first.handles <= 2, figures)
})

const START_MS = 60_000

function ask(socketPath: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = body ? { 'content-type': 'application/json' } : {}
  const call = request({ socketPath, path, method: body ? 'POST' : 'GET', headers }, response => {
    let text = ''
    response.on('data', piece => {
      text += piece
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    response.on('error', reject)
  })
  call.on('error', reject)
  call.end(body && JSON.stringify(body))
  return promise
}

test('K3: SIGTERM under load, 20 times: status 0 within 10 s, and no answer is cut', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-endurance-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socketPath = join(folder, 'assay.sock')
  for (let times = 0; times < 20; times++) {
    const child = spawn(process.execPath, [main], {
      env: { ASSAY_LISTEN: `unix:${socketPath}` },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data', { signal: AbortSignal.timeout(START_MS) })
    const bodies = [
      ...Array.from({ length: 6 }, (_, i) => ['/api/md5/', { input_text: `${i}`.repeat(400_000) }] as const),
      ['/api/pbkdf2/', { password: 'password', salt: 'salt', iterations: 100_000 }] as const,
    ]
    const answers = bodies.map(([path, body]) => ask(socketPath, path, body))
    // All are there when a later one has been answered.
    await ask(socketPath, '/readyz')
    const start = performance.now()
    child.kill('SIGTERM')
    const [exit, ...got] = await Promise.all([once(child, 'exit'), ...answers])
    assert.deepEqual(exit, [0, null], `time ${times}`)
    assert.ok(performance.now() - start < 10_000, `time ${times}`)
    for (const { status, text } of got) {
      assert.ok(status === 200 || status === 503 || status === 400, `${status} ${text.slice(0, 200)}`)
      assert.doesNotThrow(() => JSON.parse(text))
    }
  }
})
