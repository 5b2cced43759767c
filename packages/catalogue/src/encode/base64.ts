import { explain, field, printf, raw, sh } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import { type Base64Name, base64Alphabet, base64Alphabets, decodeBase64, encodeBase64 } from '@assay/lib/codec/base64'
import { codec } from './codec.ts'

const alphabet = field.choice('Alphabet', base64Alphabets)
const custom_alphabet = field.text('Custom alphabet', {
  help: '64 characters, or 65 with the padding character at the end; ranges such as A-Z are understood.',
  default: 'A-Za-z0-9+/=',
  dependsOn: { field: 'alphabet', values: ['custom'] },
})
/** MIME has padding and IMAP has none, whatever is chosen. */
const paddedByChoice = ['standard', 'URL-safe', 'custom']

/** Base64 in all its alphabets. RFC 4648 §4 and §5, RFC 2045 §6.8, RFC 3501 §5.1.3. */
export const base64 = codec({
  id: 'base64',
  name: 'Base64',
  title: 'Base64 Encode / Decode',
  summary: 'Carry any bytes through text, four characters for every three bytes.',
  keywords: ['base64url', 'mime', 'btoa', 'atob', 'radix 64', 'data', 'attachment'],
  specs: ['RFC 4648', 'RFC 2045', 'RFC 3501'],
  file: true,
  takes: ['base64', 'token'],
  encode: {
    fields: {
      alphabet,
      custom_alphabet,
      padding: field.flag('Padding', { default: true, dependsOn: { field: 'alphabet', values: paddedByChoice } }),
    },
    write: (bytes, { alphabet, custom_alphabet, padding }) =>
      explain('custom_alphabet', 'Custom alphabet', () => encodeBase64(bytes, alphabet, padding, custom_alphabet)),
    terminal(bytes, { alphabet, padding }) {
      const program = encoders[alphabet]
      return program && `${printf(bytes)} | ${program}${padding ? '' : ' | tr -d ='}`
    },
    examples: [
      { from: 'RFC 4648 §10', input: { input_text: 'foobar' }, result: { encoded: 'Zm9vYmFy' } },
      { from: 'RFC 4648 §10', input: { input_text: 'foob' }, result: { encoded: 'Zm9vYg==' } },
      {
        from: 'RFC 7515 Appendix C',
        title: 'URL-safe and without padding, as JSON Web Tokens have it',
        input: { input_text: '03ecffe0c1', input_format: 'Hex', alphabet: 'URL-safe', padding: 'no' },
        result: { encoded: 'A-z_4ME' },
      },
    ],
  },
  decode: {
    fields: {
      alphabet,
      custom_alphabet,
      strict: field.flag('Strict', { help: 'Refuse all that the encoder would not write.' }),
      padding: field.flag('Padding', { default: true, dependsOn: { field: 'strict', values: ['yes'] } }),
    },
    read(text, { alphabet, custom_alphabet, strict, padding }) {
      explain('custom_alphabet', 'Custom alphabet', () => base64Alphabet(alphabet, custom_alphabet))
      return decodeBase64(text, alphabet, { strict, padding }, custom_alphabet)
    },
    terminal: (text, { alphabet }) =>
      alphabet === 'standard' && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)
        ? sh`${raw(printf(fromUtf8(text)))} | base64 -d`
        : undefined,
    examples: [
      {
        from: 'RFC 4648 §10',
        input: { input_text: 'Zm9vYmFy' },
        result: { decoded: 'foobar', output_format: 'UTF-8' },
      },
      {
        from: 'RFC 7515 Appendix C',
        title: 'Bytes that are no text come in hexadecimal',
        input: { input_text: 'A-z_4ME', alphabet: 'URL-safe' },
        result: { decoded: '03ecffe0c1', output_format: 'Hex' },
      },
    ],
  },
})

const encoders: Partial<Record<Base64Name, string>> = {
  standard: 'base64 -w0',
  'URL-safe': 'basenc --base64url -w0',
  'MIME (76 cols)': 'base64',
}
