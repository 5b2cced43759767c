import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8, toHex } from '../bytes.ts'
import { type Blake2Name, blake2, blake2Limits } from './blake2.ts'

const counting = (length: number) => Uint8Array.from({ length }, (_, i) => i)

test('RFC 7693 §A: BLAKE2b-512 of "abc"', () =>
  assert.equal(
    toHex(blake2('BLAKE2b', fromUtf8('abc'), { length: 64 })),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ))

test('RFC 7693 §B: BLAKE2s-256 of "abc"', () =>
  assert.equal(
    toHex(blake2('BLAKE2s', fromUtf8('abc'), { length: 32 })),
    '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982',
  ))

for (const [name, length, expected] of [
  [
    'BLAKE2b',
    0,
    '10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568',
  ],
  [
    'BLAKE2b',
    1,
    '961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd',
  ],
  ['BLAKE2s', 0, '48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49'],
  ['BLAKE2s', 1, '40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1'],
] as const) {
  test(`BLAKE2 reference kat: keyed ${name} of ${length} bytes`, () => {
    const { key, length: whole } = blake2Limits[name]
    assert.equal(toHex(blake2(name, counting(length), { length: whole, key: counting(key) })), expected)
  })
}

/** The recipe of RFC 7693 §E: all lengths and keys by one seeded generator, and a hash of the hashes. */
function selfTest(name: Blake2Name, sizes: readonly number[], lengths: readonly number[]): string {
  const sequence = (length: number, seed: number) => {
    let a = Math.imul(0xdead4bad, seed) >>> 0
    let b = 1
    return Uint8Array.from({ length }, () => {
      const t = (a + b) >>> 0
      a = b
      b = t
      return t >>> 24
    })
  }
  const all: number[] = []
  for (const length of sizes) {
    for (const size of lengths) {
      const message = sequence(size, size)
      all.push(
        ...blake2(name, message, { length }),
        ...blake2(name, message, { length, key: sequence(length, length) }),
      )
    }
  }
  return toHex(blake2(name, Uint8Array.from(all), { length: 32 }))
}

test('RFC 7693 §E: the self-test of BLAKE2b', () =>
  assert.equal(
    selfTest('BLAKE2b', [20, 32, 48, 64], [0, 3, 128, 129, 255, 1024]),
    'c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475',
  ))
test('RFC 7693 §E: the self-test of BLAKE2s', () =>
  assert.equal(
    selfTest('BLAKE2s', [16, 20, 28, 32], [0, 3, 64, 65, 255, 1024]),
    '6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe',
  ))

for (const name of ['BLAKE2b', 'BLAKE2s'] as const) {
  test(`${name}: 400 random messages, keys, salts, personalisations and lengths equal hashlib of Python`, () => {
    const limits = blake2Limits[name]
    const cases = Array.from({ length: 400 }, () => ({
      message: randomBytes(randomInt(300)),
      length: randomInt(1, limits.length + 1),
      key: randomBytes(randomInt(limits.key + 1)),
      salt: randomBytes(randomInt(limits.salt + 1)),
      personalization: randomBytes(randomInt(limits.salt + 1)),
    }))
    const program = [
      'import hashlib,sys,json',
      'for c in json.load(sys.stdin):',
      '  h=bytes.fromhex',
      `  print(hashlib.${name.toLowerCase()}(h(c["message"]),digest_size=c["length"],key=h(c["key"]),salt=h(c["salt"]),person=h(c["personalization"])).hexdigest())`,
    ]
    const input = JSON.stringify(cases, (_, value) => (value?.type === 'Buffer' ? toHex(value.data) : value))
    const printed = execFileSync('python3', ['-c', program.join('\n')], { input, encoding: 'utf8' })
    assert.deepEqual(
      cases.map(({ message, ...parameters }) => toHex(blake2(name, message, parameters))),
      printed.trim().split('\n'),
    )
  })

  test(`${name}: what does not fit the parameter block is refused`, () => {
    const { length, key, salt } = blake2Limits[name]
    const none = fromHex('')
    for (const wrong of [0, -1, 1.5, length + 1, Number.NaN]) {
      assert.throws(() => blake2(name, none, { length: wrong }), RangeError)
    }
    assert.throws(() => blake2(name, none, { length, key: counting(key + 1) }), /at most \d+ bytes, got \d+/)
    assert.throws(() => blake2(name, none, { length, salt: counting(salt + 1) }), /salt of at most/)
    assert.throws(() => blake2(name, none, { length, personalization: counting(salt + 1) }), /personalisation/)
  })
}
