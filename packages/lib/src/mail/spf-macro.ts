/** Macros of SPF: how they are written (RFC 7208 §7.1) and what they become (§7.2 to §7.4). */

export const macroLetters = ['s', 'l', 'o', 'd', 'i', 'p', 'v', 'h', 'c', 'r', 't'] as const
export type MacroLetter = (typeof macroLetters)[number]

/** RFC 7208 §7.2: these three only in the text of an explanation. */
const EXPLANATION_LETTERS: readonly string[] = ['c', 'r', 't']

export interface Macro {
  letter: MacroLetter
  /** An upper-case letter asks for URL escaping. */
  escaped: boolean
  /** How many parts from the right are kept. */
  keep: number | undefined
  reversed: boolean
  delimiters: string
}

/** Literal text or a macro, in order. */
export type MacroPart = string | Macro

const MACRO = /^%\{([a-z])(\d*)(r?)([.\-+,/_=]*)\}/i
const ESCAPES: Readonly<Record<string, string>> = { '%%': '%', '%_': ' ', '%-': '%20' }
/** An escape, and not the second half of one. */
const ENDS_IN_ESCAPE = /(?:^|[^%])(?:%%)*%[%_-]$/

/** Reads a macro-string, or with `explanation` an explain-string, which may hold spaces and three more letters. */
export function parseMacros(text: string, { explanation = false } = {}): MacroPart[] {
  const parts: MacroPart[] = []
  let literal = ''
  for (let i = 0; i < text.length; ) {
    if (text[i] !== '%') {
      const code = text.charCodeAt(i)
      if (!(code > 32 && code < 127) && !(explanation && code === 32)) {
        throw new RangeError('there is a character that is not visible ASCII')
      }
      literal += text[i++]
      continue
    }
    const escaped = ESCAPES[text.slice(i, i + 2)]
    if (escaped !== undefined) {
      literal += escaped
      i += 2
      continue
    }
    const found = MACRO.exec(text.slice(i))
    if (!found) throw new RangeError('a percent sign begins no macro')
    if (literal) parts.push(literal)
    literal = ''
    parts.push(readMacro(found, explanation))
    i += found[0].length
  }
  if (literal) parts.push(literal)
  return parts
}

function readMacro(
  [whole, name = '', digits = '', reverse = '', delimiters = '']: RegExpExecArray,
  explanation: boolean,
) {
  const letter = macroLetters.find(known => known === name.toLowerCase())
  if (!letter) throw new RangeError(`there is no macro ${whole}`)
  if (!explanation && EXPLANATION_LETTERS.includes(letter)) {
    throw new RangeError(`the macro ${whole} is for explanations only`)
  }
  if (digits && Number(digits) === 0) throw new RangeError(`the macro ${whole} keeps no part`)
  return {
    letter,
    escaped: name !== letter,
    keep: digits ? Number(digits) : undefined,
    reversed: reverse !== '',
    delimiters: delimiters || '.',
  }
}

/** Reads a domain-spec: a macro-string that ends in a macro or in a dot and a top-level label. */
export function parseDomainSpec(text: string): MacroPart[] {
  if (text === '') throw new RangeError('a domain is missing')
  const parts = parseMacros(text)
  if (typeof parts.at(-1) === 'object' || ENDS_IN_ESCAPE.test(text) || endsInTopLabel(text)) return parts
  if (/^[\d.]+$/.test(text)) throw new RangeError('there is an address where a domain belongs; ip4: takes addresses')
  throw new RangeError('the domain does not end in a top-level label or a macro')
}

/** A dot and a toplabel: letters, digits and hyphens, not digits alone, and no hyphen at either end. */
function endsInTopLabel(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  return labels.length > 1 && /^[a-z\d-]+$/i.test(last) && !/^(?:\d+$|-)|-$/.test(last)
}

/** What a macro letter stands for; undefined when no name can be made of it. */
export type MacroValue = (letter: MacroLetter) => string | undefined | Promise<string | undefined>

/** Puts values in the place of macros; undefined when one has none. */
export async function expandMacros(parts: readonly MacroPart[], value: MacroValue): Promise<string | undefined> {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const found = await value(part.letter)
    if (found === undefined) return undefined
    const transformed = transform(found, part)
    text += part.escaped ? urlEscape(transformed) : transformed
  }
  return text
}

/** RFC 7208 §7.3: split, turn around, keep the last parts, join with dots. */
function transform(value: string, { keep, reversed, delimiters }: Macro): string {
  if (keep === undefined && !reversed && delimiters === '.') return value
  const pieces: string[] = ['']
  for (const character of value) {
    if (delimiters.includes(character)) pieces.push('')
    else pieces.push(`${pieces.pop()}${character}`)
  }
  if (reversed) pieces.reverse()
  return (keep === undefined ? pieces : pieces.slice(-keep)).join('.')
}

/** Everything but the unreserved characters of RFC 3986 §2.3. */
const urlEscape = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** RFC 7208 §7.3: as many characters of a name as a question can hold. */
const MAX_NAME_LENGTH = 253

/** RFC 7208 §7.3: a name over 253 characters loses labels on the left until it fits. */
export function shortenName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  const end = name.slice(-MAX_NAME_LENGTH - 1)
  const dot = end.indexOf('.')
  return dot < 0 ? end : end.slice(dot + 1)
}
