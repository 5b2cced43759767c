import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entry, findTools, recognise } from '../src/search.ts'

const entry = (title: string, words: string, more: Partial<Entry> = {}): Entry => ({
  title,
  href: `/c/${title.toLowerCase()}/`,
  category: 'C',
  words,
  runs: 'anywhere',
  takes: [],
  ...more,
})
const entries: readonly Entry[] = [
  entry('SHA-3 and BLAKE', 'sha3, keccak', { takes: [{ field: 'input_text', kinds: ['text'] }] }),
  entry('SHA-1 and SHA-2', 'sha, sha256sum, fips 180-4', { takes: [{ field: 'input_text', kinds: ['text'] }] }),
  entry('DNS Lookup', 'dns lookup, dig', { runs: 'server', takes: [{ field: 'domain', kinds: ['domain'] }] }),
  entry('Key Reader', 'pem', { takes: [{ field: 'privateKey', kinds: ['private-key'], secret: true }] }),
]
const titles = (found: readonly { entry: Entry }[]) => found.map(match => match.entry.title)

test('tools are found by name, by other words, and only when every word fits', () => {
  assert.deepEqual(titles(findTools(entries, 'sha256', 5)), ['SHA-1 and SHA-2'])
  assert.deepEqual(titles(findTools(entries, 'dig', 5)), ['DNS Lookup'])
  assert.deepEqual(titles(findTools(entries, 'sha', 5)).length, 2)
  assert.deepEqual(findTools(entries, 'sha nonsense', 5), [])
  assert.deepEqual(findTools(entries, '   ', 5), [])
  assert.deepEqual(findTools(entries, '(*[', 5), [])
})

test('a pasted value goes to the tools that take it: into the query of a lookup, into the fragment of the others', () => {
  const [first, ...others] = recognise(entries, ' example.com ', 5)
  assert.equal(first?.words, 'Domain name')
  assert.equal(first?.matches[0]?.href, '/c/dns lookup/?domain=example.com')
  assert.equal(others.at(-1)?.matches[0]?.href, '/c/sha-3 and blake/#input_text=example.com')
})

test('a secret is offered its tool but is not carried there', () => {
  const [first] = recognise(entries, '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----', 5)
  assert.equal(first?.matches[0]?.href, '/c/key reader/')
})
