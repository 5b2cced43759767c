import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { reasonPhrase } from './reason.ts'

/** Names that RFC 9110 gave anew, and codes that Node keeps though they are obsolete or a joke. */
const renamed: Readonly<Record<string, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' }
const leftOut = ['102', '418', '509', '510']

test("IANA registry: the phrases are Node's, but for those that RFC 9110 §15 renamed", () => {
  for (const [code, phrase] of Object.entries(STATUS_CODES)) {
    const expected = leftOut.includes(code) ? '' : (renamed[code] ?? phrase)
    assert.equal(reasonPhrase(Number(code)), expected, code)
  }
})

test('a code that is not registered has no phrase', () => {
  for (const code of [0, 99, 299, 418, 999, Number.NaN]) assert.equal(reasonPhrase(code), '')
})
