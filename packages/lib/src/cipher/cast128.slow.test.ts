import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat, fromHex, toHex } from '../bytes.ts'
import { cast128 } from './cast128.ts'

test('RFC 2144 §B.2: the full maintenance test, in which each half a million times is the key of the other', () => {
  const a = fromHex('0123456712345678234567893456789a')
  const b = concat(a)
  for (let i = 0; i < 1_000_000; i++) {
    const one = cast128(b)
    one.encrypt(a, 0)
    one.encrypt(a, 8)
    const other = cast128(a)
    other.encrypt(b, 0)
    other.encrypt(b, 8)
  }
  assert.equal(toHex(a), 'eea9d0a249fd3ba6b3436fb89d6dca92')
  assert.equal(toHex(b), 'b2c95eb00c31ad7180ac05b8e83d696e')
})
