import { field, panel, tool } from '@assay/kit'
import { finalForms, hebrewAlphabets, hebrewAtbash } from '@assay/lib/classical/hebrew-atbash'
import { atbash as backwards, caesar, substitute } from '@assay/lib/classical/shift'
import { outputPanel } from './output.ts'
import { translate } from './translate.ts'

/** A fat book has a million characters; more than this many is no longer done in an instant. */
const MAX_LENGTH = 2_000_000

const latin = { plain: caesar(0), written: backwards() }

/** The alphabet backwards, in the two scripts it is used with. */
export const atbash = tool({
  id: 'atbash',
  path: 'atbash',
  title: 'Atbash Cipher',
  category: 'cipher-tools-and-simulators',
  summary: 'Write a text with the alphabet backwards, in Latin letters or in Hebrew ones.',
  keywords: ['reverse alphabet', 'mirror cipher', 'hebrew', 'sheshach', 'monoalphabetic', 'substitution', 'caesar'],
  specs: ['Jeremiah 25:26'],
  runs: 'anywhere',
  caution: 'It has no key: whoever knows its name can read it.',
  fields: {
    text: field.area('Text', { placeholder: 'Hello, World!', maxLength: MAX_LENGTH }),
    alphabet: field.choice('Alphabet', ['Latin', 'Hebrew']),
    final_letters: field.choice('Final forms', finalForms, {
      help: 'Where kaf, mem, nun, pe and tsadi are written in their final forms.',
      dependsOn: { field: 'alphabet', values: ['Hebrew'] },
    }),
  },

  run: ({ text, alphabet, final_letters }) => ({
    output: alphabet === 'Latin' ? substitute(text, backwards()) : hebrewAtbash(text, final_letters),
    alphabet,
  }),

  show({ output, alphabet }) {
    const { plain, written } = alphabet === 'Latin' ? latin : hebrewAlphabets
    return [
      outputPanel(output),
      panel.code(`${[...plain].join(' ')}\n${[...written].join(' ')}`, {
        title: 'Alphabet, and what is written for it',
      }),
    ]
  },

  terminal: ({ text, alphabet }, { output }) =>
    alphabet === 'Latin'
      ? translate(text, latin.plain + latin.plain.toLowerCase(), latin.written + latin.written.toLowerCase(), output)
      : undefined,

  examples: [
    {
      from: 'CyberChef, Ciphers.mjs',
      title: 'Words that stay words',
      input: { text: 'old slow slim horn' },
      result: { output: 'low hold horn slim' },
    },
    {
      from: 'Jeremiah 25:26',
      title: 'Babel, written Sheshach',
      input: { text: 'בבל', alphabet: 'Hebrew' },
      result: { output: 'ששך' },
    },
    {
      from: 'Jeremiah 51:1',
      title: 'The Chaldeans, written Lev Kamai',
      input: { text: 'כשדים', alphabet: 'Hebrew' },
      result: { output: 'לבקמי' },
    },
  ],
})
