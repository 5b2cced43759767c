import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalDate, shortDate } from './dates.ts'

const MOMENT = '2024-01-02T03:04:05Z'

test('the shapes of dates that registries use', () => {
  for (const [typed, expected] of [
    ['2024-01-02T03:04:05Z', MOMENT],
    ['2024-01-02T03:04:05.123Z', MOMENT],
    ['2024-01-02T05:04:05+02:00', MOMENT],
    ['2024-01-02T03:04:05+0000', MOMENT],
    ['2024-01-02 06:04:05+03', MOMENT],
    ['2024-01-02 11:04:05 (UTC+8)', MOMENT],
    ['2024/01/02 12:04:05 (JST)', MOMENT],
    ['2024-01-02 03:04:05', MOMENT],
    ['02-Jan-2024 03:04:05 UTC', MOMENT],
    ['Tue Jan  2 03:04:05 UTC 2024', MOMENT],
    ['Tue, 02 Jan 2024 03:04:05 GMT', MOMENT],
    ['20240102 03:04:05', MOMENT],
    ['2024-01-01T24:00:00Z', '2024-01-02T00:00:00Z'],
    ['02.01.2024', '2024-01-02'],
    ['2. 1. 2024', '2024-01-02'],
    ['02/01/2024', '2024-01-02'],
    ['2-Jan-2024', '2024-01-02'],
    ['02-jan-2024', '2024-01-02'],
    ['2 January 2024', '2024-01-02'],
    ['January 2 2024', '2024-01-02'],
    ['Jan 2, 2024', '2024-01-02'],
    ['2024-Jan-02.', '2024-01-02'],
    ['2024. 01. 02.', '2024-01-02'],
    ['2024.01.02', '2024-01-02'],
    ['2024/01/02', '2024-01-02'],
    ['20240102', '2024-01-02'],
    ['before Aug-1996', 'before 1996-08'],
  ]) {
    assert.equal(canonicalDate(String(typed)), expected, typed)
  }
})

test('what is no date, or one that nobody could be sure of, is none', () => {
  for (const typed of [
    ...['', 'never', 'N/A', '0000-00-00', '2024-13-01', '31.02.2024', '02-Jan-24', '2024', '1234567890', 'before now'],
    ...['2024-01-02T99:00:00Z', '2024-01-02 garbage behind it', '9'.repeat(100), 'Jan'],
  ]) {
    assert.equal(canonicalDate(typed), undefined, typed)
  }
})

test('[OPEN-055] short US dates by the calendar of UTC', () => {
  assert.equal(shortDate('2025-07-01'), 'Jul 1, 2025')
  assert.equal(shortDate('2025-07-01T00:30:00Z'), 'Jul 1, 2025')
  assert.equal(shortDate('2025-07-01T00:30:00+02:00'), 'Jun 30, 2025')
  assert.equal(shortDate('before Aug-1996'), 'before Aug 1996')
  assert.equal(shortDate('soon'), undefined)
})

test('RFC 3339: any moment survives', () => {
  const moments = fc.date({ min: new Date('1985-01-01'), max: new Date('2150-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, moment => {
      const text = `${moment.toISOString().slice(0, 19)}Z`
      assert.equal(canonicalDate(text), text)
    }),
  )
})

test('whatever is written gives a date or none', () => {
  const pieces = fc.constantFrom(
    '2024',
    '01',
    '2',
    '-',
    '/',
    '.',
    ' ',
    'T',
    ':',
    '+',
    'Jan',
    'Z',
    'before',
    '(',
    ')',
    '\t',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 30 }).map(all => all.join('')),
      ),
      text => {
        const date = canonicalDate(text)
        assert.ok(date === undefined || /^(before )?\d{4}-\d\d(-\d\d(T\d\d:\d\d:\d\dZ)?)?$/.test(date), date)
      },
    ),
    { numRuns: 5_000 },
  )
})
