import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { decodeQR } from 'qr/decode.js'
import { correctionLevels, drawPng, drawSvg, encodeQr, type QrCode } from './qr.ts'

type Pixels = { width: number; height: number; data: Uint8Array }

/** A picture of square pixels, each light or dark. */
function picture(width: number, isDark: (x: number, y: number) => boolean, scale = 1): Pixels {
  const side = width * scale
  const data = new Uint8Array(side * side * 4)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const shade = isDark(Math.floor(x / scale), Math.floor(y / scale)) ? 0 : 255
      data.set([shade, shade, shade, 255], (y * side + x) * 4)
    }
  }
  return { width: side, height: side, data }
}

const read = (pixels: Pixels) => decodeQR(pixels, { timeLimit: 5000, effort: 10 })

/** What a PNG of one bit for each pixel shows. */
function pixelsOfPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer)
  const width = view.getUint32(16)
  const rows = inflateSync(png.subarray(41, 41 + view.getUint32(33)))
  const rowBytes = Math.ceil(width / 8) + 1
  return picture(width, (x, y) => (((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0)
}

/** What the path of an SVG shows. */
function pixelsOfSvg(svg: string): Pixels {
  const width = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const dark = new Set<number>()
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? ''
  assert.match(path, /^(?:M\d+ \d+h\d+v1h-\d+z)*$/)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let i = 0; i < Number(length); i++) dark.add(Number(y) * width + Number(x) + i)
  }
  return picture(width, (x, y) => dark.has(y * width + x), 4)
}

async function readBoth(code: QrCode): Promise<string[]> {
  const drawing = { margin: 4, size: 4 * (code.modules.length + 8) }
  return [read(pixelsOfSvg(drawSvg(code, drawing))), read(pixelsOfPng((await drawPng(code, drawing)).png))]
}

const alphabets = [
  '0123456789',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:',
  'aé漢😀 \n"<&>',
  '\u0000~\u007f\u00ff',
]

test('[CTL-073] 48 random texts of every kind are read back from the SVG and from the PNG', async () => {
  for (let i = 0; i < 48; i++) {
    const level = correctionLevels[i % 4] ?? 'M'
    const characters = [...(alphabets[Math.floor(i / 4) % 4] ?? '')]
    const text = Array.from({ length: randomInt(1, 120) }, () => characters[randomInt(characters.length)]).join('')
    assert.deepEqual(await readBoth(encodeQr(text, level)), [text, text], JSON.stringify(text))
  }
})

test('the size is 17 modules and 4 for every version, in the smallest version that holds the text', () => {
  const code = encodeQr('A', 'L')
  assert.equal(code.version, 1)
  assert.equal(code.modules.length, 21)
  assert.ok(code.modules.every(row => row.length === 21))
  // ISO/IEC 18004 §6.3.3: the finder pattern in the corner.
  assert.deepEqual(
    code.modules.slice(0, 7).map(row => row.slice(0, 7).map(Number).join('')),
    ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'],
  )
})

for (const [level, digits, characters, bytes] of [
  ['L', 7089, 4296, 2953],
  ['M', 5596, 3391, 2331],
  ['Q', 3993, 2420, 1663],
  ['H', 3057, 1852, 1273],
] as const) {
  test(`ISO/IEC 18004 Table 7: version 40-${level} holds ${digits} digits, ${characters} characters or ${bytes} bytes`, () => {
    assert.equal(encodeQr('1'.repeat(digits), level).version, 40)
    assert.equal(encodeQr('A'.repeat(characters), level).version, 40)
    assert.equal(encodeQr('a'.repeat(bytes), level).version, 40)
    for (const [text, limit, unit] of [
      ['1'.repeat(digits + 1), digits, 'digits'],
      ['A'.repeat(characters + 1), characters, 'characters'],
      ['é'.repeat(Math.ceil((bytes + 1) / 2)), bytes, 'bytes'],
    ] as const) {
      assert.throws(() => encodeQr(text, level), {
        name: 'RangeError',
        message: new RegExp(`^expected at most ${limit} ${unit} at level ${level}, got \\d+$`),
      })
    }
  })
}

test('the fullest symbols are read back', () => {
  for (const level of correctionLevels) {
    const text = 'x'.repeat({ L: 2953, M: 2331, Q: 1663, H: 1273 }[level])
    const { modules } = encodeQr(text, level)
    const image = picture(modules.length + 8, (x, y) => modules[y - 4]?.[x - 4] ?? false, 3)
    assert.equal(read(image), text)
  }
})

test('the margin is as wide as asked, and the PNG has whole pixels', async () => {
  const code = encodeQr('text', 'M')
  for (const margin of [0, 1, 4, 10]) {
    const across = code.modules.length + 2 * margin
    assert.ok(drawSvg(code, { margin, size: 300 }).includes(`viewBox="0 0 ${across} ${across}"`))
    const { png, width } = await drawPng(code, { margin, size: 300 })
    assert.equal(width, Math.floor(300 / across) * across)
    const { data } = pixelsOfPng(png)
    const scale = width / across
    const firstDark = data.findIndex((value, i) => i % 4 === 0 && value === 0) / 4
    assert.deepEqual([firstDark % width, Math.floor(firstDark / width)], [margin * scale, margin * scale])
  }
  assert.equal((await drawPng(code, { margin: 4, size: 1 })).width, code.modules.length + 8)
})

test('nothing, and half a surrogate pair, are refused', () => {
  assert.throws(() => encodeQr('', 'L'), /expected something to put into the code/)
  assert.throws(() => encodeQr('\ud800', 'L'), /half of a surrogate pair/)
})
