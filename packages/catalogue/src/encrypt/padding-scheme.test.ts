import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { paddingScheme } from './padding-scheme.ts'

const [action] = paddingScheme.actions
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string | number>
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const schemes = action?.fields.scheme?.options ?? []

test('[CTL-134] the scheme is a fixed choice that begins with PKCS7, X923 and ISO10126', () => {
  assert.deepEqual(schemes, ['PKCS7', 'X923', 'ISO10126', 'ISO7816-4', 'Zero'])
})

test('[CTL-135] RFC 5652 §6.3: block_size is from 1 to 255', async () => {
  for (const [block_size, output] of [
    [1, '616201'],
    [2, '61620202'],
    [16, `6162${'0e'.repeat(14)}`],
    [255, `6162${'fd'.repeat(253)}`],
  ] as const) {
    assert.equal((await run({ input_text: 'ab', block_size })).result.output, output)
  }
  for (const block_size of [0, 256, -1, 1.5, 'many']) {
    await assert.rejects(run({ input_text: 'ab', block_size }), { name: 'Problem', field: 'block_size' })
  }
})

test('what is padded is unpadded, in every scheme and format', async () => {
  for (const scheme of schemes) {
    for (const [output_format, input_format] of [
      ['Hex', 'Hex'],
      ['Base64', 'Base64'],
      ['Base64URL', 'Base64'],
    ]) {
      for (let length = 0; length <= 33; length++) {
        const input_text = `${randomBytes(length).toString('hex').replaceAll('00', '01')}`
        const settings = { scheme, block_size: 16 }
        const padded = (await run({ input_text, input_format: 'Hex', ...settings, output_format })).result.output
        const back = await run({ operation: 'unpad', input_text: padded, input_format, ...settings })
        assert.equal(back.result.output, input_text, scheme)
      }
    }
  }
})

test('a broken padding is refused by its bytes', async () => {
  for (const [scheme, input_text, message] of [
    ['PKCS7', '0102030405060700', 'Text: byte 8 is wrong, expected 01 to 08 there.'],
    ['PKCS7', '0102030405030203', 'Text: byte 7 is wrong, expected 03 there.'],
    ['PKCS7', '0108080102080408', 'Text: bytes 1, 4, 5 and 1 more are wrong, expected 08 there.'],
    ['X923', '0102030405010103', 'Text: bytes 6, 7 are wrong, expected 00 there.'],
    ['ISO10126', '01020304050607ff', 'Text: byte 8 is wrong, expected 01 to 08 there.'],
    ['ISO7816-4', '0102030405067f00', 'Text: byte 7 is wrong, expected 80 there.'],
    ['PKCS7', '', 'Text: expected whole blocks of 8 bytes, got 0 bytes.'],
    ['Zero', '010203', 'Text: expected whole blocks of 8 bytes, got 3 bytes.'],
  ] as const) {
    await assert.rejects(run({ operation: 'unpad', input_text, input_format: 'Hex', scheme, block_size: 8 }), {
      name: 'Problem',
      code: 'invalid-input',
      field: 'input_text',
      message,
    })
  }
})

test('the last block is shown byte by byte, and text as text', async () => {
  const { result, panels } = await run({ operation: 'unpad', input_text: 'hällo\x02\x02', block_size: 8 })
  assert.equal(result.text, 'hällo')
  const table = panels?.find(({ kind }) => kind === 'table')
  assert.ok(table?.kind === 'table')
  assert.deepEqual(
    table.rows.map(([position, , part]) => [position, typeof part === 'object' ? part.text : part]),
    [1, 2, 3, 4, 5, 6, 7, 8].map(position => [position, position < 7 ? 'text' : 'padding']),
  )
  const noise = await run({ operation: 'unpad', input_text: 'fffe0202', input_format: 'Hex', block_size: 4 })
  assert.equal(noise.result.text, undefined)
  assert.equal(noise.result.output, 'fffe')
})

test('the command of OpenSSL shows the same padding, both ways', async () => {
  for (const input_text of ['', 'a', 'sixteen bytes ok', "it's é"]) {
    const made = await run({ input_text, output_format: 'Base64' })
    const back = await run({ operation: 'unpad', input_text: made.result.output, input_format: 'Base64' })
    for (const { terminal } of [made, back]) {
      assert.ok(terminal)
      const { stdout, stderr } = spawnSync('sh', ['-c', terminal.command], { encoding: 'utf8', timeout: 20_000 })
      assert.equal(stdout.trim(), terminal.prints, terminal.command + stderr)
    }
  }
  assert.equal((await run({ input_text: 'a', scheme: 'X923' })).terminal, undefined)
})
