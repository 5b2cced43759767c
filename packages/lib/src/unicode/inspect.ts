import { toHex } from '../bytes.ts'
import { encodeUtf, utfNames } from '../codec/utf.ts'
import { blockOf } from './blocks.ts'
import { invisibleName } from './invisible.ts'
import { categoryOf, scriptOf } from './property.ts'

/** What the Unicode Standard says of a character, and its bytes in every encoding. */
export interface CharacterFacts {
  character: string
  /** Such as U+00E9. */
  code_point: string
  /** Only characters that cannot be seen have theirs here: the names of all weigh 300 KB. */
  name?: string
  block: string
  category: string
  script: string
  /** By encoding, in hexadecimal. */
  bytes: Record<string, string>
}

export const formatPoint = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`

export function inspectCharacter(character: string): CharacterFacts {
  const point = character.codePointAt(0) ?? 0
  const name = invisibleName(point)
  const { category, meaning } = categoryOf(character)
  return {
    character,
    code_point: formatPoint(point),
    ...(name && { name }),
    block: blockOf(point) ?? 'no block',
    category: `${category}, ${meaning}`,
    script: scriptOf(character) ?? 'Unknown',
    bytes: Object.fromEntries(utfNames.map(encoding => [encoding, toHex(encodeUtf(character, encoding, false))])),
  }
}

export interface TextCounts {
  /** What a reader takes for one character (UAX 29); left out for long texts, where counting takes long. */
  graphemes?: number
  code_points: number
  utf16_units: number
  utf8_bytes: number
}

const MAX_SEGMENTED = 200_000

export function countText(text: string): TextCounts {
  let [points, bytes] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0
    if (point > 0xffff) i++
    points++
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  const graphemes = text.length <= MAX_SEGMENTED ? segmentsOf(text) : undefined
  return {
    ...(graphemes !== undefined && { graphemes }),
    code_points: points,
    utf16_units: text.length,
    utf8_bytes: bytes,
  }
}

function segmentsOf(text: string): number {
  let count = 0
  for (const _ of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) count++
  return count
}

export const normalizationForms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
export type NormalizationForm = (typeof normalizationForms)[number]
