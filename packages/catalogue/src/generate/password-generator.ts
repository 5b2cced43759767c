import { explain, field, mono, Problem, panel, tool } from '@assay/kit'
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
import { guessingPanels, roundBits } from './guessing.ts'

const classes = Object.keys(characterClasses) as CharacterClass[]
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
    ...guessingPanels(entropy_bits, 'password'),
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
  entropy_bits: roundBits(bits),
})
