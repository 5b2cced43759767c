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
  const odd = new Oddities(codes, charset, strict)
  const bytes = new Uint8Array(codes.length)
  let [at, lineStart] = [0, 0]
  const endLine = (end: number, next: number) => {
    if (end - lineStart > QUOTED_PRINTABLE_LINE)
      odd.tell(lineStart, `a line of more than ${QUOTED_PRINTABLE_LINE} characters`)
    lineStart = next
  }
  for (let i = 0; i < codes.length; ) {
    const code = codes[i] ?? 0
    const ending = breakAt(codes, i)
    const blanks = code === SPACE || code === TAB ? endOfBlanks(codes, i) : i
    const value = code === EQUALS ? escapeAt(codes, i, odd) : undefined
    const soft = code === EQUALS && value === undefined ? softBreakAt(codes, i, odd) : undefined
    if (value !== undefined) {
      bytes[at++] = value
      i += 3
    } else if (soft) {
      endLine(soft.end, soft.next)
      i = soft.next
    } else if (ending) {
      endLine(i, i + ending)
      for (const end = i + ending; i < end; i++) bytes[at++] = codes[i] ?? 0
    } else if (blanks > i && (blanks === codes.length || breakAt(codes, blanks))) {
      odd.tell(i, LOST_BLANKS)
      i = blanks
    } else {
      if ((code < SPACE && code !== TAB) || code > 126)
        odd.tell(i, 'a character that should have been escaped, taken as it is')
      for (const end = Math.max(blanks, i + 1); i < end; i++) bytes[at++] = codes[i] ?? 0
    }
  }
  endLine(codes.length, codes.length)
  return { bytes: bytes.slice(0, at), remarks: odd.remarks() }
}

const LOST_BLANKS = 'white space at the end of a line, dropped'

/** What no encoder should write: told once for each kind, or refused by strict reading. */
class Oddities {
  private readonly seen = new Map<string, { count: number; first: number }>()
  private readonly codes: Uint8Array
  private readonly charset: Charset
  private readonly strict: boolean

  constructor(codes: Uint8Array, charset: Charset, strict: boolean) {
    this.codes = codes
    this.charset = charset
    this.strict = strict
  }

  tell(index: number, what: string): void {
    const before = this.seen.get(what)
    if (before) before.count++
    else {
      const first = characterAt(this.codes, index, this.charset)
      if (this.strict) throw new RangeError(`at character ${first}: ${what}`)
      this.seen.set(what, { count: 1, first })
    }
  }

  remarks(): string[] {
    return [...this.seen].map(
      ([what, { count, first }]) => `At character ${first}${count > 1 ? ` and ${count - 1} more` : ''}: ${what}.`,
    )
  }
}

/** Where the line of a soft break ends and the next one begins; undefined when the equals sign is none. */
function softBreakAt(codes: Uint8Array, at: number, odd: Oddities): { end: number; next: number } | undefined {
  const end = endOfBlanks(codes, at + 1)
  const ending = breakAt(codes, end)
  if (end < codes.length && !ending) {
    odd.tell(at, 'an equals sign before neither two hexadecimal digits nor a line break, taken as it is')
    return undefined
  }
  if (end > at + 1) odd.tell(at + 1, LOST_BLANKS)
  if (end === codes.length) odd.tell(at, 'a soft line break at the end of the text')
  return { end, next: end + ending }
}

/** The byte that an escape stands for; undefined when there are no two digits. */
function escapeAt(codes: Uint8Array, at: number, odd: Oddities): number | undefined {
  const [high, low] = [digit(codes[at + 1]), digit(codes[at + 2])]
  if (high < 0 || low < 0) return undefined
  if (isSmall(codes[at + 1]) || isSmall(codes[at + 2])) odd.tell(at, 'small letters in an escape')
  return high * 16 + low
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
