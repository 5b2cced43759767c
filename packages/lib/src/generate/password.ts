import { createPicker, type Random } from './uniform.ts'

/** The kinds of character a password is made of: all of printable ASCII but the space. */
export const characterClasses = {
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  digits: '0123456789',
  symbols: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
} as const
export type CharacterClass = keyof typeof characterClasses

/** Characters that are mistaken for one another in print or when read aloud. */
export const SIMILAR = 'Il1|O0o`\'"'

/** The characters of a class, without the similar ones if so wished. */
export const charactersOf = (name: CharacterClass, excludeSimilar: boolean): string =>
  excludeSimilar
    ? [...characterClasses[name]].filter(character => !SIMILAR.includes(character)).join('')
    : characterClasses[name]

/**
 * Passwords of one length that hold at least one character of every class, each such password equally likely. A
 * password that lacks a class is thrown away whole: putting the missing character in afterwards, as is often done,
 * makes some passwords likelier than others.
 */
export function generatePasswords(classes: readonly string[], length: number, count: number, random: Random): string[] {
  const alphabet = classes.join('')
  if (!alphabet) throw new RangeError('expected at least one kind of character')
  if (length < classes.length) {
    throw new RangeError(`expected at least ${classes.length}, one for every kind of character, got ${length}`)
  }
  const pick = createPicker(random)
  const draw = () => Array.from({ length }, () => alphabet.charAt(pick(alphabet.length))).join('')
  const complete = (password: string) =>
    classes.every(characters => [...password].some(character => characters.includes(character)))
  return Array.from({ length: count }, () => {
    for (;;) {
      const password = draw()
      if (complete(password)) return password
    }
  })
}

/** Bits of entropy: the logarithm of how many such passwords there are, counted by inclusion and exclusion. */
export function passwordEntropy(classes: readonly string[], length: number): number {
  const total = classes.join('').length
  let passwords = 0n
  for (let without = 0; without < 2 ** classes.length; without++) {
    const left = classes.filter((_, i) => without & (1 << i))
    const characters = total - left.join('').length
    passwords += (left.length % 2 ? -1n : 1n) * BigInt(characters) ** BigInt(length)
  }
  return log2(passwords)
}

/** The binary logarithm of a whole number of any size, to about 50 bits. */
function log2(value: bigint): number {
  const digits = value.toString(2)
  const head = digits.slice(0, 53)
  return Math.log2(Number.parseInt(head, 2)) + digits.length - head.length
}

/** A pattern read: for each place the characters that may stand there. */
export type Mask = readonly string[]

/**
 * Reads a pattern in the mask notation of hashcat: ?u, ?l, ?d, ?s for the four classes, ?a for all of them, ?h and ?H
 * for hexadecimal digits, ?? for a question mark; everything else stands for itself.
 */
export function parseMask(pattern: string, excludeSimilar: boolean): Mask {
  const sets: Record<string, string> = {
    u: charactersOf('uppercase', excludeSimilar),
    l: charactersOf('lowercase', excludeSimilar),
    d: charactersOf('digits', excludeSimilar),
    s: charactersOf('symbols', excludeSimilar),
    h: '0123456789abcdef',
    H: '0123456789ABCDEF',
    '?': '?',
  }
  sets.a = ['u', 'l', 'd', 's'].map(name => sets[name]).join('')
  const places: string[] = []
  const characters = [...pattern]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character !== '?') {
      places.push(character)
      continue
    }
    const set = sets[characters[++i] ?? '']
    if (!set)
      throw new RangeError(`character ${i} is a question mark without one of u, l, d, s, a, h, H or ? behind it`)
    places.push(set)
  }
  if (places.every(set => set.length === 1 || [...set].length === 1)) {
    throw new RangeError('expected at least one of ?u, ?l, ?d, ?s, ?a, ?h and ?H, or there is nothing to choose')
  }
  return places
}

/** Passwords of a pattern, each equally likely. */
export function generateFromMask(mask: Mask, count: number, random: Random): string[] {
  const pick = createPicker(random)
  const choose = (set: string) => {
    const characters = [...set]
    return characters[characters.length === 1 ? 0 : pick(characters.length)] ?? ''
  }
  return Array.from({ length: count }, () => mask.map(choose).join(''))
}

export const maskEntropy = (mask: Mask): number => mask.reduce((bits, set) => bits + Math.log2([...set].length), 0)
