import { type OtpHash, otpHashes } from './otp.ts'

/** What an otpauth address says: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export interface Otpauth {
  type: 'totp' | 'hotp'
  issuer: string
  account: string
  /** In Base32. */
  secret: string
  hash: OtpHash
  digits: number
  period: number
  counter: number
}

const MAX_PERIOD = 86_400

export const looksLikeOtpauth = (text: string): boolean => /^\s*otpauth:/i.test(text)

/** Reads an address; RangeError, with the part that is wrong, for anything an authenticator could misread. */
export function parseOtpauth(text: string): Otpauth {
  const match = /^otpauth:\/\/([a-z]+)\/([^?#]*)\?([^#]*)$/i.exec(text.trim())
  if (!match) throw new RangeError('expected an address such as otpauth://totp/Example:alice?secret=…')
  const [, kind = '', label = '', query = ''] = match
  const type = kind.toLowerCase()
  if (type !== 'totp' && type !== 'hotp') throw new RangeError('the address is for neither totp nor hotp')
  const parameters = readQuery(query)
  const secret = parameters.get('secret')
  if (!secret) throw new RangeError('the address has no secret')
  const counter = parameters.get('counter')
  if (type === 'hotp' && counter === undefined) throw new RangeError('the address is for hotp and has no counter')
  const [account, prefix] = readLabel(label)
  return {
    type,
    issuer: parameters.get('issuer') ?? prefix,
    account,
    secret,
    hash: readHash(parameters.get('algorithm') ?? 'SHA1'),
    digits: readNumber('digits', parameters.get('digits') ?? '6', { min: 6, max: 8 }),
    period: readNumber('period', parameters.get('period') ?? '30', { min: 1, max: MAX_PERIOD }),
    counter: readNumber('counter', counter ?? '0', { min: 0, max: Number.MAX_SAFE_INTEGER }),
  }
}

/** A plus sign stands for itself here: this is no form. */
function readQuery(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const part of query.split('&').filter(Boolean)) {
    const [name = '', ...value] = part.split('=')
    const key = decode(name).toLowerCase()
    if (parameters.has(key)) throw new RangeError('a parameter of the address stands there twice')
    parameters.set(key, decode(value.join('=')))
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new RangeError('the address has a percent sign that is not followed by UTF-8', { cause })
  }
}

/** The colon between issuer and account may be percent-encoded, but one that is not goes first. */
function readLabel(label: string): [account: string, issuer: string] {
  const literal = label.split(':')
  const [first = '', ...rest] = literal.length > 1 ? literal.map(decode) : decode(label).split(':')
  return rest.length ? [rest.join(':').trim(), first.trim()] : [first.trim(), '']
}

function readHash(name: string): OtpHash {
  const bare = name.toUpperCase().replace(/^HMAC/, '').replace(/[-_]/g, '')
  const found = otpHashes.find(hash => hash.replace('-', '') === bare)
  if (!found) throw new RangeError('the algorithm of the address is not SHA1, SHA256 or SHA512')
  return found
}

function readNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new RangeError(`the ${name} of the address is not a number from ${min} to ${max}`)
}
