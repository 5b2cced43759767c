import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { decodeZ85, encodeZ85 } from './z85.ts'

const vectors = [
  ['ZeroMQ RFC 32: the test case', '864fd26fb559f75b', 'HelloWorld'],
  // The keys of the reference implementation's own test.
  [
    'ZeroMQ RFC 32, reference code: a CURVE key',
    '8e0bdd697628b91d8f245587ee95c5b04d48963f79259877b49cd9063aead3b7',
    'JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6',
  ],
  ['nothing', '', ''],
  ['the largest group', 'ffffffff', '%nSc0'],
  ['zeros have no short form', '0000000000000000', '0000000000'],
] as const
for (const [name, hex, code] of vectors) {
  test(name, () => {
    assert.equal(encodeZ85(fromHex(hex)), code)
    assert.deepEqual(decodeZ85(code, true), { bytes: fromHex(hex), remarks: [] })
  })
}

test('200 random byte strings: Z85 is the digits of each group of four, by division', () => {
  const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
  for (let i = 0; i < 200; i++) {
    const bytes = new Uint8Array(randomBytes(4 * (i % 40)))
    const groups = toHex(bytes).match(/.{8}/g) ?? []
    const expected = groups.map(group => {
      let value = BigInt(`0x${group}`)
      const digits = Array.from({ length: 5 }, () => {
        const digit = letters[Number(value % 85n)]
        value /= 85n
        return digit
      })
      return digits.reverse().join('')
    })
    assert.equal(encodeZ85(bytes), expected.join(''))
    assert.deepEqual(decodeZ85(expected.join(''), true).bytes, bytes)
  }
})

test('ZeroMQ RFC 32: a frame has a length divisible by four, a string one divisible by five', () => {
  for (const length of [1, 2, 3, 5, 1023]) {
    assert.throws(
      () => encodeZ85(new Uint8Array(length)),
      /expected a length divisible by 4, got \d+ bytes, \d too many/,
    )
  }
  for (const text of ['H', 'Hell', 'HelloWorl', 'Hello Worl']) {
    assert.throws(() => decodeZ85(text, false), /expected a length divisible by 5, got \d characters, \d too many/)
  }
})

test('white space is passed over, or refused by strict reading', () => {
  assert.deepEqual(toHex(decodeZ85(' Hello\r\nWorld ', false).bytes), '864fd26fb559f75b')
  assert.throws(() => decodeZ85('Hell\noWorl', true), /character 5 is white space/)
})

test('refusals say at which character and why', () => {
  assert.throws(() => decodeZ85('Hello,orld', false), /character 6 is not in this Z85 alphabet/)
  assert.throws(() => decodeZ85('Hellé', false), /character 5 is not/)
  assert.throws(() => decodeZ85('Hello %nSc1', false), /the group at character 7 is more than four bytes can hold/)
  assert.throws(() => decodeZ85('#####', false), /the group at character 1 is more/)
})
