import { type Detection, detect, type ValueKind } from '@assay/kit/detect'
import { root } from './root.ts'

/** A tool as the palette knows it. Short names: the index travels as one JSON file. */
export interface Entry {
  title: string
  href: string
  category: string
  /** Other names, and the id. */
  words: string
  runs: 'anywhere' | 'server'
  /** Fields that take a pasted value, with the kinds they take. Secret ones get no value through an address. */
  takes: readonly { field: string; kinds: readonly string[]; secret?: boolean }[]
}

export interface Match {
  entry: Entry
  href: string
  /** Said at the right: the category, or what would be done with the value. */
  note: string
}

/** Tools whose names or words hold every word of the query, the best first. */
export function findTools(entries: readonly Entry[], query: string, limit: number): Match[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return []
  return entries
    .map(entry => ({ entry, score: score(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => ({ entry, href: entry.href, note: entry.category }))
}

function score({ title, words: others, category }: Entry, words: readonly string[]): number {
  const name = title.toLowerCase()
  let sum = 0
  for (const word of words) {
    const points = Math.max(10 * place(name, word), 6 * place(others, word), 2 * place(category.toLowerCase(), word))
    if (points === 0) return 0
    sum += points
  }
  // Of two that fit alike the shorter name is the nearer one.
  return sum + 1 / name.length
}

/** How well a word stands in a text: at its start, at the start of a word, anywhere, nowhere. */
function place(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return text.length === word.length ? 5 : 4
  return new RegExp(`[^\\p{L}\\p{N}]${literal(word)}`, 'u').test(text) ? 3 : 1
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

export interface Recognised extends Detection {
  matches: Match[]
}

/** What a value may be, and the tools that take it, for each reading of it. */
export function recognise(entries: readonly Entry[], value: string, limit: number): Recognised[] {
  return detect(value)
    .map(detection => ({ ...detection, matches: takers(entries, detection.kind, value).slice(0, limit) }))
    .filter(({ matches }) => matches.length > 0)
}

function takers(entries: readonly Entry[], kind: ValueKind, value: string): Match[] {
  return entries.flatMap(entry => {
    const found = entry.takes.find(({ kinds }) => kinds.includes(kind))
    if (!found) return []
    return [{ entry, href: found.secret ? entry.href : carry(entry, found.field, value), note: placeWords(entry) }]
  })
}

const placeWords = ({ runs }: Entry) => (runs === 'anywhere' ? 'runs in your browser' : 'runs on the server')

/** A lookup gets the value in its query. A tool of the browser gets it in the fragment, which is never sent. */
const carry = ({ href, runs }: Entry, field: string, value: string) =>
  `${href}${runs === 'server' ? '?' : '#'}${new URLSearchParams([[field, value.trim()]])}`

let loading: Promise<readonly Entry[]> | undefined

/** The index, fetched once for a page. */
export function loadEntries(): Promise<readonly Entry[]> {
  loading ??= fetch(`${root}/search.json`).then(response => response.json() as Promise<readonly Entry[]>)
  return loading
}
