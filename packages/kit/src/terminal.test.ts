import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { printf, sh, shellWord } from './terminal.ts'

const hard = ["it's", '-n', '', 'a b', '$(id)', '`id`', '"', '\\', 'a\nb', '~', '*', '!x', 'é€', ';rm', '%s']

test('a shell gives quoted words back as they were', () => {
  for (const value of hard)
    assert.equal(execFileSync('sh', ['-c', `printf '%s' ${shellWord(value)}`], { encoding: 'utf8' }), value)
  assert.equal(execFileSync('sh', ['-c', sh`printf ${'%s|%s'} ${"a'b"} ${7}`], { encoding: 'utf8' }), "a'b|7")
})

test('a shell gives all 256 bytes back', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  assert.deepEqual(new Uint8Array(execFileSync('sh', ['-c', printf(bytes)])), bytes)
})

test('a leading hyphen is no option', () => {
  assert.equal(execFileSync('sh', ['-c', printf(new TextEncoder().encode('-n a-b'))], { encoding: 'utf8' }), '-n a-b')
})
