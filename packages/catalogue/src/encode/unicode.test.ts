import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { unicode } from './unicode.ts'

async function run(name: 'utf8' | 'escape' | 'normalize', input: Record<string, unknown>) {
  const action = unicode.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input: read } = await performed(action, input, replay())
  return { result: result as Record<string, unknown>, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-045] RFC 3629 §7: the bytes of a text and the text of bytes', async () => {
  const { result } = await run('utf8', { operation: 'encode', input_text: '\ud55c\uad6d\uc5b4' })
  assert.equal(result.encoded, 'ed959ceab5adec96b4')
  const back = await run('utf8', { operation: 'decode', input_text: 'ed959ceab5adec96b4' })
  assert.equal(back.result.decoded, '\ud55c\uad6d\uc5b4')
})

test('inspect is the default, and tells the first characters one by one', async () => {
  const { result, panels } = await run('utf8', { input_text: 'a\u0301'.repeat(600) })
  assert.equal((result.characters as unknown[]).length, 500)
  assert.deepEqual(result.forms, ['NFD', 'NFKD'])
  assert.deepEqual(
    panels.map(({ kind }) => kind),
    ['facts', 'table', 'note'],
  )
  const composed = await run('utf8', { input_text: 'a\u0301', normalization: 'NFC' })
  assert.equal((composed.result.counts as { code_points: number }).code_points, 1)
})

test('bytes go in and out in any format, with and without a byte order mark', async () => {
  const marked = await run('utf8', {
    operation: 'encode',
    input_text: 'a',
    encoding: 'UTF-16BE',
    byte_order_mark: 'yes',
    output_format: 'Base64',
  })
  assert.equal(marked.result.encoded, '/v8AYQ==')
  const read = await run('utf8', {
    operation: 'decode',
    input_text: '/v8AYQ==',
    encoding: 'UTF-16BE',
    input_format: 'Base64',
  })
  assert.deepEqual([read.result.decoded, read.result.byte_order_mark], ['a', true])
  const latin = await run('utf8', { operation: 'decode', input_text: 'Ã©', input_format: 'Latin-1' })
  assert.equal(latin.result.decoded, 'é')
})

test('refusals name the field and the place', async () => {
  for (const [name, input, message] of [
    ['utf8', { operation: 'decode', input_text: '4' }, /^Bytes: the number of hexadecimal digits is odd/],
    [
      'utf8',
      { operation: 'decode', input_text: '41c3', strict: 'yes' },
      /^Bytes: the sequence at offset 1 is malformed: cut off at the end/,
    ],
    ['escape', { operation: 'decode', input_text: 'a\\u1', strict: 'yes' }, /^Text: the escape at character 2/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field: 'input_text', message })
  }
})
