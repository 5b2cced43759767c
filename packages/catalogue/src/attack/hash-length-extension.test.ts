import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { hashLengthExtension } from './hash-length-extension.ts'

const [action] = hashLengthExtension.actions
assert.ok(action)

interface Result {
  key_length: number
  new_hash: string
  forged_message: string
  glue_padding: string
  escaped: string
  url_encoded: string
  verified?: boolean
  original_verified?: boolean
  attempts?: { key_length: number; verified?: boolean }[]
  demo: { holds: boolean; key: string }
}
async function run(raw: Record<string, unknown>) {
  const { result, input } = await performed(action ?? assert.fail(), raw, replay())
  return { ...(result as Result), panels: action?.show?.(result, input) ?? [] }
}
const names = ['MD5', 'SHA-1', 'SHA-256', 'SHA-512'] as const
const digest = (name: string, ...parts: Uint8Array[]) =>
  createHash(name.replace('-', '')).update(Buffer.concat(parts)).digest('hex')

test('[CTL-153] [CTL-154] [CTL-155] [CTL-156] the fields are those asked for', () => {
  const { original_hash, original_data, data_to_add, key_length, algorithm } = action.fields
  assert.ok(original_hash && original_data && data_to_add)
  assert.equal(key_length?.default, 16)
  assert.deepEqual(algorithm?.options, names)
  assert.equal(algorithm?.default, 'SHA-256')
})

test('[CTL-155] 200 random keys, messages and additions: the forged hash is what node:crypto computes', async () => {
  for (let i = 0; i < 200; i++) {
    const algorithm = names[i % names.length] ?? 'MD5'
    const [key, data, more] = [randomBytes(randomInt(1, 150)), randomBytes(randomInt(200)), randomBytes(randomInt(99))]
    const { new_hash, forged_message, verified, demo } = await run({
      original_hash: digest(algorithm, key, data),
      original_data: data.toString('hex'),
      original_data_format: 'Hex',
      data_to_add: more.toString('base64'),
      data_to_add_format: 'Base64',
      key_length: key.length,
      algorithm,
      key: key.toString('hex'),
      key_format: 'Hex',
    })
    assert.equal(new_hash, digest(algorithm, key, Buffer.from(forged_message, 'hex')))
    assert.equal(verified, true)
    assert.equal(demo.holds, true)
  }
})

test('hash_extender README: the message with escapes, and for a URL', async () => {
  const { escaped, url_encoded } = await run({
    original_hash: '6036708eba0d11f6ef52ad44e8b74d5b',
    original_data: 'data',
    data_to_add: 'append',
    key_length: 6,
    algorithm: 'MD5',
  })
  assert.equal(escaped, `data\\x80${'\\x00'.repeat(45)}P${'\\x00'.repeat(7)}append`)
  assert.equal(url_encoded, `data%80${'%00'.repeat(45)}P${'%00'.repeat(7)}append`)
})

test('among many lengths the one of the key is found, and without the key all are shown', async () => {
  const original = { original_hash: digest('SHA-1', Buffer.from('secretuser=guest')), algorithm: 'SHA-1' }
  const range = { original_data: 'user=guest', data_to_add: '&a="\\', key_length: 0, key_length_to: 20 }
  const found = await run({ ...original, ...range, key: 'secret' })
  assert.equal(found.key_length, 6)
  assert.deepEqual(
    found.attempts?.filter(({ verified }) => verified).map(({ key_length }) => key_length),
    [6],
  )
  assert.ok(found.escaped.endsWith('&a=\\x22\\x5c'))
  const blind = await run({ ...original, ...range })
  assert.equal(blind.attempts?.length, 21)
  assert.equal(blind.verified, undefined)
  assert.equal(blind.demo.holds, true)
})

test('a wrong length and a wrong hash are findings, told apart', async () => {
  const question = { original_data: 'a', data_to_add: 'b', key: 'secret', algorithm: 'MD5' }
  const detail = async (raw: object) => {
    const { panels, ...result } = await run({ ...question, ...raw })
    const [banner] = panels
    assert.equal(result.verified, false)
    return banner?.kind === 'banner' ? banner.detail : undefined
  }
  const right = digest('MD5', Buffer.from('secreta'))
  assert.match(String(await detail({ original_hash: right, key_length: 5 })), /length of the key is not/)
  assert.match(String(await detail({ original_hash: '0'.repeat(32), key_length: 6 })), /not that of this key/)
})

test('what is no hash of the function, or too long, is refused at its field', async () => {
  const good = { original_hash: '0'.repeat(64), original_data: 'a', data_to_add: 'b' }
  for (const [bad, field] of [
    [{ original_hash: '' }, 'original_hash'],
    [{ original_hash: 'zz' }, 'original_hash'],
    [{ original_hash: '0'.repeat(40) }, 'original_hash'],
    [{ original_data: 'a'.repeat(16_385) }, 'original_data'],
    [{ data_to_add: 'a'.repeat(16_385) }, 'data_to_add'],
    [{ key_length: -1 }, 'key_length'],
    [{ key_length: 4097 }, 'key_length'],
    [{ key_length: 10, key_length_to: 9 }, 'key_length_to'],
    [{ key_length: 10, key_length_to: 74 }, 'key_length_to'],
    [{ algorithm: 'SHA3-256' }, 'algorithm'],
    [{ key: 'zz', key_format: 'Hex' }, 'key'],
  ] as const) {
    await assert.rejects(run({ ...good, ...bad }), { name: 'Problem', field }, JSON.stringify(bad).slice(0, 80))
  }
})
