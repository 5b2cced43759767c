import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toHex, toUtf8 } from '../bytes.ts'
import { type Base64Name, base64Alphabets, decodeBase64, encodeBase64 } from './base64.ts'

const lenient = { strict: false, padding: true }
const strict = { strict: true, padding: true }

const rfc4648 = { '': '', f: 'Zg==', fo: 'Zm8=', foo: 'Zm9v', foob: 'Zm9vYg==', fooba: 'Zm9vYmE=', foobar: 'Zm9vYmFy' }
for (const [text, code] of Object.entries(rfc4648)) {
  test(`RFC 4648 §10: BASE64("${text}")`, () => {
    assert.equal(encodeBase64(fromUtf8(text), 'standard', true), code)
    assert.deepEqual(decodeBase64(code, 'standard', strict), { bytes: fromUtf8(text), remarks: [] })
    const bare = code.replace(/=+$/, '')
    assert.equal(encodeBase64(fromUtf8(text), 'standard', false), bare)
    assert.equal(toUtf8(decodeBase64(bare, 'standard', { strict: true, padding: false }).bytes), text)
  })
}

test('RFC 4648 §5: the URL-safe alphabet differs in two characters', () => {
  const bytes = Uint8Array.of(0xfb, 0xff, 0xbf)
  assert.equal(encodeBase64(bytes, 'standard', true), '+/+/')
  assert.equal(encodeBase64(bytes, 'URL-safe', true), '-_-_')
  assert.equal(encodeBase64(bytes, 'IMAP', true), '+,+,')
  assert.deepEqual(decodeBase64('-_-_', 'standard', lenient).bytes, bytes)
  assert.throws(() => decodeBase64('-_-_', 'standard', strict), /character 1 is not in this Base64 alphabet/)
})

test('RFC 2045 §6.8: lines of 76 characters, and foreign characters are ignored', () => {
  const bytes = new Uint8Array(randomBytes(200))
  const code = encodeBase64(bytes, 'MIME (76 cols)', false)
  assert.deepEqual(
    code.split('\r\n').map(line => line.length),
    [76, 76, 76, 40],
  )
  assert.deepEqual(decodeBase64(code, 'MIME (76 cols)', strict).bytes, bytes)
  assert.deepEqual(decodeBase64('Zm*9v\u2713!', 'MIME (76 cols)', lenient), {
    bytes: fromUtf8('foo'),
    remarks: ['Characters passed over: 3, the first of them character 3.'],
  })
  assert.throws(() => decodeBase64(code.replaceAll('\r\n', ''), 'MIME (76 cols)', strict), /line 1 is longer than 76/)
})

test('a custom alphabet is 64 characters, or 65 with the padding, and may be written in ranges', () => {
  const bytes = fromUtf8('foobar!')
  assert.equal(encodeBase64(bytes, 'custom', true, 'A-Za-z0-9+/='), encodeBase64(bytes, 'standard', true))
  assert.equal(encodeBase64(bytes, 'custom', true, 'A-Za-z0-9-_'), encodeBase64(bytes, 'URL-safe', false))
  const crypt = './0-9A-Za-z'
  assert.deepEqual(decodeBase64(encodeBase64(bytes, 'custom', true, crypt), 'custom', strict, crypt).bytes, bytes)
  for (const [alphabet, reason] of [
    ['abc', /expected 64 characters, or 65 with the padding, got 3/],
    ['A-Za-z0-9+A', /only once/],
    ['A-Za-z0-9+é', /visible ASCII/],
  ] as const) {
    assert.throws(() => encodeBase64(bytes, 'custom', true, alphabet), reason)
  }
})

test('lenient reading accepts what has one meaning and says what was odd', () => {
  for (const [text, remarks] of [
    [' Zm 9v\r\nYg==\n', []],
    ['Zm9vYg', ['The padding is missing.']],
    ['Zm9vYg=', ['The padding is wrong: 1 in place of 2.']],
    ['Zm9vYk==', ['The last character has bits that belong to no byte; they were dropped.']],
  ] as const) {
    assert.deepEqual(decodeBase64(text, 'standard', lenient).remarks, remarks, text)
  }
})

test('Base64 is read out of what it is wrapped in, and that is told', () => {
  const passedOver = (count: number, first: number) =>
    `Characters passed over: ${count}, the first of them character ${first}.`
  for (const [text, decoded, remark] of [
    // RFC 2397 §2 and §3.
    ['data:;base64,Zm9v', 'foo', 'The head of the data address was passed over.'],
    ['DATA:text/plain;charset=utf-8;base64,Zm9vYg==', 'foob', 'The head of the data address was passed over.'],
    [
      '-----BEGIN EXPLANATION-----\r\nZm9v\r\nYg==\r\n-----END EXPLANATION-----\r\n',
      'foob',
      'The lines BEGIN and END were passed over.',
    ],
    ['-----BEGIN X-Y----- Zm9v -----END X-Y-----', 'foo', 'The lines BEGIN and END were passed over.'],
    ['Zm9vYg%3D%3d', 'foob', 'Percent-encoded characters were read.'],
    ['Zm9v\\r\\nYg==\\n', 'foob', 'Escapes of a string were read.'],
    ['Pj4\\/', '>>?', 'Escapes of a string were read.'],
    ['"Zm9v"', 'foo', passedOver(2, 1)],
    ['\ufeffZm9v\u00a0\u200bYmFy', 'foobar', passedOver(3, 1)],
  ] as const) {
    const read = decodeBase64(text, 'standard', lenient)
    assert.equal(toUtf8(read.bytes), decoded, text)
    assert.deepEqual(read.remarks, [remark], text)
    assert.deepEqual(decodeBase64(text, 'URL-safe', lenient), read, text)
    assert.throws(() => decodeBase64(text, 'standard', strict), RangeError, text)
  }
  assert.equal(toHex(decodeBase64('%2Bw%2F%2b', 'standard', lenient).bytes), 'fb0ffe')
})

test('a wrapping does not move the place that a refusal names, nor hide what is no wrapping', () => {
  for (const [text, reason] of [
    ['data:;base64,Zm9v!', /character 18 is not/],
    ['-----BEGIN X-----\nZm9v!\n-----END X-----', /character 23 is not/],
    ['data:,Zm9v', /character 5 is not/],
    ['Zm9v%41', /character 5 is not/],
    ['Zm9v\\t', /character 5 is not/],
    ['"Zg==" "Zg=="', /character 9 stands after the padding/],
  ] as const) {
    assert.throws(() => decodeBase64(text, 'standard', lenient), { name: 'RangeError', message: reason }, text)
  }
})

test('refusals say at which character and why', () => {
  for (const [text, rules, reason] of [
    ['Zm9v!g==', lenient, /character 5 is not in this Base64 alphabet/],
    ['Zm9vé', lenient, /character 5 is not/],
    ['Zg==Zg==', lenient, /character 5 stands after the padding/],
    ['Zm9vY', lenient, /the last group has 1 character, which no bytes give/],
    ['Z', lenient, /1 character/],
    ['Zm9v Yg==', strict, /character 5 is white space/],
    ['Zm9vYg', strict, /expected 2 padding characters at the end, got 0/],
    ['Zm9vYg=', strict, /expected 2 padding characters at the end, got 1/],
    ['Zm9vYg===', strict, /got 3/],
    ['Zm9vYg==', { strict: true, padding: false }, /expected 0 padding characters at the end, got 2/],
    ['Zm9vYh==', strict, /bits that belong to no byte/],
  ] as const) {
    assert.throws(() => decodeBase64(text, 'standard', rules), { name: 'RangeError', message: reason }, text)
  }
})

test('every length and alphabet goes there and back, strictly', () => {
  for (const name of base64Alphabets) {
    for (let length = 0; length < 70; length++) {
      const bytes = new Uint8Array(randomBytes(length))
      const code = encodeBase64(bytes, name, true, 'A-Za-z0-9!~')
      assert.deepEqual(decodeBase64(code, name, strict, 'A-Za-z0-9!~'), { bytes, remarks: [] })
    }
  }
})

test('250 random byte strings: the same as the Base64 of Python', t => {
  const cases = Array.from({ length: 250 }, (_, i) => new Uint8Array(randomBytes(i)))
  const python = `
import sys, base64
for line in sys.stdin.read().split('\\n')[:-1]:
    raw = bytes.fromhex(line)
    print(base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode())
`
  let output: string
  try {
    output = execFileSync('python3', ['-c', python], {
      input: cases.map(bytes => `${toHex(bytes)}\n`).join(''),
      encoding: 'utf8',
    })
  } catch {
    return t.skip('no python3')
  }
  const names: Base64Name[] = ['standard', 'URL-safe']
  for (const [i, line] of output.split('\n').slice(0, -1).entries()) {
    const bytes = cases[i] ?? new Uint8Array()
    assert.equal(names.map(name => encodeBase64(bytes, name, true)).join(' '), line)
  }
})
