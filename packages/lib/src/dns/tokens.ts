/** The text of zone files (RFC 1035 §5.1) as tokens: quotes, parentheses, comments and escapes. */
import { fromUtf8, toLatin1 } from '../bytes.ts'
import { escapeLength, parseName, ROOT, readEscape } from './name.ts'

/** One word of a zone file with its escapes still in it. A word that holds a quoted part keeps the quotes: `alpn="h2"`. */
export interface Token {
  text: string
  quoted: boolean
}

/** A logical line: parentheses join several. `indented` means that the owner of the line before is meant. */
export interface Line {
  number: number
  indented: boolean
  tokens: Token[]
}

/** Splits zone-file text into logical lines; lines without a word are left out. */
export function* splitLines(text: string): Generator<Line> {
  let number = 1
  let depth = 0
  let line: Line = { number, indented: false, tokens: [] }
  let i = 0
  while (i < text.length) {
    const character = text.charAt(i)
    if (character === '\n') {
      number++
      i++
      if (depth > 0) continue
      if (line.tokens.length > 0) yield line
      line = { number, indented: /[ \t]/.test(text.charAt(i)), tokens: [] }
    } else if (/[ \t\r]/.test(character)) {
      if (i === 0) line.indented = true
      i++
    } else if (character === ';') {
      const end = text.indexOf('\n', i)
      i = end < 0 ? text.length : end
    } else if (character === '(') {
      depth++
      i++
    } else if (character === ')') {
      if (--depth < 0) throw new RangeError(`line ${number}: a parenthesis closes that was never opened`)
      i++
    } else {
      const end = wordEnd(text, i, number)
      const quoted = character === '"' && text.charAt(end - 1) === '"' && closingQuote(text, i) === end - 1
      line.tokens.push({ text: quoted ? text.slice(i + 1, end - 1) : text.slice(i, end), quoted })
      i = end
    }
  }
  if (depth > 0) throw new RangeError(`line ${number}: a parenthesis is still open at the end`)
  if (line.tokens.length > 0) yield line
}

function wordEnd(text: string, start: number, line: number): number {
  let i = start
  while (i < text.length && !/[\s;()]/.test(text.charAt(i))) {
    if (text.charAt(i) === '"') {
      const close = closingQuote(text, i)
      if (close < 0) throw new RangeError(`line ${line}: a quotation mark is still open at the end`)
      i = close + 1
      if (i - 1 > start && text.charAt(start) === '"') return i
    } else i += text.charAt(i) === '\\' ? 2 : 1
  }
  return Math.min(i, text.length)
}

function closingQuote(text: string, open: number): number {
  let i = open + 1
  while (i < text.length && text.charAt(i) !== '"') i += text.charAt(i) === '\\' ? 2 : 1
  return i < text.length ? i : -1
}

/** The words of one record's data, taken one after the other. */
export class Tokens {
  readonly origin: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[], origin = ROOT) {
    this.#tokens = tokens
    this.origin = origin
  }

  get done(): boolean {
    return this.#next >= this.#tokens.length
  }

  peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  token(expected: string): Token {
    const token = this.#tokens[this.#next]
    if (!token) throw new RangeError(`${expected} expected, but the record ends`)
    this.#next++
    return token
  }

  word(expected: string): string {
    return this.token(expected).text
  }

  /** All words left. */
  rest(): Token[] {
    const rest = this.#tokens.slice(this.#next)
    this.#next = this.#tokens.length
    return rest
  }

  number(expected: string, max: number): number {
    const word = this.word(expected)
    if (!/^\d{1,15}$/.test(word) || Number(word) > max) {
      throw new RangeError(`${expected} expected, a whole number up to ${max}, but "${word}" found`)
    }
    return Number(word)
  }

  name(expected: string): string {
    return parseName(this.word(expected), this.origin)
  }
}

/** Seconds, or a sum of numbers with the units w, d, h, m, s as BIND reads them: `3600`, `1h`, `1h30m`. */
export function parseSeconds(word: string): number {
  const seconds = /^\d+$/.test(word)
    ? Number(word)
    : (word.match(/\d+[wdhms]/gi) ?? []).reduce((sum, part) => {
        const unit = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 }[part.slice(-1).toLowerCase()] ?? 0
        return sum + Number(part.slice(0, -1)) * unit
      }, 0)
  if (!/^(\d+|(\d+[wdhms])+)$/i.test(word) || seconds > 0xffffffff) {
    throw new RangeError(`seconds expected, as a number or like 1h30m, but "${word}" found`)
  }
  return seconds
}

/** The bytes that a word stands for, as a string with one character per byte. Text beyond ASCII counts as UTF-8. */
export function unescapeText(text: string): string {
  let bytes = ''
  for (let i = 0; i < text.length; ) {
    if (text.charAt(i) === '\\') {
      bytes += String.fromCharCode(readEscape(text, i))
      i += escapeLength(text, i)
    } else {
      const character = String.fromCodePoint(text.codePointAt(i) ?? 0)
      bytes += toLatin1(fromUtf8(character))
      i += character.length
    }
  }
  return bytes
}

const QUOTED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte < 32 || byte >= 127) return `\\${String(byte).padStart(3, '0')}`
  return character === '"' || character === '\\' ? `\\${character}` : character
})

/** Nothing in it has an escape. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Bytes, one per character, with the escapes that stand between quotation marks. */
export function escapeText(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += QUOTED[bytes.charCodeAt(i) & 0xff]
  return text
}
