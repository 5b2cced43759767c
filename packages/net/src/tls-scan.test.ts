import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { Problem, type TlsObservation } from '@assay/kit'
import { concat, fromHex } from '@assay/lib/bytes'
import { closedPort, listen, listenWith, makeCertificates, openDoor } from '../test/loopback.ts'
import { createTls } from './tls.ts'
import { createTlsScanner } from './tls-scan.ts'

const random = (length: number) => randomFillSync(new Uint8Array(length))
const ANSWER_MS = 150

/** Scans a server that answers each connection like this. */
async function scan(t: TestContext, answer: (socket: Socket, hello: Buffer) => void) {
  const { port, address, accepted } = await listen(t, socket => socket.once('data', hello => answer(socket, hello)))
  const scanner = createTlsScanner({ door: openDoor(t), tls: createTls(), random, answerMs: ANSWER_MS })
  const steps = scanner.scan(address, port)
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return { observation: value, accepted }
  }
}

/** Our ends are closed, and the other side hears of it in a moment. */
async function allClosed(sockets: readonly Socket[]): Promise<void> {
  for (let turn = 0; turn < 50 && sockets.some(({ closed }) => !closed); turn++) await sleep(20)
  assert.ok(sockets.every(({ closed }) => closed))
}

const supported = ({ versions }: TlsObservation) => versions.filter(one => one.supported).map(({ name }) => name)

const u16 = (value: number) => Uint8Array.of(value >> 8, value & 255)
const record = (type: number, content: Uint8Array) => concat(Uint8Array.of(type, 3, 3), u16(content.length), content)
const message = (type: number, body: Uint8Array) =>
  concat(Uint8Array.of(type, body.length >> 16, (body.length >> 8) & 255, body.length & 255), body)
const helloWith = (version: number, suite: number, compression = 0) =>
  message(2, concat(u16(version), new Uint8Array(32), Uint8Array.of(0), u16(suite), Uint8Array.of(compression)))
const alert = (code: number) => record(21, Uint8Array.of(2, code))

/** What our hello offers: version and suites (RFC 5246 §7.4.1.2). */
function offerOf(hello: Buffer): { version: number; suites: number[] } {
  if (hello[0] !== 22) return { version: 0x0002, suites: [] }
  const start = 44 + (hello[43] ?? 0)
  const count = hello.readUInt16BE(start) / 2
  const suites = Array.from({ length: count }, (_, i) => hello.readUInt16BE(start + 2 + 2 * i))
  return { version: hello.readUInt16BE(9), suites }
}

test('RFC 8446 §4.2.7, RFC 6066 §8: Node with a hybrid group, a stapled status and ALPN', async t => {
  const { authority, key, good } = makeCertificates()
  const status = Buffer.from('what an authority would say')
  const server = createServer({ key, cert: good, ecdhCurve: 'X25519MLKEM768:X25519:P-256', ALPNProtocols: ['h2'] })
  server.on('OCSPRequest', (_certificate, _issuer, answer) => answer(null, status))
  server.on('tlsClientError', () => {})
  const { port, address } = await listenWith(t, server)
  const scanner = createTlsScanner({ door: openDoor(t), tls: createTls([authority]), random })
  const steps = scanner.scan(address, port)
  let observation: TlsObservation | undefined
  for (let step = await steps.next(); !observation; step = await steps.next()) if (step.done) observation = step.value
  assert.deepEqual(supported(observation), ['TLSv1.2', 'TLSv1.3'])
  assert.deepEqual(
    observation.groups.map(({ code, versions }) => [code, versions]).toSorted(),
    [
      [0x11ec, ['TLSv1.3']],
      [23, ['TLSv1.2', 'TLSv1.3']],
      [29, ['TLSv1.2', 'TLSv1.3']],
    ].toSorted(),
  )
  assert.deepEqual([observation.protocol, observation.trust], ['h2', { checked: true }])
  assert.deepEqual(
    observation.chains.map(({ kind, status: stapled }) => [kind, stapled && Buffer.from(stapled)]),
    [['ECDSA', status]],
  )
})

test('RFC 7465, RFC 4346 §A.5: suites that OpenSSL no longer knows are found all the same', async t => {
  const mine = [0x0005, 0x0003, 0x000a, 0x0015]
  const { observation } = await scan(t, (socket, hello) => {
    const { version, suites } = offerOf(hello)
    const suite = mine.find(code => suites.includes(code))
    if (version > 0x0301 || version < 0x0300 || suite === undefined) return socket.end(alert(40))
    return socket.end(record(22, concat(helloWith(version, suite), message(14, new Uint8Array()))))
  })
  assert.deepEqual(supported(observation), ['SSLv3', 'TLSv1.0'])
  for (const { suites, preference } of observation.versions.slice(1, 3)) {
    assert.deepEqual([suites, preference], [mine, 'server'])
  }
  assert.deepEqual(observation.trust.checked, false)
})

test('draft-hickman-netscape-ssl-00 §2.6: SSL 2.0 is found', async t => {
  const body = concat(fromHex('0400010002000000060010'), fromHex('0100800700c0'), new Uint8Array(16))
  const { observation } = await scan(t, (socket, hello) => {
    if (hello[0] === 22) return socket.end(alert(70))
    return socket.end(concat(u16(0x8000 | body.length), body))
  })
  assert.deepEqual(supported(observation), ['SSLv2'])
  assert.deepEqual(observation.versions[0]?.suites, [0x010080, 0x0700c0])
})

test('RFC 3749 §2, RFC 7507 §3: compression and a fallback that goes unnoticed', async t => {
  const { observation } = await scan(t, (socket, hello) => {
    const { version, suites } = offerOf(hello)
    if (version < 0x0301 || version > 0x0302 || !suites.includes(0x002f)) return socket.end(alert(40))
    const compresses = hello.includes(Buffer.from([2, 1, 0]))
    return socket.end(record(22, concat(helloWith(version, 0x002f, compresses ? 1 : 0), message(14, new Uint8Array()))))
  })
  assert.deepEqual(supported(observation), ['TLSv1.0', 'TLSv1.1'])
  assert.deepEqual([observation.features.compression, observation.features.fallbackSignal], [true, false])
  assert.deepEqual(observation.features.secureRenegotiation, false)
})

const never: Record<string, (socket: Socket, hello: Buffer) => void> = {
  garbage: socket => socket.end(random(4_096)),
  HTTP: socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'an SSH banner': socket => socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
  'nothing but the end': socket => socket.end(),
  'a reset': socket => socket.resetAndDestroy(),
  'a record that lies about its length': socket => socket.write(fromHex('160303ffff0200')),
  'a record that never ends': socket => socket.write(fromHex('1603034000020000')),
  'a message of 16 MB': socket => socket.write(record(22, fromHex('02ffffff0303'))),
  'an echo': (socket, hello) => socket.end(hello),
  'a suite that was not offered': (socket, hello) =>
    socket.end(record(22, helloWith(Math.max(0x0300, offerOf(hello).version), 0xfefe))),
}

for (const [name, answer] of Object.entries(never)) {
  test(`H3: ${name} is no TLS, and no version counts as accepted`, async t => {
    const { observation, accepted } = await scan(t, answer)
    assert.deepEqual(supported(observation), [])
    assert.ok(observation.connections <= 24, `${observation.connections} connections`)
    await allClosed(accepted)
  })
}

test('H3: silence is "could not tell", and is not waited for again and again', async t => {
  const { observation, accepted } = await scan(t, () => {})
  assert.deepEqual(
    observation.versions.map(({ supported }) => supported),
    Array(6).fill(null),
  )
  assert.ok(accepted.length <= 14, `${accepted.length} connections`)
})

test('H3: alerts and requests that never end, and bytes that drip, end with the time of one answer', async t => {
  for (const piece of [
    record(21, Uint8Array.of(1, 112)),
    record(22, message(0, new Uint8Array())),
    Uint8Array.of(22),
  ]) {
    const { observation } = await scan(t, async socket => {
      while (!socket.destroyed) {
        socket.write(piece)
        await sleep(piece.length === 1 ? 20 : 1)
      }
    })
    assert.deepEqual(supported(observation), [])
  }
})

test('H3: a chain without end is cut, and the hello before it still counts', async t => {
  const suite = 0x002f
  const { observation } = await scan(t, (socket, hello) => {
    const { version, suites } = offerOf(hello)
    if (version !== 0x0303 || !suites.includes(suite)) return socket.end(alert(40))
    socket.write(record(22, helloWith(version, suite)))
    const certificate = record(22, concat(fromHex('0b01fffd01fffa01fff7'), new Uint8Array(16_000)))
    for (let i = 0; i < 40; i++) socket.write(certificate)
    return undefined
  })
  assert.deepEqual(supported(observation), ['TLSv1.2'])
  assert.deepEqual(observation.chains, [])
  assert.ok(observation.faults.length > 0)
})

test('H3: a server that takes every suite that there is does not make the scan endless', async t => {
  const { observation } = await scan(t, (socket, hello) => {
    const { version, suites } = offerOf(hello)
    const [first] = suites
    return first === undefined ? socket.end() : socket.end(record(22, helloWith(version, first)))
  })
  assert.ok(observation.connections <= 800)
})

test('a port that is closed is a problem', async t => {
  const scanner = createTlsScanner({ door: openDoor(t), tls: createTls(), random })
  const port = await closedPort()
  await assert.rejects(
    async () => {
      for await (const _ of scanner.scan('127.0.0.1', port));
    },
    (error: unknown) => error instanceof Problem && error.code === 'unreachable',
  )
})

test('a cancelled job ends at once and leaves nothing open', async t => {
  const controller = new AbortController()
  const { port, address, accepted } = await listen(t, () => {})
  const scanner = createTlsScanner({ door: openDoor(t, { signal: controller.signal }), tls: createTls(), random })
  const steps = scanner.scan(address, port)
  await steps.next()
  const rest = steps.next()
  await sleep(50)
  controller.abort(new Error('the visitor left'))
  await assert.rejects(
    rest.then(async () => {
      for await (const _ of steps);
    }),
  )
  await sleep(20)
  assert.ok(accepted.length > 0)
  await allClosed(accepted)
})
