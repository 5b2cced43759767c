import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem } from '@assay/kit'
import { closedPort, listen, listenRaw, listenUdp, openLoopback, zoneOf } from '../test/loopback.ts'
import { createNet, type JobOptions, type NetSettings } from './context.ts'

const settings: NetSettings = { ...openLoopback, userAgent: 'Assay-test/1.0', viaToken: 'token' }
const zone = 'good.test. A 127.0.0.1\nevil.test. A 10.0.0.1'
const job = (t: TestContext, options: Partial<JobOptions> = {}, more: Partial<NetSettings> = {}) => {
  const made = createNet({ ...settings, ...more }, () => zoneOf(zone)).createJob({ kind: 'lookup', ...options })
  t.after(() => made.dispose())
  return made
}

test('a context has a clock, randomness of any length, and the network', async t => {
  const now = new Date('2026-01-01T00:00:00Z')
  const server = await listenRaw(t, socket => socket.end('HTTP/1.1 204 None\r\n\r\n'))
  const { context } = job(t, { clock: { now: () => now } })
  assert.equal(context.now(), now)
  assert.deepEqual(
    [0, 16, 100_000].map(length => context.random(length).length),
    [0, 16, 100_000],
  )
  assert.notDeepEqual(context.random(32), context.random(32))
  assert.equal((await context.http.get(`http://good.test:${server.port}/`)).status, 204)
  assert.equal((await context.dns.resolve('good.test', 'A')).status, 'answer')
  for await (const answer of context.tcp.scan('127.0.0.1', [server.port])) assert.equal(answer.state, 'open')
})

test('[OPEN-008] the pinned address of a scan and of a page is the same, judged alike', async t => {
  const { context } = job(t)
  const refused = (error: unknown) =>
    error instanceof Problem && error.message === 'Validation error: target address is not allowed'
  await assert.rejects(context.http.get('http://evil.test/'), refused)
  await assert.rejects(context.tcp.pin('evil.test'), refused)
})

test('HTTP, scans and datagrams of a job spend one budget', async t => {
  const server = await listen(t, () => {})
  const { context } = job(t, { limits: { connections: 3 } })
  for await (const _ of context.tcp.scan('127.0.0.1', [server.port, await closedPort()]));
  await assert.rejects(context.http.get(`http://127.0.0.1:${await closedPort()}/`), /refuses the connection/)
  await assert.rejects(context.http.get(`http://127.0.0.1:${server.port}/`), /limit for one request/)
  assert.ok(context.signal.aborted)
})

test('a job that is disposed of closes everything', async t => {
  const silent = await listenUdp(t, () => {})
  const { transport, dispose, context } = job(t)
  const waiting = transport.udp(silent, Uint8Array.of(1), { timeoutMs: 60_000 })
  setImmediate(dispose)
  await assert.rejects(waiting, /the job is over/)
  assert.ok(context.signal.aborted)
})

test('security E9: our own requests are known by their token, others are not', async t => {
  const senders: string[] = []
  const server = await listenRaw(t, (socket, request) => {
    senders.push(/^User-Agent: (.*)\r$/m.exec(request)?.[1] ?? '')
    socket.end('HTTP/1.1 204 None\r\n\r\n')
  })
  await job(t).context.http.get(`http://127.0.0.1:${server.port}/`)
  assert.deepEqual(senders, ['Assay-test/1.0 via/token'])
  const net = createNet(settings, () => zoneOf(''))
  assert.ok(net.isOwnRequest(senders[0]))
  assert.ok(!net.isOwnRequest('Assay-test/1.0'))
  assert.ok(!net.isOwnRequest(undefined))
  const another = createNet({ userAgent: 'Assay-test/1.0' }, () => zoneOf(''))
  assert.ok(!another.isOwnRequest(senders[0]))
})

test('each step of a request is told before it begins, the one that fails too', async t => {
  const server = await listenRaw(t, socket => socket.end('HTTP/1.1 204 None\r\n\r\n'))
  const steps = async (url: string) => {
    const phases: string[] = []
    const onStep = ({ phase }: { phase: string }) => void phases.push(phase)
    await job(t)
      .context.http.get(url, { onStep })
      .catch(() => phases.push('failed'))
    return phases
  }
  assert.deepEqual(await steps(`http://good.test:${server.port}/`), ['dns', 'connect', 'response'])
  assert.deepEqual(await steps(`https://good.test:${server.port}/`), ['dns', 'connect', 'tls', 'failed'])
  assert.deepEqual(await steps(`http://good.test:${await closedPort()}/`), ['dns', 'connect', 'failed'])
  assert.deepEqual(await steps('http://no-such.test/'), ['dns', 'failed'])
})
