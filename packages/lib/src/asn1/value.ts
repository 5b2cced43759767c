import { type Bytes, toLatin1 } from '../bytes.ts'
import { DerError, type Element, tags } from './element.ts'
import { fromSignedOctets } from './integer.ts'
import { fromOidContent } from './oid.ts'

/** What the content of an element means. ITU-T X.690 §8 and §11. */

/** X.690 §8.3: the fewest octets. */
export function integerOf({ content, offset }: Element, what: string): bigint {
  const [first, second] = content
  if (first === undefined) throw new DerError(`${what} is an INTEGER without content`, offset)
  const padded = second !== undefined && ((first === 0 && second < 128) || (first === 255 && second > 127))
  if (padded) throw new DerError(`${what} is an INTEGER with a leading octet it does not need`, offset)
  return fromSignedOctets(content)
}

/** X.690 §11.1: true is ff and nothing else. */
export function booleanOf({ content, offset, rules }: Element, what: string): boolean {
  const [value] = content
  const right = content.length === 1 && (value === 0 || value === 255 || rules === 'BER')
  if (!right) throw new DerError(`${what} is a BOOLEAN other than 00 or ff`, offset)
  return value !== 0
}

export function oidOf({ content, offset }: Element): string {
  try {
    return fromOidContent(content)
  } catch (cause) {
    if (cause instanceof RangeError) throw new DerError(cause.message, offset)
    throw cause
  }
}

export interface BitString {
  bytes: Bytes
  /** Bits of the last octet that do not count. */
  unused: number
}

/** X.690 §8.6 and §11.2: unused bits are zero. */
export function bitStringOf({ content, offset }: Element, what: string): BitString {
  const [unused] = content
  const last = content[content.length - 1] ?? 0
  if (unused === undefined) throw new DerError(`${what} is a BIT STRING without content`, offset)
  if (unused > 7 || (content.length === 1 && unused > 0)) {
    throw new DerError(`${what} is a BIT STRING with ${unused} unused bits`, offset)
  }
  if (unused && last & ((1 << unused) - 1)) throw new DerError(`${what} has unused bits that are not zero`, offset)
  return { bytes: content.subarray(1), unused }
}

/** The bits of a named bit list that are set, by number from the left (X.680 §22). */
export function setBits({ bytes, unused }: BitString): number[] {
  const count = bytes.length * 8 - unused
  return Array.from({ length: count }, (_, bit) => bit).filter(bit => ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
}

export interface Time {
  date: Date
  /** As written. */
  text: string
  /** What RFC 5280 §4.1.2.5 does not allow in it. */
  fault?: string
}

/**
 * UTCTime and GeneralizedTime (X.680 §46, §47). Forms that certificates must not use are read all the same, with the
 * fault named, because their meaning is plain.
 */
export function timeOf(element: Element, what: string): Time {
  const text = toLatin1(element.content)
  const utc = element.tag === tags.utcTime
  const isTime = element.tagClass === 'universal' && (utc || element.tag === tags.generalizedTime)
  const match = isTime && (utc ? UTC_TIME : GENERALIZED_TIME).exec(text)
  if (!match) throw new DerError(`${what} is not a time`, element.offset)
  const [, years = '', ...rest] = match
  const [month, day, hour, minute, second = 0] = rest.slice(0, 5).map(part => Number(part ?? 0))
  const zone = rest[6] ?? ''
  const year = utc ? Number(years) + (Number(years) < 50 ? 2000 : 1900) : Number(years)
  const date = new Date(0)
  date.setUTCFullYear(year, (month ?? 0) - 1, day)
  date.setUTCHours(hour ?? 0, minute ?? 0, second, Math.floor(Number(`0${rest[5] ?? ''}`) * 1000))
  const right = date.getUTCMonth() === (month ?? 0) - 1 && date.getUTCDate() === day
  if (!right || (hour ?? 0) > 23 || (minute ?? 0) > 59 || second > 59) {
    throw new DerError(`${what} is not a time that exists`, element.offset)
  }
  if (/^[+-]/.test(zone)) {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
    date.setTime(date.getTime() - (zone.startsWith('-') ? -minutes : minutes) * 60_000)
  }
  const fault = timeFault(rest[4], rest[5], zone)
  return { date, text, ...(fault && { fault }) }
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?()(Z|[+-]\d{4})$/
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(\.\d+)?(Z|[+-]\d{4}|)$/

function timeFault(second: string | undefined, fraction: string | undefined, zone: string): string | undefined {
  if (second === undefined) return 'the seconds are left out'
  if (fraction) return 'it has fractions of a second'
  if (zone === 'Z') return undefined
  return zone ? 'it is in a time zone other than Z' : 'it names no time zone'
}
