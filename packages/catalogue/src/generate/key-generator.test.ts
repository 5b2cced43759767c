import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Panel, performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { keyGenerator } from './key-generator.ts'

const [action] = keyGenerator.actions
interface Result {
  keys: string[]
  bits: number
  bytes: number
  fits: string
}
async function run(input: Record<string, unknown>, context = replay()) {
  assert.ok(action)
  const outcome = await performed(action, input, context)
  const result = outcome.result as Result
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}
const fileOf = (panels: readonly Panel[]) => panels.find(panel => panel.kind === 'file')

test('[CTL-077] the form is right and no two runs give the same', async () => {
  const [first, second] = [await run({}), await run({})]
  for (const { keys, bits } of [first, second]) {
    assert.match(keys.join(), /^[0-9a-f]{64}$/)
    assert.equal(bits, 256)
  }
  assert.notDeepEqual(first.keys, second.keys)
})

test('every length in every format', async () => {
  for (const bits of ['128', '192', '256', '384', '512']) {
    const bytes = Number(bits) / 8
    for (const [output_format, pattern] of [
      ['Hex', new RegExp(`^[0-9a-f]{${2 * bytes}}$`)],
      ['Base64', new RegExp(`^[A-Za-z0-9+/=]{${4 * Math.ceil(bytes / 3)}}$`)],
      ['Base64URL', new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)],
      ['Base32', new RegExp(`^[A-Z2-7=]{${8 * Math.ceil(bytes / 5)}}$`)],
      [
        'C array',
        new RegExp(`^static const unsigned char aes_key\\[${bytes}\\] = \\{(\\s+0x[0-9a-f]{2},){${bytes}}\\n\\};$`),
      ],
      ['env', new RegExp(`^AES_KEY=[0-9a-f]{${2 * bytes}}$`)],
    ] as const) {
      const { keys } = await run({ bits, output_format })
      assert.match(keys.join('\n'), pattern, `${bits} ${output_format}`)
    }
  }
})

test('of 20,000 keys no two are equal, and every bit is set in about half of them', async () => {
  const seen = new Set<string>()
  const ones = new Array<number>(128).fill(0)
  for (let round = 0; round < 20; round++) {
    const { keys } = await run({ bits: '128', count: 1000 })
    for (const key of keys) {
      seen.add(key)
      const bits = BigInt(`0x${key}`)
      for (let i = 0; i < 128; i++) if ((bits >> BigInt(i)) & 1n) ones[i] = (ones[i] ?? 0) + 1
    }
  }
  assert.equal(seen.size, 20_000)
  // Seven standard deviations of 20,000 throws of a coin: once in some thousand million runs.
  assert.ok(ones.every(count => Math.abs(count - 10_000) < 7 * Math.sqrt(5000)))
})

test('the keys are the bytes of the generator, all of them and nothing else', async () => {
  let next = 0
  const random = (length: number) => Uint8Array.from({ length }, () => next++ & 255)
  const { keys } = await run({ bits: '128', count: 2 }, { ...replay(), random })
  assert.deepEqual(keys, ['000102030405060708090a0b0c0d0e0f', '101112131415161718191a1b1c1d1e1f'])
})

test('vectors have the length of their mode, unless the bits were chosen', async () => {
  for (const [vector, bits] of [
    ['AES in CBC, CTR, CFB or OFB mode', 128],
    ['AES-GCM, AES-CCM or ChaCha20-Poly1305', 96],
    ['XChaCha20-Poly1305', 192],
    [undefined, 256],
  ] as const) {
    const result = await run({ purpose: 'IV', vector })
    assert.deepEqual([result.bits, result.fits], [bits, bits === 256 ? 'no' : 'yes'])
    assert.match(result.keys.join(), new RegExp(`^[0-9a-f]{${bits / 4}}$`))
  }
  assert.equal((await run({ purpose: 'salt', vector: 'XChaCha20-Poly1305', bits: '128' })).bits, 128)
})

test('many keys have names of their own and are one file', async () => {
  const { keys, panels } = await run({ count: 3, output_format: 'env', purpose: 'JWT secret' })
  assert.deepEqual(
    keys.map(line => line.split('=')[0]),
    ['JWT_SECRET_1', 'JWT_SECRET_2', 'JWT_SECRET_3'],
  )
  const file = fileOf(panels)
  assert.equal(file?.name, 'jwt-secret.env')
  assert.equal(Buffer.from(file?.base64 ?? '', 'base64').toString(), `${keys.join('\n')}\n`)
})

test('refusals name the field', async () => {
  for (const [input, field, message] of [
    [{ bits: '96' }, 'bits', 'Bits: expected one of 128, 192, 256, 384, 512.'],
    [{ count: 1001 }, 'count', 'How many: expected a whole number from 1 to 1000.'],
    [{ output_format: 'PEM' }, 'output_format', /^Output format: expected one of Hex, /],
    [{ purpose: 'password' }, 'purpose', /^Purpose: expected one of AES key, /],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
