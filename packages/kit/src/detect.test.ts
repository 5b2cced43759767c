import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect } from './detect.ts'

const cases: [value: string, kind: string][] = [
  ['example.com', 'domain'],
  ['bücher.example', 'domain'],
  ['_dmarc.example.com', 'domain'],
  ['8.8.8.8', 'ip'],
  ['2001:db8::1', 'ip'],
  ['::', 'ip'],
  ['https://example.com/a?b', 'url'],
  ['-----BEGIN CERTIFICATE-----\nMII', 'certificate'],
  ['-----BEGIN EC PRIVATE KEY-----', 'private-key'],
  ['-----BEGIN PUBLIC KEY-----', 'public-key'],
  ['eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo', 'token'],
  ['900150983cd24fb0d6963f7d28e17f72', 'hash'],
  ['$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$x', 'hash'],
  ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'uuid'],
  ['Zm9vYmFy', 'base64'],
  ['de ad be ef', 'hex'],
  ['... --- ...', 'morse'],
  ['999.1.1.1', 'text'],
  ['hello world', 'text'],
]
for (const [value, kind] of cases) {
  test(`${JSON.stringify(value.slice(0, 40))} is first taken for ${kind}`, () =>
    assert.equal(detect(value)[0]?.kind, kind))
}

test('everything is text as well, and nothing is nothing', () => {
  assert.equal(detect('example.com').at(-1)?.kind, 'text')
  assert.deepEqual(detect('  \n'), [])
})

test('long input is judged in linear time', () => {
  const kinds = ['a.'.repeat(50_000), 'a'.repeat(100_000), ':'.repeat(100_000), '-'.repeat(100_000)].map(
    text => detect(text).length,
  )
  assert.ok(kinds.every(count => count > 0))
})
