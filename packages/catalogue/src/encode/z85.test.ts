import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { z85 } from './z85.ts'

async function run(name: '' | 'encode' | 'decode', input: Record<string, unknown>) {
  const action = z85.actions.find(action => action.name === name) ?? assert.fail()
  const { result, input: read } = await performed(action, input, replay())
  return { result: result as Record<string, unknown>, panels: action.show?.(result, read) ?? [] }
}

test('[CTL-033] [CTL-034] ZeroMQ RFC 32: encode and decode, there and back', async () => {
  const { result } = await run('encode', { input_text: '864fd26fb559f75b', input_format: 'Hex' })
  assert.equal(result.encoded, 'HelloWorld')
  assert.equal((await run('decode', { input_text: 'HelloWorld' })).result.decoded, '864fd26fb559f75b')
})

test('[CTL-132] [OPEN-051] the page with the choice gives what each direction gives', async () => {
  assert.deepEqual(
    z85.actions.map(({ path }) => path),
    ['z85', 'z85/encode', 'z85/decode'],
  )
  for (const [operation, input] of [
    ['encode', { input_text: 'four', input_format: 'UTF-8' }],
    ['encode', { input_text: '864fd26fb559f75b', input_format: 'Hex' }],
    ['decode', { input_text: 'Hello World' }],
    ['decode', { input_text: 'HelloWorld', output_format: 'Base64' }],
  ] as const) {
    assert.deepEqual(await run('', { operation, ...input }), await run(operation, input))
  }
})

test('refusals name the field and the length rule, on both pages alike', async () => {
  for (const [operation, input, message] of [
    ['encode', { input_text: 'five5' }, /^Text: expected a length divisible by 4, got 5 bytes, 1 too many\.$/],
    ['encode', { input_text: 'zz', input_format: 'Hex' }, /^Text: character 1 is not a hexadecimal digit/],
    ['decode', { input_text: 'Hell' }, /^Z85 text: expected a length divisible by 5, got 4 characters, 4 too many\.$/],
    ['decode', { input_text: 'Hello World', strict: 'yes' }, /divisible by 5, got 11 characters/],
    ['decode', { input_text: "Hell'" }, /^Z85 text: character 5 is not in this Z85 alphabet/],
  ] as const) {
    const expected = { name: 'Problem', code: 'invalid-input', field: 'input_text', message }
    await assert.rejects(run(operation, input), expected)
    await assert.rejects(run('', { operation, ...input }), expected)
  }
})
