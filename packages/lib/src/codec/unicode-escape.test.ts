import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type EscapeStyle, escapeStyles, escapeUnicode, unescapeUnicode } from './unicode-escape.ts'

test('CyberChef, UnescapeUnicodeCharacters.mjs', () => {
  for (const [code, style, text] of [
    ['\\u03c3\\u03bf\\u03c5', '\\uXXXX', 'σου'],
    ['%u03c3%u03bf%u03c5', '%u', 'σου'],
    ['U+0041', 'U+XXXX', 'A'],
    ['U+1F600', 'U+XXXX', '\u{1f600}'],
    ['U+000041', 'U+XXXX', 'A'],
    ['U+0041 U+1F600 U+000042', 'U+XXXX', 'A \u{1f600} B'],
    ['hello world', '\\uXXXX', 'hello world'],
  ] as const) {
    assert.deepEqual(unescapeUnicode(code, style, true), { text, remarks: [] })
  }
})

test('each style, beyond the Basic Multilingual Plane too', () => {
  assert.deepEqual(
    escapeStyles.map(style => escapeUnicode('aé😀', style, false)),
    ['a\\u00E9\\uD83D\\uDE00', 'aU+00E9U+1F600', 'a&#xE9;&#x1F600;', 'a%u00E9%uD83D%uDE00'],
  )
  assert.deepEqual(
    escapeStyles.map(style => escapeUnicode('a\n', style, true)),
    ['\\u0061\\u000A', 'U+0061U+000A', '&#x61;&#xA;', '%u0061%u000A'],
  )
  assert.equal(escapeUnicode('éa', 'U+XXXX', false), 'U+0000E9a')
})

test('ECMA-262 §B.2.1.1 and §12.9.4: what JavaScript itself reads', () => {
  const text = 'aé "\u2028" 😀\u0000'
  assert.equal(unescape(escapeUnicode(text, '%u', false)), text)
  assert.equal(JSON.parse(`"${escapeUnicode(text.replaceAll('"', "'"), '\\uXXXX', false)}"`), text.replaceAll('"', "'"))
  assert.equal(unescapeUnicode('\\u{1F600}\\U0001F600\\u{e9}', '\\uXXXX', true).text, '😀😀é')
})

test('400 random texts come back the same in every style, those that look like escapes too', () => {
  const parts = ['\\', 'u', 'U', '+', '&', '#', 'x', ';', '%', '0041', 'é', '😀', 'f', '\n', '\u0000', '10ffff', ' ']
  for (let i = 0; i < 400; i++) {
    const text = Array.from(randomBytes(10), byte => parts[byte % parts.length]).join('')
    for (const style of escapeStyles) {
      assert.deepEqual(unescapeUnicode(escapeUnicode(text, style, false), style, true), { text, remarks: [] }, text)
      assert.deepEqual(unescapeUnicode(escapeUnicode(text, style, true), style, true), { text, remarks: [] }, text)
    }
  }
})

test('what is no escape is left and told, or refused by strict reading', () => {
  for (const [code, style, text, remark] of [
    ['a\\u12', '\\uXXXX', 'a\\u12', /^The escape at character 2 is not complete/],
    ['\\u{}\\u', '\\uXXXX', '\\u{}\\u', /^The escape at character 1, and 1 more, is not complete/],
    ['é\\u{110000}', '\\uXXXX', 'é\\u{110000}', /^The escape at character 2 goes beyond U\+10FFFF/],
    ['U+123', 'U+XXXX', 'U+123', /is not complete/],
    ['U+FFFFFF', 'U+XXXX', 'U+FFFFFF', /goes beyond/],
    ['&#233;', '&#x;', '&#233;', /is not complete/],
    ['%u00', '%u', '%u00', /is not complete/],
    ['\\ud800a', '\\uXXXX', '\ufffda', /^One escape is half of a surrogate pair; U\+FFFD stands in the place/],
    ['%udc00%ud800', '%u', '\ufffd\ufffd', /^2 escapes are half of a surrogate pair/],
    ['&#xd83d;&#xde00;', '&#x;', '😀', undefined],
  ] as [string, EscapeStyle, string, RegExp | undefined][]) {
    const read = unescapeUnicode(code, style, false)
    assert.equal(read.text, text)
    if (!remark) continue
    assert.match(read.remarks.join(), remark)
    assert.throws(() => unescapeUnicode(code, style, true), RangeError)
  }
})
