import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { rc4 } from './rc4.ts'

async function run(name: 'encrypt' | 'decrypt', input: Record<string, unknown>) {
  const action = rc4.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string>
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}

test('[CTL-059] RFC 6229 §2: RC4 there and back', async () => {
  const key = '0102030405060708090a0b0c0d0e0f10'
  const { result } = await run('encrypt', { input_text: '00'.repeat(16), input_format: 'Hex', key })
  assert.equal(result.ciphertext, '9ac7cc9a609d1ef7b2932899cde41b97')
  const back = await run('decrypt', { input_text: result.ciphertext, key, output_format: 'Hex' })
  assert.equal(back.result.plaintext, '00'.repeat(16))
})

test('CyberChef operations.mjs: RC4 and RC4 Drop', async () => {
  const input = { input_text: 'Go Out On a Limb', key: 'Under Your Nose', key_format: 'UTF-8' }
  assert.equal((await run('encrypt', input)).result.ciphertext, '7d17e60d9bc94b7f4095851c729e69a2')
  // 192 words of four bytes.
  assert.equal((await run('encrypt', { ...input, drop: 768 })).result.ciphertext, 'b85cb1c4ed6bed8f260ab92829bba942')
})

test('every output format is read back, and bytes that are no text stay whole', async () => {
  for (const [output_format, input_format] of [
    ['Hex', 'Hex'],
    ['Base64', 'Base64'],
    ['Base64URL', 'Base64'],
  ]) {
    const key = '00ff'
    const { result } = await run('encrypt', { input_text: 'emporté, 鍵 😀', key, drop: 5, output_format })
    const back = await run('decrypt', { input_text: result.ciphertext, input_format, key, drop: 5 })
    assert.equal(back.result.plaintext, 'emporté, 鍵 😀')
  }
  const noise = await run('encrypt', { input_text: 'fffe00', input_format: 'Hex', key: '01' })
  const back = await run('decrypt', { input_text: noise.result.ciphertext, key: '01' })
  assert.deepEqual([back.result.plaintext, back.result.output_format], ['fffe00', 'Hex'])
})

test('refusals name the field and say what was expected', async () => {
  for (const [input, field, message] of [
    [{ key: '' }, 'key', 'Key: expected 1 to 256 bytes, got 0.'],
    [{ key: '00'.repeat(257) }, 'key', 'Key: expected 1 to 256 bytes, got 257.'],
    [{ key: 'xyz' }, 'key', /hexadecimal/],
    [{ key: '00', drop: -1 }, 'drop', /./],
    [{ key: '00', drop: 1.5 }, 'drop', /./],
    [{ key: '00', drop: 1048577 }, 'drop', /1048576/],
    [{ key: '00', input_text: 'x', input_format: 'Hex' }, 'input_text', /hexadecimal/],
  ] as const) {
    await assert.rejects(run('encrypt', { input_text: 'a', ...input }), { name: 'Problem', field, message })
  }
})

test('the commands of OpenSSL print the same, with a drop and without, both ways', async () => {
  for (const key of ['5b'.repeat(16), '5b'.repeat(5)]) {
    for (const drop of [0, 1, 1536]) {
      for (const output_format of ['Hex', 'Base64']) {
        const made = await run('encrypt', { input_text: "it's 100% é", key, drop, output_format })
        const text = made.result.ciphertext
        const back = await run('decrypt', { input_text: text, input_format: output_format, key, drop })
        for (const { terminal } of [made, back]) {
          assert.ok(terminal?.prints)
          const { stdout, stderr } = spawnSync('sh', ['-c', terminal.command], { encoding: 'utf8', timeout: 20_000 })
          assert.equal(stdout.trim(), terminal.prints, terminal.command + stderr)
        }
      }
    }
  }
  assert.equal((await run('encrypt', { input_text: 'a', key: '00'.repeat(8) })).terminal, undefined)
})
