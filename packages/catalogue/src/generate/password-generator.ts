import { explain, field, mono, Problem, panel, type Tone, tool } from '@assay/kit'
import {
  type CharacterClass,
  characterClasses,
  charactersOf,
  generateFromMask,
  generatePasswords,
  maskEntropy,
  parseMask,
  passwordEntropy,
  SIMILAR,
} from '@assay/lib/generate/password'

const classes = Object.keys(characterClasses) as CharacterClass[]
/** Guesses a second against an unsalted fast hash, about what a rack of graphics cards does. */
const GUESSES_PER_SECOND = 1e12
const withoutPattern = 'Left out of account when there is a pattern.'

/** Passwords drawn without bias. */
export const passwordGenerator = tool({
  id: 'password-generator',
  path: 'password-generator',
  title: 'Password Generator',
  category: 'generators-and-randomness',
  summary: 'Random passwords with every kind of character you ask for, and how hard they are to guess.',
  keywords: ['random password', 'passphrase', 'pin', 'secret', 'strong password', 'entropy', 'mask'],
  specs: [],
  runs: 'anywhere',
  fields: {
    length: field.number('Length', { min: 1, max: 256, default: 20, unit: 'characters', help: withoutPattern }),
    count: field.number('How many', { min: 1, max: 500, default: 5 }),
    uppercase: field.flag('Capital letters', { default: true }),
    lowercase: field.flag('Small letters', { default: true }),
    digits: field.flag('Digits', { default: true }),
    symbols: field.flag('Symbols', { default: true }),
    exclude_similar: field.flag('Leave out similar characters', { help: `These are ${[...SIMILAR].join(' ')}` }),
    pattern: field.text('Pattern', {
      optional: true,
      maxLength: 256,
      placeholder: '?u?l?l?l-?d?d?d?d',
      help: '?u capital, ?l small letter, ?d digit, ?s symbol, ?a any of these, ?h and ?H hexadecimal, ?? a question mark; the rest stands for itself.',
    }),
  },
  run({ length, count, exclude_similar, pattern, ...wanted }, { random }) {
    if (pattern) {
      const mask = explain('pattern', 'Pattern', () => parseMask(pattern, exclude_similar))
      return resultOf(generateFromMask(mask, count, random), mask.length, maskEntropy(mask))
    }
    const chosen = classes.filter(name => wanted[name]).map(name => charactersOf(name, exclude_similar))
    if (!chosen.length) {
      throw new Problem('invalid-input', 'Choose at least one kind of character, or give a pattern.', {
        field: 'lowercase',
      })
    }
    const passwords = explain('length', 'Length', () => generatePasswords(chosen, length, count, random))
    return resultOf(passwords, length, passwordEntropy(chosen, length))
  },
  show: ({ passwords, entropy_bits }) => [
    panel.list(passwords.map(password => ({ text: mono(password) }))),
    panel.tiles(
      {
        label: 'Entropy',
        value: { text: `${entropy_bits} bits`, tone: toneOf(entropy_bits) },
        detail: 'of each password',
      },
      {
        label: 'Guessing',
        value: guessingTime(entropy_bits),
        detail: 'on average, at a million million guesses a second',
      },
    ),
    ...(entropy_bits < 50
      ? [panel.note('warn', 'A stolen hash of such a password is guessed quickly. Make it longer.')]
      : []),
  ],
  examples: [
    {
      from: '4 log₂ 10',
      title: 'A PIN',
      input: { length: 4, count: 1, uppercase: 'no', lowercase: 'no', symbols: 'no' },
      result: { length: 4, entropy_bits: 13.3 },
    },
    {
      from: 'log₂ (94¹⁶ − 2·68¹⁶ − 84¹⁶ − 62¹⁶ + …), by inclusion and exclusion',
      title: 'Sixteen characters of all kinds',
      input: { length: 16, count: 3 },
      result: { length: 16, entropy_bits: 104.6 },
    },
    {
      from: '2 log₂ 26 + 4 log₂ 10',
      title: 'A pattern',
      input: { pattern: '?u?l-?d?d?d?d', count: 1 },
      result: { length: 7, entropy_bits: 22.7 },
    },
  ],
})

const resultOf = (passwords: string[], length: number, bits: number) => ({
  passwords,
  length,
  entropy_bits: Math.round(bits * 10) / 10,
})

const toneOf = (bits: number): Tone => (bits < 50 ? 'bad' : bits < 70 ? 'warn' : 'good')

const units = [
  ['year', 365.25 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time in which half of all passwords are tried: "less than a second", "3 hours", "10^14 years". */
function guessingTime(bits: number): string {
  // As a logarithm, because two to the power of a long password is beyond any number.
  const seconds = (bits - 1) * Math.log10(2) - Math.log10(GUESSES_PER_SECOND)
  const [unit, length] = units.find(([, length]) => seconds >= Math.log10(length)) ?? []
  if (!unit || !length) return 'less than a second'
  const power = seconds - Math.log10(length)
  if (power >= 6) return `10^${Math.floor(power)} ${unit}s`
  const whole = Math.floor(10 ** power)
  return whole === 1 ? `1 ${unit}` : `${whole.toLocaleString('en')} ${unit}s`
}
