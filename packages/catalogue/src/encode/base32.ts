import { field, printf } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import { type Base32Name, base32Alphabets, decodeBase32, encodeBase32 } from '@assay/lib/codec/base32'
import { codec } from './codec.ts'

const alphabet = field.choice('Alphabet', base32Alphabets)

/** Base32 in all its alphabets. RFC 4648 §6 and §7, and those that came after. */
export const base32 = codec({
  id: 'base32',
  name: 'Base32',
  title: 'Base32 Encode / Decode',
  summary: 'Carry bytes through text that survives any case, any file system and being read aloud.',
  keywords: ['base32hex', 'crockford', 'z-base-32', 'geohash', 'totp secret', 'onion', 'radix 32'],
  specs: ['RFC 4648'],
  file: true,
  encode: {
    fields: {
      alphabet,
      padding: field.flag('Padding', { default: true, dependsOn: { field: 'alphabet', values: ['RFC4648', 'hex'] } }),
    },
    write: (bytes, { alphabet, padding }) => encodeBase32(bytes, alphabet, padding),
    terminal(bytes, { alphabet, padding }) {
      const program = programs[alphabet]
      return program && `${printf(bytes)} | ${program} -w0${padding ? '' : ' | tr -d ='}`
    },
    examples: [
      { from: 'RFC 4648 §10', input: { input_text: 'foobar' }, result: { encoded: 'MZXW6YTBOI======' } },
      {
        from: 'RFC 4648 §10',
        input: { input_text: 'foobar', alphabet: 'hex' },
        result: { encoded: 'CPNMUOJ1E8======' },
      },
      {
        from: 'Human-oriented base-32 encoding (z-base-32)',
        input: { input_text: 'f0bfc7', input_format: 'Hex', alphabet: 'z-base-32' },
        result: { encoded: '6n9hq' },
      },
    ],
  },
  decode: {
    fields: {
      alphabet,
      strict: field.flag('Strict', { help: 'Refuse all that the encoder would not write.' }),
      padding: field.flag('Padding', { default: true, dependsOn: { field: 'strict', values: ['yes'] } }),
    },
    read: (text, { alphabet, strict, padding }) => decodeBase32(text, alphabet, { strict, padding }),
    terminal(text, { alphabet }) {
      const program = programs[alphabet]
      return program && /^[A-Z2-7\s]*=*\s*$/.test(text) ? `${printf(fromUtf8(text))} | ${program} -d` : undefined
    },
    examples: [
      { from: 'RFC 4648 §10', input: { input_text: 'MZXW6YTBOI======' }, result: { decoded: 'foobar', remarks: [] } },
      {
        from: 'RFC 4648 §10',
        title: 'Small letters and no padding, as people type it',
        input: { input_text: 'mzxw6yq' },
        result: { decoded: 'foob', remarks: ['The padding is missing.'] },
      },
    ],
  },
})

const programs: Partial<Record<Base32Name, string>> = { RFC4648: 'base32', hex: 'basenc --base32hex' }
