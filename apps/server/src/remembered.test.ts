import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemembered } from './remembered.ts'

const outcome = (result: string) => ({ input: {}, result })

test('[OPEN-042] an outcome is found while it is fresh enough for who asks, and the newest counts', () => {
  let at = 0
  const remembered = createRemembered(10, () => new Date(at))
  remembered.keep('a', outcome('old'))
  at = 1_000
  assert.equal(remembered.find('a', 1_000)?.result, 'old')
  assert.equal(remembered.find('a', 999), undefined)
  assert.equal(remembered.find('b', 1_000), undefined)
  remembered.keep('a', outcome('new'))
  assert.equal(remembered.find('a', 0)?.result, 'new')
})

test('the oldest are forgotten beyond the bound', () => {
  const remembered = createRemembered(2, () => new Date(0))
  for (const key of ['a', 'b', 'a', 'c']) remembered.keep(key, outcome(key))
  assert.equal(remembered.find('b', 1), undefined)
  assert.equal(remembered.find('a', 1)?.result, 'a')
  assert.equal(remembered.find('c', 1)?.result, 'c')
})
