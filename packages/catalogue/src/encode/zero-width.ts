import { action, explain, field, mono, type Panel, panel, tool } from '@assay/kit'
import type { Bytes } from '@assay/lib/bytes'
import { textFormats, writeText } from '@assay/lib/codec/text-format'
import { hideMessage, revealMessage, zeroWidthMethods } from '@assay/lib/codec/zero-width'
import { findHidden, type HiddenReport, MAX_HIDDEN, showHidden, withoutHidden } from '@assay/lib/unicode/hidden'

/** A page draws longer texts slowly. */
const SHOWN_CHARACTERS = 100_000

const text = (help: string) => field.area('Text', { optional: true, placeholder: 'A text that anybody may see', help })

const shown = (text: string, title: string): Panel =>
  panel.code(text.slice(0, SHOWN_CHARACTERS), {
    title: text.length > SHOWN_CHARACTERS ? `${title}, the first ${SHOWN_CHARACTERS} characters` : title,
  })

/** Measured on a text whose every other character is hidden. */
const cost = ({ text = '', message }: { text?: string | undefined; message?: Bytes | undefined }) => {
  const characters = text.length + 8 * (message?.length ?? 0)
  return { milliseconds: 5 + characters / 400, megabytes: 5 + characters / 10_000 }
}

function bannerOf({ count, suspicious, unbalanced }: HiddenReport): Panel {
  if (unbalanced.length) {
    return panel.banner('bad', 'The text is not shown in the order it is stored in', {
      badge: 'BIDI',
      detail: 'A direction that is not ended in its line can make source code read otherwise than it runs.',
    })
  }
  if (suspicious) {
    const title = `${suspicious} hidden ${suspicious === 1 ? 'character looks' : 'characters look'} out of place`
    return panel.banner('warn', title, { badge: 'HIDDEN' })
  }
  return count
    ? panel.banner('good', `${count} hidden ${count === 1 ? 'character' : 'characters'}, all where they belong`, {
        badge: 'EXPECTED',
      })
    : panel.banner('good', 'There is nothing in the text that is not seen', { badge: 'CLEAN' })
}

/** Messages in characters that show nothing, and the search for them. Unicode Standard §5.21, UTS 55. */
export const zeroWidth = tool({
  id: 'zero-width',
  path: 'zero-width',
  title: 'Zero-Width Character Encode / Decode and Detector',
  category: 'encoding-and-decoding',
  summary: 'Hide a message in characters that show nothing, read it, or find every such character in a text.',
  keywords: [
    'invisible characters',
    'steganography',
    'zwsp',
    'zwj',
    'trojan source',
    'bidi',
    'variation selector',
    'prompt injection',
    'watermark',
  ],
  specs: ['Unicode Standard', 'UAX 9', 'UTS 55'],
  runs: 'anywhere',
  caution: 'It hides a message only from those who do not look for it, so encrypt what is secret.',
  actions: {
    encode: action({
      title: 'Zero-Width Encode',
      swap: { to: 'decode', from: 'encoded', into: 'text' },
      fields: {
        text: text('The message goes behind its first character.'),
        message: field.bytes('Message', { optional: true, line: true, placeholder: 'meet me at noon' }),
        method: field.choice('Method', zeroWidthMethods, {
          help: 'Bits as U+200B and U+200C, eight a byte; one variation selector a byte; or one tag character for each of ASCII.',
        }),
      },
      run({ text = '', message = new Uint8Array(), method }) {
        const encoded = explain(
          method === 'tag characters' ? 'message' : 'text',
          method === 'tag characters' ? 'Message' : 'Text',
          () => hideMessage(text, message, method),
        )
        return { encoded, hidden_characters: Array.from(encoded).length - Array.from(text).length }
      },
      show: ({ encoded, hidden_characters }) => [
        shown(encoded, 'Text with the message in it'),
        panel.facts([['Hidden characters', hidden_characters]]),
        shown(showHidden(encoded), 'What it is made of'),
      ],
      cost,
      examples: [
        {
          from: 'Unicode Standard §23.2, zero-width characters as bits',
          title: 'The letter A is 01000001',
          input: { text: 'ab', message: 'A' },
          result: { encoded: 'a\u200b\u200c\u200b\u200b\u200b\u200b\u200b\u200cb', hidden_characters: 8 },
        },
        {
          from: 'Unicode Standard §23.9, tag characters repeat ASCII',
          input: { text: '😀', message: 'hi', method: 'tag characters' },
          result: { encoded: '😀\u{e0068}\u{e0069}' },
        },
      ],
    }),
    decode: action({
      title: 'Zero-Width Decode',
      swap: { to: 'encode', from: 'cover', into: 'text' },
      fields: {
        text: text('The method is found by itself.'),
        output_format: field.choice('Output format', textFormats, {
          help: 'Automatic is text when the bytes are valid UTF-8, else hexadecimal.',
        }),
      },
      run({ text = '', output_format }) {
        const { method, message, cover, remarks } = explain('text', 'Text', () => revealMessage(text))
        const written = explain('output_format', 'Output format', () => writeText(message, output_format))
        return {
          message: written.text,
          output_format: written.format,
          output_bytes: message.length,
          method,
          cover,
          remarks,
        }
      },
      show: ({ message, output_format, output_bytes, method, cover, remarks }) => [
        ...remarks.map(remark => panel.note('warn', remark)),
        shown(message, 'Message'),
        panel.facts([
          ['Method', method],
          ['Message', `${output_bytes} bytes, written as ${output_format}`],
        ]),
        shown(cover, 'Text without it'),
      ],
      cost,
      examples: [
        {
          from: 'Unicode Standard §23.4, variation selectors as bytes',
          input: { text: '😊\u{e0158}\u{e0155}\u{e015c}\u{e015c}\u{e015f}' },
          result: { message: 'hello', method: 'variation selectors', cover: '😊' },
        },
        {
          from: 'Unicode Standard §23.2, zero-width characters as bits',
          input: { text: 'a\u200b\u200c\u200b\u200b\u200b\u200b\u200b\u200cb' },
          result: { message: 'A', method: 'zero-width bits', cover: 'ab' },
        },
      ],
    }),
    detect: action({
      title: 'Zero-Width Detector',
      fields: { text: text('Text or source code.') },
      run({ text = '' }) {
        const report = findHidden(text)
        return { ...report, marked: showHidden(text), cleaned: withoutHidden(text) }
      },
      show: ({ marked, cleaned, ...report }) => [
        bannerOf(report),
        ...(report.unbalanced.length
          ? [
              panel.table(
                ['Line', 'Code point', 'Name'],
                report.unbalanced.map(({ line, code_point, name }) => [line, mono(code_point), name]),
                { title: 'Directions that are not ended', scroll: true },
              ),
            ]
          : []),
        ...(report.count
          ? [
              panel.table(
                ['Line', 'Column', 'Code point', 'Name', 'Kind', 'Verdict'],
                report.found.map(({ line, column, code_point, name, kind, expected }) => [
                  line,
                  column,
                  mono(code_point),
                  name,
                  kind,
                  expected ? { text: expected, tone: 'good' } : { text: 'out of place', tone: 'warn', badge: true },
                ]),
                {
                  title: report.count > MAX_HIDDEN ? `The first ${MAX_HIDDEN} of ${report.count}` : 'Hidden characters',
                  cards: true,
                  scroll: true,
                },
              ),
              shown(marked, 'With their code points'),
              shown(cleaned, 'Without those that look out of place'),
            ]
          : []),
      ],
      cost,
      examples: [
        {
          from: 'CVE-2021-42574, Trojan Source: early return in a comment',
          title: 'Code that reads otherwise than it runs',
          input: { text: '/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */' },
          result: {
            count: 4,
            unbalanced: [
              { line: 1, code_point: 'U+202E', name: 'RIGHT-TO-LEFT OVERRIDE' },
              { line: 1, code_point: 'U+2066', name: 'LEFT-TO-RIGHT ISOLATE' },
            ],
          },
        },
        {
          from: 'Unicode Standard §23.2, joiners',
          title: 'In a family emoji they belong there',
          input: { text: '👩\u200d👩\u200d👧 pass\u200bword' },
          result: { count: 3, suspicious: 1, cleaned: '👩\u200d👩\u200d👧 password' },
        },
      ],
    }),
  },
})
