import { field, printf, sh } from '@assay/kit'
import { decodePercent, encodePercent, type PercentMode, percentModes } from '@assay/lib/codec/percent'
import { codec } from './codec.ts'

const mode = field.choice('Mode', percentModes, {
  help: 'A component is one value inside an address; a full URI keeps the characters that divide it; a form writes spaces as +; all but unreserved is the form that OAuth 1.0 and AWS sign.',
})

/** What `quote` of Python leaves alone beside the unreserved characters, where it has the mode at all. */
const pythonSafe: Partial<Record<PercentMode, string>> = {
  component: "!~*'()",
  'full URI': "!~*'();/?:@&=+$,#",
  'all but unreserved': '~',
}

/** Percent-encoding. RFC 3986 §2.1 and the WHATWG URL Standard. */
export const url = codec({
  id: 'url',
  name: 'URL',
  title: 'URL Encode / Decode',
  summary: 'Percent-encode a text for use in a web address or a form, and read it back.',
  keywords: [
    'percent encoding',
    'urlencode',
    'rawurlencode',
    'uri',
    'query string',
    'escape',
    'form',
    'oauth',
    'sigv4',
  ],
  specs: ['RFC 3986', 'WHATWG URL'],
  takes: ['url'],
  encode: {
    fields: { mode },
    write: (bytes, { mode }) => encodePercent(bytes, mode),
    terminal: (bytes, { mode }) => {
      const safe = pythonSafe[mode]
      if (safe === undefined) return undefined
      return `${printf(bytes)} | ${sh`python3 -c ${'import sys, urllib.parse as u; print(u.quote(sys.stdin.buffer.read(), sys.argv[1]))'} ${safe}`}`
    },
    examples: [
      {
        from: 'RFC 3986 §2.5',
        title: 'A letter with a grave accent, in UTF-8',
        input: { input_text: '\u00c0' },
        result: { encoded: '%C3%80' },
      },
      {
        from: 'URL Standard §1.3',
        title: 'A space and a mark outside ASCII',
        input: { input_text: 'Say what\u203d' },
        result: { encoded: 'Say%20what%E2%80%BD' },
      },
      {
        from: 'urllib.parse.quote of Python',
        title: 'Marks that a component leaves alone',
        input: { input_text: "It's (really) ~20*3!", mode: 'all but unreserved' },
        result: { encoded: 'It%27s%20%28really%29%20~20%2A3%21' },
      },
    ],
  },
  decode: {
    fields: {
      mode,
      strict: field.flag('Strict', { help: 'Refuse a percent sign that two hexadecimal digits do not follow.' }),
    },
    read: (text, { mode, strict }) => decodePercent(text, mode, strict),
    terminal: (text, { mode }) =>
      mode === 'component'
        ? sh`python3 -c ${'import sys, urllib.parse as u; sys.stdout.buffer.write(u.unquote_to_bytes(sys.argv[1]))'} ${text}`
        : undefined,
    examples: [
      {
        from: 'RFC 3986 §2.5',
        input: { input_text: '%E3%82%A2' },
        result: { decoded: '\u30a2', output_format: 'UTF-8' },
      },
      {
        from: 'URL Standard §1.3',
        title: 'Bytes that are no UTF-8, here Shift_JIS, are not lost',
        input: { input_text: '%81%DF' },
        result: { decoded: '81df', output_format: 'Hex' },
      },
      {
        from: 'URL Standard §1.3',
        title: 'A percent sign that begins no sequence stays',
        input: { input_text: '100%20%' },
        result: {
          decoded: '100 %',
          remarks: ['The percent sign at character 7 is not followed by two hexadecimal digits and was left as it is.'],
        },
      },
    ],
  },
})
