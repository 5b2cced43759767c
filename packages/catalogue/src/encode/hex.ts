import { field, printf } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import { decodeHex, encodeHex, hexDelimiters } from '@assay/lib/codec/hex'
import { codec } from './codec.ts'

/** Hexadecimal, with anything between the bytes. RFC 4648 §8. */
export const hex = codec({
  id: 'hex',
  name: 'Hex',
  title: 'Hex Encode / Decode',
  summary: 'Every byte as two hexadecimal digits, and back from whatever notation it is in.',
  keywords: ['base16', 'hexadecimal', 'xxd', 'bytes', 'escape'],
  specs: ['RFC 4648'],
  file: true,
  takes: ['hex', 'hash'],
  encode: {
    fields: {
      delimiter: field.choice('Delimiter', hexDelimiters),
      case: field.choice('Letters', ['lower', 'upper']),
      bytes_per_line: field.number('Bytes in a line', { min: 0, max: 1024, default: 0, help: '0 for one line.' }),
    },
    write: (bytes, { delimiter, case: letters, bytes_per_line }) =>
      encodeHex(bytes, delimiter, letters, bytes_per_line),
    terminal: (bytes, { delimiter, case: letters, bytes_per_line }) =>
      delimiter === 'None' && !bytes_per_line
        ? `${printf(bytes)} | xxd -p${letters === 'upper' ? ' -u' : ''}`
        : undefined,
    examples: [
      { from: 'RFC 4648 §10', input: { input_text: 'foobar', case: 'upper' }, result: { encoded: '666F6F626172' } },
      {
        from: 'RFC 4648 §10',
        title: 'A colon between the bytes',
        input: { input_text: 'foo', delimiter: 'Colon' },
        result: { encoded: '66:6f:6f' },
      },
      {
        from: 'RFC 4648 §10',
        title: 'Lines of three bytes for source code',
        input: { input_text: 'foobar', delimiter: '0x with comma', bytes_per_line: 3 },
        result: { encoded: '0x66,0x6f,0x6f,\n0x62,0x61,0x72' },
      },
    ],
  },
  decode: {
    fields: {
      delimiter: field.choice('Delimiter', ['Automatic', ...hexDelimiters], {
        help: 'Automatic takes any of them, mixed as they come, and passes over quotes, brackets and other punctuation.',
      }),
    },
    read: (text, { delimiter }) => ({ bytes: decodeHex(text, delimiter) }),
    terminal: (text, { delimiter }) =>
      delimiter === 'Automatic' && /^[0-9a-fA-F\s]*$/.test(text) ? `${printf(fromUtf8(text))} | xxd -r -p` : undefined,
    examples: [
      { from: 'RFC 4648 §10', input: { input_text: '666F6F626172' }, result: { decoded: 'foobar' } },
      {
        from: 'RFC 4648 §10',
        title: 'As it stands in source code',
        input: { input_text: '0x66, 0x6f, 0x6f' },
        result: { decoded: 'foo', output_bytes: 3 },
      },
    ],
  },
})
