import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import {
  type BitwiseOperation,
  bitwiseOperations,
  joinWords,
  operate,
  readOperand,
  signedWord,
  toWords,
  widened,
  widthOf,
  wordDigits,
} from './bitwise.ts'

const words = (text: string, format: 'Decimal' | 'Hex' | 'Binary' | 'UTF-8', width?: number) => {
  const operand = readOperand(text, format)
  return toWords(operand, width ?? widthOf([operand], format))
}

test('random words of 8 to 64 bits: every operation as Python computes it', () => {
  const cases = Array.from({ length: 400 }, (_, i) => {
    const width = [8, 16, 32, 64][i % 4] ?? 8
    const operation: BitwiseOperation = bitwiseOperations[i % bitwiseOperations.length] ?? 'AND'
    const number = () => randomBytes(width / 8).toString('hex')
    return { operation, width, a: number(), b: number(), n: randomInt(2 * width) }
  })
  const script = `
import json, sys
out = []
for c in json.load(sys.stdin):
    a, b, n, w, o = int(c['a'], 16), int(c['b'], 16), c['n'], c['width'], c['operation']
    m = 2**w - 1
    r = n % w
    out.append(format({'AND': a & b, 'OR': a | b, 'XOR': a ^ b, 'NOT': ~a & m, 'NAND': ~(a & b) & m,
      'NOR': ~(a | b) & m, 'SHL': (a << n) & m, 'SHR': a >> n, 'ROL': ((a << r) | (a >> (w - r))) & m,
      'ROR': ((a >> r) | (a << (w - r))) & m}[o], '0%dx' % (w // 4)))
print(json.dumps(out))`
  const expected: string[] = JSON.parse(
    execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }),
  )
  const found = cases.map(({ operation, width, a, b, n }) => {
    const [word = 0n] = operate(operation, words(a, 'Hex', width), words(b, 'Hex', width), n).words
    return wordDigits(word, width, 16)
  })
  assert.deepEqual(found, expected)
})

test('digits are cut into words from the right, and decimal numbers are a word each', () => {
  assert.deepEqual(words('123', 'Hex', 8), { words: [1n, 0x23n], width: 8 })
  assert.deepEqual(words('0x61 62:63_31', 'Hex', 16), { words: [0x6162n, 0x6331n], width: 16 })
  assert.deepEqual(words('0b1 0000 0001', 'Binary', 8), { words: [1n, 1n], width: 8 })
  assert.deepEqual(words('1, -1 255 -128', 'Decimal', 8), { words: [1n, 255n, 255n, 128n], width: 8 })
  assert.deepEqual(words('é', 'UTF-8', 8), { words: [0xc3n, 0xa9n], width: 8 })
})

test('hexadecimal in a list is a row of bytes when all are bytes, else a row of numbers', () => {
  for (const text of ['0x61, 0x62', '0x61 0x62', '61,62', '61;62', '\\x61\\x62']) {
    assert.deepEqual(words(text, 'Hex', 16), { words: [0x6162n], width: 16 }, text)
    assert.deepEqual(words(text, 'Hex', 8), { words: [0x61n, 0x62n], width: 8 }, text)
    assert.equal(words(text, 'Hex').width, 16, text)
  }
  for (const text of ['0x1, 0x23', '0x1 0x23', '1,23', '1; 23']) {
    assert.deepEqual(words(text, 'Hex', 16), { words: [1n, 0x23n], width: 16 }, text)
  }
  assert.deepEqual(words('0x1234, 0x5', 'Hex', 8), { words: [0x12n, 0x34n, 5n], width: 8 })
  assert.deepEqual(words('0x1 0000 0001', 'Hex', 8), { words: [1n, 0n, 0n, 0n, 1n], width: 8 })
  assert.deepEqual(words('1;2', 'Decimal', 8), { words: [1n, 2n], width: 8 })
  for (const text of ['-2a', '61-62', 'a0x41', 'x41', '%61']) {
    assert.throws(() => readOperand(text, 'Hex'), { name: 'RangeError', message: 'expected hexadecimal digits' }, text)
  }
})

test('any width is that of the digits, of a decimal number whole bytes', () => {
  for (const [text, format, width] of [
    ['0001', 'Binary', 4],
    ['00f', 'Hex', 12],
    ['0', 'Decimal', 8],
    ['255', 'Decimal', 8],
    ['256', 'Decimal', 16],
    ['-128', 'Decimal', 8],
    ['-129', 'Decimal', 16],
    ['ab', 'UTF-8', 16],
  ] as const) {
    assert.equal(words(text, format).width, width, text)
  }
  assert.equal(widthOf([readOperand('-1', 'Decimal'), readOperand('256', 'Decimal')], 'Decimal'), 16)
  assert.deepEqual(words('', 'Hex').words, [])
})

test('joined, widened and signed', () => {
  assert.deepEqual(joinWords(words('0102', 'Hex', 8)), { words: [0x102n], width: 16 })
  assert.equal(widened(words('80', 'Hex'), 1, 'Hex').width, 12)
  assert.equal(widened(words('01', 'Hex'), 7, 'Hex').width, 8)
  assert.equal(signedWord(0xffn, 8), -1n)
  assert.equal(signedWord(0x7fn, 8), 127n)
})

test('what is no number of its format, too large for its width or too long is refused', () => {
  for (const [text, format, width, message] of [
    ['fg', 'Hex', 8, /hexadecimal digits/],
    ['-ff', 'Hex', 8, /hexadecimal digits/],
    ['012', 'Binary', 8, /digits 0 and 1/],
    ['1.5', 'Decimal', 8, /whole numbers/],
    ['0x10', 'Decimal', 8, /whole numbers/],
    ['256', 'Decimal', 8, /from -2\^7 to 2\^8 - 1/],
    ['-129', 'Decimal', 8, /from -2\^7/],
    ['\ud800', 'UTF-8', 8, /surrogate/],
    ['00'.repeat(65_537), 'Hex', 8, /at most 65536 bytes/],
    ['9'.repeat(5001), 'Decimal', 8, /at most 5000 digits/],
    ['1 '.repeat(65_537), 'Decimal', 8, /at most 65536 numbers/],
  ] as const) {
    assert.throws(() => words(text, format, width), { name: 'RangeError', message }, text.slice(0, 20))
  }
})
