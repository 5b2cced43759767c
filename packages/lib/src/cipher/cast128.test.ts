import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { cast128, castRounds } from './cast128.ts'

for (const [key, rounds, ciphertext] of [
  ['0123456712345678234567893456789a', 16, '238b4fe5847e44b2'],
  ['01234567123456782345', 12, 'eb6a711a2c02271b'],
  ['0123456712', 12, '7ac816d16e9b302e'],
] as const) {
  test(`RFC 2144 §B.1: a key of ${key.length * 4} bits`, () => {
    const block = fromHex('0123456789abcdef')
    const cipher = cast128(fromHex(key))
    cipher.encrypt(block, 0)
    assert.equal(toHex(block), ciphertext)
    cipher.decrypt(block, 0)
    assert.equal(toHex(block), '0123456789abcdef')
    assert.equal(castRounds(fromHex(key)), rounds)
  })
}

test('keys of other lengths are refused', () => {
  for (const length of [0, 1, 4, 17, 32]) {
    assert.throws(() => cast128(new Uint8Array(length)), {
      name: 'RangeError',
      message: `expected 5 to 16 bytes, got ${length}`,
    })
  }
})
