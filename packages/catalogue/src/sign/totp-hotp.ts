import { action, explain, field, mono, type Panel, Problem, panel, sh, tool } from '@assay/kit'
import { type Bytes, fromBase64, fromPastedHex, fromUtf8 } from '@assay/lib/bytes'
import { decodeBase32, encodeBase32 } from '@assay/lib/codec/base32'
import { otpauthPayload } from '@assay/lib/generate/qr-payload'
import { findCounter, hotp, LEAST_SECRET_BYTES, type OtpHash, otpHashes, timeStep } from '@assay/lib/mac/otp'
import { looksLikeOtpauth, parseOtpauth } from '@assay/lib/mac/otpauth'

const digitChoices = ['6', '7', '8'] as const
const secretFormats = ['Base32', 'Hex', 'Base64', 'UTF-8'] as const
/** Steps that are tried around the expected one. */
const MAX_WINDOW = 100
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799
const QR = { margin: 4, size: 256 }

const shared = {
  secret: field.text('Secret', {
    secret: true,
    placeholder: 'JBSW Y3DP EHPK 3PXP',
    help: 'As the service shows it, spaces and small letters included, or a whole otpauth:// address.',
  }),
  secret_format: field.choice('Secret is written in', secretFormats),
  algorithm: field.choice('Hash function', otpHashes, { help: 'SHA-1 unless the service says otherwise.' }),
  digits: field.choice('Digits', digitChoices),
}
const code = field.text('Code to check', {
  optional: true,
  secret: true,
  placeholder: '123456',
  help: 'Leave it empty to see the code only.',
})
const names = {
  issuer: field.text('Issuer', {
    optional: true,
    maxLength: 200,
    help: 'For the QR code.',
    placeholder: 'Example Ltd',
  }),
  account: field.text('Account', { optional: true, maxLength: 200, placeholder: 'alice@example.com' }),
}

interface Typed {
  secret: string
  secret_format: (typeof secretFormats)[number]
  algorithm: OtpHash
  digits: (typeof digitChoices)[number]
  issuer: string | undefined
  account: string | undefined
}
interface Settings {
  key: Bytes
  hash: OtpHash
  digits: number
  issuer: string
  account: string
  period: number
  counter: number
  note?: string
}

/** The secrets of RFC 6238 appendix B and RFC 4226 appendix D. */
const ascii20 = '12345678901234567890'
const ascii64 = '1234567890123456789012345678901234567890123456789012345678901234'

/** One-time passwords. RFC 4226, RFC 6238. */
export const totpHotp = tool({
  id: 'totp-hotp',
  path: 'totp-hotp',
  title: 'TOTP and HOTP Code Generator and Verifier',
  category: 'digital-signatures-and-key-management',
  summary: 'The six digits of an authenticator app from its secret, now or at any time, and a check of a code.',
  keywords: [
    '2fa',
    'mfa',
    'two-factor',
    'authenticator',
    'google authenticator',
    'one-time password',
    'otp',
    'oathtool',
  ],
  specs: ['RFC 6238', 'RFC 4226'],
  runs: 'anywhere',
  actions: {
    totp: action({
      label: 'TOTP',
      title: 'TOTP Code Generator and Verifier',
      summary:
        'The code of an authenticator app at this moment or another, and a check that allows for clocks that differ.',
      fields: {
        ...shared,
        period: field.number('Period', { min: 1, max: 86_400, default: 30, unit: 'seconds' }),
        code,
        window: field.number('Window', {
          min: 0,
          max: MAX_WINDOW,
          default: 1,
          unit: 'periods',
          help: 'A code this much older or newer still counts. RFC 6238 §5.2 recommends one.',
        }),
        timestamp: field.text('Time', {
          optional: true,
          maxLength: 40,
          placeholder: '2026-11-21T12:00:00Z',
          help: 'Seconds since 1970, or a date and time. Leave it empty for now.',
        }),
        ...names,
      },
      async run({ period, code, window, timestamp, ...typed }, { now }) {
        const settings = settingsOf('totp', { ...typed, period, counter: 0 })
        const { key, note, ...terms } = settings
        const seconds = explain('timestamp', 'Time', () => readTime(timestamp, now()))
        const step = timeStep(seconds, terms.period)
        const until = (step + 1) * terms.period
        const checked = await check(key, code, terms, { first: step - window, last: step + window, expected: step })
        return {
          code: await hotp(key, step, terms),
          next_code: await hotp(key, step + 1, terms),
          previous_code: step > 0 ? await hotp(key, step - 1, terms) : null,
          valid_until: new Date(until * 1000).toISOString(),
          remaining_seconds: until - seconds,
          timestamp: seconds,
          counter: step,
          ...described(settings),
          period: terms.period,
          ...(checked && {
            valid: checked.found !== undefined,
            ...(checked.found !== undefined && {
              drift: checked.found - step,
              drift_seconds: (checked.found - step) * terms.period,
            }),
          }),
          uri: uriOf('totp', settings),
          svg: await qrOf('totp', settings),
          ...(note && { note }),
        }
      },
      show: result => [
        ...verdict(result, driftWords(result)),
        panel.tiles(
          { label: 'Code', value: mono(result.code) },
          {
            label: 'Valid for',
            value: `${result.remaining_seconds} s`,
            detail: `until ${result.valid_until.slice(11, 19)} UTC`,
          },
          { label: 'Next code', value: mono(result.next_code) },
        ),
        panel.facts([
          ['Period number', mono(result.counter)],
          ['Method', `TOTP, HMAC-${result.algorithm}, ${result.digits} digits every ${result.period} s`],
          ['Secret', `${result.secret_bytes} bytes`],
        ]),
        ...provisioning(result),
      ],
      terminal: ({ algorithm, digits, period, timestamp }) => ({
        command: sh`oathtool --totp=${algorithm.replace('-', '')} -d ${digits} -s ${`${period}s`} ${
          timestamp ? `--now=${/^\d+$/.test(timestamp) ? `@${timestamp}` : timestamp}` : '--now=now'
        } -b @secret.txt`,
      }),
      examples: [
        {
          from: 'RFC 6238 appendix B',
          title: 'SHA-1, 59 seconds after 1970 began',
          input: { secret: ascii20, secret_format: 'UTF-8', digits: '8', timestamp: '59' },
          result: { code: '94287082', counter: 1, remaining_seconds: 1 },
        },
        {
          from: 'RFC 6238 appendix B',
          title: 'SHA-256 in 2005, with a code that is checked',
          input: {
            secret: ascii64.slice(0, 32),
            secret_format: 'UTF-8',
            algorithm: 'SHA-256',
            digits: '8',
            timestamp: '2005-03-18T01:58:29Z',
            code: '68084774',
          },
          result: { code: '68084774', counter: 37037036, valid: true, drift: 0 },
        },
        {
          from: 'RFC 6238 appendix B',
          title: 'SHA-512 in 2603',
          input: {
            secret: ascii64,
            secret_format: 'UTF-8',
            algorithm: 'SHA-512',
            digits: '8',
            timestamp: '20000000000',
          },
          result: { code: '47863826', counter: 666666666 },
        },
      ],
    }),

    hotp: action({
      label: 'HOTP',
      title: 'HOTP Code Generator and Verifier',
      summary: 'The code of a token that counts, and a check that looks ahead for codes which were never sent.',
      fields: {
        ...shared,
        counter: field.number('Counter', { min: 0, max: Number.MAX_SAFE_INTEGER - MAX_WINDOW, default: 0 }),
        code,
        window: field.number('Look ahead', {
          min: 0,
          max: MAX_WINDOW,
          default: 10,
          unit: 'codes',
          help: 'RFC 4226 §7.4: codes that were shown but never used. Older ones never count again.',
        }),
        ...names,
      },
      async run({ counter, code, window, ...typed }) {
        const settings = settingsOf('hotp', { ...typed, period: 30, counter })
        const { key, note, ...terms } = settings
        const expected = terms.counter
        const checked = await check(key, code, terms, { first: expected, last: expected + window, expected })
        return {
          code: await hotp(key, expected, terms),
          next_code: await hotp(key, expected + 1, terms),
          counter: expected,
          ...described(settings),
          ...(checked && {
            valid: checked.found !== undefined,
            ...(checked.found !== undefined && { drift: checked.found - expected, next_counter: checked.found + 1 }),
          }),
          uri: uriOf('hotp', settings),
          svg: await qrOf('hotp', settings),
          ...(note && { note }),
        }
      },
      show: result => [
        ...verdict(
          result,
          result.drift
            ? `It is ${result.drift} ahead: store ${result.next_counter} as the next counter.`
            : 'It is the next one.',
        ),
        panel.tiles(
          { label: 'Code', value: mono(result.code) },
          { label: 'Counter', value: mono(result.counter) },
          { label: 'Next code', value: mono(result.next_code) },
        ),
        panel.facts([
          ['Method', `HOTP, HMAC-${result.algorithm}, ${result.digits} digits`],
          ['Secret', `${result.secret_bytes} bytes`],
        ]),
        ...provisioning(result),
      ],
      terminal: ({ digits, counter, algorithm }) =>
        algorithm === 'SHA-1' ? { command: sh`oathtool --hotp -d ${digits} -c ${counter} -b @secret.txt` } : undefined,
      examples: [
        {
          from: 'RFC 4226 appendix D',
          title: 'The first code',
          input: { secret: ascii20, secret_format: 'UTF-8' },
          result: { code: '755224', next_code: '287082', counter: 0 },
        },
        {
          from: 'RFC 4226 appendix D',
          title: 'The last but one, and a code that is one ahead',
          input: { secret: ascii20, secret_format: 'UTF-8', counter: 8, code: '520489' },
          result: { code: '399871', next_code: '520489', valid: true, drift: 1, next_counter: 10 },
        },
        {
          from: 'RFC 4226 appendix D',
          title: 'A code that was used already',
          input: { secret: ascii20, secret_format: 'UTF-8', counter: 3, code: '755224' },
          result: { code: '969429', valid: false },
        },
      ],
    }),
  },
})

/** An address brings everything along; what the form says beside it does not count then. */
function settingsOf(type: 'totp' | 'hotp', typed: Typed & { period: number; counter: number }): Settings {
  if (looksLikeOtpauth(typed.secret)) {
    const found = explain('secret', 'Secret', () => parseOtpauth(typed.secret))
    if (found.type !== type) {
      throw new Problem(
        'invalid-input',
        `Secret: this address is for ${found.type.toUpperCase()}, which has its own page.`,
        {
          field: 'secret',
        },
      )
    }
    const key = explain('secret', 'Secret', () => readSecret(found.secret, 'Base32'))
    return { ...found, key, note: 'Everything was taken from the otpauth:// address.' }
  }
  const { secret, secret_format, algorithm, digits, period, counter, issuer = '', account = '' } = typed
  const key = explain('secret', 'Secret', () => readSecret(secret, secret_format))
  return { key, hash: algorithm, digits: Number(digits), issuer, account, period, counter }
}

function readSecret(text: string, format: (typeof secretFormats)[number]): Bytes {
  const bytes = secretBytes(text, format)
  if (!bytes.length) throw new RangeError('please enter a secret')
  return bytes
}

function secretBytes(text: string, format: (typeof secretFormats)[number]): Bytes {
  switch (format) {
    case 'Base32':
      return decodeBase32(text.replace(/[\s-]/g, ''), 'RFC4648', { strict: false, padding: false }).bytes
    case 'Hex':
      return fromPastedHex(text)
    case 'Base64':
      return fromBase64(text.trim())
    case 'UTF-8':
      return fromUtf8(text)
  }
}

/** Seconds since 1970. */
function readTime(text: string | undefined, now: Date): number {
  if (!text?.trim()) return Math.floor(now.getTime() / 1000)
  const typed = text.trim()
  const seconds = /^\d+$/.test(typed) ? Number(typed) : Math.floor(Date.parse(isoTime(typed)) / 1000)
  if (seconds >= 0 && seconds <= LAST_SECOND) return seconds
  throw new RangeError(`expected seconds from 0 to ${LAST_SECOND}, or a time such as 2026-11-21T12:00:00Z`)
}

/** Only what has one meaning: other forms, and days that no month has, are read differently by different browsers. */
function isoTime(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:\d\d)?)?$/i.exec(text)
  const [, day = '', time = '00:00', zone = 'Z'] = match ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return ''
  return `${day}T${time}${zone.toUpperCase()}`
}

interface Span {
  first: number
  last: number
  expected: number
}

async function check(
  key: Bytes,
  code: string | undefined,
  { hash, digits }: { hash: OtpHash; digits: number },
  span: Span,
): Promise<{ found: number | undefined } | undefined> {
  if (code === undefined || !code.trim()) return undefined
  const bare = code.replace(/[\s-]/g, '')
  if (!/^\d+$/.test(bare) || bare.length !== digits) {
    throw new Problem('invalid-input', `Code to check: expected ${digits} digits.`, { field: 'code' })
  }
  return { found: await findCounter(key, bare, { hash, digits, ...span }) }
}

const described = ({ key, hash, digits, issuer, account }: Settings) => ({
  algorithm: hash,
  digits,
  secret_bytes: key.length,
  secret_base32: encodeBase32(key, 'RFC4648', false),
  ...(issuer && { issuer }),
  ...(account && { account }),
})

const uriOf = (type: 'totp' | 'hotp', { key, hash, ...rest }: Settings): string =>
  otpauthPayload({
    ...rest,
    type,
    secret: encodeBase32(key, 'RFC4648', false),
    algorithm: hash.replace('-', '') as 'SHA1' | 'SHA256' | 'SHA512', // otpHashes without their hyphens
  })

/** Left out for a secret that is too long for a QR code. */
async function qrOf(type: 'totp' | 'hotp', settings: Settings): Promise<string | null> {
  const { drawSvg, encodeQr } = await import('@assay/lib/generate/qr')
  try {
    return drawSvg(encodeQr(uriOf(type, settings), 'M'), QR)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const driftWords = ({ drift = 0, drift_seconds = 0 }: { drift?: number; drift_seconds?: number }): string =>
  drift === 0
    ? 'It is the code of this period.'
    : `It is ${Math.abs(drift_seconds)} seconds ${drift < 0 ? 'old' : 'ahead'}: the clocks may differ.`

const verdict = ({ valid }: { valid?: boolean }, detail: string): Panel[] =>
  valid === undefined
    ? []
    : valid
      ? [panel.banner('good', 'The code is right', { badge: 'VALID', detail })]
      : [
          panel.banner('bad', 'The code is wrong', {
            badge: 'INVALID',
            detail: 'None of the codes within the window is this one.',
          }),
        ]

interface Provisioned {
  uri: string
  svg: string | null
  secret_bytes: number
  note?: string
}

function provisioning({ uri, svg, secret_bytes, note }: Provisioned): Panel[] {
  return [
    ...(note ? [panel.note('info', note)] : []),
    ...(secret_bytes < LEAST_SECRET_BYTES
      ? [
          panel.note(
            'warn',
            `RFC 4226 asks for a secret of at least ${LEAST_SECRET_BYTES} bytes, and this one is shorter.`,
          ),
        ]
      : []),
    panel.section(
      'For an authenticator app',
      [
        ...(svg
          ? [
              panel.image({
                source: svg,
                alt: 'QR code of the address',
                name: 'otpauth.svg',
                width: QR.size,
                height: QR.size,
              }),
            ]
          : []),
        panel.code(uri, { title: 'Address' }),
      ],
      { detail: 'The address and the QR code hold the secret: whoever sees them can make the same codes.' },
    ),
  ]
}
