import { type Bytes, concat } from '../bytes.ts'
import { type Base85, decodeBase85, encodeBase85 } from './base85.ts'
import { readDigits, writeDigits } from './digits.ts'
import type { Decoded } from './grouped.ts'
import { fromDigits, toDigits } from './radix.ts'

/**
 * Ascii85: Adobe (the ASCII85Encode filter of PostScript), the Unix program btoa 4.2, the bare code, and
 * the alphabet of RFC 1924 in groups of four bytes, as Git and Python have it.
 */
export const ascii85Variants = ['Adobe', 'btoa', 'plain', 'RFC1924'] as const
export type Ascii85Variant = (typeof ascii85Variants)[number]

const ASCII_85 = String.fromCharCode(...Array.from({ length: 85 }, (_, i) => 33 + i))
const [FOUR_ZEROS, FOUR_SPACES] = [0, 0x20202020]
const adobe: Base85 = { name: 'Ascii85', letters: ASCII_85, short: { z: FOUR_ZEROS } }
const unix: Base85 = { name: 'Ascii85', letters: ASCII_85, short: { z: FOUR_ZEROS, y: FOUR_SPACES } }
/** RFC 1924: the 85 characters that it chose. */
const rfc1924: Base85 = {
  name: 'RFC 1924',
  letters: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
}

export interface Ascii85Options {
  variant: Ascii85Variant
  /** RFC 1924 as it was written: 16 bytes as one number of 20 digits. */
  address: boolean
}

/** btoa breaks its lines here. */
const BTOA_LINE = 78
/** RFC 1924: an address of 128 bits is 20 digits. */
const [ADDRESS_BYTES, ADDRESS_DIGITS] = [16, 20]

/** Lines are as long as `lineLength`, or all is one line when it is 0; btoa has its own length. */
export function encodeAscii85(bytes: Bytes, { variant, address }: Ascii85Options, lineLength = 0): string {
  switch (variant) {
    case 'Adobe':
      return frameAdobe(encodeBase85(bytes, adobe), lineLength)
    case 'btoa':
      return `xbtoa Begin\n${lines(encodeBase85(bytes, unix, true), BTOA_LINE)}\n${endOf(bytes)}\n`
    case 'plain':
      return lines(encodeBase85(bytes, adobe), lineLength)
    case 'RFC1924':
      return address ? encodeAddress(bytes) : lines(encodeBase85(bytes, rfc1924), lineLength)
  }
}

const lines = (text: string, length: number): string =>
  length ? text.replace(new RegExp(`.{${length}}(?=.)`, 'g'), '$&\n') : text

/** The marks count as part of their lines, and the closing one is never broken. */
function frameAdobe(code: string, length: number): string {
  if (!length) return `<~${code}~>`
  const text = lines(`<~${code}`, Math.max(length, 2))
  const last = text.length - 1 - text.lastIndexOf('\n')
  return `${text}${last + 2 > length ? '\n' : ''}~>`
}

function encodeAddress(bytes: Bytes): string {
  if (bytes.length !== ADDRESS_BYTES)
    throw new RangeError(`expected an address of ${ADDRESS_BYTES} bytes, got ${bytes.length}`)
  return writeDigits(toDigits(fromDigits(bytes, 256), 85, ADDRESS_DIGITS), rfc1924.letters)
}

/** Reads Ascii85; marks and white space may be missing or be more unless reading is strict. */
export function decodeAscii85(text: string, { variant, address }: Ascii85Options, strict: boolean): Decoded {
  switch (variant) {
    case 'Adobe':
      return decodeAdobe(text, strict)
    case 'btoa':
      return decodeBtoa(text, strict)
    case 'plain':
      return decodeBase85(text, adobe, { strict })
    case 'RFC1924':
      return address ? decodeAddress(text, strict) : decodeBase85(text, rfc1924, { strict })
  }
}

/** The marks are told apart from the code by their tilde, which is no digit. */
function decodeAdobe(text: string, strict: boolean): Decoded {
  const begins = /^\s*<~/.exec(text)?.[0].length ?? 0
  const tilde = text.indexOf('~', begins)
  const end = tilde < 0 ? text.length : tilde
  if (strict && !begins) throw new RangeError('expected <~ at the beginning')
  if (strict && tilde < 0) throw new RangeError('expected ~> at the end')
  const { bytes, remarks } = decodeBase85(text, adobe, { strict: false, start: begins, end })
  const after = tilde < 0 ? undefined : /^~\s*>/.exec(text.slice(tilde, tilde + 1000))?.[0]
  if (tilde >= 0 && after === undefined)
    throw new RangeError(`the tilde at character ${tilde + 1} is not followed by >`)
  const rest = tilde + (after?.length ?? 0)
  const foreign = tilde < 0 ? -1 : text.slice(rest).search(/\S/)
  if (foreign >= 0) throw new RangeError(`character ${rest + foreign + 1} stands after the end mark`)
  if (strict && remarks.length) throw new RangeError('the last group is not what the encoder would write')
  return { bytes, remarks: [...(begins && tilde < 0 ? ['The end mark ~> is missing.'] : []), ...remarks] }
}

function decodeAddress(text: string, strict: boolean): Decoded {
  const digits = readDigits(text, { ...rfc1924, strict })
  if (digits.length !== ADDRESS_DIGITS)
    throw new RangeError(`expected ${ADDRESS_DIGITS} characters, got ${digits.length}`)
  const value = fromDigits(digits, 85)
  if (value >> 128n) throw new RangeError('the number is more than the 128 bits of an address')
  return { bytes: new Uint8Array(toDigits(value, 256, ADDRESS_BYTES)), remarks: [] }
}

/** The three sums of btoa over all bytes, those that fill the last group included: exclusive or, sum, rotated sum. */
function btoaSums(bytes: Uint8Array): [eor: number, sum: number, rot: number] {
  let [eor, sum, rot] = [0, 0, 0]
  for (const byte of bytes) {
    eor ^= byte
    sum = (sum + byte + 1) >>> 0
    rot = (((rot << 1) | (rot >>> 31)) + byte) >>> 0
  }
  return [eor, sum, rot]
}

const filled = (bytes: Uint8Array) => concat(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4))

function endOf(bytes: Uint8Array): string {
  const [eor, sum, rot] = btoaSums(filled(bytes)).map(value => value.toString(16))
  return `xbtoa End N ${bytes.length} ${bytes.length.toString(16)} E ${eor} S ${sum} R ${rot}`
}

const BTOA_BEGIN = /^\s*xbtoa Begin[ \t]*\r?\n/
const BTOA_END = /^xbtoa End N (\d{1,15}) ([\da-f]{1,13}) E ([\da-f]{1,16}) S ([\da-f]{1,16}) R ([\da-f]{1,16})\s*$/i

function decodeBtoa(text: string, strict: boolean): Decoded {
  const begins = BTOA_BEGIN.exec(text.slice(0, 1000))?.[0].length
  if (begins === undefined) throw new RangeError('expected the line xbtoa Begin of btoa 4 at the beginning')
  const end = text.indexOf('xbtoa End', begins)
  if (end < 0) throw new RangeError('expected a line xbtoa End at the end')
  const parts = BTOA_END.exec(text.slice(end))
  if (!parts)
    throw new RangeError(`the line at character ${end + 1} does not have the form xbtoa End N 0 0 E 0 S 0 R 0`)
  const [length, sameLength] = [Number(parts[1]), Number.parseInt(parts[2] ?? '', 16)]
  const { bytes: whole } = decodeBase85(text, unix, { strict: false, start: begins, end })
  if (length !== sameLength) throw new RangeError('the two lengths in the last line differ')
  if (Math.ceil(length / 4) * 4 !== whole.length) {
    throw new RangeError(`the last line says ${length} bytes, but there are groups for ${whole.length}`)
  }
  const bytes = whole.slice(0, length)
  // Programs with registers of 64 bits write more of the rotated sum, and some leave the filling out of the sums.
  const sums = parts.slice(3).map(sum => Number(BigInt.asUintN(32, BigInt(`0x${sum}`))))
  const fits = (some: Uint8Array) => btoaSums(some).every((sum, i) => sum === sums[i])
  if (!fits(whole) && (strict || !fits(bytes))) throw new RangeError('the sums in the last line do not fit the bytes')
  return { bytes, remarks: [] }
}
