import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { formatNumeral, MAX_FRACTION_DIGITS, maxDigits, parseNumeral, twosComplement } from './numeral.ts'

const convert = (text: string, from: number, to: number) => formatNumeral(parseNumeral(text, from), to).text

test('CyberChef, FromBase.mjs: whole numbers and fractions', () => {
  for (const [text, base, decimal] of [
    ['1010', 2, '10'],
    ['10.1', 2, '2.5'],
    ['a.8', 16, '10.5'],
    ['77', 8, '63'],
    ['7.4', 8, '7.5'],
  ] as const) {
    assert.equal(convert(text, base, 10), decimal)
    assert.equal(convert(decimal, 10, base), text)
  }
})

test('signs, prefixes and separators', () => {
  for (const [text, base, decimal] of [
    ['-ff', 16, '-255'],
    ['\u2212FF', 16, '-255'],
    ['+0xFF', 16, '255'],
    ['0b1010_1010', 2, '170'],
    ['0O17', 8, '15'],
    ["1'000'000", 10, '1000000'],
    ['1,000,000.5', 10, '1000000.5'],
    ['dead beef', 16, '3735928559'],
    [' 42\n', 10, '42'],
    ['-0', 10, '0'],
    ['0b1', 16, '177'],
    ['.5', 10, '0.5'],
    ['5.', 10, '5'],
    ['007', 8, '7'],
    ['z', 36, '35'],
  ] as const) {
    assert.equal(convert(text, base, 10), decimal, text)
  }
})

test('fractions are exact: those that do not end repeat, in parentheses', () => {
  for (const [text, from, to, written] of [
    ['0.1', 10, 2, '0.0(0011)'],
    ['0.2', 10, 16, '0.(3)'],
    ['0.1', 3, 10, '0.(3)'],
    ['0.25', 10, 2, '0.01'],
    ['-0.001', 2, 10, '-0.125'],
    ['1.1', 7, 10, '1.(142857)'],
    ['0.0', 10, 2, '0'],
  ] as const) {
    assert.deepEqual(formatNumeral(parseNumeral(text, from), to), { text: written, cut: false })
  }
  const long = formatNumeral(parseNumeral(`0.${'0'.repeat(20)}1`, 10), 3)
  assert.equal(long.cut, true)
  assert.equal(long.text.length, MAX_FRACTION_DIGITS + 2)
})

test('400 random numbers in every base: the same as int() of Python reads', t => {
  const cases = Array.from({ length: 400 }, (_, i) => {
    const base = 2 + (i % 35)
    const value = BigInt(`0x${randomBytes(1 + (i % 60)).toString('hex')}`) * (i % 3 ? 1n : -1n)
    return { base, to: 2 + ((i * 7) % 35), text: value.toString(base) }
  })
  const script = `import sys, json
print(json.dumps([str(int(case['text'], case['base'])) for case in json.load(sys.stdin)]))`
  let decimals: string[]
  try {
    decimals = JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, { base, to, text }] of cases.entries()) {
    assert.equal(convert(text, base, 10), decimals[i])
    assert.equal(convert(decimals[i] ?? '', 10, base), text)
    assert.equal(convert(convert(text.toUpperCase(), base, to), to, base), text)
  }
})

test('300 random fractions come back from every base, and have the value that Python gives', t => {
  const cases = Array.from({ length: 300 }, (_, i) => {
    const base = [2, 8, 10, 16, 3, 36][i % 6] ?? 10
    const digits = Array.from(randomBytes(6), byte => (byte % base).toString(base)).join('')
    return { base, text: `${digits.slice(0, 3)}.${digits.slice(3)}`, digits }
  })
  const script = `import sys, json
from fractions import Fraction
out = []
for case in json.load(sys.stdin):
    value = Fraction(int(case['digits'], case['base']), case['base'] ** 3)
    out.append([str(value.numerator), str(value.denominator)])
print(json.dumps(out))`
  let values: [string, string][]
  try {
    values = JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, { base, text }] of cases.entries()) {
    const { numerator, denominator } = parseNumeral(text, base)
    const [expected = '', under = ''] = values[i] ?? []
    assert.equal(numerator * BigInt(under), denominator * BigInt(expected))
    const double = formatNumeral(parseNumeral(text, base), base).text
    assert.equal(convert(double, base, base), double)
  }
})

test('the bound stands before the work, and what is within it is done', () => {
  assert.equal(maxDigits(10), 315_653)
  const most = '9'.repeat(maxDigits(10) - 1)
  assert.equal(convert(convert(most, 10, 7), 7, 10), most)
  assert.throws(() => parseNumeral(`${most}99`, 10), /expected at most 315653 digits in base 10/)
  assert.equal(convert('1'.repeat(2 ** 20), 2, 16), 'f'.repeat(2 ** 18))
  assert.throws(
    () => parseNumeral(`0.${'1'.repeat(MAX_FRACTION_DIGITS + 1)}`, 10),
    /at most 2000 digits after the point/,
  )
})

test("two's complement, to the edges of each word", () => {
  for (const [value, bits, hex] of [
    [-1n, 8, 'ff'],
    [-128n, 8, '80'],
    [255n, 8, 'ff'],
    [-129n, 8, undefined],
    [256n, 8, undefined],
    [-2n, 32, 'fffffffe'],
    [-(2n ** 63n), 64, '8000000000000000'],
    [0n, 16, '0000'],
  ] as const) {
    assert.equal(twosComplement(value, bits), hex)
  }
})

test('refusals say at which character and why', () => {
  for (const [text, base, reason] of [
    ['', 10, /^expected at least one digit$/],
    ['-', 10, /^expected at least one digit$/],
    ['0x', 16, /^expected at least one digit$/],
    ['12a', 10, /^character 3 is no digit of base 10$/],
    ['102', 2, /^character 3 is no digit of base 2$/],
    ['0x1F', 10, /^the prefix at character 1 is that of base 16, and base 10 is chosen$/],
    ['-0b1', 8, /^the prefix at character 2 is that of base 2, and base 8 is chosen$/],
    ['1.2.3', 10, /^character 4 is no digit of base 10$/],
    ['1--2', 10, /^character 2 is no digit/],
    ['_1', 10, /^the separator at character 1 is not between digits$/],
    ['1__0', 10, /^the separator at character 3 is not between digits$/],
    ['10_', 10, /^the separator at character 3 is not between digits$/],
    ['1_.5', 10, /^the separator at character 2/],
    ['1._5', 10, /^the separator at character 3/],
    ['1e5', 10, /^character 2 is no digit/],
    ['١', 10, /^character 1 is no digit/],
  ] as const) {
    assert.throws(() => parseNumeral(text, base), { name: 'RangeError', message: reason }, text)
  }
})
