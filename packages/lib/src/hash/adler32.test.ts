import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { fromUtf8 } from '../bytes.ts'
import { adler32 } from './adler32.ts'

test('RFC 1950 §9: the checksum of nothing is its initial value', () => assert.equal(adler32(new Uint8Array()), 1))

for (const [message, expected] of [
  ['a', 0x00620062],
  ['ab', 0x012600c4],
  ['abc', 0x024d0127],
] as const) {
  test(`Go hash/adler32 golden values: "${message}"`, () => assert.equal(adler32(fromUtf8(message)), expected))
}

test('RFC 1950 §2.2: the last four bytes of 400 random zlib streams', () => {
  for (let i = 0; i < 400; i++) {
    const message = randomBytes(i * 7)
    assert.equal(adler32(message), deflateSync(message).readUInt32BE(deflateSync(message).length - 4))
  }
})

test('Python zlib: 300 random messages, and 20,000 bytes of ff, where the sums are largest', () => {
  const messages = [...Array.from({ length: 300 }, (_, i) => randomBytes(i * 11)), Buffer.alloc(20_000, 0xff)]
  const program = 'import sys,zlib\nfor line in sys.stdin: print(zlib.adler32(bytes.fromhex(line.strip())))'
  const input = `${messages.map(message => message.toString('hex')).join('\n')}\n`
  const expected = execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }).trim().split('\n').map(Number)
  assert.deepEqual(
    messages.map(message => adler32(message)),
    expected,
  )
})

test('pieces sum up to the whole', () => {
  const message = randomBytes(20_000)
  assert.equal(adler32(message.subarray(6001), adler32(message.subarray(0, 6001))), adler32(message))
})
