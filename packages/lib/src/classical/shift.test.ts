import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { atbash, caesar, inverse, likeliest, substitute, tryShifts } from './shift.ts'

const PANGRAM = 'The quick brown fox jumps over the lazy dog'

test('Suetonius, Divus Iulius 56: D for A, and so on', () => {
  assert.equal(caesar(3), 'DEFGHIJKLMNOPQRSTUVWXYZABC')
  assert.equal(substitute(PANGRAM, caesar(3)), 'Wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj')
})

test('rot13 is the same as the rot_13 codec of Python', t => {
  const text = `${PANGRAM}, 42 × ÄÖÜ ß 😀 {}`
  try {
    const code = 'import codecs, sys; sys.stdout.buffer.write(codecs.encode(sys.argv[1], "rot13").encode())'
    assert.equal(substitute(text, caesar(13)), execFileSync('python3', ['-c', code, text], { encoding: 'utf8' }))
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    t.skip('no python3')
  }
})

test('atbash writes the alphabet backwards and undoes itself', () => {
  assert.equal(substitute('abc XYZ', atbash()), 'zyx CBA')
  assert.equal(substitute(substitute(PANGRAM, atbash()), atbash()), PANGRAM)
  assert.equal(inverse(atbash()), atbash())
})

test('every shift is undone by its inverse, below zero and beyond 26 as well', () => {
  for (let shift = -60; shift <= 60; shift++) {
    assert.equal(substitute(substitute(PANGRAM, caesar(shift)), inverse(caesar(shift))), PANGRAM)
    assert.equal(caesar(shift), caesar(shift + 26))
    assert.equal(inverse(caesar(shift)), caesar(-shift))
  }
})

test('everything but A to Z stays: accents, digits, emoji and letters of other scripts', () => {
  const text = 'é 123 \u{1f600} Ж 漢 ß İ ı ſ \u212a'
  assert.equal(substitute(text, caesar(5)), text)
})

test('the likeliest of all shifts is the one an English text was encrypted with', () => {
  for (const text of [
    'It is a truth universally acknowledged, that a single man must be in want of a wife.',
    PANGRAM,
  ]) {
    for (let shift = 0; shift < 26; shift++) {
      const trials = tryShifts(substitute(text, caesar(shift)))
      assert.deepEqual(
        trials.map(trial => trial.shift),
        Array.from({ length: 26 }, (_, i) => i),
      )
      assert.equal(likeliest(trials)?.shift, shift)
    }
  }
})

test('the surprise of E is its share of English as a logarithm', () => {
  const [trial] = tryShifts('Eee!')
  assert.equal(trial?.surprise, -Math.log2(0.12702))
})

test('a text without letters has no likeliest shift', () => {
  assert.equal(likeliest(tryShifts('123 !?')), undefined)
  assert.equal(likeliest(tryShifts('')), undefined)
})
