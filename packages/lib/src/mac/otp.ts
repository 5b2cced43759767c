import { equalBytes, fromUtf8 } from '../bytes.ts'
import { hmac } from './hmac.ts'

/** One-time passwords from a counter and from the clock. RFC 4226 §5, RFC 6238 §4. */
export const otpHashes = ['SHA-1', 'SHA-256', 'SHA-512'] as const
export type OtpHash = (typeof otpHashes)[number]

export const MIN_OTP_DIGITS = 6
export const MAX_OTP_DIGITS = 8
/** RFC 4226 §4, R6: shared secrets have at least 128 bits. */
export const LEAST_SECRET_BYTES = 16

export interface OtpTerms {
  hash: OtpHash
  /** RFC 4226 §5.3 asks for six at least. */
  digits: number
}

/** The code of a counter: RFC 4226 §5.3. */
export async function hotp(key: Uint8Array, counter: number, { hash, digits }: OtpTerms): Promise<string> {
  if (!Number.isSafeInteger(counter) || counter < 0) throw new RangeError('expected a counter from 0 up')
  if (digits < MIN_OTP_DIGITS || digits > MAX_OTP_DIGITS) {
    throw new RangeError(`expected from ${MIN_OTP_DIGITS} to ${MAX_OTP_DIGITS} digits`)
  }
  const message = new Uint8Array(8)
  new DataView(message.buffer).setBigUint64(0, BigInt(counter))
  const mac = await hmac(hash, key, message)
  const view = new DataView(mac.buffer, mac.byteOffset, mac.length)
  const offset = view.getUint8(mac.length - 1) & 15
  return String((view.getUint32(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The number of whole periods since 1970: RFC 6238 §4.2. */
export const timeStep = (seconds: number, period: number): number => Math.floor(seconds / period)

/** Which counter from `first` to `last` has the code; the one nearest to `expected` when there are several. */
export async function findCounter(
  key: Uint8Array,
  code: string,
  { first, last, expected, ...terms }: OtpTerms & { first: number; last: number; expected: number },
): Promise<number | undefined> {
  let found: number | undefined
  for (let counter = Math.max(first, 0); counter <= last; counter++) {
    const same = equalBytes(fromUtf8(await hotp(key, counter, terms)), fromUtf8(code))
    if (same && (found === undefined || Math.abs(counter - expected) < Math.abs(found - expected))) found = counter
  }
  return found
}
