import { fromUtf8 } from '../bytes.ts'

/**
 * Passwords to try, one after the other, written as UTF-8 into a buffer that the caller owns: a guess costs no
 * allocation.
 */
export interface Candidates {
  /** How many there are at most; some rules leave some words as they were, and those are tried once. */
  total: number
  /** Writes the next one and gives its length, or -1 when there are no more. */
  next(into: Uint8Array): number
  /** How far it has come, from 0 to `total`. */
  position(): number
  /** How the last one came about. */
  how(): string
}

/** What a caller's buffer must hold. */
export const MAX_CANDIDATE_BYTES = 512
/** A word of this many characters and the longest ending stay below it. */
const MAX_WORD_LENGTH = 128

/** Words as they are. */
const PLAIN: readonly Rule[] = [{ how: 'as it stands', base: word => word, ending: '' }]

interface Rule {
  how: string
  base: (word: string) => string
  ending: string
}

const bases: readonly (readonly [string, (word: string) => string])[] = [
  ['', word => word],
  ['first letter capital', capitalise],
  ['in capitals', word => word.toUpperCase()],
  ['letters as signs', asSigns],
  ['letters as digits', asDigits],
  ['first letter capital, letters as signs', word => asSigns(capitalise(word))],
]

function capitalise(word: string): string {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}

function asSigns(word: string): string {
  return spell(word, 'aeios', '@310$')
}

/** The word itself where the signs are digits already, so that it is not tried twice. */
function asDigits(word: string): string {
  const spelt = spell(word, 'aeiost', '431057')
  return spelt === asSigns(word) ? word : spelt
}

function spell(word: string, letters: string, signs: string): string {
  let spelt = ''
  for (const letter of word) spelt += signs[letters.indexOf(letter)] ?? letter
  return spelt
}

/** What people put after a word when they are asked for a digit, a sign, or a new password every year. */
const endings: readonly string[] = [
  ...new Set([
    ...[
      '',
      '1',
      '!',
      '123',
      '1!',
      '12',
      '1234',
      '12345',
      '123!',
      '!!',
      '@',
      '#',
      '$',
      '?',
      '.',
      '*',
      '@123',
      '#1',
      '007',
    ],
    ...numbers(0, 9),
    ...numbers(2026, 2000),
    ...numbers(1999, 1960),
    ...numbers(0, 99).map(number => number.padStart(2, '0')),
    ...numbers(2026, 2015).map(year => `${year}!`),
    ...['111', '321', '456', '666', '777', '999', '4321', '123456', 'abc', 'xyz'],
  ]),
]

function numbers(from: number, to: number): string[] {
  const step = from < to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => String(from + i * step))
}

/** Every base with every ending, the likeliest endings first, and the word backwards last. */
const VARIATIONS: readonly Rule[] = [
  ...endings.flatMap(ending =>
    bases.map(([name, base]) => ({
      how: [name, ending && `then ${ending}`].filter(Boolean).join(', ') || 'as it stands',
      base,
      ending,
    })),
  ),
  { how: 'backwards', base: word => [...word].reverse().join(''), ending: '' },
]

/** How many ways `wordCandidates` varies a word. */
export const variationCount = (varied: boolean): number => (varied ? VARIATIONS : PLAIN).length

/**
 * The words of a list, all of them under one rule before the next, so that the likely guesses come first. RangeError
 * for words that are longer than any password.
 */
export function wordCandidates(words: readonly string[], varied: boolean): Candidates {
  const long = words.findIndex(word => word.length > MAX_WORD_LENGTH)
  if (long >= 0)
    throw new RangeError(`expected words of at most ${MAX_WORD_LENGTH} characters, word ${long + 1} has more`)
  const rules = varied ? VARIATIONS : PLAIN
  const encoder = new TextEncoder()
  let [rule, word] = [0, 0]
  let last: Rule | undefined
  return {
    total: words.length * rules.length,
    next(into) {
      for (;;) {
        const current = rules[rule]
        if (!current) return -1
        const text = words[word]
        if (text === undefined) {
          rule++
          word = 0
          continue
        }
        word++
        const based = current.base(text)
        // Another base of the same ending has brought it already.
        if (based === text && current.base !== rules[0]?.base) continue
        last = current
        return encoder.encodeInto(based + current.ending, into).written
      }
    },
    position: () => Math.min(rule, rules.length) * words.length + word,
    how: () => last?.how ?? '',
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const SPECIAL = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** The character sets of hashcat's masks (its wiki page "Mask attack"). */
const charsets: Readonly<Record<string, string>> = {
  l: LOWER,
  u: LOWER.toUpperCase(),
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  s: SPECIAL,
  a: LOWER + LOWER.toUpperCase() + DIGITS + SPECIAL,
  '?': '?',
}

const MAX_POSITIONS = 64

/** The characters that may stand at each place of a mask such as `?u?l?l?l2024`. RangeError when it is none. */
export function parseMask(mask: string): string[][] {
  const places: string[][] = []
  const characters = [...mask]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character !== '?') {
      places.push([character])
      continue
    }
    const name = characters[++i]
    if (name === undefined) throw new RangeError('a question mark at the end stands for nothing; write ?? for the sign')
    const charset = charsets[name]
    if (charset === undefined) throw new RangeError(`?${name} is none of ?l ?u ?d ?h ?H ?s ?a and ??`)
    places.push([...charset])
  }
  if (places.length === 0) throw new RangeError('expected at least one place, such as ?l?l?l?d')
  if (places.length > MAX_POSITIONS)
    throw new RangeError(`expected at most ${MAX_POSITIONS} places, got ${places.length}`)
  return places
}

/** How many passwords a mask stands for. */
export const maskSize = (places: readonly (readonly string[])[]): number =>
  places.reduce((size, { length }) => size * length, 1)

/** Every password of a mask, the first place changing fastest. */
export function maskCandidates(mask: string): Candidates {
  const places = parseMask(mask).map(characters => characters.map(fromUtf8))
  const total = maskSize(places.map(place => place.map(String)))
  // All sets are ASCII and a literal is always the same, so a place keeps its width and the later ones their offset.
  const offsets: number[] = []
  let length = 0
  for (const [first] of places) {
    offsets.push(length)
    length += first?.length ?? 0
  }
  const digits = new Uint8Array(places.length)
  const current = new Uint8Array(length)
  for (const [index, [first]] of places.entries()) if (first) current.set(first, offsets[index])
  let position = 0
  const advance = () => {
    for (const [index, place] of places.entries()) {
      const digit = ((digits[index] ?? 0) + 1) % place.length
      digits[index] = digit
      const character = place[digit]
      if (character) current.set(character, offsets[index])
      if (digit !== 0) return
    }
  }
  return {
    total,
    next(into) {
      if (position === total) return -1
      if (position > 0) advance()
      position++
      into.set(current)
      return length
    },
    position: () => position,
    how: () => 'by the mask',
  }
}
