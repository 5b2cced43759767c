/**
 * Atbash in the alphabet it is named after: alef for tav, bet for shin. Five letters have another form at the end of
 * a word; they are the same letters, so each is read as its letter and written in the form its new place asks for.
 * With that, Jeremiah 25:26 and 51:1 come out letter by letter as they stand.
 */

const ALPHABET = 'אבגדהוזחטיכלמנסעפצקרשת'
/** Letters with a final form, and those forms. Unicode Standard §9.1. */
const [MEDIAL, FINAL] = ['כמנפצ', 'ךםןףץ']

const LETTER = /[א-ת]/g
/** After the vowel points, accents and marks of a letter, U+0591 to U+05C7, comes another letter. */
const WORD_GOES_ON = /^[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]*[א-ת]/
/** A letter carries three marks or four; what carries more than this is no word. */
const MOST_MARKS = 16

export const finalForms = ['at the end of a word', 'never'] as const
export type FinalForms = (typeof finalForms)[number]

/** Writes Hebrew backwards through its alphabet; everything else, points included, stays. */
export const hebrewAtbash = (text: string, finals: FinalForms = 'at the end of a word'): string =>
  text.replace(LETTER, (letter, offset: number) => {
    const place = ALPHABET.indexOf(replaced(letter, FINAL, MEDIAL))
    const other = ALPHABET.charAt(ALPHABET.length - 1 - place)
    const rest = text.slice(offset + 1, offset + 2 + MOST_MARKS)
    return finals === 'never' || WORD_GOES_ON.test(rest) ? other : replaced(other, MEDIAL, FINAL)
  })

const replaced = (letter: string, from: string, to: string) =>
  from.includes(letter) ? to.charAt(from.indexOf(letter)) : letter

/** The alphabet and what is written for it. */
export const hebrewAlphabets = { plain: ALPHABET, written: [...ALPHABET].reverse().join('') }
