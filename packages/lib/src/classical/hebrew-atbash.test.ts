import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hebrewAlphabets, hebrewAtbash } from './hebrew-atbash.ts'

test('Jeremiah 25:26 and 51:41: Babel is written Sheshach, with its final kaf', () => {
  assert.equal(hebrewAtbash('בבל'), 'ששך')
  assert.equal(hebrewAtbash('ששך'), 'בבל')
})

test('Jeremiah 51:1: Kasdim is written Lev Kamai, and comes back with its final mem', () => {
  assert.equal(hebrewAtbash('כשדים'), 'לבקמי')
  assert.equal(hebrewAtbash('לבקמי'), 'כשדים')
})

test('the alphabet backwards, the five final letters read as their letters', () => {
  assert.equal(hebrewAlphabets.plain.length, 22)
  assert.equal(hebrewAtbash(hebrewAlphabets.plain, 'never'), hebrewAlphabets.written)
  assert.equal(hebrewAtbash('ךםןףץ', 'never'), hebrewAtbash('כמנפצ', 'never'))
  assert.equal(hebrewAtbash('ךםןףץ', 'never'), 'ליטוה')
})

test('without final forms a letter stays as it is in the middle of a word', () => {
  assert.equal(hebrewAtbash('בבל', 'never'), 'ששכ')
})

test('a final form comes at the end of each word, before any mark but points', () => {
  assert.equal(hebrewAtbash('ל ל, ל.'), 'ך ך, ך.')
  assert.equal(hebrewAtbash('בָּבֶל'), 'שָּשֶך', 'points stay with the place of their letter')
  assert.equal(hebrewAtbash('לָא'), 'כָת')
  assert.equal(hebrewAtbash('ל־ל'), 'ך־ך', 'a maqaf ends a word')
})

test('words of correct spelling come back', () => {
  for (const word of ['שלום', 'ארץ', 'מלך', 'כסף', 'בן', 'אבגדהוזחטיכלמנסעפצקרשת']) {
    assert.equal(hebrewAtbash(hebrewAtbash(word)), word)
  }
})

test('everything else stays, and marks without end take no time', () => {
  assert.equal(hebrewAtbash('abc 123 é 😀 ﬡ'), 'abc 123 é 😀 ﬡ')
  const marks = `ל${'\u05b8'.repeat(500_000)}`.repeat(2)
  assert.equal(hebrewAtbash(marks).length, marks.length)
  assert.equal(hebrewAtbash('ל'.repeat(1_000_000)), `${'כ'.repeat(999_999)}ך`)
})
