import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeHeader, parsePolicy, securityHeaders } from './security-headers.ts'

/** The verdict on one header of a response that carries these fields. */
function verdict(name: string, headers: Record<string, string | string[]>, secure = true): string {
  const rule = securityHeaders.find(each => each.name === name)
  assert.ok(rule)
  const lower = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), [value].flat()]))
  return judgeHeader(rule, { secure, values: key => lower[key] ?? [] }).verdict
}

const cases: [name: string, value: string | string[], verdict: string][] = [
  ['Content-Security-Policy', "default-src 'self'", 'pass'],
  ['Content-Security-Policy', "script-src 'self' 'unsafe-inline'", 'warn'],
  ['Content-Security-Policy', "script-src 'nonce-abc' 'unsafe-inline'", 'pass'],
  ['Content-Security-Policy', "script-src 'nonce-abc' 'strict-dynamic' https:", 'pass'],
  ['Content-Security-Policy', 'script-src *', 'warn'],
  ['Content-Security-Policy', "script-src 'self' 'unsafe-eval'", 'warn'],
  ['Content-Security-Policy', "img-src 'self'", 'warn'],
  ['Content-Security-Policy', ['script-src *', "script-src 'self'"], 'pass'],
  ['Strict-Transport-Security', 'max-age=31536000', 'pass'],
  ['Strict-Transport-Security', 'max-age="31536000"; includeSubDomains', 'pass'],
  ['Strict-Transport-Security', 'includeSubDomains; max-age=15552000', 'pass'],
  ['Strict-Transport-Security', 'max-age=15551999', 'warn'],
  ['Strict-Transport-Security', 'max-age=0', 'fail'],
  ['Strict-Transport-Security', 'includeSubDomains', 'fail'],
  ['X-Frame-Options', 'deny', 'pass'],
  ['X-Frame-Options', 'ALLOW-FROM https://example.com/', 'fail'],
  ['X-Frame-Options', ['DENY', 'SAMEORIGIN'], 'fail'],
  ['X-Content-Type-Options', 'nosniff', 'pass'],
  ['X-Content-Type-Options', 'sniff', 'fail'],
  ['Referrer-Policy', 'no-referrer', 'pass'],
  ['Referrer-Policy', 'no-referrer, unsafe-url', 'warn'],
  ['Referrer-Policy', 'unsafe-url, strict-origin, future-word', 'pass'],
  ['Referrer-Policy', 'toString', 'fail'],
  ['X-XSS-Protection', '0', 'pass'],
  ['X-XSS-Protection', '1; mode=block', 'warn'],
  ['Cross-Origin-Opener-Policy', 'same-origin; report-to="x"', 'pass'],
  ['Cross-Origin-Resource-Policy', 'cross-origin', 'warn'],
  ['Content-Type', 'text/html', 'warn'],
  ['Content-Type', 'text/html; charset=utf-8', 'pass'],
  ['Server', 'nginx', 'pass'],
  ['Server', 'nginx/1.22.1', 'warn'],
  ['Set-Cookie', 'a=b; Secure; HttpOnly; SameSite=Lax', 'pass'],
  ['Set-Cookie', ['a=b; Secure; HttpOnly; SameSite=Lax', 'c=d; secure'], 'warn'],
]
for (const [name, value, expected] of cases) {
  test(`${name}: ${JSON.stringify(value)} is a ${expected}`, () =>
    assert.equal(verdict(name, { [name]: value }), expected))
}

test('RFC 6797 §8.1: HSTS over plain HTTP means nothing, present or missing', () => {
  assert.equal(
    verdict('Strict-Transport-Security', { 'Strict-Transport-Security': 'max-age=1' }, false),
    'not-applicable',
  )
  assert.equal(verdict('Strict-Transport-Security', {}, false), 'not-applicable')
  assert.equal(verdict('Strict-Transport-Security', {}), 'fail')
})

test('frame-ancestors covers a missing X-Frame-Options', () => {
  assert.equal(verdict('X-Frame-Options', { 'Content-Security-Policy': "frame-ancestors 'none'" }), 'pass')
  assert.equal(verdict('X-Frame-Options', { 'Content-Security-Policy': "default-src 'self'" }), 'fail')
})

test('CSP3 §2.2.1: of a directive given twice the first counts', () => {
  assert.deepEqual(parsePolicy("script-src 'self'; SCRIPT-SRC *; ").get('script-src'), ["'self'"])
})
