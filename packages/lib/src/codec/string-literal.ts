import { type Bytes, concat, fromUtf8, toLatin1 } from '../bytes.ts'

/** Escapes in the string literals of JavaScript (ECMA-262 §12.9.4) and of Bash (manual §3.1.2.4). */

/** Units are written some thousands at a time, which keeps the joining of strings fast. */
const CHUNK = 8192

/** Every unit of UTF-16 of a text by itself. */
export function mapUnits(text: string, write: (unit: number, index: number) => string, separator = ''): string {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += CHUNK) {
    const parts: string[] = []
    for (let i = at; i < Math.min(text.length, at + CHUNK); i++) parts.push(write(text.charCodeAt(i), i))
    chunks.push(parts.join(separator))
  }
  return chunks.join(separator)
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** \x41 for what fits in two digits, \u9375 for the rest. */
export const escapeJs = (text: string): string =>
  mapUnits(text, unit => (unit < 256 ? `\\x${hex(unit, 2)}` : `\\u${hex(unit, 4)}`))

/** \u0041 for every unit. */
export const escapeUnits = (text: string): string => mapUnits(text, unit => `\\u${hex(unit, 4)}`)

const MAX_POINT = 0x10ffff

function fromPoint(digits: string, index: number): string {
  const point = Number.parseInt(digits, 16)
  if (point > MAX_POINT) throw new RangeError(`the escape that ends at character ${index} is beyond U+10FFFF`)
  return String.fromCodePoint(point)
}

/**
 * Every match replaced by what `read` makes of it, which is never longer. Unlike String.replace it keeps no list of them, and
 * a text may hold millions.
 */
function replaceEscapes(text: string, pattern: RegExp, read: (found: RegExpExecArray) => string): string {
  const units = new Uint16Array(text.length)
  let length = 0
  const copy = (part: string, from: number, to: number) => {
    for (let i = from; i < to; i++) units[length++] = part.charCodeAt(i)
  }
  let last = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    copy(text, last, found.index)
    const character = read(found)
    copy(character, 0, character.length)
    last = pattern.lastIndex
  }
  copy(text, last, text.length)
  return fromUnits(units.subarray(0, length))
}

/** The text of units of UTF-16. */
export function fromUnits(units: ArrayLike<number>): string {
  const chunks: string[] = []
  for (let at = 0; at < units.length; at += CHUNK) {
    chunks.push(String.fromCharCode.apply(undefined, Array.prototype.slice.call(units, at, at + CHUNK)))
  }
  return chunks.join('')
}

/** ECMA-262 §12.9.4, single escape characters. */
const single: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }
/** What a backslash can begin; up to three octal digits are its legacy. */
const JS_ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\s\S])|$)/g

/** Reads all escapes of JavaScript in a text. A backslash at the end of a line goes away with it. */
export function unescapeJs(text: string): string {
  return replaceEscapes(text, JS_ESCAPE, ([, byte, point, unit, octal, other]) => {
    const index = JS_ESCAPE.lastIndex
    const digits = byte ?? unit
    if (digits) return String.fromCharCode(Number.parseInt(digits, 16))
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
    if (point) return fromPoint(point, index)
    if (other === undefined) throw new RangeError('the last backslash has nothing behind it')
    if (other === 'x' || other === 'u') {
      throw new RangeError(`the escape that ends at character ${index} lacks its hexadecimal digits`)
    }
    return /[\n\r\u2028\u2029]/.test(other) ? '' : (single[other] ?? other)
  })
}

/** Escapes by number as many languages have them: \u0041 \u{41} \U00000041 \x41 %u0041 U+0041. */
const NUMBERED =
  /\\u\{([0-9a-fA-F]{1,8})\}|\\U([0-9a-fA-F]{8})|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%u([0-9a-fA-F]{4})|[Uu]\+([0-9a-fA-F]{4,6})/g

/** Reads the escapes that name a character by its number, and leaves everything else. */
export const unescapeNumbers = (text: string): string =>
  replaceEscapes(text, NUMBERED, ([, ...groups]) =>
    fromPoint(groups.find(group => group !== undefined) ?? '', NUMBERED.lastIndex),
  )

/** A word of Bash in which every byte of the UTF-8 is written \x41. */
export function writeAnsiC(text: string): string {
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new RangeError(`character ${nul + 1} is NUL, which no string of a shell can hold`)
  return `$'${mapUnits(toLatin1(fromUtf8(text)), unit => `\\x${hex(unit, 2)}`)}'`
}

/** Where the words $'...' of a text begin and end, without their quotes. */
function* wordsOf(text: string): Generator<{ start: number; end: number }> {
  let start = text.indexOf("$'")
  while (start >= 0) {
    let end = start + 2
    while (end < text.length && text.charAt(end) !== "'") end += text.charAt(end) === '\\' ? 2 : 1
    if (end >= text.length) return
    yield { start: start + 2, end }
    start = text.indexOf("$'", end + 1)
  }
}

/**
 * The bytes of a text in which every word $'...' is read as Bash reads it, and everything else stays; a text without
 * such words is read as if it stood in one.
 */
export function readAnsiC(text: string): Bytes {
  const parts: Bytes[] = []
  let last = 0
  for (const { start, end } of wordsOf(text)) {
    const bytes = ansiCBytes(text.slice(start, end), start)
    const nul = bytes.indexOf(0)
    // A string of a shell ends with its first NUL.
    parts.push(fromUtf8(text.slice(last, start - 2)), nul < 0 ? bytes : bytes.slice(0, nul))
    last = end + 1
  }
  return parts.length ? concat(...parts, fromUtf8(text.slice(last))) : ansiCBytes(text, 0)
}

/** Whether a text is one word $'...' and nothing else. */
export function isAnsiC(text: string): boolean {
  const [word] = wordsOf(text)
  return word !== undefined && word.start === 2 && word.end === text.length - 1
}

const ansiCSingle: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, e: 27, E: 27, f: 12, n: 10, r: 13, t: 9, v: 11 },
  ...{ '\\': 92, "'": 39, '"': 34, '?': 63 },
}
const ANSI_C_ESCAPE =
  /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([\s\S])|([abeEfnrtv\\'"?]))/g

/** Any other backslash stays. No escape stands for more bytes than it has characters. */
function ansiCBytes(body: string, offset: number): Bytes {
  const out = new Uint8Array(3 * body.length)
  let length = 0
  let last = 0
  const copy = (bytes: Uint8Array) => {
    out.set(bytes, length)
    length += bytes.length
  }
  ANSI_C_ESCAPE.lastIndex = 0
  for (let found = ANSI_C_ESCAPE.exec(body); found; found = ANSI_C_ESCAPE.exec(body)) {
    const { 1: octal, 2: byte, 3: unit, 4: point, 5: control, 6: other, index } = found
    if (index > last) copy(fromUtf8(body.slice(last, index)))
    last = ANSI_C_ESCAPE.lastIndex
    const digits = unit ?? point
    if (digits !== undefined) copy(utf8OfPoint(digits, offset + last))
    else if (octal !== undefined) out[length++] = Number.parseInt(octal, 8)
    else if (byte !== undefined) out[length++] = Number.parseInt(byte, 16)
    else if (control !== undefined) out[length++] = control === '?' ? 127 : control.charCodeAt(0) & 31
    else out[length++] = ansiCSingle[other ?? ''] ?? 0
  }
  copy(fromUtf8(body.slice(last)))
  return out.slice(0, length)
}

function utf8OfPoint(digits: string, index: number): Bytes {
  const character = fromPoint(digits, index)
  if (!character.isWellFormed()) {
    throw new RangeError(`the escape that ends at character ${index} is half of a surrogate pair, which UTF-8 lacks`)
  }
  return fromUtf8(character)
}
