import { explain, field, mono, panel, sh, tool } from '@assay/kit'
import {
  formatNumeral,
  MAX_BASE,
  MAX_FRACTION_DIGITS,
  MAX_NUMERAL_BITS,
  MIN_BASE,
  maxDigits,
  type Numeral,
  parseNumeral,
  twosComplement,
  wordSizes,
} from '@assay/lib/codec/numeral'

const bases = ['2', '8', '10', '16'] as const
/** A longer number is shown in the base that was asked for alone. */
const MAX_SHOWN_IN_ALL = 2000

const otherBase = (which: string) =>
  field.text(`Other ${which} base`, {
    optional: true,
    maxLength: 4,
    placeholder: '36',
    help: `Any from ${MIN_BASE} to ${MAX_BASE}, in place of the choice.`,
  })

/** The base that was typed, or else the one that was chosen. */
function baseOf(name: string, label: string, typed: string | undefined, chosen: string): number {
  if (typed === undefined) return Number(chosen)
  return explain(name, label, () => {
    const base = Number(typed)
    if (!/^\s*\d+\s*$/.test(typed) || base < MIN_BASE || base > MAX_BASE) {
      throw new RangeError(`expected a whole number from ${MIN_BASE} to ${MAX_BASE}`)
    }
    return base
  })
}

/** What the platform's words of so many bits hold for a whole number. */
function wordsOf({ negative, numerator, denominator }: Numeral): { bits: number; hex: string }[] {
  if (denominator !== 1n || numerator >> 128n) return []
  const value = negative ? -numerator : numerator
  return wordSizes.flatMap(bits => {
    const hex = twosComplement(value, bits)
    return hex === undefined ? [] : [{ bits, hex }]
  })
}

/** Numbers in other bases, exactly and of any size. */
export const numeralConverter = tool({
  id: 'numeral-converter',
  path: 'numeral-converter',
  title: 'Number Base Converter',
  category: 'encoding-and-decoding',
  summary: 'Convert whole numbers and fractions of any size between the bases from 2 to 36, exactly.',
  keywords: ['binary', 'octal', 'decimal', 'hexadecimal', 'radix', 'base 36', 'bigint', "two's complement", 'fraction'],
  specs: ['ECMA-262'],
  runs: 'anywhere',
  fields: {
    input_text: field.text('Number', {
      placeholder: '255, -0xff, 1010.01',
      help: `Up to ${maxDigits(10)} decimal digits, ${MAX_FRACTION_DIGITS} of them after the point.`,
    }),
    from_base: field.choice('From base', bases, { default: '10' }),
    to_base: field.choice('To base', bases, { default: '16' }),
    other_from_base: otherBase('from'),
    other_to_base: otherBase('to'),
    letters: field.choice('Letters', ['lower', 'upper']),
  },
  run({ input_text, from_base, to_base, other_from_base, other_to_base, letters }) {
    const from = baseOf('other_from_base', 'Other from base', other_from_base, from_base)
    const to = baseOf('other_to_base', 'Other to base', other_to_base, to_base)
    const numeral = explain('input_text', 'Number', () => parseNumeral(input_text, from))
    const written = (base: number) => {
      const { text, cut } = formatNumeral(numeral, base)
      return { text: letters === 'upper' ? text.toUpperCase() : text, cut }
    }
    const { text, cut } = written(to)
    const all = input_text.length <= MAX_SHOWN_IN_ALL ? [2, 8, 10, 16, 36] : []
    return {
      output: text,
      from_base: from,
      to_base: to,
      cut,
      bits: (numeral.numerator / numeral.denominator).toString(2).replace(/^0$/, '').length,
      representations: all.map(base => ({ base, ...written(base) })),
      twos_complement: wordsOf(numeral),
    }
  },
  show: ({ output, to_base, cut, bits, representations, twos_complement }) => [
    panel.code(output, { title: `Base ${to_base}` }),
    ...(cut ? [panel.note('warn', `The fraction goes on; it was cut off after ${MAX_FRACTION_DIGITS} digits.`)] : []),
    ...(/[()]/.test(output) ? [panel.note('info', 'The digits in parentheses repeat without end.')] : []),
    panel.facts([['Bits of the whole part', bits]]),
    ...(representations.length
      ? [
          panel.table(
            ['Base', 'Number'],
            representations.map(({ base, text, cut }) => [
              base,
              mono(text.length > 200 ? `${text.slice(0, 200)}…` : cut ? `${text}…` : text),
            ]),
            { title: 'In other bases' },
          ),
        ]
      : []),
    ...(twos_complement.length
      ? [
          panel.table(
            ['Bits', "Two's complement"],
            twos_complement.map(({ bits, hex }) => [bits, mono(`0x${hex}`)]),
            { title: 'As a word of memory' },
          ),
        ]
      : []),
  ],
  terminal({ input_text, letters }, { output, from_base, to_base }) {
    const format = { 2: 'b', 8: 'o', 10: 'd', 16: letters === 'upper' ? 'X' : 'x' }[to_base]
    // Python reads decimal numbers of at most 4300 digits.
    if (!format || !/^-?[0-9A-Za-z]{1,1000}$/.test(input_text) || /^-?0[box]/i.test(input_text)) return undefined
    return {
      command: sh`python3 -c ${'import sys; print(format(int(sys.argv[1], int(sys.argv[2])), sys.argv[3]))'} ${input_text} ${from_base} ${format}`,
      prints: output,
    }
  },
  cost: ({ input_text }) => ({
    milliseconds: 5 + Math.min(input_text.length, MAX_NUMERAL_BITS) / 400,
    megabytes: 10 + input_text.length / 50_000,
  }),
  examples: [
    {
      from: 'int() and format() of Python',
      input: { input_text: '255' },
      result: { output: 'ff' },
    },
    {
      from: 'CyberChef, FromBase.mjs',
      title: 'A fraction',
      input: { input_text: '10.1', from_base: '2', to_base: '10' },
      result: { output: '2.5' },
    },
    {
      from: 'fractions of Python: 1/10 is 0.0(0011) in base 2',
      title: 'A fraction that never ends in base 2',
      input: { input_text: '0.1', to_base: '2' },
      result: { output: '0.0(0011)' },
    },
    {
      from: 'int() of Python',
      title: 'Any base up to 36',
      input: { input_text: 'zz', other_from_base: '36', to_base: '10' },
      result: { output: '1295' },
    },
    {
      from: 'int.to_bytes of Python',
      title: "A negative number and its two's complement",
      input: { input_text: '-2' },
      result: {
        output: '-2',
        twos_complement: [
          { bits: 8, hex: 'fe' },
          { bits: 16, hex: 'fffe' },
          { bits: 32, hex: 'fffffffe' },
          { bits: 64, hex: 'fffffffffffffffe' },
          { bits: 128, hex: 'fffffffffffffffffffffffffffffffe' },
        ],
      },
    },
  ],
})
