import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUtf8 } from '../bytes.ts'
import {
  type Candidates,
  MAX_CANDIDATE_BYTES,
  maskCandidates,
  maskSize,
  parseMask,
  variationCount,
  wordCandidates,
} from './candidates.ts'
import { commonPasswords } from './common-passwords.ts'

function all(candidates: Candidates): string[] {
  const buffer = new Uint8Array(MAX_CANDIDATE_BYTES)
  const texts: string[] = []
  for (;;) {
    const length = candidates.next(buffer)
    if (length < 0) return texts
    texts.push(toUtf8(buffer.subarray(0, length)))
  }
}

test('hashcat mask attack: the character sets have the sizes of its documentation', () => {
  for (const [mask, size] of [
    ['?l', 26],
    ['?u', 26],
    ['?d', 10],
    ['?h', 16],
    ['?H', 16],
    ['?s', 33],
    ['?a', 95],
    ['??', 1],
    ['x', 1],
    ['?a?a', 95 * 95],
    ['?u?l?l?d2024??', 26 * 26 * 26 * 10],
  ] as const) {
    assert.equal(maskSize(parseMask(mask)), size, mask)
  }
})

test('hashcat mask attack: ?s is the printable ASCII that is neither letter nor digit', () => {
  const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  assert.deepEqual(
    parseMask('?s')[0]?.toSorted(),
    printable.filter(character => !/[A-Za-z0-9]/.test(character)).toSorted(),
  )
  assert.deepEqual(parseMask('?a')[0]?.toSorted(), printable.toSorted())
})

test('a mask gives each of its passwords once, and no other', () => {
  const found = all(maskCandidates('?d-?h??é'))
  assert.equal(found.length, 160)
  assert.equal(new Set(found).size, 160)
  assert.ok(found.every(text => /^\d-[0-9a-f]\?é$/.test(text)))
  assert.deepEqual(all(maskCandidates('abc')), ['abc'])
  assert.deepEqual(all(maskCandidates('🔑?d')).slice(0, 2), ['🔑0', '🔑1'])
})

test('what is no mask is refused', () => {
  for (const mask of ['', '?', '?x', '?l?', '?b', 'a'.repeat(65)])
    assert.throws(() => parseMask(mask), RangeError, mask)
})

test('words alone come in their order, each once', () => {
  assert.deepEqual(all(wordCandidates(['b', 'a', 'ß'], false)), ['b', 'a', 'ß'])
  assert.deepEqual(all(wordCandidates([], true)), [])
})

test('variations: what people do to a word is tried, likely things first, and nothing twice', () => {
  const found = all(wordCandidates(['monkey', 'dragon', 'sister'], true))
  assert.deepEqual(found.slice(0, 4), ['monkey', 'dragon', 'sister', 'Monkey'])
  for (const text of [
    'MONKEY',
    'm0nk3y',
    'dr@g0n',
    'Monkey1',
    'monkey123',
    'Monkey!',
    'dragon2024',
    'Dragon1987',
    'Dragon2025!',
    'dragon07',
    'DRAGON12345',
    'yeknom',
    '$1$t3r',
    '51573r',
  ]) {
    assert.ok(found.includes(text), text)
  }
  assert.equal(new Set(found).size, found.length)
  assert.ok(found.length <= 3 * variationCount(true))
})

test('how a candidate came about is said', () => {
  const candidates = wordCandidates(['monkey'], true)
  const buffer = new Uint8Array(MAX_CANDIDATE_BYTES)
  const said = new Map<string, string>()
  for (let length = candidates.next(buffer); length >= 0; length = candidates.next(buffer)) {
    said.set(toUtf8(buffer.subarray(0, length)), candidates.how())
  }
  assert.equal(said.get('monkey'), 'as it stands')
  assert.equal(said.get('Monkey2024'), 'first letter capital, then 2024')
  assert.equal(said.get('m0nk3y1'), 'letters as signs, then 1')
})

test('position moves from nothing to the total', () => {
  for (const candidates of [maskCandidates('?d?d'), wordCandidates(['a', 'b'], true)]) {
    assert.equal(candidates.position(), 0)
    all(candidates)
    assert.equal(candidates.position(), candidates.total)
  }
})

test('the longest word with the longest ending fits the buffer, a longer word is refused', () => {
  const longest = '漢'.repeat(128)
  assert.ok(all(wordCandidates([longest], true)).every(text => text.startsWith(longest)))
  assert.throws(() => wordCandidates(['a', 'x'.repeat(129)], false), /word 2 has more/)
})

test('the common passwords are over a thousand, each once, in Unicode and without spaces', () => {
  assert.ok(commonPasswords.length > 1000)
  assert.ok(commonPasswords.every(word => /^\S{1,30}$/.test(word) && word.isWellFormed()))
  assert.ok(commonPasswords.length * variationCount(true) <= 2_000_000, 'with all variations within the usual limit')
})
