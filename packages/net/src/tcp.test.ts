import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { type PortAnswer, Problem } from '@assay/kit'
import { closedPort, listen, openDoor, openLoopback, type TestJob } from '../test/loopback.ts'
import { createTcp, MAX_CONCURRENCY, type TcpOptions } from './tcp.ts'

const now = () => new Date('2026-01-01T00:00:00Z')
const tcp = (t: TestContext, job: TestJob = {}, options: Partial<TcpOptions> = {}) =>
  createTcp(openDoor(t, { ...job, limits: { connections: 5_000, ...job.limits } }), { now, ...options })

async function scan(scanner: ReturnType<typeof tcp>, address: string, ports: readonly number[]): Promise<PortAnswer[]> {
  const answers: PortAnswer[] = []
  for await (const answer of scanner.scan(address, ports)) answers.push(answer)
  return answers
}

/** A port that answers nothing: nobody accepts, the line is full, and the kernel drops what else comes. */
const FULL_LINE = `
import socket, sys
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(0)
waiting = [socket.socket() for _ in range(4)]
for client in waiting:
    client.setblocking(False)
    client.connect_ex(server.getsockname())
print(server.getsockname()[1], flush=True)
sys.stdin.read()
`

async function silentPort(t: TestContext): Promise<number> {
  const child = spawn('python3', ['-c', FULL_LINE], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const [line] = await once(child.stdout, 'data')
  return Number(String(line))
}

test('a port that stays silent is asked twice and called filtered', async t => {
  const port = await silentPort(t)
  const scanner = tcp(t, { limits: { connections: 2 } }, { timeoutMs: 60 })
  const [answer] = await scan(scanner, '127.0.0.1', [port])
  assert.deepEqual([answer?.state, answer?.reason], ['filtered', 'no answer in 60 ms'])
  await assert.rejects(scan(scanner, '127.0.0.1', [port]), /limit for one request/)
})

test('open and closed ports of loopback, each answered once', async t => {
  const servers = await Promise.all(Array.from({ length: 12 }, () => listen(t, () => {})))
  const closed = await Promise.all(Array.from({ length: 100 }, () => closedPort()))
  const open = new Set(servers.map(({ port }) => port))
  const ports = [...open, ...closed.filter(port => !open.has(port))]
  const answers = await scan(tcp(t), '127.0.0.1', ports)
  assert.deepEqual(answers.map(({ port }) => port).sort(), [...new Set(ports)].sort())
  for (const { port, state, reason, milliseconds, scannedAt } of answers) {
    assert.deepEqual([state, reason], open.has(port) ? ['open', 'connected'] : ['closed', 'connection refused'])
    assert.ok(milliseconds >= 0)
    assert.deepEqual(scannedAt, now())
  }
})

test('IPv6 loopback is scanned alike', async t => {
  const server = await listen(t, () => {}, '::1')
  const [answer] = await scan(tcp(t), '::1', [server.port])
  assert.equal(answer?.state, 'open')
})

test('an open port is let go with a reset, and nothing is written to it', async t => {
  const ended: string[] = []
  const server = await listen(t, socket => {
    socket.on('data', () => ended.push('data'))
    socket.on('end', () => ended.push('end'))
    socket.on('error', error => ended.push(String('code' in error && error.code)))
  })
  await scan(tcp(t), '127.0.0.1', [server.port])
  const [socket] = server.accepted
  assert.ok(socket)
  if (!socket.closed) await once(socket, 'close').catch(() => {})
  assert.deepEqual(ended, ['ECONNRESET'])
})

test('a port that is listed twice is asked once', async t => {
  const server = await listen(t, () => {})
  const answers = await scan(tcp(t), '127.0.0.1', [server.port, server.port])
  assert.equal(answers.length, 1)
  assert.equal(server.accepted.length, 1)
})

test('no ports, no answers', async t => {
  assert.deepEqual(await scan(tcp(t), '127.0.0.1', []), [])
})

test('answers arrive while the scan goes on', async t => {
  const server = await listen(t, () => {})
  const closed = await Promise.all(Array.from({ length: 30 }, () => closedPort()))
  const answers = tcp(t, {}, { concurrency: 1 })
    .scan('127.0.0.1', [server.port, ...closed])
    [Symbol.asyncIterator]()
  const first = await answers.next()
  assert.equal(first.value?.port, server.port)
  await answers.return?.()
})

test('who stops listening ends the scan', async t => {
  const servers = await Promise.all(Array.from({ length: 40 }, () => listen(t, () => {})))
  for await (const _ of tcp(t, {}, { concurrency: 2 }).scan(
    '127.0.0.1',
    servers.map(({ port }) => port),
  ))
    break
  assert.ok(servers.filter(({ accepted }) => accepted.length > 0).length <= 6)
})

test(`at most ${MAX_CONCURRENCY} connections at once, however many are asked for`, async t => {
  let attempts = 0
  const waiting = Object.assign(Object.create(openDoor(t)), { attempt: () => new Promise<never>(() => attempts++) })
  const ports = Array.from({ length: MAX_CONCURRENCY + 50 }, (_, i) => i + 1)
  const answers = createTcp(waiting, { now, concurrency: 1_000 }).scan('127.0.0.1', ports)
  void answers[Symbol.asyncIterator]().next()
  await new Promise(setImmediate)
  assert.equal(attempts, MAX_CONCURRENCY)
})

test('[OPEN-008] a target at a forbidden address is neither pinned nor scanned', async t => {
  const server = await listen(t, () => {})
  const scanner = tcp(t, { settings: { ports: openLoopback.ports ?? {} }, zone: 'evil.test. A 127.0.0.1' })
  const refused = (error: unknown) =>
    error instanceof Problem && error.message === 'Validation error: target address is not allowed'
  await assert.rejects(scanner.pin('evil.test'), refused)
  await assert.rejects(scanner.pin('127.0.0.1'), refused)
  await assert.rejects(scan(scanner, '127.0.0.1', [server.port]), refused)
  await assert.rejects(scan(scanner, 'evil.test', [server.port]), refused)
  assert.equal(server.accepted.length, 0)
})

test('a port that is not in the list is refused before any packet', async t => {
  const server = await listen(t, () => {})
  const scanner = tcp(t, { settings: { allowedTestNetworks: ['127.0.0.0/8'] } })
  await assert.rejects(scan(scanner, '127.0.0.1', [server.port]), /target port is not allowed/)
  assert.equal(server.accepted.length, 0)
})

test('a target is pinned with all its addresses', async t => {
  const zone = 'two.test. A 127.0.0.1\ntwo.test. AAAA ::1'
  assert.deepEqual(await tcp(t, { zone }).pin('two.test'), { address: '127.0.0.1', addresses: ['127.0.0.1', '::1'] })
})

test('a scan ends with the budget of its job', async t => {
  const closed = await Promise.all(Array.from({ length: 20 }, () => closedPort()))
  await assert.rejects(
    scan(tcp(t, { limits: { connections: 5 } }), '127.0.0.1', closed),
    (error: unknown) => error instanceof Problem && error.code === 'limited',
  )
})
