import { type Cell, explain, field, mono, Problem, panel, type Terminal, tool } from '@assay/kit'
import { type Bytes, outputFormats, toHex, toUtf8, writeBytes } from '@assay/lib/bytes'
import { checkWholeBlocks } from '@assay/lib/cipher/block-mode'
import { type Padding, type PaddingFault, pad, paddings, readPadding } from '@assay/lib/cipher/block-padding'
import { pipeline } from './command.ts'

const schemes = paddings.filter(name => name !== 'None')
type Scheme = (typeof schemes)[number]
/** A count of padding bytes is one byte. */
const MAX_BLOCK_BYTES = 255
/** Bytes of a block that are shown one by one. */
const SHOWN_BYTES = 32
/** Positions of wrong bytes that a message lists. */
const LISTED_POSITIONS = 3

const remarks: Record<Scheme, string> = {
  PKCS7: 'Every byte of the padding says how many there are.',
  X923: 'The padding is zeros, and its last byte says how many bytes there are.',
  ISO10126: 'The padding is random, and its last byte says how many bytes there are; only that one can be checked.',
  'ISO7816-4': 'The padding is a byte 80 and zeros.',
  Zero: 'Zeros that belong to the text cannot be told from the padding, so they go with it.',
}

/** Padding for block ciphers. RFC 5652 §6.3, ANSI X9.23, ISO 10126-2, ISO/IEC 7816-4. */
export const paddingScheme = tool({
  id: 'padding-scheme',
  path: 'padding-scheme',
  title: 'Block Padding Tool (PKCS7, X923, ISO10126)',
  category: 'encryption-and-decryption',
  summary: 'Fill a text up to whole blocks or take the filling off, and see which byte of a broken padding is wrong.',
  keywords: ['pkcs7', 'pkcs5', 'ansi x9.23', 'iso 10126', 'iso 7816-4', 'zero padding', 'unpad', 'padding oracle'],
  specs: ['RFC 5652', 'ANSI X9.23', 'ISO 10126-2', 'ISO/IEC 7816-4'],
  runs: 'anywhere',
  fields: {
    operation: field.choice('What to do', ['pad', 'unpad']),
    input_text: field.bytes('Text', { placeholder: 'Text to pad, or padded bytes' }),
    scheme: field.choice('Scheme', schemes),
    block_size: field.number('Block size', {
      min: 1,
      max: MAX_BLOCK_BYTES,
      default: 16,
      unit: 'bytes',
      help: '16 for AES, 8 for DES, Blowfish and CAST5.',
    }),
    output_format: field.choice('Output format', outputFormats),
  },

  run({ operation, input_text, scheme, block_size, output_format }, { random }) {
    const padded = operation === 'pad' ? pad(scheme, input_text, block_size, random) : input_text
    const length = operation === 'pad' ? padded.length - input_text.length : measure(scheme, padded, block_size)
    const text = padded.slice(0, padded.length - length)
    const output = operation === 'pad' ? padded : text
    return {
      output: writeBytes(output, output_format),
      ...(operation === 'unpad' && textOf(text)),
      operation,
      scheme,
      block_size,
      padding: toHex(padded.subarray(padded.length - length)),
      padding_bytes: length,
      input_bytes: input_text.length,
      output_bytes: output.length,
      padded_blocks: Math.ceil(padded.length / block_size),
      last_block: toHex(padded.subarray(Math.max(0, padded.length - block_size))),
    }
  },

  show: ({
    output,
    text,
    operation,
    scheme,
    block_size,
    padding,
    padding_bytes,
    output_bytes,
    padded_blocks,
    last_block,
  }) => [
    panel.facts([
      [operation === 'pad' ? 'Padded' : 'Without padding', mono(output)],
      ...(text === undefined ? [] : [['As text', text] as const]),
      [operation === 'pad' ? 'Added' : 'Taken off', padding_bytes ? mono(padding) : 'Nothing'],
      [
        'Length',
        `${output_bytes} bytes${operation === 'pad' ? ` with ${padding_bytes}` : `, without ${padding_bytes}`} of padding`,
      ],
      ['Blocks', `${padded_blocks} of ${block_size} bytes`],
    ]),
    panel.table(['Byte', 'Value', 'Part'], rowsOf(last_block, padding_bytes), {
      title: block_size > SHOWN_BYTES ? `The last ${SHOWN_BYTES} bytes of the last block` : 'The last block',
      empty: 'There is none.',
    }),
    panel.note(scheme === 'Zero' ? 'warn' : 'info', remarks[scheme]),
  ],

  terminal: ({ operation, input_text, scheme, block_size, output_format }, { output }): Terminal | undefined =>
    scheme === 'PKCS7' && block_size === 16
      ? pipeline(input_text, opensslOf(operation), output_format, output)
      : undefined,

  examples: [
    {
      from: 'RFC 5652 §6.3',
      title: 'Three bytes are missing',
      input: { input_text: 'thirteen long', scheme: 'PKCS7', block_size: 16 },
      result: { output: '746869727465656e206c6f6e67030303', padding: '030303', padding_bytes: 3 },
    },
    {
      from: 'RFC 5652 §6.3',
      title: 'A text of whole blocks gets another',
      input: { input_text: '8 bytes!', scheme: 'PKCS7', block_size: 8 },
      result: { output: '38206279746573210808080808080808', padding_bytes: 8 },
    },
    {
      from: 'ANSI X9.23, by the padding of python3-cryptography',
      title: 'Zeros and a count',
      input: { input_text: 'DD', input_format: 'Hex', scheme: 'X923', block_size: 8 },
      result: { output: 'dd00000000000007' },
    },
    {
      from: 'ISO/IEC 7816-4, by the padding of CryptX',
      title: 'Taken off again',
      input: {
        operation: 'unpad',
        input_text: 'dddd800000000000',
        input_format: 'Hex',
        scheme: 'ISO7816-4',
        block_size: 8,
      },
      result: { output: 'dddd', padding_bytes: 6 },
    },
  ],
})

/** The length of the padding, or a problem that names the bytes that are none. */
function measure(scheme: Padding, text: Bytes, blockSize: number): number {
  explain('input_text', 'Text', () => checkWholeBlocks(text.length, blockSize, scheme))
  const read = readPadding(scheme, text, blockSize)
  if ('length' in read) return read.length
  throw new Problem('invalid-input', `Text: ${describe(read.fault)}.`, {
    field: 'input_text',
    detail: `${remarks[scheme as Scheme]} The text has ${text.length} bytes, counted from 1.`,
  })
}

function describe({ positions, expected }: PaddingFault): string {
  const more = positions.length - LISTED_POSITIONS
  const listed = positions.slice(0, LISTED_POSITIONS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const is = positions.length === 1 ? `byte ${listed} is` : `bytes ${listed} are`
  return `${is} wrong, expected ${expected} there`
}

function textOf(bytes: Bytes): { text?: string } {
  try {
    return { text: toUtf8(bytes) }
  } catch {
    return {}
  }
}

function rowsOf(lastBlock: string, padding: number): Cell[][] {
  const bytes = lastBlock.match(/../g) ?? []
  const rows = bytes.map((byte, i): Cell[] => {
    const isPadding = i >= bytes.length - padding
    return [i + 1, mono(byte), isPadding ? { text: 'padding', tone: 'info', badge: true } : 'text']
  })
  return rows.slice(-SHOWN_BYTES)
}

/** AES pads on its way in; without the padding taken off on the way out it can be seen. */
const opensslOf = (operation: 'pad' | 'unpad') => {
  const [one, other] = operation === 'pad' ? ['', ' -nopad'] : [' -nopad', '']
  const key = `-aes-128-ecb -K ${'0'.repeat(32)}`
  return `openssl enc ${key}${one} | openssl enc -d ${key}${other}`
}
