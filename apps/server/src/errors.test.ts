import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { failureOf } from './errors.ts'
import { type Trial, trial } from './trial.ts'

const post = (app: Trial, path: string, payload: string | object, type = 'application/json') =>
  app.inject({ method: 'POST', url: `/api/${path}/`, payload, headers: { 'content-type': type } })

test('[OPEN-021] [ERR-001] one table from problems to statuses and sentences', () => {
  const rows: [ConstructorParameters<typeof Problem>[0], string, number, string][] = [
    ['invalid-input', 'Invalid domain', 400, 'Invalid domain'],
    ['invalid-input', 'Invalid IP', 400, 'Invalid IP'],
    ['invalid-input', 'Key: expected 16 bytes, got 5.', 400, 'Validation error: Key: expected 16 bytes, got 5.'],
    ['invalid-input', 'Validation error: so it is', 400, 'Validation error: so it is'],
    [
      'refused',
      'Validation error: target address is not allowed',
      400,
      'Validation error: target address is not allowed',
    ],
    ['not-found', 'Domain is not registered', 404, 'Domain is not registered'],
    ['not-found', 'No DNS records found', 404, 'No DNS records found'],
    ['limited', 'anything', 429, 'Rate limit exceeded'],
    ['busy', 'all workers are busy', 503, '503 Service Unavailable: all workers are busy'],
    ['unreachable', 'No answer.', 503, '503 Service Unavailable: No answer.'],
    [
      'unsupported',
      'traceroute is not possible on this server',
      503,
      '503 Service Unavailable: traceroute is not possible on this server',
    ],
    ['timeout', 'anything', 504, 'Request timeout'],
  ]
  for (const [code, message, status, error] of rows) {
    const failure = failureOf(new Problem(code, message, { field: 'key', detail: 'More.' }), 'id')
    assert.deepEqual([failure.status, failure.body.error], [status, error])
    assert.deepEqual({ ...failure.body, error: '' }, { error: '', code, field: 'key', detail: 'More.' })
  }
})

test('[OPEN-021] [ERR-010] an unknown path is 404 Not Found, with every method', async t => {
  const app = await trial(t)
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    for (const url of ['/api/nothing/', '/api/nothing/at/all/', '/api//price/', '/api/Price/', '/api/price/x/']) {
      const { statusCode, body } = await app.inject({ method, url })
      assert.equal(statusCode, 404, `${method} ${url}`)
      assert.deepEqual(JSON.parse(body), { error: '404 Not Found', code: 'not-found' })
    }
  }
})

test('[ERR-011] [OPEN-021] P7: a fault of ours is 500 with a request id and nothing from inside', async t => {
  const app = await trial(t)
  for (const inline of ['yes', 'no']) {
    const { statusCode, headers, body } = await post(app, 'bug', { input_text: 'kanarienvogel', inline })
    assert.equal(statusCode, 500)
    const { error, code, request, ...rest } = JSON.parse(body)
    assert.deepEqual([error, code, rest], ['500 Internal Server Error', 'internal', {}])
    assert.equal(request, headers['x-request-id'])
  }
  const bugs = app.lines.filter(({ event }) => event === 'bug')
  assert.equal(bugs.length, 2)
  for (const bug of bugs) assert.match(JSON.stringify(bug), /"tool":"bug".*hostile-tools/)
  assert.doesNotMatch(JSON.stringify(app.lines), /kanarienvogel/)
})

test('[ERR-023] [ERR-024] [ERR-025] [OPEN-021] input that was typed is never repeated', async t => {
  const app = await trial(t)
  const typed = '500px.example/timeout'
  const { statusCode, body } = await app.inject({ method: 'GET', url: `/api/look/${encodeURIComponent(typed)}/` })
  assert.equal(statusCode, 400)
  assert.equal(JSON.parse(body).error, 'Invalid domain')
  assert.doesNotMatch(body, /500px|timeout/)
})

test('C9: bodies that are no proper JSON object get 4xx and a sentence', async t => {
  const app = await trial(t)
  const bodies: [payload: string, type: string | undefined, status: number, error: RegExp][] = [
    ['{"count":', 'application/json', 400, /not valid JSON/],
    ['', 'application/json', 400, /empty/],
    ['[1]', 'application/json', 400, /JSON object/],
    ['"text"', 'application/json', 400, /JSON object/],
    ['7', 'application/json', 400, /JSON object/],
    ['{"__proto__":{"count":1}}', 'application/json', 400, /Validation error/],
    ['{"constructor":{"prototype":{"count":1}}}', 'application/json', 400, /Validation error/],
    ['{"count":{"a":1}}', 'application/json', 400, /Count: expected one value/],
    ['{"count":[1]}', 'application/json', 400, /Count: expected one value/],
    ['{"toString":1}', 'application/json', 400, /Unknown field/],
    ['{"count":1e309}', 'application/json', 400, /whole number/],
    ['{"count":1}{"count":2}', 'application/json', 400, /not valid JSON/],
    ['count=1', 'application/x-www-form-urlencoded', 415, /send the body as/],
    ['{"count":1}', 'text/plain', 415, /send the body as/],
    ['{"count":1}', 'application/json garbage', 415, /send the body as/],
    ['{"count":1}', 'application/json-patch+json', 415, /send the body as/],
    ['{"count":1}', ' ', 415, /send the body as/],
    ['<x/>', 'application/xml', 415, /send the body as/],
  ]
  for (const [payload, type, status, error] of bodies) {
    const { statusCode, body } = await post(app, 'steps', payload, type)
    assert.equal(statusCode, status, `${type} ${payload}: ${body}`)
    assert.match(JSON.parse(body).error, error, payload)
    assert.match(JSON.parse(body).error, /^Validation error: /)
  }
  assert.ok(!('count' in {}))
})

test('C9: a content type with a tab or a charset is still JSON', async t => {
  const app = await trial(t, { catalogue: true })
  for (const type of ['application/json; charset=utf-8', 'application/json;\tcharset=utf-8', 'APPLICATION/JSON']) {
    assert.equal((await post(app, 'md5', '{"input_text":"abc"}', type)).statusCode, 200, type)
  }
})

test('text that is not UTF-8 is refused, not replaced', async t => {
  const app = await trial(t, { catalogue: true })
  const payload = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])
  const { statusCode, body } = await post(app, 'md5', payload)
  assert.equal(statusCode, 400)
  assert.equal(JSON.parse(body).error, 'Validation error: the body is not UTF-8')
})

test('a body above the limit is 413, by its declared and by its real length', async t => {
  const app = await trial(t, { catalogue: true, limits: { jsonBytes: 1000 } })
  const { statusCode, body } = await post(app, 'md5', { input_text: 'a'.repeat(1000) })
  assert.equal(statusCode, 413)
  assert.deepEqual(JSON.parse(body), {
    error: 'Validation error: the body is larger than this server takes',
    code: 'too-large',
  })
})

test('no body at all is an object without fields', async t => {
  const app = await trial(t)
  assert.equal((await app.inject({ method: 'POST', url: '/api/price/' })).statusCode, 200)
})

test('other methods get 405 and are told which there are', async t => {
  const app = await trial(t)
  for (const [method, url, allow] of [
    ['GET', '/api/price/', 'POST'],
    ['DELETE', '/api/price/', 'POST'],
    ['POST', '/api/look/example.com/', 'GET'],
    ['GET', '/mcp', 'POST'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ method, url })
    assert.equal(statusCode, 405, `${method} ${url}`)
    assert.equal(headers.allow, allow)
  }
})

test('an address that is not properly encoded is 400', async t => {
  const app = await trial(t)
  const { statusCode, body } = await app.inject({ method: 'GET', url: '/api/look/%zz/' })
  assert.equal(statusCode, 400)
  assert.equal(JSON.parse(body).error, 'Validation error: the address is not properly percent-encoded')
})

test('[OPEN-009] a lookup that hangs is answered 504 Request timeout in time', async t => {
  const app = await trial(t, {
    limits: { lookupMs: 100 },
    createJob: (_, signal) => {
      const context = replay({}, signal)
      return { context: { ...context, dns: { ...context.dns, resolve: () => new Promise(() => {}) } }, dispose() {} }
    },
  })
  const { statusCode, body } = await app.inject({ method: 'GET', url: '/api/look/example.com/' })
  assert.equal(statusCode, 504)
  assert.deepEqual(JSON.parse(body), { error: 'Request timeout', code: 'timeout' })
})

test('[OPEN-021] C8: above the number of lookups at once there is 503 and Retry-After', async t => {
  const waiting = Promise.withResolvers<never>()
  t.after(() => waiting.reject(new Problem('unreachable', 'No answer.')))
  const app = await trial(t, {
    limits: { networkJobs: 1 },
    createJob: (_, signal) => {
      const context = replay({}, signal)
      return { context: { ...context, dns: { ...context.dns, resolve: () => waiting.promise } }, dispose() {} }
    },
  })
  const first = Promise.resolve(app.inject({ method: 'GET', url: '/api/look/example.com/' }))
  await new Promise(resolve => setTimeout(resolve, 50))
  const second = await app.inject({ method: 'GET', url: '/api/look/example.org/' })
  assert.equal(second.statusCode, 503)
  assert.match(second.json().error, /^503 Service Unavailable: /)
  assert.equal(second.headers['retry-after'], '1')
  waiting.reject(new Problem('unreachable', 'No answer.'))
  assert.equal((await first).statusCode, 503)
})
