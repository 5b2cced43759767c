import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Bytes, concat, fromHex, toHex } from '../bytes.ts'
import { checkXtsKey, decryptXts, encryptXts, MAX_XTS_BYTES, readTweak } from './xts.ts'

const random = (length: number): Bytes => Uint8Array.from(randomBytes(length))
const sequence = (length: number) => Uint8Array.from({ length }, (_, i) => i)

const STOLEN = { key: 'fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0', number: '78187493530' }
for (const [name, { key, number }, plaintext, ciphertext] of [
  [
    'vector 2',
    { key: '11'.repeat(16) + '22'.repeat(16), number: '219902325555' },
    '44'.repeat(32),
    'c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0',
  ],
  [
    'vector 3',
    { key: 'fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222', number: '219902325555' },
    '44'.repeat(32),
    'af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89',
  ],
  ['17 bytes with ciphertext stealing', STOLEN, toHex(sequence(17)), '6c1625db4671522d3d7599601de7ca09ed'],
] as const) {
  test(`IEEE 1619 Annex B: ${name}`, () => {
    const job = { key: fromHex(key), tweak: readTweak(number, 'Automatic') }
    assert.equal(toHex(encryptXts(job, fromHex(plaintext))), ciphertext)
    assert.equal(toHex(decryptXts(job, fromHex(ciphertext))), plaintext)
  })
}

interface WycheproofTest {
  tcId: number
  comment: string
  key: string
  iv: string
  msg: string
  ct: string
  result: string
}
const { testGroups } = JSON.parse(
  readFileSync(new URL('../../../../vectors/aes/aes_xts.json', import.meta.url), 'utf8'),
) as { testGroups: { tests: WycheproofTest[] }[] }

test('Wycheproof aes_xts: all 123 vectors, both ways', () => {
  const tests = testGroups.flatMap(({ tests }) => tests)
  assert.equal(tests.length, 123)
  for (const { tcId, key, iv, msg, ct, result } of tests) {
    assert.equal(result, 'valid')
    const job = { key: fromHex(key), tweak: readTweak(iv, 'Hex') }
    assert.equal(toHex(encryptXts(job, fromHex(msg))), ct, `tcId ${tcId}`)
    assert.equal(toHex(decryptXts(job, fromHex(ct))), msg, `tcId ${tcId}`)
  }
})

test('300 random keys, tweaks and lengths equal OpenSSL', () => {
  for (let i = 0; i < 300; i++) {
    const bits = i % 2 ? 128 : 256
    const job = { key: random(bits / 4), tweak: random(16) }
    const text = random(i < 100 ? 16 + i : randomInt(16, 5000))
    const cipher = createCipheriv(`aes-${bits}-xts`, job.key, job.tweak)
    const expected = concat(cipher.update(text), cipher.final())
    assert.deepEqual(encryptXts(job, text), expected)
    const back = createDecipheriv(`aes-${bits}-xts`, job.key, job.tweak)
    assert.deepEqual(decryptXts(job, expected), concat(back.update(expected), back.final()))
    assert.deepEqual(decryptXts(job, expected), text)
  }
})

test('IEEE 1619 §5.1: a tweak is a number, lowest byte first, or bytes in hexadecimal', () => {
  for (const [text, format, tweak] of [
    ['0', 'Automatic', '00'.repeat(16)],
    ['1', 'Automatic', `01${'00'.repeat(15)}`],
    ['258', 'Automatic', `0201${'00'.repeat(14)}`],
    ['78187493530', 'Automatic', `9a78563412${'00'.repeat(11)}`],
    ['340282366920938463463374607431768211455', 'Automatic', 'ff'.repeat(16)],
    ['00000000000000000000000000000012', 'Automatic', `${'00'.repeat(15)}12`],
    ['00000000000000000000000000000012', 'Number', `0c${'00'.repeat(15)}`],
    ['9a78563412', 'Automatic', `9a78563412${'00'.repeat(11)}`],
    ['12', 'Hex', `12${'00'.repeat(15)}`],
    ['0x12', 'Automatic', `12${'00'.repeat(15)}`],
    [' 9A:78 ', 'Automatic', `9a78${'00'.repeat(14)}`],
  ] as const) {
    assert.equal(toHex(readTweak(text, format)), tweak, `${text} as ${format}`)
  }
})

test('tweaks that are neither are refused', () => {
  for (const [text, format, message] of [
    ['', 'Automatic', /expected a number, or 1 to 16 bytes/],
    ['', 'Number', /whole number/],
    ['-1', 'Automatic', /hexadecimal digit/],
    ['1.5', 'Number', /whole number/],
    ['340282366920938463463374607431768211456', 'Automatic', /below 2\^128/],
    ['9'.repeat(100_000), 'Number', /below 2\^128/],
    ['9'.repeat(100_000), 'Automatic', /below 2\^128/],
    ['00'.repeat(17), 'Hex', /1 to 16 bytes in hexadecimal, got 17/],
    ['abc', 'Automatic', /odd/],
    ['sector', 'Automatic', /hexadecimal digit/],
  ] as const) {
    assert.throws(() => readTweak(text, format), { name: 'RangeError', message }, text.slice(0, 40))
  }
})

test('texts under one block or over 2^20 blocks, and other tweaks, are refused', () => {
  const job = { key: random(64), tweak: random(16) }
  for (const length of [0, 1, 15, MAX_XTS_BYTES + 1]) {
    for (const crypt of [encryptXts, decryptXts]) {
      assert.throws(() => crypt(job, new Uint8Array(length)), {
        name: 'RangeError',
        message: `expected 16 to 16777216 bytes, got ${length}`,
      })
    }
  }
  assert.throws(() => encryptXts({ ...job, tweak: random(15) }, random(16)), /expected a tweak of 16 bytes/)
})

test('keys of other lengths, and equal halves, are refused', () => {
  for (const length of [0, 16, 24, 31, 33, 65]) {
    assert.throws(() => checkXtsKey(random(length)), { message: `expected 32, 48 or 64 bytes, got ${length}` })
  }
  for (const length of [16, 24, 32]) {
    const half = random(length)
    for (const crypt of [encryptXts, decryptXts]) {
      assert.throws(() => crypt({ key: concat(half, half), tweak: random(16) }, random(16)), /two different halves/)
    }
  }
})
