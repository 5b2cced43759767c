import { Problem, type Update } from '@assay/kit'
import type { Candidates } from '@assay/lib/attack/candidates'
import { type CrackProgress, crack, type Salt, type Target } from '@assay/lib/attack/crack'

/** What the tools that guess passwords have in common: words, the run with its rate, and how numbers are written. */

export const MAX_WORDS = 100_000

/** Milliseconds for a hash: SHA-512 on one core of 2.5 GHz that others use too; MD5 takes a quarter of it. */
export const MILLISECONDS_PER_TRIAL = 0.004

/** The words of the field `dictionary`. Spaces are part of a word; only the ends of lines are not. */
export function wordsOf(dictionary: string): string[] {
  const words = dictionary.split(/\r\n|\n|\r/).filter(word => word !== '')
  const refuse = (message: string) => new Problem('invalid-input', message, { field: 'dictionary' })
  if (words.length === 0) throw refuse('Words: expected at least one word, each on a line of its own.')
  if (words.length > MAX_WORDS) throw refuse(`Words: expected at most ${MAX_WORDS} words, got ${words.length}.`)
  if (!dictionary.isWellFormed()) throw refuse('Words: the text holds half of a surrogate pair.')
  return words
}

export const commonWords = async () => (await import('@assay/lib/attack/common-passwords')).commonPasswords

interface Guessing<R> {
  targets: readonly Target[]
  candidates: Candidates
  maxTrials: number
  salt?: Salt | undefined
  now(): Date
  /** The result as far as it is known. */
  stateOf(progress: CrackProgress): R
}

/** Tries candidates, with the rate on the way and the result again whenever another password is found. */
export async function* guess<R>({
  targets,
  candidates,
  maxTrials,
  salt,
  now,
  stateOf,
}: Guessing<R>): AsyncGenerator<Update<R>, R, void> {
  const clock = () => now().getTime()
  const started = clock()
  const cracking = crack(targets, candidates, { maxTrials, salt, now: clock })
  let shown = 0
  for (;;) {
    const { done, value } = await cracking.next()
    if (done) return stateOf(value)
    yield {
      progress: value.progress,
      label: labelOf(value.tried, clock() - started),
      ...(value.found.length > shown && { partial: stateOf(value) }),
    }
    shown = value.found.length
  }
}

export const count = (number: number) => number.toLocaleString('en')

function labelOf(tried: number, milliseconds: number): string {
  const rate = milliseconds > 0 ? `, ${count(Math.round((tried / milliseconds) * 1000))} a second` : ''
  return `${count(tried)} tried${rate}`
}
