import { createPicker, drawBelow, drawFraction, type Random } from './uniform.ts'

/** Random values of many kinds, each equally likely unless the kind says otherwise. */

/** Digits of a bound. */
const MAX_DIGITS = 1000

/** A whole number of any size. */
export function parseInteger(text: string): bigint {
  const digits = text.trim()
  if (!/^[+-]?\d+$/.test(digits)) throw new RangeError('expected a whole number')
  if (digits.length > MAX_DIGITS) throw new RangeError(`expected at most ${MAX_DIGITS} digits, got ${digits.length}`)
  return BigInt(digits.replace(/^\+/, ''))
}

/** A number as JavaScript holds it: a decimal fraction, perhaps with an exponent. */
export function parseNumber(text: string): number {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw new RangeError('expected a number such as 0.5 or 1e6')
  return number
}

/** A whole number from min to max, both included. */
export const drawInteger = (min: bigint, max: bigint, random: Random): bigint => min + drawBelow(max - min + 1n, random)

/** A number from min to max without max, unless they are equal. */
export function drawFloat(min: number, max: number, random: Random): number {
  if (min === max) return min
  for (;;) {
    const part = drawFraction(random)
    // The difference of the two might be larger than any number.
    const value = min * (1 - part) + max * part
    // The sum may be rounded up to the end that is left out, or beyond the other.
    if (value >= min && value < max) return value
  }
}

/**
 * Numbers of the normal distribution by the method of Box and Muller (1958). With fractions of 53 bits none lies
 * farther than 8.6 standard deviations from the mean.
 */
export function drawGaussian(count: number, mean: number, deviation: number, random: Random): number[] {
  const values: number[] = []
  while (values.length < count) {
    const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(random)))
    const angle = 2 * Math.PI * drawFraction(random)
    values.push(mean + deviation * radius * Math.cos(angle), mean + deviation * radius * Math.sin(angle))
  }
  return values.slice(0, count)
}

/** The characters of an alphabet as people see them, each once, without ends of lines. */
export function parseAlphabet(text: string): string[] {
  const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.replace(/[\r\n]/g, ''))
  const characters = [...new Set(Array.from(parts, ({ segment }) => segment))]
  if (characters.length === 0) throw new RangeError('expected the characters to choose from')
  return characters
}

export function drawString(alphabet: readonly string[], length: number, random: Random): string {
  const pick = createPicker(random)
  return Array.from({ length }, () => alphabet[pick(alphabet.length)] ?? '').join('')
}

/** The entries of a list: one a line, or on a single line divided by commas. */
export function parseEntries(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).filter(line => line.trim() !== '')
  const [only = ''] = lines
  if (lines.length !== 1 || !only.includes(',')) return lines
  return only
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
}

/** The first `count` of a shuffled list, every order equally likely: Durstenfeld's form of Fisher and Yates. */
export function drawWithout<T>(entries: readonly T[], count: number, random: Random): T[] {
  const pick = createPicker(random)
  const left = [...entries]
  return Array.from({ length: Math.min(count, left.length) }, (_, i) => {
    const at = i + pick(left.length - i)
    const chosen = left[at] as T
    left[at] = left[i] as T
    return chosen
  })
}

/** Entries of a list, the same one as likely again. */
export function drawWith<T>(entries: readonly T[], count: number, random: Random): T[] {
  const pick = createPicker(random)
  return Array.from({ length: count }, () => entries[pick(entries.length)] as T)
}

/** Draws for each value wanted before it is plain that there are not enough different ones. */
const MAX_DRAWS_EACH = 50

/**
 * So many values of which no two are equal. What was drawn before is drawn again, which takes as many draws as
 * collecting a full set of cards at worst, some ten for each of ten thousand.
 */
export function drawDistinct<T>(count: number, draw: () => T): T[] {
  const values = new Set<T>()
  for (let draws = 0; values.size < count; draws++) {
    if (draws >= 1000 + count * MAX_DRAWS_EACH)
      throw new RangeError('expected fewer values, or a range that holds more')
    values.add(draw())
  }
  return [...values]
}
