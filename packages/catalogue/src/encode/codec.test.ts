import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Action, type FileInput, performed, replay, type Tool } from '@assay/kit'
import { type Bytes, toBase64, toHex } from '@assay/lib/bytes'
import { base32 } from './base32.ts'
import { base64 } from './base64.ts'
import { hex } from './hex.ts'
import { url } from './url.ts'

function actionOf({ actions }: Tool, name: string): Action {
  const found = actions.find(action => action.name === name)
  assert.ok(found)
  return found
}

const encode = async (tool: Tool, input: Record<string, unknown>) =>
  (await performed(actionOf(tool, 'encode'), input, replay())).result as { encoded: string }
const decode = async (tool: Tool, input: Record<string, unknown>) =>
  (await performed(actionOf(tool, 'decode'), input, replay())).result as { decoded: string; output_format: string }

const vectors = [
  { tool: base64, ids: '[CTL-023] [CTL-024]', from: 'RFC 4648 §10', text: 'fooba', code: 'Zm9vYmE=' },
  { tool: base32, ids: '[CTL-025] [CTL-026]', from: 'RFC 4648 §10', text: 'fooba', code: 'MZXW6YTB' },
  { tool: hex, ids: '[CTL-035] [CTL-036]', from: 'RFC 4648 §10', text: 'fooba', code: '666f6f6261' },
  { tool: url, ids: '', from: 'RFC 3986 §2.5', text: '\u30a2', code: '%E3%82%A2' },
]
for (const { tool, ids, from, text, code } of vectors) {
  test(`${ids} ${from}: ${tool.id} encode and decode, and random bytes go there and back`, async () => {
    assert.equal((await encode(tool, { input_text: text })).encoded, code)
    assert.equal((await decode(tool, { input_text: code })).decoded, text)
    for (const length of [0, 1, 2, 3, 100]) {
      const bytes = toHex(new Uint8Array(randomBytes(length)))
      const { encoded } = await encode(tool, { input_text: bytes, input_format: 'Hex' })
      assert.equal((await decode(tool, { input_text: encoded, output_format: 'Hex' })).decoded, bytes)
    }
  })
}

const fileOf = (bytes: Bytes, parts = 3): FileInput => ({
  name: 'some.bin',
  size: bytes.length,
  async *stream() {
    const step = Math.ceil(bytes.length / parts)
    for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step)
  },
})

test('a file stands in for the text, in both directions', async () => {
  const bytes = new Uint8Array(randomBytes(1000))
  const { encoded } = await encode(base64, { file: fileOf(bytes) })
  assert.equal(encoded, toBase64(bytes))
  const back = await decode(base64, { file: fileOf(new TextEncoder().encode(encoded)), output_format: 'Hex' })
  assert.equal(back.decoded, toHex(bytes))
})

test('a text and a file at once, and a file beyond the bound, are refused', async () => {
  const file = fileOf(Uint8Array.of(1, 2, 3))
  await assert.rejects(encode(base64, { input_text: 'a', file }), { name: 'Problem', field: 'file' })
  const endless: FileInput = {
    name: 'endless',
    async *stream() {
      for (;;) yield new Uint8Array(2 ** 20)
    },
  }
  await assert.rejects(encode(base64, { file: endless }), { message: 'File: expected at most 25 MiB.', field: 'file' })
})

test('text comes as text, other bytes in hexadecimal, and a chosen format is kept or refused', async () => {
  assert.deepEqual((await decode(base64, { input_text: 'w6k=' })).decoded, 'é')
  assert.deepEqual((await decode(base64, { input_text: '6Q==' })).decoded, 'e9')
  assert.deepEqual((await decode(base64, { input_text: '6Q==', output_format: 'Latin-1' })).decoded, 'é')
  await assert.rejects(decode(base64, { input_text: '6Q==', output_format: 'UTF-8' }), {
    message: 'Output format: the bytes are not valid UTF-8 text.',
    field: 'output_format',
  })
})

test('what is wrong with a text is a problem of its field, with the place', async () => {
  for (const [tool, input, message, field] of [
    [base64, { input_text: 'Zm9v!' }, 'Base64 text: character 5 is not in this Base64 alphabet.', 'input_text'],
    [base32, { input_text: 'M8' }, 'Base32 text: character 2 is not in this Base32 alphabet.', 'input_text'],
    [hex, { input_text: '4a 6' }, /^Hex text: the digits from character 4 on/, 'input_text'],
    [url, { input_text: '5%' }, /^URL text: the percent sign at character 2/, 'input_text'],
    [base64, { alphabet: 'custom', custom_alphabet: 'abc' }, /^Custom alphabet: expected 64/, 'custom_alphabet'],
  ] as const) {
    await assert.rejects(decode(tool, input), { name: 'Problem', code: 'invalid-input', message, field })
  }
})

test('an image that was decoded is shown and can be saved, and so can other bytes', async () => {
  // The smallest GIF that browsers take, from the signature on.
  const gif = 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='
  const action = actionOf(base64, 'decode')
  const { result, input } = await performed(action, { input_text: gif }, replay())
  const kinds = action.show?.(result, input).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['image', 'code', 'facts', 'file'])
  const text = await performed(action, { input_text: 'Zm9v' }, replay())
  assert.deepEqual(
    action.show?.(text.result, text.input).map(({ kind }) => kind),
    ['code', 'facts'],
  )
})

test('a long text is offered as a file', async () => {
  const action = actionOf(base64, 'encode')
  const { result, input } = await performed(action, { file: fileOf(new Uint8Array(300_000)) }, replay())
  assert.deepEqual(
    action.show?.(result, input).map(({ kind }) => kind),
    ['file', 'code', 'facts'],
  )
})
