import assert from 'node:assert/strict'
import { randomBytes, randomInt, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toHex } from '../bytes.ts'
import { checkScrypt, scrypt, scryptBytes } from './scrypt.ts'

for (const [password, salt, cost, blockSize, parallelism, expected] of [
  [
    '',
    '',
    16,
    1,
    1,
    '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
  ],
  [
    'password',
    'NaCl',
    1024,
    8,
    16,
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
  ],
  [
    'pleaseletmein',
    'SodiumChloride',
    16384,
    8,
    1,
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
  ],
] as const) {
  test(`RFC 7914 §12: N=${cost}, r=${blockSize}, p=${parallelism}`, async () => {
    const parameters = { cost, blockSize, parallelism, length: 64 }
    assert.equal(toHex(await scrypt(fromUtf8(password), fromUtf8(salt), parameters)), expected)
  })
}

const equalsOpenssl = async (cost: number, blockSize: number, parallelism: number) => {
  const password = randomBytes(randomInt(100))
  const salt = randomBytes(randomInt(50))
  const length = randomInt(1, 200)
  const expected = scryptSync(password, salt, length, { N: cost, r: blockSize, p: parallelism, maxmem: 2 ** 30 })
  const found = await scrypt(password, salt, { cost, blockSize, parallelism, length })
  assert.equal(toHex(found), expected.toString('hex'), `N=${cost}, r=${blockSize}, p=${parallelism}`)
}

test('220 random passwords, salts and costs equal OpenSSL', async () => {
  for (let i = 0; i < 220; i++) await equalsOpenssl(2 ** randomInt(1, 9), randomInt(1, 17), randomInt(1, 5))
})

test('blocks too large for the WebAssembly equal OpenSSL', async () => {
  for (const [cost, blockSize, parallelism] of [
    [64, 64, 2],
    [64, 65, 2],
    [64, 128, 1],
    [4, 1024, 3],
    [128, 300, 1],
  ] as const) {
    await equalsOpenssl(cost, blockSize, parallelism)
  }
})

test('RFC 7914 §2: parameters that it does not allow are refused', () => {
  const good = { cost: 16, blockSize: 1, parallelism: 1, length: 1 }
  checkScrypt(good)
  for (const bad of [
    { cost: 0 },
    { cost: 1 },
    { cost: 3 },
    { cost: 1000 },
    { cost: 2 ** 16 },
    { blockSize: 0 },
    { parallelism: 0 },
    { length: 0 },
  ]) {
    assert.throws(() => checkScrypt({ ...good, ...bad }), RangeError, JSON.stringify(bad))
  }
})

test('RFC 7914 §6: N = 16384 with r = 8 fills 16 MiB', () =>
  assert.equal(scryptBytes({ cost: 16384, blockSize: 8, parallelism: 1, length: 32 }), 128 * 8 * 16386))
