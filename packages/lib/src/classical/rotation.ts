/**
 * The ROT family: every character of an alphabet moves along by some places and round from its end to its start, and
 * all other characters stay. ROT13 and ROT47 are the Jargon File's; ROT8000 is https://rot8000.com.
 */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'

/** The characters of ASCII that leave ink, the space not among them. */
const PRINTABLE = between(0x21, 0x7e)

/**
 * The characters of the Basic Multilingual Plane but for controls, white space and surrogates: first and last of each
 * run, as the table valid-code-point-transitions of ROT8000 has them.
 */
const ROT8000_RUNS: readonly (readonly [number, number])[] = [
  [0x21, 0x7e],
  [0xa1, 0x167f],
  [0x1681, 0x1fff],
  [0x200b, 0x2027],
  [0x202a, 0x202e],
  [0x2030, 0x205e],
  [0x2060, 0x2fff],
  [0x3001, 0xd7ff],
  [0xe000, 0xffff],
]

function between(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)).join('')
}

interface Wheel {
  /** What its characters are, in the plural. */
  name: string
  /** Alphabets that turn together, one UTF-16 unit a character. */
  alphabets(): readonly string[]
  /** The number of places the variant is named for. */
  usual: number
}

const letters: Wheel = { name: 'letters', alphabets: () => [LETTERS, LETTERS.toLowerCase()], usual: 13 }
const digits: Wheel = { name: 'digits', alphabets: () => [DIGITS], usual: 5 }

const variants = {
  ROT13: [letters],
  ROT5: [digits],
  ROT18: [letters, digits],
  ROT47: [{ name: 'ASCII characters', alphabets: () => [PRINTABLE], usual: 47 }],
  ROT8000: [
    {
      name: 'characters of Unicode',
      alphabets: () => [ROT8000_RUNS.map(([first, last]) => between(first, last)).join('')],
      usual: 31_702,
    },
  ],
} as const satisfies Record<string, readonly Wheel[]>

export type RotVariant = keyof typeof variants
export const rotVariants = Object.keys(variants) as RotVariant[]

/** One alphabet of a variant, and how far it turns. */
export interface Turn {
  name: string
  alphabets: readonly string[]
  /** From 0 to the size of the alphabet less one. */
  places: number
}

/** The turns of a variant by its own number of places, which undo themselves, or by another. */
export const turnsOf = (variant: RotVariant, amount?: number): Turn[] =>
  variants[variant].map(({ name, alphabets, usual }) => {
    const all = alphabets()
    const size = all[0]?.length ?? 1
    return { name, alphabets: all, places: (((amount ?? usual) % size) + size) % size }
  })

/** An alphabet as it is written after a turn. */
export const turned = (alphabet: string, places: number): string => alphabet.slice(places) + alphabet.slice(0, places)

/** UTF-16 units that are put together at a time; a call takes no more arguments than some engines allow. */
const PIECE = 8192

/** Writes a text with every alphabet turned. */
export function rotate(text: string, turns: readonly Turn[]): string {
  const written = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit)
  for (const { alphabets, places } of turns) {
    for (const alphabet of alphabets) {
      const after = turned(alphabet, places)
      for (let i = 0; i < alphabet.length; i++) written[alphabet.charCodeAt(i)] = after.charCodeAt(i)
    }
  }
  const units = new Uint16Array(PIECE)
  let output = ''
  for (let start = 0; start < text.length; start += PIECE) {
    const length = Math.min(PIECE, text.length - start)
    for (let i = 0; i < length; i++) units[i] = written[text.charCodeAt(start + i)] ?? 0
    output += String.fromCharCode(...units.subarray(0, length))
  }
  return output
}
