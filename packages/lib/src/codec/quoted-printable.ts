import { type Bytes, fromLatin1, fromUtf8 } from '../bytes.ts'

/** Quoted-Printable: RFC 2045 §6.7. */

export const lineBreakModes = ['as in the text', 'CRLF', 'as bytes'] as const
export type LineBreaks = (typeof lineBreakModes)[number]

export const charsets = ['UTF-8', 'ISO-8859-1'] as const
export type Charset = (typeof charsets)[number]

/** Rule 5: encoded lines are no longer than this, the equals sign of a soft break included. */
export const QUOTED_PRINTABLE_LINE = 76
/** An escape and the sign of a soft break. */
export const SHORTEST_LINE = 4
/** RFC 5322 §2.1.1: what a mail system may carry at all. */
export const LONGEST_LINE = 998

const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61]
const HEX = fromUtf8('0123456789ABCDEF')

export interface QuotedPrintableOptions {
  lineLength: number
  /**
   * What becomes of a line break, CRLF or a bare LF: it stays what it was, it becomes the CRLF of rule 4, or it is
   * data like all other bytes and is escaped.
   */
  lineBreaks: LineBreaks
}

export function encodeQuotedPrintable(bytes: Uint8Array, { lineLength, lineBreaks }: QuotedPrintableOptions): string {
  const asBytes = lineBreaks === 'as bytes'
  const soft = lineBreaks === 'as in the text' && firstBreakIsBare(bytes) ? [EQUALS, LF] : [EQUALS, CR, LF]
  const room = 3 * bytes.length
  const codes = new Uint8Array(room + soft.length * Math.ceil(room / (lineLength - 3)) + 2)
  let [at, column] = [0, 0]
  const put = (...some: number[]) => {
    for (const code of some) codes[at++] = code
  }
  for (let i = 0; i < bytes.length; ) {
    const ending = asBytes ? 0 : breakAt(bytes, i)
    if (ending) {
      if (ending === 1 && lineBreaks === 'as in the text') put(LF)
      else put(CR, LF)
      i += ending
      column = 0
      continue
    }
    const byte = bytes[i++] ?? 0
    const last = i === bytes.length || (!asBytes && breakAt(bytes, i) > 0)
    const literal = (byte > SPACE && byte < 127 && byte !== EQUALS) || ((byte === SPACE || byte === TAB) && !last)
    const width = literal ? 1 : 3
    if (column + width + (last ? 0 : 1) > lineLength) {
      put(...soft)
      column = 0
    }
    if (literal) put(byte)
    else put(EQUALS, HEX[byte >> 4] ?? 0, HEX[byte & 15] ?? 0)
    column += width
  }
  return new TextDecoder().decode(codes.subarray(0, at))
}

/** Bytes of the line break at a place: 2 for CRLF, 1 for a bare LF, 0 for none. */
const breakAt = (bytes: Uint8Array, at: number): number =>
  bytes[at] === LF ? 1 : bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0

function firstBreakIsBare(bytes: Uint8Array): boolean {
  const at = bytes.indexOf(LF)
  return at === 0 || (at > 0 && bytes[at - 1] !== CR)
}

export interface QuotedPrintableText {
  bytes: Bytes
  remarks: string[]
}

/**
 * Reads Quoted-Printable; characters that stand for themselves are taken in the character set. Lenient: what §6.7 asks
 * of a robust reader, with a remark. Strict: only what an encoder may write, with lines of at most 76 characters.
 */
export function decodeQuotedPrintable(text: string, charset: Charset, strict: boolean): QuotedPrintableText {
  const codes = charset === 'UTF-8' ? fromUtf8(text) : fromLatin1(text)
  const bytes = new Uint8Array(codes.length)
  const odd = new Map<string, { count: number; first: number }>()
  const complain = (index: number, what: string) => {
    const seen = odd.get(what)
    if (!strict && seen) seen.count++
    else {
      const first = characterAt(codes, index, charset)
      if (strict) throw new RangeError(`at character ${first}: ${what}`)
      odd.set(what, { count: 1, first })
    }
  }
  let [at, lineStart] = [0, 0]
  for (let i = 0; i < codes.length; ) {
    const code = codes[i] ?? 0
    if (code === EQUALS) {
      const value = escapeAt(codes, i)
      if (value !== undefined) {
        if (isSmall(codes[i + 1]) || isSmall(codes[i + 2])) complain(i, 'small letters in an escape')
        bytes[at++] = value
        i += 3
        continue
      }
      const blanks = endOfBlanks(codes, i + 1)
      if (blanks < codes.length && !breakAt(codes, blanks)) {
        complain(i, 'an equals sign before neither two hexadecimal digits nor a line break, taken as it is')
        bytes[at++] = code
        i++
        continue
      }
      if (blanks > i + 1) complain(i + 1, 'white space at the end of a line, dropped')
      if (blanks === codes.length) complain(i, 'a soft line break at the end of the text')
      if (blanks - lineStart > QUOTED_PRINTABLE_LINE) complain(lineStart, LONG_LINE)
      i = blanks + breakAt(codes, blanks)
      lineStart = i
      continue
    }
    const ending = breakAt(codes, i)
    if (ending) {
      if (i - lineStart > QUOTED_PRINTABLE_LINE) complain(lineStart, LONG_LINE)
      for (let k = 0; k < ending; k++) bytes[at++] = codes[i++] ?? 0
      lineStart = i
      continue
    }
    if (code === SPACE || code === TAB) {
      const end = endOfBlanks(codes, i)
      if (end === codes.length || breakAt(codes, end)) complain(i, 'white space at the end of a line, dropped')
      else for (let k = i; k < end; k++) bytes[at++] = codes[k] ?? 0
      i = end
      continue
    }
    if (code < SPACE || code > 126) complain(i, 'a character that should have been escaped, taken as it is')
    bytes[at++] = code
    i++
  }
  if (codes.length - lineStart > QUOTED_PRINTABLE_LINE) complain(lineStart, LONG_LINE)
  return { bytes: bytes.slice(0, at), remarks: [...odd].map(([what, { count, first }]) => remark(what, count, first)) }
}

const LONG_LINE = `a line of more than ${QUOTED_PRINTABLE_LINE} characters`

const remark = (what: string, count: number, first: number) =>
  `At character ${first}${count > 1 ? ` and ${count - 1} more` : ''}: ${what}.`

/** The byte that an escape stands for, undefined when there are no two digits. */
function escapeAt(codes: Uint8Array, at: number): number | undefined {
  const [high, low] = [digit(codes[at + 1]), digit(codes[at + 2])]
  return high < 0 || low < 0 ? undefined : high * 16 + low
}

function digit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const isSmall = (code = 0): boolean => code >= 97

function endOfBlanks(codes: Uint8Array, start: number): number {
  let at = start
  while (codes[at] === SPACE || codes[at] === TAB) at++
  return at
}

/** Where a byte stands in the text, counted in characters from 1. */
const characterAt = (codes: Uint8Array, index: number, charset: Charset): number =>
  (charset === 'UTF-8' ? new TextDecoder().decode(codes.subarray(0, index)).length : index) + 1
