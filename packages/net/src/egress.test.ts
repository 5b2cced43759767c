import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, type ProblemCode } from '@assay/kit'
import { closedPort, listen, listenUdp, openDoor, openLoopback } from '../test/loopback.ts'
import { MAX_SOCKETS_PER_DESTINATION } from './egress.ts'

const problem = (code: ProblemCode) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.code, code)
  return true
}
const http = { purpose: 'http' } as const

test('a connection goes to the literal', async t => {
  const server = await listen(t, socket => socket.end('hello'))
  const socket = await openDoor(t).connect({ ...server, ...http })
  const [greeting] = await once(socket, 'data')
  assert.equal(String(greeting), 'hello')
  assert.equal(socket.remotePort, server.port)
})

test('IPv6 loopback is reached when it is a test network', async t => {
  const server = await listen(t, socket => socket.end(), '::1')
  const socket = await openDoor(t).connect({ ...server, ...http })
  assert.equal(socket.remoteAddress, '::1')
})

test('nothing is sent to an address that is not allowed, whatever its spelling', async t => {
  const server = await listen(t, () => {})
  const door = openDoor(t, { settings: { ports: openLoopback.ports ?? {} } })
  for (const address of [
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      'localhost',
      '0.0.0.0',
      '0',
      '::1',
      '::',
      '[::1]',
    ],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::7f00:1',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '１２７.0.0.1',
      '',
    ],
    ...['127.0.0.1 ', '127.0.0.1%lo', '::1%lo', 'example.com', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ]) {
    const target = { address, port: server.port, ...http }
    await assert.rejects(door.connect(target), problem('refused'), address)
    await assert.rejects(door.attempt(target, 100), problem('refused'), address)
    await assert.rejects(door.exchange(target, new Uint8Array(2), { timeoutMs: 100 }), problem('refused'), address)
    assert.throws(() => door.check(address), problem('refused'), address)
  }
  assert.equal(server.accepted.length, 0)
})

test('a port that is not in the list of the purpose is refused', async t => {
  const server = await listen(t, () => {})
  const door = openDoor(t, { settings: { allowedTestNetworks: ['127.0.0.0/8'] } })
  await assert.rejects(door.connect({ ...server, ...http }), problem('refused'))
  assert.equal(server.accepted.length, 0)
})

test('a closed port is told apart from silence', async t => {
  const door = openDoor(t)
  const port = await closedPort()
  assert.deepEqual(await door.attempt({ address: '127.0.0.1', port, ...http }, 1_000), { code: 'ECONNREFUSED' })
  await assert.rejects(door.connect({ address: '127.0.0.1', port, ...http }), (error: unknown) => {
    assert.ok(problem('unreachable')(error) && error instanceof Problem)
    assert.match(error.message, /refuses the connection/)
    return true
  })
})

test('RFC 9293 §3.5: a connection to itself is no open port', async t => {
  // The kernel picks the source port of a connection to a closed port among some 28,000, and at times picks that port.
  const door = openDoor(t, { limits: { connections: 200_000, wireBytes: 1e12, wallMs: 60_000 } })
  const address = '127.0.0.1'
  const port = await closedPort(address)
  const itself = new Socket()
  t.after(() => itself.destroy())
  itself.connect({ host: address, port, localAddress: address, localPort: port })
  await once(itself, 'connect')
  assert.equal(itself.localPort, itself.remotePort)
  itself.resetAndDestroy()
  await once(itself, 'close')
  for (let i = 0; i < 2_000; i++) {
    const { socket } = await door.attempt({ address, port, ...http }, 1_000)
    assert.equal(socket, undefined)
  }
})

test('a visitor who leaves ends connections and waiting exchanges', async t => {
  const silent = await listenUdp(t, () => {})
  const server = await listen(t, () => {})
  const visitor = new AbortController()
  const door = openDoor(t, { signal: visitor.signal })
  const socket = await door.connect({ ...server, ...http })
  const waiting = door.exchange({ ...silent, purpose: 'dns' }, Uint8Array.of(1), { timeoutMs: 60_000 })
  const gone = new Error('gone')
  setImmediate(() => visitor.abort(gone))
  await assert.rejects(waiting, error => error === gone)
  assert.ok(socket.destroyed)
  await assert.rejects(door.connect({ ...server, ...http }), error => error === gone)
})

test('when the time of a job is up, everything still open is closed', async t => {
  const server = await listen(t, () => {})
  const door = openDoor(t, { limits: { wallMs: 50 } })
  const socket = await door.connect({ ...server, ...http })
  await assert.rejects(once(socket, 'close'), problem('timeout'))
  await assert.rejects(door.connect({ ...server, ...http }), problem('timeout'))
})

test('packets, connections and bytes are counted for the job as a whole', async t => {
  const echo = await listenUdp(t, (message, reply) => reply(message))
  const server = await listen(t, socket => socket.write(Buffer.alloc(200_000)))
  const packets = openDoor(t, { limits: { packets: 3 } })
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(
      [...(await packets.exchange({ ...echo, purpose: 'dns' }, Uint8Array.of(i), { timeoutMs: 5_000 }))],
      [i],
    )
  }
  await assert.rejects(
    packets.exchange({ ...echo, purpose: 'dns' }, Uint8Array.of(4), { timeoutMs: 5_000 }),
    problem('limited'),
  )
  const connections = openDoor(t, { limits: { connections: 2 } })
  for (let i = 0; i < 2; i++) (await connections.connect({ ...server, ...http })).destroy()
  await assert.rejects(connections.connect({ ...server, ...http }), problem('limited'))
  const bytes = openDoor(t, { limits: { wireBytes: 100_000 } })
  const socket = await bytes.connect({ ...server, ...http })
  await assert.rejects(async () => {
    for await (const _ of socket) bytes.meter(socket)
  }, problem('limited'))
  await assert.rejects(bytes.connect({ ...server, ...http }), problem('limited'))
})

test(`at most ${MAX_SOCKETS_PER_DESTINATION} connections to one address at once; the next wait for one to end`, async t => {
  const server = await listen(t, () => {})
  const door = openDoor(t)
  const connect = () => door.connect({ ...server, ...http })
  const first = await Promise.all(Array.from({ length: MAX_SOCKETS_PER_DESTINATION }, connect))
  const next = connect()
  const early = await Promise.race([next, sleep(50, 'still waiting')])
  assert.equal(early, 'still waiting')
  first[0]?.destroy()
  assert.equal((await next).remotePort, server.port)
})

test('RFC 5452 §9.2: each datagram leaves from a port of its own', async t => {
  const ports = new Set<number>()
  const echo = await listenUdp(t, (message, reply, { port }) => {
    ports.add(port)
    reply(message)
  })
  const door = openDoor(t)
  for (let i = 0; i < 64; i++) await door.exchange({ ...echo, purpose: 'dns' }, Uint8Array.of(i), { timeoutMs: 5_000 })
  assert.ok(ports.size > 48, `${ports.size} ports of 64`)
})

test('RFC 5452 §9.1: an answer from another address or port, or that is not accepted, is not the answer', async t => {
  const forger = await import('node:dgram').then(({ createSocket }) => createSocket('udp4'))
  t.after(() => forger.close())
  const server = await listenUdp(t, (_message, reply, from) => {
    forger.send('forged', from.port, from.address, () => {
      reply(Buffer.from('wrong'))
      reply(Buffer.from('right'))
    })
  })
  const answer = await openDoor(t).exchange({ ...server, purpose: 'dns' }, Uint8Array.of(1), {
    timeoutMs: 5_000,
    accepts: message => String(message) !== 'wrong',
  })
  assert.equal(String(answer), 'right')
})

test('a UDP port that is closed says so at once, a silent one times out', async t => {
  const silent = await listenUdp(t, () => {})
  const door = openDoor(t)
  const port = await closedPort()
  await assert.rejects(
    door.exchange({ address: '127.0.0.1', port, purpose: 'dns' }, Uint8Array.of(1), { timeoutMs: 5_000 }),
    problem('unreachable'),
  )
  await assert.rejects(
    door.exchange({ ...silent, purpose: 'dns' }, Uint8Array.of(1), { timeoutMs: 20 }),
    problem('timeout'),
  )
})
