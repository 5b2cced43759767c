import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const trap = fileURLToPath(new URL('./trap.ts', import.meta.url))
const egress = new URL('./egress.ts', import.meta.url).href
const guard = new URL('./guard.ts', import.meta.url).href
const budget = new URL('./budget.ts', import.meta.url).href

/** Runs a script of nobody's under the trap. */
function run(script: string): { status: number | null; words: string } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-'))
  try {
    const file = join(folder, 'script.mjs')
    writeFileSync(file, script)
    const { status, stderr } = spawnSync(process.execPath, ['--import', trap, file], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    return { status, words: stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const server = `
import net from 'node:net'
const server = net.createServer(socket => socket.end()).listen(0, '127.0.0.1')
await new Promise(resolve => server.on('listening', resolve))
const { port } = server.address()
const end = () => server.close()
`

test('security E6: whatever opens a socket or starts a process elsewhere fails the run', () => {
  for (const [what, script] of [
    ['a TCP connection', `${server} net.connect(port, '127.0.0.1', end).on('error', end)`],
    ['a TCP connection', `${server} new net.Socket().connect({ port, host: '127.0.0.1' }, end)`],
    ['a TCP connection', `${server} import tls from 'node:tls'; tls.connect(port, '127.0.0.1').on('error', end)`],
    [
      'a TCP connection',
      `${server} import { get } from 'node:http'; get({ port, host: '127.0.0.1' }).on('error', end)`,
    ],
    [
      'a TCP connection',
      `${server} import h2 from 'node:http2'; h2.connect('http://127.0.0.1:' + port).on('error', () => {}).on('close', end)`,
    ],
    ['fetch', `${server} fetch('http://127.0.0.1:' + port).catch(end)`],
    ['a TCP connection', `${server} new WebSocket('ws://127.0.0.1:' + port).onerror = end`],
    [
      'a datagram',
      `import dgram from 'node:dgram'; const s = dgram.createSocket('udp4'); s.send('x', 9, '127.0.0.1', () => s.close())`,
    ],
    ['native code', `import koffi from '${import.meta.resolve('koffi')}'; koffi.load(null)`],
    ['a child process (spawn)', `import { spawn } from 'node:child_process'; spawn('true')`],
    ['a child process (execFileSync)', `import { execFileSync } from 'node:child_process'; execFileSync('true')`],
    ['a child process (exec)', `import * as c from 'node:child_process'; c.exec('true')`],
    ['a child process (fork)', `import c from 'node:child_process'; c.fork('-').on('error', () => {})`],
  ] as const) {
    const { status, words } = run(script)
    assert.equal(status, 1, `${script}\n${words}`)
    assert.ok(words.includes(`Not through the door: ${what} from nowhere`), words)
  }
})

test('the door itself is let through, also when it goes on later', () => {
  const { status, words } = run(`${server}
    import { createEgress } from '${egress}'
    import { createGuard } from '${guard}'
    import { createBudget, jobLimits } from '${budget}'
    const settings = { allowedTestNetworks: ['127.0.0.0/8'], ports: { http: 'any', dns: 'any' } }
    const door = createEgress(createGuard(settings)).door(createBudget(jobLimits.lookup), { resolve() {} })
    const socket = await door.connect({ address: '127.0.0.1', port, purpose: 'http' })
    socket.destroy()
    await door.exchange({ address: '127.0.0.1', port, purpose: 'dns' }, new Uint8Array(1), { timeoutMs: 20 }).catch(() => {})
    end()
  `)
  assert.equal(status, 0, words)
  assert.equal(words, '')
})

test('who may reach out is decided by the first file of the repository on the stack', async () => {
  const { callerOf, mayReachOut } = await import('./trap-rules.ts')
  const root = new URL('../../../', import.meta.url).href
  const stack = (...files: string[]) =>
    ['Error', '    at node:internal/x:1:1', ...files.map(file => `    at f (${file}:1:2)`)].join('\n')
  assert.equal(
    callerOf(stack(`${root}node_modules/pg/a.js`, `${root}packages/net/src/http.ts`)),
    'packages/net/src/http.ts',
  )
  assert.equal(callerOf(stack('file:///usr/lib/x.js')), undefined)
  assert.equal(callerOf(`Error\n    at async ${root}apps/cli/src/main.ts:3:4`), 'apps/cli/src/main.ts')
  for (const file of ['packages/net/src/egress.ts', 'apps/server/src/compute/pool.ts', 'apps/server/src/app.test.ts']) {
    assert.ok(mayReachOut(file), file)
  }
  for (const file of [
    'packages/catalogue/src/dns/mx.ts',
    'packages/net/src/trap.ts',
    'apps/server/src/app.ts',
    undefined,
  ]) {
    assert.equal(mayReachOut(file), false, file)
  }
})
