import { fromBase64, fromLatin1, fromUtf8, toLatin1, toUtf8 } from '../bytes.ts'
import { fromUnits, unescapeJs } from './string-literal.ts'

/**
 * Reads expressions of JavaScript that can only be a string: literals, String.fromCharCode, atob and their like, joined by
 * plus, reversed or handed to eval. They are parsed and never run; anything else is not such an expression.
 */

export interface JsString {
  text: string
  /** The functions that would run the string, from the outside in. */
  runs: string[]
}

/** Deeper than anyone nests; a parser that calls itself has to stop somewhere. */
const MAX_DEPTH = 100

/** Undefined when the source is anything else. RangeError when it is one, but broken. */
export function readJsString(source: string): JsString | undefined {
  const parser = new Parser(source, 0)
  const text = parser.sum()
  while (text !== undefined && parser.take(/;/y));
  return text !== undefined && parser.isAtEnd() ? { text, runs: parser.runs } : undefined
}

/** The calls of String.fromCharCode in a source, each replaced by the literal it stands for. */
export function replaceCharCodes(source: string): { text: string; count: number } {
  let [text, end, count] = ['', 0, 0]
  for (const { index } of source.matchAll(/(?<![\w$.])String\s*[.[]/g)) {
    if (index < end) continue
    const parser = new Parser(source, index)
    const value = parser.charCodes()
    if (value === undefined) continue
    text += source.slice(end, index) + JSON.stringify(value)
    end = parser.at
    count++
  }
  return { text: text + source.slice(end), count }
}

const SPACE = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*/y
/** String.fromCharCode and String["fromCharCode"]; what the name is shows itself only when its escapes are read. */
const CHAR_CODES = /String\s*(?:\.\s*(fromCharCode|fromCodePoint)|\[\s*(['"])((?:[^'"\\\]]|\\[\s\S]){0,100})\2\s*\])/y
const SPREAD = /\.\s*(?:apply\s*\(\s*(?:null|String|this|undefined|void 0)\s*,|call\s*\(\s*(?:null|String|this)\s*,)/y
const NUMBER = /(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+(?:\.\d+)?(?:[eE]\+?\d{1,3})?)/y
const GLOBAL = String.raw`(?:(?:window|self|globalThis|top|this)\s*\.\s*)?`
const DECODERS = new RegExp(`${GLOBAL}(atob|unescape|escape|decodeURIComponent|decodeURI)\\s*\\(`, 'y')
const RUNNERS = new RegExp(
  `${GLOBAL}((?:new\\s+)?Function|eval|execScript|setTimeout|setInterval|document\\s*\\.\\s*write(?:ln)?|console\\s*\\.\\s*log)\\s*\\(`,
  'y',
)
const BUFFER = /Buffer\s*\.\s*from\s*\(/y
const TEXT_DECODER =
  /new\s+TextDecoder\s*(?:\(\s*(?:['"]utf-?8['"])?\s*\))?\s*\.\s*decode\s*\(\s*Uint8Array\s*\.\s*from\s*\(/y
const CODES_OF = /,\s*(?:\(\s*)?(\w+)(?:\s*\))?\s*=>\s*\1\s*\.\s*charCodeAt\s*\(\s*0?\s*\)\s*\)\s*\)/y
const REVERSED = /\.\s*split\s*\(\s*(?:''|"")\s*\)\s*\.\s*reverse\s*\(\s*\)\s*\.\s*join\s*\(\s*(?:''|"")\s*\)/y
const TO_STRING = /\.\s*toString\s*\(\s*(?:(['"])([\w-]*)\1)?\s*\)/y

class Parser {
  readonly source: string
  readonly runs: string[] = []
  at: number
  private depth = 0

  constructor(source: string, at: number) {
    this.source = source
    this.at = at
  }

  isAtEnd(): boolean {
    this.skipSpace()
    return this.at === this.source.length
  }

  /** What stands here, if it fits, after space and comments. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    this.skipSpace()
    return this.match(pattern)
  }

  private skipSpace(): void {
    while (this.match(SPACE));
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (!found) return undefined
    this.at += found[0].length
    return found
  }

  /** Terms joined by plus. */
  sum(): string | undefined {
    if (++this.depth > MAX_DEPTH) throw new RangeError(`the expression is nested more than ${MAX_DEPTH} deep`)
    const parts: string[] = []
    do {
      const part = this.term()
      if (part === undefined) return undefined
      parts.push(part)
    } while (this.take(/\+/y))
    this.depth--
    return parts.join('')
  }

  private term(): string | undefined {
    let text = this.primary()
    while (text !== undefined && this.take(REVERSED)) text = text.split('').reverse().join('')
    return text
  }

  private primary(): string | undefined {
    const codes = this.literal() ?? this.charCodes()
    if (codes !== undefined) return codes
    if (this.take(/\(/y)) return this.closed(this.sum())
    const decoder = this.take(DECODERS)?.[1]
    if (decoder) return this.apply(decoder, this.closed(this.sum()))
    if (this.take(TEXT_DECODER)) return this.textDecoded()
    if (this.take(BUFFER)) return this.buffer()
    const runner = this.take(RUNNERS)?.[1]
    return runner ? this.run(runner) : undefined
  }

  /** A quoted string; a template must have nothing to fill in. */
  private literal(): string | undefined {
    this.skipSpace()
    const quote = this.source.charAt(this.at)
    if (!/['"`]/.test(quote)) return undefined
    for (let i = this.at + 1; i < this.source.length; i++) {
      const character = this.source.charAt(i)
      if (character === '\\') i += this.source.startsWith('\r\n', i + 1) ? 2 : 1
      else if (character === quote) {
        const body = this.source.slice(this.at + 1, i)
        this.at = i + 1
        return unescapeJs(body)
      } else if (quote === '`' ? this.source.startsWith('${', i) : character === '\n') return undefined
    }
    return undefined
  }

  private closed(text: string | undefined): string | undefined {
    return text !== undefined && this.take(/\)/y) ? text : undefined
  }

  /** String.fromCharCode(...) and String.fromCodePoint(...). */
  charCodes(): string | undefined {
    const start = this.at
    const found = this.take(CHAR_CODES)
    const name = found?.[1] ?? (found?.[3] === undefined ? undefined : unescapeJs(found[3]))
    if (name === 'fromCharCode' || name === 'fromCodePoint') {
      const spread = this.take(SPREAD) !== undefined || this.take(/\(/y) !== undefined
      const codes = spread ? this.codes() : undefined
      if (codes && this.take(/\)/y)) return name === 'fromCharCode' ? fromUnits(codes) : fromPoints(codes)
    }
    this.at = start
    return undefined
  }

  /** Numbers between commas, in brackets or spread out of them. */
  private codes(): number[] | undefined {
    const isList = this.take(/(?:\.\.\.\s*)?\[/y) !== undefined
    const codes: number[] = []
    while (!this.ahead(/[\])]/y)) {
      const code = this.number()
      if (code === undefined) return undefined
      codes.push(code)
      if (!this.take(/,/y)) break
    }
    return !isList || this.take(/\]/y) ? codes : undefined
  }

  private ahead(pattern: RegExp): boolean {
    const start = this.at
    const found = this.take(pattern) !== undefined
    this.at = start
    return found
  }

  /** A number, or a sum or difference of some. */
  private number(): number | undefined {
    let total = 0
    let sign = this.take(/-/y) ? -1 : 1
    for (;;) {
      const found = this.take(NUMBER)
      if (!found) return undefined
      total += sign * numberOf(found[0])
      if (this.take(/\+/y)) sign = 1
      else if (this.take(/-/y)) sign = -1
      else return total
    }
  }

  private textDecoded(): string | undefined {
    const bytes = this.sum()
    return bytes !== undefined && this.take(CODES_OF) ? toUtf8(fromLatin1(bytes)) : undefined
  }

  private buffer(): string | undefined {
    const base64 = this.sum()
    if (base64 === undefined || !this.take(/,\s*(['"])base64(?:url)?\1\s*\)/y)) return undefined
    const format = this.take(TO_STRING)?.[2] ?? 'utf8'
    return /^(?:latin1|binary|ascii)$/.test(format) ? toLatin1(fromBase64(base64)) : toUtf8(fromBase64(base64))
  }

  private apply(name: string, text: string | undefined): string | undefined {
    if (text === undefined) return undefined
    switch (name) {
      case 'atob':
        return toLatin1(fromBase64(text))
      case 'unescape':
        return text.replace(/%u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_, unit, byte) =>
          String.fromCharCode(Number.parseInt(unit ?? byte, 16)),
        )
      case 'escape':
        return escapeOf(text)
      default:
        return uriDecoded(text)
    }
  }

  /** eval(...), Function(...)() and their like are opened, never called. */
  private run(name: string): string | undefined {
    this.runs.push(name.replace(/^new\s+/, '').replace(/\s+/g, ''))
    const text = this.sum()
    if (text === undefined) return undefined
    if (/^set/.test(name)) this.take(/,\s*\d+/y)
    const closed = this.closed(text)
    if (closed !== undefined && name.endsWith('Function')) this.take(/\(\s*\)/y)
    return closed
  }
}

/** Old code writes octal numbers with a zero in front. */
const numberOf = (digits: string): number => (/^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits))

function fromPoints(codes: readonly number[]): string {
  const wrong = codes.findIndex(code => !Number.isInteger(code) || code < 0 || code > 0x10ffff)
  if (wrong >= 0) throw new RangeError(`number ${wrong + 1} of fromCodePoint is not a code point`)
  let text = ''
  for (let i = 0; i < codes.length; i += 8192) text += String.fromCodePoint(...codes.slice(i, i + 8192))
  return text
}

/** ECMA-262 §B.2.1.1 */
const escapeOf = (text: string): string =>
  text.replace(/[^A-Za-z0-9@*_+\-./]/g, unit => {
    const code = unit.charCodeAt(0)
    return code < 256 ? `%${code.toString(16).padStart(2, '0')}` : `%u${code.toString(16).padStart(4, '0')}`
  })

function uriDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new RangeError('the percent escapes are not UTF-8', { cause })
  }
}

/** Numbers alone, between commas or spaces, as they are left when the call around them is cut off. */
export function readCodeList(text: string): string | undefined {
  const words = text
    .trim()
    .replace(/^\[|\]$/g, '')
    .split(/[\s,;]+/)
    .filter(word => word !== '')
  if (!words.length || !words.every(word => /^(?:0[xX][0-9a-fA-F]{1,6}|\d{1,7})$/.test(word))) return undefined
  const codes = words.map(Number)
  return codes.every(code => code < 65_536) ? fromUnits(codes) : fromPoints(codes)
}

/** The call that gives a text. */
export const writeCharCodes = (codes: string): string => `String.fromCharCode(${codes})`

/** The call that runs a text, which is Base64 of its UTF-8. ASCII needs no decoder. */
export function writeBase64Eval(text: string, base64: string): string {
  const isAscii = fromUtf8(text).length === text.length
  const binary = `atob("${base64}")`
  return isAscii
    ? `eval(${binary})`
    : `eval(new TextDecoder().decode(Uint8Array.from(${binary}, c => c.charCodeAt(0))))`
}
