import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confusables } from '../domain/confusables.ts'
import { confusableTable } from './confusable-table.ts'
import { findHomoglyphs, homoglyphScripts, imitate, lookAlikesOf, skeleton } from './homoglyph.ts'
import { scriptOf } from './property.ts'

test('UTS 39 §4: texts that look alike have the same skeleton', () => {
  for (const [a, b] of [
    ['paypal', 'раураl'],
    ['scope', 'ѕсоре'],
    ['rn', 'm'],
    ['Google', 'Gооgle'],
    ['1', 'l'],
    ['O', '0'],
    ['ℋello', 'Hello'],
    ['å', 'a\u030a'],
    ['pay\u200bpal', 'paypal'],
    ['ﬁ', 'fi'],
    ['ⅷ', 'viii'],
    ['“', "''"],
  ] as const) {
    assert.equal(skeleton(a), skeleton(b), `${a} ${b}`)
    assert.equal(skeleton(skeleton(a)), skeleton(a))
  }
  for (const [a, b] of [
    ['paypal', 'paypa1s'],
    ['a', 'b'],
    ['é', 'e'],
    ['А', 'a'],
  ] as const) {
    assert.notEqual(skeleton(a), skeleton(b))
  }
})

test('confusables.txt 17.0.0: 6565 characters and their prototypes', () => {
  let count = 0
  for (const entry of confusableTable.trim().split(/[;\n]/)) {
    assert.match(entry, /^[\da-f]+( [\da-f]+)*<[\da-f]+(-[\da-f]+)?( [\da-f]+(-[\da-f]+)?)*$/)
    const [target = '', ranges = ''] = entry.split('<')
    const looks = target
      .split(' ')
      .map(point => String.fromCodePoint(Number.parseInt(point, 16)))
      .join('')
    for (const range of ranges.split(' ')) {
      const [first = 0, last = first] = range.split('-').map(point => Number.parseInt(point, 16))
      for (let point = first; point <= last; point++) {
        count++
        const character = String.fromCodePoint(point)
        // What NFD takes apart, or the skeleton leaves out, never comes to its entry.
        if (character.normalize('NFD') !== character || /\p{Default_Ignorable_Code_Point}/u.test(character)) continue
        assert.equal(skeleton(character), looks.normalize('NFD'), point.toString(16))
      }
    }
  }
  assert.equal(count, 6565)
})

test('the look-alikes of domain names, from an older version of confusables.txt, have the skeletons of what they imitate', () => {
  // Letters that later versions took for something else.
  const changed = new Set<string>()
  for (const [latin, characters] of Object.entries(confusables)) {
    for (const character of characters) if (skeleton(character) !== skeleton(latin)) changed.add(character)
  }
  assert.ok(changed.size < 12, [...changed].join(' '))
})

test('words are suspected for the right reason', () => {
  const reasons = (text: string) => findHomoglyphs(text, 'all').words.map(({ word, reason }) => `${word}: ${reason}`)
  assert.deepEqual(reasons('pаypal сосо paypal'), ['pаypal: mixed scripts', 'сосо: passes for Latin'])
  assert.deepEqual(reasons('Привет, мир! Καλημέρα κόσμε,日本語テキスト 한국어 漢字かな'), [])
  assert.deepEqual(reasons('𝐩𝐚𝐲 ｐay'), ['𝐩𝐚𝐲: look-alikes', 'ｐay: look-alikes'])
  assert.deepEqual(reasons('naïve café Straße'), [])
  assert.deepEqual(reasons('Αpple'), ['Αpple: mixed scripts'])
})

test('every look-alike is told with its place, its script and what it passes for', () => {
  const { characters, ascii } = findHomoglyphs('Gоοgle І', 'all')
  assert.deepEqual(characters, [
    { position: 2, character: 'о', code_point: 'U+043E', script: 'Cyrillic', looks_like: 'o' },
    { position: 3, character: 'ο', code_point: 'U+03BF', script: 'Greek', looks_like: 'o' },
    { position: 8, character: 'І', code_point: 'U+0406', script: 'Cyrillic', looks_like: 'I' },
  ])
  assert.equal(ascii, 'Google I')
  assert.deepEqual(
    findHomoglyphs('Gоοgle І', 'Greek').characters.map(({ character }) => character),
    ['ο'],
  )
  assert.deepEqual(findHomoglyphs('Gоοgle', 'Latin').characters, [])
})

test('UTS 39: an imitation has the skeleton of what it imitates, by letters of the script that is asked for', () => {
  for (const scripts of homoglyphScripts) {
    for (const text of ['paypal', 'Microsoft', 'example.com', 'ADMIN 2024', 'café', 'привет', '']) {
      const { output, variants, choices } = imitate(text, scripts)
      for (const each of [output, ...variants]) assert.equal(skeleton(each), skeleton(text), `${scripts} ${each}`)
      if (scripts === 'all') continue
      for (const { look_alikes } of choices) assert.ok(look_alikes.every(other => scriptOf(other) === scripts))
    }
  }
  assert.equal(imitate('paypal', 'Cyrillic').output, 'раураӏ')
  assert.equal(imitate('xyz', 'Cyrillic').replaced, 2)
})

test('the best imitations come first', () => {
  assert.deepEqual(lookAlikesOf('a', 'all').slice(0, 2), ['а', 'α'])
  assert.deepEqual(lookAlikesOf('B', 'Greek'), ['Β'])
  assert.deepEqual(lookAlikesOf('а', 'Latin').slice(0, 1), ['a'])
  assert.deepEqual(lookAlikesOf(' ', 'Cyrillic'), [])
})
