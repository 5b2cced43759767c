import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { createSecureServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { Problem, type ProblemCode } from '@assay/kit'
import { concat, fromUtf8 } from '@assay/lib/bytes'
import { createQuery, decodeMessage, encodeMessage } from '@assay/lib/dns/message'
import { makeCertificates, openDoor } from '../test/loopback.ts'
import { createDoh } from './doh.ts'
import { createDot } from './dot.ts'
import { createTls } from './tls.ts'

const certificates = makeCertificates()
const tls = createTls([certificates.authority])
const random = (length: number) => randomFillSync(new Uint8Array(length))
const query = createQuery({ id: 0, name: 'www.good.test.', type: 'A', rd: true })
const TIMEOUT_MS = 300

const problem =
  (code: ProblemCode, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, `${error.message}. ${error.detail}`)
    assert.match(`${error.message}. ${error.detail ?? ''}`, words)
    return true
  }

/** Answers a question with nothing in it. */
function answerTo(question: Uint8Array, changes: object = {}): Uint8Array {
  return encodeMessage({ ...decodeMessage(question), qr: true, ra: true, ...changes })
}
const framed = (message: Uint8Array) => concat(Uint8Array.of(message.length >> 8, message.length & 255), message)

/** A TLS server that hands each frame to `answer`; it ends with the test. */
async function listenDot(t: TestContext, answer: (socket: TLSSocket, question: Uint8Array) => void) {
  const sockets: TLSSocket[] = []
  const server = createServer({ key: certificates.key, cert: certificates.good, ALPNProtocols: ['dot'] }, socket => {
    sockets.push(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', part => {
      received = Buffer.concat([received, part])
      while (received.length > 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0)
        answer(socket, received.subarray(2, end))
        received = received.subarray(end)
      }
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const port = (server.address() as AddressInfo).port
  const overTls = createDot({ door: openDoor(t), tls, random })
  return {
    ask: () => overTls({ address: '127.0.0.1', port, name: 'good.test' }, query, { timeoutMs: TIMEOUT_MS }),
    sockets,
  }
}

test('RFC 7766 §6.2.4: a server that hangs up after each answer is connected to again', async t => {
  const { ask, sockets } = await listenDot(t, (socket, question) => socket.end(framed(answerTo(question))))
  for (let round = 0; round < 3; round++) {
    const { message, tls: told } = await ask()
    assert.deepEqual([message.rcode, told.alpn, told.problem], ['NOERROR', 'dot', undefined])
  }
  assert.ok(sockets.length >= 2)
})

test('RFC 5452 §9.1: messages with another ID or another question are no answer', async t => {
  const { ask } = await listenDot(t, (socket, question) => {
    socket.write(framed(answerTo(question, { id: (decodeMessage(question).id + 1) % 65_536 })))
    socket.write(framed(answerTo(question, { questions: [{ name: 'other.test.', type: 'A', class: 'IN' }] })))
    socket.write(framed(answerTo(question, { qr: false })))
    setTimeout(() => socket.write(framed(answerTo(question, { rcode: 'NXDOMAIN' }))), 30)
  })
  assert.equal((await ask()).message.rcode, 'NXDOMAIN')
})

test('answers out of order and in pieces find their questions', async t => {
  const questions: Uint8Array[] = []
  const { ask, sockets } = await listenDot(t, (socket, question) => {
    questions.push(Uint8Array.from(question))
    if (questions.length < 3) return
    const bytes = concat(...questions.toReversed().map(one => framed(answerTo(one))))
    for (const byte of bytes) socket.write(Uint8Array.of(byte))
  })
  const first = ask()
  // The others wait for the connection that the first one opens.
  const answers = await Promise.all([first, ask(), ask()])
  assert.deepEqual(
    answers.map(({ message }) => message.rcode),
    ['NOERROR', 'NOERROR', 'NOERROR'],
  )
  assert.equal(sockets.length, 1)
})

for (const [name, answer, code] of [
  ['silence', () => {}, 'timeout'],
  ['half a frame', (socket: TLSSocket) => socket.write(Uint8Array.of(1, 0, 1, 2, 3)), 'timeout'],
  ['frames of nothing', (socket: TLSSocket) => socket.write(new Uint8Array(64)), 'unreachable'],
  ['garbage in frames', (socket: TLSSocket) => socket.write(framed(Uint8Array.of(1, 2, 3))), 'unreachable'],
  ['the end', (socket: TLSSocket) => socket.end(), 'unreachable'],
] as const) {
  test(`H3: ${name} over TLS is a problem in time`, async t => {
    const { ask } = await listenDot(t, answer)
    await assert.rejects(ask(), problem(code))
  })
}

test('security H1: a server over TLS that says everything but the answer is heard for a while only', async t => {
  let sent = 0
  const { ask } = await listenDot(t, (socket, question) => {
    const stray = framed(answerTo(question, { id: (decodeMessage(question).id + 1) % 65_536 }))
    const many = concat(...Array.from({ length: 400 }, () => stray))
    const more = () => {
      do sent += many.length
      while (!socket.destroyed && socket.write(many))
    }
    socket.on('drain', more)
    more()
  })
  await assert.rejects(ask(), problem('unreachable', /never comes to an answer/))
  assert.ok(sent < 16_000_000, String(sent))
})

interface Stage {
  server: Http2Server
  url: string
}

/** An HTTP/2 server; it ends with the test. */
async function listenDoh(t: TestContext, answer: (stream: ServerHttp2Stream, path: string) => void): Promise<Stage> {
  const server = createSecureServer({ key: certificates.key, cert: certificates.good })
  const sessions: { destroy(): void }[] = []
  server.on('session', session => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    answer(stream, String(headers[':path']))
  })
  server.on('sessionError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { server, url: `https://good.test:${(server.address() as AddressInfo).port}/dns-query` }
}

function clientFor(t: TestContext) {
  const doh = createDoh({ door: openDoor(t), tls, settings: { userAgent: 'Assay-test/1.0' } })
  return (url: string, method: 'GET' | 'POST' = 'GET') =>
    doh.overHttps({ url, address: '127.0.0.1' }, query, { method, timeoutMs: TIMEOUT_MS })
}

const type = 'application/dns-message'
const questionIn = (path: string) => Buffer.from(new URL(path, 'https://x').searchParams.get('dns') ?? '', 'base64url')

test('RFC 8484 §4.1: the question goes out with ID 0, in Base64URL without padding', async t => {
  let seen = ''
  const { url } = await listenDoh(t, (stream, path) => {
    seen = path
    stream.respond({ ':status': 200, 'content-type': type })
    stream.end(answerTo(questionIn(path)))
  })
  const answer = await clientFor(t)(url)
  assert.equal(answer.message?.rcode, 'NOERROR')
  assert.match(seen, /^\/dns-query\?dns=AAAB[\w-]+$/)
  assert.deepEqual([answer.httpVersion, answer.tls.problem], ['2', undefined])
})

for (const [name, status, contentType, body, words] of [
  ['a page', 200, 'text/html; charset=utf-8', '<p>hello</p>', /text\/html/],
  ['no type', 200, undefined, 'x', /of no stated type/],
  ['an error', 503, type, '', /status 503/],
  ['three bytes', 200, type, 'abc', /not a DNS message/],
  ['the question itself', 200, type, encodeMessage({ ...query, id: 0 }), /a question/],
  [
    'another question',
    200,
    type,
    answerTo(encodeMessage(query), { questions: [{ name: 'x.test.', type: 'A', class: 'IN' }] }),
    /another question/,
  ],
  ['counts that lie', 200, type, answerTo(encodeMessage(query)).map((byte, at) => (at === 7 ? 9 : byte)), /broken/],
] as const) {
  test(`RFC 8484 §4.2: ${name} is no answer`, async t => {
    const { url } = await listenDoh(t, stream => {
      stream.respond({ ':status': status, ...(contentType && { 'content-type': contentType }) })
      stream.end(body)
    })
    const answer = await clientFor(t)(url)
    assert.equal(answer.message, undefined)
    assert.match(answer.problem ?? '', words)
    assert.equal(answer.status, status)
  })
}

test('H2: a body without end is cut at the size of a DNS message', async t => {
  const { url } = await listenDoh(t, stream => {
    stream.respond({ ':status': 200, 'content-type': type })
    const more = () => {
      while (!stream.destroyed && stream.write(new Uint8Array(16_384)));
    }
    stream.on('drain', more)
    more()
  })
  const answer = await clientFor(t)(url)
  assert.deepEqual([answer.truncated, answer.body.length, answer.message], [true, 65_535, undefined])
})

for (const [name, answer, code] of [
  ['silence', () => {}, 'timeout'],
  ['a header and then silence', (stream: ServerHttp2Stream) => stream.respond({ ':status': 200 }), 'timeout'],
  ['a stream that is reset', (stream: ServerHttp2Stream) => stream.close(2), 'unreachable'],
  ['the end of the session', (stream: ServerHttp2Stream) => stream.session?.destroy(), 'unreachable'],
  [
    'headers without end',
    (stream: ServerHttp2Stream) =>
      stream.respond(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, 'y'.repeat(100)]))),
    'unreachable',
  ],
] as const) {
  test(`H2: ${name} over HTTP/2 is a problem in time`, async t => {
    const { url } = await listenDoh(t, answer)
    await assert.rejects(clientFor(t)(url), problem(code))
  })
}

test('RFC 9113 §3.4: bytes that are not HTTP/2 are a problem', async t => {
  const server = createServer({ key: certificates.key, cert: certificates.good, ALPNProtocols: ['h2'] }, socket => {
    socket.on('error', () => {})
    socket.write(fromUtf8('HTTP/1.1 200 OK\r\n\r\n'))
    sockets.push(socket)
  })
  const sockets: TLSSocket[] = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = `https://good.test:${(server.address() as AddressInfo).port}/dns-query`
  await assert.rejects(clientFor(t)(url), problem('unreachable'))
})

test('addresses that are no https address are refused', async t => {
  for (const url of ['http://good.test/dns-query', 'ftp://good.test/', 'https://user@good.test/', 'good test']) {
    await assert.rejects(clientFor(t)(url), problem('invalid-input'))
  }
})
