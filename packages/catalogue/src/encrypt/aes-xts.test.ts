import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { aesXts } from './aes-xts.ts'

async function run(name: 'encrypt' | 'decrypt', input: Record<string, unknown>) {
  const action = aesXts.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string>
  return { result, panels: action.show?.(result, outcome.input) }
}

test('[CTL-061] [CTL-098] IEEE 1619 Annex B, vector 3: AES-XTS there and back', async () => {
  const settings = { key: 'fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222', tweak: '219902325555' }
  const { result } = await run('encrypt', { input_text: '44'.repeat(32), input_format: 'Hex', ...settings })
  assert.equal(result.ciphertext, 'af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89')
  const back = await run('decrypt', { input_text: result.ciphertext, ...settings, output_format: 'Hex' })
  assert.equal(back.result.plaintext, '44'.repeat(32))
})

test('Wycheproof aes_xts: every vector through the fields, both ways', async () => {
  const url = new URL('../../../../vectors/aes/aes_xts.json', import.meta.url)
  const { testGroups } = JSON.parse(readFileSync(url, 'utf8')) as {
    testGroups: { tests: { tcId: number; key: string; iv: string; msg: string; ct: string }[] }[]
  }
  for (const { tcId, key, iv, msg, ct } of testGroups.flatMap(({ tests }) => tests)) {
    const settings = { key, tweak: iv, tweak_format: 'Hex' }
    const made = await run('encrypt', { input_text: msg, input_format: 'Hex', ...settings })
    assert.equal(made.result.ciphertext, ct, `tcId ${tcId}`)
    const back = await run('decrypt', { input_text: ct, ...settings, output_format: 'Hex' })
    assert.equal(back.result.plaintext, msg, `tcId ${tcId}`)
  }
})

test('what is encrypted is decrypted, from every output format', async () => {
  const settings = { key: randomBytes(64).toString('hex'), tweak: '7' }
  for (const [output_format, input_format] of [
    ['Hex', 'Hex'],
    ['Base64', 'Base64'],
    ['Base64URL', 'Base64'],
  ]) {
    const { result } = await run('encrypt', { input_text: 'emporté, 鍵 😀', ...settings, output_format })
    const back = await run('decrypt', { input_text: result.ciphertext, input_format, ...settings })
    assert.equal(back.result.plaintext, 'emporté, 鍵 😀')
  }
})

test('refusals name the field and say what was expected', async () => {
  const key = randomBytes(32).toString('hex')
  const half = 'ab'.repeat(16)
  for (const [input, field, message] of [
    [{ key: '00'.repeat(16) }, 'key', 'Key: expected 32, 48 or 64 bytes, got 16.'],
    [{ key: half + half }, 'key', 'Key: expected two different halves, and they are equal.'],
    [{ tweak: '' }, 'tweak', /./],
    [{ tweak: 'zz' }, 'tweak', 'Tweak: character 1 is not a hexadecimal digit.'],
    [{ tweak: 'ab'.repeat(17) }, 'tweak', /^Tweak: expected a number, or 1 to 16 bytes in hexadecimal/],
    [{ tweak: '12ab', tweak_format: 'Number' }, 'tweak', 'Tweak: expected a whole number from 0 to below 2^128.'],
    [{ input_text: 'fifteen bytes..' }, 'input_text', /expected 16 to 16777216 bytes, got 15\.$/],
    [{ input_text: '' }, 'input_text', /expected 16 to 16777216 bytes, got 0\.$/],
  ] as const) {
    for (const name of ['encrypt', 'decrypt'] as const) {
      const raw = { input_text: 'sixteen bytes ok', input_format: 'UTF-8', key, tweak: '0', ...input }
      await assert.rejects(
        run(name, raw),
        { name: 'Problem', code: 'invalid-input', field, message },
        JSON.stringify(input),
      )
    }
  }
})
