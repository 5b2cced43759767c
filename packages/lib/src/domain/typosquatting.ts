/**
 * The names that somebody who wants to be taken for a domain would register: slips of the finger, look-alikes, other
 * endings. All permutations of dnstwist, under its names for the kinds, and some of our own; the likeliest first, so
 * that a cap cuts off the far-fetched ones.
 */

import { confusables } from './confusables.ts'
import { encodePunycode } from './punycode.ts'
import { asciiGlyphs, cyrillicTwins, latinWithTwins, otherGlyphs } from './typosquatting-glyphs.ts'
import { swappedSuffixes, temptingWords } from './typosquatting-words.ts'

/** A domain taken apart: what was registered, in U-label form, and what it was registered under. */
export interface Registered {
  label: string
  /** "com", "co.uk". */
  suffix: string
}

export interface Permutation {
  fuzzer: string
  /** In A-label form. */
  domain: string
  /** For people, where it differs. */
  unicode?: string
}

/** A kind of permutation: labels that take the place of the label, or names with another suffix. */
export interface Fuzzer {
  name: string
  labels?(label: string): Iterable<string>
  names?(domain: Registered): Iterable<string>
}

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const VOWELS = 'aeiou'

/** Keyboards row by row; each row begins half a key to the right of the one above it. */
const KEYBOARDS = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
] as const

/** The keys around each key: two beside it, two above and two below. */
const neighbours: ReadonlyMap<string, string> = new Map(
  Array.from('1234567890abcdefghijklmnopqrstuvwxyz', key => [
    key,
    [...new Set(KEYBOARDS.flatMap(rows => keysAround(rows, key)))].join(''),
  ]),
)

function keysAround(rows: readonly string[], key: string): string[] {
  const row = rows.findIndex(keys => keys.includes(key))
  const column = rows[row]?.indexOf(key) ?? -1
  const at = (keys: string | undefined, columns: readonly number[]) => columns.flatMap(each => keys?.[each] ?? [])
  return [
    ...at(rows[row], [column - 1, column + 1]),
    ...at(rows[row - 1], [column, column + 1]),
    ...at(rows[row + 1], [column - 1, column]),
  ]
}

type Glyphs = ReadonlyMap<string, readonly string[]>

const simpleGlyphs: Glyphs = new Map(Object.entries(asciiGlyphs).map(([key, looks]) => [key, looks.split(' ')]))
const allGlyphs: Glyphs = new Map(
  [...new Set([...Object.keys(asciiGlyphs), ...Object.keys(otherGlyphs)])].map(key => [
    key,
    [...(simpleGlyphs.get(key) ?? []), ...(otherGlyphs[key] ?? '')],
  ]),
)

const points = (label: string): string[] => Array.from(label)

function* replaced(label: string, choices: (character: string) => Iterable<string>): Generator<string> {
  const all = points(label)
  for (const [i, character] of all.entries()) {
    for (const choice of choices(character)) yield all.with(i, choice).join('')
  }
}

/** One character for its look-alikes: at each place, and at neighbouring places of the same character together. */
function* lookAlikes(label: string, glyphs: Glyphs): Generator<string> {
  const all = points(label)
  const places = Map.groupBy(all.keys(), i => all[i] ?? '')
  for (const [character, at] of places) {
    const looks = glyphs.get(character)
    if (!looks) continue
    for (let from = 0; from < at.length; from++) {
      for (let to = from; to < at.length; to++) {
        // As dnstwist does it, never from the first character to the last.
        if (at[from] === 0 && at[to] === all.length - 1) continue
        const start = at[from] ?? 0
        const end = (at[to] ?? 0) + 1
        const [before, after] = [all.slice(0, start).join(''), all.slice(end).join('')]
        const middle = all.slice(start, end)
        for (const look of looks) {
          yield before + middle.map(each => (each === character ? look : each)).join('') + after
        }
      }
    }
  }
}

function* twice(label: string): Generator<string> {
  const seen = new Set<string>()
  for (const once of new Set(lookAlikes(label, allGlyphs))) {
    for (const name of lookAlikes(once, allGlyphs)) {
      if (seen.has(name)) continue
      seen.add(name)
      yield name
    }
  }
}

function* cyrillic(label: string): Generator<string> {
  const twins = points(cyrillicTwins)
  const all = points(label).map(character => twins[latinWithTwins.indexOf(character)])
  if (all.every(twin => twin !== undefined)) yield all.join('')
}

/** Sequences of confusables.ts, each at each place. */
function* confused(label: string): Generator<string> {
  for (const [looks, others] of Object.entries(confusables)) {
    for (let at = label.indexOf(looks); at >= 0; at = label.indexOf(looks, at + 1)) {
      for (const other of others) yield label.slice(0, at) + other + label.slice(at + looks.length)
    }
  }
}

/** Every place of a label within bounds, with what stands before it, at it and behind it. */
function at(label: string, [from, untilEnd]: readonly [number, number], make: (place: Place) => readonly string[]) {
  const all = points(label)
  const found: string[] = []
  for (let i = from; i < all.length - untilEnd; i++) {
    const place = { before: all.slice(0, i).join(''), here: all[i] ?? '', next: all[i + 1] ?? '', i }
    found.push(...make({ ...place, rest: all.slice(i + 1).join('') }))
  }
  return found
}

interface Place {
  before: string
  here: string
  /** The character behind, which `rest` begins with. */
  next: string
  rest: string
  i: number
}

const withoutFirst = (text: string): string => points(text).slice(1).join('')

/** Flips each bit of each character; only what may stand in a name is kept. */
function* bitFlips(character: string): Generator<string> {
  for (let bit = 1; bit < 256; bit <<= 1) {
    const flipped = String.fromCharCode((character.codePointAt(0) ?? 0) ^ bit)
    if (`${LETTERS_AND_DIGITS}-`.includes(flipped)) yield flipped
  }
}

/** The likeliest first. */
export const fuzzers: readonly Fuzzer[] = [
  { name: 'omission', labels: label => at(label, [0, 0], ({ before, rest }) => [before + rest]) },
  {
    name: 'transposition',
    labels: label => at(label, [0, 1], ({ before, here, next, rest }) => [before + next + here + withoutFirst(rest)]),
  },
  { name: 'repetition', labels: label => at(label, [0, 0], ({ before, here, rest }) => [before + here + here + rest]) },
  { name: 'replacement', labels: label => replaced(label, key => neighbours.get(key) ?? '') },
  {
    name: 'tld-swap',
    names: ({ label, suffix }) => swappedSuffixes.filter(each => each !== suffix).map(each => `${label}.${each}`),
  },
  { name: 'addition', labels: label => Array.from(LETTERS_AND_DIGITS, character => label + character) },
  { name: 'glyph', labels: label => lookAlikes(label, simpleGlyphs) },
  { name: 'vowel-swap', labels: label => replaced(label, vowel => (VOWELS.includes(vowel) ? VOWELS : '')) },
  { name: 'bitsquatting', labels: label => replaced(label, bitFlips) },
  { name: 'hyphenation', labels: label => at(label, [1, 0], ({ before, here, rest }) => [`${before}-${here}${rest}`]) },
  {
    name: 'insertion',
    labels: label =>
      at(label, [1, 1], ({ before, here, rest }) =>
        Array.from(neighbours.get(here) ?? '').flatMap(key => [before + key + here + rest, before + here + key + rest]),
      ),
  },
  {
    name: 'subdomain',
    labels: label =>
      at(label, [1, 1], ({ before, here, rest }) =>
        before.endsWith('-') || here === '-' ? [] : [`${before}.${here}${rest}`],
      ),
  },
  { name: 'various', names: various },
  { name: 'www', labels: label => [`www${label}`, `www-${label}`, `ww${label}`, `w-${label}`] },
  {
    name: 'plural',
    labels: label =>
      at(label, [0, 0], ({ before, here, rest }) => [`${before}${here}${'sxz'.includes(here) ? 'es' : 's'}${rest}`]),
  },
  { name: 'cyrillic', labels: cyrillic },
  { name: 'dictionary', labels: label => withWords(label, temptingWords) },
  { name: 'homoglyph', labels: label => new Set(lookAlikes(label, allGlyphs)) },
  { name: 'confusable', labels: confused },
  { name: 'homoglyph-2', labels: twice },
]

/** The dot forgotten, the suffix taken for part of the name, a suffix of two parts cut to one. */
function various({ label, suffix }: Registered): string[] {
  if (suffix.includes('.')) return [`${label}.${suffix.split('.').at(-1)}`, label + suffix]
  return [`${label}${suffix}.${suffix}`, ...(suffix === 'com' ? [] : [`${label}-${suffix}.com`])]
}

/** Words before and behind the name, and in place of its first or last part where it has hyphens. */
export function* withWords(label: string, words: readonly string[]): Generator<string> {
  const parts = label.split('-')
  for (const word of words) {
    if (!(label.startsWith(word) && label.endsWith(word))) {
      yield* [`${label}-${word}`, label + word, `${word}-${label}`, word + label]
    }
    if (parts.length < 2) continue
    yield `${parts.slice(0, -1).join('-')}-${word}`
    yield `${word}-${parts.slice(1).join('-')}`
  }
}

/** All names of one kind, with repetitions, in U-label form. */
export function* namesBy({ labels, names }: Fuzzer, domain: Registered): Generator<string> {
  for (const label of labels?.(domain.label) ?? []) yield `${label}.${domain.suffix}`
  yield* names?.(domain) ?? []
}

/** Every permutation once, under the likeliest kind, without the domain itself. Lazy: a caller that has enough stops. */
export function* permutationsOf(domain: Registered): Generator<Permutation> {
  const seen = new Set([`${domain.label}.${domain.suffix}`])
  for (const fuzzer of fuzzers) {
    for (const name of namesBy(fuzzer, domain)) {
      if (seen.has(name)) continue
      seen.add(name)
      const ascii = toRegistrable(name)
      if (ascii === undefined) continue
      yield { fuzzer: fuzzer.name, domain: ascii, ...(ascii !== name && { unicode: name }) }
    }
  }
}

const MAX_LABEL = 63
const MAX_NAME = 253
const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/

/**
 * The A-label form; undefined when no registry would take the name. The tables hold only characters that are normalized
 * already, so Punycode (RFC 3492) is all there is to do.
 */
export function toRegistrable(name: string): string | undefined {
  const labels = name.split('.').map(label => (isAscii(label) ? plainLabel(label) : otherLabel(label)))
  if (labels.some(label => label === undefined)) return undefined
  const ascii = labels.join('.')
  return ascii.length <= MAX_NAME ? ascii : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** RFC 5891 §4.2.3.1: no hyphens in the third and fourth place, nor at the ends. */
function plainLabel(label: string): string | undefined {
  const valid = LABEL.test(label) && label.length <= MAX_LABEL && label.slice(2, 4) !== '--'
  return valid || label.startsWith('xn--') ? label : undefined
}

function otherLabel(label: string): string | undefined {
  if (label.startsWith('-') || label.endsWith('-') || points(label).slice(2, 4).join('') === '--') return undefined
  const ascii = `xn--${encodePunycode(label)}`
  return ascii.length <= MAX_LABEL ? ascii : undefined
}

/** How much a name longer than the one it imitates may be longer before it counts as high risk. */
export const RISK_MARGIN = 3

/** The rule of lengths: more than three characters longer is High, anything else Medium. */
export const riskOf = (found: string, checked: string): 'High' | 'Medium' =>
  found.length > checked.length + RISK_MARGIN ? 'High' : 'Medium'
