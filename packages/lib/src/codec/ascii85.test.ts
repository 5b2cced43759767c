import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, fromUtf8, toHex, toUtf8 } from '../bytes.ts'
import { type Ascii85Variant, ascii85Variants, decodeAscii85, encodeAscii85 } from './ascii85.ts'

const of = (variant: Ascii85Variant) => ({ variant, address: false })
const address = { variant: 'RFC1924', address: true } as const
const encode = (text: string, variant: Ascii85Variant) => encodeAscii85(fromUtf8(text), of(variant))
const decode = (text: string, variant: Ascii85Variant, strict = false) => decodeAscii85(text, of(variant), strict)

/** The example of Wikipedia, which CyberChef, Base85.mjs has too. */
const HOBBES =
  'Man is distinguished, not only by his reason, but by this singular passion from other animals, which is a lust of the mind, that by a perseverance of delight in the continued and indefatigable generation of knowledge, exceeds the short vehemence of any carnal pleasure.'
const HOBBES_85 =
  "9jqo^BlbD-BleB1DJ+*+F(f,q/0JhKF<GL>Cj@.4Gp$d7F!,L7@<6@)/0JDEF<G%<+EV:2F!,O<DJ+*.@<*K0@<6L(Df-\\0Ec5e;DffZ(EZee.Bl.9pF\"AGXBPCsi+DGm>@3BB/F*&OCAfu2/AKYi(DIb:@FD,*)+C]U=@3BN#EcYf8ATD3s@q?d$AftVqCh[NqF<G:8+EV:.+Cf>-FD5W8ARlolDIal(DId<j@<?3r@:F%a+D58'ATD4$Bl@l3De:,-DJs`8ARoFb/0JMK@qB4^F!,R<AKZ&-DfTqBG%G>uD.RTpAKYo'+CT/5+Cei#DII?(E,9)oF*2M7/c"

test('CyberChef, Base85.mjs: the sentence of Hobbes, plain and in the marks of Adobe', () => {
  assert.equal(encode(HOBBES, 'plain'), HOBBES_85)
  assert.equal(encode(HOBBES, 'Adobe'), `<~${HOBBES_85}~>`)
  assert.equal(toUtf8(decode(`${HOBBES_85}\n`, 'plain').bytes), HOBBES)
  assert.equal(toUtf8(decode(` <~${HOBBES_85}\n~\n> `, 'Adobe').bytes), HOBBES)
  assert.throws(() => decode(`${HOBBES_85}v`, 'plain'), /character 338 is not in this Ascii85 alphabet/)
})

test('CyberChef, Base85.mjs: two groups of zeros and all bytes', () => {
  const bytes = Uint8Array.from({ length: 264 }, (_, i) => Math.max(0, i - 8))
  const code = encodeAscii85(bytes, of('plain'))
  assert.match(code, /^zz!!\*-'"9eu7#RLhG\$k3\[W&\.oNg'GVB"\(`=52\*\$\$\(B/)
  assert.deepEqual(decode(code, 'plain', true).bytes, bytes)
})

test('published outputs: base85 for PHP and the encoding list of holacaracola', () => {
  assert.equal(encode('This is a string', 'Adobe'), '<~<+oue+DGm>@3BW5EbTE(~>')
  assert.equal(
    encode('This is a string', 'btoa'),
    'xbtoa Begin\n<+oue+DGm>@3BW5EbTE(\nxbtoa End N 16 10 E 68 S 5dc R 5c4e97\n',
  )
  const holacaracola = 'xbtoa Begin\nBQ%]q@psCd@rH0l\nxbtoa End N 12 c E 1a S 4e6 R 6991d'
  assert.equal(encode('holacaracola', 'btoa'), `${holacaracola}\n`)
  assert.equal(toUtf8(decode(holacaracola, 'btoa').bytes), 'holacaracola')
})

test('sums of programs with registers of 64 bits, or without the filling, are read too', () => {
  const wide = 'xbtoa Begin\n6#LU_BOu3,FCfN8+Cei$AKZ22FD)d>y+<Y`E@:Nki\nxbtoa End N 36 24 E 7c S bec R WIDE'
  const rot = fromUtf8('Another test case with        spaces').reduce(
    (sum, byte) => (sum << 1n) + ((sum >> 31n) & 1n) + BigInt(byte),
    0n,
  )
  assert.ok(rot >> 32n)
  assert.equal(
    toUtf8(decode(wide.replace('WIDE', BigInt.asUintN(64, rot).toString(16)), 'btoa').bytes),
    'Another test case with        spaces',
  )
  const bare = 'xbtoa Begin\n87cURDZBb;\nxbtoa End N 5 5 E 42 S 1f9 R a9f'
  assert.equal(toUtf8(decode(bare, 'btoa').bytes), 'Hello')
  assert.throws(() => decode(bare, 'btoa', true), /the sums in the last line do not fit/)
})

test('btoa 4: z for zeros, y for spaces, lines of 78, and sums that include the filling', () => {
  assert.equal(
    encodeAscii85(fromHex('0000000020202020ff'), of('btoa')),
    'xbtoa Begin\nzyrr<$!\nxbtoa End N 9 9 E ff S 18b R 20303fe7\n'.replace(
      'S 18b R 20303fe7',
      sumsOf('0000000020202020ff000000'),
    ),
  )
  const long = encodeAscii85(new Uint8Array(200).fill(65), of('btoa')).split('\n')
  assert.deepEqual(
    long.slice(1, 5).map(line => line.length),
    [78, 78, 78, 16],
  )
  for (let length = 0; length < 50; length++) {
    const bytes = new Uint8Array(randomBytes(length))
    assert.deepEqual(decode(encodeAscii85(bytes, of('btoa')), 'btoa', true), { bytes, remarks: [] })
  }
})

/** The second and third sum of btoa.c, computed with numbers of any size. */
function sumsOf(hex: string): string {
  let [sum, rot] = [0n, 0n]
  for (const byte of fromHex(hex)) {
    sum += BigInt(byte) + 1n
    rot = (rot << 1n) + ((rot >> 31n) & 1n) + BigInt(byte)
  }
  return `S ${sum.toString(16)} R ${BigInt.asUintN(32, rot).toString(16)}`
}

test('RFC 1924: the example, an address as one number', () => {
  const bytes = fromHex('108000000000000000080800200c417a')
  assert.equal(encodeAscii85(bytes, address), '4)+k&C#VzJ4br>0wv%Yp')
  assert.deepEqual(decodeAscii85('4)+k&C#VzJ4br>0wv%Yp', address, true), { bytes, remarks: [] })
  assert.throws(() => encodeAscii85(bytes.slice(1), address), /expected an address of 16 bytes, got 15/)
  assert.throws(() => decodeAscii85('4)+k&C#VzJ4br>0wv%Y', address, false), /expected 20 characters, got 19/)
  assert.throws(() => decodeAscii85('~'.repeat(20), address, false), /more than the 128 bits/)
})

test('400 random byte strings: the same as a85encode and b85encode of Python, lines included', t => {
  const cases = Array.from({ length: 400 }, (_, i): Bytes => {
    const bytes = new Uint8Array(randomBytes(i % 130))
    if (i % 5 === 0) bytes.fill(0, 0, 12)
    return bytes
  })
  const python = `
import sys, base64, json
out = []
for i, line in enumerate(sys.stdin.read().split('\\n')[:-1]):
    raw = bytes.fromhex(line)
    width = [0, 1, 20, 61, 76][i % 5]
    out.append([base64.a85encode(raw).decode(), base64.a85encode(raw, adobe=True, wrapcol=width).decode(), base64.b85encode(raw).decode(), width])
print(json.dumps(out))
`
  let output: [string, string, string, number][]
  try {
    const input = cases.map(bytes => `${toHex(bytes)}\n`).join('')
    output = JSON.parse(execFileSync('python3', ['-c', python], { input, encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, [plain, adobe, rfc1924, width]] of output.entries()) {
    const bytes = cases[i] ?? new Uint8Array()
    assert.equal(encodeAscii85(bytes, of('plain')), plain)
    assert.equal(encodeAscii85(bytes, of('Adobe'), width), adobe)
    assert.equal(encodeAscii85(bytes, of('RFC1924')), rfc1924)
    assert.deepEqual(decode(plain, 'plain', true), { bytes, remarks: [] })
    assert.deepEqual(decode(adobe, 'Adobe', true), { bytes, remarks: [] })
    assert.deepEqual(decode(rfc1924, 'RFC1924', true), { bytes, remarks: [] })
  }
})

test('500 random texts: Python reads and refuses the same', t => {
  const letters = '!"#5ABCuuustz'
  const cases = Array.from({ length: 500 }, () =>
    Array.from(randomBytes(1 + Math.floor(Math.random() * 14)), byte => letters[byte % letters.length]).join(''),
  )
  const python = `
import sys, base64, json
def read(text):
    try: return base64.a85decode(text).hex()
    except ValueError: return None
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`
  let output: (string | null)[]
  try {
    output = JSON.parse(execFileSync('python3', ['-c', python], { input: JSON.stringify(cases), encoding: 'utf8' }))
  } catch {
    return t.skip('no python3')
  }
  for (const [i, text] of cases.entries()) {
    // Python takes a single character at the end for no bytes.
    const alone = text.replace(/z/g, '').length % 5 === 1
    if (output[i] === null || alone) assert.throws(() => decode(text, 'plain'), RangeError, text)
    else assert.equal(toHex(decode(text, 'plain').bytes), output[i], text)
  }
})

test('every length goes there and back in every variant', () => {
  for (const variant of ascii85Variants) {
    for (let length = 0; length < 60; length++) {
      const bytes = length % 2 ? new Uint8Array(randomBytes(length)) : new Uint8Array(length)
      assert.deepEqual(decode(encodeAscii85(bytes, of(variant)), variant, true), { bytes, remarks: [] })
    }
  }
})

test('lenient reading says what is odd, strict reading refuses it', () => {
  assert.deepEqual(decode('<~87cURDZ', 'Adobe'), { bytes: fromUtf8('Hello'), remarks: ['The end mark ~> is missing.'] })
  assert.deepEqual(decode('87cURDZ', 'Adobe'), { bytes: fromUtf8('Hello'), remarks: [] })
  assert.deepEqual(decode('87cURD]', 'plain').remarks, ['The encoder would write the last group otherwise.'])
  for (const [text, variant, reason] of [
    ['87cURDZ~>', 'Adobe', /expected <~ at the beginning/],
    ['<~87cURDZ', 'Adobe', /expected ~> at the end/],
    ['<~87cURD]~>', 'Adobe', /the last group is not what the encoder would write/],
    ['87cUR DZ', 'plain', /character 6 is white space/],
    ['87cURD]', 'plain', /the last group, at character 6, is not what/],
  ] as const) {
    assert.throws(() => decode(text, variant, true), reason, text)
  }
})

test('refusals say at which character and why', () => {
  for (const [text, variant, reason] of [
    ['87c v', 'plain', /character 5 is not in this Ascii85 alphabet/],
    ['87é', 'plain', /character 3 is not/],
    ['87cz', 'plain', /character 4 stands for a whole group, and is inside of one/],
    ['87cURy', 'plain', /character 6 is not/],
    ['z s8W-"', 'plain', /the group at character 3 is more than four bytes can hold/],
    ['87cURD', 'plain', /the last group is character 6 alone/],
    ['s9', 'plain', /the last group, at character 1, is more than its bytes can hold/],
    ['<~87cUR~x', 'Adobe', /the tilde at character 8 is not followed by >/],
    ['<~87cUR~> x', 'Adobe', /character 11 stands after the end mark/],
    ['87cUR', 'btoa', /expected the line xbtoa Begin/],
    ['xbtoa Begin\n87cUR\n', 'btoa', /expected a line xbtoa End/],
    ['xbtoa Begin\n87cUR\nxbtoa End N 4', 'btoa', /the line at character 19 does not have the form/],
    ['xbtoa Begin\nz\nxbtoa End N 4 5 E 0 S 4 R 0', 'btoa', /the two lengths in the last line differ/],
    ['xbtoa Begin\nz\nxbtoa End N 9 9 E 0 S 4 R 0', 'btoa', /says 9 bytes, but there are groups for 4/],
    ['xbtoa Begin\nz\nxbtoa End N 4 4 E 0 S 5 R 0', 'btoa', /the sums in the last line do not fit/],
    ['"', 'RFC1924', /character 1 is not in this RFC 1924 alphabet/],
  ] as const) {
    assert.throws(() => decode(text, variant), { name: 'RangeError', message: reason }, text)
  }
  assert.deepEqual(decode('xbtoa Begin\r\nz\r\nxbtoa End N 4 4 E 0 S 4 R 0\r\n', 'btoa').bytes, new Uint8Array(4))
})
