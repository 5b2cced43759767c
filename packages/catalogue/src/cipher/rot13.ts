import { field, panel, tool } from '@assay/kit'
import { rotate, rotVariants, turned, turnsOf } from '@assay/lib/classical/rotation'
import { count, outputPanel } from './output.ts'
import { translate } from './translate.ts'

/** Every variant turns by a number of its own when the amount is left at this. */
const USUAL_AMOUNT = 13
const MAX_AMOUNT = 100_000

const amountOf = (amount: number) => (amount === USUAL_AMOUNT ? undefined : amount)

/** ROT13 and its relatives. */
export const rot13 = tool({
  id: 'rot13',
  path: 'rot13',
  title: 'ROT13, ROT5, ROT18, ROT47 and ROT8000',
  category: 'cipher-tools-and-simulators',
  summary: 'Turn letters, digits, printable characters or most of Unicode by half of their alphabet, and back again.',
  keywords: ['rot5', 'rot18', 'rot47', 'rot8000', 'rotate', 'spoiler', 'caesar', 'shift cipher', 'usenet'],
  specs: ['The Jargon File, rot13', 'ROT8000'],
  runs: 'anywhere',
  caution: 'It has no key and hides nothing from anyone who looks twice.',
  fields: {
    text: field.area('Text', { placeholder: 'Hello, World!' }),
    variant: field.choice('Variant', rotVariants),
    amount: field.number('Places', {
      min: -MAX_AMOUNT,
      max: MAX_AMOUNT,
      default: USUAL_AMOUNT,
      help: 'At 13 each variant turns by its own number: 13 letters, 5 digits, 47 of ASCII, 31,702 of Unicode.',
    }),
  },

  run({ text, variant, amount }) {
    const turns = turnsOf(variant, amountOf(amount))
    return {
      output: rotate(text, turns),
      variant,
      turns: turns.map(({ name, alphabets: [alphabet = ''], places }) => ({ name, size: alphabet.length, places })),
    }
  },

  show: ({ output, variant, turns }) => [
    outputPanel(output),
    panel.facts([
      ['Variant', variant],
      ...turns.map(
        ({ name, size, places }) =>
          [
            `The ${count(size)} ${name}`,
            places * 2 === size
              ? `turned by ${count(places)}, and as far again undoes it`
              : `turned by ${count(places)}; ${count(size - places)} more undo it`,
          ] as const,
      ),
    ]),
  ],

  terminal({ text, variant, amount }, { output }) {
    if (variant === 'ROT8000') return undefined
    const turns = turnsOf(variant, amountOf(amount))
    const from = turns.flatMap(({ alphabets }) => alphabets).join('')
    const to = turns.flatMap(({ alphabets, places }) => alphabets.map(alphabet => turned(alphabet, places))).join('')
    return translate(text, from, to, output)
  },

  examples: [
    {
      from: 'The rot_13 codec of Python',
      input: { text: 'Hello, World!' },
      result: { output: 'Uryyb, Jbeyq!' },
    },
    {
      from: 'CyberChef, Rotate.mjs',
      title: 'ROT47, all that ASCII prints',
      input: { text: 'The Quick Brown Fox Jumped Over The Lazy Dog.', variant: 'ROT47' },
      result: { output: '%96 "F:4< qC@H? u@I yF>A65 ~G6C %96 {2KJ s@8]' },
    },
    {
      from: 'CyberChef, Rotate.mjs',
      title: 'ROT8000, nearly all of Unicode',
      input: { text: 'The Quick Brown Fox Jumped Over The Lazy Dog.', variant: 'ROT8000' },
      result: { output: '籝籱籮 籚籾籲籬籴 籋类籸粀籷 籏籸粁 籓籾籶籹籮籭 籘籿籮类 籝籱籮 籕籪粃粂 籍籸籰簷' },
    },
  ],
})
