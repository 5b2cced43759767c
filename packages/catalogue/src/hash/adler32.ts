import { field, mono, panel, printf, type Terminal, tool } from '@assay/kit'
import { adler32 as checksumOf } from '@assay/lib/hash/adler32'
import { byteCount, MAX_COMMAND_BYTES } from './command.ts'

/** The checksum of zlib streams. RFC 1950. */
export const adler32 = tool({
  id: 'adler32',
  path: 'adler32',
  title: 'Adler-32 Checksum',
  category: 'hash-generators-and-checksum',
  summary: 'The Adler-32 checksum of a text or of bytes, as at the end of every zlib stream.',
  keywords: ['adler', 'zlib', 'checksum', 'deflate', 'png', 'fletcher', 'rsync', '32 bit'],
  specs: ['RFC 1950'],
  caution:
    'A checksum finds accidents and not attacks: anyone can alter a message and keep its Adler-32, so use HMAC there.',
  runs: 'anywhere',
  fields: { input_text: field.bytes('Text', { placeholder: 'Text to check' }) },
  run({ input_text }) {
    const value = checksumOf(input_text)
    return {
      checksum: hex(value, 8),
      decimal: String(value),
      sum: value & 0xffff,
      sum_of_sums: value >>> 16,
      input_bytes: input_text.length,
    }
  },
  show: ({ checksum, decimal, sum, sum_of_sums, input_bytes }) => [
    panel.facts([
      ['Checksum', mono(checksum)],
      ['As a number', mono(decimal)],
      ['Sum of the bytes, plus one', mono(`${sum} (0x${hex(sum, 4)})`)],
      ['Sum of those sums', mono(`${sum_of_sums} (0x${hex(sum_of_sums, 4)})`)],
      ['Input', byteCount(input_bytes)],
    ]),
    ...(input_bytes > 0 && input_bytes < SHORT_BYTES ? [panel.note('info', shortMessage)] : []),
  ],
  terminal({ input_text }, { checksum }): Terminal | undefined {
    if (input_text.length > MAX_COMMAND_BYTES) return undefined
    const program = `python3 -c 'import sys, zlib; print("%08x" % zlib.adler32(sys.stdin.buffer.read()))'`
    return { command: `${printf(input_text)} | ${program}`, prints: checksum }
  },
  examples: [
    {
      from: 'Go hash/adler32 golden values',
      input: { input_text: 'abc' },
      result: { checksum: '024d0127', decimal: '38600999', sum: 295, sum_of_sums: 589 },
    },
    {
      from: 'RFC 1950 §9',
      title: 'Nothing at all',
      input: { input_text: '' },
      result: { checksum: '00000001' },
    },
    {
      from: 'Go hash/adler32 golden values',
      input: { input_text: 'ab' },
      result: { checksum: '012600c4' },
    },
  ],
})

/** RFC 3309: below about this length the sums do not reach the modulus, and the upper bits stay unused. */
const SHORT_BYTES = 128
const shortMessage = 'On a message this short few of the 32 bits are in play, so that a CRC-32 would find more errors.'

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
