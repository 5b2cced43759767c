import { field, printf, sh } from '@assay/kit'
import { fromUtf8, toUtf8 } from '@assay/lib/bytes'
import { decodeHtml, encodeHtml, htmlModes } from '@assay/lib/codec/html'
import { codec } from './codec.ts'

/** Character references of HTML. HTML Standard §13.2.5.72. */
export const htmlEntities = codec({
  id: 'html-entities',
  name: 'HTML',
  title: 'HTML Entities Encode / Decode',
  summary: 'Write text so that a browser shows it and takes none of it for markup, and read it back.',
  keywords: ['html escape', 'htmlspecialchars', 'character reference', 'ampersand', 'xss', 'nbsp', 'xml entities'],
  specs: ['HTML Standard'],
  milliseconds: bytes => bytes / 5000,
  encode: {
    fields: {
      mode: field.choice('What to encode', htmlModes, {
        help: 'minimal: the five characters of markup. named: all that have a name. decimal, hex: markup and all beyond ASCII. all, all in hex: every character.',
      }),
    },
    write: (bytes, { mode }) => encodeHtml(toUtf8(bytes), mode),
    terminal: (bytes, { mode }) =>
      mode === 'minimal'
        ? `${printf(bytes)} | ${sh`python3 -c ${`import sys, html; print(html.escape(sys.stdin.buffer.read().decode()).replace('&#x27;', '&#39;'))`}`}`
        : undefined,
    examples: [
      {
        from: 'CyberChef, HTMLEntity.mjs',
        input: { input_text: `<a href='#'>"&"</a>`, mode: 'named' },
        result: { encoded: '&lt;a href&equals;&apos;&num;&apos;&gt;&quot;&amp;&quot;&lt;&sol;a&gt;' },
      },
      {
        from: 'html.escape of Python',
        input: { input_text: '<b>Fish & Chips</b>' },
        result: { encoded: '&lt;b&gt;Fish &amp; Chips&lt;/b&gt;' },
      },
      {
        from: 'CyberChef, HTMLEntity.mjs',
        title: 'Every character by its number',
        input: { input_text: 'A<', mode: 'all' },
        result: { encoded: '&#65;&#60;' },
      },
    ],
  },
  decode: {
    fields: {
      attribute: field.flag('Attribute value', {
        help: 'Read it as the value of an attribute, where &copy=1 in an address is no reference.',
      }),
      strict: field.flag('Strict', { help: 'Refuse what the HTML Standard calls a parse error.' }),
    },
    read(text, rules) {
      const { text: decoded, remarks } = decodeHtml(text, rules)
      return { bytes: fromUtf8(decoded), remarks }
    },
    terminal: (text, { attribute }) =>
      attribute
        ? undefined
        : `${printf(fromUtf8(text))} | ${sh`python3 -c ${'import sys, html; print(html.unescape(sys.stdin.buffer.read().decode()))'}`}`,
    examples: [
      {
        from: 'HTML Standard §13.2.5.73',
        title: 'In text a name may lack its semicolon, so that this holds no notit',
        input: { input_text: "I'm &notit; I tell you" },
        result: { decoded: "I'm \u00acit; I tell you", remarks: ['The reference at character 5 lacks its semicolon.'] },
      },
      {
        from: 'CyberChef, HTMLEntity.mjs',
        input: { input_text: '&lt;a href=&apos;#&apos;&gt;&quot;&amp;&quot;&lt;/a&gt;' },
        result: { decoded: `<a href='#'>"&"</a>`, remarks: [] },
      },
      {
        from: 'HTML Standard §13.2.5.80',
        title: 'A number of Windows-1252, which browsers take for a euro sign',
        input: { input_text: '&#x80;' },
        result: { decoded: '\u20ac' },
      },
    ],
  },
})
