import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { bcryptDigest, formatBcrypt, parseBcrypt } from './bcrypt.ts'

const LONG = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const published = [
  ['crypt_blowfish wrapper.c', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['crypt_blowfish wrapper.c', 'U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
  ['crypt_blowfish wrapper.c', 'U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  ['crypt_blowfish wrapper.c', '', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
  ['crypt_blowfish wrapper.c', LONG, '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'],
  ['jBCrypt TestBCrypt.java', '', '$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.'],
  ['jBCrypt TestBCrypt.java', 'a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
  ['jBCrypt TestBCrypt.java', 'abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
  [
    'jBCrypt TestBCrypt.java',
    '~!@#$%^&*()      ~!@#$%^&*()PNBFRD',
    '$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO',
  ],
] as const
for (const [from, password, stored] of published) {
  test(`${from}: "${password.slice(0, 12)}"`, async () => {
    const { digest, ...rest } = parseBcrypt(stored)
    assert.equal(await bcryptDigest(fromUtf8(password), rest.salt, rest.cost), digest)
    assert.equal(formatBcrypt({ digest, ...rest }), stored)
  })
}

test('crypt_blowfish wrapper.c: a byte above 127, in 2y', async () => {
  const stored = '$2y$05$/OK.fbVrR/bpIqNJ5ianF.Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq'
  const { salt, cost, digest } = parseBcrypt(stored)
  assert.equal(await bcryptDigest(Uint8Array.of(0xa3), salt, cost), digest)
})

test('200 random passwords of 0 to 72 bytes and salts equal crypt(3)', async () => {
  const cases = Array.from({ length: 200 }, (_, i) => ({
    password: Uint8Array.from(randomBytes(i % 73), byte => (byte === 0xff ? 0xfe : byte || 1)),
    salt: Uint8Array.from(randomBytes(16)),
    version: (['2b', '2y'] as const)[randomInt(2)] ?? '2b',
  }))
  const made = await Promise.all(
    cases.map(async ({ password, salt, version }) =>
      formatBcrypt({ version, cost: 4, salt, digest: await bcryptDigest(password, salt, 4) }),
    ),
  )
  const input = cases.map(({ password }, i) => `${Buffer.from(password).toString('hex')},${made[i]?.slice(0, 29)}\n`)
  const program = 'while (<>) { chomp; my ($p, $s) = split /,/; print crypt(pack("H*", $p), $s), "\\n" }'
  const printed = execFileSync('perl', ['-e', program], { input: input.join(''), encoding: 'utf8' })
  assert.deepEqual(made, printed.trim().split('\n'))
})

test('crypt_blowfish wrapper.c: after FF the versions differ, and no UTF-8 has it', async () => {
  const { salt } = parseBcrypt('$2y$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e')
  await assert.rejects(bcryptDigest(Uint8Array.of(0xff, 0xff, 0xa3), salt, 5), { name: 'RangeError', message: /UTF-8/ })
})

test('the four unused bits of a salt are ignored', () => {
  const { salt } = parseBcrypt('$2b$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW')
  assert.deepEqual(parseBcrypt('$2b$04$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW').salt, salt)
})

test('what is no bcrypt hash is refused, and what comes from faulty programs by name', () => {
  const rest = '$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  for (const [text, message] of [
    ['', /expected a hash/],
    ['hunter2', /expected a hash/],
    [`$2b${rest}x`, /expected a hash/],
    [`$2b${rest.slice(0, -1)}`, /expected a hash/],
    [`$2c${rest}`, /expected a hash/],
    [`$2x${rest}`, /version 2x/],
    [`$2${rest}`, /version 2 /],
    [`$2b${rest.replace('05', '03')}`, /from 4 to 31/],
    [`$2b${rest.replace('05', '32')}`, /from 4 to 31/],
    [`$2b${rest.replace('05', '5')}`, /expected a hash/],
  ] as const) {
    assert.throws(() => parseBcrypt(text), { name: 'RangeError', message }, text)
  }
})

test('long passwords, NUL, wrong salts and costs are refused', async () => {
  const salt = new Uint8Array(16)
  await assert.rejects(bcryptDigest(new Uint8Array(73).fill(97), salt, 4), /at most 72 bytes, got 73/)
  await assert.rejects(bcryptDigest(Uint8Array.of(97, 0, 98), salt, 4), /NUL/)
  await assert.rejects(bcryptDigest(fromUtf8('a'), new Uint8Array(15), 4), /16 bytes, got 15/)
  for (const cost of [3, 32, 4.5, Number.NaN]) await assert.rejects(bcryptDigest(fromUtf8('a'), salt, cost), /cost/)
})
