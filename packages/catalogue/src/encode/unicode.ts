import { action, explain, field, mono, type Panel, panel, printf, sh, tool } from '@assay/kit'
import { type Bytes, fromUtf8, outputFormats, readBytes, toHex, writeBytes } from '@assay/lib/bytes'
import { escapeStyles, escapeUnicode, unescapeUnicode } from '@assay/lib/codec/unicode-escape'
import { type DecodedUtf, decodeUtf, encodeUtf, MAX_TOLD, type UtfName, utfNames } from '@assay/lib/codec/utf'
import {
  type CharacterFacts,
  countText,
  inspectCharacter,
  type NormalizationForm,
  normalizationForms,
  type TextCounts,
} from '@assay/lib/unicode/inspect'

/** More characters than this are counted and not told one by one. */
const MAX_INSPECTED = 500
/** A page draws longer texts slowly. */
const SHOWN_CHARACTERS = 200_000

const normalization = field.choice('Normalization', ['none', ...normalizationForms], {
  help: 'Done before all else: NFC and NFD keep what characters mean, NFKC and NFKD also drop how they look.',
})

const normalized = (text: string, form: 'none' | NormalizationForm) => (form === 'none' ? text : text.normalize(form))

/** What one of the three operations found; the others' parts are not there. */
interface Result {
  encoded?: string
  output_bytes?: number
  decoded?: string
  malformed?: DecodedUtf['malformed']
  malformed_count?: number
  byte_order_mark?: boolean
  counts?: TextCounts
  characters?: CharacterFacts[]
  forms?: NormalizationForm[]
}

function inspect(text: string): Result {
  return {
    counts: countText(text),
    // What a text of 16 MiB is, is not asked.
    forms: normalizationForms.filter(form => text.normalize(form) === text),
    characters: Array.from(text.slice(0, 2 * MAX_INSPECTED))
      .slice(0, MAX_INSPECTED)
      .map(inspectCharacter),
  }
}

function inspectPanels({ counts, forms = [], characters = [] }: Result): Panel[] {
  if (!counts) return []
  const { graphemes, code_points, utf16_units, utf8_bytes } = counts
  return [
    panel.facts([
      ...(graphemes === undefined ? [] : [['Characters as read', graphemes] as const]),
      ['Code points', code_points],
      ['UTF-16 units', utf16_units],
      ['UTF-8 bytes', utf8_bytes],
      ['Is in', forms.join(', ') || 'no normalization form'],
    ]),
    panel.table(
      ['Character', 'Code point', 'Block', 'Category', 'Script', ...utfNames],
      characters.map(({ character, code_point, name, block, category, script, bytes }) => [
        name ?? character,
        mono(code_point),
        block,
        { text: category.slice(0, 2), title: category.slice(4) },
        script,
        ...utfNames.map(encoding => mono(bytes[encoding] ?? '')),
      ]),
      { title: 'Characters', cards: true, scroll: true, empty: 'No characters.' },
    ),
    ...(code_points > characters.length
      ? [panel.note('info', `The first ${characters.length} of ${code_points} characters are told one by one.`)]
      : []),
  ]
}

const shortened = (text: string, title: string): Panel =>
  text.length <= SHOWN_CHARACTERS
    ? panel.code(text, { title })
    : panel.code(text.slice(0, 2000), { title: `${title}, the first 2,000 characters` })

function decodePanels({ decoded = '', malformed = [], malformed_count = 0, byte_order_mark }: Result): Panel[] {
  return [
    ...(malformed_count
      ? [
          panel.note(
            'warn',
            `${malformed_count === 1 ? 'One sequence is' : `${malformed_count} sequences are`} malformed; U+FFFD stands in the place.`,
          ),
        ]
      : []),
    ...(byte_order_mark ? [panel.note('info', 'A byte order mark at the beginning was taken off.')] : []),
    shortened(decoded, 'Text'),
    ...(malformed.length
      ? [
          panel.table(
            ['Offset', 'Bytes', 'What is wrong'],
            malformed.map(({ offset, bytes, reason }) => [offset, mono(bytes), reason]),
            { title: malformed_count > MAX_TOLD ? `Malformed, the first ${MAX_TOLD}` : 'Malformed', scroll: true },
          ),
        ]
      : []),
  ]
}

const iconv = (bytes: Bytes, from: UtfName, to: UtfName) => `${printf(bytes)} | ${sh`iconv -f ${from} -t ${to}`}`

const cost = ({ input_text }: { input_text: { length: number } }) => ({
  milliseconds: 20 + input_text.length / 10_000,
  megabytes: 10 + (input_text.length * 12) / 2 ** 20,
})

const operation = field.choice('What to do', ['inspect', 'encode', 'decode'], {
  help: 'inspect: what each character is. encode: the bytes of a text. decode: the text of bytes.',
})

/** Text and its encodings. The Unicode Standard, §3.9 to §3.11. */
export const unicode = tool({
  id: 'unicode',
  path: 'unicode',
  title: 'Unicode and UTF-8 Converter and Inspector',
  category: 'encoding-and-decoding',
  summary: 'See what a text is made of, turn it into bytes, escapes or a normalization form, and back.',
  keywords: [
    'utf-8',
    'utf-16',
    'utf-32',
    'code point',
    'bom',
    'surrogate pair',
    'normalization',
    'nfc',
    'nfkd',
    'emoji',
  ],
  specs: ['Unicode Standard', 'RFC 3629', 'RFC 2781', 'UAX 15'],
  runs: 'anywhere',
  actions: {
    utf8: action({
      label: 'Inspect and convert',
      title: 'Unicode and UTF-8 Converter and Inspector',
      fields: {
        operation,
        input_text: field.area('Text or bytes', { placeholder: 'Größe 😀' }),
        encoding: field.choice('Encoding', utfNames, {
          dependsOn: { field: 'operation', values: ['encode', 'decode'] },
        }),
        byte_order_mark: field.flag('Byte order mark', {
          help: 'Begin with U+FEFF, which tells the encoding.',
          dependsOn: { field: 'operation', values: ['encode'] },
        }),
        input_format: field.choice('Bytes are written in', ['Hex', 'Base64', 'Latin-1'], {
          dependsOn: { field: 'operation', values: ['decode'] },
        }),
        strict: field.flag('Strict', {
          help: 'Refuse bytes that are malformed.',
          dependsOn: { field: 'operation', values: ['decode'] },
        }),
        normalization,
        output_format: field.choice('Output format', outputFormats, {
          dependsOn: { field: 'operation', values: ['encode'] },
        }),
      },
      run({
        operation,
        input_text,
        encoding,
        byte_order_mark,
        input_format,
        strict,
        normalization,
        output_format,
      }): Result {
        switch (operation) {
          case 'inspect':
            return inspect(normalized(input_text, normalization))
          case 'encode': {
            const text = normalized(input_text, normalization)
            const bytes = explain('input_text', 'Text', () => encodeUtf(text, encoding, byte_order_mark))
            return { encoded: writeBytes(bytes, output_format), output_bytes: bytes.length }
          }
          case 'decode': {
            const bytes = explain('input_text', 'Bytes', () => readBytes(input_text, input_format))
            const { text, malformed, count, byteOrderMark } = decodeUtf(bytes, encoding)
            const [first] = malformed
            explain('input_text', 'Bytes', () => {
              if (strict && first)
                throw new RangeError(`the sequence at offset ${first.offset} is malformed: ${first.reason}`)
            })
            return {
              decoded: normalized(text, normalization),
              malformed,
              malformed_count: count,
              byte_order_mark: byteOrderMark,
            }
          }
        }
      },
      show(result) {
        if (result.encoded === undefined) return result.counts ? inspectPanels(result) : decodePanels(result)
        return [shortened(result.encoded, 'Bytes'), panel.facts([['Output', `${result.output_bytes} bytes`]])]
      },
      terminal({ operation, input_text, encoding, byte_order_mark, normalization, input_format }, result) {
        if (normalization !== 'none') return undefined
        if (operation === 'encode' && !byte_order_mark && result.encoded !== undefined) {
          const prints = /^[0-9a-f]*$/.test(result.encoded) ? { prints: result.encoded } : {}
          return { command: `${iconv(fromUtf8(input_text), 'UTF-8', encoding)} | xxd -p`, ...prints }
        }
        if (operation !== 'decode' || result.malformed_count || result.byte_order_mark) return undefined
        const hex = toHex(readBytes(input_text, input_format))
        return {
          command: `${sh`printf ${hex}`} | xxd -r -p | ${sh`iconv -f ${encoding} -t UTF-8`}`,
          ...(result.decoded !== undefined && { prints: result.decoded }),
        }
      },
      cost,
      examples: [
        {
          from: 'Unicode Standard §3.9, table 3-4',
          title: 'What the characters are',
          input: { input_text: 'M\u0430\u4e8c\u{10302}' },
          result: { counts: { graphemes: 4, code_points: 4, utf16_units: 5, utf8_bytes: 10 } },
        },
        {
          from: 'RFC 3629 §7',
          title: 'A, not identical to, Alpha, full stop',
          input: { operation: 'encode', input_text: 'A\u2262\u0391.' },
          result: { encoded: '41e289a2ce912e', output_bytes: 7 },
        },
        {
          from: 'RFC 2781 §4.2, little-endian',
          input: { operation: 'decode', input_text: '08d845df3d00', encoding: 'UTF-16LE' },
          result: { decoded: '\u{12345}=', malformed_count: 0 },
        },
        {
          from: 'Unicode Standard §3.9, table 3-8',
          title: 'Overlong forms are no characters',
          input: { operation: 'decode', input_text: 'c0afe080bff0818241' },
          result: { decoded: `${'\ufffd'.repeat(8)}A`, malformed_count: 8 },
        },
      ],
    }),
    escape: action({
      title: 'Unicode Escape and Unescape',
      summary: 'Write characters by their code points as programs do, and read such escapes back.',
      fields: {
        operation: field.choice('What to do', ['encode', 'decode']),
        input_text: field.area('Text', { placeholder: 'Größe or Gr\\u00F6\\u00DFe' }),
        escape_style: field.choice('Style', escapeStyles, {
          help: '\\u also reads \\u{1F600} and \\U0001F600.',
        }),
        all: field.flag('All characters', {
          help: 'Escape ASCII too.',
          dependsOn: { field: 'operation', values: ['encode'] },
        }),
        strict: field.flag('Strict', {
          help: 'Refuse escapes that are not complete, go beyond Unicode, or are half of a surrogate pair.',
          dependsOn: { field: 'operation', values: ['decode'] },
        }),
        normalization,
      },
      run({ operation, input_text, escape_style, all, strict, normalization }) {
        if (operation === 'encode') {
          return { output: escapeUnicode(normalized(input_text, normalization), escape_style, all), remarks: [] }
        }
        const { text, remarks } = explain('input_text', 'Text', () => unescapeUnicode(input_text, escape_style, strict))
        return { output: normalized(text, normalization), remarks }
      },
      show: ({ output, remarks }, { operation }) => [
        ...remarks.map(remark => panel.note('warn', remark)),
        shortened(output, operation === 'encode' ? 'Escaped' : 'Text'),
      ],
      cost,
      examples: [
        {
          from: 'RFC 8259 §7',
          title: 'The G clef is a surrogate pair',
          input: { input_text: '\u{1d11e}' },
          result: { output: '\\uD834\\uDD1E' },
        },
        {
          from: 'CyberChef, UnescapeUnicodeCharacters.mjs',
          input: { operation: 'decode', input_text: 'U+0041 U+1F600 U+000042', escape_style: 'U+XXXX' },
          result: { output: 'A \u{1f600} B' },
        },
        {
          from: 'ECMA-262 §B.2.1.1, escape',
          input: { input_text: 'σου', escape_style: '%u' },
          result: { output: '%u03C3%u03BF%u03C5' },
        },
      ],
    }),
    normalize: action({
      title: 'Unicode Normalization',
      summary: 'Bring text into one of the four normalization forms, or see all four beside it.',
      fields: {
        input_text: field.area('Text', { placeholder: 'Å ﬁ ①' }),
        normalization: field.choice('Normalization', ['none', ...normalizationForms], {
          help: 'none leaves the text as it is and shows all four forms.',
        }),
      },
      run({ input_text, normalization }) {
        const forms = normalizationForms.map(form => {
          const text = input_text.normalize(form)
          return { form, text, changes: text !== input_text, code_points: countText(text).code_points }
        })
        return {
          output: normalized(input_text, normalization),
          forms: forms.filter(({ form }) => normalization === 'none' || form === normalization),
        }
      },
      show: ({ output, forms }, { normalization }) => [
        ...(normalization === 'none' ? [] : [shortened(output, normalization)]),
        panel.table(
          ['Form', 'Text', 'Changes it', 'Code points'],
          forms.map(({ form, text, changes, code_points }) => [
            form,
            text.slice(0, 200),
            changes ? 'yes' : 'no',
            text.length <= 40 ? mono(Array.from(text, pointOf).join(' ')) : code_points,
          ]),
          { cards: true },
        ),
      ],
      terminal: ({ input_text, normalization }, { output }) =>
        normalization === 'none'
          ? undefined
          : {
              command: `${printf(fromUtf8(input_text))} | ${sh`python3 -c ${'import sys, unicodedata; sys.stdout.buffer.write(unicodedata.normalize(sys.argv[1], sys.stdin.buffer.read().decode()).encode())'} ${normalization}`}`,
              prints: output,
            },
      cost,
      examples: [
        {
          from: 'CyberChef, NormaliseUnicode.mjs',
          input: { input_text: '\u00c7\u0043\u0327\u2160', normalization: 'NFKC' },
          result: { output: '\u00c7\u00c7I' },
        },
        {
          from: 'UAX 15, figure 3',
          title: 'Three ways to write Å',
          input: { input_text: '\u212b \u00c5 A\u030a', normalization: 'NFD' },
          result: { output: 'A\u030a A\u030a A\u030a' },
        },
        {
          from: 'UAX 15, figure 6',
          title: 'All four forms of a ligature and a superscript',
          input: { input_text: '\ufb01 2\u2075' },
          result: {
            output: '\ufb01 2\u2075',
            forms: [
              { form: 'NFC', text: '\ufb01 2\u2075' },
              { form: 'NFD', text: '\ufb01 2\u2075' },
              { form: 'NFKC', text: 'fi 25' },
              { form: 'NFKD', text: 'fi 25' },
            ],
          },
        },
      ],
    }),
  },
})

const pointOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
