import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../bytes.ts'
import { decodeQuotedPrintable, encodeQuotedPrintable, type LineBreaks, lineBreakModes } from './quoted-printable.ts'

const encode = (text: string, lineBreaks: LineBreaks = 'CRLF', lineLength = 76) =>
  encodeQuotedPrintable(fromUtf8(text), { lineLength, lineBreaks })
const decode = (text: string, strict = false) => toUtf8(decodeQuotedPrintable(text, 'UTF-8', strict).bytes)

test('RFC 2045 §6.7: the example of a soft line break', () => {
  const folk = "Now's the time =\r\nfor all folk to come=\r\n to the aid of their country."
  assert.equal(decode(folk, true), "Now's the time for all folk to come to the aid of their country.")
  assert.equal(decode(folk.replaceAll('\r\n', '\n')), decode(folk))
})

test('RFC 2045 §6.7 rules 1 and 2: form feed is =0C and the equals sign =3D', () => {
  assert.equal(encode('\f=a~!'), '=0C=3Da~!')
  assert.equal(encode('\u007f\u0000é'), '=7F=00=C3=A9')
})

test('RFC 2045 §6.7 rule 3: a blank at the end of a line is escaped', () => {
  assert.equal(encode('a \r\nb\t\r\n \t '), 'a=20\r\nb=09\r\n \t=20')
  assert.equal(encode('a b\tc'), 'a b\tc')
})

test('RFC 2045 §6.7 rule 3: white space that a transport added is dropped', () => {
  assert.equal(decode('a \t\r\nb=20 \r\nc= \r\nd '), 'a\r\nb \r\ncd')
  assert.deepEqual(decodeQuotedPrintable('a \r\nb \r\n', 'UTF-8', false).remarks, [
    'At character 2 and 1 more: white space at the end of a line, dropped.',
  ])
})

test('RFC 2045 §6.7 rule 4: line breaks as they are, as CRLF, or as bytes', () => {
  assert.deepEqual(
    lineBreakModes.map(mode => encode('a\nb\r\nc\rd', mode)),
    ['a\nb\r\nc=0Dd', 'a\r\nb\r\nc=0Dd', 'a=0Ab=0D=0Ac=0Dd'],
  )
})

test('RFC 2045 §6.7 rule 5: lines are no longer than 76 characters, and no escape is cut', () => {
  assert.equal(encode('a'.repeat(76)), 'a'.repeat(76))
  assert.equal(encode('a'.repeat(77)), `${'a'.repeat(75)}=\r\naa`)
  assert.equal(encode(`${'a'.repeat(73)}é`), `${'a'.repeat(72)}a=\r\n=C3=A9`)
  assert.equal(encode(`${'a'.repeat(75)} \r\n`), `${'a'.repeat(75)}=\r\n=20\r\n`)
  assert.equal(encode('abcdé', 'CRLF', 4), 'abc=\r\nd=\r\n=C3=\r\n=A9')
  assert.equal(encode(`${'a'.repeat(100)}\nb`, 'as in the text'), `${'a'.repeat(75)}=\n${'a'.repeat(25)}\nb`)
  for (let length = 4; length < 90; length++) {
    const text = Array.from(randomBytes(300), byte => ' aé=\t\n😀b'.charAt(byte % 8))
      .join('')
      .toWellFormed()
    const code = encode(text, 'as in the text', length)
    assert.ok(
      code.split(/\r?\n/).every(line => line.length <= length),
      code,
    )
    assert.equal(decode(code), text)
  }
})

test('the characters of another set', () => {
  assert.deepEqual(decodeQuotedPrintable('caf=E9', 'ISO-8859-1', true).bytes, fromHex('636166e9'))
  assert.deepEqual(decodeQuotedPrintable('café', 'ISO-8859-1', false).bytes, fromHex('636166e9'))
  assert.deepEqual(decodeQuotedPrintable('café', 'UTF-8', false).bytes, fromUtf8('café'))
  assert.throws(() => decodeQuotedPrintable('€', 'ISO-8859-1', false), /character 1 is not in Latin-1/)
})

test('lenient reading does what §6.7 asks of a robust reader, and says so', () => {
  for (const [code, text, remark] of [
    ['=e9=E9', '', /^At character 1: small letters in an escape\.$/],
    ['é=XY', 'é=XY', /an equals sign before neither/],
    ['a=4', 'a=4', /^At character 2: an equals sign before neither/],
    ['ab=', 'ab', /^At character 3: a soft line break at the end of the text\.$/],
    ['a\u0001b', 'a\u0001b', /a character that should have been escaped, taken as it is/],
    ['a\rb', 'a\rb', /^At character 2: a character that should have been escaped/],
    ['a'.repeat(77), 'a'.repeat(77), /^At character 1: a line of more than 76 characters\.$/],
  ] as const) {
    const decoded = decodeQuotedPrintable(code, 'UTF-8', false)
    if (text) assert.equal(toUtf8(decoded.bytes), text)
    assert.match(decoded.remarks.at(-1) ?? '', remark)
    assert.throws(() => decodeQuotedPrintable(code, 'UTF-8', true), {
      name: 'RangeError',
      message: /^at character \d+: /,
    })
  }
  assert.throws(() => decodeQuotedPrintable('é=XY', 'UTF-8', true), /^RangeError: at character 1: a character that/)
  assert.throws(() => decodeQuotedPrintable('a = \r\nb', 'UTF-8', true), /at character 4: white space at the end/)
})

/** Asks Python what it makes of byte strings. */
function python(expression: string, cases: readonly Bytes[]): string[] {
  const script = `import sys, json, base64, binascii, quopri
print(json.dumps([(${expression}).hex() for raw in map(base64.b64decode, json.load(sys.stdin))]))`
  const input = JSON.stringify(cases.map(toBase64))
  return JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
}

test('300 random byte strings: Python reads what is written here, and this what Python writes', t => {
  const cases = Array.from({ length: 300 }, (_, i): Bytes => {
    const bytes = new Uint8Array(randomBytes(i))
    return i % 2 ? bytes : bytes.map(byte => ' \t\n=.aAbéZ'.charCodeAt(byte % 10))
  })
  const codes = cases.map(bytes =>
    fromUtf8(encodeQuotedPrintable(bytes, { lineLength: 76, lineBreaks: 'as in the text' })),
  )
  let [written, read]: [string[], string[]] = [[], []]
  try {
    written = python('quopri.encodestring(raw)', cases)
    read = python('quopri.decodestring(raw)', codes)
  } catch {
    return t.skip('no python3')
  }
  for (const [i, bytes] of cases.entries()) {
    assert.equal(read[i], toHex(bytes))
    // Python makes all line breaks of a text like the first.
    const code = toUtf8(fromHex(written[i] ?? ''))
    if (!toHex(bytes).includes('0d0a')) {
      assert.equal(toHex(decodeQuotedPrintable(code, 'UTF-8', false).bytes), toHex(bytes), code)
    }
    assert.deepEqual(decodeQuotedPrintable(toUtf8(codes[i] ?? fromHex('')), 'UTF-8', true), { bytes, remarks: [] })
    const asBytes = encodeQuotedPrintable(bytes, { lineLength: 60, lineBreaks: 'as bytes' })
    assert.deepEqual(decodeQuotedPrintable(asBytes, 'UTF-8', true), { bytes, remarks: [] })
  }
})

test('500 random texts: the same bytes as quopri of Python, malformed escapes included', t => {
  const parts = ['=', '=4', '=41', '=zz', ' ', '\t', '\n', '=\n', '= \n', 'a', '=3D', '=0A', '.', '==']
  const texts = Array.from({ length: 500 }, () =>
    Array.from(randomBytes(12), byte => parts[byte % parts.length]).join(''),
  )
  let read: string[]
  try {
    read = python('quopri.decodestring(raw)', texts.map(fromUtf8))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, text] of texts.entries()) {
    // Python drops all to the end of the line after "= ", reads == as =, and keeps blanks at the ends of lines.
    if (/=[ \t]|==|[ \t]+(?=\n|$)|=$|=.?$/.test(text)) continue
    assert.equal(toHex(decodeQuotedPrintable(text, 'UTF-8', false).bytes), read[i], JSON.stringify(text))
  }
})
