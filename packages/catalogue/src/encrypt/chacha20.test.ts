import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { toHex } from '@assay/lib/bytes'
import { chachaNames, isAuthenticatedChacha } from '@assay/lib/cipher/chacha'
import { chacha20 } from './chacha20.ts'

type Raw = Record<string, unknown>
async function run(name: 'encrypt' | 'decrypt', input: Raw): Promise<Record<string, string>> {
  const action = chacha20.actions.find(action => action.name === name)
  assert.ok(action)
  return (await performed(action, input, replay())).result as Record<string, string>
}
const freshKey = () => toHex(new Uint8Array(randomBytes(32)))

for (const algorithm of chachaNames) {
  test(`[CTL-058] ${algorithm}: what is encrypted with a fresh nonce is decrypted from any output format`, async () => {
    const key = freshKey()
    const text = 'emporté, 鍵 😀'
    for (const [output_format, format] of [
      ['Hex', 'Hex'],
      ['Base64', 'Base64'],
      ['Base64URL', 'Base64'],
    ]) {
      const { combined, nonce } = await run('encrypt', { input_text: text, algorithm, key, output_format })
      const settings = { algorithm, key, nonce, nonce_format: format, input_format: format }
      const back = await run('decrypt', { input_text: combined, ...settings })
      assert.equal(back.plaintext, text)
    }
  })
}

test('[CTL-058] RFC 8439 §A.1, test vector 2: the second block of the key stream', async () => {
  const { ciphertext } = await run('encrypt', {
    ...{ input_text: '00'.repeat(64), input_format: 'Hex', algorithm: 'ChaCha20' },
    ...{ key: '00'.repeat(32), nonce: '00'.repeat(12), counter: 1 },
  })
  assert.equal(
    ciphertext,
    '9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f',
  )
})

test('refusals name the field and say what was expected', async () => {
  const key = freshKey()
  const good = await run('encrypt', { input_text: 'text', key })
  for (const [name, input, field, message] of [
    ['encrypt', { key: '0102030405' }, 'key', 'Key: expected 32 bytes, got 5.'],
    ['encrypt', { key, nonce: '00'.repeat(8) }, 'nonce', 'Nonce: expected 12 bytes, got 8.'],
    ['decrypt', { key, input_text: good.combined }, 'nonce', 'Nonce: expected 12 bytes, got 0.'],
    [
      'decrypt',
      { key, nonce: good.nonce, input_text: '00' },
      'input_text',
      /^Ciphertext: expected at least the 16 bytes/,
    ],
    [
      'decrypt',
      { key, nonce: good.nonce, input_text: good.ciphertext, tag: '00' },
      'tag',
      'Tag: expected 16 bytes, got 1.',
    ],
    [
      'decrypt',
      { key: freshKey(), nonce: good.nonce, input_text: good.combined },
      'input_text',
      /^The tag does not belong/,
    ],
    [
      'decrypt',
      { key, nonce: good.nonce, input_text: good.combined, aad: 'x' },
      'input_text',
      /^The tag does not belong/,
    ],
    [
      'encrypt',
      { key, algorithm: 'ChaCha20', counter: 2 ** 32 - 1, input_text: 'a' },
      'counter',
      'Counter: the counter runs over before the text ends.',
    ],
    ['encrypt', { key, algorithm: 'ChaCha20', counter: 2 ** 32 }, 'counter', /^Counter: expected a whole number/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})

test('ciphers without a tag carry a note', async () => {
  const action = chacha20.actions[0]
  for (const algorithm of chachaNames) {
    const { result, input } = await performed(action ?? assert.fail(), { key: freshKey(), algorithm }, replay())
    assert.equal(
      action?.show?.(result, input).some(({ kind }) => kind === 'note'),
      !isAuthenticatedChacha(algorithm),
    )
  }
})
