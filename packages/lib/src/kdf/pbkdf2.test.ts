import assert from 'node:assert/strict'
import { pbkdf2Sync, randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromUtf8, toHex } from '../bytes.ts'
import { type Pbkdf2Hash, type Pbkdf2Parameters, pbkdf2, pbkdf2Hashes, pbkdf2Script, pbkdf2Work } from './pbkdf2.ts'

async function finish(run: AsyncGenerator<number, Bytes, void>): Promise<string> {
  for (;;) {
    const { done, value } = await run.next()
    if (done) return toHex(value)
  }
}

type Row = [
  from: string,
  hash: Pbkdf2Hash,
  password: string,
  salt: string,
  iterations: number,
  length: number,
  key: string,
]
const LONG = ['passwordPASSWORDpassword', 'saltSALTsaltSALTsaltSALTsaltSALTsalt'] as const
const BROWSERIFY = 'crypto-browserify/pbkdf2 fixtures'
const published: Row[] = [
  ['RFC 6070 §2', 'SHA-1', 'password', 'salt', 1, 20, '0c60c80f961f0e71f3a9b524af6012062fe037a6'],
  ['RFC 6070 §2', 'SHA-1', 'password', 'salt', 2, 20, 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957'],
  ['RFC 6070 §2', 'SHA-1', 'password', 'salt', 4096, 20, '4b007901b765489abead49d926f721d065a429c1'],
  ['RFC 6070 §2', 'SHA-1', ...LONG, 4096, 25, '3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038'],
  ['RFC 6070 §2', 'SHA-1', 'pass\0word', 'sa\0lt', 4096, 16, '56fa6aa75548099dcc37d7f03425e0c3'],
  [
    'RFC 7914 §11',
    'SHA-256',
    'passwd',
    'salt',
    1,
    64,
    '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
  ],
  [
    'RFC 7914 §11',
    'SHA-256',
    'Password',
    'NaCl',
    80_000,
    64,
    '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d',
  ],
  [
    BROWSERIFY,
    'SHA-256',
    ...LONG,
    4096,
    40,
    '348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1c635518c7dac47e9',
  ],
  [
    BROWSERIFY,
    'SHA-224',
    'password',
    'salt',
    1,
    32,
    '3c198cbdb9464b7857966bd05b7bc92bc1cc4e6e63155d4e490557fd85989497',
  ],
  [
    BROWSERIFY,
    'SHA-224',
    'password',
    'salt',
    2,
    32,
    '93200ffa96c5776d38fa10abdf8f5bfc0054b9718513df472d2331d2d1e66a3f',
  ],
  [
    BROWSERIFY,
    'SHA-224',
    ...LONG,
    4096,
    40,
    '056c4ba438ded91fc14e0594e6f52b87e1f3690c0dc0fbc05784ed9a754ca780e6c017e80c8de278',
  ],
  [
    BROWSERIFY,
    'SHA-384',
    'password',
    'salt',
    1,
    32,
    'c0e14f06e49e32d73f9f52ddf1d0c5c7191609233631dadd76a567db42b78676',
  ],
  [
    BROWSERIFY,
    'SHA-384',
    'password',
    'salt',
    2,
    32,
    '54f775c6d790f21930459162fc535dbf04a939185127016a04176a0730c6f1f4',
  ],
  [
    BROWSERIFY,
    'SHA-384',
    ...LONG,
    4096,
    40,
    '819143ad66df9a552559b9e131c52ae6c5c1b0eed18f4d283b8c5c9eaeb92b392c147cc2d2869d58',
  ],
  [
    BROWSERIFY,
    'SHA-512',
    'password',
    'salt',
    1,
    32,
    '867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252',
  ],
  [
    BROWSERIFY,
    'SHA-512',
    'password',
    'salt',
    2,
    32,
    'e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53c',
  ],
  [
    BROWSERIFY,
    'SHA-512',
    ...LONG,
    4096,
    40,
    '8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71115b59f9e60cd953',
  ],
]
for (const [from, hash, password, salt, iterations, length, key] of published) {
  const given = { hash, iterations, length }
  test(`${from}: ${hash}, ${iterations} iterations, ${length} bytes`, async () => {
    assert.equal(await finish(pbkdf2(fromUtf8(password), fromUtf8(salt), given)), key)
    if (iterations > 5000) return
    assert.equal(await finish(pbkdf2Script(fromUtf8(password), fromUtf8(salt), given)), key)
  })
}

for (const hash of pbkdf2Hashes) {
  test(`${hash}: 200 random passwords, salts and lengths equal OpenSSL, native and in JavaScript`, async () => {
    for (let i = 0; i < 200; i++) {
      const password = randomBytes(randomInt(150))
      const salt = randomBytes(randomInt(70))
      const given = { hash, iterations: randomInt(1, 20), length: randomInt(1, 200) }
      const name = hash.replace('-', '').toLowerCase()
      const expected = pbkdf2Sync(password, salt, given.iterations, given.length, name).toString('hex')
      assert.equal(await finish(pbkdf2(password, salt, given)), expected)
      assert.equal(await finish(pbkdf2Script(password, salt, given)), expected)
    }
  })
}

test('no iteration and no length are refused', async () => {
  const good: Pbkdf2Parameters = { hash: 'SHA-256', iterations: 1, length: 1 }
  for (const bad of [
    { iterations: 0 },
    { iterations: 1.5 },
    { iterations: -1 },
    { length: 0 },
    { length: Number.NaN },
  ]) {
    await assert.rejects(finish(pbkdf2(fromUtf8('a'), fromUtf8('b'), { ...good, ...bad })), RangeError)
  }
})

test('the work is the iterations for each block of the key', () => {
  assert.equal(pbkdf2Work({ hash: 'SHA-256', iterations: 1000, length: 32 }), 1000)
  assert.equal(pbkdf2Work({ hash: 'SHA-256', iterations: 1000, length: 33 }), 2000)
  assert.equal(pbkdf2Work({ hash: 'SHA-1', iterations: 7, length: 100 }), 35)
})

test('in JavaScript it stops when it is told to', async () => {
  const run = pbkdf2Script(fromUtf8('a'), fromUtf8('b'), { hash: 'SHA-224', iterations: 1_000_000, length: 28 })
  const first = await run.next()
  assert.equal(first.done, false)
  assert.ok(typeof first.value === 'number' && first.value > 0 && first.value < 0.1)
  await run.return(new Uint8Array())
  assert.equal((await run.next()).done, true)
})
