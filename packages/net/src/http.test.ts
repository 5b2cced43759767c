import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type HttpExchange, Problem, type ProblemCode } from '@assay/kit'
import fc from 'fast-check'
import {
  anyPort,
  type Certificates,
  changingDns,
  closedPort,
  type Listening,
  listen,
  listenRaw,
  listenWith,
  makeCertificates,
  openDoor,
  type TestJob,
} from '../test/loopback.ts'
import { MAX_SOCKETS_PER_DESTINATION } from './egress.ts'
import { createHttp, MAX_REDIRECTS } from './http.ts'
import { MAX_PIECES } from './pieces.ts'
import { createTls } from './tls.ts'

/** 127.0.0.1 may be contacted; everything else of loopback stands for the network behind the wall. */
const settings = { allowedTestNetworks: ['127.0.0.1/32'], ports: anyPort }
const zone = 'good.test. A 127.0.0.1\nevil.test. A 127.0.0.2\nmixed.test. A 127.0.0.1\nmixed.test. A 127.0.0.2'
const userAgent = 'Assay-test/1.0 (+https://assay.test/; abuse@assay.test)'

let certificates: Certificates
before(() => {
  certificates = makeCertificates()
})

const client = (t: TestContext, job: TestJob = {}) =>
  createHttp(openDoor(t, { settings, zone, ...job }), createTls([certificates.authority]), { userAgent })

const problem =
  (code: ProblemCode, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, `${error.message} ${error.detail}`)
    assert.match(`${error.message}. ${error.detail ?? ''}`, words)
    return true
  }
const addressRefused = (error: unknown) =>
  problem('refused')(error) && (error as Problem).message === 'Validation error: target address is not allowed'

const reply = (body: string, ...fields: string[]) =>
  ['HTTP/1.1 200 OK', ...fields, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
const redirect = (location: string, status = 302, ...fields: string[]) =>
  [`HTTP/1.1 ${status} Moved`, `Location: ${location}`, ...fields, 'Content-Length: 0', '', ''].join('\r\n')
const pathOf = (request: string) => request.split(' ')[1] ?? ''
const text = ({ body }: HttpExchange) => Buffer.from(body).toString('latin1')
const at = ({ port }: Listening, path = '/', host = '127.0.0.1') => `http://${host}:${port}${path}`

/** A server in the part of loopback that must never be reached, on the port of another one. */
async function forbiddenNeighbour(t: TestContext, port: number): Promise<Listening['accepted']> {
  const { createServer } = await import('node:net')
  const accepted: Listening['accepted'] = []
  const server = createServer(socket => {
    accepted.push(socket)
    socket.end(reply('secret'))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.2', resolve))
  t.after(() => new Promise(resolve => server.close(resolve)))
  return accepted
}

test('a response as it came: status, fields in order with case and duplicates, body', async t => {
  const server = await listenRaw(t, socket =>
    socket.end(
      'HTTP/1.1 200 Fine\r\nX-B: 1\r\nset-cookie: a=1\r\nX-b: 2\r\nSet-Cookie: b=2\r\nServer: caf\xe9\r\nContent-Length: 2\r\n\r\nhi',
      'latin1',
    ),
  )
  const exchange = await client(t).get(at(server, '/', 'good.test'))
  assert.deepEqual(exchange.headers, [
    ['X-B', '1'],
    ['set-cookie', 'a=1'],
    ['X-b', '2'],
    ['Set-Cookie', 'b=2'],
    ['Server', 'caf\xe9'],
    ['Content-Length', '2'],
  ])
  assert.deepEqual(
    [exchange.status, exchange.statusText, exchange.httpVersion, text(exchange)],
    [200, 'Fine', '1.1', 'hi'],
  )
  assert.deepEqual([exchange.url, exchange.address], [at(server, '/', 'good.test'), '127.0.0.1'])
  assert.deepEqual([exchange.truncated, exchange.hops, exchange.tls], [false, [], undefined])
  const { dnsMs, connectMs, firstByteMs, totalMs } = exchange.timings
  assert.ok(dnsMs >= 0 && connectMs >= 0 && firstByteMs >= connectMs && totalMs >= firstByteMs)
})

test('a request says who asks and nothing about the visitor', async t => {
  const requests: string[] = []
  const server = await listenRaw(t, (socket, request) => {
    requests.push(request)
    const cookie = 'Set-Cookie: session=1; Path=/'
    socket.end(pathOf(request) === '/' ? redirect('/next', 302, cookie) : reply('', cookie))
  })
  await client(t).get(at(server, '/', 'good.test'), { headers: { Origin: 'https://other.test' } })
  assert.deepEqual(
    requests,
    ['/', '/next'].map(path =>
      [
        `GET ${path} HTTP/1.1`,
        `Host: good.test:${server.port}`,
        `User-Agent: ${userAgent}`,
        'Accept: */*',
        'Accept-Encoding: identity',
        'Origin: https://other.test',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    ),
  )
})

test('a tool cannot set fields that frame the message, name the visitor or grant something', async t => {
  const server = await listenRaw(t, socket => socket.end(reply('')))
  for (const name of [
    ...['Cookie', 'Authorization', 'X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'X-Real-IP', 'Via', 'Host'],
    ...['Connection', 'Content-Length', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization', 'User-Agent', 'TE'],
  ]) {
    await assert.rejects(client(t).get(at(server), { headers: { [name.toLowerCase()]: 'x' } }), TypeError, name)
  }
  await assert.rejects(client(t).get(at(server), { headers: { 'X-A': 'a\r\nCookie: b' } }))
  assert.equal(server.accepted.flatMap(socket => socket.bytesRead).filter(bytes => bytes > 0).length, 0)
})

test('HEAD and OPTIONS; a response without content has none', async t => {
  const methods: string[] = []
  const server = await listenRaw(t, (socket, request) => {
    methods.push(request.split(' ')[0] ?? '')
    socket.end(
      request.startsWith('HEAD') ? 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n' : 'HTTP/1.1 204 None\r\n\r\n',
    )
  })
  const head = await client(t).get(at(server), { method: 'HEAD' })
  assert.deepEqual([head.body.length, head.truncated], [0, false])
  assert.equal((await client(t).get(at(server), { method: 'OPTIONS' })).status, 204)
  assert.deepEqual(methods, ['HEAD', 'OPTIONS'])
})

test('RFC 3986 §5.4: references of every form are followed', async t => {
  const references: Record<string, string> = {
    '/a/start': 'next?x=1',
    '/a/next?x=1': '?y=2',
    '/a/next?y=2': '../b/./c',
    '/b/c': '//good.test:PORT/d#part',
    '/d': 'HTTP://GOOD.TEST:PORT/end',
  }
  const server = await listenRaw(t, (socket, request) => {
    const next = references[pathOf(request)]?.replace('PORT', String(server.port))
    socket.end(next === undefined ? reply(pathOf(request)) : redirect(next))
  })
  const exchange = await client(t).get(at(server, '/a/start', 'good.test'))
  assert.equal(text(exchange), '/end')
  assert.deepEqual(
    exchange.hops.map(({ url, status }) => [new URL(url).pathname + new URL(url).search, status]),
    Object.keys(references).map(path => [path, 302]),
  )
  assert.equal(exchange.hops[0]?.location, 'next?x=1')
})

test('RFC 9110 §15.4: only redirects are followed, and only as many as asked for', async t => {
  const server = await listenRaw(t, (socket, request) => {
    const status = Number(pathOf(request).slice(1))
    socket.end(status ? redirect('/', status) : reply('end'))
  })
  for (const status of [301, 302, 303, 307, 308]) {
    assert.equal((await client(t).get(at(server, `/${status}`))).hops.length, 1)
    const unfollowed = await client(t).get(at(server, `/${status}`), { redirects: 0 })
    assert.deepEqual([unfollowed.status, unfollowed.hops.length], [status, 0])
  }
  for (const status of [200, 201, 300, 304, 305, 306, 309, 404]) {
    assert.equal((await client(t).get(at(server, `/${status}`))).status, status)
  }
  const bare = await listenRaw(t, socket => socket.end('HTTP/1.1 302 Moved\r\nLocation:\r\nContent-Length: 0\r\n\r\n'))
  assert.equal((await client(t).get(at(bare))).status, 302)
})

test(`[OPEN-008] ${MAX_REDIRECTS} redirects are followed and no more, in a chain or a circle`, async t => {
  const server = await listenRaw(t, (socket, request) => {
    const left = Number(pathOf(request).slice(1))
    socket.end(left > 0 ? redirect(`/${left - 1}`) : left === 0 ? reply('end') : redirect('/-1'))
  })
  assert.equal((await client(t).get(at(server, '/5'))).hops.length, 5)
  await assert.rejects(client(t).get(at(server, '/6')), problem('limited', /redirects too often/))
  await assert.rejects(client(t).get(at(server, '/-1')), problem('limited'))
  await assert.rejects(client(t).get(at(server, '/6'), { redirects: 100 }), problem('limited'))
  await assert.rejects(client(t).get(at(server, '/2'), { redirects: 1 }), problem('limited'))
  assert.equal(server.accepted.length, 6 + 6 + 6 + 6 + 2)
})

test('[OPEN-008] a redirect to an address that is not allowed is refused, and nothing is sent there', async t => {
  const locations: string[] = []
  const server = await listenRaw(t, socket => socket.end(redirect(locations.at(-1) ?? '')))
  const reached = await forbiddenNeighbour(t, server.port)
  const { port } = server
  for (const host of [
    ...[
      '127.0.0.2',
      'evil.test',
      'EVIL.TEST.',
      'mixed.test',
      '10.0.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '0.0.0.0',
    ],
    ...['[::1]', '[::]', '[::ffff:127.0.0.2]', '[::ffff:7f00:2]', '[::7f00:2]', '[64:ff9b::7f00:2]', '[2002:7f00:2::]'],
    ...[
      '[2001:0:4136:e378:8000:63bf:80ff:fffd]',
      '[fe80::5efe:7f00:2]',
      '[fc00::1]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
    ],
    ...['a.localhost', 'metadata.google.internal', 'printer.local'],
  ]) {
    for (const location of [`http://${host}:${port}/`, `//${host}:${port}/`, `https://${host}:${port}/`]) {
      locations.push(location)
      await assert.rejects(client(t).get(at(server)), addressRefused, location)
    }
  }
  assert.equal(reached.length, 0)
})

test('a redirect that parsers read differently, or to another scheme, is refused', async t => {
  const locations: string[] = []
  const server = await listenRaw(t, socket => socket.end(redirect(locations.at(-1) ?? ''), 'latin1'))
  const reached = await forbiddenNeighbour(t, server.port)
  const { port } = server
  for (const location of [
    ...['127.2', '0x7f.2', '2130706434', '0177.0.0.2', '127.0.0.02', '127.0.0.2.', '0x7f000002'].map(
      host => `http://${host}:${port}/`,
    ),
    `http://good.test@127.0.0.2:${port}/`,
    `http://user:pass@good.test:${port}/`,
    `http://good.test:${port}\\@127.0.0.2:${port}/`,
    `http:\\\\127.0.0.2:${port}/`,
    `\\\\127.0.0.2:${port}/`,
    `/\\127.0.0.2:${port}/`,
    `http:/127.0.0.2:${port}/`,
    `http:127.0.0.2:${port}/`,
    `http:///127.0.0.2:${port}/`,
    `http://127.0.0.2%00.good.test:${port}/`,
    `http://127%2e0%2e0%2e2:${port}/`,
    `http://127.0.0.2\t:${port}/`,
    `/\t/127.0.0.2:${port}/`,
    `http://localhost:${port}/`,
    Buffer.from(`http://127。0。0。2:${port}/`).toString('latin1'),
    Buffer.from(`http://①②⑦.⓪.⓪.②:${port}/`).toString('latin1'),
    Buffer.from(`http://good\u202e.test:${port}/`).toString('latin1'),
    'ftp://good.test/',
    'file:///etc/passwd',
    'gopher://127.0.0.2:6379/_INFO',
    'dict://127.0.0.2:11211/',
    'ldap://127.0.0.2/',
    'data:text/html,x',
    'javascript:alert(1)',
    'unix:/run/docker.sock',
    'ws://good.test/',
    'http://good.test:0/',
    'http://good.test:65536/',
    Buffer.from('http://good.test:８０/').toString('latin1'),
    'http://',
    'http://[::1/',
  ]) {
    locations.push(location)
    await assert.rejects(client(t).get(at(server)), problem('refused'), location)
  }
  assert.equal(reached.length, 0)
})

test('a redirect to a port that is not in the list is refused', async t => {
  const server = await listenRaw(t, socket => socket.end(redirect('http://good.test:6379/')))
  const ports = { http: [server.port] }
  await assert.rejects(
    client(t, { settings: { ...settings, ports } }).get(at(server)),
    (error: unknown) => problem('refused')(error) && /target port/.test(String(error)),
  )
})

test('a redirect to two addresses at once is followed to neither', async t => {
  const server = await listenRaw(t, socket =>
    socket.end('HTTP/1.1 302 Moved\r\nLocation: /a\r\nLocation: http://evil.test/\r\nContent-Length: 0\r\n\r\n'),
  )
  await assert.rejects(client(t).get(at(server)), problem('unreachable', /two addresses/))
})

test('Refresh, Alt-Svc and interim responses move nothing', async t => {
  const server = await listenRaw(t, socket =>
    socket.end(
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${reply('here', 'Refresh: 0; url=http://evil.test/', 'Alt-Svc: h2="evil.test:443"')}`,
    ),
  )
  const exchange = await client(t).get(at(server))
  assert.deepEqual([text(exchange), exchange.hops], ['here', []])
})

test('a name that changes between hops stays where it was', async t => {
  const server = await listenRaw(t, (socket, request) => {
    const hop = Number(pathOf(request).slice(1))
    socket.end(hop < 5 ? redirect(`http://rebind.test:${server.port}/${hop + 1}`) : reply('end'))
  })
  const reached = await forbiddenNeighbour(t, server.port)
  for (let i = 0; i < 50; i++) {
    const dns = changingDns(['rebind.test. A 127.0.0.1', 'rebind.test. A 127.0.0.2'])
    const exchange = await client(t, { dns }).get(at(server, '/0', 'rebind.test'))
    assert.deepEqual([text(exchange), exchange.hops.length, dns.questions.length], ['end', 5, 2])
  }
  assert.equal(reached.length, 0)
})

test('the second address is tried when nothing listens on the first', async t => {
  const server = await listenRaw(t, socket => socket.end(reply('second')))
  const two = 'two.test. A 127.0.0.3\ntwo.test. A 127.0.0.1'
  const open = { allowedTestNetworks: ['127.0.0.0/8'], ports: anyPort }
  const exchange = await client(t, { settings: open, zone: two }).get(at(server, '/', 'two.test'))
  assert.deepEqual([text(exchange), exchange.address], ['second', '127.0.0.1'])
})

test('failures of the network are told apart', async t => {
  await assert.rejects(
    client(t).get(`http://good.test:${await closedPort()}/`),
    problem('unreachable', /refuses the conn/),
  )
  await assert.rejects(client(t).get('http://nowhere.test/'), problem('not-found', /does not exist/))
  const resetting = await listenRaw(t, socket => socket.resetAndDestroy())
  await assert.rejects(client(t).get(at(resetting)), problem('unreachable', /cut the connection/))
  const closing = await listenRaw(t, socket => socket.end())
  await assert.rejects(client(t).get(at(closing)), problem('unreachable', /cut the connection/))
  const silent = await listenRaw(t, () => {})
  await assert.rejects(client(t).get(at(silent), { timeoutMs: 50 }), problem('timeout', /does not answer/))
})

test('what is not HTTP/1 is not an answer', async t => {
  for (const garbage of [
    'SSH-2.0-OpenSSH_9.2\r\n',
    '220 mail.test ESMTP\r\n',
    '<html>HTTP/0.9</html>',
    'HTTP/9.9 200 OK\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'ICY 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00',
    '\0\0\0\0\0\0\0\0\r\n\r\n',
  ]) {
    const server = await listenRaw(t, socket => socket.end(garbage, 'latin1'))
    await assert.rejects(client(t).get(at(server)), problem('unreachable', /HTTP/), JSON.stringify(garbage))
  }
})

test('headers without end are cut: too long, too many, too slow', async t => {
  const long = await listenRaw(t, socket => socket.write(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}`))
  await assert.rejects(client(t).get(at(long)), problem('unreachable', /too long/))
  const many = await listenRaw(t, socket => socket.write(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(5_000)}`))
  await assert.rejects(client(t).get(at(many)), problem('unreachable', /too long/))
  const quick = await listenRaw(t, socket => socket.end(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(5_000)}\r\n`))
  await assert.rejects(client(t).get(at(quick)), problem('unreachable', /too long/))
  const slow = await listenRaw(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('X: y\r\n'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  await assert.rejects(client(t).get(at(slow), { timeoutMs: 80 }), problem('timeout'))
  const fits = await listenRaw(t, socket => socket.end(reply('ok', `X: ${'a'.repeat(12_000)}`)))
  assert.equal(text(await client(t).get(at(fits))), 'ok')
})

test('interim responses without end, and a change of protocol, are no answer', async t => {
  const interim = await listenRaw(t, socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)))
  await assert.rejects(client(t).get(at(interim)), problem('unreachable', /never comes/))
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  const atOnce = await listenRaw(t, socket => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20) + answer))
  await assert.rejects(client(t).get(at(atOnce)), problem('unreachable', /never comes/))
  const upgrade = await listenRaw(t, socket =>
    socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  )
  await assert.rejects(client(t).get(at(upgrade)), problem('unreachable', /another protocol|cut the connection/))
})

test('a body without end is cut at the limit, a slow or broken one where it stops', async t => {
  const endless = await listenRaw(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const write = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384)));
      socket.once('drain', write)
    }
    write()
  })
  const cut = await client(t).get(at(endless), { bodyBytes: 100_000 })
  assert.deepEqual([cut.body.length, cut.truncated], [100_000, true])
  const slow = await listenRaw(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  const dripped = await client(t).get(at(slow), { timeoutMs: 150 })
  assert.ok(dripped.truncated && dripped.body.length > 0)
  const short = await listenRaw(t, socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'))
  const broken = await client(t).get(at(short))
  assert.deepEqual([text(broken), broken.truncated], ['half', true])
  const exact = await listenRaw(t, socket => socket.end(reply('12345')))
  const whole = await client(t).get(at(exact), { bodyBytes: 5 })
  assert.deepEqual([text(whole), whole.truncated], ['12345', false])
  const none = await client(t).get(at(exact), { bodyBytes: 0 })
  assert.deepEqual([none.body.length, none.truncated], [0, true])
})

const coded = (coding: string, body: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ])

test('RFC 9110 §8.4: codings are undone when a server insists, two deep', async t => {
  const plain = Buffer.from('what is inside')
  for (const [coding, body] of [
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['', plain],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['br,identity, gzip', gzipSync(brotliCompressSync(plain))],
  ] as const) {
    const server = await listenRaw(t, socket => socket.end(coded(coding, body)))
    const exchange = await client(t).get(at(server))
    assert.deepEqual([text(exchange), exchange.truncated], [plain.toString(), false], coding)
  }
})

test('a third coding, or an unknown one, is left as it is', async t => {
  const thrice = gzipSync(gzipSync(gzipSync('x')))
  for (const [coding, body] of [
    ['gzip, gzip, gzip', thrice],
    ['zstd', thrice],
    ['gzip, rot13', thrice],
    [Array(1_000).fill('br').join(), thrice],
  ] as const) {
    const server = await listenRaw(t, socket => socket.end(coded(coding, body)))
    assert.deepEqual(Buffer.from((await client(t).get(at(server))).body), body)
  }
})

test('limits count what comes out of decompression', async t => {
  const zeros = Buffer.alloc(64 * 1_048_576)
  for (const [coding, body] of [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
  ] as const) {
    const server = await listenRaw(t, socket => socket.end(coded(coding, body)))
    const exchange = await client(t).get(at(server), { bodyBytes: 200_000 })
    assert.deepEqual([exchange.body.length, exchange.truncated], [200_000, true])
    await assert.rejects(
      client(t, { limits: { decodedBytes: 100_000 } }).get(at(server), { bodyBytes: 200_000 }),
      problem('limited', /bytes of content/),
    )
  }
})

test('a compressed body that is broken is shown as far as it goes', async t => {
  const whole = gzipSync(Buffer.alloc(100_000, 'text '))
  for (const body of [
    whole.subarray(0, 200),
    Buffer.from('not gzip at all'),
    Buffer.concat([whole, Buffer.from('more')]),
  ]) {
    const server = await listenRaw(t, socket => socket.end(coded('gzip', body)))
    assert.equal((await client(t).get(at(server))).status, 200)
  }
  for (const [coding, body] of [
    ['gzip', whole.subarray(0, 100)],
    ['gzip', Buffer.from('not gzip')],
    ['deflate', Buffer.from('not deflate')],
    ['br', Buffer.alloc(40, 0xff)],
    ['br', brotliCompressSync(Buffer.alloc(100_000, 'text ')).subarray(0, 10)],
  ] as const) {
    const server = await listenRaw(t, socket => socket.end(coded(coding, body)))
    const exchange = await client(t).get(at(server))
    assert.deepEqual([exchange.status, exchange.truncated], [200, true], coding)
  }
})

test('an empty body is whole, whatever coding it claims', async t => {
  const empty = await listenRaw(t, (socket, request) =>
    socket.end(
      request.startsWith('HEAD')
        ? 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n'
        : 'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
  )
  for (const method of ['HEAD', 'GET'] as const) {
    const exchange = await client(t).get(at(empty), { method })
    assert.deepEqual([exchange.body.length, exchange.truncated], [0, false], method)
  }
})

test('all requests of a job spend one budget', async t => {
  const server = await listenRaw(t, socket => socket.end(reply('x'.repeat(40_000))))
  const http = client(t, { limits: { wireBytes: 100_000 } })
  await http.get(at(server))
  await http.get(at(server))
  await assert.rejects(http.get(at(server)), problem('limited', /bytes on the wire/))
  await assert.rejects(http.get(at(server)), problem('limited'))
})

test('a visitor who leaves ends the request', async t => {
  const visitor = new AbortController()
  const server = await listenRaw(t, () => visitor.abort(new Error('gone')))
  await assert.rejects(client(t, { signal: visitor.signal }).get(at(server)), /gone/)
})

async function listenTls(t: TestContext, options: TlsOptions): Promise<Listening> {
  const server = createTlsServer({ key: certificates.key, ...options }, socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(reply('safe')))
  })
  return listenWith(t, server)
}

test('TLS: a certificate that holds, for a name and for an address', async t => {
  const server = await listenTls(t, { cert: certificates.good })
  for (const host of ['good.test', '127.0.0.1']) {
    const exchange = await client(t).get(`https://${host}:${server.port}/`)
    assert.equal(text(exchange), 'safe')
    assert.deepEqual(exchange.tls, { protocol: 'TLSv1.3', cipher: exchange.tls?.cipher ?? '', names: ['good.test'] })
    assert.match(exchange.tls?.cipher ?? '', /^TLS_/)
    assert.ok((exchange.timings.tlsMs ?? -1) >= 0)
  }
})

test('TLS: what is wrong with a certificate is said, and ignored only when asked', async t => {
  for (const [certificate, host, words] of [
    [certificates.expired, 'good.test', /has expired/],
    [certificates.selfSigned, 'good.test', /self-signed/],
    [certificates.stranger, 'good.test', /issuer .* unknown/],
    [certificates.good, 'other.test', /another name/],
  ] as const) {
    const server = await listenTls(t, { cert: certificate })
    const url = `https://${host}:${server.port}/`
    const http = () => client(t, { zone: 'good.test. A 127.0.0.1\nother.test. A 127.0.0.1' })
    await assert.rejects(http().get(url), problem('unreachable', words))
    const exchange = await http().get(url, { acceptBadCertificate: true })
    assert.equal(text(exchange), 'safe')
    assert.equal(exchange.tls?.protocol, 'TLSv1.3')
    assert.match(exchange.tls?.problem ?? '', words)
  }
})

test('TLS: a handshake that fails, stalls or is none', async t => {
  const plain = await listenRaw(t, () => {})
  await listen(t, () => {})
  await assert.rejects(
    client(t).get(`https://127.0.0.1:${plain.port}/`, { timeoutMs: 60 }),
    problem('timeout', /does not answer/),
  )
  const garbage = await listen(t, socket => socket.end('220 hello\r\n'))
  await assert.rejects(
    client(t).get(`https://127.0.0.1:${garbage.port}/`),
    problem('unreachable', /TLS handshake failed/),
  )
  const closing = await listen(t, socket => socket.once('data', () => socket.end()))
  await assert.rejects(
    client(t).get(`https://127.0.0.1:${closing.port}/`),
    problem('unreachable', /cut the connection/),
  )
  const old = await listenTls(t, {
    cert: certificates.good,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  await assert.rejects(client(t).get(`https://good.test:${old.port}/`), problem('unreachable', /TLS handshake failed/))
  const lenient = await client(t).get(`https://good.test:${old.port}/`, { acceptBadCertificate: true })
  assert.equal(lenient.tls?.protocol, 'TLSv1')
})

test('redirects cross from http to https and back', async t => {
  const plain = await listenRaw(t, (socket, request) =>
    socket.end(pathOf(request) === '/' ? redirect(`https://good.test:${safe.port}/`) : reply('plain again')),
  )
  const safe = await listenWith(
    t,
    createTlsServer({ key: certificates.key, cert: certificates.good }, socket => {
      socket.once('data', () => socket.end(redirect(`http://good.test:${plain.port}/back`)))
    }),
  )
  const exchange = await client(t).get(at(plain, '/', 'good.test'))
  assert.deepEqual([text(exchange), exchange.hops.length, exchange.tls], ['plain again', 2, undefined])
})

test('any text: refused, or asked of the host that new URL finds in it, at an allowed address', async t => {
  const server = await listenRaw(t, (socket, request) => socket.end(reply(/^Host: (.*)\r$/m.exec(request)?.[1] ?? '')))
  const reached = await forbiddenNeighbour(t, server.port)
  const asked: string[] = []
  const dns = {
    resolve: async (name: string, type: string) => {
      asked.push(name)
      const { zoneOf } = await import('../test/loopback.ts')
      return zoneOf(`${name}. A ${name.includes('evil') ? '127.0.0.2' : '127.0.0.1'}`).resolve(name, type)
    },
  }
  const piece = fc.constantFrom(
    ...['http://', 'HTTP://', '//', '/', '\\', '@', ':', '?', '#', '.', '。', '%2e', '[', ']', '\t', '\n', ' '],
    ...['good.test', 'evil.test', 'GOOD.test', 'münchen.test', 'test', '127.0.0.1', '127.0.0.2', '127.2', '0x7f.2'],
    ...['①②⑦.⓪.⓪.②', '[::ffff:127.0.0.2]', '2130706434', 'localhost', 'a', '-', '\u00ad', '\u202e', `:${server.port}`],
  )
  const url = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map(parts => `http://${parts.join('')}:${server.port}/`),
    fc.array(piece, { maxLength: 6 }).map(parts => `http://${parts.join('')}`),
    fc.domain().map(name => `http://${name}:${server.port}/`),
  )
  await fc.assert(
    fc.asyncProperty(url, async typed => {
      asked.length = 0
      const http = client(t, { dns, limits: { wallMs: 10_000 } })
      let exchange: HttpExchange
      try {
        exchange = await http.get(typed, { timeoutMs: 2_000 })
      } catch (error) {
        assert.ok(error instanceof Problem, String(error))
        return
      }
      const expected = new URL(typed.trim())
      assert.equal(text(exchange), expected.host.replace(/\.(?=:|$)/, ''))
      assert.equal(exchange.address, '127.0.0.1')
      for (const name of asked) assert.equal(name, expected.hostname.replace(/\.$/, ''))
    }),
    { numRuns: 600 },
  )
  assert.equal(reached.length, 0)
})

test('security H2: a body in chunks of an octet each is cut, plain and compressed, and soon', async t => {
  const compressed = gzipSync('x'.repeat(100_000), { level: 0 }).toString('latin1')
  const inChunks = (body: string) => [...body].map(octet => `1\r\n${octet}\r\n`).join('')
  for (const [coding, body] of [
    ['identity', 'x'.repeat(100_000)],
    ['gzip', compressed],
  ] as const) {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const server = await listenRaw(t, socket => socket.end(`${head}${inChunks(body)}0\r\n\r\n`, 'latin1'))
    const exchange = await client(t).get(at(server))
    assert.equal(exchange.truncated, true, coding)
    assert.ok(exchange.body.length <= MAX_PIECES, coding)
  }
})

test('security H2: a coding that comes to nothing spends the bytes of the job, and of those what content may take', async t => {
  const empty = gzipSync('').toString('latin1').repeat(1_000)
  const server = await listenRaw(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(empty, 'latin1'));
    }
    socket.on('drain', more)
    more()
  })
  await assert.rejects(client(t, { limits: { wireBytes: 500_000 } }).get(at(server)), problem('limited'))
  const { body, truncated } = await client(t, { limits: { wireBytes: 4_000_000 } }).get(at(server))
  assert.deepEqual([body.length, truncated], [0, true])
})

test('security X4: a name that does not resolve, and connections that are all taken, keep nobody beyond the timeout', async t => {
  const never = { resolve: () => new Promise<never>(() => {}) }
  const start = performance.now()
  await assert.rejects(client(t, { dns: never }).get('http://good.test/', { timeoutMs: 100 }), problem('timeout'))
  const server = await listenRaw(t, () => {})
  const crowded = client(t)
  const waiting = Array.from({ length: MAX_SOCKETS_PER_DESTINATION }, () =>
    assert.rejects(crowded.get(at(server), { timeoutMs: 3_000 }), problem('timeout')),
  )
  await assert.rejects(crowded.get(at(server), { timeoutMs: 100 }), problem('busy'))
  assert.ok(performance.now() - start < 2_500)
  await Promise.all(waiting)
})
