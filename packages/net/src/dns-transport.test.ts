import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { Problem, type ProblemCode } from '@assay/kit'
import { closedPort, listen, listenUdp, openDoor } from '../test/loopback.ts'
import { createDnsTransport } from './dns-transport.ts'

const problem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code
const timeoutMs = 5_000
const framed = (message: Uint8Array) => Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])
const message = (length: number, fill = 7) => new Uint8Array(length).fill(fill)

/** Reads one framed message and answers with these pieces, each in a segment of its own. */
const answerWith = (pieces: Iterable<Uint8Array>) => (socket: Socket) => {
  socket.setNoDelay()
  let got = Buffer.alloc(0)
  socket.on('data', async chunk => {
    got = Buffer.concat([got, chunk])
    if (got.length < 2 || got.length < got.readUInt16BE(0) + 2) return
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise(setImmediate)
    }
  })
}

test('RFC 1035 §4.2.1: one datagram there, one back', async t => {
  const server = await listenUdp(t, (query, reply) => reply(Buffer.concat([query, Buffer.of(9)])))
  const answer = await createDnsTransport(openDoor(t)).udp(server, Uint8Array.of(1, 2), { timeoutMs })
  assert.deepEqual([...answer], [1, 2, 9])
})

test('RFC 1035 §4.2.2: a message over TCP, cut into segments at every byte', async t => {
  const expected = message(600)
  const server = await listen(t, answerWith([...framed(expected)].map(byte => Buffer.of(byte))))
  assert.deepEqual(
    Buffer.from(await createDnsTransport(openDoor(t)).tcp(server, Uint8Array.of(1), { timeoutMs })),
    Buffer.from(expected),
  )
})

test('the longest message there is comes whole, and an empty one is a message', async t => {
  for (const length of [65_535, 0]) {
    const server = await listen(t, answerWith([framed(message(length))]))
    const answer = await createDnsTransport(openDoor(t)).tcp(server, Uint8Array.of(1), { timeoutMs })
    assert.equal(answer.length, length)
  }
})

test('RFC 7766 §8: length and query leave in one segment', async t => {
  const query = message(300, 3)
  const segments: number[] = []
  const server = await listen(t, socket => {
    socket.on('data', chunk => segments.push(chunk.length))
    answerWith([framed(message(12))])(socket)
  })
  await createDnsTransport(openDoor(t)).tcp(server, query, { timeoutMs })
  assert.deepEqual(segments, [302])
})

test('RFC 5936 §2.2: several messages over one connection, several to a segment', async t => {
  const whole = Buffer.concat([5, 0, 300, 1].map(length => framed(message(length))))
  const server = await listen(t, answerWith([whole.subarray(0, 8), whole.subarray(8, 9), whole.subarray(9)]))
  const lengths: number[] = []
  for await (const piece of createDnsTransport(openDoor(t)).stream(server, Uint8Array.of(1), { timeoutMs })) {
    lengths.push(piece.length)
    if (lengths.length === 4) break
  }
  assert.deepEqual(lengths, [5, 0, 300, 1])
})

test('a connection that ends early, resets, stalls or answers something else is a problem', async t => {
  const transport = createDnsTransport(openDoor(t))
  const ending = await listen(t, socket => socket.end(Buffer.of(0, 10, 1, 2)))
  await assert.rejects(transport.tcp(ending, Uint8Array.of(1), { timeoutMs }), problem('unreachable'))
  const resetting = await listen(t, socket => socket.once('data', () => socket.resetAndDestroy()))
  await assert.rejects(transport.tcp(resetting, Uint8Array.of(1), { timeoutMs }), problem('unreachable'))
  const stalling = await listen(t, socket => socket.write(Buffer.of(0, 10, 1)))
  await assert.rejects(transport.tcp(stalling, Uint8Array.of(1), { timeoutMs: 50 }), problem('timeout'))
  const other = await listen(t, answerWith([framed(message(12))]))
  await assert.rejects(
    transport.tcp(other, Uint8Array.of(1), { timeoutMs, accepts: () => false }),
    problem('unreachable'),
  )
  const port = await closedPort()
  await assert.rejects(
    transport.tcp({ address: '127.0.0.1', port }, Uint8Array.of(1), { timeoutMs }),
    problem('unreachable'),
  )
})

test('an endless stream of messages ends with the budget', async t => {
  const endless = framed(message(60_000))
  const server = await listen(t, socket => {
    const write = () => {
      while (!socket.destroyed && socket.write(endless));
      socket.once('drain', write)
    }
    socket.once('data', write)
  })
  const transport = createDnsTransport(openDoor(t, { limits: { wireBytes: 1_000_000 } }))
  await assert.rejects(async () => {
    for await (const _ of transport.stream(server, Uint8Array.of(1), { timeoutMs }));
  }, problem('limited'))
})

test('[OPEN-008] a name server at a forbidden address is not asked', async t => {
  const transport = createDnsTransport(openDoor(t, { settings: {} }))
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    'fe80::1',
    '::ffff:8.8.8.8',
    'ns.test',
    '2002:a00:1::',
  ]) {
    await assert.rejects(transport.udp({ address }, Uint8Array.of(1), { timeoutMs }), problem('refused'), address)
    await assert.rejects(transport.tcp({ address }, Uint8Array.of(1), { timeoutMs }), problem('refused'), address)
  }
  for (const port of [22, 25, 5353, 0]) {
    await assert.rejects(
      transport.udp({ address: '8.8.8.8', port }, Uint8Array.of(1), { timeoutMs }),
      problem('refused'),
    )
  }
})
