import { action, field, type InputOf, mono, type Panel, panel, type Terminal, tool } from '@assay/kit'
import {
  atbash,
  caesar,
  inverse,
  likeliest,
  type Substitution,
  substitute,
  tryShifts,
} from '@assay/lib/classical/shift'
import { translate } from './translate.ts'

/** A fat book has a million characters; more than a chapter is no longer done in an instant. */
const MAX_LENGTH = 200_000

const fields = {
  text: field.area('Text', { placeholder: 'Veni, vidi, vici', maxLength: MAX_LENGTH }),
  cipher_type: field.choice('Cipher', ['caesar', 'atbash', 'rot13']),
  shift: field.number('Shift', {
    min: -1000,
    max: 1000,
    default: 3,
    help: 'Places that every letter moves along.',
    dependsOn: { field: 'cipher_type', values: ['caesar'] },
  }),
}

type Settings = Pick<InputOf<typeof fields>, 'cipher_type' | 'shift'>

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Enough of a text to see whether it is one. */
const BEGINNING = 80

function substitutionOf({ cipher_type, shift }: Settings): Substitution {
  switch (cipher_type) {
    case 'caesar':
      return caesar(shift)
    case 'atbash':
      return atbash()
    case 'rot13':
      return caesar(13)
  }
}

/** The classical shift ciphers, and all shifts at once. */
export const caesarCipher = tool({
  id: 'caesar-cipher',
  path: 'caesar-cipher',
  title: 'Caesar Cipher',
  category: 'cipher-tools-and-simulators',
  summary: 'Shift the letters of a text by any number of places, and see all shifts of a ciphertext at once.',
  keywords: ['rot13', 'atbash', 'shift cipher', 'substitution', 'rot', 'brute force', 'classical'],
  specs: [],
  runs: 'anywhere',
  caution: 'There are 26 keys, so anyone can try them all by hand in a minute.',
  actions: {
    encrypt: action({
      title: 'Caesar Cipher Encrypt',
      swap: { to: 'decrypt', from: 'output', into: 'text' },
      fields,
      run({ text, ...settings }) {
        const substitution = substitutionOf(settings)
        return { output: substitute(text, substitution), ...settings, mapping: substitution }
      },
      show: ({ output, mapping }) => [panel.code(output, { title: 'Ciphertext' }), mappingPanel(mapping)],
      terminal: ({ text }, result) => trCommand(text, result),
      examples: [
        {
          from: 'Suetonius, Divus Iulius 56',
          title: 'D for A, as Caesar wrote it',
          input: { text: 'Veni, vidi, vici', cipher_type: 'caesar', shift: 3 },
          result: { output: 'Yhql, ylgl, ylfl' },
        },
        {
          from: 'The rot_13 codec of Python',
          input: { text: 'Hello, World!', cipher_type: 'rot13' },
          result: { output: 'Uryyb, Jbeyq!' },
        },
        {
          from: 'Jeremiah 25:26, where Babel is written Sheshach in Hebrew letters',
          title: 'Atbash, the alphabet backwards',
          input: { text: 'abcxyz', cipher_type: 'atbash' },
          result: { output: 'zyxcba' },
        },
      ],
    }),

    decrypt: action({
      title: 'Caesar Cipher Decrypt',
      swap: { to: 'encrypt', from: 'output', into: 'text' },
      fields: { ...fields, text: field.area('Ciphertext', { placeholder: 'Yhql, ylgl, ylfl', maxLength: MAX_LENGTH }) },
      run({ text, ...settings }) {
        const substitution = inverse(substitutionOf(settings))
        const trials = tryShifts(text)
        const best = likeliest(trials)
        // No half of a surrogate pair at the cut.
        const beginning = text.slice(0, BEGINNING).replace(/[\ud800-\udbff]$/, '')
        return {
          output: substitute(text, substitution),
          ...settings,
          mapping: substitution,
          ...(best && { likeliest_shift: best.shift }),
          shifts: trials.map(({ shift, surprise }) => ({
            shift,
            beginning: substitute(beginning, caesar(-shift)),
            ...(surprise !== undefined && { bits_per_letter: Math.round(surprise * 100) / 100 }),
          })),
        }
      },
      show: ({ output, mapping, shifts, likeliest_shift }) => [
        panel.code(output, { title: 'Plaintext' }),
        mappingPanel(mapping),
        panel.table(
          ['Shift', 'Text', 'Bits per letter'],
          shifts.map(({ shift, beginning, bits_per_letter }) => [
            shift === likeliest_shift ? { text: `${shift} likeliest`, tone: 'good', badge: true } : shift,
            mono(beginning),
            bits_per_letter?.toFixed(2) ?? '',
          ]),
          { title: 'All shifts' },
        ),
      ],
      terminal: ({ text }, result) => trCommand(text, result),
      examples: [
        {
          from: 'Suetonius, Divus Iulius 56',
          input: { text: 'Yhql, ylgl, ylfl', cipher_type: 'caesar', shift: 3 },
          result: { output: 'Veni, vidi, vici' },
        },
        {
          from: 'Jane Austen, Pride and Prejudice, the first words',
          title: 'The shift is found without knowing it',
          input: {
            text: 'Pa pz h aybao bupclyzhssf hjruvdslknlk, aoha h zpunsl thu tbza il pu dhua vm h dpml.',
            cipher_type: 'caesar',
            shift: 7,
          },
          result: {
            output: 'It is a truth universally acknowledged, that a single man must be in want of a wife.',
            likeliest_shift: 7,
          },
        },
      ],
    }),
  },
})

const mappingPanel = (mapping: Substitution): Panel =>
  panel.code(`${[...ALPHABET].join(' ')}\n${[...mapping].join(' ')}`, { title: 'Alphabet, and what is written for it' })

const trCommand = (
  text: string,
  { output, mapping }: { output: string; mapping: Substitution },
): Terminal | undefined => translate(text, ALPHABET + ALPHABET.toLowerCase(), mapping + mapping.toLowerCase(), output)
