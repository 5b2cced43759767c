import {
  type Context,
  explain,
  field,
  type InputOf,
  mono,
  type Panel,
  Problem,
  panel,
  type Terminal,
  tool,
} from '@assay/kit'
import { fromUtf8, outputFormats, toBase64, writeBytes } from '@assay/lib/bytes'
import { parseDice, rangeOfDice, type Throw, throwDice } from '@assay/lib/generate/dice'
import {
  drawDistinct,
  drawFloat,
  drawGaussian,
  drawInteger,
  drawString,
  drawWith,
  drawWithout,
  parseAlphabet,
  parseEntries,
  parseInteger,
  parseNumber,
} from '@assay/lib/generate/random-values'
import { createPicker } from '@assay/lib/generate/uniform'

const types = ['integer', 'float', 'bytes', 'string', 'dice', 'coin', 'shuffle', 'pick', 'Gaussian'] as const
type Type = (typeof types)[number]
const of = (...values: Type[]) => ({ dependsOn: { field: 'type', values } })

const MAX_COUNT = 10_000
const MAX_LENGTH = 1024
/** Digits, characters or bytes of all values together. */
const MAX_CHARACTERS = 1_000_000
/** Dice in all throws together. */
const MAX_ROLLS = 100_000
const MAX_ENTRIES = 10_000
const MAX_TEXT_CHARACTERS = 1_000_000
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Characters drawn, or twentieths of a value, on one core of 2.5 GHz with room for repetitions that are drawn again. */
const STEPS_PER_MILLISECOND = 1000
/** Values that a page shows without a scroll bar of their own, and without a file to save. */
const SHOWN_WHOLE = 20

const fields = {
  type: field.choice('Kind', types),
  min: field.text('Smallest', { default: '1', ...of('integer', 'float', 'dice') }),
  max: field.text('Largest', {
    default: '100',
    ...of('integer', 'float', 'dice'),
    help: 'Whole numbers reach it, fractions stay below it.',
  }),
  mean: field.text('Mean', { default: '0', ...of('Gaussian') }),
  deviation: field.text('Standard deviation', { default: '1', ...of('Gaussian') }),
  length: field.number('Length', {
    min: 1,
    max: MAX_LENGTH,
    default: 16,
    help: 'Bytes or characters of each value.',
    ...of('bytes', 'string'),
  }),
  count: field.number('How many', {
    min: 1,
    max: MAX_COUNT,
    default: 1,
    ...of('integer', 'float', 'bytes', 'string', 'dice', 'coin', 'pick', 'Gaussian'),
  }),
  unique: field.flag('No repetitions', of('integer', 'float', 'bytes', 'string', 'pick')),
  output_format: field.choice('Output format', outputFormats, of('bytes')),
  input_text: field.area('Text', {
    optional: true,
    maxLength: MAX_TEXT_CHARACTERS,
    placeholder: '3d6+2',
    help: 'Dice: 3d6, d20, 4d6kh3. String: the characters to choose from. Shuffle and pick: one entry a line, or commas.',
    ...of('string', 'dice', 'shuffle', 'pick'),
  }),
}
type Settings = InputOf<typeof fields>

interface Drawn {
  values: string[]
  /** What was drawn from, in words. */
  from: string
  throws?: Throw[]
}

/** Random values of nine kinds. */
export const randomGenerator = tool({
  id: 'random-generator',
  path: 'random-generator',
  title: 'Random Number, String, Dice and Shuffle Generator',
  category: 'generators-and-randomness',
  summary: 'Numbers, bytes, strings, dice, coins, shuffled lists and picks, drawn without bias.',
  keywords: ['random number', 'rng', 'dice roller', 'd20', 'coin flip', 'shuffle list', 'lottery', 'normal', 'raffle'],
  specs: [],
  runs: 'anywhere',
  fields,
  run(input, { random }) {
    const { values, from, throws } = draw(input, random)
    return { type: input.type, values, from, ...(throws && { throws }) }
  },
  show: ({ type, values, from, throws }) => [
    valuesPanel(values, throws),
    ...summaryOf(type, values),
    panel.facts([['Drawn from', from]]),
    ...(values.length > SHOWN_WHOLE
      ? [
          panel.file({
            name: 'random.txt',
            mediaType: 'text/plain',
            base64: toBase64(fromUtf8(`${values.join('\n')}\n`)),
          }),
        ]
      : []),
  ],
  terminal({ type, min, max, count, unique, length }): Terminal | undefined {
    if (type === 'integer' && [min, max].every(text => /^\d{1,18}$/.test(text))) {
      return { command: `shuf${unique ? '' : ' -r'} -n ${count} -i ${min}-${max}` }
    }
    if (type === 'bytes' && count === 1) return { command: `openssl rand -hex ${length}` }
    if (type === 'shuffle') return { command: 'shuf list.txt' }
    if (type === 'pick') return { command: `shuf${unique ? '' : ' -r'} -n ${count} list.txt` }
    return undefined
  },
  cost({ count, length, input_text }) {
    const characters = input_text?.length ?? 0
    return { milliseconds: 1 + (count * (20 + length) + characters) / STEPS_PER_MILLISECOND, megabytes: 64 }
  },
  examples: [
    {
      from: 'only one number lies between 7 and 7',
      title: 'A number of any size',
      input: { min: '340282366920938463463374607431768211456', max: '340282366920938463463374607431768211456' },
      result: { values: ['340282366920938463463374607431768211456'] },
    },
    {
      from: 'the dice of a hero: four dice, of which the highest three count',
      title: 'Six throws of 4d6, the lowest left out',
      input: { type: 'dice', input_text: '4d6kh3', count: 6 },
      result: { type: 'dice', from: '4d6kh3: from 3 to 18' },
    },
    {
      from: '6! = 720',
      title: 'Names in random order',
      input: { type: 'shuffle', input_text: 'Ada, Barbara, Claude, Donald, Edsger, Grace' },
      result: { type: 'shuffle', from: '6 entries, every order as likely' },
    },
  ],
})

function draw(input: Settings, random: Context['random']): Drawn {
  switch (input.type) {
    case 'integer':
      return integers(input, random)
    case 'float':
      return floats(input, random)
    case 'bytes':
      return byteStrings(input, random)
    case 'string':
      return strings(input, random)
    case 'dice':
      return input.input_text?.trim() ? throws(input, random) : integers(input, random)
    case 'coin':
      return { values: drawWith(['heads', 'tails'], input.count, random), from: 'heads and tails' }
    case 'shuffle': {
      const entries = entriesOf(input)
      const values = drawWithout(entries, entries.length, random)
      return { values, from: `${entries.length} entries, every order as likely` }
    }
    case 'pick':
      return picks(input, random)
    case 'Gaussian':
      return gaussian(input, random)
  }
}

const refuse = (field: string, message: string) => new Problem('invalid-input', message, { field })

/** How many are drawn, once it is plain that they fit and, where none may repeat, that there are so many. */
function checkCount({ count, unique }: Settings, charactersEach: number, kinds?: bigint): void {
  if (count * charactersEach > MAX_CHARACTERS) {
    throw refuse('count', `How many: expected at most ${MAX_CHARACTERS} characters in all values together.`)
  }
  if (unique && kinds !== undefined && kinds < BigInt(count)) {
    throw refuse('count', `How many: expected at most ${kinds} without repetitions, got ${count}.`)
  }
}

const several = <T>({ count, unique }: Settings, one: () => T): T[] =>
  unique ? explain('count', 'How many', () => drawDistinct(count, one)) : Array.from({ length: count }, one)

function integers(input: Settings, random: Context['random']): Drawn {
  const min = explain('min', 'Smallest', () => parseInteger(input.min))
  const max = explain('max', 'Largest', () => parseInteger(input.max))
  if (min > max) throw refuse('max', 'Largest: expected a number that is not below the smallest.')
  checkCount(input, Math.max(String(min).length, String(max).length), max - min + 1n)
  const values = several(input, () => drawInteger(min, max, random))
  return { values: values.map(String), from: `whole numbers from ${min} to ${max}` }
}

function floats(input: Settings, random: Context['random']): Drawn {
  const min = explain('min', 'Smallest', () => parseNumber(input.min))
  const max = explain('max', 'Largest', () => parseNumber(input.max))
  if (min > max) throw refuse('max', 'Largest: expected a number that is not below the smallest.')
  const values = several(input, () => drawFloat(min, max, random))
  return { values: values.map(String), from: `numbers from ${min} up to ${max}, in steps as fine as 53 bits allow` }
}

function byteStrings(input: Settings, random: Context['random']): Drawn {
  const { length, output_format } = input
  checkCount(input, length, 256n ** BigInt(length))
  const values = several(input, () => writeBytes(random(length), output_format))
  return { values, from: `${length} bytes of 256 values each` }
}

function strings(input: Settings, random: Context['random']): Drawn {
  const alphabet = explain('input_text', 'Text', () => parseAlphabet(input.input_text ?? LETTERS_AND_DIGITS))
  checkCount(input, input.length, BigInt(alphabet.length) ** BigInt(input.length))
  const values = several(input, () => drawString(alphabet, input.length, random))
  return { values, from: `${input.length} of ${alphabet.length} characters` }
}

function throws(input: Settings, random: Context['random']): Drawn {
  const notation = (input.input_text ?? '').trim()
  const dice = explain('input_text', 'Dice', () => parseDice(notation))
  const each = dice.reduce((sum, term) => sum + term.dice, 0)
  if (each * input.count > MAX_ROLLS) {
    throw refuse('count', `How many: expected at most ${MAX_ROLLS} dice in all throws together.`)
  }
  const pick = createPicker(random)
  const thrown = Array.from({ length: input.count }, () => throwDice(dice, pick))
  const [least, most] = rangeOfDice(dice)
  const from = `${notation.length > 40 ? 'these dice' : notation}: from ${least} to ${most}`
  return { values: thrown.map(({ total }) => String(total)), from, throws: thrown }
}

function picks(input: Settings, random: Context['random']): Drawn {
  const entries = entriesOf(input)
  checkCount(input, 1, BigInt(entries.length))
  const values = (input.unique ? drawWithout : drawWith)(entries, input.count, random)
  return { values, from: `${entries.length} entries` }
}

function entriesOf({ input_text }: Settings): string[] {
  const entries = parseEntries(input_text ?? '')
  if (entries.length === 0) throw refuse('input_text', 'Text: expected a list, one entry a line or divided by commas.')
  if (entries.length > MAX_ENTRIES) {
    throw refuse('input_text', `Text: expected at most ${MAX_ENTRIES} entries, got ${entries.length}.`)
  }
  return entries
}

function gaussian(input: Settings, random: Context['random']): Drawn {
  const mean = explain('mean', 'Mean', () => parseNumber(input.mean))
  const deviation = explain('deviation', 'Standard deviation', () => parseNumber(input.deviation))
  if (deviation < 0) throw refuse('deviation', 'Standard deviation: expected a number that is not below zero.')
  const values = drawGaussian(input.count, mean, deviation, random).map(value =>
    Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE,
  )
  return { values: values.map(String), from: `the normal distribution, mean ${mean}, standard deviation ${deviation}` }
}

/** A few values one by one, many as a text. */
function valuesPanel(values: readonly string[], throws: readonly Throw[] | undefined): Panel {
  if (values.length > SHOWN_WHOLE) {
    return panel.code((throws?.map(({ total, rolls }) => `${total}: ${rolls}`) ?? values).join('\n'))
  }
  return throws
    ? panel.table(
        ['Total', 'Dice'],
        throws.map(({ total, rolls }) => [mono(total), mono(rolls)]),
      )
    : panel.list(values.map(text => ({ text: mono(text) })))
}

/** What many values come to. */
function summaryOf(type: Type, values: readonly string[]): Panel[] {
  if (values.length < 2) return []
  if (type === 'coin') {
    const heads = values.filter(value => value === 'heads').length
    return [panel.tiles({ label: 'Heads', value: heads }, { label: 'Tails', value: values.length - heads })]
  }
  const numbers = values.map(Number)
  if (!['integer', 'float', 'dice', 'Gaussian'].includes(type) || !numbers.every(isExact)) return []
  const sum = numbers.reduce((a, b) => a + b, 0)
  return [
    panel.tiles(
      { label: 'Smallest', value: rounded(numbers.reduce((a, b) => Math.min(a, b))) },
      { label: 'Largest', value: rounded(numbers.reduce((a, b) => Math.max(a, b))) },
      { label: 'Sum', value: rounded(sum) },
      { label: 'Mean', value: rounded(sum / numbers.length) },
    ),
  ]
}

/** Small enough for sums to be told as numbers. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER / MAX_COUNT
const rounded = (value: number) => Math.round(value * 1000) / 1000
