import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchedLog, type LogLine } from './log.ts'
import { trial } from './trial.ts'

const CANARY = 'kanarienvogel'

const form = (parts: readonly string[]) => ({
  payload: `${parts.map(part => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})

test('[OPEN-007] P1, F14: what is asked, by whom and what is answered stands in no log line', async t => {
  const app = await trial(t)
  const headers = {
    'user-agent': CANARY,
    authorization: CANARY,
    cookie: CANARY,
    referer: `https://${CANARY}.example/`,
    'x-forwarded-for': CANARY,
    [CANARY]: CANARY,
  }
  const requests = [
    { method: 'GET', url: `/api/look/${CANARY}.example/${CANARY}/?type=${CANARY}&${CANARY}=1` },
    { method: 'GET', url: `/api/look/${CANARY}.example/` },
    { method: 'GET', url: `/api/sweep/${CANARY}.example/` },
    { method: 'GET', url: `/api/site/https%3A%2F%2F${CANARY}.example/` },
    { method: 'GET', url: `/api/${CANARY}/?access=${CANARY}` },
    { method: 'GET', url: `/${CANARY}/?access=${CANARY}` },
    { method: 'GET', url: `/api/look/${CANARY}%zz/` },
    { method: 'GET', url: `/api/look/${CANARY.repeat(300)}/` },
    { method: 'POST', url: '/api/bug/', payload: { input_text: CANARY, inline: 'yes' } },
    { method: 'POST', url: '/api/bug/', payload: { input_text: CANARY, inline: 'no' } },
    { method: 'POST', url: '/api/bug/', payload: { input_text: CANARY, inline: 'no' }, accept: 'text/event-stream' },
    { method: 'POST', url: '/api/steps/', payload: { count: CANARY, [CANARY]: 1 } },
    { method: 'POST', url: '/api/steps/', payload: `{"${CANARY}`, type: 'application/json' },
    { method: 'POST', url: '/mcp', payload: { jsonrpc: '2.0', id: CANARY, method: CANARY } },
    {
      method: 'POST',
      url: '/mcp',
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'bug', arguments: { input_text: CANARY } },
      },
      accept: 'application/json, text/event-stream',
    },
  ] as const
  for (const { method, url, ...rest } of requests) {
    await app.inject({
      method,
      url,
      ...('payload' in rest && { payload: rest.payload }),
      headers: {
        ...headers,
        ...('type' in rest && { 'content-type': rest.type }),
        ...('accept' in rest && { accept: rest.accept }),
      },
    })
  }
  const uploads = form([
    `Content-Disposition: form-data; name="label"\r\n\r\n${CANARY}`,
    `Content-Disposition: form-data; name="key"\r\n\r\n${CANARY}`,
    `Content-Disposition: form-data; name="file"; filename="${CANARY}.bin"\r\n\r\n${CANARY}`,
  ])
  const uploaded = await app.inject({ method: 'POST', url: '/api/count/', ...uploads })
  assert.match(uploaded.body, new RegExp(`${CANARY}\\.bin`))
  assert.equal(app.lines.filter(({ event }) => event === 'request').length, requests.length + 1)
  const text = JSON.stringify(app.lines)
  assert.doesNotMatch(text, new RegExp(CANARY, 'i'))
  assert.doesNotMatch(text, /127\.0\.0\.1/)
})

test('a line says what happened: route pattern, tool, status, time, bytes and outcome', async t => {
  const app = await trial(t)
  await app.inject({ method: 'GET', url: '/api/look/abc/' })
  const [line] = app.lines
  assert.ok(line?.event === 'request')
  const { time, request, ms, bytes, ...rest } = line
  assert.match(time, /^\d{4}-\d\d-\d\dT/)
  assert.match(request, /^[0-9a-f]{12}$/)
  assert.equal(typeof ms, 'number')
  assert.ok(Number(bytes) > 20)
  assert.deepEqual(rest, {
    event: 'request',
    route: '/api/look/:domain/',
    method: 'GET',
    tool: 'look',
    status: 400,
    outcome: 'invalid-input',
  })
})

test('lines are written in batches, and none is lost at the end', () => {
  const written: string[] = []
  const log = batchedLog(text => written.push(text))
  const line: LogLine = { event: 'stop', time: '', text: 'a\nb\u001b[31m' }
  for (let count = 0; count < 1000; count++) log(line)
  log.flush()
  log.flush()
  const all = written.join('').trimEnd().split('\n')
  assert.equal(all.length, 1000)
  assert.deepEqual(JSON.parse(all[999] ?? ''), line)
  assert.ok(written.length < 20)
})
