/**
 * The dates of WHOIS and RDAP, in one form. RFC 3339 for RDAP; for WHOIS there is no rule, so these are the shapes that
 * registries use. Without a time a date stays a date; without a zone a time is taken as UTC.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Longer than any of the shapes. */
const MAX_LENGTH = 80

/** Offsets of the zone names that registries write, in minutes. */
const ZONES: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  jst: 540,
  kst: 540,
  hkt: 480,
  clt: -240,
  clst: -180,
  msk: 180,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  bst: 60,
  wet: 0,
  west: 60,
  brt: -180,
  cst: 480,
}

interface Parts {
  year: number
  month: number
  day: number
}

const TIME = '(?:[T ]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?)?'
const ZONE = '(?:\\s*(?:\\(?(?:UTC|GMT)\\s*)?([+-]\\d{1,2}:?(?:\\d{2})?)\\)?|\\s*\\(?([A-Za-z]{1,4})\\)?)?'
const END = '\\s*(?:\\(.*\\))?\\.?$'
const number = (text: string | undefined) => Number(text ?? 'x')

interface Shape {
  pattern: RegExp
  parts(groups: readonly (string | undefined)[]): Parts
}

const shape = (date: string, parts: Shape['parts']): Shape => ({
  pattern: new RegExp(`^${date}${TIME}${ZONE}${END}`, 'i'),
  parts,
})

const shapes: readonly Shape[] = [
  // 2024-01-02, 2024/01/02, 2024.01.02, "2024. 01. 02."
  shape('(\\d{4})[-/.] ?(\\d{1,2})[-/.] ?(\\d{1,2})\\.?', ([y, m, d]) => ({
    year: number(y),
    month: number(m),
    day: number(d),
  })),
  // 20240102
  shape('(\\d{4})(\\d{2})(\\d{2})', ([y, m, d]) => ({ year: number(y), month: number(m), day: number(d) })),
  // 02.01.2024, 02/01/2024, 2-1-2024: where a registry writes numbers with the year last, the day is first.
  shape('(\\d{1,2})[-/.] ?(\\d{1,2})[-/.] ?(\\d{4})\\.?', ([d, m, y]) => ({
    year: number(y),
    month: number(m),
    day: number(d),
  })),
  // 02-Jan-2024, 2 January 2024, 02.Jan.2024
  shape('(\\d{1,2})[-/. ]([A-Za-z]{3,9})[-/. ,]+(\\d{4})', ([d, m, y]) => ({
    year: number(y),
    month: monthOf(m),
    day: number(d),
  })),
  // 2024-Jan-02
  shape('(\\d{4})[-/. ]([A-Za-z]{3,9})[-/. ](\\d{1,2})', ([y, m, d]) => ({
    year: number(y),
    month: monthOf(m),
    day: number(d),
  })),
  // January 2 2024, "Jan 2, 2024"
  shape('([A-Za-z]{3,9})\\.? (\\d{1,2}),? +(\\d{4})', ([m, d, y]) => ({
    year: number(y),
    month: monthOf(m),
    day: number(d),
  })),
]

/** Tue Jan  2 03:04:05 UTC 2024, Tue Jan 2 2024, as date(1) prints it. */
const CTIME = /^[A-Za-z]{3},? +([A-Za-z]{3}) +(\d{1,2}) +(?:(\d{2}):(\d{2}):(\d{2}) *)?(?:([A-Za-z]{1,4}) +)?(\d{4})$/

/** "before Aug-1996": all that is known of the oldest names in .uk; kept as a month. */
const BEFORE = /^before (?:(\d{1,2})[- ])?([A-Za-z]{3,9})[- ](\d{4})$/i

const monthOf = (word = '') => MONTHS.findIndex(name => word.toLowerCase().startsWith(name)) + 1

/**
 * A date in the form of RFC 3339: "2024-01-02T03:04:05Z", or "2024-01-02" where there was no time. "before 1996-08" where
 * that is all a registry knows. Undefined when it is none that anybody could be sure of.
 */
export function canonicalDate(typed: string): string | undefined {
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )(?=\d)/i, '')
  if (text.length > MAX_LENGTH) return undefined
  const [, , before, beforeYear] = BEFORE.exec(text) ?? []
  if (beforeYear) return monthOf(before) ? `before ${beforeYear}-${pad(monthOf(before))}` : undefined
  const [whole, month, day, h, min, s, zone, year] = CTIME.exec(text) ?? []
  if (whole) return written({ year: number(year), month: monthOf(month), day: number(day) }, { h, min, s, name: zone })
  for (const { pattern, parts } of shapes) {
    const [found, a, b, c, h, min, s, offset, name] = pattern.exec(text) ?? []
    if (found === undefined) continue
    const date = written(parts([a, b, c]), { h, min, s, offset, name })
    if (date) return date
  }
  return undefined
}

type Text = string | undefined
interface Clock {
  h: Text
  min: Text
  s?: Text
  offset?: Text
  name?: Text
}

function written({ year, month, day }: Parts, { h, min, s, offset, name }: Clock): string | undefined {
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (year < 1980 || year > 2200 || midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day)
    return undefined
  if (h === undefined) return midnight.toISOString().slice(0, 10)
  if (Number(h) > 24 || Number(min) > 59 || Number(s ?? 0) > 60) return undefined
  const minutes = Number(h) * 60 + Number(min) - (offsetOf(offset, name) ?? 0)
  const time = midnight.getTime() + minutes * 60_000 + Number(s ?? 0) * 1000
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

function offsetOf(offset: Text, name: Text): number | undefined {
  if (!offset) return ZONES[name?.toLowerCase() ?? '']
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0))
}

const pad = (value: number) => String(value).padStart(2, '0')

/** "Jul 1, 2025", by the calendar of UTC; undefined for what is no date. */
export function shortDate(text: string): string | undefined {
  const canonical = canonicalDate(text)
  if (!canonical) return undefined
  const [, before, year, month = '', day] = /^(before )?(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(canonical) ?? []
  const name = MONTHS[Number(month) - 1] ?? ''
  const words = `${name.charAt(0).toUpperCase()}${name.slice(1)}${day ? ` ${Number(day)},` : ''} ${year}`
  return before ? `before ${words}` : words
}
