import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '../src/csv.ts'

test('RFC 4180 §2: lines end in CR LF, quotes are doubled, fields with commas or breaks are quoted', () => {
  assert.equal(
    toCsv(
      ['a', 'b'],
      [
        ['1', 'x,y'],
        ['"q"', 'l1\nl2'],
      ],
    ),
    'a,b\r\n1,"x,y"\r\n"""q""","l1\nl2"\r\n',
  )
})

test('a text that a spreadsheet would run is disarmed, a number keeps its sign', () => {
  assert.equal(
    toCsv(['v'], [['=1+1'], ['@SUM(A1)'], ['+49'], ['-3.5'], ['-x'], ['＝1']]),
    "v\r\n'=1+1\r\n'@SUM(A1)\r\n+49\r\n-3.5\r\n'-x\r\n'＝1\r\n",
  )
})
