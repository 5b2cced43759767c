import assert from 'node:assert/strict'
import { test } from 'node:test'
import { padded, safe, safeJson, safeLines, toned, width } from './screen.ts'

test('H8, H9: what could move the cursor or turn letters round is written out', () => {
  assert.equal(safe('a\u001b[31mb\u0007\n'), 'a\\x1b[31mb\\x07\\x0a')
  assert.equal(safe('\u009b31m\u007f'), '\\x9b31m\\x7f')
  assert.equal(safe('txt\u202egpj.exe\u2066'), 'txt\\u{202e}gpj.exe\\u{2066}')
  assert.equal(safe('zero\u200bwidth\ufeff'), 'zero\\u{200b}width\\u{feff}')
  assert.equal(safe('ünï 漢字 🦊'), 'ünï 漢字 🦊')
  assert.equal(safeLines('a\n\tb\r\u001b'), 'a\n\tb\\x0d\\x1b')
})

test('JSON stays JSON, and harmless', () => {
  const value = { a: '\u009b\u202e\u001b\u007f', b: 'ü\n' }
  const text = safeJson(value)
  assert.deepEqual(JSON.parse(text), value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text, /[\u007f-\u009f\u202e\u001b]/)
})

test('UAX 11: wide characters take two columns, combining ones none of their own', () => {
  assert.equal(width('abc'), 3)
  assert.equal(width('漢字'), 4)
  assert.equal(width('e\u0301'), 1)
  assert.equal(width('🦊'), 2)
  assert.equal(padded('漢', 4), '漢  ')
})

test('colours only where there are some', () => {
  assert.equal(toned({ columns: 80, colour: false }, 'bad', 'x'), 'x')
  assert.equal(toned({ columns: 80, colour: true }, 'bad', 'x'), '\u001b[31mx\u001b[0m')
  assert.equal(toned({ columns: 80, colour: true }, 'neutral', 'x'), 'x')
})
