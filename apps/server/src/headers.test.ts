import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagePolicy } from './headers.ts'
import { readSettings } from './settings.ts'
import { trial } from './trial.ts'

test('P5: answers of every kind carry the headers', async t => {
  const app = await trial(t)
  const requests = [
    { method: 'POST', url: '/api/price/', payload: {} },
    { method: 'GET', url: '/api/nothing/' },
    { method: 'GET', url: `/api/look/${'a'.repeat(3000)}/` },
    { method: 'POST', url: '/api/bug/', payload: { input_text: 'x' } },
    { method: 'GET', url: '/api/docs/' },
    { method: 'GET', url: '/healthz' },
    { method: 'POST', url: '/mcp', payload: {} },
    { method: 'GET', url: '/' },
  ] as const
  for (const request of requests) {
    const { headers } = await app.inject(request)
    assert.equal(headers['x-content-type-options'], 'nosniff', request.url)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/, request.url)
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin')
    assert.match(String(headers['permissions-policy']), /camera=\(\).*microphone=\(\)/)
    for (const revealing of ['server', 'x-powered-by', 'access-control-allow-origin', 'set-cookie']) {
      assert.equal(headers[revealing], undefined, revealing)
    }
  }
})

test('P6: data is never kept by anybody on the way', async t => {
  const app = await trial(t)
  for (const url of ['/api/price/', '/api/bug/', '/api/nothing/', '/mcp']) {
    const { headers } = await app.inject({
      method: 'POST',
      url,
      payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json, text/event-stream' },
    })
    assert.equal(headers['cache-control'], 'no-store', url)
  }
})

test('HSTS only where the site is served over https', async t => {
  const plain = await trial(t, { settings: { base: 'http://assay.example' } })
  assert.equal((await plain.inject('/healthz')).headers['strict-transport-security'], undefined)
  const secure = await trial(t, { settings: { base: 'https://assay.example' } })
  assert.equal(
    (await secure.inject('/healthz')).headers['strict-transport-security'],
    'max-age=63072000; includeSubDomains',
  )
  const guest = await trial(t, { settings: readSettings({ ASSAY_BASE_URL: 'https://example.com/assay' }) })
  const { headers } = await guest.inject('/assay/healthz')
  assert.equal(headers['strict-transport-security'], 'max-age=63072000', 'who shares a host says nothing of others')
})

test('[OPEN-058] the policy of a page: hashes for its script, other hosts only where the build says so', () => {
  const policy = { scriptHashes: ['sha256-abc='], connect: { '/bench/': ['https://dns.example'] } }
  assert.match(pagePolicy(policy, '/'), /script-src 'self' 'sha256-abc=' 'wasm-unsafe-eval'; style-src 'self';/)
  assert.match(pagePolicy(policy, '/'), /connect-src 'self';/)
  assert.match(pagePolicy(policy, '/bench/'), /connect-src 'self' https:\/\/dns\.example;/)
  assert.doesNotMatch(pagePolicy(policy, '/'), /unsafe-inline|'unsafe-eval'|\*/)
})

test('readiness and health', async t => {
  const app = await trial(t)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
  assert.equal((await app.inject('/readyz')).statusCode, 200)
})
