import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { createFindings, MAX_FINDINGS, Problem, type ProblemCode, type RawDns } from '@assay/kit'
import { closedPort, listen, listenUdp, openDoor } from '../test/loopback.ts'
import { createRawDns } from './raw-dns.ts'

const problem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code
const timeoutMs = 5_000
const here = '127.0.0.1'
const query = Uint8Array.of(0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)
const answerTo = (message: Uint8Array, ...more: number[]) => {
  const answer = Buffer.from([...message, ...more])
  answer[2] = (answer[2] ?? 0) | 0x80
  return answer
}
const framed = (message: Uint8Array) => Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])

const rawDns = (t: TestContext, port: number): RawDns =>
  createRawDns({ door: openDoor(t), findings: createFindings(), port })

test('RFC 1035 §4.2.1: one datagram there, its answer back, with the time between', async t => {
  const { port } = await listenUdp(t, (message, reply) => reply(answerTo(message, 7)))
  const { message, milliseconds } = await rawDns(t, port).exchange(here, query, { timeoutMs })
  assert.deepEqual([...message], [...answerTo(query, 7)])
  assert.ok(milliseconds > 0 && milliseconds < timeoutMs)
})

test('RFC 5452 §9.1: another id, a query and what the caller does not accept are passed over', async t => {
  const { port } = await listenUdp(t, (message, reply) => {
    reply(answerTo(Buffer.from([0, 0, ...message.subarray(2)])))
    reply(message)
    reply(Buffer.of(0xab, 0xcd))
    reply(answerTo(message, 1))
    reply(answerTo(message, 2))
  })
  const dns = rawDns(t, port)
  assert.equal((await dns.exchange(here, query, { timeoutMs })).message.at(-1), 1)
  const accepts = (message: Uint8Array) => message.at(-1) === 2
  assert.equal((await dns.exchange(here, query, { timeoutMs, accepts })).message.at(-1), 2)
})

test('silence is a timeout, and a closed port unreachable, over both', async t => {
  const { port } = await listenUdp(t, () => {})
  await assert.rejects(rawDns(t, port).exchange(here, query, { timeoutMs: 50 }), problem('timeout'))
  const mute = await listen(t, () => {})
  await assert.rejects(
    rawDns(t, mute.port).exchange(here, query, { transport: 'tcp', timeoutMs: 50 }),
    problem('timeout'),
  )
  const closed = await closedPort()
  for (const transport of ['udp', 'tcp'] as const) {
    await assert.rejects(rawDns(t, closed).exchange(here, query, { transport, timeoutMs }), problem('unreachable'))
  }
})

test('RFC 7766 §8: over TCP the answer is found in whatever pieces it comes, and behind others', async t => {
  const stream = Buffer.concat([framed(answerTo(Buffer.of(1, 1, ...query.subarray(2)))), framed(answerTo(query, 9))])
  const { port } = await listen(t, socket => {
    socket.setNoDelay()
    socket.once('data', async () => {
      for (const byte of stream) {
        socket.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
    })
  })
  const { message } = await rawDns(t, port).exchange(here, query, { transport: 'tcp', timeoutMs })
  assert.equal(message.at(-1), 9)
})

test('security H1: a server that says everything but the answer is heard for a while, not for all its bytes', async t => {
  const stray = framed(answerTo(Buffer.of(1, 1, ...query.subarray(2)), ...new Uint8Array(20_000)))
  let sent = 0
  const { port } = await listen(t, socket => {
    socket.on('error', () => {})
    const more = () => {
      do sent += stray.length
      while (!socket.destroyed && socket.write(stray))
    }
    socket.on('drain', more).once('data', more)
  })
  await assert.rejects(rawDns(t, port).exchange(here, query, { transport: 'tcp', timeoutMs }), problem('unreachable'))
  assert.ok(sent < 16_000_000, String(sent))
})

test('a server that hangs up without an answer is unreachable', async t => {
  const { port } = await listen(t, socket => socket.once('data', () => socket.end()))
  await assert.rejects(rawDns(t, port).exchange(here, query, { transport: 'tcp', timeoutMs }), problem('unreachable'))
})

test('an address that may not be contacted is refused before anything leaves', async t => {
  const door = openDoor(t, { settings: {} })
  const dns = createRawDns({ door, findings: createFindings() })
  for (const transport of ['udp', 'tcp'] as const) {
    await assert.rejects(dns.exchange('10.0.0.1', query, { transport }), problem('refused'))
  }
  assert.equal(door.budget.left('packets') > 0, true)
})

test('the end of the job ends a question that waits', async t => {
  const { port } = await listenUdp(t, () => {})
  const controller = new AbortController()
  const dns = createRawDns({ door: openDoor(t, { signal: controller.signal }), findings: createFindings(), port })
  const asked = dns.exchange(here, query, { timeoutMs })
  setTimeout(() => controller.abort(new Error('the visitor left')), 20)
  await assert.rejects(asked, /the visitor left/)
})

test('[OPEN-043] the last ten findings of each topic are kept, the newest first', () => {
  const findings = createFindings()
  for (let i = 0; i < 12; i++) findings.add('edns', { name: String(i) })
  findings.add('other', { name: 'x' })
  const names = findings.last('edns').map(({ name }) => name)
  assert.equal(names.length, MAX_FINDINGS)
  assert.deepEqual([names[0], names.at(-1)], ['11', '2'])
  assert.deepEqual(findings.last('none'), [])
})
