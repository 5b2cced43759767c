import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type CharacterClass,
  characterClasses,
  charactersOf,
  generateFromMask,
  generatePasswords,
  maskEntropy,
  parseMask,
  passwordEntropy,
  SIMILAR,
} from './password.ts'
import type { Random } from './uniform.ts'

function seeded(seed: string): Random {
  let counter = 0
  return length => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32)
      blocks.push(createHash('sha256').update(`${seed}${counter++}`).digest())
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length))
  }
}

const names = Object.keys(characterClasses) as CharacterClass[]
const all = names.map(name => characterClasses[name])

/** Chi-squared of counts that should be equal. */
function chiSquared(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

test('every password has its length and a character of every class, and no other', () => {
  for (const length of [4, 5, 8, 20, 256]) {
    for (const password of generatePasswords(all, length, 50, seeded('classes'))) {
      assert.equal(password.length, length)
      for (const characters of all) assert.ok([...password].some(character => characters.includes(character)))
      assert.match(password, /^[!-~]+$/)
    }
  }
})

test('every character of the alphabet appears, equally often within its class', () => {
  const text = generatePasswords(all, 20, 3000, seeded('alphabet')).join('')
  for (const characters of all) {
    const counts = [...characters].map(character => text.split(character).length - 1)
    assert.ok(counts.every(count => count > 0))
    // The 0.9999 quantile of chi-squared with 31 degrees of freedom, the most here, is about 69.
    assert.ok(chiSquared(counts) < 69, `${characters}: ${chiSquared(counts)}`)
  }
})

test('with classes demanded, every password that has them is equally likely', () => {
  const classes = ['ab', '1']
  const possible = ['a1', 'b1', '1a', '1b']
  const passwords = generatePasswords(classes, 2, 20_000, seeded('joint'))
  const counts = possible.map(wanted => passwords.filter(password => password === wanted).length)
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    20_000,
  )
  // The 0.999 quantile of chi-squared with 3 degrees of freedom is 16.27.
  assert.ok(chiSquared(counts) < 16.27, counts.join(' '))
})

test('the entropy counts exactly the passwords there are', () => {
  assert.ok(Math.abs(passwordEntropy(['0123456789'], 4) - Math.log2(10_000)) < 1e-12)
  assert.equal(passwordEntropy(['ab', '1'], 2), 2)
  // Of 3^3 strings over abc, those with a, b and c are the 3! orders.
  assert.ok(Math.abs(passwordEntropy(['a', 'b', 'c'], 3) - Math.log2(6)) < 1e-12)
  // By brute force: over {a, b, 1, 2, 3} in four places.
  let count = 0
  for (let i = 0; i < 5 ** 4; i++) {
    const digits = i.toString(5).padStart(4, '0')
    if (/[01]/.test(digits) && /[234]/.test(digits)) count++
  }
  assert.ok(Math.abs(passwordEntropy(['ab', '123'], 4) - Math.log2(count)) < 1e-12)
  const long = passwordEntropy(all, 256)
  assert.ok(Math.abs(long - 256 * Math.log2(94)) < 1e-6)
})

test('similar characters are left out', () => {
  const classes = names.map(name => charactersOf(name, true))
  const text = generatePasswords(classes, 20, 500, seeded('similar')).join('')
  for (const character of SIMILAR) assert.ok(!text.includes(character))
  assert.equal(new Set(text).size, 94 - SIMILAR.length)
})

test('no classes, and fewer places than classes, are refused', () => {
  assert.throws(() => generatePasswords([], 8, 1, seeded('a')), /expected at least one kind of character/)
  assert.throws(() => generatePasswords(all, 3, 1, seeded('a')), /expected at least 4, one for every kind/)
})

test('a mask puts each set in its place and all else as it stands', () => {
  const mask = parseMask('?u?l?d?s-é😀??-?h?H?a', false)
  for (const password of generateFromMask(mask, 200, seeded('mask'))) {
    assert.match(password, /^[A-Z][a-z][0-9][!-/:-@[-`{-~]-é😀\?-[0-9a-f][0-9A-F][!-~]$/u)
  }
  const bits = Math.log2(26) * 2 + Math.log2(10) + Math.log2(32) + 8 + Math.log2(94)
  assert.ok(Math.abs(maskEntropy(mask) - bits) < 1e-9)
  assert.equal(maskEntropy(parseMask('?d?d', true)), 2 * Math.log2(8))
})

test('every character of a set appears in its place', () => {
  const passwords = generateFromMask(parseMask('?a', false), 2000, seeded('place'))
  assert.equal(new Set(passwords).size, 94)
})

test('masks that mean nothing are refused', () => {
  assert.throws(() => parseMask('?u?x', false), /character 3 is a question mark without one of/)
  assert.throws(() => parseMask('?u?', false), /character 3 is a question mark/)
  assert.throws(() => parseMask('abc??', false), /there is nothing to choose/)
})
