import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodeHtml, encodeHtml, htmlModes } from './html.ts'

const text = { attribute: false, strict: false }
const attribute = { attribute: true, strict: false }
const strict = { attribute: false, strict: true }

test('CyberChef, HTMLEntity.mjs: encoding', () => {
  for (const [given, mode, code] of [
    [`<a href='#'>"&"</a>`, 'named', '&lt;a href&equals;&apos;&num;&apos;&gt;&quot;&amp;&quot;&lt;&sol;a&gt;'],
    ['\u21cc', 'named', '&rlhar;'],
    ['\u03f5', 'named', '&epsiv;'],
    ['\u2126', 'named', '&#8486;'],
    ['\u2588', 'named', '&block;'],
    ['A<', 'all', '&#65;&#60;'],
  ] as const) {
    assert.equal(encodeHtml(given, mode), code)
  }
})

test('CyberChef, HTMLEntity.mjs: decoding', () => {
  for (const [code, given] of [
    ['&lt;a href=&apos;#&apos;&gt;&quot;&amp;&quot;&lt;/a&gt;', `<a href='#'>"&"</a>`],
    ['&ohm;', '\u03a9'],
    ['&#65;', 'A'],
    ['&#x41;', 'A'],
    ['a &notreal; b', 'a &notreal; b'],
  ] as const) {
    if (code.includes('notreal')) {
      // The standard reads &not without its semicolon there, and CyberChef does not.
      assert.equal(decodeHtml(code, text).text, 'a \u00acreal; b')
      assert.equal(decodeHtml(code, attribute).text, given)
    } else assert.equal(decodeHtml(code, strict).text, given)
  }
})

test('HTML Standard §13.2.5.73: &notit; is ¬it; in text, and &notin; is one sign', () => {
  assert.equal(decodeHtml("I'm &notit; I tell you", text).text, "I'm \u00acit; I tell you")
  assert.equal(decodeHtml("I'm &notin; I tell you", strict).text, "I'm \u2209 I tell you")
  assert.equal(decodeHtml("I'm &notit; I tell you", attribute).text, "I'm &notit; I tell you")
  assert.equal(decodeHtml('?a=b&copy=1&amp', attribute).text, '?a=b&copy=1&')
  assert.equal(decodeHtml('?a=b&copy=1', text).text, '?a=b\u00a9=1')
})

test('HTML Standard §13.2.5.80: numbers that stand for another character', () => {
  for (const [code, given, reason] of [
    ['&#0;', '\ufffd', 'is to NUL'],
    ['&#x110000;', '\ufffd', 'is beyond Unicode'],
    ['&#99999999999999999999;', '\ufffd', 'is beyond Unicode'],
    ['&#xD800;', '\ufffd', 'is to half of a surrogate pair'],
    ['&#x80;', '\u20ac', 'is to a control character, read as Windows-1252'],
    ['&#x9f;', '\u0178', 'is to a control character, read as Windows-1252'],
    ['&#x81;', '\u0081', 'is to a control character, read as Windows-1252'],
    ['&#xD;', '\r', 'is to a control character'],
    ['&#xFFFE;', '\ufffe', 'is to a code point that is no character'],
    ['&#65 ', 'A ', 'lacks its semicolon'],
    ['&#x;', '&#x;', 'has no digits'],
    ['&#;', '&#;', 'has no digits'],
    ['&nosuch;', '&nosuch;', 'has a name that HTML does not know'],
    ['&amp', '&', 'lacks its semicolon'],
  ] as const) {
    const decoded = decodeHtml(code, text)
    assert.equal(decoded.text, given, code)
    assert.match(decoded.remarks.join(), new RegExp(`^The reference at character 1 ${reason}`), code)
    assert.throws(() => decodeHtml(`é ${code}`, strict), new RegExp(`the reference at character 3 ${reason}`), code)
  }
})

test('an ampersand that begins no reference is text, and nothing is said of it', () => {
  for (const given of ['a & b', '&', '&&', '&;', 'AT&T', '&nosuch', '&1;']) {
    assert.deepEqual(decodeHtml(given, strict), { text: given, remarks: [] })
  }
})

test('many of a kind are counted', () => {
  assert.deepEqual(decodeHtml('&lt&lt;&lt&nosuch;', text).remarks, [
    'References, 2 of them and the first at character 1: each lacks its semicolon.',
    'The reference at character 11 has a name that HTML does not know and was left as it is.',
  ])
})

test('what each mode leaves as it is', () => {
  const given = `a<b>&"' é€😀=\n`
  assert.deepEqual(
    htmlModes.map(mode => encodeHtml(given, mode)),
    [
      'a&lt;b&gt;&amp;&quot;&#39; é€😀=\n',
      'a&lt;b&gt;&amp;&quot;&apos; &eacute;&euro;&#128512;&equals;&NewLine;',
      'a&#60;b&#62;&#38;&#34;&#39; &#233;&#8364;&#128512;=\n',
      'a&#x3c;b&#x3e;&#x26;&#x22;&#x27; &#xe9;&#x20ac;&#x1f600;=\n',
      '&#97;&#60;&#98;&#62;&#38;&#34;&#39;&#32;&#233;&#8364;&#128512;&#61;&#10;',
      '&#x61;&#x3c;&#x62;&#x3e;&#x26;&#x22;&#x27;&#x20;&#xe9;&#x20ac;&#x1f600;&#x3d;&#xa;',
    ],
  )
})

test('HTML Standard §13.2.5.80: every character comes back, and those without a reference are left alone', () => {
  // The Basic Multilingual Plane without its surrogates, and the one after it.
  const points = Array.from({ length: 0x20000 }, (_, i) => i).filter(point => point < 0xd800 || point > 0xdfff)
  const given = points.map(point => String.fromCodePoint(point)).join('')
  for (const mode of htmlModes) {
    const { text: back } = decodeHtml(encodeHtml(given, mode), text)
    assert.ok(back === given, mode)
    assert.equal(encodeHtml('\0\x80\x9f', mode), '\0\x80\x9f', mode)
  }
})

/** Asks Python for a JSON answer to a JSON question. */
function python(program: string, question: unknown): unknown {
  const script = `import sys, json, html, html.entities\nquestion = json.load(sys.stdin)\nprint(json.dumps(${program}))`
  return JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(question), encoding: 'utf8' }))
}

test('HTML Standard, entities.json: all 2231 names, with and without a semicolon', t => {
  let names: Record<string, string>
  try {
    names = python('html.entities.html5', []) as Record<string, string>
  } catch {
    return t.skip('no python3')
  }
  assert.equal(Object.keys(names).length, 2231)
  for (const [name, characters] of Object.entries(names)) {
    assert.equal(decodeHtml(`&${name}`, text).text, characters, name)
    if (name.endsWith(';')) {
      assert.deepEqual(decodeHtml(`&${name}`, strict), { text: characters, remarks: [] })
      assert.deepEqual(decodeHtml(encodeHtml(characters, 'named'), strict).text, characters)
    }
  }
})

test('500 random texts: a browser reads them as html.unescape of Python does', t => {
  const parts = [
    '&',
    '#',
    'x',
    ';',
    'amp',
    'lt',
    'not',
    'in',
    'copy',
    '65',
    '128',
    'D800',
    '=',
    ' ',
    'é',
    'notin',
    '0',
    'GT',
  ]
  const cases = Array.from({ length: 500 }, () =>
    Array.from(randomBytes(12), byte => parts[byte % parts.length]).join(''),
  )
  let expected: string[]
  try {
    expected = python('[html.unescape(text) for text in question]', cases) as string[]
  } catch {
    return t.skip('no python3')
  }
  // Python leaves out what is no character, such as &#1;, which the standard only complains of.
  for (const [i, given] of cases.entries()) {
    const { text: read } = decodeHtml(given, text)
    if (/&#(?:x0*(?:[0-8be]|[01][0-9a-f]|7f|6512\d*)|0*(?:[0-8]|1[1-9]|2\d|3[01]|127))(?![0-9a-f])/i.test(given))
      continue
    assert.equal(read, expected[i], given)
  }
})

test('400 random texts go there and back in every mode', () => {
  for (let i = 0; i < 400; i++) {
    const given = Array.from(randomBytes(20), (byte, k) =>
      k % 3 ? String.fromCharCode(byte) : String.fromCodePoint(0x3000 + byte * 700),
    )
      .join('')
      .toWellFormed()
      .replace(/\p{Cc}/gu, '')
    for (const mode of htmlModes) assert.equal(decodeHtml(encodeHtml(given, mode), text).text, given, mode)
  }
})
