import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { performed, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { paddings } from '@assay/lib/cipher/block-padding'
import { blowfish } from './blowfish.ts'
import { cast5 } from './cast5.ts'
import { des } from './des.ts'
import { tripleDes } from './triple-des.ts'

type Raw = Record<string, unknown>
async function run(tool: Tool, name: 'encrypt' | 'decrypt', input: Raw) {
  const action = tool.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Record<string, string> & { key_warnings: string[] }
  return { result, panels: action.show?.(result, outcome.input), terminal: action.terminal?.(outcome.input, result) }
}
const modesOf = (tool: Tool) => tool.actions[0]?.fields.mode?.options ?? []
const hex = (length: number) => randomBytes(length).toString('hex')

interface CyberChefCase {
  cipher: string
  mode: string
  key: string
  iv?: string
  plaintext: string
  ciphertext: string
}
const cyberChef: CyberChefCase[] = JSON.parse(
  readFileSync(new URL('../../../../vectors/cyberchef/block-ciphers.json', import.meta.url), 'utf8'),
)

interface Subject {
  tool: Tool
  keyBytes: number
  keyProblem: string
  badKeys: readonly number[]
}
const subjects: readonly Subject[] = [
  {
    tool: des,
    keyBytes: 8,
    keyProblem: 'expected 8 bytes',
    badKeys: [0, 7, 9, 16],
  },
  {
    tool: tripleDes,
    keyBytes: 24,
    keyProblem: 'expected 16 or 24 bytes',
    badKeys: [0, 8, 20, 32],
  },
  {
    tool: blowfish,
    keyBytes: 16,
    keyProblem: 'expected 4 to 56 bytes',
    badKeys: [0, 3, 57],
  },
  {
    tool: cast5,
    keyBytes: 16,
    keyProblem: 'expected 5 to 16 bytes',
    badKeys: [0, 4, 17],
  },
]

for (const { tool, keyBytes, keyProblem, badKeys } of subjects) {
  for (const { cipher, plaintext, ciphertext, ...settings } of cyberChef.filter(({ cipher }) => cipher === tool.id)) {
    test(`CyberChef Crypt.mjs: ${cipher} in ${settings.mode} with a key of ${settings.key.length * 4} bits`, async () => {
      const made = await run(tool, 'encrypt', { input_text: plaintext, input_format: 'Hex', ...settings })
      assert.equal(made.result.ciphertext, ciphertext)
      const back = await run(tool, 'decrypt', { input_text: ciphertext, ...settings, output_format: 'Hex' })
      assert.equal(back.result.plaintext, plaintext)
    })
  }

  test(`${tool.id}: what is encrypted with a fresh IV is decrypted, in every mode, padding and format`, async () => {
    const key = hex(keyBytes)
    for (const mode of modesOf(tool)) {
      for (const padding of paddings.filter(padding => padding !== 'None')) {
        for (const [output_format, format] of [
          ['Hex', 'Hex'],
          ['Base64', 'Base64'],
          ['Base64URL', 'Base64'],
        ]) {
          const text = 'emporté, 鍵 😀'
          const { ciphertext, iv } = (
            await run(tool, 'encrypt', { input_text: text, mode, key, padding, output_format })
          ).result
          const { result } = await run(tool, 'decrypt', {
            ...{ input_text: ciphertext, input_format: format, mode, key, padding },
            ...(iv && { iv, iv_format: format }),
          })
          assert.equal(result.plaintext, text)
          assert.equal(result.output_format, 'UTF-8')
        }
      }
    }
  })

  test(`${tool.id}: every IV is fresh when none is given`, async () => {
    const key = hex(keyBytes)
    const ivs = await Promise.all(
      Array.from({ length: 20 }, async () => (await run(tool, 'encrypt', { input_text: 'a', key })).result.iv),
    )
    assert.equal(new Set(ivs).size, 20)
    assert.ok(ivs.every(iv => iv?.length === 16))
  })

  test(`${tool.id}: bytes that are no text come out in hexadecimal, and nothing is lost`, async () => {
    const settings = { key: hex(keyBytes), mode: 'OFB', iv: hex(8) }
    for (const bytes of ['', '00', 'ff00fe', '0a0d1a00']) {
      const { ciphertext } = (await run(tool, 'encrypt', { input_text: bytes, input_format: 'Hex', ...settings }))
        .result
      const { result } = await run(tool, 'decrypt', { input_text: ciphertext, ...settings, output_format: 'Hex' })
      assert.equal(result.plaintext, bytes)
    }
    const noise = (await run(tool, 'decrypt', { input_text: 'ff'.repeat(40), ...settings })).result
    assert.ok(noise.output_format === 'Hex' || noise.output_format === 'UTF-8')
  })

  test(`${tool.id}: refusals name the field and say what was expected`, async () => {
    const key = hex(keyBytes)
    const iv = hex(8)
    for (const length of badKeys) {
      for (const name of ['encrypt', 'decrypt'] as const) {
        await assert.rejects(run(tool, name, { input_text: '00', key: hex(length), iv }), {
          name: 'Problem',
          field: 'key',
          message: `Key: ${keyProblem}, got ${length}.`,
        })
      }
    }
    for (const [name, input, field, message] of [
      ['encrypt', { key: 'xyz' }, 'key', 'Key: character 1 is not a hexadecimal digit.'],
      ['encrypt', { iv: '00'.repeat(7) }, 'iv', 'IV: expected 8 bytes, got 7.'],
      ['encrypt', { iv: '00'.repeat(16), mode: 'OFB' }, 'iv', 'IV: expected 8 bytes, got 16.'],
      ['decrypt', {}, 'iv', 'IV: expected 8 bytes, got 0.'],
      [
        'encrypt',
        { mode: 'ECB', padding: 'None', input_text: 'five5' },
        'input_text',
        'Text: expected whole blocks of 8 bytes, got 5 bytes.',
      ],
      ['decrypt', { iv, input_text: 'abcdef' }, 'input_text', /^Ciphertext: expected whole blocks of 8 bytes, got 3/],
      ['decrypt', { iv, input_text: '' }, 'input_text', /^Ciphertext: expected whole blocks of 8 bytes, got 0/],
      ['encrypt', { mode: 'GCM' }, 'mode', /./],
      ['encrypt', { mode: 'ECB', padding: 'PKCS1' }, 'padding', /./],
    ] as const) {
      const raw = { input_text: '00', key, ...input }
      await assert.rejects(run(tool, name, raw), { name: 'Problem', code: 'invalid-input', field, message })
    }
  })

  test(`${tool.id}: a wrong key is told by the padding`, async () => {
    let told = 0
    for (let i = 0; i < 40; i++) {
      const { ciphertext, iv } = (await run(tool, 'encrypt', { input_text: 'text', key: hex(keyBytes) })).result
      try {
        await run(tool, 'decrypt', { input_text: ciphertext, iv, key: hex(keyBytes) })
      } catch (error) {
        assert.match(String(error), /^Problem: The key, the IV, the mode or the padding is not right/)
        told++
      }
    }
    assert.ok(told > 30)
  })

  test(`${tool.id}: every mode carries a note`, async () => {
    for (const mode of modesOf(tool)) {
      const { panels } = await run(tool, 'encrypt', { input_text: 'text', mode, key: hex(keyBytes) })
      assert.ok(
        panels?.some(({ kind }) => kind === 'note'),
        mode,
      )
    }
  })

  test(`${tool.id}: the commands of OpenSSL print the same, both ways`, async t => {
    for (const [mode, output_format] of modesOf(tool).flatMap(mode => [
      [mode, 'Hex'],
      [mode, 'Base64'],
    ])) {
      const settings = { mode, key: '5b'.repeat(keyBytes), ...(mode !== 'ECB' && { iv: '22'.repeat(8) }) }
      const made = await run(tool, 'encrypt', { input_text: "it's 100% é", ...settings, output_format })
      const text = made.result.ciphertext
      const back = await run(tool, 'decrypt', { input_text: text, input_format: output_format, ...settings })
      for (const { terminal } of [made, back]) {
        assert.equal(terminal === undefined, mode === 'CTR')
        if (!terminal?.prints) continue
        const done = spawnSync('sh', ['-c', terminal.command], { encoding: 'utf8', timeout: 20_000 })
        if (done.status === 127) return t.skip('no openssl')
        assert.equal(done.status, 0, done.stderr)
        assert.equal(done.stdout.replace(/\s/g, ''), terminal.prints.replace(/\s/g, ''), terminal.command)
      }
    }
  })
}

test('des: a weak key is called one, and a good one is not', async () => {
  const warnings = async (key: string) => (await run(des, 'encrypt', { input_text: '', key })).result.key_warnings
  assert.match((await warnings('0101010101010101'))[0] ?? '', /weak key/)
  assert.deepEqual(await warnings('0123456789abcdef'), [])
})

test('[CTL-055] FIPS 81: DES there and back', async () => {
  const settings = { key: '0123456789abcdef', iv: '1234567890abcdef', mode: 'CFB' }
  const { ciphertext } = (await run(des, 'encrypt', { input_text: 'Now is the time for all ', ...settings })).result
  assert.equal(ciphertext, 'f3096249c7f46e51a69e839b1a92f78403467133898ea622')
  const { plaintext } = (await run(des, 'decrypt', { input_text: ciphertext, ...settings })).result
  assert.equal(plaintext, 'Now is the time for all ')
})

test('3des: keys that cancel are told', async () => {
  const key = '0123456789abcdef'
  const { result, panels } = await run(tripleDes, 'encrypt', { input_text: '', key: key + key })
  assert.match(result.key_warnings.join(), /single DES/)
  assert.ok(panels?.some(panel => panel.kind === 'note' && panel.tone === 'bad'))
})

test('[CTL-056] NIST SP 800-67, Appendix B: Triple DES there and back', async () => {
  const settings = { key: '0123456789abcdef23456789abcdef01456789abcdef0123', mode: 'ECB', padding: 'None' }
  const text = 'The qufck brown fox jump'
  const { ciphertext } = (await run(tripleDes, 'encrypt', { input_text: text, ...settings })).result
  assert.equal(ciphertext, 'a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900')
  assert.equal((await run(tripleDes, 'decrypt', { input_text: ciphertext, ...settings })).result.plaintext, text)
})

test('[CTL-057] Eric Young, vectors of Blowfish: there and back', async () => {
  const settings = { key: '0123456789abcdeff0e1d2c3b4a59687', iv: 'fedcba9876543210', padding: 'Zero' }
  const text = '7654321 Now is the time for '
  const { ciphertext } = (await run(blowfish, 'encrypt', { input_text: text, ...settings })).result
  assert.equal(ciphertext, '6b77b4d63006dee605b156e27403979358deb9e7154616d959f1652bd5ff92cc')
  assert.equal((await run(blowfish, 'decrypt', { input_text: ciphertext, ...settings })).result.plaintext, text)
})

test('[CTL-060] RFC 2144 §B.1: CAST-128 there and back', async () => {
  const settings = { key: '0123456712345678234567893456789a', mode: 'ECB', padding: 'None' }
  const text = '0123456789abcdef'
  const { ciphertext } = (await run(cast5, 'encrypt', { input_text: text, input_format: 'Hex', ...settings })).result
  assert.equal(ciphertext, '238b4fe5847e44b2')
  assert.equal(
    (await run(cast5, 'decrypt', { input_text: ciphertext, ...settings, output_format: 'Hex' })).result.plaintext,
    text,
  )
})

test('cast5: a key that can be searched is told, and the rounds it gets', async () => {
  for (const [length, rounds] of [
    [5, '12'],
    [10, '12'],
    [11, '16'],
    [16, '16'],
  ] as const) {
    const { result, panels } = await run(cast5, 'encrypt', { input_text: '', key: hex(length) })
    assert.equal(result.key_warnings.length, rounds === '12' ? 1 : 0)
    const facts = panels?.find(panel => panel.kind === 'facts')
    assert.ok(facts?.kind === 'facts' && facts.facts.some(([name, value]) => name === 'Rounds' && value === rounds))
  }
})
