import assert from 'node:assert/strict'
import { get, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type Trial, type TrialOptions, trial } from './trial.ts'

/** Server timeouts, slow and leaving clients: what only shows on a real connection. */

async function listening(t: TestContext, options: TrialOptions = {}): Promise<{ app: Trial; port: number }> {
  const app = await trial(t, options)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const [address] = app.server.addresses()
  assert.ok(typeof address === 'object')
  return { app, port: address.port }
}

/** Everything a server says until it closes the connection. */
function conversation(port: number, begin: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => begin(socket))
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after: ${text}`))
    }, 10_000)
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve(text)
    })
  })
}

const quick = { headersMs: 400, requestMs: 600, connectionCheckMs: 100 }

test('C6, F11: headers and bodies that never end are answered 408 and closed', async t => {
  const { port } = await listening(t, { limits: quick })
  const answers = await Promise.all([
    conversation(port, socket => socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-A: ')),
    conversation(port, socket =>
      socket.write(
        'POST /api/price/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"mill',
      ),
    ),
    conversation(port, socket => {
      socket.write(
        'POST /api/count/ HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n',
      )
      socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc')
    }),
  ])
  for (const answer of answers.slice(0, 2)) {
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
    assert.match(answer, /"error":"Request timeout"/)
  }
})

test('C9: what is no HTTP gets 400 in JSON and is closed', async t => {
  const { port } = await listening(t)
  const broken = [
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001',
  ]
  for (const text of broken) {
    const answer = await conversation(port, socket => socket.end(text))
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, JSON.stringify(text))
  }
})

test('F10: a header above its limit is 431', async t => {
  const { port } = await listening(t)
  const answer = await conversation(port, socket =>
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`),
  )
  assert.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  assert.match(answer, /"error":"Validation error: the header of the request is too large"/)
})

test('a connection carries so many requests and is closed', async t => {
  const { port } = await listening(t, { limits: { requestsPerSocket: 2 } })
  const answer = await conversation(port, socket => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)))
  assert.equal(answer.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
  assert.equal(answer.match(/connection: close/gi)?.length, 1)
})

test('more connections than allowed are dropped, the others go on', async t => {
  const { port } = await listening(t, { limits: { connections: 1 } })
  const held = connect(port, '127.0.0.1')
  t.after(() => held.destroy())
  await new Promise(resolve => held.once('connect', resolve))
  const dropped = await conversation(port, socket => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
  assert.equal(dropped, '')
})

test('C6: a client that does not read its answer is cut off', async t => {
  const { app, port } = await listening(t, { limits: { writeStallMs: 300 } })
  const closed = new Promise(resolve => app.server.server.once('connection', socket => socket.once('close', resolve)))
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.pause()
  socket.on('error', () => {})
  const call = 'GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'
  socket.write(call.repeat(900))
  await closed
})

test('a client that leaves an event stream ends its run', async t => {
  const { app, port } = await listening(t)
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/steps/',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  })
  call.on('error', () => {})
  const begun = new Promise(resolve => call.on('response', response => response.once('data', resolve)))
  call.end('{"count":50,"wait":200}')
  await begun
  call.destroy()
  // The only child is free again long before the run would have ended.
  const after = await app.inject({ method: 'POST', url: '/api/steps/', payload: { count: 1, wait: 0 } })
  assert.deepEqual(after.json(), { seen: [1] })
  assert.ok(app.lines.some(line => line.event === 'request' && line.outcome === 'gone'))
})

test('a client that leaves a lookup aborts it', async t => {
  const { replay } = await import('@assay/kit/replay')
  const aborted = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { port } = await listening(t, {
    createJob: (_, signal) => {
      signal.addEventListener('abort', () => aborted.resolve())
      const context = replay({}, signal)
      const resolve = () => {
        begun.resolve()
        return new Promise<never>(() => {})
      }
      return { context: { ...context, dns: { ...context.dns, resolve } }, dispose() {} }
    },
  })
  const call = get({ port, host: '127.0.0.1', path: '/api/look/example.com/' })
  call.on('error', () => {})
  await begun.promise
  call.destroy()
  await aborted.promise
})

test('K3: closing lets answers out that are under way, and takes nothing new', async t => {
  const { app, port } = await listening(t)
  const answers = Promise.all(
    Array.from({ length: 5 }, () =>
      conversation(port, socket =>
        socket.write(
          'POST /api/steps/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n{"count":1, "wait": 200}',
        ),
      ),
    ),
  )
  await new Promise(resolve => setTimeout(resolve, 150))
  await app.close()
  for (const answer of await answers) {
    assert.match(answer, /^HTTP\/1\.1 200 OK/)
    assert.match(answer, /\{"seen":\[1\]\}$/)
  }
  assert.equal(await conversation(port, socket => socket.write('GET /healthz HTTP/1.1\r\n\r\n')), '')
})

test('K3: what would outlast the grace is answered 503 instead of being cut', async t => {
  const { app, port } = await listening(t, { limits: { graceMs: 500 } })
  const answer = conversation(port, socket =>
    socket.write(
      'POST /api/spin/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"how":"loop"}',
    ),
  )
  await new Promise(resolve => setTimeout(resolve, 200))
  await app.close()
  assert.match(await answer, /^HTTP\/1\.1 503 .*"503 Service Unavailable: the server is shutting down"/s)
})

test('K3: what a proxy sends on a connection it kept while the server closes is answered, and ends the connection', async t => {
  const { app, port } = await listening(t)
  const ask = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const kept = conversation(port, socket => {
    socket.write(ask)
    socket.once('data', () => {
      const closed = app.close()
      setTimeout(() => socket.write(ask), 50)
      void closed
    })
  })
  const idle = conversation(port, socket => socket.write(ask))
  const started = performance.now()
  const [answers, other] = await Promise.all([kept, idle])
  assert.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 2)
  assert.equal(answers.match(/connection: close/gi)?.length, 1)
  assert.equal(other.match(/HTTP\/1\.1 200 OK/g)?.length, 1)
  await app.close()
  assert.ok(performance.now() - started < 5_000, 'idle connections hold nothing up')
})
