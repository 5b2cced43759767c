import { toAscii, toUnicode } from './idna.ts'
import { decodePunycode } from './punycode.ts'

/** Domain names between their two forms, label by label: UTS 46 §4 with the lengths of RFC 1035 §2.3.4. */
export interface IdnLabel {
  /** As it was typed; missing where UTS 46 made several labels of one. */
  typed?: string
  unicode: string
  ascii: string
}

export interface Idn {
  ascii: string
  unicode: string
  labels: IdnLabel[]
}

const [MAX_LABEL, MAX_NAME] = [63, 253]
/** Mapping may shorten a name, but not by more than this. */
export const MAX_TYPED_NAME = 1000
/** UTS 46 §2.3: what separates labels. */
const DOTS = /[.\u3002\uff0e\uff61]/

/** Both forms of a name that is typed in either of them, or mixed. A refusal says which label, and why. */
export function readIdn(name: string): Idn {
  if (name.length > MAX_TYPED_NAME) throw new RangeError(`expected at most ${MAX_TYPED_NAME} characters in a name`)
  const typed = name.split(DOTS)
  // UTS 46 leaves ASCII alone, underscores included; no name that anything resolves has these.
  const blank = name.search(/[\s\p{Cc}]/u)
  if (blank >= 0) {
    const label = name.slice(0, blank).split(DOTS).length
    throw new RangeError(`label ${label} holds white space or a control character, character ${blank + 1}`)
  }
  const ascii = toAscii(name)
  if (ascii === undefined) throw new RangeError(reasonOf(typed))
  const labels = ascii.split('.')
  for (const [i, label] of labels.entries()) {
    if (!label && (i < labels.length - 1 || i === 0)) throw new RangeError(`label ${i + 1} is empty`)
    if (label.length > MAX_LABEL) {
      throw new RangeError(
        `label ${i + 1} has ${label.length} characters in ASCII, and at most ${MAX_LABEL} are allowed`,
      )
    }
  }
  const length = ascii.replace(/\.$/, '').length
  if (length > MAX_NAME)
    throw new RangeError(`the name has ${length} characters in ASCII, and at most ${MAX_NAME} are allowed`)
  const unicode = toUnicode(ascii)
  const inUnicode = unicode.split('.')
  return {
    ascii,
    unicode,
    labels: labels
      .map((label, i) => ({
        ...(typed.length === labels.length && { typed: typed[i] ?? '' }),
        unicode: inUnicode[i] ?? label,
        ascii: label,
      }))
      .filter(label => label.ascii),
  }
}

/** The first label that UTS 46 has no form for, and what is wrong with it as far as that can be told. */
function reasonOf(labels: readonly string[]): string {
  let start = 0
  for (const [i, label] of labels.entries()) {
    if (label && toAscii(label) === undefined) return `label ${i + 1} ${faultOf(label, start)}`
    start += label.length + 1
  }
  return 'a label breaks the rules that hold beside one written from right to left, those of RFC 5893 §2'
}

function faultOf(label: string, start: number): string {
  if (/^xn--/i.test(label)) {
    try {
      decodePunycode(label.slice(4))
    } catch (error) {
      if (error instanceof RangeError) return `begins with xn-- and is no Punycode: ${error.message} after the prefix`
      throw error
    }
    return 'begins with xn-- and stands for characters that UTS 46 writes otherwise or forbids'
  }
  let at = start
  for (const character of label) {
    // Alone, after a letter for marks, and among letters written the other way.
    const forms = [character, `a${character}`, `\u05d0${character}\u05d0`]
    if (forms.every(form => toAscii(form) === undefined))
      return `holds a character that UTS 46 forbids, character ${at + 1}`
    at += character.length
  }
  return /^\p{M}/u.test(label.normalize('NFC'))
    ? 'begins with a combining mark'
    : 'mixes directions of writing in a way that UTS 46 forbids'
}
