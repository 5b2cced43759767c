import { createPicker, type Random } from './uniform.ts'
import type { Wordlist } from './wordlist.ts'

/** Passphrases of words, by the method that Arnold Reinhold published as Diceware in 1995. */
export interface PassphraseStyle {
  separator: string
  /** Each word begins with a capital letter. */
  capitalize: boolean
  /** A digit stands after one of the words. */
  number: boolean
}

/** Words of a list, each equally likely, and the same word as likely again. */
export function drawWords({ words }: Wordlist, count: number, random: Random): string[] {
  const pick = createPicker(random)
  return Array.from({ length: count }, () => words[pick(words.length)] ?? '')
}

/** One passphrase of these words; the digit and its place are drawn. */
export function joinWords(words: readonly string[], style: PassphraseStyle, random: Random): string {
  const cased = words.map(word => (style.capitalize ? word.charAt(0).toUpperCase() + word.slice(1) : word))
  if (style.number) {
    const pick = createPicker(random)
    const place = pick(words.length)
    cased[place] += String(pick(10))
  }
  return cased.join(style.separator)
}

/** Bits of entropy: the logarithm of how many passphrases there are to choose from. Capitals everywhere add none. */
export const passphraseEntropy = ({ words }: Wordlist, count: number, { number }: PassphraseStyle): number =>
  count * Math.log2(words.length) + (number ? Math.log2(10 * count) : 0)

/**
 * Whether two choices of words can give the same passphrase. In a list where no word begins with another the end of
 * every word is plain; elsewhere a separator or a capital has to show it.
 */
export const isAmbiguous = ({ needsSeparator }: Wordlist, { separator, capitalize }: PassphraseStyle): boolean =>
  needsSeparator && !capitalize && /^[a-z]*$/.test(separator)

export interface DiceWord {
  /** What was thrown, such as "23145". */
  rolls: string
  word: string
}

/**
 * The words that real dice chose. The rolls come one by one or in groups, divided by spaces, commas, semicolons or
 * hyphens; a group has the rolls of one word or of several.
 */
export function readDice({ words, dice }: Wordlist, text: string): DiceWord[] {
  if (!dice) throw new RangeError('this list has no dice numbers, so expected one of the EFF lists')
  const groups = text.split(/[\s,;-]+/).filter(Boolean)
  const rolls = groups.join('')
  const wrong = [...rolls].findIndex(roll => !/^[1-6]$/.test(roll))
  if (wrong >= 0) throw new RangeError(`roll ${wrong + 1} is not a number from 1 to 6`)
  const uneven = groups.findIndex(group => group.length % dice !== 0)
  if (uneven >= 0 && groups.some(group => group.length > 1)) {
    const { length } = groups[uneven] ?? ''
    throw new RangeError(`group ${uneven + 1} has ${length} rolls, and a word of this list takes ${dice}`)
  }
  if (!rolls || rolls.length % dice) {
    const missing = dice - (rolls.length % dice)
    throw new RangeError(`expected ${dice} rolls for each word, got ${rolls.length}: ${missing} more are needed`)
  }
  return Array.from({ length: rolls.length / dice }, (_, i) => {
    const thrown = rolls.slice(i * dice, (i + 1) * dice)
    return { rolls: thrown, word: words[indexOf(thrown)] ?? '' }
  })
}

/** 11…1 is the first word and 66…6 the last: the number in base six, with digits that begin at one. */
const indexOf = (rolls: string): number => [...rolls].reduce((index, roll) => index * 6 + Number(roll) - 1, 0)
