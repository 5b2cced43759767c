import { fromUtf8, toHex } from '../bytes.ts'

/**
 * Bitwise operations on words of a width. Words are bigints from 0 to 2^width - 1; a negative number is in two's
 * complement. What is longer than a word is a row of words, and the words of a shorter key come again from its first.
 */

/** The operations that take another operand, and those that take a number of places. */
export const keyedOperations = ['AND', 'OR', 'XOR', 'NAND', 'NOR'] as const
export const movingOperations = ['SHL', 'SHR', 'ROL', 'ROR'] as const
export const bitwiseOperations = ['AND', 'OR', 'XOR', 'NOT', 'NAND', 'NOR', 'SHL', 'SHR', 'ROL', 'ROR'] as const
export type BitwiseOperation = (typeof bitwiseOperations)[number]

export const numeralFormats = ['Decimal', 'Hex', 'Binary', 'UTF-8'] as const
export type NumeralFormat = (typeof numeralFormats)[number]

export const MAX_OPERAND_BYTES = 65_536
/** More than the largest RSA modulus in use has. */
const MAX_DECIMAL_DIGITS = 5000

/** A row of words of one width. */
export interface Words {
  words: readonly bigint[]
  width: number
}

/** What was typed, before it has a width: numbers, each with the bits it takes. */
interface Operand {
  numbers: readonly { value: bigint; bits: number }[]
  /** Digits that are cut into words, or numbers that each are one. */
  isRow: boolean
}

/** Reads digits of a format. RangeError for what is none. */
export function readOperand(text: string, format: NumeralFormat): Operand {
  if (format === 'Decimal') return readDecimals(text)
  const bits = format === 'Binary' ? 1 : 4
  const rows = format === 'UTF-8' ? [toHex(fromUtf8(text))] : readDigits(text, format)
  const count = rows.reduce((sum, { length }) => sum + length, 0)
  if (count * bits > 8 * MAX_OPERAND_BYTES) throw new RangeError(`expected at most ${MAX_OPERAND_BYTES} bytes`)
  return {
    numbers: rows
      .filter(digits => digits !== '')
      .map(digits => ({ value: BigInt(`${bits === 4 ? '0x' : '0b'}${digits}`), bits: digits.length * bits })),
    isRow: true,
  }
}

/**
 * Digits with spaces, colons or underscores between them, and 0x, \x or 0b before. Hexadecimal numbers with a prefix
 * each, or with commas between them, are a row of bytes when all are bytes, else so many numbers.
 */
function readDigits(text: string, format: 'Hex' | 'Binary'): string[] {
  const isHex = format === 'Hex'
  const prefix = isHex ? /^(?:0|\\)x/i : /^0b/i
  const parts = text.split(isHex ? /[\s:_,;]+|(?=\\x)/i : /[\s:_]+/).filter(part => part !== '')
  const numbers = parts.map(part => part.replace(prefix, ''))
  const digits = numbers.join('')
  if (!(isHex ? /^[0-9a-f]*$/i : /^[01]*$/).test(digits)) {
    throw new RangeError(isHex ? 'expected hexadecimal digits' : 'expected the digits 0 and 1')
  }
  const isList = isHex && (/[,;]/.test(text) || parts.filter(part => prefix.test(part)).length > 1)
  return isList && numbers.some(({ length }) => length !== 2) ? numbers : [digits]
}

function readDecimals(text: string): Operand {
  const parts = text.split(/[\s,;]+/).filter(part => part !== '')
  if (parts.length > MAX_OPERAND_BYTES) throw new RangeError(`expected at most ${MAX_OPERAND_BYTES} numbers`)
  if (parts.some(part => !/^[+-]?\d+$/.test(part))) throw new RangeError('expected whole numbers in decimal')
  if (parts.some(part => part.length > MAX_DECIMAL_DIGITS)) {
    throw new RangeError(`expected at most ${MAX_DECIMAL_DIGITS} digits`)
  }
  return {
    numbers: parts.map(part => {
      const value = BigInt(part)
      return { value, bits: value < 0n ? bitLength(-value - 1n) + 1 : bitLength(value) }
    }),
    isRow: false,
  }
}

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length)
const roundUp = (bits: number, step: number): number => Math.ceil(bits / step) * step

/** The bits that one digit of a format stands for, so that no digit is cut; of decimal numbers whole bytes. */
const grain: Record<NumeralFormat, number> = { Decimal: 8, Hex: 4, Binary: 1, 'UTF-8': 8 }

/** The width that holds all of some operands as they were written. */
export function widthOf(operands: readonly Operand[], format: NumeralFormat): number {
  const bits = operands.flatMap(({ numbers }) => numbers.map(number => number.bits))
  return Math.max(grain[format], roundUp(Math.max(0, ...bits), grain[format]))
}

/** An operand as words of a width: digits are cut from the right, and zeros fill the first word. */
export function toWords({ numbers, isRow }: Operand, width: number): Words {
  const words = numbers.flatMap(({ value, bits }) => {
    if (isRow) return cut(value, Math.ceil(bits / width), width)
    const isTooLarge = value < 0n ? bits > width : bitLength(value) > width
    if (isTooLarge) throw new RangeError(`expected numbers from -2^${width - 1} to 2^${width} - 1`)
    return [BigInt.asUintN(width, value)]
  })
  return { words, width }
}

function cut(value: bigint, count: number, width: number): bigint[] {
  if (count === 1) return [value]
  const digits = value.toString(2).padStart(count * width, '0')
  return Array.from({ length: count }, (_, i) => BigInt(`0b${digits.slice(i * width, (i + 1) * width)}`))
}

/** Words one after the other as one word. */
export const joinWords = ({ words, width }: Words): Words => ({
  words: words.length === 0 ? [] : [BigInt(`0b${words.map(word => word.toString(2).padStart(width, '0')).join('')}`)],
  width: Math.max(1, words.length * width),
})

/** As wide as a shift to the left needs it, so that nothing is lost. */
export const widened = ({ words, width }: Words, amount: number, format: NumeralFormat): Words => ({
  words,
  width: Math.max(width, roundUp(Math.max(0, ...words.map(bitLength)) + amount, grain[format])),
})

/** One operation on every word. Shifts bring zeros in, and what leaves the width is lost. */
export function operate(operation: BitwiseOperation, { words, width }: Words, key: Words, amount: number): Words {
  const onWord = functions[operation]
  const mask = (1n << BigInt(width)) - 1n
  const results = words.map((word, i) => onWord(word, { key: key.words[i % key.words.length] ?? 0n, amount, width }))
  return { words: results.map(result => result & mask), width }
}

/** What is right in the width of a word, whatever it is beyond. */
const functions: Record<
  BitwiseOperation,
  (word: bigint, by: { key: bigint; amount: number; width: number }) => bigint
> = {
  AND: (word, { key }) => word & key,
  OR: (word, { key }) => word | key,
  XOR: (word, { key }) => word ^ key,
  NOT: word => ~word,
  NAND: (word, { key }) => ~(word & key),
  NOR: (word, { key }) => ~(word | key),
  SHL: (word, { amount }) => word << BigInt(amount),
  SHR: (word, { amount }) => word >> BigInt(amount),
  ROL: (word, { amount, width }) => rotateLeft(word, amount % width, width),
  ROR: (word, { amount, width }) => rotateLeft(word, width - (amount % width), width),
}

const rotateLeft = (word: bigint, amount: number, width: number): bigint =>
  (word << BigInt(amount)) | (word >> BigInt(width - amount))

/** Every word in hexadecimal or binary with all its digits. */
export const wordDigits = (word: bigint, width: number, base: 2 | 16): string =>
  word.toString(base).padStart(Math.ceil(width / (base === 16 ? 4 : 1)), '0')

/** The number a word is in two's complement. */
export const signedWord = (word: bigint, width: number): bigint => BigInt.asIntN(width, word)
