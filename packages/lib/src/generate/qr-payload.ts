import { fromUtf8 } from '../bytes.ts'
import { decodeBase32, encodeBase32 } from '../codec/base32.ts'
import { encodePercent } from '../codec/percent.ts'

/**
 * The texts that telephones act on when they read them in a QR code. No standards body wrote most of them down; they
 * follow https://github.com/zxing/zxing/wiki/Barcode-Contents unless another document is named.
 */

export const wifiSecurity = ['WPA', 'WEP', 'none'] as const

export interface Wifi {
  ssid: string
  password: string
  security: (typeof wifiSecurity)[number]
  hidden: boolean
}

/** Joins a network. Characters that divide the fields are escaped with a backslash. */
export function wifiPayload({ ssid, password, security, hidden }: Wifi): string {
  const escaped = (text: string) => text.replace(/[\\;,":]/g, '\\$&')
  const parts = [
    `T:${security === 'none' ? 'nopass' : security}`,
    `S:${escaped(ssid)}`,
    ...(security === 'none' ? [] : [`P:${escaped(password)}`]),
    ...(hidden ? ['H:true'] : []),
  ]
  return `WIFI:${parts.join(';')};;`
}

export interface Contact {
  firstName: string
  lastName: string
  organization: string
  phone: string
  email: string
  url: string
  note: string
}

/** A business card: vCard 3.0, RFC 2426, which every address book reads. Empty properties are left out. */
export function vcardPayload({ firstName, lastName, organization, phone, email, url, note }: Contact): string {
  // RFC 2426 §4: backslash, comma, semicolon and line break are escaped in a text value.
  const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
  const property = (name: string, value: string) => (value ? [`${name}:${value}`] : [])
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(lastName)};${escaped(firstName)};;;`,
    `FN:${escaped([firstName, lastName].filter(Boolean).join(' ') || organization)}`,
    ...property('ORG', escaped(organization)),
    ...property('TEL', escaped(phone)),
    ...property('EMAIL', escaped(email)),
    ...property('URL', escaped(url)),
    ...property('NOTE', escaped(note)),
    'END:VCARD',
  ]
  return lines.join('\r\n')
}

export interface OneTimePassword {
  type: 'totp' | 'hotp'
  issuer: string
  account: string
  /** Base32, in groups or not. */
  secret: string
  algorithm: 'SHA1' | 'SHA256' | 'SHA512'
  digits: number
  /** Seconds that a code of totp lasts. */
  period: number
  /** Where hotp begins to count. */
  counter: number
}

/** A second factor for an authenticator: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function otpauthPayload(otp: OneTimePassword): string {
  const encoded = (text: string) => encodePercent(fromUtf8(text), 'component')
  const label = [otp.issuer, otp.account].filter(Boolean).map(encoded).join(':')
  const parameters = [
    `secret=${readSecret(otp.secret)}`,
    ...(otp.issuer ? [`issuer=${encoded(otp.issuer)}`] : []),
    `algorithm=${otp.algorithm}`,
    `digits=${otp.digits}`,
    otp.type === 'totp' ? `period=${otp.period}` : `counter=${otp.counter}`,
  ]
  return `otpauth://${otp.type}/${label}?${parameters.join('&')}`
}

/** The secret in capitals and without spaces, hyphens and padding; RangeError when it is not Base32. */
function readSecret(text: string): string {
  const { bytes } = decodeBase32(text.replace(/[\s-]/g, ''), 'RFC4648', { strict: false, padding: false })
  if (!bytes.length) throw new RangeError('expected a secret in Base32')
  return encodeBase32(bytes, 'RFC4648', false)
}

/** A text message ready to send. RangeError when the number has anything but digits, +, and what stands between. */
export function smsPayload(number: string, message: string): string {
  const bare = number.replace(/[\s().-]/g, '')
  if (!/^\+?[0-9*#]{2,20}$/.test(bare)) throw new RangeError('expected a telephone number such as +441632960001')
  return message ? `SMSTO:${bare}:${message}` : `SMSTO:${bare}`
}

/** An address to open; https is put in front when the scheme is missing. */
export function urlPayload(text: string): string {
  const trimmed = text.trim()
  // A name and a port look like a scheme too, so only these are taken for one without slashes.
  const address = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:mailto|tel|sms|geo):)/i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (!URL.canParse(address)) throw new RangeError('expected a web address such as https://example.com')
  return address
}
