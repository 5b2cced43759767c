/**
 * Bytes and the texts that stand for them: UTF-8 (RFC 3629), Latin-1 (ISO/IEC 8859-1), hexadecimal, Base64 and
 * Base64url (RFC 4648 §4, §5). Readers are strict: what they accept has one meaning, and a refusal says where it broke.
 */

export type Bytes = Uint8Array<ArrayBuffer>

const HEX = '0123456789abcdef'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE64URL = `${BASE64.slice(0, 62)}-_`

export const byteFormats = ['UTF-8', 'Hex', 'Base64', 'Latin-1'] as const
export type ByteFormat = (typeof byteFormats)[number]

export const outputFormats = ['Hex', 'Base64', 'Base64URL'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** Concatenates byte strings. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** Equality in time that depends on the lengths only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

/** UTF-8 of a text. Lone surrogates have no UTF-8, so they are refused rather than replaced. */
export function fromUtf8(text: string): Bytes {
  if (!text.isWellFormed()) throw new RangeError('the text holds half of a surrogate pair, which UTF-8 cannot carry')
  return new TextEncoder().encode(text)
}

/** The text of UTF-8 bytes; RangeError when they are not valid UTF-8. A leading byte order mark is kept. */
export function toUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new RangeError('the bytes are not valid UTF-8 text', { cause })
  }
}

export function fromLatin1(text: string): Bytes {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 255) throw new RangeError(`character ${i + 1} is not in Latin-1, which ends at U+00FF`)
    bytes[i] = code
  }
  return bytes
}

export function toLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return text
}

/** Text made of ASCII codes; building it whole is ten times faster than joining characters. */
const ascii = (codes: Uint8Array): string => new TextDecoder().decode(codes)

const HEX_CODES = fromUtf8(HEX)

export function toHex(bytes: Uint8Array): string {
  const codes = new Uint8Array(bytes.length * 2)
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    codes[2 * i] = HEX_CODES[byte >> 4] ?? 0
    codes[2 * i + 1] = HEX_CODES[byte & 15] ?? 0
  }
  return ascii(codes)
}

/** Reads hexadecimal digits in either case; white space and colons between bytes are allowed, nothing else. */
export const fromHex = (text: string): Bytes => readHex(text, plainGap)

/**
 * The same as people copy it from source code, dumps and other tools: what separates the items of a list may stand
 * between bytes as well, and 0x or \x before any of them.
 */
export const fromPastedHex = (text: string): Bytes => readHex(text, pastedGap)

/** Whether a text has digits and no character that such a notation would not have; for telling it from Base64. */
export const isPastedHex = (text: string): boolean => /[0-9a-f]/i.test(text) && !/[^0-9a-fx\s,:;_\\-]/i.test(text)

/** `gapAt` tells how many characters that belong to no byte stand at a place where a byte may begin. */
function readHex(text: string, gapAt: (text: string, at: number) => number): Bytes {
  const bytes = new Uint8Array(text.length >> 1)
  let length = 0
  let high = -1
  for (let i = 0; i < text.length; i++) {
    const gap = high < 0 ? gapAt(text, i) : 0
    if (gap > 0) {
      i += gap - 1
      continue
    }
    const digit = hexDigit(text.charCodeAt(i))
    if (digit < 0) throw new RangeError(`character ${i + 1} is not a hexadecimal digit`)
    if (high < 0) high = digit
    else {
      bytes[length++] = (high << 4) | digit
      high = -1
    }
  }
  if (high >= 0) throw new RangeError('the number of hexadecimal digits is odd, and a byte takes two')
  return bytes.slice(0, length)
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

const plainGap = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return isSpace(code) || code === 58 ? 1 : 0
}

/** What may stand between bytes when the notation is not known, beside white space. */
const HEX_GAPS = ',:;_-'
const [ZERO, BACKSLASH, SMALL_X] = [48, 92, 120]

function pastedGap(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === ZERO || code === BACKSLASH) {
    const isPrefix = (text.charCodeAt(at + 1) | 32) === SMALL_X && hexDigit(text.charCodeAt(at + 2)) >= 0
    return isPrefix ? 2 : 0
  }
  if (hexDigit(code) >= 0) return 0
  return HEX_GAPS.includes(text.charAt(at)) || /\s/.test(text.charAt(at)) ? 1 : 0
}

export const toBase64 = (bytes: Uint8Array): string => base64(bytes, BASE64_CODES, true)
export const toBase64Url = (bytes: Uint8Array): string => base64(bytes, BASE64URL_CODES, false)

const BASE64_CODES = fromUtf8(BASE64)
const BASE64URL_CODES = fromUtf8(BASE64URL)
const [PAD, PLUS, SLASH] = [61, 43, 47]

function base64(bytes: Uint8Array, alphabet: Uint8Array, padded: boolean): string {
  const digits = Math.ceil((bytes.length * 4) / 3)
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD)
  for (let i = 0, j = 0; i < bytes.length; i += 3, j += 4) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (let k = 0; k < 4 && j + k < digits; k++) codes[j + k] = alphabet[(group >> (18 - 6 * k)) & 63] ?? 0
  }
  return ascii(padded ? codes : codes.subarray(0, digits))
}

const SEXTETS = new Int8Array(128).fill(-1)
for (let i = 0; i < 64; i++) {
  SEXTETS[BASE64.charCodeAt(i)] = i
  SEXTETS[BASE64URL.charCodeAt(i)] = i
}

/**
 * Reads Base64 in the standard or the URL-safe alphabet, not both at once. White space is allowed, padding may be
 * left out but not be wrong, and the unused bits of the last character must be zero (RFC 4648 §3.5).
 */
export function fromBase64(text: string): Bytes {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let [length, bits, count, digits, padding] = [0, 0, 0, 0, 0]
  let alphabet = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isSpace(code)) continue
    if (code === PAD) {
      padding++
      continue
    }
    const sextet = code < 128 ? (SEXTETS[code] ?? -1) : -1
    if (sextet < 0) throw new RangeError(`character ${i + 1} is not in the Base64 alphabet`)
    if (padding) throw new RangeError(`character ${i + 1} stands after the padding`)
    if (sextet > 61) {
      const here = code === PLUS || code === SLASH ? 'standard' : 'URL-safe'
      if (alphabet && alphabet !== here) throw new RangeError(`character ${i + 1} mixes two Base64 alphabets`)
      alphabet = here
    }
    digits++
    bits = ((bits << 6) | sextet) & 0xffffff
    count += 6
    if (count >= 8) {
      count -= 8
      bytes[length++] = (bits >> count) & 255
    }
  }
  if (digits % 4 === 1) throw new RangeError('one character is left over, and a byte takes at least two')
  if (padding && (padding > 2 || (digits + padding) % 4)) throw new RangeError('the padding has the wrong length')
  if (bits & ((1 << count) - 1)) throw new RangeError('the last character has bits that belong to no byte')
  return bytes.slice(0, length)
}

/** The bytes a text stands for in one of the formats that every byte field offers. */
export function readBytes(text: string, format: ByteFormat): Bytes {
  switch (format) {
    case 'UTF-8':
      return fromUtf8(text)
    case 'Hex':
      return fromPastedHex(text)
    case 'Base64':
      return fromBase64(text)
    case 'Latin-1':
      return fromLatin1(text)
  }
}

/** The text that stands for bytes in one of the formats that every binary result offers. */
export function writeBytes(bytes: Uint8Array, format: OutputFormat | ByteFormat): string {
  switch (format) {
    case 'Hex':
      return toHex(bytes)
    case 'Base64':
      return toBase64(bytes)
    case 'Base64URL':
      return toBase64Url(bytes)
    case 'UTF-8':
      return toUtf8(bytes)
    case 'Latin-1':
      return toLatin1(bytes)
  }
}

/**
 * Bytes that are hoped to be text: as text when they are valid UTF-8, else in hexadecimal, and `format` says which.
 * Nothing is ever replaced or lost.
 */
export function textOrHex(bytes: Uint8Array): { text: string; format: 'UTF-8' | 'Hex' } {
  try {
    return { text: toUtf8(bytes), format: 'UTF-8' }
  } catch {
    return { text: toHex(bytes), format: 'Hex' }
  }
}
