import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import keccakWasm from 'hash-wasm/dist/keccak.umd.min.js'
import { fromHex, fromUtf8, toHex } from '../bytes.ts'
import { type KeccakBits, keccak } from './keccak.ts'

const sizes = ['224', '256', '384', '512'] as const
const vectors: (Record<KeccakBits, string> & { bits: number; message: string })[] = JSON.parse(
  readFileSync(new URL('../../../../vectors/keccak/short-messages.json', import.meta.url), 'utf8'),
)

for (const size of sizes) {
  test(`Keccak team, ShortMsgKAT_${size}.txt: short messages, and those around the end of a block`, () => {
    assert.ok(vectors.length > 10)
    for (const { bits, message, [size]: hash } of vectors) {
      assert.equal(toHex(keccak(size, fromHex(message))), hash, `Len = ${bits}`)
    }
  })

  test(`Keccak-${size}: 60 random messages as hash-wasm hashes them`, async () => {
    const other = await keccakWasm.createKeccak(Number(size) as 224)
    for (let i = 0; i < 60; i++) {
      const message = randomBytes(randomInt(600))
      assert.equal(toHex(keccak(size, message)), other.init().update(message).digest('hex'))
    }
  })
}

test('CyberChef Hash.mjs, Keccak: "Hello, World!" in all sizes', () => {
  const hashes = sizes.map(size => toHex(keccak(size, fromUtf8('Hello, World!'))))
  assert.deepEqual(hashes, [
    '4eaaf0e7a1e400efba71130722e1cb4d59b32afb400e654afec4f8ce',
    'acaf3289d7b601cbd114fb36c4d29c85bbfd5e133f14cb355c3fd8d99367964f',
    '4d60892fde7f967bcabdc47c73122ae6311fa1f9be90d721da32030f7467a2e3db3f9ccb3c746483f9d2b876e39def17',
    'eda765576c84c600ed7f5d97510e92703b61f5215def2a161037fd9dd1f5b6ed4f86ce46073c0e3f34b52de0289e9c618798fff9dd4b1bfe035bdb8645fc6e37',
  ])
})
