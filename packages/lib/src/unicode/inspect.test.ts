import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { blockOf } from './blocks.ts'
import { countText, inspectCharacter } from './inspect.ts'
import { invisibleName } from './invisible.ts'
import { categoryOf, scriptOf } from './property.ts'

test('Unicode Character Database 17.0: block, category, script and bytes of a character', () => {
  assert.deepEqual(inspectCharacter('é'), {
    character: 'é',
    code_point: 'U+00E9',
    block: 'Latin-1 Supplement',
    category: 'Ll, lowercase letter',
    script: 'Latin',
    bytes: { 'UTF-8': 'c3a9', 'UTF-16LE': 'e900', 'UTF-16BE': '00e9', 'UTF-32LE': 'e9000000', 'UTF-32BE': '000000e9' },
  })
  const { code_point, name, block, category, script, bytes } = inspectCharacter('\u200b')
  assert.deepEqual(
    [code_point, name, block, category, script, bytes['UTF-8']],
    ['U+200B', 'ZERO WIDTH SPACE', 'General Punctuation', 'Cf, format', 'Common', 'e2808b'],
  )
  assert.equal(inspectCharacter('\u{1f600}').block, 'Emoticons')
})

test('Blocks.txt: the edges', () => {
  for (const [point, block] of [
    [0, 'Basic Latin'],
    [0x7f, 'Basic Latin'],
    [0x80, 'Latin-1 Supplement'],
    [0x4e00, 'CJK Unified Ideographs'],
    [0xd800, 'High Surrogates'],
    [0xffff, 'Specials'],
    [0x10ffff, 'Supplementary Private Use Area-B'],
    [0x2fe0, undefined],
  ] as const) {
    assert.equal(blockOf(point), block, point.toString(16))
  }
})

test('names of what cannot be seen', () => {
  for (const [point, name] of [
    [0, 'NULL'],
    [0x0a, 'LINE FEED'],
    [0x20, 'SPACE'],
    [0xad, 'SOFT HYPHEN'],
    [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
    [0xfe0f, 'VARIATION SELECTOR-16'],
    [0xe0100, 'VARIATION SELECTOR-17'],
    [0xe01ef, 'VARIATION SELECTOR-256'],
    [0xe0041, 'TAG A'],
    [0xe0020, 'TAG SPACE'],
    [0xe007f, 'CANCEL TAG'],
    [0x41, undefined],
  ] as const) {
    assert.equal(invisibleName(point), name, point.toString(16))
  }
})

test('1000 code points: the category that Python gives, where both know the character', t => {
  const points = Array.from({ length: 1000 }, (_, i) => (i < 300 ? i : (i * 7919) % 0x20000)).filter(
    point => point < 0xd800 || point > 0xdfff,
  )
  const script = `import sys, json, unicodedata
print(json.dumps([unicodedata.category(chr(point)) for point in json.load(sys.stdin)]))`
  let categories: string[]
  try {
    categories = JSON.parse(
      execFileSync('python3', ['-c', script], { input: JSON.stringify(points), encoding: 'utf8' }),
    )
  } catch {
    return t.skip('no python3')
  }
  for (const [i, point] of points.entries()) {
    if (categories[i] !== 'Cn') assert.equal(categoryOf(String.fromCodePoint(point)).category, categories[i])
  }
})

test('scripts of letters, marks and what all share', () => {
  assert.deepEqual(['a', 'а', 'α', 'あ', '漢', '1', '\u0301', '\u0378', 'ᥐ'].map(scriptOf), [
    'Latin',
    'Cyrillic',
    'Greek',
    'Hiragana',
    'Han',
    'Common',
    'Inherited',
    undefined,
    'Tai Le',
  ])
})

test('UAX 29: what a reader takes for one character', () => {
  assert.deepEqual(countText('e\u0301👩‍👩‍👧'), { graphemes: 2, code_points: 7, utf16_units: 10, utf8_bytes: 21 })
  assert.deepEqual(countText(''), { graphemes: 0, code_points: 0, utf16_units: 0, utf8_bytes: 0 })
  assert.equal(countText('a'.repeat(200_001)).graphemes, undefined)
})
