import { field, printf, sh } from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import { type Ascii85Variant, ascii85Variants, decodeAscii85, encodeAscii85 } from '@assay/lib/codec/ascii85'
import { codec } from './codec.ts'

const options = {
  variant: field.choice('Variant', ascii85Variants, {
    help: 'Adobe: between <~ and ~>. btoa: with a first line, a last line and sums. RFC1924: as Git and Python have it.',
  }),
  address: field.flag('One IPv6 address', {
    help: 'RFC 1924 as it was written: 16 bytes as one number of 20 digits, not four groups.',
    dependsOn: { field: 'variant', values: ['RFC1924'] },
  }),
}

/** Ascii85 in its variants. The ASCII85Encode filter of PostScript, btoa 4, RFC 1924. */
export const ascii85 = codec({
  id: 'ascii85',
  name: 'Ascii85',
  title: 'Ascii85 Encode / Decode',
  summary: 'Write four bytes as five visible characters, as PostScript, PDF, Git and the old btoa program do.',
  keywords: ['base85', 'btoa', 'adobe', 'postscript', 'pdf', 'rfc 1924', 'git binary patch', 'radix 85'],
  specs: ['PostScript Language Reference', 'RFC 1924'],
  file: true,
  encode: {
    fields: {
      ...options,
      line_length: field.number('Line length', {
        min: 0,
        max: 10_000,
        default: 0,
        unit: 'characters',
        help: '0 for one line.',
        dependsOn: { field: 'variant', values: ['Adobe', 'plain', 'RFC1924'] },
      }),
    },
    write: (bytes, { line_length, ...options }) => encodeAscii85(bytes, options, line_length),
    terminal(bytes, { variant, address, line_length }) {
      const call = variant === 'btoa' || address || line_length ? undefined : python[variant]?.encode
      return call && `${printf(bytes)} | ${sh`python3 -c ${`import sys, base64; sys.stdout.buffer.write(${call})`}`}`
    },
    examples: [
      {
        from: 'CyberChef, Base85.mjs, and Wikipedia',
        title: 'The beginning of a sentence of Hobbes',
        input: { input_text: 'Man is distinguished', variant: 'plain' },
        result: { encoded: '9jqo^BlbD-BleB1DJ+*+F(f,q' },
      },
      {
        from: 'base64.a85encode of Python',
        title: 'Four zero bytes are one z',
        input: { input_text: '00000000ff', input_format: 'Hex' },
        result: { encoded: '<~zrr~>' },
      },
      {
        from: 'The encoding list of holacaracola',
        title: 'btoa, with its sums',
        input: { input_text: 'holacaracola', variant: 'btoa' },
        result: { encoded: 'xbtoa Begin\nBQ%]q@psCd@rH0l\nxbtoa End N 12 c E 1a S 4e6 R 6991d\n' },
      },
      {
        from: 'RFC 1924',
        title: 'The address 1080::8:800:200c:417a',
        input: {
          input_text: '108000000000000000080800200c417a',
          input_format: 'Hex',
          variant: 'RFC1924',
          address: 'yes',
        },
        result: { encoded: '4)+k&C#VzJ4br>0wv%Yp' },
      },
    ],
  },
  decode: {
    fields: {
      ...options,
      strict: field.flag('Strict', {
        help: 'Refuse what the encoder would not write. White space inside the marks of Adobe and btoa stays allowed.',
      }),
    },
    read: (text, { strict, ...options }) => decodeAscii85(text, options, strict),
    terminal(text, { variant, address }) {
      const call = variant === 'btoa' || address || /\s/.test(text) ? undefined : python[variant]?.decode
      if (!call || (variant === 'Adobe' && !text.endsWith('~>'))) return undefined
      const program = `import sys, base64; sys.stdout.buffer.write(${call})`
      return `${printf(fromUtf8(text))} | ${sh`python3 -c ${program}`}`
    },
    examples: [
      {
        from: 'The suite of base85 for PHP',
        input: { input_text: '<~<+oue+DGm>@3BW5EbTE(~>' },
        result: { decoded: 'This is a string', remarks: [] },
      },
      {
        from: 'base64.b85decode of Python',
        input: { input_text: 'NM&qnZv', variant: 'RFC1924' },
        result: { decoded: 'Hello' },
      },
    ],
  },
})

const python: Partial<Record<Ascii85Variant, { encode: string; decode: string }>> = {
  Adobe: {
    encode: 'base64.a85encode(sys.stdin.buffer.read(), adobe=True)',
    decode: 'base64.a85decode(sys.stdin.buffer.read(), adobe=True)',
  },
  plain: { encode: 'base64.a85encode(sys.stdin.buffer.read())', decode: 'base64.a85decode(sys.stdin.buffer.read())' },
  RFC1924: { encode: 'base64.b85encode(sys.stdin.buffer.read())', decode: 'base64.b85decode(sys.stdin.buffer.read())' },
}
