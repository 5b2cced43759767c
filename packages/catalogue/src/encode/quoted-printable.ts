import { field, printf, sh } from '@assay/kit'
import { type Bytes, fromLatin1, fromUtf8, toUtf8 } from '@assay/lib/bytes'
import {
  charsets,
  decodeQuotedPrintable,
  encodeQuotedPrintable,
  LONGEST_LINE,
  lineBreakModes,
  QUOTED_PRINTABLE_LINE,
  SHORTEST_LINE,
} from '@assay/lib/codec/quoted-printable'
import { codec } from './codec.ts'

const inCharset = (bytes: Bytes, charset: (typeof charsets)[number]) =>
  charset === 'UTF-8' ? bytes : fromLatin1(toUtf8(bytes))

/** Quoted-Printable. RFC 2045 §6.7. */
export const quotedPrintable = codec({
  id: 'quoted-printable',
  name: 'Quoted-Printable',
  title: 'Quoted-Printable Encode / Decode',
  summary: 'Carry mostly plain text through mail in seven-bit lines that stay readable.',
  keywords: ['qp', 'mime', 'email body', 'soft line break', '=3D', '=20', 'content-transfer-encoding'],
  specs: ['RFC 2045'],
  encode: {
    fields: {
      charset: field.choice('Character set', charsets, {
        help: 'What the text is written in. UTF-8 leaves bytes that are no text as they are.',
      }),
      line_length: field.number('Line length', {
        min: SHORTEST_LINE,
        max: LONGEST_LINE,
        default: QUOTED_PRINTABLE_LINE,
        unit: 'characters',
        help: 'RFC 2045 allows at most 76.',
      }),
      line_breaks: field.choice('Line breaks', lineBreakModes, {
        help: 'Mail wants CRLF; for data that are no text every byte has to be escaped.',
      }),
    },
    write: (bytes, { charset, line_length, line_breaks }) =>
      encodeQuotedPrintable(inCharset(bytes, charset), { lineLength: line_length, lineBreaks: line_breaks }),
    terminal: (bytes, { charset, line_length, line_breaks }) =>
      charset === 'UTF-8' &&
      line_length === QUOTED_PRINTABLE_LINE &&
      line_breaks === 'as in the text' &&
      bytes.length < 20
        ? `${printf(bytes)} | ${sh`python3 -m quopri`}`
        : undefined,
    examples: [
      {
        from: 'RFC 2045 §6.7',
        title: 'The equals sign and the form feed',
        input: { input_text: '3d0c', input_format: 'Hex' },
        result: { encoded: '=3D=0C' },
      },
      {
        from: 'quopri of Python',
        title: 'An accent, and a blank at the end of a line',
        input: { input_text: 'Café au lait \nDeux' },
        result: { encoded: 'Caf=C3=A9 au lait=20\nDeux' },
      },
      {
        from: 'RFC 2045 §6.7',
        title: 'The same accent in ISO-8859-1',
        input: { input_text: 'Café', charset: 'ISO-8859-1' },
        result: { encoded: 'Caf=E9' },
      },
    ],
  },
  decode: {
    fields: {
      charset: field.choice('Character set', charsets, {
        help: 'What the Automatic output format takes the bytes for.',
      }),
      strict: field.flag('Strict', { help: 'Refuse all that RFC 2045 does not let an encoder write.' }),
    },
    read: (text, { charset, strict }) => decodeQuotedPrintable(text, charset, strict),
    automatic: ({ charset }) => (charset === 'UTF-8' ? 'Automatic' : 'Latin-1'),
    terminal: text => `${printf(fromUtf8(text))} | ${sh`python3 -m quopri -d`}`,
    examples: [
      {
        from: 'RFC 2045 §6.7',
        title: 'Soft line breaks',
        input: { input_text: "Now's the time =\r\nfor all folk to come=\r\n to the aid of their country." },
        result: { decoded: "Now's the time for all folk to come to the aid of their country.", remarks: [] },
      },
      {
        from: 'quopri of Python',
        title: 'Text in ISO-8859-1',
        input: { input_text: 'Stra=DFe', charset: 'ISO-8859-1' },
        result: { decoded: 'Straße', output_format: 'Latin-1' },
      },
    ],
  },
})
