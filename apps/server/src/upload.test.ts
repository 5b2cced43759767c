import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Trial, trial } from './trial.ts'

interface Part {
  name: string
  value: string | Buffer
  filename?: string
}

function form(parts: readonly Part[]) {
  const chunks = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--bound\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...chunks, Buffer.from('--bound--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=bound' },
  }
}

const send = (app: Trial, path: string, parts: readonly Part[]) =>
  app.inject({ method: 'POST', url: `/api/${path}/`, ...form(parts) })

test('a file is counted as it comes, with the fields before it', async t => {
  const app = await trial(t)
  const { statusCode, body } = await send(app, 'count', [
    { name: 'label', value: 'né' },
    { name: 'file', value: Buffer.alloc(300_000, 7), filename: 'a.bin' },
  ])
  assert.equal(statusCode, 200, body)
  assert.deepEqual(JSON.parse(body), { label: 'né', name: 'a.bin', bytes: 300_000 })
})

test('an empty file is a file', async t => {
  const app = await trial(t)
  const { body } = await send(app, 'count', [{ name: 'file', value: '', filename: 'empty' }])
  assert.deepEqual(JSON.parse(body), { label: null, name: 'empty', bytes: 0 })
})

test('a file field takes text in JSON as well', async t => {
  const app = await trial(t)
  const { body } = await app.inject({ method: 'POST', url: '/api/count/', payload: { file: 'text' } })
  assert.equal(JSON.parse(body).bytes, 4)
})

test('a field after the file is 400 and says so', async t => {
  const app = await trial(t)
  const { statusCode, body } = await send(app, 'count', [
    { name: 'file', value: 'x', filename: 'a.bin' },
    { name: 'label', value: 'late' },
  ])
  assert.equal(statusCode, 400)
  assert.match(JSON.parse(body).error, /^Validation error: In a form the fields come first and the file last/)
})

test('of two files the first is held and the second streamed', async t => {
  const app = await trial(t, { limits: { uploadBytes: 150_000 } })
  const file = (name: string, length: number) => ({ name, value: Buffer.alloc(length), filename: name })
  assert.deepEqual((await send(app, 'two', [file('first', 1000), file('second', 2000)])).json(), {
    sizes: [1000, 2000],
  })
  assert.deepEqual((await send(app, 'two', [file('second', 1000), file('first', 2000)])).json(), {
    sizes: [2000, 1000],
  })
  const together = await send(app, 'two', [file('first', 100_000), file('second', 100_000)])
  assert.equal(together.statusCode, 413)
})

test('[OPEN-077] C5: 25 MiB less a little is taken, a little more is 413', async t => {
  const app = await trial(t)
  const just = 26_214_400
  const exact = await send(app, 'count', [{ name: 'file', value: Buffer.alloc(just), filename: 'a' }])
  assert.equal(exact.json().bytes, just)
  const over = await send(app, 'count', [{ name: 'file', value: Buffer.alloc(just + 1), filename: 'a' }])
  assert.equal(over.statusCode, 413)
  assert.deepEqual(over.json(), {
    error: 'Validation error: a file may hold at most 26214400 bytes',
    code: 'too-large',
  })
})

test('C5: a file that is too large is refused before it has ended', async t => {
  const app = await trial(t, { limits: { uploadBytes: 100_000 } })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const answer = await new Promise<string>((resolve, reject) => {
    const [address] = app.server.addresses()
    assert.ok(typeof address === 'object')
    const socket = connect(address.port, '127.0.0.1')
    let text = ''
    socket.setTimeout(8_000, () => reject(new Error('no answer')))
    socket.on('error', () => {})
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.write(
      'POST /api/count/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=bound\r\n\r\n',
    )
    const chunk = (data: string) => socket.write(`${data.length.toString(16)}\r\n${data}\r\n`)
    chunk('--bound\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
    // More than the limit, and the end never comes.
    for (let count = 0; count < 4; count++) chunk('x'.repeat(50_000))
  })
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.match(answer, /connection: close/i)
})

test('C5: a declared length above the limit is refused at once', async t => {
  const app = await trial(t, { limits: { uploadBytes: 1_000 } })
  const { statusCode } = await send(app, 'count', [{ name: 'file', value: Buffer.alloc(3_000_000), filename: 'a' }])
  assert.equal(statusCode, 413)
})

test('C5: forms of too many parts, twice the same field, fields nobody knows, files where none belongs', async t => {
  const app = await trial(t)
  const many = Array.from({ length: 1_000 }, (_, index) => ({ name: `f${index}`, value: 'x' }))
  assert.equal((await send(app, 'count', many)).statusCode, 413)
  const cases: [Part[], number, RegExp][] = [
    [
      [
        { name: 'label', value: 'a' },
        { name: 'label', value: 'b' },
      ],
      400,
      /there twice/,
    ],
    [[{ name: 'lable', value: 'a' }], 400, /Unknown field/],
    [[{ name: '__proto__', value: 'a' }], 400, /name that is not allowed/],
    [[{ name: 'label', value: 'x', filename: 'a' }], 400, /takes none; files go to file/],
    [[{ name: 'label', value: 'a' }], 400, /File: choose a file/],
  ]
  for (const [parts, status, error] of cases) {
    const { statusCode, body } = await send(app, 'count', parts)
    assert.equal(statusCode, status, body)
    assert.match(JSON.parse(body).error, error)
  }
})

test('forms are for tools that take a file, and need their boundary', async t => {
  const app = await trial(t)
  assert.equal((await send(app, 'steps', [{ name: 'count', value: '1' }])).statusCode, 415)
  const bare = await app.inject({
    method: 'POST',
    url: '/api/count/',
    payload: 'x',
    headers: { 'content-type': 'multipart/form-data' },
  })
  assert.ok(bare.statusCode >= 400 && bare.statusCode < 500, String(bare.statusCode))
})

test('a form that breaks off is 4xx', async t => {
  const app = await trial(t)
  const { payload, headers } = form([{ name: 'file', value: Buffer.alloc(1000), filename: 'a' }])
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/count/',
    payload: payload.subarray(0, 600),
    headers,
  })
  assert.ok(statusCode >= 400 && statusCode < 500, String(statusCode))
})
