import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord } from '@assay/lib/dns/message'
import { createResolverCache, type Found, Memory } from './resolver-cache.ts'

const found = (name: string, octets: number): Found => ({
  kind: 'answer',
  links: [],
  target: name,
  records: [
    createRecord('TXT', { name, ttl: 60 }, { strings: Array.from({ length: octets / 250 }, () => 'x'.repeat(250)) }),
  ],
  proof: [],
  server: '192.0.2.53',
  zone: 'example.test.',
})

test('what was used least recently is forgotten first, by number', () => {
  const memory = new Memory<number>(() => 0, { entries: 2 })
  memory.set('a', 1, 60)
  memory.set('b', 2, 60)
  memory.get('a')
  memory.set('c', 3, 60)
  assert.deepEqual(
    ['a', 'b', 'c'].map(key => memory.get(key)),
    [1, undefined, 3],
  )
})

test('what has run out gives its room back', () => {
  let now = 0
  const memory = new Memory<string>(
    () => now,
    { bytes: 1_600 },
    value => value.length,
  )
  for (let i = 0; i < 20; i++) memory.set(`${i}`, 'x'.repeat(100), 1)
  assert.equal(memory.size, 16)
  now = 1_000
  for (let i = 0; i < 20; i++) assert.equal(memory.get(`${i}`), undefined)
  assert.equal(memory.size, 0)
  for (let i = 0; i < 20; i++) memory.set('one', 'x'.repeat(100), 1)
  memory.set('other', 'x'.repeat(100), 1)
  assert.equal(memory.size, 2)
})

test('security H1: a server that answers every name with 60,000 octets fills a room, and not the memory', () => {
  const { answers } = createResolverCache(() => 0)
  for (let i = 0; i < 500; i++) answers.set(`${i}.example.test. TXT`, found(`${i}.example.test.`, 60_000), 30)
  assert.ok(answers.size > 20 && answers.size < 100, String(answers.size))
  assert.ok(answers.get('499.example.test. TXT'))
})

test('an entry that would push out most others is not kept', () => {
  const { answers } = createResolverCache(() => 0, { bytes: 1_000_000 })
  answers.set('small', found('small.example.test.', 250), 30)
  answers.set('large', found('large.example.test.', 60_000), 30)
  assert.deepEqual([answers.get('small')?.target, answers.get('large')], ['small.example.test.', undefined])
})
