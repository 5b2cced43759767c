import assert from 'node:assert/strict'
import { argon2Sync, randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8, toHex } from '../bytes.ts'
import { type Argon2Parameters, argon2, argon2Variants, formatArgon2, parseArgon2 } from './argon2.ts'

const filled = (byte: number, length: number) => new Uint8Array(length).fill(byte)

for (const [section, variant, expected] of [
  ['§5.1', 'argon2d', '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb'],
  ['§5.2', 'argon2i', 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8'],
  ['§5.3', 'argon2id', '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659'],
] as const) {
  test(`RFC 9106 ${section}: ${variant} with secret and associated data`, async () => {
    const tag = await argon2(filled(1, 32), filled(2, 16), {
      variant,
      memoryKib: 32,
      iterations: 3,
      parallelism: 4,
      length: 32,
      secret: filled(3, 8),
      associatedData: filled(4, 12),
    })
    assert.equal(toHex(tag), expected)
  })
}

/** Password "password", salt "somesalt", from src/test.c of the reference implementation. */
const reference = [
  '$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY',
  '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
]
for (const text of reference) {
  test(`phc-winner-argon2 test.c: ${text.slice(0, 40)}`, async () => {
    const { parameters, salt, tag } = parseArgon2(text)
    assert.equal(toHex(await argon2(fromUtf8('password'), salt, parameters)), toHex(tag))
    assert.notEqual(toHex(await argon2(fromUtf8('Password'), salt, parameters)), toHex(tag))
    if (parameters.version === 0x13) assert.equal(formatArgon2({ parameters, salt, tag }), text)
  })
}

test('random parameters equal OpenSSL, with and without secret and associated data', async () => {
  for (let round = 0; round < 240; round++) {
    const variant = argon2Variants[round % 3] ?? 'argon2id'
    const parallelism = randomInt(1, 5)
    const memoryKib = parallelism * 8 + randomInt(0, 200)
    const [iterations, length] = [randomInt(1, 4), randomInt(4, 129)]
    const [password, salt] = [randomBytes(round % 40), randomBytes(randomInt(8, 40))]
    const secret = round % 4 > 1 ? randomBytes(randomInt(1, 32)) : undefined
    const associatedData = round % 5 > 2 ? randomBytes(randomInt(1, 32)) : undefined
    const parameters: Argon2Parameters = {
      variant,
      memoryKib,
      iterations,
      parallelism,
      length,
      secret,
      associatedData,
    }
    const expected = argon2Sync(variant, {
      message: password,
      nonce: salt,
      memory: memoryKib,
      passes: iterations,
      parallelism,
      tagLength: length,
      ...(secret && { secret }),
      ...(associatedData && { associatedData }),
    })
    assert.equal(toHex(await argon2(password, salt, parameters)), expected.toString('hex'), JSON.stringify(parameters))
  }
})

test('what is stored is read back, associated data too and the secret not', () => {
  const salt = randomBytes(16)
  const tag = randomBytes(32)
  for (const variant of argon2Variants) {
    const parameters = { variant, memoryKib: 4096, iterations: 3, parallelism: 2, length: 32, version: 0x13 }
    assert.deepEqual(parseArgon2(formatArgon2({ parameters, salt, tag })), {
      parameters,
      salt: new Uint8Array(salt),
      tag: new Uint8Array(tag),
    })
    const peppered = { ...parameters, secret: filled(3, 8), associatedData: filled(4, 12) }
    const text = formatArgon2({ parameters: peppered, salt, tag })
    assert.match(text, /,data=BAQEBAQEBAQEBAQE\$/)
    const { secret: _, ...kept } = peppered
    assert.deepEqual(parseArgon2(text).parameters, { ...kept, associatedData: filled(4, 12) })
  }
})

test('RFC 9106 §3.1: parameters out of bounds are refused', async () => {
  const good: Argon2Parameters = { variant: 'argon2id', memoryKib: 64, iterations: 1, parallelism: 1, length: 32 }
  const salt = filled(2, 16)
  for (const [bad, why] of [
    [{ memoryKib: 7 }, /at least 8 KiB/],
    [{ memoryKib: 31, parallelism: 4 }, /at least 32 KiB/],
    [{ iterations: 0 }, /one iteration/],
    [{ parallelism: 0 }, /parallelism/],
    [{ length: 3 }, /at least 4 bytes/],
    [{ version: 0x11 }, /version 19 or 16/],
  ] as const) {
    await assert.rejects(argon2(filled(1, 8), salt, { ...good, ...bad }), { name: 'RangeError', message: why })
  }
  await assert.rejects(argon2(filled(1, 8), filled(2, 7), good), /salt of at least 8 bytes, got 7/)
})

test('strings that are no stored hash are refused', () => {
  for (const text of [
    '',
    'password',
    '$argon2x$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$argon2id$v=19$t=2,m=256,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ=$nf65EOgLrQMR',
    '$argon2id$v=19$m=256,t=2,p=1$c29t$nf65EOgLrQMR',
    '$argon2id$v=18$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$argon2id$v=19$m=4,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$argon2id$v=19$m=99999999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR',
    '$2b$12$abcdefghijklmnopqrstuu',
  ]) {
    assert.throws(() => parseArgon2(text), RangeError, text)
  }
})
