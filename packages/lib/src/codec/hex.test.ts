import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { decodeHex, encodeHex, hexDelimiters } from './hex.ts'

const rfc4648 = { '': '', f: '66', fo: '666F', foo: '666F6F', foob: '666F6F62', foobar: '666F6F626172' }
for (const [text, code] of Object.entries(rfc4648)) {
  test(`RFC 4648 §10: BASE16("${text}")`, () => {
    assert.equal(encodeHex(fromUtf8(text), 'None', 'upper'), code)
    assert.deepEqual(decodeHex(code, 'None'), fromUtf8(text))
    assert.deepEqual(decodeHex(code.toLowerCase(), 'Automatic'), fromUtf8(text))
  })
}

test('every delimiter is written as its name says', () => {
  const bytes = fromUtf8('Jo')
  assert.deepEqual(
    hexDelimiters.map(delimiter => encodeHex(bytes, delimiter, 'lower')),
    ['4a6f', '4a 6f', '4a:6f', '0x4a 0x6f', '\\x4a\\x6f', '4a,6f', '0x4a,0x6f', '%4a%6f'],
  )
})

test('every delimiter is read back, by name and without', () => {
  for (const delimiter of hexDelimiters) {
    for (let length = 0; length < 40; length++) {
      const bytes = new Uint8Array(randomBytes(length))
      const code = encodeHex(bytes, delimiter, length % 2 ? 'upper' : 'lower')
      assert.deepEqual(decodeHex(code, delimiter), bytes, code)
      assert.deepEqual(decodeHex(code, 'Automatic'), bytes, code)
    }
  }
})

test('CyberChef, Hex.mjs: so many bytes to a line, with the delimiter at its end', () => {
  const bytes = fromUtf8('aberystwyth')
  assert.equal(
    encodeHex(bytes, '0x with comma', 'lower', 4),
    '0x61,0x62,0x65,0x72,\n0x79,0x73,0x74,0x77,\n0x79,0x74,0x68',
  )
  assert.equal(encodeHex(bytes.slice(0, 4), 'Space', 'lower', 2), '61 62\n65 72')
  assert.equal(encodeHex(bytes.slice(0, 4), 'None', 'upper', 4), '61626572')
  assert.equal(encodeHex(new Uint8Array(), 'Comma', 'lower', 4), '')
  for (const delimiter of hexDelimiters) {
    for (let perLine = 1; perLine < 12; perLine++) {
      const code = encodeHex(bytes, delimiter, 'lower', perLine)
      assert.equal(code.split('\n').length, Math.ceil(bytes.length / perLine))
      assert.deepEqual(decodeHex(code, delimiter), bytes, code)
      assert.deepEqual(decodeHex(code, 'Automatic'), bytes, code)
    }
  }
})

test('the notations of addresses, source code, assemblers, SQL, PDF and network devices', () => {
  const bytes = Uint8Array.of(0x0a, 0x6f, 0xc3, 0xa9)
  for (const text of [
    '%0A%6F%C3%A9',
    '=0A=6F=C3=A9',
    '{ 0x0a, 0x6f, 0xC3, 0xA9 }',
    '{0xa, 0x6f, 0xc3, 0xa9}',
    '"\\x0a\\x6f\\xc3\\xa9"',
    "x'0a6fc3a9'",
    '<0a6f c3a9>',
    '0a6f.c3a9',
    '$0a $6f $c3 $a9',
    '#0a6fc3a9',
    '0a|6f|c3|a9',
    '[0x0a; 0x6f; 0xc3; 0xa9]',
    '\ufeff0a\u00a06f c3a9',
  ]) {
    assert.deepEqual(decodeHex(text, 'Automatic'), bytes, text)
  }
})

test('mixed notations are read as one', () => {
  const bytes = decodeHex('01020304050607', 'None')
  assert.deepEqual(decodeHex('0x01,0x02\n 03:04 \\x05 0607', 'Automatic'), bytes)
  assert.deepEqual(decodeHex('0x010x020x030x0405 06-07', 'Automatic'), bytes)
  assert.deepEqual(decodeHex('  00 10 ', 'Automatic'), Uint8Array.of(0, 16))
})

test('refusals say at which character and why', () => {
  for (const [text, delimiter, reason] of [
    ['4a 6', 'Automatic', /the digits from character 4 on are an odd number/],
    ['4:a6', 'Automatic', /from character 1 on/],
    ['4a6g', 'Automatic', /from character 1 on are an odd number/],
    ['4a gg', 'Automatic', /character 4 is neither/],
    ['4a 0x', 'Automatic', /character 6 is neither/],
    ['0x123', 'Automatic', /from character 3 on are an odd number/],
    ['%4', 'Automatic', /from character 2 on are an odd number/],
    ['100%', 'Automatic', /from character 1 on are an odd number/],
    ['4a%', 'Automatic', /character 4 is neither/],
    ['4a+6f', 'Automatic', /character 3 is neither/],
    ['4a:6f', 'Space', /character 3 is neither a hexadecimal digit nor a delimiter/],
    ['4a6f', '0x', /the byte at character 1 does not begin with 0x/],
    ['ff fé', 'None', /from character 4 on/],
  ] as const) {
    assert.throws(() => decodeHex(text, delimiter), { name: 'RangeError', message: reason }, text)
  }
})
