import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import {
  ancestorsOf,
  compareNames,
  countLabels,
  encodeName,
  equalNames,
  isWithin,
  nameLength,
  parentName,
  parseName,
  splitName,
} from './name.ts'
import { Reader } from './wire.ts'

const decode = (hex: string) => Reader.bytes(fromHex(hex)).name()

test('RFC 1035 §3.1: a name is labels, each with its length, and a zero', () => {
  assert.equal(toHex(encodeName('ns1.example.')), '036e7331076578616d706c6500')
  assert.equal(decode('036e7331076578616d706c6500'), 'ns1.example.')
  assert.equal(toHex(encodeName('.')), '00')
  assert.equal(decode('00'), '.')
})

test('RFC 1035 §5.1: a name without the final dot is completed by the origin, and @ is the origin', () => {
  assert.equal(parseName('www', 'example.com.'), 'www.example.com.')
  assert.equal(parseName('www.', 'example.com.'), 'www.')
  assert.equal(parseName('@', 'example.com.'), 'example.com.')
  assert.equal(parseName('www.example'), 'www.example.')
  assert.equal(parseName('.', 'example.com.'), '.')
})

test('RFC 1035 §5.1: escapes make a dot or any byte part of a label', () => {
  assert.equal(parseName('esc\\.aped.test.'), 'esc\\.aped.test.')
  assert.equal(toHex(encodeName('esc\\.aped.test.')), '086573632e61706564047465737400')
  assert.equal(parseName('\\097\\200\\ .'), 'a\\200\\032.')
  assert.equal(decode('03c8205c00'), '\\200\\032\\\\.')
})

test('every byte survives from the wire to text and back', () => {
  for (let start = 0; start < 256; start += 32) {
    const label = Array.from({ length: 32 }, (_, i) => start + i)
    const wire = new Uint8Array([32, ...label, 0])
    const text = Reader.bytes(wire).name()
    assert.match(text, /^[!-~]+$/)
    assert.deepEqual(encodeName(text), wire)
    assert.equal(parseName(text), text)
    assert.equal(nameLength(text), 34)
  }
})

test('RFC 1035 §2.3.4: 63 bytes to a label and 255 to a name, not one more', () => {
  const label = 'a'.repeat(63)
  assert.equal(parseName(`${label}.`), `${label}.`)
  assert.throws(() => parseName(`${label}a.`), /label over 63 bytes/)
  assert.throws(() => encodeName(`${label}a.`), /label of 64 bytes/)
  const longest = `${label}.${label}.${label}.${'b'.repeat(61)}.`
  assert.equal(nameLength(longest), 255)
  assert.equal(encodeName(parseName(longest)).length, 255)
  assert.throws(() => parseName(`${label}.${label}.${label}.${'b'.repeat(62)}.`), /over 255 bytes/)
  assert.throws(() => encodeName(`${label}.${label}.${label}.${'b'.repeat(62)}.`), /over 255 bytes/)
  assert.throws(() => parseName('www', longest), /over 255 bytes/)
})

for (const [text, reason] of [
  ['a..b', /empty label/],
  ['.a', /empty label/],
  ['..', /empty label/],
  ['', /empty label/],
  ['a\\', /escape/],
  ['a\\25', /three digits/],
  ['a\\256.', /three digits up to 255/],
  ['münchen.test.', /outside ASCII/],
] as const) {
  test(`the name "${text}" is refused`, () => assert.throws(() => parseName(text), reason))
}

test('a name is encoded only when it is absolute', () => {
  assert.throws(() => encodeName('www'), /not absolute/)
  assert.throws(() => encodeName('a..'), /label of 0 bytes/)
  assert.throws(() => encodeName(''), /not absolute/)
})

test('RFC 4343 §3: names are equal whatever the case of ASCII letters, and only of those', () => {
  assert.ok(equalNames('WWW.Example.COM.', 'www.eXample.com.'))
  assert.ok(!equalNames('\\193.example.', '\\225.example.'))
})

test('a name lies within its ancestors only at the dots that part labels', () => {
  assert.ok(isWithin('www.example.com.', 'Example.com.'))
  assert.ok(isWithin('example.com.', 'example.com.'))
  assert.ok(isWithin('example.com.', '.'))
  assert.ok(!isWithin('badexample.com.', 'example.com.'))
  assert.ok(!isWithin('bad\\.example.com.', 'example.com.'))
  assert.ok(!isWithin('com.', 'example.com.'))
})

test('labels, parents and ancestors keep escapes together', () => {
  assert.deepEqual(splitName('a\\.b.c.'), ['a\\.b', 'c'])
  assert.deepEqual(splitName('.'), [])
  assert.equal(countLabels('\\\\.\\046.'), 2)
  assert.equal(parentName('a\\.b.c.'), 'c.')
  assert.equal(parentName('c.'), '.')
  assert.equal(parentName('.'), '.')
  assert.deepEqual(ancestorsOf('a.b.'), ['a.b.', 'b.', '.'])
  assert.deepEqual(ancestorsOf('.'), ['.'])
})

test('RFC 4034 §6.1: the canonical order of its example', () => {
  const ordered = [
    'example.',
    'a.example.',
    'yljkjljk.a.example.',
    'Z.a.example.',
    'zABC.a.EXAMPLE.',
    'z.example.',
    '\\001.z.example.',
    '*.z.example.',
    '\\200.z.example.',
  ]
  assert.deepEqual([...ordered].reverse().sort(compareNames), ordered)
  assert.ok(compareNames('.', 'example.') < 0)
  assert.equal(compareNames('A.example.', 'a.EXAMPLE.'), 0)
})
