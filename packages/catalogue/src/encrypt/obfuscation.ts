import { explain, field, type Panel, panel, printf, sh, type Terminal, tool } from '@assay/kit'
import { fromUtf8, toBase64 } from '@assay/lib/bytes'
import type { Obfuscation } from '@assay/lib/codec/obfuscation'
import { utf16 } from '@assay/lib/codec/powershell'
import { isAnsiC } from '@assay/lib/codec/string-literal'

const methods = [
  'JS hex escape',
  'JS fromCharCode',
  'unicode escape',
  'reverse',
  'base64-eval',
  'PowerShell -enc',
  'shell ANSI-C',
  'HTML entities',
  'leet',
] as const satisfies readonly Obfuscation[]

/** Characters; the longest method writes nine for one. */
const MAX_LENGTH = 2 ** 24
/** A page draws longer texts slowly, so they are offered as a file. */
const SHOWN_CHARACTERS = 200_000
/** Above this a text is better kept in a file than in a command line. */
const MAX_COMMAND_CHARACTERS = 1024

/** Texts hidden in code, and read again without running it. */
export const obfuscation = tool({
  id: 'obfuscation',
  path: 'obfuscation',
  title: 'String Obfuscation and De-obfuscation',
  category: 'encryption-and-decryption',
  summary: 'Hide a string in JavaScript, PowerShell, Bash or HTML escapes, or read such a string without running it.',
  keywords: [
    ...['deobfuscate', 'unescape', 'fromCharCode', 'atob', 'eval', 'EncodedCommand', 'malware', 'hex escape'],
    ...['unicode escape', 'ansi-c quoting', 'html entities', 'reverse text', 'leet', '1337', 'l33t'],
  ],
  specs: ['ECMA-262', 'HTML Standard', 'Bash manual'],
  runs: 'anywhere',
  caution: 'It keeps a text from being seen, not from being read: anyone undoes it without a key.',
  fields: {
    operation: field.choice('What to do', ['obfuscate', 'deobfuscate']),
    input_text: field.area('Text', { placeholder: 'Text to hide, or code to read', maxLength: MAX_LENGTH }),
    method: field.choice('Method', methods),
  },

  async run({ operation, input_text, method }) {
    const { deobfuscate, obfuscate } = await import('@assay/lib/codec/obfuscation')
    const { text, format, remarks } = explain('input_text', 'Text', () =>
      operation === 'deobfuscate'
        ? deobfuscate(method, input_text)
        : { text: obfuscate(method, input_text), format: 'UTF-8' as const, remarks: [] },
    )
    return {
      output: text,
      output_format: format,
      operation,
      method,
      lossless: method !== 'leet',
      remarks,
      input_characters: input_text.length,
      output_characters: text.length,
    }
  },

  show: ({ output, output_format, operation, method, lossless, remarks, input_characters, output_characters }) => [
    ...outputPanels(output, operation === 'obfuscate' ? 'Obfuscated' : 'Read'),
    panel.facts([
      ['Method', method],
      ['Input', `${input_characters} characters`],
      ['Output', `${output_characters} characters${output_format === 'Hex' ? ', the bytes in hexadecimal' : ''}`],
    ]),
    ...remarks.map(text => panel.note('info', text)),
    ...(lossless
      ? []
      : [
          panel.note('warn', 'Leet loses: the case of letters that become digits, and which digits were there before.'),
        ]),
  ],

  terminal({ operation, input_text, method }, { output, output_format }) {
    if (input_text.length > MAX_COMMAND_CHARACTERS || output_format !== 'UTF-8') return undefined
    return operation === 'obfuscate' ? hideIn(method, input_text) : readWith(method, input_text, output)
  },

  /** Measured: at most a microsecond and thirty bytes for each character. */
  cost: ({ input_text }) => ({
    milliseconds: 5 + input_text.length / 1000,
    megabytes: 2 + (input_text.length * 40) / 2 ** 20,
  }),

  examples: [
    {
      from: 'ECMA-262 §12.9.4',
      title: 'Escapes of JavaScript',
      input: { input_text: 'alert("é😀")', method: 'JS hex escape' },
      result: { output: '\\x61\\x6c\\x65\\x72\\x74\\x28\\x22\\xe9\\ud83d\\ude00\\x22\\x29' },
    },
    {
      from: 'CyberChef, UnescapeUnicodeCharacters.mjs',
      title: 'Characters by their numbers, in three ways',
      input: { operation: 'deobfuscate', input_text: 'U+0041 %u03c3 \\u{1F600}', method: 'unicode escape' },
      result: { output: 'A σ 😀' },
    },
    {
      from: 'ECMA-262 §22.1.2.1',
      title: 'Numbers with a way to run them',
      input: {
        operation: 'deobfuscate',
        input_text: 'eval(String.fromCharCode(0x61, 108, 0x65, 114, 116) + "\\x28\\x31\\x29")',
        method: 'JS fromCharCode',
      },
      result: { output: 'alert(1)' },
    },
    {
      from: 'iconv and base64 of GNU',
      title: 'A command line of PowerShell',
      input: {
        operation: 'deobfuscate',
        input_text: 'powershell.exe -NoP -w hidden -eNc RwBlAHQALQBEAGEAdABlAA==',
        method: 'PowerShell -enc',
      },
      result: { output: 'Get-Date' },
    },
    {
      from: 'Bash manual §3.1.2.4',
      title: 'Octal, hexadecimal and Unicode in one word',
      input: { operation: 'deobfuscate', input_text: "$'\\143\\x61\\u0074\\t\\U0001F600'", method: 'shell ANSI-C' },
      result: { output: 'cat\t😀' },
    },
    {
      from: 'CyberChef, ConvertLeetSpeak.mjs',
      title: 'Leet keeps the case of what it leaves',
      input: { input_text: 'HELLO', method: 'leet' },
      result: { output: 'H3LL0', lossless: false },
    },
  ],
})

function outputPanels(text: string, title: string): Panel[] {
  // Half of a surrogate pair has no place in a file.
  if (text.length <= SHOWN_CHARACTERS || !text.isWellFormed()) return [panel.code(text, { title })]
  return [
    panel.file({ name: 'obfuscation.txt', mediaType: 'text/plain', base64: toBase64(fromUtf8(text)) }),
    panel.code(text.slice(0, 2000), { title: 'The first 2,000 characters' }),
  ]
}

/** What a program prints of the hidden text; the code around it is left to the page. */
function hideIn(method: Obfuscation, text: string): Terminal | undefined {
  const source = printf(fromUtf8(text))
  switch (method) {
    case 'PowerShell -enc':
      return { command: `${source} | iconv -f UTF-8 -t UTF-16LE | base64 -w0`, prints: toBase64(utf16(text)) }
    case 'base64-eval':
      return { command: `${source} | base64 -w0`, prints: toBase64(fromUtf8(text)) }
    case 'shell ANSI-C':
      return { command: `${source} | xxd -p -c 256 | sed 's/../\\\\x&/g'` }
    default:
      return undefined
  }
}

/** Only what is data is handed to a shell: one word that was read here to its end, or Base64. */
function readWith(method: Obfuscation, text: string, output: string): Terminal | undefined {
  switch (method) {
    case 'PowerShell -enc':
      return {
        command: `${sh`printf %s ${toBase64(utf16(output))}`} | base64 -d | iconv -f UTF-16LE -t UTF-8`,
        prints: output,
      }
    case 'shell ANSI-C':
      return isAnsiC(text) ? { command: sh`bash -c ${`printf %s ${text}`}`, prints: output } : undefined
    case 'HTML entities':
      return {
        command: `${printf(fromUtf8(text))} | python3 -c 'import html, sys; print(html.unescape(sys.stdin.read()), end="")'`,
      }
    default:
      return undefined
  }
}
