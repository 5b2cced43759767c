import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  concat,
  equalBytes,
  fromBase64,
  fromHex,
  fromLatin1,
  fromUtf8,
  isPastedHex,
  readBytes,
  textOrHex,
  toBase64,
  toBase64Url,
  toHex,
  toLatin1,
  toUtf8,
  writeBytes,
} from './bytes.ts'

const rfc4648 = { '': '', f: 'Zg==', fo: 'Zm8=', foo: 'Zm9v', foob: 'Zm9vYg==', fooba: 'Zm9vYmE=', foobar: 'Zm9vYmFy' }

test('RFC 4648 §10: Base64 vectors, both ways', () => {
  for (const [text, encoded] of Object.entries(rfc4648)) {
    assert.equal(toBase64(fromUtf8(text)), encoded)
    assert.equal(toUtf8(fromBase64(encoded)), text)
  }
})

test('RFC 4648 §10: Base16 vector, both ways', () => {
  assert.equal(toHex(fromUtf8('foobar')).toUpperCase(), '666F6F626172')
  assert.equal(toUtf8(fromHex('666F6F626172')), 'foobar')
})

test('all lengths to 300 and all byte values agree with Buffer', () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from(randomBytes(length))
    const buffer = Buffer.from(bytes)
    assert.equal(toHex(bytes), buffer.toString('hex'))
    assert.equal(toBase64(bytes), buffer.toString('base64'))
    assert.equal(toBase64Url(bytes), buffer.toString('base64url'))
    assert.equal(toLatin1(bytes), buffer.toString('latin1'))
    for (const format of ['Hex', 'Base64', 'Latin-1'] as const) {
      assert.deepEqual(readBytes(writeBytes(bytes, format), format), bytes)
    }
    assert.deepEqual(fromBase64(toBase64Url(bytes)), bytes)
  }
})

test('16 MiB pass through every format', () => {
  const bytes = new Uint8Array(16 * 1_048_576).map((_, i) => i * 7)
  assert.ok(equalBytes(fromHex(toHex(bytes)), bytes))
  assert.ok(equalBytes(fromBase64(toBase64(bytes)), bytes))
  assert.ok(equalBytes(fromLatin1(toLatin1(bytes)), bytes))
})

test('white space and colons are what people paste', () => {
  assert.deepEqual(fromHex(' 0A:ff\n10 '), Uint8Array.of(10, 255, 16))
  assert.deepEqual(fromBase64('Zm9v\r\nYg=='), fromUtf8('foob'))
})

for (const [text, words] of [
  ['abc', /odd/],
  ['zz', /character 1 is not a hexadecimal digit/],
  ['0x41', /character 2/],
  ['4 1', /character 2/],
  ['٣٣', /character 1/],
] as const) {
  test(`hexadecimal refuses ${JSON.stringify(text)}`, () =>
    assert.throws(() => fromHex(text), { name: 'RangeError', message: words }))
}

for (const text of [
  '2b7eff',
  '2B 7E FF',
  '2b-7e-ff',
  '2b:7e:ff',
  '2b,7e;ff',
  '2b7e_ff',
  '0x2b7eff',
  '0X2B 0X7E 0XFF',
  '0x2b, 0x7e, 0xff,',
  '0x2b0x7e0xff',
  '\\x2b\\x7e\\xff',
  '2b\u00a07e\r\nff\t',
]) {
  test(`a field of bytes reads hexadecimal written ${JSON.stringify(text)}`, () =>
    assert.deepEqual(readBytes(text, 'Hex'), Uint8Array.of(0x2b, 0x7e, 0xff)))
}

test('hexadecimal as people paste it is told from Base64', () => {
  for (const text of ['2b7eff', '0x2B, 0x7E', '\\x2b\\x7e', '2b-7e_ff;', ' 2b:7e\n']) assert.ok(isPastedHex(text), text)
  for (const text of ['', '--', 'x', 'MII=', '2b7g', '2b+7e', '2b/7e', '2b=']) assert.ok(!isPastedHex(text), text)
})

for (const [text, words] of [
  ['2b7', /odd/],
  ['0x2b, 0x7', /odd/],
  ['0x', /character 2 is not a hexadecimal digit/],
  ['2b0x', /character 4 is not a hexadecimal digit/],
  ['2-b', /character 2 is not a hexadecimal digit/],
  ['x2b', /character 1 is not a hexadecimal digit/],
  ['\\2b', /character 1 is not a hexadecimal digit/],
  ['{0x2b}', /character 1 is not a hexadecimal digit/],
  ['2bh', /character 3 is not a hexadecimal digit/],
  ['２b', /character 1 is not a hexadecimal digit/],
] as const) {
  test(`a field of bytes refuses hexadecimal written ${JSON.stringify(text)}`, () =>
    assert.throws(() => readBytes(text, 'Hex'), { name: 'RangeError', message: words }))
}

for (const [text, words] of [
  ['Zg=', /padding/],
  ['Zg===', /padding/],
  ['=', /padding/],
  ['Zm9v=', /padding/],
  ['Z', /left over/],
  ['Zh==', /bits/],
  ['Zm9=', /bits/],
  ['Zg==Zg==', /after the padding/],
  ['Zm9v!', /character 5/],
  ['+_++', /mixes/],
  ['Zm9ｖ', /character 4/],
] as const) {
  test(`RFC 4648 §3: Base64 refuses ${JSON.stringify(text)}`, () =>
    assert.throws(() => fromBase64(text), { name: 'RangeError', message: words }))
}

test('RFC 3629: text that has no UTF-8 and bytes that are none are refused, not replaced', () => {
  assert.throws(() => fromUtf8('a\ud800b'), RangeError)
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    assert.throws(() => toUtf8(Uint8Array.from(bytes)), RangeError)
    assert.equal(textOrHex(Uint8Array.from(bytes)).format, 'Hex')
  }
  assert.equal(toUtf8(fromUtf8('\ufeffa\0')), '\ufeffa\0')
  assert.throws(() => fromLatin1('€'), /character 1/)
})

test('concatenation and comparison', () => {
  assert.deepEqual(concat(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)), Uint8Array.of(1, 2, 3))
  assert.ok(equalBytes(new Uint8Array(), new Uint8Array()))
  assert.ok(!equalBytes(Uint8Array.of(1), Uint8Array.of(1, 0)))
  assert.ok(!equalBytes(Uint8Array.of(1, 0), Uint8Array.of(1)))
})
