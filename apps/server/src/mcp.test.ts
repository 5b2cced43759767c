import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trial, trial } from './trial.ts'

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const call = (app: Trial, method: string, params: object = {}, more: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, ...more },
    payload: { jsonrpc: '2.0', id: 1, method, params },
  })

/** The messages of an answer, which comes as an event stream. */
const messages = (body: string) =>
  body
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice('data: '.length)))

test('tools are listed and called over HTTP, without a session', async t => {
  const app = await trial(t)
  const [list] = messages((await call(app, 'tools/list')).body)
  assert.ok(list.result.tools.some(({ name }: { name: string }) => name === 'steps'))
  const answer = await call(app, 'tools/call', { name: 'steps', arguments: { count: 1, wait: 0 } })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['mcp-session-id'], undefined)
  const [called] = messages(answer.body)
  assert.deepEqual(called.result.structuredContent, { seen: [1] })
})

test('progress is told when asked for', async t => {
  const app = await trial(t)
  const { body } = await call(app, 'tools/call', {
    name: 'steps',
    arguments: { count: 2 },
    _meta: { progressToken: 'p' },
  })
  const notes = messages(body).filter(({ method }) => method === 'notifications/progress')
  assert.deepEqual(
    notes.map(({ params }) => params),
    [
      { progressToken: 'p', progress: 0.5, total: 1, message: 'step 1' },
      { progressToken: 'p', progress: 1, total: 1, message: 'step 2' },
    ],
  )
})

test('[OPEN-009] the limits of the API hold here too', async t => {
  const app = await trial(t, { limits: { lookupsPerMinute: 1 }, recording: { zone: 'example.com. A 192.0.2.1' } })
  const look = async () =>
    messages((await call(app, 'tools/call', { name: 'look', arguments: { domain: 'example.com' } })).body)[0].result
  assert.equal((await look()).isError, undefined)
  const refused = await look()
  assert.equal(refused.isError, true)
  assert.match(refused.content[0].text, /^Rate limit exceeded/)
  assert.equal((await app.inject('/api/look/example.com/')).statusCode, 429)
})

test('a fault of ours tells nothing, and is logged', async t => {
  const app = await trial(t)
  const { body } = await call(app, 'tools/call', { name: 'bug', arguments: { input_text: 'kanarienvogel' } })
  assert.match(body, /fault of its own/)
  assert.doesNotMatch(body, /kanarienvogel|hostile-tools/)
  assert.ok(app.lines.some(({ event }) => event === 'bug'))
})

test('other sites, broken JSON and large bodies are turned away before the protocol begins', async t => {
  const app = await trial(t, { limits: { jsonBytes: 1_000 } })
  assert.equal((await call(app, 'tools/list', {}, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  assert.equal((await app.inject({ method: 'POST', url: '/mcp', headers, payload: '{' })).statusCode, 400)
  assert.equal((await call(app, 'ping', { text: 'a'.repeat(2_000) })).statusCode, 413)
})
