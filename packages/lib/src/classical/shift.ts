/** Ciphers that put one letter of A to Z for another and leave everything else, case included, as it is. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The letters in alphabetical order, as the cipher writes them. */
export type Substitution = string

/** Caesar's cipher: every letter moves along by the shift, round from Z to A. */
export function caesar(shift: number): Substitution {
  const places = ((shift % 26) + 26) % 26
  return ALPHABET.slice(places) + ALPHABET.slice(0, places)
}

/** Atbash: the alphabet backwards. It undoes itself. */
export const atbash = (): Substitution => [...ALPHABET].reverse().join('')

/** The substitution that undoes another. */
export const inverse = (substitution: Substitution): Substitution =>
  [...ALPHABET].map(letter => ALPHABET.charAt(substitution.indexOf(letter))).join('')

/** Writes a text in a substitution. */
export const substitute = (text: string, substitution: Substitution): string =>
  text.replace(/[A-Za-z]/g, letter => {
    const capital = letter.toUpperCase()
    const other = substitution.charAt(ALPHABET.indexOf(capital))
    return letter === capital ? other : other.toLowerCase()
  })

/** Percent of A to Z in English. R. E. Lewand, Cryptological Mathematics, 2000, p. 36. */
const ENGLISH = [
  8.167, 1.492, 2.782, 4.253, 12.702, 2.228, 2.015, 6.094, 6.966, 0.153, 0.772, 4.025, 2.406, 6.749, 7.507, 1.929,
  0.095, 5.987, 6.327, 9.056, 2.758, 0.978, 2.36, 0.15, 1.974, 0.074,
]

/** How often each of A to Z occurs, in either case. */
function letterCounts(text: string): number[] {
  const counts = new Array<number>(26).fill(0)
  for (const letter of text.match(/[A-Za-z]/g) ?? []) {
    const index = ALPHABET.indexOf(letter.toUpperCase())
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

export interface ShiftTrial {
  /** The shift the text was encrypted with, if this is it. */
  shift: number
  /**
   * How surprising the letters would be to one who expects English, in bits for each letter: about 4.2 for English
   * and more for anything else. Undefined for a text without letters.
   */
  surprise: number | undefined
}

/** How English a text looks under each shift from 0 to 25. */
export function tryShifts(text: string): ShiftTrial[] {
  const counts = letterCounts(text)
  const letters = counts.reduce((sum, count) => sum + count, 0)
  return Array.from({ length: 26 }, (_, shift) => {
    const bits = counts.map((count, index) => -count * Math.log2((ENGLISH[(index - shift + 26) % 26] ?? 0) / 100))
    return { shift, surprise: letters ? bits.reduce((sum, part) => sum + part, 0) / letters : undefined }
  })
}

/** The trial whose letters are least surprising; undefined for a text without letters. */
export function likeliest(trials: readonly ShiftTrial[]): ShiftTrial | undefined {
  const rank = ({ surprise }: ShiftTrial) => surprise ?? Number.POSITIVE_INFINITY
  const best = trials.toSorted((a, b) => rank(a) - rank(b))[0]
  return best?.surprise === undefined ? undefined : best
}
