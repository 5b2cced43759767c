import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceNames, subdomainWords } from './subdomain-words.ts'

test('RFC 1035 §2.3.4, RFC 8552: words are labels in lower case, each once', () => {
  for (const words of [subdomainWords, serviceNames]) {
    assert.equal(new Set(words).size, words.length)
    for (const word of words) assert.match(word, /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.|$))+$/)
  }
  assert.ok(subdomainWords.length > 4_900)
  assert.deepEqual(subdomainWords.slice(0, 3), ['www', 'mail', 'ftp'])
})
