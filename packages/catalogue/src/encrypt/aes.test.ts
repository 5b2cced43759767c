import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { toHex } from '@assay/lib/bytes'
import { aesModes, isAuthenticated } from '@assay/lib/cipher/aes'
import { paddings } from '@assay/lib/cipher/block-padding'
import { aes } from './aes.ts'

type Raw = Record<string, unknown>
async function run(name: 'encrypt' | 'decrypt', input: Raw) {
  const action = aes.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string>
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const encrypt = (input: Raw) => run('encrypt', input).then(({ result }) => result)
const decrypt = (input: Raw) => run('decrypt', input).then(({ result }) => result)
const keyFor = (mode: string) => toHex(new Uint8Array(randomBytes(mode === 'SIV' ? 64 : 32)))

test('[CTL-054] NIST SP 800-38A F.2.1: CBC there and back', async () => {
  const settings = {
    mode: 'CBC',
    key: '2b7e151628aed2a6abf7158809cf4f3c',
    iv: '000102030405060708090a0b0c0d0e0f',
    padding: 'None',
  }
  const { ciphertext } = await encrypt({
    ...settings,
    input_text: '6bc1bee22e409f96e93d7e117393172a',
    input_format: 'Hex',
  })
  assert.equal(ciphertext, '7649abac8119b246cee98e9b12e9197d')
  assert.equal((await decrypt({ ...settings, input_text: ciphertext })).plaintext, '6bc1bee22e409f96e93d7e117393172a')
})

test('NIST SP 800-38A F.1.1: key and text as source code, dumps and other tools write them', async () => {
  for (const write of [
    (hex: string) => `0x${hex}`,
    (hex: string) => hex.toUpperCase().replace(/../g, '0x$&, '),
    (hex: string) => hex.replace(/../g, '\\x$&'),
    (hex: string) => hex.replace(/..(?=.)/g, '$&-'),
    (hex: string) => hex.replace(/.{8}(?=.)/g, '$&_'),
  ]) {
    const { ciphertext } = await encrypt({
      input_text: write('6bc1bee22e409f96e93d7e117393172a'),
      input_format: 'Hex',
      mode: 'ECB',
      key: write('2b7e151628aed2a6abf7158809cf4f3c'),
      padding: 'None',
    })
    assert.equal(ciphertext, '3ad77bb40d7a3660a89ecaf32466ef97')
  }
})

for (const mode of aesModes) {
  test(`${mode}: what is encrypted with a fresh IV is decrypted from any output format`, async () => {
    const key = keyFor(mode)
    for (const [output_format, format] of [
      ['Hex', 'Hex'],
      ['Base64', 'Base64'],
      ['Base64URL', 'Base64'],
    ]) {
      const text = 'emporté, 鍵 😀'
      const { combined, iv } = await encrypt({ input_text: text, mode, key, output_format })
      const back = await decrypt({
        ...{ input_text: combined, input_format: format, mode, key },
        ...(iv && { iv, iv_format: format }),
      })
      assert.equal(back.plaintext, text)
      assert.equal(back.output_format, 'UTF-8')
    }
  })
}

test('the IV may be part of the ciphertext, at either end', async () => {
  for (const mode of aesModes.filter(mode => mode !== 'ECB' && mode !== 'SIV')) {
    const key = keyFor(mode)
    const { combined = '', iv = '' } = await encrypt({ input_text: 'text', mode, key })
    const bytes = iv.length / 2
    for (const [input_text, iv_place] of [
      [iv + combined, `first ${bytes} bytes`],
      [combined + iv, `last ${bytes} bytes`],
    ]) {
      const { result, terminal } = await run('decrypt', { input_text, iv_place, mode, key })
      assert.deepEqual([result.plaintext, result.iv], ['text', iv])
      if (!terminal) continue
      const { stdout } = spawnSync('sh', ['-c', terminal.command], { encoding: 'utf8' })
      assert.equal(stdout, 'text', terminal.command)
    }
  }
  const key = keyFor('CBC')
  for (const [input, field, message] of [
    [{ input_text: '00'.repeat(15) }, 'input_text', 'Ciphertext: expected at least the 16 bytes of the IV, got 15.'],
    [{ input_text: '00'.repeat(32), iv: '00'.repeat(16) }, 'iv', /^IV: leave it empty/],
    [{ input_text: '00'.repeat(32), iv_place: 'first 12 bytes' }, 'iv', 'IV: expected 16 bytes, got 12.'],
    [{ input_text: '00'.repeat(16) }, 'input_text', /^Ciphertext: /],
  ] as const) {
    await assert.rejects(decrypt({ mode: 'CBC', key, iv_place: 'first 16 bytes', ...input }), {
      name: 'Problem',
      field,
      message,
    })
  }
})

test('every IV is fresh when none is given', async () => {
  const key = keyFor('GCM')
  const ivs = await Promise.all(Array.from({ length: 50 }, async () => (await encrypt({ input_text: 'a', key })).iv))
  assert.equal(new Set(ivs).size, 50)
  assert.ok(ivs.every(iv => iv?.length === 24))
})

test('SIV without a nonce is deterministic', async () => {
  const input = { input_text: 'text', mode: 'SIV', key: keyFor('SIV') }
  assert.deepEqual(await encrypt(input), await encrypt(input))
  assert.notEqual((await encrypt(input)).combined, (await encrypt({ ...input, iv: '00' })).combined)
})

test('the tag may stand alone or with the ciphertext, in each length', async () => {
  const key = keyFor('GCM')
  for (const tag_length of ['128', '120', '112', '104', '96']) {
    const { ciphertext, tag, combined, iv } = await encrypt({ input_text: 'text', key, tag_length, aad: 'head' })
    assert.equal(tag?.length, Number(tag_length) / 4)
    assert.equal(combined, `${ciphertext}${tag}`)
    for (const parts of [{ input_text: combined }, { input_text: ciphertext, tag }]) {
      assert.equal((await decrypt({ ...parts, key, iv, tag_length, aad: 'head' })).plaintext, 'text')
    }
  }
})

for (const padding of paddings) {
  test(`${padding} padding there and back in CBC and ECB`, async () => {
    for (const mode of ['CBC', 'ECB']) {
      const key = keyFor(mode)
      const input_text = padding === 'None' ? 'sixteen bytes ok' : 'fewer'
      const { combined, iv } = await encrypt({ input_text, mode, key, padding })
      const back = await decrypt({ input_text: combined, mode, key, padding, ...(iv && { iv }) })
      assert.equal(back.plaintext, input_text)
    }
  })
}

test('refusals name the field and say what was expected', async () => {
  const key = keyFor('GCM')
  const good = await encrypt({ input_text: 'text', key })
  const iv = good.iv
  const block = '00'.repeat(16)
  for (const [name, input, field, message] of [
    ['encrypt', { key: '0102030405' }, 'key', 'Key: expected 16, 24 or 32 bytes, got 5.'],
    ['encrypt', { key: '' }, 'key', 'Key: expected 16, 24 or 32 bytes, got 0.'],
    ['encrypt', { key: 'xyz' }, 'key', 'Key: character 1 is not a hexadecimal digit.'],
    ['encrypt', { key, mode: 'CBC', iv: '00'.repeat(12) }, 'iv', 'IV: expected 16 bytes, got 12.'],
    ['decrypt', { key, input_text: good.combined }, 'iv', 'IV: expected at least 1 byte, got 0.'],
    ['encrypt', { key, mode: 'CCM', tag_length: '104' }, 'tag_length', /^Tag length: expected 128, 112 or 96 bits/],
    [
      'encrypt',
      { key, mode: 'ECB', padding: 'None', input_text: 'five5' },
      'input_text',
      /^Text: expected whole blocks/,
    ],
    [
      'decrypt',
      { key, iv, input_text: 'abcdef' },
      'input_text',
      /^Ciphertext: expected at least the 16 bytes of the tag/,
    ],
    [
      'decrypt',
      { key, iv, input_text: good.ciphertext, tag: good.tag?.slice(8) },
      'tag',
      'Tag: expected 16 bytes, got 12.',
    ],
    ['decrypt', { key, iv, input_text: `00${good.combined?.slice(2)}` }, 'input_text', /^The tag does not belong/],
    ['decrypt', { key: keyFor('GCM'), iv, input_text: good.combined }, 'input_text', /^The tag does not belong/],
    [
      'decrypt',
      { key, mode: 'CBC', iv: block, input_text: 'abcdef' },
      'input_text',
      /^Ciphertext: expected whole blocks/,
    ],
    [
      'decrypt',
      { key, mode: 'CBC', iv: block, padding: 'X923', input_text: block },
      'key',
      /does not end in X923 padding/,
    ],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})

test('a wrong tag says what to check', async () => {
  const { combined, iv } = await encrypt({ input_text: 'text', key: keyFor('GCM') })
  await assert.rejects(decrypt({ input_text: combined, iv, key: keyFor('GCM') }), {
    detail: /Check that the settings are those of the encryption/,
  })
})

test('modes without a tag carry a note, authenticated ones do not', async () => {
  for (const mode of aesModes) {
    const { panels } = await run('encrypt', { input_text: 'text', mode, key: keyFor(mode) })
    assert.equal(
      panels?.some(({ kind }) => kind === 'note'),
      !isAuthenticated(mode),
      mode,
    )
  }
})

test('the commands of OpenSSL print the same for every mode it has, both ways', async t => {
  for (const mode of ['CBC', 'CTR', 'CFB', 'CFB8', 'OFB', 'ECB']) {
    for (const output_format of ['Hex', 'Base64']) {
      const settings = { mode, key: '11'.repeat(32), ...(mode !== 'ECB' && { iv: '22'.repeat(16) }) }
      const made = await run('encrypt', { input_text: "it's 100% é", ...settings, output_format })
      const { combined } = made.result
      const back = await run('decrypt', { input_text: combined, input_format: output_format, ...settings })
      for (const { terminal } of [made, back]) {
        assert.ok(terminal?.prints, mode)
        const { stdout, status, stderr } = spawnSync('sh', ['-c', terminal.command], {
          encoding: 'utf8',
          timeout: 20_000,
        })
        if (status === 127) return t.skip('no openssl')
        assert.equal(status, 0, stderr)
        assert.equal(stdout.replace(/\s/g, ''), terminal.prints.replace(/\s/g, ''), terminal.command)
      }
    }
  }
})
