import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHidden, MAX_HIDDEN, showHidden, withoutHidden } from './hidden.ts'

const kinds = (text: string) => findHidden(text).found.map(({ kind }) => kind)
const suspicious = (text: string) => findHidden(text).suspicious

test('Unicode Character Database 17.0, DerivedCoreProperties.txt: every default-ignorable range is found', () => {
  // First and last code point of each range of Default_Ignorable_Code_Point.
  for (const [first, last] of [
    ...[
      [0xad, 0xad],
      [0x34f, 0x34f],
      [0x61c, 0x61c],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
    ],
    ...[
      [0x200b, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x206f],
      [0x3164, 0x3164],
      [0xfe00, 0xfe0f],
      [0xfeff, 0xfeff],
    ],
    ...[
      [0xffa0, 0xffa0],
      [0xfff0, 0xfff8],
      [0x1bca0, 0x1bca3],
      [0x1d173, 0x1d17a],
      [0xe0000, 0xe0fff],
    ],
  ] as [number, number][]) {
    for (const point of [first, last, Math.floor((first + last) / 2)]) {
      const { count, found } = findHidden(`a${String.fromCodePoint(point)}b`)
      assert.equal(count, 1, point.toString(16))
      assert.equal(found[0]?.position, 2)
    }
  }
})

test('each kind is told', () => {
  assert.deepEqual(kinds('a\u200b\u202e\ufe01\u{e0041}\u2003\u0007\u3164\u{1d173}'), [
    'zero-width',
    'bidi control',
    'variation selector',
    'tag',
    'space',
    'control',
    'filler',
    'other format',
  ])
  assert.deepEqual(findHidden('a\n\u200bb\r\n\tc d'), {
    found: [{ position: 3, line: 2, column: 1, code_point: 'U+200B', name: 'ZERO WIDTH SPACE', kind: 'zero-width' }],
    count: 1,
    suspicious: 1,
    unbalanced: [],
  })
})

test('what belongs to its script or its emoji is not suspected', () => {
  for (const text of [
    '👩\u200d👩\u200d👧',
    '👍🏽\u200d❤\ufe0f',
    '❤\ufe0f 1\ufe0f\u20e3',
    'می\u200cخواهم',
    'क्\u200dष',
    '\ufeffbegin',
    'zwölf\u00a0Uhr',
    'Donau\u00addampf',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'שלום\u200f!',
  ]) {
    assert.ok(findHidden(text).count > 0, text)
    assert.equal(suspicious(text), 0, text)
  }
  for (const text of [
    'pass\u200dword',
    'a\u200cb',
    'x\ufe0f',
    'mid\ufeffdle',
    '\u{e0067}',
    'a\u200fb',
    '\u{1f3f4}\u{e0067}',
    'a\u00ad',
  ]) {
    assert.equal(suspicious(text), findHidden(text).count, text)
  }
})

test('Trojan Source (CVE-2021-42574): directions that are not ended in their line', () => {
  const early = `/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */`
  assert.deepEqual(findHidden(early).unbalanced, [
    { line: 1, code_point: 'U+202E', name: 'RIGHT-TO-LEFT OVERRIDE' },
    { line: 1, code_point: 'U+2066', name: 'LEFT-TO-RIGHT ISOLATE' },
  ])
  assert.deepEqual(findHidden('a\n\u202bb\u202c\n\u2067c\u2069').unbalanced, [])
  assert.deepEqual(findHidden('\u2066\u202ab\u2069').unbalanced, [], 'an isolate ends what is open inside')
  assert.deepEqual(findHidden('\u202a\nx\u202c').unbalanced.length, 1, 'a line end ends nothing well')
})

test('shown and taken out', () => {
  const text = 'pass\u200bword\u2003é\u202e ❤\ufe0f\u00a0\n'
  assert.equal(showHidden(text), 'pass[U+200B]word[U+2003]é[U+202E] ❤[U+FE0F][U+00A0]\n')
  assert.equal(withoutHidden(text), 'password é ❤\ufe0f\u00a0\n')
})

test('many are counted, and the first are told', () => {
  const { found, count } = findHidden('\u200b'.repeat(2000))
  assert.equal(found.length, MAX_HIDDEN)
  assert.equal(count, 2000)
  assert.deepEqual(findHidden('plain text, nothing else'), { found: [], count: 0, suspicious: 0, unbalanced: [] })
})
