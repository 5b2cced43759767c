import type { Bytes } from '../bytes.ts'

/**
 * A message inside a text, in characters that show nothing. There is no standard: bits as two zero-width characters,
 * bytes as the 256 variation selectors, or ASCII as tag characters, are what people meet.
 */
export const zeroWidthMethods = ['zero-width bits', 'variation selectors', 'tag characters'] as const
export type ZeroWidthMethod = (typeof zeroWidthMethods)[number]

const [ZERO, ONE] = ['\u200b', '\u200c']
const TAGS = 0xe0000

const carriers: Record<ZeroWidthMethod, RegExp> = {
  'zero-width bits': /[\u200b\u200c]/gu,
  'variation selectors': /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu,
  'tag characters': /[\u{e0000}-\u{e007f}]/gu,
}

/** The message behind the first character of the text, where it is copied along. */
export function hideMessage(text: string, message: Bytes, method: ZeroWidthMethod): string {
  const there = text.search(carriers[method])
  if (there >= 0) throw new RangeError(`character ${there + 1} is one of those that would carry the message`)
  const [first = ''] = text
  return first + carrierOf(message, method) + text.slice(first.length)
}

function carrierOf(message: Bytes, method: ZeroWidthMethod): string {
  switch (method) {
    case 'zero-width bits':
      return Array.from(message, byte =>
        byte
          .toString(2)
          .padStart(8, '0')
          .replace(/./g, bit => (bit === '1' ? ONE : ZERO)),
      ).join('')
    case 'variation selectors':
      return Array.from(message, byte => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join('')
    case 'tag characters':
      return Array.from(message, (byte, i) => {
        if (byte > 127) throw new RangeError(`byte ${i + 1} is not ASCII, and tag characters repeat only that`)
        return String.fromCodePoint(TAGS + byte)
      }).join('')
  }
}

export interface Revealed {
  method: ZeroWidthMethod
  message: Bytes
  /** What the text shows. */
  cover: string
  remarks: string[]
}

/** The message in a text, by the method whose characters occur in it. */
export function revealMessage(text: string): Revealed {
  for (const method of zeroWidthMethods) {
    const found = text.match(carriers[method]) ?? []
    // A variation selector behind an emoji is no message.
    if (method === 'variation selectors' && !/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u.test(text)) continue
    if (!found.length) continue
    const cover = text.replace(carriers[method], '')
    const others = zeroWidthMethods.filter(other => other !== method && cover.search(carriers[other]) >= 0)
    const remarks = others.map(other => `The text also holds characters of another kind: ${other}.`)
    if (method !== 'zero-width bits') return { method, message: bytesOf(found), cover, remarks }
    const { message, remark } = readBits(found)
    return { method, message, cover, remarks: [...remark, ...remarks] }
  }
  throw new RangeError('there is no message in it: no zero-width bits, no row of variation selectors and no tags')
}

const bytesOf = (found: readonly string[]): Bytes =>
  Uint8Array.from(found, character => {
    const point = character.codePointAt(0) ?? 0
    return point >= 0xe0100 ? point - 0xe0100 + 16 : point >= TAGS ? point - TAGS : point - 0xfe00
  })

/** Which of the two characters is zero is a matter of taste: the one that gives text is taken. */
function readBits(found: readonly string[]): { message: Bytes; remark: string[] } {
  const over = found.length % 8
  const bits = found.slice(0, found.length - over)
  const cut = over ? [`The bits are no whole number of bytes; the last ${over} were dropped.`] : []
  if (!bits.length) throw new RangeError(`there are only ${over} bits, and a byte takes eight`)
  const message = pack(bits, ONE)
  if (isText(message)) return { message, remark: cut }
  const other = pack(bits, ZERO)
  return isText(other)
    ? { message: other, remark: [...cut, 'Zero is U+200C in it, and one is U+200B.'] }
    : { message, remark: cut }
}

function pack(bits: readonly string[], one: string): Bytes {
  const bytes = new Uint8Array(bits.length / 8)
  for (const [i, bit] of bits.entries()) if (bit === one) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (128 >> (i & 7))
  return bytes
}

function isText(bytes: Bytes): boolean {
  try {
    return !/[\p{Cc}--[\t\n\r]]/v.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return false
  }
}
