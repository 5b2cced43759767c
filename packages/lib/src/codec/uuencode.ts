import { type Bytes, concat } from '../bytes.ts'
import { decodeBase64 } from './base64.ts'

/**
 * Files in lines of text: uuencode (POSIX.1-2024, uuencode) and xxencode, which differs in nothing but its alphabet. A
 * line begins with the number of its bytes, at most 45, and three bytes are four digits of six bits.
 */
export const lineCodes = ['uuencode', 'xxencode'] as const
export type LineCode = (typeof lineCodes)[number]

const SPACE = 32
/** POSIX: 0x20 to 0x5F, where 0x60 may stand for 0x20; a grave accent survives where blanks at line ends do not. */
const UU = `\`${String.fromCharCode(...Array.from({ length: 63 }, (_, i) => SPACE + 1 + i))}`
const XX = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const alphabets: Record<LineCode, string> = { uuencode: UU, xxencode: XX }

const BYTES_PER_LINE = 45

export interface FileHead {
  filename: string
  /** Permission bits in octal, as chmod takes them. */
  mode: string
}

const MODE = /^[0-7]{3,4}$/
export const MAX_FILENAME = 255

export function checkMode(mode: string): void {
  if (!MODE.test(mode)) throw new RangeError('expected three or four octal digits such as 644')
}

export function checkFilename(filename: string): void {
  if (!filename.trim() || /\p{Cc}/u.test(filename)) throw new RangeError('expected a name without control characters')
}

export function encodeLines(bytes: Uint8Array, code: LineCode, { filename, mode }: FileHead): string {
  const alphabet = Uint8Array.from(alphabets[code], letter => letter.charCodeAt(0))
  const lines = Math.ceil(bytes.length / BYTES_PER_LINE)
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4 + 2 * lines + 4)
  let at = 0
  const put = (value: number) => {
    codes[at++] = alphabet[value & 63] ?? 0
  }
  for (let start = 0; start < bytes.length; start += BYTES_PER_LINE) {
    const line = bytes.subarray(start, start + BYTES_PER_LINE)
    put(line.length)
    for (let i = 0; i < line.length; i += 3) {
      const group = ((line[i] ?? 0) << 16) | ((line[i + 1] ?? 0) << 8) | (line[i + 2] ?? 0)
      for (let shift = 18; shift >= 0; shift -= 6) put(group >> shift)
    }
    codes[at++] = LF
  }
  const body = new TextDecoder().decode(codes.subarray(0, at))
  return `begin ${mode} ${filename}\n${body}${alphabets[code].charAt(0)}\nend\n`
}

const LF = 10

export interface DecodedFile {
  bytes: Bytes
  head: Partial<FileHead>
  remarks: string[]
}

/** A line without its end, and where it begins in the text. */
interface Line {
  text: string
  start: number
}

/**
 * Reads an encoded file. Lenient: text around it, blanks lost at line ends, a check character after the digits and a
 * missing head or end are taken, with a remark. Strict: only what the encoder writes. A refusal says at which character.
 */
export function decodeLines(text: string, code: LineCode, strict: boolean): DecodedFile {
  const lines = linesOf(text)
  const begin = lines.findIndex(line => /^begin(-base64)? [0-7]{3,4} ./.test(line.text))
  const remarks = checkBeginning(lines, begin, code, strict)
  const [, form = '', mode, filename] = /^begin(-base64)? (\S+) (.*)$/.exec(lines[begin]?.text ?? '') ?? []
  const head = { ...(filename !== undefined && { filename }), ...(mode !== undefined && { mode }) }
  const body = begin < 0 ? lines : lines.slice(begin + 1)
  if (form) return { head, ...readBase64(body, code, strict, remarks) }
  const reader = new LineReader(code, strict, text.length)
  let ended = false
  let last = 0
  for (const [i, line] of body.entries()) {
    last = i
    if (/^end[ \t]*$/.test(line.text)) {
      ended = true
      break
    }
    if (reader.finished && line.text.trim() === '') continue
    if (reader.finished)
      throw new RangeError(`the line at character ${line.start + 1} should be end, after the empty one`)
    reader.read(line)
  }
  if (!ended) {
    if (strict) throw new RangeError('expected a line end at the end')
    if (begin >= 0) remarks.push('The line end is missing, so the file may be cut off.')
  } else if (!reader.finished) {
    if (strict) throw new RangeError('expected a line of no bytes before the line end')
    remarks.push('The line of no bytes before the line end is missing.')
  }
  remarks.push(...checkRest(body.slice(last + 1), strict))
  return { bytes: reader.bytes, head, remarks: [...remarks, ...reader.remarks()] }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    lines.push({ text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), start })
    start = end + 1
  }
  return lines
}

function checkBeginning(lines: readonly Line[], begin: number, code: LineCode, strict: boolean): string[] {
  if (begin === 0) return []
  if (strict) throw new RangeError('expected a line such as begin 644 file.txt at the beginning')
  if (begin > 0)
    return lines.slice(0, begin).some(({ text }) => text.trim()) ? ['Lines before the file were passed over.'] : []
  const [first] = lines
  if (first && /^=?ybegin /.test(first.text)) throw new RangeError(`this is yEnc, and no ${code}`)
  return lines.length ? ['The line begin is missing, so the name of the file is not known.'] : []
}

function checkRest(lines: readonly Line[], strict: boolean): string[] {
  const more = lines.find(({ text }) => text.trim())
  if (!more) return []
  if (strict) throw new RangeError(`character ${more.start + 1} stands after the end of the file`)
  return lines.some(({ text }) => /^begin(-base64)? /.test(text))
    ? [`Another file begins after this one; only the first was read.`]
    : ['Lines after the file were passed over.']
}

/** POSIX, uuencode -m: lines of Base64 up to one of four padding characters. */
function readBase64(
  lines: readonly Line[],
  code: LineCode,
  strict: boolean,
  remarks: string[],
): Omit<DecodedFile, 'head'> {
  if (code === 'xxencode') throw new RangeError('begin-base64 is a form of uuencode')
  const end = lines.findIndex(({ text }) => text.trim() === '====')
  if (end < 0 && strict) throw new RangeError('expected a line ==== at the end')
  const text = lines
    .slice(0, end < 0 ? lines.length : end)
    .map(line => line.text)
    .join('')
  const decoded = decodeBase64(text, 'standard', { strict, padding: true })
  const more = [
    ...(end < 0 ? ['The line ==== is missing, so the file may be cut off.'] : []),
    ...checkRest(end < 0 ? [] : lines.slice(end + 1), strict),
  ]
  return { bytes: decoded.bytes, remarks: [...remarks, ...decoded.remarks, ...more] }
}

class LineReader {
  private whole: Bytes
  private length = 0
  finished = false
  private readonly values = new Int8Array(128).fill(-1)
  private readonly code: LineCode
  private readonly strict: boolean
  private short = 0
  private long = 0

  constructor(code: LineCode, strict: boolean, characters: number) {
    this.whole = new Uint8Array(characters)
    this.code = code
    this.strict = strict
    for (let value = 0; value < 64; value++) this.values[alphabets[code].charCodeAt(value)] = value
    if (code === 'uuencode') this.values[SPACE] = 0
  }

  read({ text, start }: Line): void {
    const count = text ? this.digit(text, 0, start) : 0
    if (count === 0) {
      this.finished = true
      return
    }
    const digits = Math.ceil(count / 3) * 4
    // Encoders may leave the digits away that only fill the last group.
    const least = Math.ceil((count * 8) / 6)
    const given = text.length - 1
    if (given < digits) {
      if (this.strict)
        throw new RangeError(`the line at character ${start + 1} has ${given} digits in place of ${digits}`)
      // What is missing at the end was blanks, which are zeros in uuencode.
      if (given < least && this.code === 'xxencode') {
        throw new RangeError(`the line at character ${start + 1} has ${given} digits, and its bytes take ${least}`)
      }
      if (given < least) this.short++
    }
    if (given > digits) {
      const rest = text.slice(1 + digits).trimEnd()
      if (this.strict || rest.length > 1) {
        throw new RangeError(`the line at character ${start + 1} has ${given} digits in place of ${digits}`)
      }
      if (rest) this.long++
    }
    const bytes = this.bytesOf(text, start, count, digits)
    // Lines that lost all their zeros give more bytes than they have characters.
    if (this.length + bytes.length > this.whole.length)
      this.whole = concat(this.whole, new Uint8Array(this.whole.length + bytes.length))
    this.whole.set(bytes, this.length)
    this.length += bytes.length
  }

  private bytesOf(text: string, start: number, count: number, digits: number): Uint8Array {
    const bytes = new Uint8Array(digits)
    let at = 0
    for (let i = 1; i <= digits; i += 4) {
      let group = 0
      for (let k = i; k < i + 4; k++) group = (group << 6) | (k < text.length ? this.digit(text, k, start) : 0)
      bytes[at++] = group >> 16
      bytes[at++] = (group >> 8) & 255
      bytes[at++] = group & 255
    }
    if (this.strict && bytes.subarray(count, at).some(byte => byte)) {
      throw new RangeError(`the line at character ${start + 1} ends with bits that belong to no byte`)
    }
    return bytes.subarray(0, count)
  }

  private digit(text: string, index: number, start: number): number {
    const code = text.charCodeAt(index)
    const value = code < 128 ? (this.values[code] ?? -1) : -1
    if (value < 0) throw new RangeError(`character ${start + index + 1} is not in the alphabet of ${this.code}`)
    return value
  }

  get bytes(): Bytes {
    return this.whole.slice(0, this.length)
  }

  remarks(): string[] {
    return [
      ...(this.short ? [`Blanks were lost at the ends of lines and taken for zeros; such lines: ${this.short}.`] : []),
      ...(this.long ? [`A character after the digits of a line was passed over; such lines: ${this.long}.`] : []),
    ]
  }
}
