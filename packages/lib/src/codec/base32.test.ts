import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toHex } from '../bytes.ts'
import { base32Alphabets, decodeBase32, encodeBase32 } from './base32.ts'

const lenient = { strict: false, padding: true }
const strict = { strict: true, padding: true }

const rfc4648 = [
  ['', '', ''],
  ['f', 'MY======', 'CO======'],
  ['fo', 'MZXQ====', 'CPNG===='],
  ['foo', 'MZXW6===', 'CPNMU==='],
  ['foob', 'MZXW6YQ=', 'CPNMUOG='],
  ['fooba', 'MZXW6YTB', 'CPNMUOJ1'],
  ['foobar', 'MZXW6YTBOI======', 'CPNMUOJ1E8======'],
] as const
for (const [text, base32, base32hex] of rfc4648) {
  test(`RFC 4648 §10: BASE32("${text}") and BASE32-HEX("${text}")`, () => {
    const bytes = fromUtf8(text)
    assert.equal(encodeBase32(bytes, 'RFC4648', true), base32)
    assert.equal(encodeBase32(bytes, 'hex', true), base32hex)
    assert.equal(encodeBase32(bytes, 'RFC4648', false), base32.replace(/=+$/, ''))
    assert.deepEqual(decodeBase32(base32, 'RFC4648', strict), { bytes, remarks: [] })
    assert.deepEqual(decodeBase32(base32hex.toLowerCase(), 'hex', lenient).bytes, bytes)
  })
}

test('z-base-32, human-oriented base-32 encoding, whole bytes of its examples', () => {
  // The table of the document gives bit strings; these are its rows of 24 bits.
  assert.equal(encodeBase32(fromHex('f0bfc7'), 'z-base-32', true), '6n9hq')
  assert.equal(encodeBase32(fromHex('d47a04'), 'z-base-32', true), '4t7ye')
  assert.deepEqual(decodeBase32('6N9HQ', 'z-base-32', lenient).bytes, fromHex('f0bfc7'))
})

test('Crockford: letters that look like digits are read as those digits, hyphens are passed over', () => {
  const { bytes } = decodeBase32('010G', 'Crockford', strict)
  assert.deepEqual(decodeBase32('OIOg', 'Crockford', lenient).bytes, bytes)
  assert.deepEqual(decodeBase32('o-l0-g', 'Crockford', lenient).bytes, bytes)
  assert.throws(() => decodeBase32('oi', 'Crockford', strict), /character 1 is not in this Base32 alphabet/)
  assert.throws(() => decodeBase32('U0', 'Crockford', lenient), /character 1/)
})

test('secrets in groups with hyphens are read, and told', () => {
  for (const [text, name] of [
    ['mzxw-6ytb', 'RFC4648'],
    ['CPNM-UOJ1', 'hex'],
  ] as const) {
    assert.deepEqual(decodeBase32(text, name, lenient), {
      bytes: fromUtf8('fooba'),
      remarks: ['Characters passed over: 1, the first of them character 5.'],
    })
    assert.throws(() => decodeBase32(text.toUpperCase(), name, strict), /character 5 is not in this Base32 alphabet/)
  }
})

test('every length and alphabet goes there and back, strictly', () => {
  for (const name of base32Alphabets) {
    for (let length = 0; length < 45; length++) {
      const bytes = new Uint8Array(randomBytes(length))
      assert.deepEqual(decodeBase32(encodeBase32(bytes, name, true), name, strict), { bytes, remarks: [] })
    }
  }
})

test('refusals say at which character and why', () => {
  for (const [text, rules, reason] of [
    ['MZXW1', lenient, /character 5 is not in this Base32 alphabet/],
    ['M', lenient, /the last group has 1 character/],
    ['MZX', lenient, /the last group has 3 characters/],
    ['MZXW6Y', lenient, /the last group has 6 characters/],
    ['MY======MY', lenient, /character 9 stands after the padding/],
    ['mzxw6===', strict, /character 1 is not/],
    ['MZXW6', strict, /expected 3 padding characters at the end, got 0/],
    ['MZXW7===', strict, /bits that belong to no byte/],
  ] as const) {
    assert.throws(() => decodeBase32(text, 'RFC4648', rules), { name: 'RangeError', message: reason }, text)
  }
})

test('200 random byte strings: the same as the Base32 of Python', t => {
  const cases = Array.from({ length: 200 }, (_, i) => new Uint8Array(randomBytes(i)))
  const python = `
import sys, base64
for line in sys.stdin.read().split('\\n')[:-1]:
    raw = bytes.fromhex(line)
    print(base64.b32encode(raw).decode(), base64.b32hexencode(raw).decode())
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
  for (const [i, line] of output.split('\n').slice(0, -1).entries()) {
    const bytes = cases[i] ?? new Uint8Array()
    assert.equal(`${encodeBase32(bytes, 'RFC4648', true)} ${encodeBase32(bytes, 'hex', true)}`, line)
  }
})
