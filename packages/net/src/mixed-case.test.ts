import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQuery, decodeMessage, encodeMessage } from '@assay/lib/dns/message'
import { mixCase } from './mixed-case.ts'

const NAME = 'www.ex-4mple.\\000z[@`{.test.'
const query = encodeMessage(createQuery({ id: 4711, name: NAME, type: 'A' }))
const flipped = mixCase(query, length => new Uint8Array(length).fill(0xff))

test('only the letters of the name change', () => {
  const [question] = decodeMessage(flipped.bytes).questions
  assert.equal(question?.name, 'WWW.EX-4MPLE.\\000Z[\\@`{.TEST.')
  const same = mixCase(query, length => new Uint8Array(length).fill(0xdf))
  assert.deepEqual(same.bytes, Uint8Array.from(query))
  assert.deepEqual(flipped.bytes.subarray(-11), Uint8Array.from(query).subarray(-11))
})

test('a response that repeats the case is given back as it was asked', () => {
  assert.deepEqual(flipped.restore(flipped.bytes), Uint8Array.from(query))
})

test('a response in another case, without a question or cut short is none', () => {
  assert.equal(flipped.restore(query), undefined)
  assert.equal(flipped.restore(flipped.bytes.subarray(0, 12)), undefined)
  assert.equal(flipped.restore(flipped.bytes.subarray(0, 16)), undefined)
  assert.equal(flipped.restore(new Uint8Array()), undefined)
})
