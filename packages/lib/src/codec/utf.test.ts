import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, toBase64, toHex } from '../bytes.ts'
import { decodeUtf, encodeUtf, MAX_TOLD, type UtfName, utfNames } from './utf.ts'

test('Unicode Standard §3.9, table 3-4 and §3.10, table 3-8: one character of each length', () => {
  for (const [text, ...hex] of [
    ['M', '4d', '4d00', '004d', '4d000000', '0000004d'],
    ['\u0430', 'd0b0', '3004', '0430', '30040000', '00000430'],
    ['\u4e8c', 'e4ba8c', '8c4e', '4e8c', '8c4e0000', '00004e8c'],
    ['\u{10302}', 'f0908c82', '00d802df', 'd800df02', '02030100', '00010302'],
  ] as const) {
    for (const [i, name] of utfNames.entries()) {
      assert.equal(toHex(encodeUtf(text, name, false)), hex[i])
      assert.deepEqual(decodeUtf(fromHex(hex[i] ?? ''), name), { text, malformed: [], count: 0, byteOrderMark: false })
    }
  }
})

test('Unicode Standard §3.10: the byte order mark of each encoding, written and taken off', () => {
  for (const [i, mark] of ['efbbbf', 'fffe', 'feff', 'fffe0000', '0000feff'].entries()) {
    const name = utfNames[i] ?? 'UTF-8'
    const bytes = encodeUtf('a', name, true)
    assert.equal(toHex(bytes).slice(0, mark.length), mark)
    assert.deepEqual(decodeUtf(bytes, name), { text: 'a', malformed: [], count: 0, byteOrderMark: true })
  }
})

const faults = (hex: string, name: UtfName = 'UTF-8') =>
  decodeUtf(fromHex(hex), name).malformed.map(({ offset, bytes, reason }) => `${offset} ${bytes}: ${reason}`)

test('Unicode Standard §3.9, tables 3-8 to 3-11: maximal subparts', () => {
  for (const [hex, replaced] of [
    ['c0afe080bff0818241', `${'\ufffd'.repeat(8)}A`],
    ['eda080edbfbfedaf41', `${'\ufffd'.repeat(8)}A`],
    ['f4919293ff4180bf42', `${'\ufffd'.repeat(5)}A\ufffd\ufffdB`],
    ['e180e2f09192f1bf41', '\ufffd\ufffd\ufffd\ufffdA'],
  ] as const) {
    const { text, count } = decodeUtf(fromHex(hex), 'UTF-8')
    assert.equal(text, replaced)
    assert.equal(count, replaced.split('\ufffd').length - 1)
  }
})

test('what is wrong is told with its offset, its bytes and the reason', () => {
  assert.deepEqual(faults('41c3'), ['1 c3: cut off at the end'])
  assert.deepEqual(faults('c341'), ['0 c3: cut off by the byte after it'])
  assert.deepEqual(faults('80'), ['0 80: a continuation byte with no first byte'])
  assert.deepEqual(faults('c0'), ['0 c0: an overlong form of an ASCII character'])
  assert.deepEqual(faults('f5'), ['0 f5: a code point beyond U+10FFFF'])
  assert.deepEqual(faults('ff'), ['0 ff: a byte that UTF-8 never has'])
  assert.equal(faults('eda080')[0], '0 ed: half of a surrogate pair')
  assert.equal(faults('e08080')[0], '0 e0: an overlong form')
  assert.equal(faults('f4908080')[0], '0 f4: a code point beyond U+10FFFF')
  assert.deepEqual(faults('e282'), ['0 e282: cut off at the end'])
  assert.deepEqual(faults('d8000041', 'UTF-16BE'), ['0 d800: a high surrogate without the low one'])
  assert.deepEqual(faults('00dc41', 'UTF-16LE'), [
    '0 00dc: a low surrogate without the high one',
    '2 41: cut off at the end',
  ])
  assert.deepEqual(faults('0000d800001100000041', 'UTF-32BE'), [
    '0 0000d800: half of a surrogate pair',
    '4 00110000: a code point beyond U+10FFFF',
    '8 0041: cut off at the end',
  ])
})

test('many faults are counted, and the first are told', () => {
  const { malformed, count } = decodeUtf(new Uint8Array(1000).fill(255), 'UTF-8')
  assert.equal(count, 1000)
  assert.equal(malformed.length, MAX_TOLD)
})

test('half of a surrogate pair cannot be encoded', () => {
  for (const name of utfNames) {
    assert.throws(() => encodeUtf('ab\ud800c', name, false), {
      name: 'RangeError',
      message: `character 3 is half of a surrogate pair, which ${name} cannot carry`,
    })
  }
})

test('400 random byte strings in each encoding: the faults are where the platform puts U+FFFD', () => {
  const units = [
    '41',
    'c3',
    'a9',
    'e2',
    '82',
    'ac',
    'f0',
    '9f',
    '98',
    '80',
    'ed',
    'a0',
    'f4',
    '90',
    'd8',
    'dc',
    '00',
    'ff',
  ]
  for (let i = 0; i < 400; i++) {
    const bytes = fromHex(Array.from(randomBytes(i % 24), byte => units[byte % units.length]).join(''))
    for (const name of ['UTF-8', 'UTF-16LE', 'UTF-16BE'] as const) {
      const { text, count } = decodeUtf(bytes, name)
      assert.equal(text, new TextDecoder(name).decode(bytes))
      assert.equal(count, text.split('\ufffd').length - 1, `${name} ${toHex(bytes)}`)
    }
  }
})

test('300 random texts: the bytes that Python gives, and back', t => {
  const cases = Array.from({ length: 300 }, (_, i) =>
    Array.from(randomBytes(i % 30), (byte, k) => String.fromCodePoint([byte, byte * 40, byte * 4100][k % 3] ?? 0))
      .join('')
      .toWellFormed()
      .replaceAll('\ufffd', 'x'),
  )
  const script = `import sys, json
print(json.dumps([[text.encode(name.lower()).hex() for name in ${JSON.stringify(utfNames)}] for text in json.load(sys.stdin)]))`
  let expected: string[][]
  try {
    expected = JSON.parse(execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, text] of cases.entries()) {
    for (const [k, name] of utfNames.entries()) {
      const bytes = encodeUtf(text, name, false)
      assert.equal(toHex(bytes), expected[i]?.[k])
      assert.deepEqual(decodeUtf(bytes, name), { text, malformed: [], count: 0, byteOrderMark: false })
    }
  }
})

test('300 random byte strings of UTF-32: Python reads and refuses the same', t => {
  const cases = Array.from({ length: 300 }, (_, i): Bytes => {
    const bytes = new Uint8Array(randomBytes(4 + 4 * (i % 3) + (i % 5 ? 0 : 1)))
    for (let k = 0; k + 4 <= bytes.length; k += 4) bytes.set([0, (bytes[k + 1] ?? 0) % (i % 2 ? 17 : 20)], k)
    return bytes
  })
  const script = `import sys, json, base64
def read(raw):
    try: return raw.decode('utf-32-be').encode().hex()
    except ValueError: return None
print(json.dumps([read(base64.b64decode(raw)) for raw in json.load(sys.stdin)]))`
  let expected: (string | null)[]
  try {
    const input = JSON.stringify(cases.map(toBase64))
    expected = JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, bytes] of cases.entries()) {
    const { text, count } = decodeUtf(bytes, 'UTF-32BE')
    assert.equal(count > 0, expected[i] === null, toHex(bytes))
    if (!count) assert.equal(toHex(new TextEncoder().encode(text)), expected[i])
  }
})
