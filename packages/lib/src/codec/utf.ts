import { type Bytes, toHex } from '../bytes.ts'

/** The encoding forms and schemes of the Unicode Standard, §3.9 and §3.10. */
export const utfNames = ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'] as const
export type UtfName = (typeof utfNames)[number]

const BYTE_ORDER_MARK = '\ufeff'
const LAST_CODE_POINT = 0x10ffff

const isLittle = (name: UtfName) => name.endsWith('LE')
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff

/** The bytes of a text. Half of a surrogate pair has none in any of the encodings, and is refused with its place. */
export function encodeUtf(text: string, name: UtfName, byteOrderMark: boolean): Bytes {
  const whole = byteOrderMark ? BYTE_ORDER_MARK + text : text
  if (!text.isWellFormed()) {
    const at = text.search(/\p{Cs}/u)
    throw new RangeError(`character ${at + 1} is half of a surrogate pair, which ${name} cannot carry`)
  }
  if (name === 'UTF-8') return new TextEncoder().encode(whole)
  if (name.startsWith('UTF-16')) {
    const bytes = new Uint8Array(whole.length * 2)
    const view = new DataView(bytes.buffer)
    for (let i = 0; i < whole.length; i++) view.setUint16(2 * i, whole.charCodeAt(i), isLittle(name))
    return bytes
  }
  const bytes = new Uint8Array(whole.length * 4)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const character of whole) {
    view.setUint32(at, character.codePointAt(0) ?? 0, isLittle(name))
    at += 4
  }
  return bytes.slice(0, at)
}

/** A sequence that stands for no character. */
export interface Malformed {
  /** The offset of its first byte. */
  offset: number
  bytes: string
  reason: string
}

export interface DecodedUtf {
  /** U+FFFD stands for every malformed sequence. */
  text: string
  /** The first of them; `count` has how many there are. */
  malformed: Malformed[]
  count: number
  byteOrderMark: boolean
}

/** So many are told one by one. */
export const MAX_TOLD = 100

/** Reads bytes. A byte order mark at the beginning is taken off. */
export function decodeUtf(bytes: Uint8Array, name: UtfName): DecodedUtf {
  const found: Malformed[] = []
  let count = 0
  for (const { offset, length, reason } of faultsOf(bytes, name)) {
    if (count++ < MAX_TOLD) found.push({ offset, bytes: toHex(bytes.subarray(offset, offset + length)), reason })
  }
  const text = textOf(bytes, name)
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK)
  return { text: byteOrderMark ? text.slice(1) : text, malformed: found, count, byteOrderMark }
}

function textOf(bytes: Uint8Array, name: UtfName): string {
  if (!name.startsWith('UTF-32')) return new TextDecoder(name, { ignoreBOM: true }).decode(bytes)
  // By way of UTF-16, which the platform turns into a text at once.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const units = new Uint16Array(Math.ceil(bytes.length / 4) * 2)
  let at = 0
  for (let i = 0; i < bytes.length; i += 4) {
    const point = i + 4 > bytes.length ? LAST_CODE_POINT + 1 : view.getUint32(i, isLittle(name))
    if (point > LAST_CODE_POINT || isSurrogate(point)) units[at++] = 0xfffd
    else if (point < 0x10000) units[at++] = point
    else {
      units[at++] = 0xd800 + ((point - 0x10000) >> 10)
      units[at++] = 0xdc00 + ((point - 0x10000) & 0x3ff)
    }
  }
  return fromUnits(units.subarray(0, at))
}

function fromUnits(units: Uint16Array): string {
  const bytes = new Uint8Array(units.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [i, unit] of units.entries()) view.setUint16(2 * i, unit, true)
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes)
}

interface Fault {
  offset: number
  length: number
  reason: string
}

const faultsOf = (bytes: Uint8Array, name: UtfName): Iterable<Fault> =>
  name === 'UTF-8' ? faults8(bytes) : name.startsWith('UTF-16') ? faults16(bytes, name) : faults32(bytes, name)

/**
 * Unicode Standard, table 3-7: the bytes that may follow each first byte. A fault is the longest beginning of a
 * sequence that could have become one, or a single byte ("maximal subpart"), as all browsers have it.
 */
function* faults8(bytes: Uint8Array): Generator<Fault> {
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0
    const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    if (more < 0) {
      yield {
        offset: i,
        length: 1,
        reason: first < 0xc0 ? 'a continuation byte with no first byte' : neverFirst(first),
      }
      i++
      continue
    }
    let length = 1
    while (length <= more && i + length < bytes.length && mayFollow(first, bytes[i + length] ?? 0, length)) length++
    if (length <= more) {
      const next = bytes[i + length]
      yield { offset: i, length, reason: next === undefined ? 'cut off at the end' : brokenBy(first, next, length) }
    }
    i += length
  }
}

const neverFirst = (byte: number) =>
  byte < 0xc2
    ? 'an overlong form of an ASCII character'
    : byte < 0xf8
      ? 'a code point beyond U+10FFFF'
      : 'a byte that UTF-8 never has'

function mayFollow(first: number, byte: number, place: number): boolean {
  if (place > 1) return byte >= 0x80 && byte <= 0xbf
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  return byte >= low && byte <= high
}

function brokenBy(first: number, next: number, place: number): string {
  if (place > 1 || next < 0x80 || next > 0xbf) return 'cut off by the byte after it'
  if (first === 0xed) return 'half of a surrogate pair'
  return first === 0xf4 ? 'a code point beyond U+10FFFF' : 'an overlong form'
}

function* faults16(bytes: Uint8Array, name: UtfName): Generator<Fault> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const even = bytes.length - (bytes.length % 2)
  for (let i = 0; i < even; i += 2) {
    const unit = view.getUint16(i, isLittle(name))
    if (!isSurrogate(unit)) continue
    const next = i + 2 < even ? view.getUint16(i + 2, isLittle(name)) : 0
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) i += 2
    else if (unit < 0xdc00 && i + 2 === even && even < bytes.length) {
      yield { offset: i, length: 3, reason: 'cut off at the end' }
      return
    } else {
      const half = unit < 0xdc00 ? 'a high surrogate without the low one' : 'a low surrogate without the high one'
      yield { offset: i, length: 2, reason: half }
    }
  }
  if (even < bytes.length) yield { offset: even, length: 1, reason: 'cut off at the end' }
}

function* faults32(bytes: Uint8Array, name: UtfName): Generator<Fault> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let i = 0; i < bytes.length; i += 4) {
    if (i + 4 > bytes.length) yield { offset: i, length: bytes.length - i, reason: 'cut off at the end' }
    else {
      const point = view.getUint32(i, isLittle(name))
      if (point > LAST_CODE_POINT) yield { offset: i, length: 4, reason: 'a code point beyond U+10FFFF' }
      else if (isSurrogate(point)) yield { offset: i, length: 4, reason: 'half of a surrogate pair' }
    }
  }
}
