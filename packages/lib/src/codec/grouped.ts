import type { Bytes } from '../bytes.ts'

/**
 * Bytes in the digits of an alphabet of 32 or 64, five or six bits to a digit and the first bit first: the grouping
 * of RFC 4648 §4 and §6, which every other Base32 and Base64 shares.
 */
export interface Alphabet {
  bits: 5 | 6
  /** 2^bits different printable ASCII characters. */
  digits: string
  /** Fills the last group up to 24 or 40 bits; empty where the alphabet has no padding. */
  pad: string
  /** Other characters a lenient reader takes for a digit: capital letters, the digits of a sister alphabet. */
  aliases?: Readonly<Record<string, string>>
  /** Characters that a lenient reader passes over beside white space; 'all' for every foreign one. */
  skips?: string | 'all'
}

export interface DecodeRules {
  /**
   * Lenient: white space, missing padding, the alphabet's aliases and stray last bits are accepted and remarked on.
   * Strict: exactly what the encoder writes, and nothing else.
   */
  strict: boolean
  /** Strict: whether the padding has to be there or must not be. */
  padding: boolean
}

export interface Decoded {
  bytes: Bytes
  /** What was accepted though the encoder would not write it, as clauses with a capital and a final stop. */
  remarks: string[]
}

/** Digits in a whole group: 4 of 6 bits, or 8 of 5. */
const groupOf = (bits: number) => (bits === 6 ? 4 : 8)

export function encodeGrouped({ bits, digits, pad }: Alphabet, bytes: Uint8Array, padding: boolean): string {
  const group = groupOf(bits)
  const length = Math.ceil((bytes.length * 8) / bits)
  const codes = Uint8Array.from(digits, digit => digit.charCodeAt(0))
  const text = new Uint8Array(padding && pad ? Math.ceil(length / group) * group : length).fill(pad.charCodeAt(0))
  const mask = (1 << bits) - 1
  let [value, held, at] = [0, 0, 0]
  for (let i = 0; i < bytes.length; i++) {
    value = ((value << 8) | (bytes[i] ?? 0)) & 0xffff
    held += 8
    while (held >= bits) {
      held -= bits
      text[at++] = codes[(value >> held) & mask] ?? 0
    }
  }
  if (held) text[at] = codes[(value << (bits - held)) & mask] ?? 0
  return new TextDecoder().decode(text)
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** Reads digits back. A refusal says at which character, counted from 1, and why. */
export function decodeGrouped(alphabet: Alphabet, text: string, { strict, padding }: DecodeRules): Decoded {
  const { bits, pad, skips = '' } = alphabet
  const values = valuesOf(alphabet, strict)
  const bytes = new Uint8Array(Math.ceil((text.length * bits) / 8))
  const seen = { spaces: 0, skipped: 0, firstSkipped: 0, pads: 0, digits: 0 }
  let [value, held, at] = [0, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 128 ? (values[code] ?? -1) : -1
    if (digit >= 0) {
      if (seen.pads) throw new RangeError(`character ${i + 1} stands after the padding`)
      seen.digits++
      value = ((value << bits) | digit) & 0xffff
      held += bits
      if (held >= 8) {
        held -= 8
        bytes[at++] = (value >> held) & 255
      }
    } else if (pad && text[i] === pad) seen.pads++
    else if (!strict && isSpace(code)) seen.spaces++
    else if (!strict && (skips === 'all' || skips.includes(text.charAt(i)))) {
      seen.firstSkipped ||= i + 1
      seen.skipped++
    } else throw new RangeError(foreign(alphabet, i, isSpace(code)))
  }
  const leftBits = value & ((1 << held) - 1)
  const remarks = [
    ...checkLength(alphabet, seen.digits, held),
    ...checkPadding(alphabet, seen, strict, padding),
    ...checkLastBits(leftBits, strict),
    ...(seen.skipped
      ? [`Characters passed over: ${seen.skipped}, the first of them character ${seen.firstSkipped}.`]
      : []),
  ]
  return { bytes: bytes.slice(0, at), remarks }
}

const foreign = ({ bits }: Alphabet, index: number, space: boolean) =>
  space
    ? `character ${index + 1} is white space, which strict reading refuses`
    : `character ${index + 1} is not in this Base${2 ** bits} alphabet`

/** The value of every ASCII character, -1 where it has none. */
function valuesOf({ digits, aliases = {} }: Alphabet, strict: boolean): Int8Array {
  const values = new Int8Array(128).fill(-1)
  if (!strict) for (const [alias, digit] of Object.entries(aliases)) values[alias.charCodeAt(0)] = digits.indexOf(digit)
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value
  return values
}

/** A last group whose final digit begins no byte cannot come from any bytes. */
function checkLength({ bits }: Alphabet, digits: number, held: number): string[] {
  if (held < bits) return []
  const last = digits % groupOf(bits)
  throw new RangeError(`the last group has ${last} ${last === 1 ? 'character' : 'characters'}, which no bytes give`)
}

function checkPadding({ bits, pad }: Alphabet, seen: { pads: number; digits: number }, strict: boolean, want: boolean) {
  if (!pad) return []
  const group = groupOf(bits)
  const due = (group - (seen.digits % group)) % group
  if (strict) {
    const expected = want ? due : 0
    if (seen.pads === expected) return []
    throw new RangeError(`expected ${expected} padding characters at the end, got ${seen.pads}`)
  }
  if (seen.pads === due) return []
  if (seen.pads === 0) return want ? ['The padding is missing.'] : []
  return [`The padding is wrong: ${seen.pads} in place of ${due}.`]
}

function checkLastBits(left: number, strict: boolean): string[] {
  if (!left) return []
  if (strict) throw new RangeError('the last character has bits that belong to no byte')
  return ['The last character has bits that belong to no byte; they were dropped.']
}
