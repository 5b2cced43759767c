import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { hashArt } from './hash-art.ts'

const [action] = hashArt.actions
interface Result {
  hash: string
  bits: number
  name?: string
  text?: string
  names?: string[]
  svg: string
  png?: string
  width: number
  height: number
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('[CTL-085] the example of "The drunken bishop" is drawn as published', async () => {
  const { text } = await run({ hash_value: 'fc:94:b0:c1:e5:b0:98:7c:58:43:99:76:97:ee:9f:b7', frame_title: 'RSA 2048' })
  assert.equal(
    text,
    [
      '+---[RSA 2048]----+',
      '|       .=o.  .   |',
      '|     . *+*. o    |',
      '|      =.*..o     |',
      '|       o + ..    |',
      '|        S o.     |',
      '|         o  .    |',
      '|          .  . . |',
      '|              o .|',
      '|               E.|',
      '+------[MD5]------+',
    ].join('\n'),
  )
})

test('a text is hashed by SHA-256, and every form of the hash gives the same pictures', async () => {
  for (const style of ['randomart', 'identicon', 'blockies', 'colour-bars', 'emoji']) {
    const results = await Promise.all(
      [
        { input_text: 'abc' },
        { input_text: '616263', input_format: 'Hex' },
        { hash_value: ABC },
        { hash_value: `0x${ABC.toUpperCase()}` },
        { hash_value: 'SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0' },
      ].map(input => run({ ...input, style })),
    )
    for (const result of results) assert.deepEqual(result, results[0])
    assert.deepEqual([results[0]?.hash, results[0]?.name, results[0]?.bits], [ABC, 'SHA256', 256])
  }
})

test('pictures have words for those who do not see them, and can be saved as SVG and PNG', async () => {
  const { panels, svg, png, width, height } = await run({ hash_value: ABC, style: 'identicon' })
  assert.deepEqual(panels[0], {
    ...{ kind: 'image', source: svg, alt: 'Identicon of the hash ba7816bf8f01cfea…', name: 'identicon.svg' },
    ...{ width, height },
  })
  assert.deepEqual(panels[1], { kind: 'file', name: 'identicon.png', mediaType: 'image/png', base64: png })
  const emoji = await run({ hash_value: ABC, style: 'emoji' })
  assert.equal(emoji.names?.length, 43)
  assert.equal(emoji.text?.split(/\s/).length, 43)
  assert.match(JSON.stringify(emoji.panels), /In words/)
})

test('a title stays within its frame', async () => {
  const { text } = await run({ hash_value: ABC, frame_title: 'a\nb\u0000 <&>' })
  assert.equal(text?.split('\n').length, 11)
  assert.match(text ?? '', /^\+-{4}\[ab <&>\]-{5}\+$/m)
})

test('refusals name the field', async () => {
  for (const [input, field, message] of [
    [{}, 'hash_value', 'Hash: expected a hash, or a text below.'],
    [{ hash_value: ABC, input_text: 'a' }, 'input_text', 'Text: expected a hash or a text, not both.'],
    [{ hash_value: 'abcd' }, 'hash_value', 'Hash: expected from 8 to 128 bytes, got 2.'],
    [{ hash_value: 'SHA256:YWJj' }, 'hash_value', 'Hash: expected 32 bytes after SHA256:, got 3.'],
    [{ hash_value: 'no hash!' }, 'hash_value', 'Hash: character 8 is not in the Base64 alphabet.'],
    [{ hash_value: 'a'.repeat(1001) }, 'hash_value', /at most 1000 characters/],
    [{ hash_value: ABC, frame_title: 'a'.repeat(15) }, 'frame_title', /at most 14 characters, got 15/],
    [{ hash_value: ABC, style: 'fractal' }, 'style', /^Style: expected one of randomart, /],
  ] as const) {
    await assert.rejects(run(input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})
