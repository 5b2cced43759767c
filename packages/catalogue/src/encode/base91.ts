import { field } from '@assay/kit'
import { decodeBase91, encodeBase91 } from '@assay/lib/codec/base91'
import { decodeBase92, encodeBase92 } from '@assay/lib/codec/base92'
import { codec } from './codec.ts'

const variant = field.choice('Variant', ['basE91', 'Base92'])

/** basE91 by Joachim Henke, and Base92 by Nathan Hwang. */
export const base91 = codec({
  id: 'base91',
  name: 'Base91',
  title: 'Base91 and Base92 Encode / Decode',
  summary: 'Carry bytes through text with less growth than Base64, in almost all visible ASCII characters.',
  keywords: ['base91', 'base92', 'henke', 'dense', 'radix 91', 'ascii armor'],
  specs: ['basE91', 'Base92'],
  file: true,
  milliseconds: bytes => bytes / 8000,
  encode: {
    fields: { variant },
    write: (bytes, { variant }) => (variant === 'basE91' ? encodeBase91(bytes) : encodeBase92(bytes)),
    examples: [
      { from: 'base91-python, README', input: { input_text: 'test' }, result: { encoded: 'fPNKd' } },
      {
        from: 'base91-python, README',
        title: 'Bytes that are no text',
        input: { input_text: 'fe030057a9bc', input_format: 'Hex' },
        result: { encoded: 'VLv(GdNE' },
      },
      {
        from: 'base92.py, docstring',
        input: { input_text: 'hello world', variant: 'Base92' },
        result: { encoded: 'Fc_$aOTdKnsM*k' },
      },
    ],
  },
  decode: {
    fields: {
      variant,
      strict: field.flag('Strict', { help: 'Refuse all that the encoder would not write.' }),
    },
    read: (text, { variant, strict }) => (variant === 'basE91' ? decodeBase91 : decodeBase92)(text, strict),
    examples: [
      {
        from: 'base91-python, README',
        input: { input_text: '8D9Kc)=/2$WzeFui#G9Km+<{VT2u9MZil}[A' },
        result: { decoded: 'May a moody baby doom a yam?\n', remarks: [] },
      },
      {
        from: 'CyberChef, Base92.mjs',
        input: { input_text: "G'_DW[B", variant: 'Base92' },
        result: { decoded: 'ietf!' },
      },
    ],
  },
})
