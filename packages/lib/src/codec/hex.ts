import { type Bytes, toHex } from '../bytes.ts'

/** Hexadecimal in the notations people paste: RFC 4648 §8 digits, alone or with something between the bytes. */
export const hexDelimiters = ['None', 'Space', 'Colon', '0x', '\\x', 'Comma', '0x with comma', 'Percent'] as const
export type HexDelimiter = (typeof hexDelimiters)[number]

/** What stands before each byte, and what between two. */
const notations: Record<HexDelimiter, { before: string; between: string }> = {
  None: { before: '', between: '' },
  Space: { before: '', between: ' ' },
  Colon: { before: '', between: ':' },
  '0x': { before: '0x', between: ' ' },
  '\\x': { before: '\\x', between: '' },
  Comma: { before: '', between: ',' },
  '0x with comma': { before: '0x', between: ',' },
  Percent: { before: '%', between: '' },
}

/** Writes bytes in a notation, so many to a line; 0 for one line. */
export function encodeHex(
  bytes: Uint8Array,
  delimiter: HexDelimiter,
  letters: 'lower' | 'upper',
  bytesPerLine = 0,
): string {
  const { before, between } = notations[delimiter]
  const digits = letters === 'upper' ? toHex(bytes).toUpperCase() : toHex(bytes)
  if (!before && !between && !bytesPerLine) return digits
  const written = (digits.match(/../g) ?? []).map(pair => before + pair)
  if (!bytesPerLine) return written.join(between)
  const lines = Array.from({ length: Math.ceil(written.length / bytesPerLine) }, (_, i) =>
    written.slice(i * bytesPerLine, (i + 1) * bytesPerLine).join(between),
  )
  return lines.join(`${between.trimEnd()}\n`)
}

/** What may stand between bytes when the notation is not known. */
const ANY_GAP = ',:;_-.|/\'"`()[]{}<>'
/** Of strings, numbers, addresses, assemblers, colours, Quoted-Printable and SQL. */
const PREFIXES = ['\\x', '0x', '0X', '%', '$', '#', '=', "x'", "X'"]

/**
 * Reads hexadecimal in whichever notation it is in, or in one of them only. Every run of digits is whole bytes, so
 * that a digit lost between two delimiters is told and does not shift all that follows; after 0x one digit alone is
 * the number it is in source code.
 */
export function decodeHex(text: string, delimiter: HexDelimiter | 'Automatic'): Bytes {
  const { before, between } = delimiter === 'Automatic' ? { before: '', between: ANY_GAP } : notations[delimiter]
  const prefixes = delimiter === 'Automatic' ? PREFIXES : PREFIXES.filter(prefix => prefix.toLowerCase() === before)
  const bytes = new Uint8Array(text.length >> 1)
  let length = 0
  for (let at = 0; at < text.length; ) {
    if (isGap(text, at, between)) {
      at++
      continue
    }
    const prefix = prefixes.find(start => text.startsWith(start, at))
    const first = at + (prefix?.length ?? 0)
    const end = endOfDigits(text, first)
    if (end === first) throw new RangeError(`character ${first + 1} is neither a hexadecimal digit nor a delimiter`)
    if (before && !prefix) throw new RangeError(`the byte at character ${first + 1} does not begin with ${before}`)
    const isNumber = end - first === 1 && prefix?.toLowerCase() === '0x'
    if ((end - first) % 2 && !isNumber) {
      throw new RangeError(`the digits from character ${first + 1} on are an odd number, and a byte takes two`)
    }
    if (isNumber) bytes[length++] = digitAt(text, first)
    else for (let i = first; i < end; i += 2) bytes[length++] = (digitAt(text, i) << 4) | digitAt(text, i + 1)
    at = end
  }
  return bytes.slice(0, length)
}

const DIGITS = new Int8Array(128).fill(-1)
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** The value of the digit at a place, -1 where there is none. */
const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? -1

const isGap = (text: string, at: number, gaps: string) => gaps.includes(text.charAt(at)) || /\s/.test(text.charAt(at))

/** Where the digits end: at the first other character, or where 0x begins the next byte. */
function endOfDigits(text: string, start: number): number {
  let at = start
  while (digitAt(text, at) >= 0 && !((at - start) % 2 === 0 && (text.charCodeAt(at + 1) | 32) === SMALL_X)) at++
  return at
}

const SMALL_X = 120
