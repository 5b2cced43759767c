import type { Tone } from '@assay/kit'

/** What a terminal can show: how wide it is, and whether it has colours. */
export interface Screen {
  columns: number
  colour: boolean
}

/** SGR parameters, ECMA-48 §8.3.117. */
const tones: Record<Tone, string> = { neutral: '', good: '32', warn: '33', serious: '38;5;208', bad: '31', info: '36' }
const BOLD = '1'
const DIM = '2'

const sgr = ({ colour }: Screen, code: string, text: string) =>
  colour && code && text ? `\u001b[${code}m${text}\u001b[0m` : text

export const toned = (screen: Screen, tone: Tone | undefined, text: string): string =>
  sgr(screen, tones[tone ?? 'neutral'], text)
export const bold = (screen: Screen, text: string): string => sgr(screen, BOLD, text)
export const dim = (screen: Screen, text: string): string => sgr(screen, DIM, text)

/** Control characters, and the bidirectional and invisible ones that make a text look like another. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/gu
const HIDDEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/gu

const written = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** A text in which nothing can move the cursor, change colours or turn letters round. */
export const safe = (text: string): string => text.replace(HIDDEN, written)
/** The same for text of several lines. */
export const safeLines = (text: string): string => text.replace(HIDDEN_IN_LINES, written)

const json = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** JSON for a terminal or a program: what JSON.stringify leaves bare and terminals obey is escaped as well. */
export const safeJson = (value: unknown): string => JSON.stringify(value, null, 2).replace(HIDDEN_IN_LINES, json)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Characters of two columns: East Asian wide and fullwidth (UAX 11), and pictures. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

/** Columns that a text takes. */
export function width(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the quick test is about
  if (/^[\x00-\x7f]*$/.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}

export const padded = (text: string, columns: number, shown = text): string =>
  shown + ' '.repeat(Math.max(0, columns - width(text)))
