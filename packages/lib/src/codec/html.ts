import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict, encodeHTML } from 'entities'

/** Character references of HTML: the WHATWG HTML Standard §13.2.5.72 to §13.2.5.80, and its table of 2231 names. */
export const htmlModes = ['minimal', 'named', 'decimal', 'hex', 'all', 'all in hex'] as const
export type HtmlMode = (typeof htmlModes)[number]

/** The characters that can end a text or an attribute value. The apostrophe has no name in HTML 4. */
const minimal: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const decimal = (character: string) => `&#${character.codePointAt(0)};`
const hexadecimal = (character: string) => `&#x${character.codePointAt(0)?.toString(16)};`

/**
 * minimal: the five characters that markup is made of. named: all that have a name, and by number what else is not
 * ASCII. decimal and hex: those five and all that is not ASCII. all and all in hex: every character by its number. NUL
 * and U+0080 to U+009F are left as they are, since their numbers are read otherwise (§13.2.5.80).
 */
export function encodeHtml(text: string, mode: HtmlMode): string {
  switch (mode) {
    case 'minimal':
      return text.replace(/[&<>"']/g, character => minimal[character] ?? character)
    case 'named':
      return text.replace(/[^\x80-\x9f]+/g, encodeHTML)
    case 'decimal':
      return text.replace(/[&<>"']|[^\0-\x9f]/gu, decimal)
    case 'hex':
      return text.replace(/[&<>"']|[^\0-\x9f]/gu, hexadecimal)
    case 'all':
      return text.replace(/[^\0\x80-\x9f]/gu, decimal)
    case 'all in hex':
      return text.replace(/[^\0\x80-\x9f]/gu, hexadecimal)
  }
}

export interface HtmlRules {
  /** The text is the value of an attribute, where &copy=1 is no reference. */
  attribute: boolean
  /** Refuse what the standard calls a parse error. */
  strict: boolean
}

/** Everything that a browser may take for a reference. */
const REFERENCE = /&(?:#(?:[xX][0-9a-fA-F]*|[0-9]*);?|[A-Za-z][A-Za-z0-9]*;?)/g
/** No name is longer: CounterClockwiseContourIntegral and its semicolon, the ampersand before it. */
const LONGEST_REFERENCE = 33

/** The text as a browser reads it, with what was odd about it. */
export function decodeHtml(text: string, { attribute, strict }: HtmlRules): { text: string; remarks: string[] } {
  const odd = new Map<string, { count: number; first: number }>()
  for (const { 0: reference, index } of text.matchAll(REFERENCE)) {
    const reason = oddity(reference, text.charAt(index + reference.length), attribute)
    if (!reason) continue
    if (strict) throw new RangeError(`the reference at character ${index + 1} ${reason}`)
    const seen = odd.get(reason)
    odd.set(reason, { count: (seen?.count ?? 0) + 1, first: seen?.first ?? index + 1 })
  }
  return {
    text: attribute ? decodeHTMLAttribute(text) : decodeHTML(text),
    remarks: [...odd].map(([reason, { count, first }]) =>
      count === 1
        ? `The reference at character ${first} ${reason}.`
        : `References, ${count} of them and the first at character ${first}: each ${reason}.`,
    ),
  }
}

/** Why a reference is a parse error, or undefined when it is none, or no reference at all. */
function oddity(reference: string, next: string, attribute: boolean): string | undefined {
  const ended = reference.endsWith(';')
  if (reference.startsWith('&#')) {
    const digits = /[0-9a-f]+/i.exec(reference.replace(/^&#x?/i, ''))?.[0]
    if (!digits) return 'has no digits and was left as it is'
    const code = Number.parseInt(digits, /^&#x/i.test(reference) ? 16 : 10)
    return wrongCode(code) ?? (ended ? undefined : WITHOUT_SEMICOLON)
  }
  if (reference.length <= LONGEST_REFERENCE && ended && decodeHTMLStrict(reference) !== reference) return undefined
  const start = reference.slice(0, LONGEST_REFERENCE)
  // In an attribute a name that goes on, or is followed by =, is text.
  const read = attribute ? decodeHTMLAttribute(start + (ended ? '' : next)) : decodeHTML(start)
  if (!read.startsWith(start)) return WITHOUT_SEMICOLON
  return ended ? 'has a name that HTML does not know and was left as it is' : undefined
}

const WITHOUT_SEMICOLON = 'lacks its semicolon'

/** §13.2.5.80: numbers that stand for another character or for none. */
function wrongCode(code: number): string | undefined {
  if (code === 0) return 'is to NUL and was replaced'
  if (code > 0x10ffff) return 'is beyond Unicode and was replaced'
  if (code >= 0xd800 && code <= 0xdfff) return 'is to half of a surrogate pair and was replaced'
  if ((code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe) return 'is to a code point that is no character'
  if (code >= 0x80 && code <= 0x9f) return 'is to a control character, read as Windows-1252'
  if (code === 13 || (code < 32 && ![9, 10, 12].includes(code)) || code === 127) return 'is to a control character'
  return undefined
}
