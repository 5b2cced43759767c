import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDigit, readChecked } from './check-digit.ts'

test('GS1 General Specifications §7.9: published numbers', () => {
  for (const number of [
    // gs1.org, How to calculate a check digit manually.
    '6291041500213',
    '376104250021234569',
    // Wikipedia, ISBN and Universal Product Code; the numbers that bwip-js shows its symbologies with.
    ...[
      '9780306406157',
      '09521234543213',
      '95200002',
      '9520123456788',
      '012345000058',
      '036000291452',
      '15400141288763',
    ],
  ]) {
    assert.equal(checkDigit(number.slice(0, -1)), number.slice(-1), number)
  }
})

test('a single wrong digit is always noticed', () => {
  const number = '9520123456788'
  for (let i = 0; i < number.length; i++) {
    for (let digit = 0; digit < 10; digit++) {
      const changed = number.slice(0, i) + digit + number.slice(i + 1)
      if (changed === number) continue
      assert.throws(() => readChecked(changed, 13), {
        message: /^the check digit at the end does not fit, expected \d$/,
      })
    }
  }
})

test('the check digit is verified or added, and hyphens are passed over', () => {
  assert.deepEqual(readChecked('978-0-306-40615-7', 13), { digits: '9780306406157', check: 'verified' })
  assert.deepEqual(readChecked('978 0306 40615', 13), { digits: '9780306406157', check: 'added' })
})

test('what is no number of that length is refused', () => {
  for (const [text, message] of [
    ['97803064061x7', 'character 12 is not a digit'],
    ['٩780306406157', 'character 1 is not a digit'],
    ['', 'expected 13 digits, or 12 without the check digit, got 0'],
    ['97803064061577', 'expected 13 digits, or 12 without the check digit, got 14'],
  ] as const) {
    assert.throws(() => readChecked(text, 13), { name: 'RangeError', message })
  }
})
