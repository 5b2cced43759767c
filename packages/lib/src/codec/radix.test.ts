import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromDigits, toDigits } from './radix.ts'

test('200 random numbers in every base of ECMA-262 §21.2.3.3: the same as BigInt writes', () => {
  for (let i = 0; i < 200; i++) {
    const value = BigInt(`0x${randomBytes(1 + i).toString('hex')}`)
    const base = 2 + (i % 35)
    const text = value.toString(base)
    const digits = toDigits(value, base, text.length)
    assert.equal(Array.from(digits, digit => digit.toString(36)).join(''), text)
    assert.equal(fromDigits(digits, base), value)
    assert.deepEqual(toDigits(value, base, text.length + 3).subarray(3), digits, 'with leading zeros')
  }
})

test('nothing, zero and one digit', () => {
  assert.equal(fromDigits(new Uint8Array(), 10), 0n)
  assert.deepEqual(toDigits(0n, 10, 0), new Uint8Array())
  assert.deepEqual(toDigits(0n, 58, 3), new Uint8Array(3))
  assert.deepEqual(toDigits(255n, 256, 1), Uint8Array.of(255))
})
