import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Action, type FileInput, performed, type Tool } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { type Bytes, toBase64, toHex } from '@assay/lib/bytes'
import { ascii85 } from './ascii85.ts'
import { base32 } from './base32.ts'
import { base58 } from './base58.ts'
import { base64 } from './base64.ts'
import { base91 } from './base91.ts'
import { hex } from './hex.ts'
import { htmlEntities } from './html-entities.ts'
import { punycode } from './punycode.ts'
import { quotedPrintable } from './quoted-printable.ts'
import { url } from './url.ts'
import { uuencode, xxencode } from './uuencode.ts'

function actionOf({ actions }: Tool, name: string): Action {
  const found = actions.find(action => action.name === name)
  assert.ok(found)
  return found
}

const encode = async (tool: Tool, input: Record<string, unknown>) =>
  (await performed(actionOf(tool, 'encode'), input, replay())).result as { encoded: string }
const decode = async (tool: Tool, input: Record<string, unknown>) =>
  (await performed(actionOf(tool, 'decode'), input, replay())).result as { decoded: string; output_format: string }

const vectors = [
  { tool: base64, ids: '[CTL-023] [CTL-024]', from: 'RFC 4648 §10', text: 'fooba', code: 'Zm9vYmE=' },
  { tool: base32, ids: '[CTL-025] [CTL-026]', from: 'RFC 4648 §10', text: 'fooba', code: 'MZXW6YTB' },
  { tool: hex, ids: '[CTL-035] [CTL-036]', from: 'RFC 4648 §10', text: 'fooba', code: '666f6f6261' },
  { tool: url, ids: '[CTL-037] [CTL-038]', from: 'RFC 3986 §2.5', text: '\u30a2', code: '%E3%82%A2' },
  {
    tool: base58,
    ids: '[CTL-027] [CTL-028]',
    from: 'CyberChef, Base58.mjs',
    text: 'hello world',
    code: 'StV1DL6CwTryKyV',
  },
  { tool: base91, ids: '[CTL-029] [CTL-030]', from: 'base91-python', text: 'test', code: 'fPNKd' },
  { tool: ascii85, ids: '[CTL-031] [CTL-032]', from: 'Python', text: 'Hello', code: '<~87cURDZ~>' },
  { tool: quotedPrintable, ids: '[CTL-041] [CTL-042]', from: 'RFC 2045 §6.7', text: 'é=\n', code: '=C3=A9=3D\n' },
  {
    tool: uuencode,
    ids: '[CTL-050]',
    from: 'GNU sharutils',
    text: 'Cat',
    code: 'begin 644 file.txt\n#0V%T\n`\nend\n',
  },
  {
    tool: xxencode,
    ids: '[CTL-051]',
    from: 'uuencode of GNU sharutils through tr',
    text: 'Cat',
    code: 'begin 644 file.txt\n1Eq3o\n+\nend\n',
  },
]
for (const { tool, ids, from, text, code } of vectors) {
  test(`${ids} ${from}: ${tool.id} encode and decode, and random bytes go there and back`, async () => {
    assert.equal((await encode(tool, { input_text: text })).encoded, code)
    assert.equal((await decode(tool, { input_text: code })).decoded, text)
    for (const length of [0, 1, 2, 3, 100]) {
      const bytes = toHex(new Uint8Array(randomBytes(length)))
      const { encoded } = await encode(tool, { input_text: bytes, input_format: 'Hex' })
      assert.equal((await decode(tool, { input_text: encoded, output_format: 'Hex' })).decoded, bytes)
    }
  })
}

test('[CTL-039] [CTL-040] HTML Standard §13.2.5.73: html-entities encode and decode', async () => {
  const { encoded } = await encode(htmlEntities, { input_text: '<é & "ü">', mode: 'named' })
  assert.equal(encoded, '&lt;&eacute; &amp; &quot;&uuml;&quot;&gt;')
  assert.equal((await decode(htmlEntities, { input_text: encoded })).decoded, '<é & "ü">')
})

test('[CTL-043] [CTL-044] RFC 3492 §7.1: punycode encode and decode', async () => {
  const mode = 'raw label'
  const { encoded } = await encode(punycode, { input_text: '3年B組金八先生', mode })
  assert.equal(encoded, '3B-ww4c5e180e575a65lsy2b')
  assert.equal((await decode(punycode, { input_text: encoded, mode })).decoded, '3年B組金八先生')
  const names = 'münchen.example\n\nbücher.example'
  const ascii = (await encode(punycode, { input_text: names })).encoded
  assert.equal(ascii, 'xn--mnchen-3ya.example\n\nxn--bcher-kva.example')
  assert.equal((await decode(punycode, { input_text: ascii })).decoded, names)
})

test('only the host of a web or mail address is converted, both ways', async () => {
  for (const [unicode, ascii] of [
    ['http://bücher.example/größe', 'http://xn--bcher-kva.example/größe'],
    ['https://ich:geheim@bücher.example:8443?q=ä#ö', 'https://ich:geheim@xn--bcher-kva.example:8443?q=ä#ö'],
    ['bücher.example:443', 'xn--bcher-kva.example:443'],
    ['bücher.example/a@b', 'xn--bcher-kva.example/a@b'],
    ['jürgen@bücher.example', 'jürgen@xn--bcher-kva.example'],
    ['bücher.example.', 'xn--bcher-kva.example.'],
  ] as const) {
    assert.equal((await encode(punycode, { input_text: unicode })).encoded, ascii)
    assert.equal((await decode(punycode, { input_text: ascii })).decoded, unicode)
    if (unicode.startsWith('http')) assert.equal(new URL(unicode).host, new URL(ascii).host)
  }
  for (const input_text of ['http://', '/größe', 'a@', 'http://a b/', 'ü@@b']) {
    await assert.rejects(encode(punycode, { input_text }), { name: 'Problem', field: 'input_text' }, input_text)
  }
})

test('the name of a file and its mode come out as they went in', async () => {
  const { encoded } = await encode(uuencode, { input_text: 'a', filename: 'my file', mode: '0755' })
  assert.deepEqual(((await decode(uuencode, { input_text: encoded })) as { details?: unknown }).details, {
    filename: 'my file',
    mode: '0755',
  })
})

test('text of another character set is shown as that', async () => {
  const { encoded } = await encode(quotedPrintable, { input_text: 'Größe', charset: 'ISO-8859-1' })
  assert.equal(encoded, 'Gr=F6=DFe')
  const { decoded, output_format } = await decode(quotedPrintable, { input_text: encoded, charset: 'ISO-8859-1' })
  assert.deepEqual([decoded, output_format], ['Größe', 'Latin-1'])
  assert.equal(
    (await decode(quotedPrintable, { input_text: encoded, charset: 'ISO-8859-1', output_format: 'Hex' })).decoded,
    '4772f6df65',
  )
})

test('what an encoder refuses is a problem of its field', async () => {
  for (const [tool, input, field, message] of [
    [base58, { input_text: 'a'.repeat(262_145) }, 'input_text', /^Text: expected at most 262144 bytes/],
    [
      ascii85,
      { input_text: 'abc', variant: 'RFC1924', address: 'yes' },
      'input_text',
      /^Text: expected an address of 16/,
    ],
    [quotedPrintable, { input_text: '€', charset: 'ISO-8859-1' }, 'input_text', /^Text: character 1 is not in Latin-1/],
    [htmlEntities, { input_text: 'ff', input_format: 'Hex' }, 'input_text', /^Text: the bytes are not valid UTF-8/],
    [uuencode, { mode: '999' }, 'mode', /^Mode: expected three or four octal digits/],
    [xxencode, { filename: 'a\nb' }, 'filename', /^File name: expected a name without control characters/],
    [punycode, { input_text: 'a..b' }, 'input_text', /^Names: label 2 is empty/],
    [punycode, { input_text: 'a\nb c' }, 'input_text', /^Names, line 2: label 1 holds white space/],
  ] as const) {
    await assert.rejects(encode(tool, input), { name: 'Problem', code: 'invalid-input', field, message })
  }
})

const fileOf = (bytes: Bytes, parts = 3): FileInput => ({
  name: 'some.bin',
  size: bytes.length,
  async *stream() {
    const step = Math.ceil(bytes.length / parts)
    for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step)
  },
})

test('a file stands in for the text, in both directions', async () => {
  const bytes = new Uint8Array(randomBytes(1000))
  const { encoded } = await encode(base64, { file: fileOf(bytes) })
  assert.equal(encoded, toBase64(bytes))
  const back = await decode(base64, { file: fileOf(new TextEncoder().encode(encoded)), output_format: 'Hex' })
  assert.equal(back.decoded, toHex(bytes))
})

test('a text and a file at once, and a file beyond the bound, are refused', async () => {
  const file = fileOf(Uint8Array.of(1, 2, 3))
  await assert.rejects(encode(base64, { input_text: 'a', file }), { name: 'Problem', field: 'file' })
  const endless: FileInput = {
    name: 'endless',
    async *stream() {
      for (;;) yield new Uint8Array(2 ** 20)
    },
  }
  await assert.rejects(encode(base64, { file: endless }), { message: 'File: expected at most 25 MiB.', field: 'file' })
})

test('text comes as text, other bytes in hexadecimal, and a chosen format is kept or refused', async () => {
  assert.deepEqual((await decode(base64, { input_text: 'w6k=' })).decoded, 'é')
  assert.deepEqual((await decode(base64, { input_text: '6Q==' })).decoded, 'e9')
  assert.deepEqual((await decode(base64, { input_text: '6Q==', output_format: 'Latin-1' })).decoded, 'é')
  await assert.rejects(decode(base64, { input_text: '6Q==', output_format: 'UTF-8' }), {
    message: 'Output format: the bytes are not valid UTF-8 text.',
    field: 'output_format',
  })
})

test('what is wrong with a text is a problem of its field, with the place', async () => {
  for (const [tool, input, message, field] of [
    [base64, { input_text: 'Zm9v!' }, 'Base64 text: character 5 is not in this Base64 alphabet.', 'input_text'],
    [base32, { input_text: 'M8' }, 'Base32 text: character 2 is not in this Base32 alphabet.', 'input_text'],
    [hex, { input_text: '4a 6' }, /^Hex text: the digits from character 4 on/, 'input_text'],
    [url, { input_text: '5%', strict: 'yes' }, /^URL text: the percent sign at character 2/, 'input_text'],
    [base64, { alphabet: 'custom', custom_alphabet: 'abc' }, /^Custom alphabet: expected 64/, 'custom_alphabet'],
  ] as const) {
    await assert.rejects(decode(tool, input), { name: 'Problem', code: 'invalid-input', message, field })
  }
})

test('an image that was decoded is shown and can be saved, and so can other bytes', async () => {
  // The smallest GIF that browsers take, from the signature on.
  const gif = 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='
  const action = actionOf(base64, 'decode')
  const { result, input } = await performed(action, { input_text: gif }, replay())
  const kinds = action.show?.(result, input).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['image', 'code', 'facts', 'file'])
  const text = await performed(action, { input_text: 'Zm9v' }, replay())
  assert.deepEqual(
    action.show?.(text.result, text.input).map(({ kind }) => kind),
    ['code', 'facts'],
  )
})

test('a long text is offered as a file', async () => {
  const action = actionOf(base64, 'encode')
  const { result, input } = await performed(action, { file: fileOf(new Uint8Array(300_000)) }, replay())
  assert.deepEqual(
    action.show?.(result, input).map(({ kind }) => kind),
    ['file', 'code', 'facts'],
  )
})
