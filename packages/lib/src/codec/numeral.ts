import { fromDigits, toDigits } from './radix.ts'

/**
 * Numbers of any size in the bases from 2 to 36, with the digits that ECMA-262 §21.1.3.6 and Python's int() have.
 * Fractions are exact: one that does not end in the other base is given with the digits that repeat.
 */
export const [MIN_BASE, MAX_BASE] = [2, 36]
/**
 * A number of so many bits takes half a second; the time grows faster than the length. Counted in bits, so that what
 * comes out of one base goes back into the other.
 */
export const MAX_NUMERAL_BITS = 2 ** 20
/** 315,653 in base 10. */
export const maxDigits = (base: number): number => Math.floor(MAX_NUMERAL_BITS / Math.log2(base)) + 1
/** Digits of a fraction: dividing for each of them takes longer. */
export const MAX_FRACTION_DIGITS = 2000

/** A number as numerator and denominator, without a common factor of the base it was read in taken out. */
export interface Numeral {
  negative: boolean
  numerator: bigint
  /** 1 for whole numbers. */
  denominator: bigint
}

const PREFIXES: Readonly<Record<string, number>> = { '0b': 2, '0o': 8, '0x': 16 }

/** What may stand between digits: white space, and the separators of programming languages and typography. */
const SEPARATOR = /[\s_'\u2019,]/

/**
 * Reads a number. A sign, a prefix that agrees with the base, separators between digits and a point are understood;
 * everything else is refused with its place.
 */
export function parseNumeral(text: string, base: number): Numeral {
  const start = /^\s*/.exec(text)?.[0].length ?? 0
  const sign = /[+\-\u2212]/.test(text.charAt(start)) ? text.charAt(start) : ''
  let at = start + sign.length
  const prefix = text.slice(at, at + 2).toLowerCase()
  // In base 16 a text such as 0b1 is a number too, and so is 0x in base 36.
  if (PREFIXES[prefix] === base) at += 2
  else if (PREFIXES[prefix] !== undefined && digitValue(prefix.charAt(1)) >= base) {
    throw new RangeError(
      `the prefix at character ${at + 1} is that of base ${PREFIXES[prefix]}, and base ${base} is chosen`,
    )
  }
  const most = maxDigits(base)
  const digits = new Uint8Array(Math.min(text.length, most))
  let [length, point, gap] = [0, -1, -1]
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '.' && point < 0) {
      if (gap >= 0) throw notBetween(gap)
      point = length
      continue
    }
    const value = digitValue(character)
    if (value < base) {
      if (length >= most) throw new RangeError(`expected at most ${most} digits in base ${base}`)
      digits[length++] = value
      gap = -1
    } else if (!SEPARATOR.test(character)) throw new RangeError(`character ${at + 1} is no digit of base ${base}`)
    else if (!/\s/.test(character)) {
      if (gap >= 0 || !length || point === length) throw notBetween(at)
      gap = at
    }
  }
  if (gap >= 0) throw notBetween(gap)
  if (!length) throw new RangeError('expected at least one digit')
  const fraction = point < 0 ? 0 : length - point
  if (fraction > MAX_FRACTION_DIGITS)
    throw new RangeError(`expected at most ${MAX_FRACTION_DIGITS} digits after the point`)
  const numerator = fromDigits(digits.subarray(0, length), base)
  return {
    negative: /[-\u2212]/.test(sign) && numerator > 0n,
    numerator,
    denominator: BigInt(base) ** BigInt(fraction),
  }
}

const notBetween = (at: number) => new RangeError(`the separator at character ${at + 1} is not between digits`)

function digitValue(character: string): number {
  const code = character.charCodeAt(0)
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return code < 128 && letter >= 97 && letter <= 122 ? letter - 87 : MAX_BASE
}

export interface WrittenNumeral {
  /** With a minus sign and a point where there are any; digits that repeat stand in parentheses. */
  text: string
  /** The fraction goes on, and was cut off. */
  cut: boolean
}

export function formatNumeral({ negative, numerator, denominator }: Numeral, base: number): WrittenNumeral {
  const whole = numerator / denominator
  const { digits, repeats, cut } = fractionOf(numerator - whole * denominator, denominator, base)
  const fraction = repeats < 0 ? digits : `${digits.slice(0, repeats)}(${digits.slice(repeats)})`
  return { text: `${negative ? '-' : ''}${wholeText(whole, base)}${fraction ? `.${fraction}` : ''}`, cut }
}

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'

function wholeText(value: bigint, base: number): string {
  // Two powers of two are what the platform does fast by itself.
  if ((base & (base - 1)) === 0) return value.toString(base)
  const bits = value.toString(16).length * 4
  const digits = toDigits(value, base, Math.ceil(bits / Math.log2(base)) + 1)
  const first = digits.findIndex(digit => digit > 0)
  if (first < 0) return '0'
  const codes = Uint8Array.from(LETTERS, letter => letter.charCodeAt(0))
  return new TextDecoder().decode(digits.subarray(first).map(digit => codes[digit] ?? 0))
}

/** Long division: the digits begin to repeat when a remainder comes back. */
function fractionOf(
  remainder: bigint,
  denominator: bigint,
  base: number,
): { digits: string; repeats: number; cut: boolean } {
  const seen = new Map<bigint, number>()
  const radix = BigInt(base)
  // Where base and denominator share all factors the digits end, and no remainder need be kept.
  const ends = dividesPower(denominator, radix)
  let digits = ''
  let rest = remainder
  while (rest > 0n && digits.length < MAX_FRACTION_DIGITS) {
    const before = ends ? undefined : seen.get(rest)
    if (before !== undefined) return { digits, repeats: before, cut: false }
    if (!ends) seen.set(rest, digits.length)
    rest *= radix
    digits += LETTERS.charAt(Number(rest / denominator))
    rest %= denominator
  }
  return { digits, repeats: -1, cut: rest > 0n }
}

/** Whether some power of the base is divisible by the denominator. */
function dividesPower(denominator: bigint, base: bigint): boolean {
  let rest = denominator
  for (let common = divisor(rest, base); common > 1n; common = divisor(rest, base)) rest /= common
  return rest === 1n
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y) [x, y] = [y, x % y]
  return x
}

export const wordSizes = [8, 16, 32, 64, 128] as const

/** The bits of a whole number in two's complement; undefined when the word is too small for it. */
export function twosComplement(value: bigint, bits: number): string | undefined {
  if (value < -(1n << BigInt(bits - 1)) || value >= 1n << BigInt(bits)) return undefined
  return BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bits / 4, '0')
}
