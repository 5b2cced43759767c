import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type HttpExchange, Problem } from '@assay/kit'
import { closedPort, listen, openDoor, type TestJob } from '../test/loopback.ts'
import { createBootstrapCache, createWhois, MAX_WHOIS_BYTES, type WhoisSettings } from './whois.ts'

const noHttp = { get: () => Promise.reject(new Problem('unreachable', 'There is no web here')) }

const client = (
  t: TestContext,
  settings: WhoisSettings,
  job: TestJob = {},
  http: Parameters<typeof createWhois>[1] = noHttp,
) => createWhois(openDoor(t, job), http, createBootstrapCache(), settings)

/** A server that gives each question to `answer`. */
const server = (t: TestContext, answer: (socket: Socket, question: string) => void) =>
  listen(t, socket => void socket.once('data', data => answer(socket, data.toString('latin1'))))

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('RFC 3912 §2: one line that ends in CRLF, and the answer until the server hangs up', async t => {
  const questions: string[] = []
  const { port } = await server(t, (socket, question) => {
    questions.push(question)
    socket.end('Domain: EXAMPLE\r\n')
  })
  const reply = await client(t, { port }).ask('127.0.0.1', '-T dn shop.de')
  assert.deepEqual(questions, ['-T dn shop.de\r\n'])
  assert.deepEqual([text(reply.bytes), reply.end, reply.address], ['Domain: EXAMPLE\r\n', 'closed', '127.0.0.1'])
})

test('octets that arrive one by one are all there', async t => {
  const whole = Buffer.from('Café Zürich 東京 😀')
  for (let cut = 0; cut <= whole.length; cut++) {
    const { port } = await server(t, socket => {
      socket.setNoDelay(true)
      socket.write(whole.subarray(0, cut), () => setImmediate(() => socket.end(whole.subarray(cut))))
    })
    const { bytes } = await client(t, { port }).ask('127.0.0.1', 'x')
    assert.equal(text(bytes), whole.toString())
  }
})

test('H4: an answer without an end is cut, and the connection closed', async t => {
  let gone: Promise<unknown> | undefined
  const { port } = await server(t, socket => {
    gone = new Promise(resolve => socket.once('close', resolve))
    const piece = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })
  const { bytes, end } = await client(t, { port }).ask('127.0.0.1', 'x')
  assert.deepEqual([bytes.length, end], [MAX_WHOIS_BYTES, 'size'])
  await gone
})

test('H4: an answer that trickles on is cut by time, and kept', async t => {
  const { port } = await server(t, socket => void socket.write('Domain: X\r\n'))
  const { bytes, end } = await client(t, { port, timeoutMs: 100 }).ask('127.0.0.1', 'x')
  assert.deepEqual([text(bytes), end], ['Domain: X\r\n', 'time'])
})

test('a server that says nothing, hangs up at once, resets or is not there', async t => {
  const silent = await server(t, () => {})
  const code = (code: string) => (error: unknown) => error instanceof Problem && error.code === code
  await assert.rejects(client(t, { port: silent.port, timeoutMs: 80 }).ask('127.0.0.1', 'x'), code('timeout'))
  const empty = await server(t, socket => socket.end())
  assert.equal((await client(t, { port: empty.port }).ask('127.0.0.1', 'x')).bytes.length, 0)
  const reset = await server(t, socket => socket.resetAndDestroy())
  await assert.rejects(client(t, { port: reset.port }).ask('127.0.0.1', 'x'), code('unreachable'))
  const closed = await closedPort()
  await assert.rejects(client(t, { port: closed }).ask('127.0.0.1', 'x'), code('unreachable'))
})

test('a reset after the last octet loses nothing', async t => {
  const { port } = await server(t, socket =>
    socket.write('Domain: X\r\n', () => setTimeout(() => socket.resetAndDestroy(), 20)),
  )
  assert.equal(text((await client(t, { port }).ask('127.0.0.1', 'x')).bytes), 'Domain: X\r\n')
})

test('a question is one line of ASCII; anything else is never sent', async t => {
  const { port, accepted } = await server(t, socket => socket.end())
  for (const question of ['', 'a\r\nb', 'a\nb', 'a\0b', 'é', 'x'.repeat(256)]) {
    await assert.rejects(client(t, { port }).ask('127.0.0.1', question), Problem)
  }
  assert.equal(accepted.length, 0)
})

test('[OPEN-008] a server at a forbidden address, or a name that leads to one, is refused before any packet', async t => {
  const { port, accepted } = await server(t, socket => socket.end())
  const guarded = client(t, { port }, { settings: { ports: { whois: 'any' } }, zone: 'whois.test. A 127.0.0.1' })
  for (const host of ['127.0.0.1', 'whois.test', '10.0.0.1', '::1', '0x7f.1', '2130706433']) {
    await assert.rejects(guarded.ask(host, 'x'), Problem, host)
  }
  assert.equal(accepted.length, 0)
})

test('a job that ends closes the connection', async t => {
  const { port } = await server(t, () => {})
  const visitor = new AbortController()
  const asking = client(t, { port }, { signal: visitor.signal }).ask('127.0.0.1', 'x')
  setTimeout(() => visitor.abort(new Error('gone')), 20)
  await assert.rejects(asking, /gone/)
})

test('the bytes of an answer are charged to the job', async t => {
  const { port } = await server(t, socket => socket.end(Buffer.alloc(50_000)))
  const poor = client(t, { port }, { limits: { wireBytes: 10_000 } })
  await assert.rejects(
    poor.ask('127.0.0.1', 'x'),
    (error: unknown) => error instanceof Problem && error.code === 'limited',
  )
})

const published = (body: string, more: Partial<HttpExchange> = {}): HttpExchange => ({
  url: '',
  status: 200,
  statusText: 'OK',
  httpVersion: '1.1',
  headers: [['Cache-Control', 'max-age=7200']],
  body: new TextEncoder().encode(body),
  truncated: false,
  hops: [],
  address: '',
  timings: { dnsMs: 0, connectMs: 0, firstByteMs: 0, totalMs: 0 },
  ...more,
})

test('RFC 9224 §3: the list of IANA is fetched once and kept', async t => {
  const urls: string[] = []
  const list = '{"services":[]}'
  const http = {
    get: (url: string) => {
      urls.push(url)
      return Promise.resolve(published(list))
    },
  }
  const { bootstrap } = client(t, {}, {}, http)
  assert.deepEqual(await bootstrap('dns'), { text: list, source: 'iana' })
  assert.deepEqual(await bootstrap('dns'), { text: list, source: 'iana' })
  assert.deepEqual(await bootstrap('asn'), { text: list, source: 'iana' })
  assert.deepEqual(urls, ['https://data.iana.org/rdap/dns.json', 'https://data.iana.org/rdap/asn.json'])
})

test('where IANA cannot be had, or sends something else, the bundled list serves', async t => {
  const answers = [
    noHttp,
    ...[
      published('<html>'),
      published('{"services":[]}', { status: 503 }),
      published('{"services":[]}', { truncated: true }),
      published('{}'),
    ].map(exchange => ({ get: () => Promise.resolve(exchange) })),
  ]
  for (const http of answers) {
    const { text: list, source } = await client(t, {}, {}, http).bootstrap('dns')
    assert.equal(source, 'bundled')
    assert.match(list, /rdap\.verisign\.com/)
  }
})
