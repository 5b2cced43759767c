import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, fromUtf8 } from '../bytes.ts'
import { findCounter, hotp, type OtpHash, otpHashes, timeStep } from './otp.ts'
import { parseOtpauth } from './otpauth.ts'

test('RFC 4226 appendix D: the first ten codes', async () => {
  const key = fromUtf8('12345678901234567890')
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  for (const [counter, code] of codes.entries()) {
    assert.equal(await hotp(key, counter, { hash: 'SHA-1', digits: 6 }), code)
  }
})

test('RFC 6238 appendix B: six times with three hash functions', async () => {
  const keys = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-512': 64 }
  for (const [seconds, ...codes] of [
    [59, '94287082', '46119246', '90693936'],
    [1111111109, '07081804', '68084774', '25091201'],
    [1111111111, '14050471', '67062674', '99943326'],
    [1234567890, '89005924', '91819424', '93441116'],
    [2000000000, '69279037', '90698825', '38618901'],
    [20000000000, '65353130', '77737706', '47863826'],
  ] as const) {
    for (const [i, hash] of otpHashes.entries()) {
      const key = fromUtf8('1234567890'.repeat(7).slice(0, keys[hash]))
      assert.equal(await hotp(key, timeStep(seconds, 30), { hash, digits: 8 }), codes[i], `${hash} at ${seconds}`)
    }
  }
})

test('Python computes the same code, 300 times', async () => {
  const cases = Array.from({ length: 300 }, (_, i) => ({
    hash: (otpHashes[i % 3] ?? 'SHA-1') as OtpHash,
    key: randomBytes(randomInt(1, 150)).toString('hex'),
    counter: i % 2 ? randomInt(0, 2 ** 40) : Number.MAX_SAFE_INTEGER - i,
    digits: 6 + (i % 3),
  }))
  const script = `
import sys, json, hmac, struct
for c in json.load(sys.stdin):
    mac = hmac.new(bytes.fromhex(c['key']), struct.pack('>Q', c['counter']), c['hash'].replace('-', '').lower()).digest()
    o = mac[-1] & 15
    print(str((struct.unpack('>I', mac[o:o+4])[0] & 0x7fffffff) % 10**c['digits']).zfill(c['digits']))`
  const theirs = execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }).split('\n')
  for (const [i, { key, counter, ...terms }] of cases.entries()) {
    assert.equal(await hotp(fromHex(key), counter, terms), theirs[i])
  }
})

test('a code is found within the span only, the nearest first', async () => {
  const key = fromUtf8('12345678901234567890')
  const find = (code: string, first: number, last: number, expected: number) =>
    findCounter(key, code, { hash: 'SHA-1', digits: 6, first, last, expected })
  assert.equal(await find('969429', 2, 4, 3), 3)
  assert.equal(await find('969429', -5, 4, 0), 3)
  assert.equal(await find('969429', 4, 9, 4), undefined)
  assert.equal(await find('000000', 0, 9, 4), undefined)
})

test('counters and lengths that have no code are refused', async () => {
  const key = new Uint8Array(20)
  for (const counter of [-1, 0.5, 2 ** 53])
    await assert.rejects(hotp(key, counter, { hash: 'SHA-1', digits: 6 }), /from 0 up/)
  for (const digits of [5, 9]) await assert.rejects(hotp(key, 0, { hash: 'SHA-1', digits }), /from 6 to 8 digits/)
})

test('Key URI Format: addresses as they are met', () => {
  const base = {
    type: 'totp',
    issuer: '',
    account: 'a',
    secret: 'MZXW6',
    hash: 'SHA-1',
    digits: 6,
    period: 30,
    counter: 0,
  }
  for (const [text, parts] of [
    ['otpauth://totp/a?secret=MZXW6', {}],
    ['OTPAUTH://TOTP/a?SECRET=MZXW6', {}],
    [
      'otpauth://totp/ACME%20Co:john@example.com?secret=MZXW6&issuer=ACME%20Co',
      { issuer: 'ACME Co', account: 'john@example.com' },
    ],
    ['otpauth://totp/ACME%3A%20john?secret=MZXW6', { issuer: 'ACME', account: 'john' }],
    ['otpauth://totp/a?secret=MZXW6&issuer=A+B', { issuer: 'A+B' }],
    ['otpauth://totp/a?secret=MZXW6&algorithm=SHA256&digits=8&period=60', { hash: 'SHA-256', digits: 8, period: 60 }],
    ['otpauth://totp/a?secret=MZXW6&algorithm=HmacSHA512', { hash: 'SHA-512' }],
    ['otpauth://hotp/a?secret=MZXW6&counter=5', { type: 'hotp', counter: 5 }],
    ['otpauth://totp/?secret=MZXW6====', { account: '', secret: 'MZXW6====' }],
  ] as const) {
    assert.deepEqual(parseOtpauth(text), { ...base, ...parts }, text)
  }
})

test('addresses that an authenticator could misread are refused', () => {
  for (const [text, message] of [
    ['otpauth://totp', /such as otpauth/],
    ['otpauth://totp/a', /such as otpauth/],
    ['otpauth://yandex/a?secret=MZXW6', /neither totp nor hotp/],
    ['otpauth://totp/a?secret=', /has no secret/],
    ['otpauth://totp/a?secret=AA&secret=BB', /twice/],
    ['otpauth://hotp/a?secret=MZXW6', /no counter/],
    ['otpauth://totp/a?secret=MZXW6&digits=5', /digits of the address is not a number from 6 to 8/],
    ['otpauth://totp/a?secret=MZXW6&period=0', /period of the address/],
    ['otpauth://totp/a?secret=MZXW6&algorithm=MD5', /not SHA1, SHA256 or SHA512/],
    ['otpauth://hotp/a?secret=MZXW6&counter=-1', /counter of the address/],
    ['otpauth://totp/%ff?secret=MZXW6', /percent sign/],
  ] as const) {
    assert.throws(() => parseOtpauth(text), { name: 'RangeError', message })
  }
})
