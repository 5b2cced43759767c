import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, toHex } from '../bytes.ts'
import { type Padding, pad, paddings, readPadding, unpad } from './block-padding.ts'

const random = (length: number): Bytes => Uint8Array.from(randomBytes(length))

test('every padding there and back, with blocks of 1 to 255 bytes', () => {
  for (let blockSize = 1; blockSize <= 255; blockSize++) {
    for (const name of paddings) {
      const length = name === 'None' ? blockSize : randomInt(0, 2 * blockSize + 1)
      // A text that ends in a zero would lose it with the padding.
      const text = random(length).map(byte => byte || 1)
      const padded = pad(name, text, blockSize, random)
      assert.equal(padded.length % blockSize, 0, `${name} ${blockSize}`)
      const longest = name === 'Zero' || name === 'None' ? blockSize - 1 : blockSize
      assert.ok(padded.length - length <= longest && padded.length - length >= (longest === blockSize ? 1 : 0))
      assert.deepEqual(unpad(name, padded, blockSize), text, `${name} ${blockSize}`)
    }
  }
})

const hasCryptography = spawnSync('python3', ['-c', 'import cryptography.hazmat.primitives.padding']).status === 0

test('200 random texts padded with PKCS7 and X923 equal python3-cryptography', { skip: !hasCryptography }, () => {
  const cases = Array.from({ length: 200 }, (_, i) => ({
    name: (i % 2 ? 'PKCS7' : 'X923') as Padding,
    blockSize: randomInt(1, 256),
    text: random(randomInt(0, 300)),
  }))
  const program = `
import sys
from cryptography.hazmat.primitives import padding
for line in sys.stdin:
    name, size, text = line.rstrip("\\n").split(",")
    p = (padding.PKCS7 if name == "PKCS7" else padding.ANSIX923)(int(size) * 8).padder()
    print((p.update(bytes.fromhex(text)) + p.finalize()).hex())`
  const input = cases.map(({ name, blockSize, text }) => `${name},${blockSize},${toHex(text)}\n`).join('')
  const printed = execFileSync('python3', ['-c', program], { input, encoding: 'utf8' })
  assert.deepEqual(
    cases.map(({ name, blockSize, text }) => toHex(pad(name, text, blockSize, random))),
    printed.trimEnd().split('\n'),
  )
})

test('RFC 5652 §6.3 and its like: which bytes of a broken padding are wrong', () => {
  for (const [name, hex, positions, expected] of [
    ['PKCS7', '0102030405060700', [8], '01 to 08'],
    ['PKCS7', '0102030405060709', [8], '01 to 08'],
    ['PKCS7', '01020304050607ff', [8], '01 to 08'],
    ['PKCS7', '0102030405030203', [7], '03'],
    ['PKCS7', '0102030404030204', [6, 7], '04'],
    ['PKCS7', '0008080808080808', [1], '08'],
    ['X923', '0102030405000103', [7], '00'],
    ['X923', '0102030405010003', [6], '00'],
    ['X923', '0102030405060700', [8], '01 to 08'],
    ['ISO10126', '0102030405060700', [8], '01 to 08'],
    ['ISO10126', '010203040506070c', [8], '01 to 08'],
    ['ISO7816-4', '0102030481000000', [5], '80'],
    ['ISO7816-4', '0102030405060708', [8], '80'],
    ['ISO7816-4', '0000000000000000', [1], '80'],
    ['ISO7816-4', '8000000000000000000000', [4], '80'],
  ] as const) {
    assert.deepEqual(
      readPadding(name, fromHex(hex), 8),
      { fault: { positions: [...positions], expected } },
      `${name} ${hex}`,
    )
    assert.throws(() => unpad(name, fromHex(hex), 8), /^RangeError: the decrypted text does not end in/)
  }
})

test('what each padding says of its length', () => {
  for (const [name, hex, length] of [
    ['PKCS7', '0808080808080808', 8],
    ['PKCS7', '0102030405060701', 1],
    ['X923', '0000000000000008', 8],
    ['ISO10126', '0102030405060708', 8],
    ['ISO7816-4', '8000000000000000', 8],
    ['ISO7816-4', '8080808080808080', 1],
    ['Zero', '0000000000000000', 7],
    ['Zero', '0102030405060708', 0],
    ['Zero', '', 0],
    ['None', '0102030405060708', 0],
  ] as const) {
    assert.deepEqual(readPadding(name, fromHex(hex), 8), { length }, `${name} ${hex}`)
  }
})
