import { confusableTable } from './confusable-table.ts'
import { formatPoint } from './inspect.ts'
import { scriptOf, scriptsOf } from './property.ts'

/** Characters that look alike: Unicode Technical Standard 39, version 17. */

/** What a character looks like, by character. */
const prototypes = new Map<string, string>()
/** The other way round. */
const sources = new Map<string, string[]>()
for (const entry of confusableTable.trim().split(/[;\n]/)) {
  const [target = '', ranges = ''] = entry.split('<')
  const looks = target.split(' ').map(fromHex).join('')
  const characters = ranges.split(' ').flatMap(range => {
    const [first = 0, last = first] = range.split('-').map(point => Number.parseInt(point, 16))
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
  })
  for (const character of characters) prototypes.set(character, looks)
  sources.set(looks, characters)
}

function fromHex(point: string): string {
  return String.fromCodePoint(Number.parseInt(point, 16))
}

/**
 * UTS 39 §4, internalSkeleton: two texts are confusable when their skeletons are equal. The order in which mixed
 * directions are shown is not taken into account.
 */
export const skeleton = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s\S]/gu, character => prototypes.get(character) ?? character)
    .normalize('NFD')

const ASCII = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))
const asciiBySkeleton = Map.groupBy(ASCII, skeleton)

/** The ASCII characters that a character passes for, the one of its own case or kind if there are several. */
function asciiTwin(character: string): string | undefined {
  const twins = asciiBySkeleton.get(skeleton(character)) ?? []
  const kind = /\p{Lu}/u.test(character) ? /[A-Z]/ : /\p{N}/u.test(character) ? /[0-9]/ : /[a-z]/
  return twins.find(twin => kind.test(twin)) ?? twins[0]
}

export const homoglyphScripts = ['all', 'Cyrillic', 'Greek', 'Latin'] as const
export type HomoglyphScripts = (typeof homoglyphScripts)[number]

const isOf = (character: string, scripts: HomoglyphScripts) => scripts === 'all' || scriptOf(character) === scripts

export interface LookAlike {
  /** Counted in UTF-16 units from 1. */
  position: number
  character: string
  code_point: string
  script: string
  /** In ASCII where there is such a character. */
  looks_like: string
}

export interface SuspiciousWord {
  position: number
  word: string
  /** As a reader takes it. */
  looks_like: string
  scripts: string[]
  reason: 'mixed scripts' | 'passes for Latin' | 'look-alikes'
}

export interface HomoglyphReport {
  skeleton: string
  /** The text in ASCII as far as its characters pass for it. */
  ascii: string
  characters: LookAlike[]
  character_count: number
  words: SuspiciousWord[]
  word_count: number
}

export const MAX_LOOK_ALIKES = 500
const WORD = /[\p{L}\p{M}\p{N}]+/gu

export function findHomoglyphs(text: string, scripts: HomoglyphScripts): HomoglyphReport {
  const report: HomoglyphReport = {
    skeleton: skeleton(text),
    ascii: text.replace(/[^\0-\x7f]/gu, character => asciiTwin(character) ?? character),
    characters: [],
    character_count: 0,
    words: [],
    word_count: 0,
  }
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    const looks = looksLike(character)
    if (looks === undefined || !isOf(character, scripts)) continue
    if (report.character_count++ >= MAX_LOOK_ALIKES) continue
    report.characters.push({
      position: index + 1,
      character,
      code_point: formatPoint(character.codePointAt(0) ?? 0),
      script: scriptOf(character) ?? 'Unknown',
      looks_like: looks,
    })
  }
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const reason = suspicionOf(word)
    if (!reason || !Array.from(word).some(character => isOf(character, scripts) && looksLike(character))) continue
    if (report.word_count++ >= MAX_LOOK_ALIKES) continue
    report.words.push({
      position: index + 1,
      word,
      looks_like: word.replace(/[^\0-\x7f]/gu, character => asciiTwin(character) ?? character),
      scripts: [...new Set(Array.from(word, character => scriptOf(character) ?? 'Unknown'))].filter(
        script => script !== 'Common' && script !== 'Inherited',
      ),
      reason,
    })
  }
  return report
}

/** What a character outside ASCII passes for; undefined when it looks only like itself. */
function looksLike(character: string): string | undefined {
  if (/^[\0-\x7f]$/.test(character)) return undefined
  const looks = skeleton(character)
  return looks && looks !== character.normalize('NFD') ? (asciiTwin(character) ?? looks) : undefined
}

function suspicionOf(word: string): SuspiciousWord['reason'] | undefined {
  const letters = Array.from(word).filter(character => scriptsOf(character).length)
  if (isMixed(letters)) return 'mixed scripts'
  const foreign = letters.filter(letter => !scriptsOf(letter).includes('Latin'))
  const passing = Array.from(word).filter(character => !/^[\0-\x7f]$/.test(character) && asciiTwin(character))
  if (foreign.length && letters.every(letter => asciiTwin(letter) !== undefined)) return 'passes for Latin'
  return !foreign.length && passing.length ? 'look-alikes' : undefined
}

/** UTS 39 §5.1: the writing systems that a script is part of. */
const systems: Readonly<Record<string, readonly string[]>> = {
  Han: ['Han with Bopomofo', 'Japanese', 'Korean'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Hangul: ['Korean'],
  Bopomofo: ['Han with Bopomofo'],
}

/** Whether no one script has all the letters. */
function isMixed(letters: readonly string[]): boolean {
  let common: readonly string[] | undefined
  for (const letter of letters) {
    const own = scriptsOf(letter).flatMap(script => [script, ...(systems[script] ?? [])])
    common = common ? common.filter(script => own.includes(script)) : own
    if (!common.length) return true
  }
  return false
}

/** Scripts whose letters make the best imitations, first. */
const PREFERRED = ['Cyrillic', 'Greek', 'Latin', 'Armenian', 'Lisu', 'Cherokee']

/** The characters that look like one, the best imitations first. */
export function lookAlikesOf(character: string, scripts: HomoglyphScripts): string[] {
  const looks = skeleton(character)
  const candidates = [looks, ...(sources.get(looks) ?? [])].filter(
    other => other !== character && Array.from(other).length === 1 && isOf(other, scripts),
  )
  const rank = (other: string) => {
    const at = PREFERRED.indexOf(scriptOf(other) ?? '')
    const sameCase =
      /\p{Lu}/u.test(other) === /\p{Lu}/u.test(character) && /\p{L}/u.test(other) === /\p{L}/u.test(character)
    return (sameCase ? 0 : 100) + (at < 0 ? PREFERRED.length : at)
  }
  return candidates
    .map(other => ({ other, rank: rank(other) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ other }) => other)
}

export interface Imitation {
  /** Every character replaced that has a look-alike. */
  output: string
  replaced: number
  /** The different characters of the text that have any. */
  choices: { character: string; look_alikes: string[] }[]
  /** One place replaced at a time. */
  variants: string[]
}

export const MAX_VARIANTS = 100

export function imitate(text: string, scripts: HomoglyphScripts): Imitation {
  const characters = Array.from(text.normalize('NFD'))
  const choices = new Map<string, string[]>()
  for (const character of new Set(characters)) {
    const others = lookAlikesOf(character, scripts)
    if (others.length && !/[\s\p{M}]/u.test(character)) choices.set(character, others)
  }
  const best = (character: string) => choices.get(character)?.[0]
  const variants: string[] = []
  for (const [i, character] of characters.entries()) {
    const other = best(character)
    if (other && variants.length < MAX_VARIANTS) variants.push(characters.with(i, other).join('').normalize('NFC'))
  }
  return {
    output: characters
      .map(character => best(character) ?? character)
      .join('')
      .normalize('NFC'),
    replaced: characters.filter(best).length,
    choices: [...choices].map(([character, look_alikes]) => ({ character, look_alikes })),
    variants,
  }
}
