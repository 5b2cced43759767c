import { explain, field, mono, type Panel, Problem, panel, raw, sh, type Terminal, tool } from '@assay/kit'
import { fromHex, toUtf8 } from '@assay/lib/bytes'
import {
  type BitwiseOperation,
  bitwiseOperations,
  joinWords,
  keyedOperations,
  movingOperations,
  type NumeralFormat,
  numeralFormats,
  operate,
  readOperand,
  signedWord,
  toWords,
  type Words,
  widened,
  widthOf,
  wordDigits,
} from '@assay/lib/codec/bitwise'
import { count, outputPanel } from './output.ts'

const widths = ['8', '16', '32', '64', 'any'] as const
const MAX_AMOUNT = 4096
/** A decimal number of five thousand digits, the longest that is read, has as many. */
const MAX_DECIMAL_BITS = 16_640
/** Results that are longer are shown in the format of the input only. */
const SHOWN_FACT = 2000
/** Words whose bits are drawn, and the most bits of each. */
const [SHOWN_WORDS, SHOWN_BITS] = [16, 256]

interface Question {
  input_text: string
  key: string | undefined
  operation: BitwiseOperation
  amount: number
  input_format: NumeralFormat
  width: (typeof widths)[number]
}

interface Bits {
  binary: string
  hex: string
}

interface BitwiseResult {
  /** The result in the format of the input; text that is no UTF-8 in hexadecimal. */
  output: string
  output_format: NumeralFormat
  operation: BitwiseOperation
  width: number
  words: number
  hex: string
  binary: string
  /** Left out where a word is too long for it to say anything. */
  decimal?: string
  signed?: string
  /** The first words, bit by bit. */
  table: { input: Bits; key?: Bits; result: Bits }[]
}

/** Bitwise operations on numbers, bytes and texts. */
export const bitwise = tool({
  id: 'bitwise',
  path: 'bitwise',
  title: 'Bitwise Operations Calculator',
  category: 'cipher-tools-and-simulators',
  summary: 'AND, OR, XOR, NOT, shifts and rotations of numbers, bytes and texts, in words of any width.',
  keywords: [
    'xor',
    'and',
    'or',
    'not',
    'nand',
    'nor',
    'shift',
    'rotate',
    'mask',
    'binary calculator',
    "two's complement",
  ],
  specs: [],
  runs: 'anywhere',
  fields: {
    input_text: field.text('Input', { placeholder: 'f0f0' }),
    key: field.text('Key', {
      optional: true,
      placeholder: '0ff0',
      help: 'The other operand, in the same format.',
      dependsOn: { field: 'operation', values: keyedOperations },
    }),
    operation: field.choice('Operation', bitwiseOperations, { default: 'XOR' }),
    amount: field.number('Places', {
      min: 0,
      max: MAX_AMOUNT,
      default: 1,
      dependsOn: { field: 'operation', values: movingOperations },
    }),
    input_format: field.choice('Format', numeralFormats, { default: 'Hex' }),
    width: field.choice('Width of a word', widths, {
      default: 'any',
      help: 'In bits. Longer input is a row of words, and the key is repeated along it. Any: one word, as wide as it is written.',
    }),
  },

  run(question): BitwiseResult {
    const { input, key, result } = calculate(question)
    const { words, width } = result
    const write = (base: 2 | 16) => words.map(word => wordDigits(word, width, base)).join(' ')
    const decimals = width <= MAX_DECIMAL_BITS && {
      decimal: words.join(' '),
      signed: words.map(word => signedWord(word, width)).join(' '),
    }
    const digits = { hex: write(16), binary: write(2), ...decimals }
    return {
      ...outputOf(question, digits, width),
      operation: question.operation,
      width,
      words: words.length,
      ...digits,
      table: width <= SHOWN_BITS ? bitTable(input, key, result) : [],
    }
  },

  show({ output, output_format, operation, width, words, hex, decimal, signed, table }): Panel[] {
    const isLong = output.length > SHOWN_FACT
    return [
      outputPanel(output, `Result in ${output_format}`),
      panel.facts([
        ...(isLong ? [] : [['Hexadecimal', mono(hex)] as const]),
        ...(isLong || decimal === undefined ? [] : [['Decimal', mono(decimal)] as const]),
        ...(isLong || signed === undefined || signed === decimal
          ? []
          : [["In two's complement", mono(signed)] as const]),
        ['Words', `${count(words)} of ${width} bit${width === 1 ? '' : 's'}`],
      ]),
      ...(table.length > 0 ? [bitsPanel(table, operation, words)] : []),
    ]
  },

  terminal: question => shellArithmetic(question),

  cost: ({ input_text, key = '' }) => ({
    milliseconds: 1 + (input_text.length + key.length) * 0.001,
    megabytes: 32,
  }),

  examples: [
    {
      from: "python3 -c 'print(hex(0xf0f0 ^ 0x0ff0))'",
      input: { input_text: 'f0f0', key: '0ff0' },
      result: { output: 'ff00', decimal: '65280', signed: '-256' },
    },
    {
      from: 'CyberChef, BitwiseOp.mjs',
      title: 'Eight bytes, each shifted by itself',
      input: {
        input_text: '01010101 10101010 11111111 00000000 11110000 00001111 00110011 11001100',
        operation: 'SHL',
        input_format: 'Binary',
        width: '8',
      },
      result: { output: '10101010 01010100 11111110 00000000 11100000 00011110 01100110 10011000' },
    },
    {
      from: 'CyberChef, Rotate.mjs',
      title: 'Six bytes, rotated as one word',
      input: { input_text: '61 62 63 31 32 33', operation: 'ROL', amount: 2 },
      result: { output: '85898cc4c8cd', width: 48 },
    },
    {
      from: "python3 -c 'print(-42 & 0xff)'",
      title: 'A negative number',
      input: { input_text: '-42', key: '255', operation: 'AND', input_format: 'Decimal', width: '8' },
      result: { output: '214', signed: '-42', binary: '11010110' },
    },
  ],
})

const isKeyed = (operation: BitwiseOperation) => keyedOperations.some(keyed => keyed === operation)

function calculate({ input_text, key, operation, amount, input_format: format, width }: Question) {
  const input = explain('input_text', 'Input', () => readOperand(input_text, format))
  const other = explain('key', 'Key', () => readOperand(key ?? '', format))
  const refuse = (name: string, message: string) => new Problem('invalid-input', message, { field: name })
  if (isKeyed(operation) && other.numbers.length === 0) {
    throw refuse('key', `Key: expected the other operand of ${operation}.`)
  }
  // A text under a key is a row of bytes in every other tool, whatever its length.
  const isText = width === 'any' && format === 'UTF-8'
  if (width === 'any' && !isText && (input.numbers.length > 1 || other.numbers.length > 1)) {
    throw refuse(
      input.numbers.length > 1 ? 'input_text' : 'key',
      `${input.numbers.length > 1 ? 'Input' : 'Key'}: expected one number; a row of numbers needs a width of its words.`,
    )
  }
  const bits = width === 'any' ? widthOf(isKeyed(operation) ? [input, other] : [input], format) : Number(width)
  const asWords = (name: string, label: string, operand: typeof input) =>
    explain(name, label, () => toWords(operand, isText && isKeyed(operation) ? 8 : bits))
  const words = asWords('input_text', 'Input', input)
  const keyWords = asWords('key', 'Key', other)
  const room = width === 'any' && operation === 'SHL' ? widened(words, amount, format) : words
  const result = operate(operation, room, keyWords, amount)
  const join = (row: Words) => (isText ? joinWords(row) : row)
  return { input: join(words), key: isKeyed(operation) ? keyWords : undefined, result: join(result) }
}

/** The result as the input was written; text where the bytes are one. */
function outputOf(
  { input_format }: Question,
  { hex, binary, decimal }: { hex: string; binary: string; decimal?: string },
  width: number,
): Pick<BitwiseResult, 'output' | 'output_format'> {
  switch (input_format) {
    case 'Binary':
      return { output: binary, output_format: 'Binary' }
    case 'Decimal':
      return decimal === undefined
        ? { output: hex, output_format: 'Hex' }
        : { output: decimal, output_format: 'Decimal' }
    case 'UTF-8': {
      const text = width % 8 === 0 ? textOf(hex) : undefined
      return text === undefined ? { output: hex, output_format: 'Hex' } : { output: text, output_format: 'UTF-8' }
    }
    case 'Hex':
      return { output: hex, output_format: 'Hex' }
  }
}

function textOf(hex: string): string | undefined {
  try {
    return toUtf8(fromHex(hex))
  } catch {
    return undefined
  }
}

function bitTable(input: Words, key: Words | undefined, result: Words): BitwiseResult['table'] {
  const bits = (word: bigint, width: number): Bits => ({
    binary: wordDigits(word, width, 2),
    hex: wordDigits(word, width, 16),
  })
  // A text under a key is one word here while its key is a row of bytes, so the key has no line of its own there.
  const other = key && key.width === input.width ? key : undefined
  return result.words.slice(0, SHOWN_WORDS).map((word, i) => ({
    input: bits(input.words[i] ?? 0n, input.width),
    ...(other && { key: bits(other.words[i % other.words.length] ?? 0n, other.width) }),
    result: bits(word, result.width),
  }))
}

/** The bits of one word under those of the other; of many words one in each line. */
function bitsPanel(table: BitwiseResult['table'], operation: BitwiseOperation, words: number): Panel {
  const [only] = table
  if (words === 1 && only) {
    const line = (name: string, { binary, hex }: Bits) => [name, mono(grouped(binary)), mono(hex)]
    return panel.table(
      ['', 'Bits', 'Hexadecimal'],
      [line('Input', only.input), ...(only.key ? [line('Key', only.key)] : []), line(operation, only.result)],
      { title: 'Bit by bit' },
    )
  }
  const hasKey = only?.key !== undefined
  return panel.table(
    ['Word', 'Input', ...(hasKey ? ['Key'] : []), operation],
    table.map(({ input, key, result }, i) => [
      i + 1,
      mono(grouped(input.binary)),
      ...(key ? [mono(grouped(key.binary))] : []),
      mono(grouped(result.binary)),
    ]),
    { title: words > table.length ? `Bit by bit, the first ${table.length} words` : 'Bit by bit', cards: true },
  )
}

/** Four and four, counted from the right. */
const grouped = (binary: string) => binary.replace(/\B(?=(?:\d{4})+$)/g, ' ')

/** What the arithmetic of a shell, which has 64 bits and a sign, can hold without loss. */
const SHELL_BITS = 32

function shellArithmetic(question: Question): Terminal | undefined {
  const { input, key, result } = calculate(question)
  const [[a, ...more], [b = 0n] = [], [out]] = [input.words, key?.words, result.words]
  const { operation, amount } = question
  if (a === undefined || out === undefined || more.length > 0 || result.width > SHELL_BITS) return undefined
  if (amount >= result.width || (key && key.width !== input.width)) return undefined
  const hex = (number: bigint) => `0x${number.toString(16)}`
  const mask = hex((1n << BigInt(result.width)) - 1n)
  const rotate = (left: number) => `(${hex(a)} << ${left} | ${hex(a)} >> ${result.width - left}) & ${mask}`
  const expression = {
    AND: `${hex(a)} & ${hex(b)}`,
    OR: `${hex(a)} | ${hex(b)}`,
    XOR: `${hex(a)} ^ ${hex(b)}`,
    NOT: `~${hex(a)} & ${mask}`,
    NAND: `~(${hex(a)} & ${hex(b)}) & ${mask}`,
    NOR: `~(${hex(a)} | ${hex(b)}) & ${mask}`,
    SHL: `${hex(a)} << ${amount} & ${mask}`,
    SHR: `${hex(a)} >> ${amount}`,
    ROL: rotate(amount),
    ROR: rotate(result.width - amount),
  }[operation]
  return { command: sh`printf ${'%x'} $((${raw(expression)}))`, prints: out.toString(16) }
}
