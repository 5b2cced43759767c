import assert from 'node:assert/strict'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { totpHotp } from './totp-hotp.ts'

interface Result {
  code: string
  next_code: string
  previous_code: string | null
  remaining_seconds: number
  timestamp: number
  uri: string
  svg: string | null
  valid?: boolean
  drift?: number
  drift_seconds?: number
  next_counter?: number
  note?: string
}
async function run(name: 'totp' | 'hotp', input: Record<string, unknown>, now?: string) {
  const action = totpHotp.actions.find(action => action.name === name)
  assert.ok(action)
  const outcome = await performed(action, input, replay(now ? { now } : {}))
  const result = outcome.result as Result
  return { ...result, panels: action.show?.(result, outcome.input) ?? [] }
}
/** The secret of RFC 6238 appendix B in Base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('[CTL-071] TOTP: the vectors of RFC 6238 appendix B, at the clock and at a given time', async () => {
  const at59 = await run('totp', { secret, digits: '8' }, '1970-01-01T00:00:59Z')
  assert.deepEqual([at59.code, at59.remaining_seconds, at59.timestamp], ['94287082', 1, 59])
  for (const timestamp of [
    '1111111111',
    '2005-03-18T01:58:31Z',
    '2005-03-18 02:58:31+01:00',
    '2005-03-18T01:58:31.9z',
  ]) {
    const { code, previous_code } = await run('totp', { secret, digits: '8', timestamp })
    assert.deepEqual([code, previous_code], ['14050471', '07081804'])
  }
})

test('[CTL-072] HOTP: the vectors of RFC 4226 appendix D', async () => {
  for (const [counter, code] of ['755224', '287082', '359152', '969429', '338314'].entries()) {
    assert.equal((await run('hotp', { secret, counter })).code, code)
  }
})

test('secrets as people have them: small letters, spaces, hyphens, padding, and other encodings', async () => {
  const hex = Buffer.from('12345678901234567890').toString('hex')
  for (const input of [
    { secret: secret.toLowerCase() },
    { secret: secret.replace(/(.{4})/g, '$1 ') },
    { secret: secret.replace(/(.{4})/g, '$1-') },
    { secret: hex, secret_format: 'Hex' },
    { secret: hex.replace(/../g, '0x$&, '), secret_format: 'Hex' },
    { secret: Buffer.from(hex, 'hex').toString('base64'), secret_format: 'Base64' },
    { secret: '12345678901234567890', secret_format: 'UTF-8' },
    { secret: `otpauth://hotp/a?secret=${secret}&counter=0` },
  ]) {
    assert.equal((await run('hotp', input)).code, '755224')
  }
  assert.equal(
    (await run('hotp', { secret: 'MZXW6===' })).panels.some(({ kind }) => kind === 'note'),
    true,
  )
})

test('a code is checked within the window, and the drift is told', async () => {
  const check = (code: string, more = {}) =>
    run('totp', { secret, digits: '8', timestamp: '1111111111', code, ...more })
  assert.deepEqual([(await check('14050471')).valid, (await check('14050471')).drift], [true, 0])
  const old = await check('0708 1804')
  assert.deepEqual([old.valid, old.drift, old.drift_seconds], [true, -1, -30])
  assert.equal((await check('07081804', { window: 0 })).valid, false)
  assert.equal((await check('00000000', { window: 100 })).valid, false)
  assert.equal((await check('')).valid, undefined)
  const ahead = await run('hotp', { secret, counter: 0, code: '254676' })
  assert.deepEqual([ahead.valid, ahead.drift, ahead.next_counter], [true, 5, 6])
  assert.equal((await run('hotp', { secret, counter: 1, code: '755224' })).valid, false)
})

test('the address is read back to the same codes, and its QR code is there', async () => {
  const input = {
    secret,
    algorithm: 'SHA-256',
    digits: '8',
    period: 60,
    issuer: 'ACME: Größe+',
    account: 'a@b',
    timestamp: '59',
  }
  const made = await run('totp', input)
  const again = await run('totp', { secret: made.uri, timestamp: '59' })
  assert.deepEqual([again.code, again.uri], [made.code, made.uri])
  assert.match(again.note ?? '', /from the otpauth/)
  assert.match(made.svg ?? '', /^<svg /)
  const long = await run('totp', { secret: 'A'.repeat(8000), timestamp: '59' })
  assert.equal(long.svg, null)
})

test('secret and code are secret fields', () => {
  for (const { fields } of totpHotp.actions) assert.ok(fields.secret?.secret && fields.code?.secret)
})

test('refusals name the field', async () => {
  for (const [name, input, field, message] of [
    ['totp', {}, 'secret', /please enter a secret/],
    ['totp', { secret: 'A1' }, 'secret', /not in this Base32 alphabet/],
    ['totp', { secret: 'otpauth://hotp/a?secret=MZXW6&counter=0' }, 'secret', /for HOTP, which has its own page/],
    ['hotp', { secret: 'otpauth://totp/a?secret=MZXW6' }, 'secret', /for TOTP/],
    ['totp', { secret: 'otpauth://totp/a' }, 'secret', /such as otpauth/],
    ['totp', { secret, code: '12345' }, 'code', /expected 6 digits/],
    ['totp', { secret, code: '12345a' }, 'code', /expected 6 digits/],
    ['totp', { secret, timestamp: 'yesterday' }, 'timestamp', /expected seconds/],
    ['totp', { secret, timestamp: '-1' }, 'timestamp', /expected seconds/],
    ['totp', { secret, timestamp: '2026-02-30' }, 'timestamp', /expected seconds/],
    ['totp', { secret, timestamp: '1700000000000' }, 'timestamp', /expected seconds from 0 to 253402300799/],
    ['totp', { secret, period: 0 }, 'period', /from 1 to 86400 seconds/],
    ['totp', { secret, digits: '5' }, 'digits', /expected one of/],
    ['hotp', { secret, counter: -1 }, 'counter', /from 0 to/],
    ['hotp', { secret, window: 101 }, 'window', /from 0 to 100/],
  ] as const) {
    await assert.rejects(run(name, input), { name: 'Problem', field, message })
  }
})
