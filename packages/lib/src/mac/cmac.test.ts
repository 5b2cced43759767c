import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { cmac, isCmac } from './cmac.ts'

const MESSAGE = fromHex(
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
)
const published = [
  [
    'RFC 4493 §4',
    '2b7e151628aed2a6abf7158809cf4f3c',
    [
      [0, 'bb1d6929e95937287fa37d129b756746'],
      [16, '070a16b46b4d4144f79bdd9dd04a287c'],
      [40, 'dfa66747de9ae63030ca32611497c827'],
      [64, '51f0bebf7e3b9d92fc49741779363cfe'],
    ],
  ],
  [
    'NIST SP 800-38B §D.2',
    '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
    [
      [0, 'd17ddf46adaacde531cac483de7a9367'],
      [16, '9e99a7bf31e710900662f65e617c5184'],
      [40, '8a1de5be2eb31aad089a82e6ee908b0e'],
      [64, 'a1d5df0eed790f794d77589659f39a11'],
    ],
  ],
  [
    'NIST SP 800-38B §D.3',
    '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
    [
      [0, '028962f61b7bf89efc6b551f4667d983'],
      [16, '28a7023f452e8f82bd4bf28d8c37c35c'],
      [40, 'aaf3d8f1de5640c232f5b169b9c911e6'],
      [64, 'e1992190549f6ed5696a2c056c315410'],
    ],
  ],
] as const
for (const [from, key, rows] of published) {
  for (const [length, expected] of rows) {
    test(`${from}: ${length} bytes`, () =>
      assert.equal(toHex(cmac('AES', fromHex(key), MESSAGE.subarray(0, length))), expected))
  }
}

const threeKeys = '0123456789abcdef23456789abcdef01456789abcdef0123'
const twoKeys = '0123456789abcdef23456789abcdef010123456789abcdef'
for (const [name, key, codes] of [
  ['TDES 1', threeKeys, ['7db0d37df936c550', '30239cf1f52e6609', '6c9f3ee4923f6be2', '99429bd0bf7904e5']],
  ['TDES 2', twoKeys, ['79ce52a7f786a960', 'cc18a0b79af2413b', 'c06d377ecd101969', '9cd33580f9b64dfb']],
  ['TDES 2 in two keys', twoKeys.slice(0, 32), ['79ce52a7f786a960', 'cc18a0b79af2413b']],
] as const) {
  test(`NIST example values, CMAC with ${name}: messages of 0, 16, 20 and 32 bytes`, () => {
    codes.forEach((code, i) => {
      assert.equal(toHex(cmac('3DES', fromHex(key), MESSAGE.subarray(0, [0, 16, 20, 32][i]))), code)
    })
  })
}

test('OpenSSL evpmac_cmac_des.txt: a whole message', () => {
  const message = fromHex('fa620c1bbe97319e9a0cf0492121f7a20eb08a6a709dcbd00aaf38e4f99e754e')
  const key = fromHex('89bcd952a8c8ab371af48ac7d07085d5eff702e6d62cdc23')
  assert.equal(toHex(cmac('3DES', key, message)), '8f49a1b7d6aa2258')
})

const hasCryptX = spawnSync('perl', ['-MCrypt::Mac::OMAC', '-e', '1']).status === 0

for (const [cipher, name, lengths] of [
  ['AES', 'AES', [16, 24, 32]],
  ['3DES', 'DES_EDE', [24]],
] as const)
  test(`300 random keys and messages equal LibTomCrypt with ${cipher}`, { skip: !hasCryptX }, () => {
    const cases = Array.from({ length: 300 }, (_, length) => ({
      key: randomBytes(lengths[length % lengths.length] ?? 16),
      message: randomBytes(length),
    }))
    const program = `while (<>) { chomp; my ($k, $m) = split /,/; print Crypt::Mac::OMAC::omac_hex("${name}", pack("H*", $k), pack("H*", $m // "")), "\\n" }`
    const input = cases.map(({ key, message }) => `${key.toString('hex')},${message.toString('hex')}\n`).join('')
    const printed = execFileSync('perl', ['-MCrypt::Mac::OMAC', '-e', program], { input, encoding: 'utf8' })
    assert.deepEqual(
      cases.map(({ key, message }) => toHex(cmac(cipher, key, message))),
      printed.trim().split('\n'),
    )
  })

test('twelve random keys and messages equal OpenSSL', () => {
  for (const bytes of [16, 24, 32, 16, 24, 32, 16, 24, 32, 16, 24, 32]) {
    const key = randomBytes(bytes)
    const message = randomBytes(randomInt(1, 200))
    const program = ['mac', '-cipher', `AES-${bytes * 8}-CBC`, '-macopt', `hexkey:${key.toString('hex')}`, 'CMAC']
    const printed = execFileSync('openssl', program, { input: message, encoding: 'utf8' })
    assert.equal(toHex(cmac('AES', key, message)), printed.trim().toLowerCase())
  }
})

test('keys of other lengths are refused', () => {
  for (const length of [0, 1, 15, 17, 23, 31, 33, 64]) {
    assert.throws(() => cmac('AES', new Uint8Array(length), MESSAGE), {
      name: 'RangeError',
      message: `expected 16, 24 or 32 bytes, got ${length}`,
    })
  }
})

test('keys of other lengths are refused with 3DES', () => {
  for (const length of [0, 8, 15, 20, 25, 32]) {
    assert.throws(() => cmac('3DES', new Uint8Array(length), MESSAGE), {
      name: 'RangeError',
      message: `expected 16 or 24 bytes, got ${length}`,
    })
  }
})

test('NIST SP 800-38B §6.3: a code may be cut to 64 bits and no further', () => {
  const code = cmac('AES', new Uint8Array(16), MESSAGE)
  for (let length = 0; length <= 16; length++) assert.equal(isCmac(code.subarray(0, length), code), length >= 8)
  assert.equal(isCmac(Uint8Array.of(...code, 0), code), false)
  const wrong = code.slice(0, 8)
  wrong[7] = (wrong[7] ?? 0) ^ 1
  assert.equal(isCmac(wrong, code), false)
})
