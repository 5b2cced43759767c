import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loginOverHttp } from './authentication.ts'
import { metaPolicies } from './grade.ts'
import { startTags } from './start-tags.ts'

test('HTML §13.1.2.1: start tags in any case, over lines, and none that is not closed', () => {
  const page = '<META a>x<metal b><meta\nc="1">< meta d><meta/><meta e'
  assert.deepEqual(startTags(page, 'meta'), ['<META a>', '<meta\nc="1">', '<meta/>'])
  assert.deepEqual(startTags('', 'form'), [])
})

/** 1 MiB, as much of a page as is read. */
const full = (text: string) => text.repeat(Math.floor(1_048_576 / text.length))

test('security C4: pages of tags that nobody closes are read in one pass', () => {
  const start = performance.now()
  for (const text of ['<meta', '<meta ', '<input', '<input type', '<input type=password ', '<form', '<form action=']) {
    for (const url of ['http://a.test/', 'https://a.test/']) {
      const body = new TextEncoder().encode(`<input type=password>${full(text)}`)
      const answer = { url, status: 200, headers: [], body }
      assert.deepEqual(metaPolicies(answer), [])
      loginOverHttp(answer)
    }
  }
  // They took minutes when every tag was looked for from every opening.
  assert.ok(performance.now() - start < 5_000)
})
