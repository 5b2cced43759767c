import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, fromUtf8, toBase64, toHex } from '../bytes.ts'
import { checkFilename, checkMode, decodeLines, encodeLines, type LineCode, lineCodes } from './uuencode.ts'

const head = { filename: 'cat.txt', mode: '644' }
const encode = (text: string, code: LineCode = 'uuencode') => encodeLines(fromUtf8(text), code, head)
const decode = (text: string, code: LineCode = 'uuencode', strict = false) => decodeLines(text, code, strict)

test('POSIX uuencode, as GNU sharutils write it', () => {
  assert.equal(encode('Cat'), 'begin 644 cat.txt\n#0V%T\n`\nend\n')
  assert.equal(encode(''), 'begin 644 cat.txt\n`\nend\n')
  assert.deepEqual(decode('begin 644 cat.txt\n#0V%T\n`\nend\n', 'uuencode', true), {
    bytes: fromUtf8('Cat'),
    head,
    remarks: [],
  })
})

test('Wikipedia, Uuencoding: a line of a whole address', () => {
  const code = "begin 644 wikipedia-url.txt\n::'1T<#HO+W=W=RYW:6MI<&5D:6$N;W)G#0H`\n`\nend\n"
  assert.deepEqual(decode(code).bytes, fromUtf8('http://www.wikipedia.org\r\n'))
  assert.equal(
    encodeLines(fromUtf8('http://www.wikipedia.org\r\n'), 'uuencode', { filename: 'wikipedia-url.txt', mode: '644' }),
    code,
  )
})

test('Wikipedia, Xxencoding: the same in the other alphabet', () => {
  const code = 'begin 644 wikipedia-url.txt\nOO5FoQ1cj9rRrRmtrOKhdQ4JYOK2iPr7b1Ec+\n+\nend\n'
  const file = { filename: 'wikipedia-url.txt', mode: '644' }
  assert.equal(encodeLines(fromUtf8('http://www.wikipedia.org\r\n'), 'xxencode', file), code)
  assert.deepEqual(decode(code, 'xxencode', true), {
    bytes: fromUtf8('http://www.wikipedia.org\r\n'),
    head: file,
    remarks: [],
  })
})

test('every length goes there and back in both, strictly', () => {
  for (const code of lineCodes) {
    for (let length = 0; length < 140; length++) {
      const bytes = length % 3 ? new Uint8Array(randomBytes(length)) : new Uint8Array(length)
      assert.deepEqual(decodeLines(encodeLines(bytes, code, head), code, true), { bytes, head, remarks: [] })
      assert.deepEqual(decodeLines(encodeLines(bytes, code, head).replaceAll('\n', '\r\n'), code, false).bytes, bytes)
    }
  }
})

test('300 random byte strings: the lines of binascii of Python, and what it reads', t => {
  const cases = Array.from({ length: 300 }, (_, i): Bytes => {
    const bytes = new Uint8Array(randomBytes(i % 120))
    return i % 4 ? bytes : bytes.fill(0, 0, 60)
  })
  const script = `import sys, json, base64, binascii
out = []
for raw in map(base64.b64decode, json.load(sys.stdin)):
    lines = [binascii.b2a_uu(raw[i:i+45], backtick=True).decode() for i in range(0, len(raw), 45)]
    spaces = [binascii.b2a_uu(raw[i:i+45]).decode() for i in range(0, len(raw), 45)]
    out.append([''.join(lines), ''.join(spaces)])
print(json.dumps(out))`
  let output: [string, string][]
  try {
    const input = JSON.stringify(cases.map(toBase64))
    output = JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, [graves, spaces]] of output.entries()) {
    const bytes = cases[i] ?? fromHex('')
    assert.equal(encodeLines(bytes, 'uuencode', head), `begin 644 cat.txt\n${graves}\`\nend\n`)
    const digits = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const xx = graves.replace(/[!-`]/g, sign => digits.charAt((sign.charCodeAt(0) - 32) & 63))
    assert.equal(encodeLines(bytes, 'xxencode', head), `begin 644 cat.txt\n${xx}+\nend\n`)
    assert.deepEqual(decode(`begin 644 x\n${spaces} \nend\n`, 'uuencode', true).bytes, bytes)
    assert.deepEqual(decode(spaces).bytes, bytes, 'without head and end')
    const lost = spaces.replace(/ +$/gm, '')
    if (!/^$/m.test(lost.slice(0, -1)))
      assert.deepEqual(decode(`begin 644 x\n${lost}\nend\n`).bytes, bytes, 'blanks lost')
  }
})

test('40 random files: uudecode of GNU sharutils reads them, and this reads uuencode and uuencode -m', t => {
  const run = (command: string, args: string[], input: Uint8Array | string) =>
    execFileSync(command, args, { input, stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    run('uuencode', ['x'], 'a')
  } catch {
    return t.skip('no sharutils')
  }
  for (let i = 0; i < 40; i++) {
    const bytes = new Uint8Array(randomBytes(i * 7))
    assert.equal(toHex(run('uudecode', ['-o', '/dev/stdout'], encodeLines(bytes, 'uuencode', head))), toHex(bytes))
    const plain = String(run('uuencode', ['some name'], bytes))
    assert.deepEqual(decode(plain, 'uuencode', true), {
      bytes,
      head: { filename: 'some name', mode: '644' },
      remarks: [],
    })
    assert.deepEqual(decode(String(run('uuencode', ['-m', 'x'], bytes)), 'uuencode', true).bytes, bytes)
  }
})

test('lenient reading takes what mail made of it, and says so', () => {
  for (const [text, remark] of [
    ['Hello,\n\nbegin 644 a\n#0V%T\n`\nend\n', 'Lines before the file were passed over.'],
    ['begin 644 a\n#0V%T\n`\nend\n-- \nMe', 'Lines after the file were passed over.'],
    ['begin 644 a\n#0V%T\n', 'The line end is missing, so the file may be cut off.'],
    ['begin 644 a\n#0V%T\nend\n', 'The line of no bytes before the line end is missing.'],
    ['#0V%T', 'The line begin is missing, so the name of the file is not known.'],
    ['begin 644 a\n#0V%TX\n`\nend', 'A character after the digits of a line was passed over; such lines: 1.'],
    ['begin 644 a\n#0V%T\n`\nend\nbegin 644 b\n', 'Another file begins after this one; only the first was read.'],
  ] as const) {
    const { bytes, remarks } = decode(text)
    assert.deepEqual([toHex(bytes), remarks], ['436174', [remark]], text)
    assert.throws(() => decode(text, 'uuencode', true), RangeError, text)
  }
  assert.deepEqual(decode('begin 644 a\n#\n\nend\n').bytes, new Uint8Array(3), 'three NULs as lost blanks')
})

test('refusals say at which character and why', () => {
  for (const [text, code, reason] of [
    ['begin 644 a\n#0V%a\n', 'uuencode', /character 17 is not in the alphabet of uuencode/],
    ['begin 644 a\né\n', 'uuencode', /character 13 is not in/],
    ['begin 644 a\n#0V%T0V%T\n', 'uuencode', /the line at character 13 has 8 digits in place of 4/],
    ['begin 644 a\n1k\n', 'xxencode', /the line at character 13 has 1 digits, and its bytes take 4/],
    ['begin 644 a\n1k*k3\n', 'xxencode', /character 15 is not in the alphabet of xxencode/],
    ['begin 644 a\n`\n#0V%T\nend', 'uuencode', /the line at character 15 should be end/],
    ['=ybegin line=128 size=1 name=a', 'uuencode', /this is yEnc/],
    ['begin-base64 644 a\nQ2F0\n====\n', 'xxencode', /begin-base64 is a form of uuencode/],
    ['begin-base64 644 a\nQ2F\u00e9\n====\n', 'uuencode', /character 4 is not in this Base64 alphabet/],
  ] as const) {
    assert.throws(() => decode(text, code), { name: 'RangeError', message: reason }, text)
  }
  assert.throws(() => decode('begin 644 a\n"0V%T\n`\nend\n', 'uuencode', true), /ends with bits that belong to no byte/)
  for (const mode of ['', '8', '648', '12345', 'rw-']) assert.throws(() => checkMode(mode), /octal digits such as 644/)
  for (const name of ['', ' ', 'a\nb']) assert.throws(() => checkFilename(name), /without control characters/)
})
