import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from '../src/matches.ts'

test('what is expected must be there, what is not may be', () => {
  assert.equal(matches({ a: 1, b: [1, 2], c: 'x' }, { a: 1, b: [1] }), undefined)
  assert.equal(matches({ a: null }, { a: null }), undefined)
})

test('a difference is named by its path', () => {
  assert.equal(matches({ a: { b: [1, 2] } }, { a: { b: [1, 3] } }), 'result.a.b[1] differs')
  assert.equal(matches({}, { a: { b: 1 } }), 'result.a is missing')
  assert.equal(matches({ a: [] }, { a: [1] }), 'result.a is shorter')
})
