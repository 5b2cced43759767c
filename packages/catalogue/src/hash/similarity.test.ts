import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { ssdeep } from './ssdeep.ts'
import { tlsh } from './tlsh.ts'

async function run(tool: typeof tlsh, name: 'hash' | 'compare', raw: Record<string, unknown>) {
  const action = tool.actions.find(candidate => candidate.name === name)
  assert.ok(action)
  return (await performed(action, raw, replay())).result as Record<string, unknown>
}

const WORDS = 'the quick brown fox jumps over the lazy dog and the five boxing wizards jump quickly; '

test('a file and a text of the same content have the same hashes', async () => {
  for (const tool of [ssdeep, tlsh]) {
    const [text, file] = [
      await run(tool, 'hash', { input_text: WORDS.repeat(3) }),
      await run(tool, 'hash', { file: WORDS.repeat(3) }),
    ]
    assert.deepEqual(text, file)
    const { hash_value } = text
    const same = await run(tool, 'compare', { hash_value, hash_value_2: hash_value })
    assert.equal(same.score ?? 100 - Number(same.distance), 100)
  }
})

test('nothing, too little and no hash are refused at their fields', async () => {
  for (const [tool, name, raw, field, message] of [
    [ssdeep, 'hash', {}, 'input_text', /enter a text or choose a file/],
    [tlsh, 'hash', {}, 'input_text', /enter a text or choose a file/],
    [tlsh, 'hash', { input_text: 'short' }, 'input_text', /at least 50 bytes/],
    [tlsh, 'hash', { file: 'a'.repeat(1000) }, 'file', /uniform/],
    [ssdeep, 'compare', { hash_value: '3:a:b', hash_value_2: 'x' }, 'hash_value_2', /expected a hash/],
    [ssdeep, 'compare', { hash_value: '5:a:b', hash_value_2: '3:a:b' }, 'hash_value', /expected a hash/],
    [tlsh, 'compare', { hash_value: 'T1', hash_value_2: 'T1' }, 'hash_value', /70 hexadecimal digits/],
  ] as const) {
    await assert.rejects(run(tool, name, raw), { name: 'Problem', field, message }, JSON.stringify(raw).slice(0, 60))
  }
})
