import { formatPoint } from './inspect.ts'
import { invisibleName } from './invisible.ts'

/**
 * Finds what a reader of a text does not see: Default_Ignorable_Code_Point (Unicode Standard §5.21), controls, unusual
 * spaces, and the bidirectional controls with which Trojan Source (CVE-2021-42574) makes code read otherwise than it
 * runs.
 */
export type HiddenKind =
  | 'zero-width'
  | 'bidi control'
  | 'variation selector'
  | 'tag'
  | 'space'
  | 'control'
  | 'filler'
  | 'other format'

export interface Hidden {
  /** Counted in UTF-16 units from 1, as are columns. */
  position: number
  line: number
  column: number
  code_point: string
  name: string
  kind: HiddenKind
  /** Why it may well belong there; missing where it looks out of place. */
  expected?: string
}

export interface HiddenReport {
  /** The first of them. */
  found: Hidden[]
  count: number
  /** Those that look out of place. */
  suspicious: number
  /** Lines in which a bidirectional embedding, override or isolate is not ended, and which one. */
  unbalanced: { line: number; code_point: string; name: string }[]
}

export const MAX_HIDDEN = 500

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu
/** What the pattern finds and any text has. */
const PLAIN = new Set(['\n', '\r', '\t'])

export function findHidden(text: string): HiddenReport {
  const report: HiddenReport = { found: [], count: 0, suspicious: 0, unbalanced: [] }
  const open: { line: number; point: number }[] = []
  let [line, lineStart] = [1, 0]
  const endLine = () => {
    for (const { line, point } of open.splice(0)) {
      if (report.unbalanced.length < MAX_HIDDEN) {
        report.unbalanced.push({ line, code_point: formatPoint(point), name: invisibleName(point) ?? '' })
      }
    }
  }
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    const point = character.codePointAt(0) ?? 0
    if (character === '\n' || point === 0x2028 || point === 0x2029) {
      endLine()
      if (character === '\n') [line, lineStart] = [line + 1, index + 1]
    }
    if (PLAIN.has(character)) continue
    followBidi(open, point, line)
    report.count++
    const expected = expectedAt(text, index, character)
    if (!expected) report.suspicious++
    if (report.found.length >= MAX_HIDDEN) continue
    report.found.push({
      position: index + 1,
      line,
      column: index - lineStart + 1,
      code_point: formatPoint(point),
      name: invisibleName(point) ?? 'UNASSIGNED',
      kind: kindOf(character, point),
      ...(expected && { expected }),
    })
  }
  endLine()
  return report
}

/** UAX 9 §2: embeddings and overrides are ended by U+202C, isolates by U+2069, which ends what is open inside too. */
function followBidi(open: { line: number; point: number }[], point: number, line: number): void {
  const isIsolate = (each: number) => each >= 0x2066 && each <= 0x2068
  if ((point >= 0x202a && point <= 0x202e && point !== 0x202c) || isIsolate(point)) open.push({ line, point })
  else if (point === 0x202c && open.length && !isIsolate(open.at(-1)?.point ?? 0)) open.pop()
  else if (point === 0x2069) {
    const last = open.findLastIndex(each => isIsolate(each.point))
    if (last >= 0) open.splice(last)
  }
}

function kindOf(character: string, point: number): HiddenKind {
  if (/\p{Bidi_Control}/u.test(character)) return 'bidi control'
  if (/\p{Variation_Selector}/u.test(character)) return 'variation selector'
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag'
  if (/[\p{Zs}\p{Zl}\p{Zp}]/u.test(character)) return 'space'
  if (/\p{Cc}/u.test(character)) return 'control'
  if (/\u034f|[\u200b-\u200d\u2060-\u2064\ufeff\u00ad\u180e]/.test(character)) return 'zero-width'
  return /\p{Lo}/u.test(character) ? 'filler' : 'other format'
}

/** Scripts whose letters change their shape by their neighbours, where joiners are part of spelling. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u

function expectedAt(text: string, index: number, character: string): string | undefined {
  // One character each way. No pattern here ends a class with $: Chromium 156 then overlooks pairs of surrogates.
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? ''
  const [after = ''] = text.slice(index + character.length, index + character.length + 2)
  switch (character) {
    case '\u200d':
      if (
        /\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(before) &&
        /\p{Extended_Pictographic}/u.test(after)
      ) {
        return 'joins an emoji'
      }
      return JOINING.test(before) ? 'spelling of its script' : undefined
    case '\u200c':
      return JOINING.test(before) ? 'spelling of its script' : undefined
    case '\ufe0e':
    case '\ufe0f':
      return /\p{Emoji}/u.test(before) ? 'chooses how an emoji looks' : undefined
    case '\ufeff':
      return index === 0 ? 'byte order mark' : undefined
    case '\u00a0':
    case '\u202f':
    case '\u3000':
    case '\u2009':
      return 'typography'
    case '\u00ad':
      return /\p{L}/u.test(before) && /\p{L}/u.test(after) ? 'place to hyphenate' : undefined
    case '\u200e':
    case '\u200f':
    case '\u061c':
      return /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(before + after) ? 'order of mixed directions' : undefined
    default:
      return isFlagTag(text, index) ? 'flag of a region' : undefined
  }
}

/** UTS 51 §C.1: a black flag, tag letters and digits, and the cancel tag. */
function isFlagTag(text: string, index: number): boolean {
  const around = text.slice(Math.max(0, index - 16), index + 18)
  return [...around.matchAll(/\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu)].some(
    ({ 0: flag, index: at }) => {
      const start = Math.max(0, index - 16) + at
      return index > start && index < start + flag.length
    },
  )
}

/** The text with every hidden character written as its code point in brackets. */
export const showHidden = (text: string): string =>
  text.replace(HIDDEN, character =>
    PLAIN.has(character) ? character : `[${formatPoint(character.codePointAt(0) ?? 0)}]`,
  )

/** The text without those that look out of place; unusual spaces become ordinary ones. */
export const withoutHidden = (text: string): string =>
  text.replace(HIDDEN, (character: string, index: number) => {
    if (PLAIN.has(character) || expectedAt(text, index, character)) return character
    return /\p{Z}/u.test(character) ? ' ' : ''
  })
