import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { checkDigit } from './check-digit.ts'
import { drawSymbol, type Picture, svgOf } from './picture.ts'
import { pngOf } from './raster.ts'
import { MAX_BAR_CHARACTERS, type SymbologyName, symbologies, symbologyNames } from './symbology.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-barcode-'))
after(() => rmSync(folder, { recursive: true }))

const DIGITS = '0123456789'
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
const WORLD = `${PRINTABLE}éßñ漢字Ωж😀^`
const random = (alphabet: string, length: number) => {
  const characters = [...alphabet]
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
}
const numbered = (length: number, first = '') => {
  const digits = first + random(DIGITS, length - 1 - first.length)
  return digits + checkDigit(digits)
}
/** Spaces at the ends are lost in what the readers print. */
const solid = (text: string) => text.replace(/^ | $/g, '0')

/** A text that a symbology can carry. */
const texts: Record<SymbologyName, () => string> = {
  'Code 128': () => solid(random(PRINTABLE, randomInt(1, 40))),
  'Code 39': () => solid(random('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%', randomInt(2, 20))),
  // One that begins with zero is a UPC-A, and readers say so.
  'EAN-13': () => numbered(13, '9'),
  'EAN-8': () => numbered(8),
  'UPC-A': () => numbered(12),
  'ITF-14': () => numbered(14),
  'Data Matrix': () => solid(random(WORLD, randomInt(1, 120))),
  PDF417: () => solid(random(WORLD, randomInt(1, 120))),
  Aztec: () => solid(random(WORLD, randomInt(1, 120))),
  'GS1-128': () => `(01)${numbered(14)}(10)${random('0123456789ABCDEFabcdef-/', randomInt(1, 20))}`,
  MaxiCode: () => solid(random(`${PRINTABLE}é漢`, randomInt(1, 30))),
}

async function draw(name: SymbologyName, text: string, scale = 3, includeText = true): Promise<Picture> {
  return drawSymbol(name, symbologies[name].read(text), { scale, includeText })
}

async function files(names: readonly SymbologyName[], each: number) {
  const drawn: { path: string; name: SymbologyName; text: string }[] = []
  for (const name of names) {
    for (let i = 0; i < each; i++) {
      const text = texts[name]()
      const path = join(folder, `${drawn.length}-${names.length}.png`)
      writeFileSync(path, await pngOf(await draw(name, text)))
      drawn.push({ path, name, text })
    }
  }
  return drawn
}

test('[CTL-074] ZXing reads 220 random texts back, 20 of every symbology', async () => {
  const drawn = await files(symbologyNames, 20)
  const printed = execFileSync(
    'ZXingReader',
    drawn.map(({ path }) => path),
    { encoding: 'utf8' },
  )
  const read = printed.split(/^File: +/m).slice(1)
  assert.equal(read.length, drawn.length)
  for (const [i, { name, text }] of drawn.entries()) {
    const [, found] = /^Text: +"(.*)"\nBytes:/ms.exec(read[i] ?? '') ?? []
    const expected = name === 'GS1-128' ? text.replace(/[()]/g, '') : text
    assert.equal(found, expected, `${name}: ${JSON.stringify(text)}\n${read[i]}`)
  }
})

test('[CTL-074] zbarimg reads the bars, and dmtxread Data Matrix', async () => {
  const bars = symbologyNames.filter(name => symbologies[name].shape === 'bars')
  const drawn = await files(bars, 6)
  const printed = execFileSync('zbarimg', ['--nodbus', '--quiet', '--raw', ...drawn.map(({ path }) => path)], {
    encoding: 'utf8',
  })
  // A number of twelve digits is one of thirteen that begins with zero; the element strings come without parentheses.
  const expected = drawn.map(({ name, text }) =>
    name === 'UPC-A' ? `0${text}` : name === 'GS1-128' ? text.replace(/[()]/g, '') : text,
  )
  assert.deepEqual(printed.trimEnd().split('\n'), expected)

  for (let i = 0; i < 3; i++) {
    const path = join(folder, 'matrix.png')
    const text = random(PRINTABLE, randomInt(1, 60))
    writeFileSync(path, await pngOf(await draw('Data Matrix', text, 4)))
    assert.equal(execFileSync('dmtxread', [path], { encoding: 'utf8' }), text)
  }
})

test('[CTL-074] control characters and the NUL byte are carried too', async () => {
  for (const name of ['Code 128', 'Data Matrix', 'PDF417', 'Aztec'] as const) {
    const path = join(folder, 'control.png')
    writeFileSync(path, await pngOf(await draw(name, 'a\0b\x1d\x7fc')))
    const printed = execFileSync('ZXingReader', [path], { encoding: 'utf8' })
    assert.match(printed.replace(/<(?:NUL|GS|DEL)>|[^ -~\n]/g, '?'), /^Text: +"a\?b\?\?c"$/m, printed)
  }
})

/** The pixels of a PNG of one bit each, true where black. */
function pixelsOf(png: Uint8Array): boolean[][] {
  const view = new DataView(png.buffer, png.byteOffset)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const rows = inflateSync(png.subarray(41, 41 + view.getUint32(33)))
  const rowBytes = Math.ceil(width / 8) + 1
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0),
  )
}

test('every bar and every square module is a whole number of pixels, and the quiet zone is light', async () => {
  for (const name of symbologyNames.filter(name => name !== 'MaxiCode')) {
    for (const scale of [1, 2, 3, 5]) {
      const picture = await draw(name, texts[name](), scale, false)
      // The frame around ITF-14 has a width of its own.
      const modules = name === 'ITF-14' ? '' : picture.modules
      const rows = pixelsOf(await pngOf({ ...picture, modules }))
      const { quietModules, modulePixels } = symbologies[name]
      const module = modulePixels * scale
      const margin = quietModules * module
      assert.ok(
        rows.slice(0, margin).every(row => row.every(black => !black)),
        name,
      )
      for (const row of rows) {
        assert.ok(row.slice(0, margin).every(black => !black) && row.slice(-margin).every(black => !black), name)
        const edges = row.flatMap((black, x) => (x > 0 && black !== row[x - 1] ? [x] : []))
        assert.ok(
          edges.every(x => x % scale === 0),
          `${name} at ${scale}: ${edges}`,
        )
      }
    }
  }
})

test('the SVG holds the same paths in the same size, and nothing that runs or loads', async () => {
  for (const name of symbologyNames) {
    const picture = await draw(name, texts[name]())
    const svg = svgOf(picture)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+">/)
    assert.equal(
      svg.replace(/<path(?: (?:d|fill|fill-rule|shape-rendering)="[MLQCZHhvz0-9. #a-zE-]*")+\/>/g, '').split('>')
        .length,
      3,
    )
    const paths = Array.from(svg.matchAll(/ d="([^"]*)"/g), ([, path]) => path)
    assert.deepEqual(paths.slice(1), [picture.bars, picture.modules, picture.text].filter(Boolean))
  }
})

test('the text stands below the bars only when asked for, and never below a matrix', async () => {
  for (const name of symbologyNames) {
    assert.equal((await draw(name, texts[name](), 3, false)).text, '')
    assert.equal((await draw(name, texts[name](), 3, true)).text !== '', symbologies[name].shape === 'bars')
  }
})

test('what a symbology cannot carry is refused by position, in words of our own', async () => {
  for (const [name, text, message] of [
    ['Code 128', '', 'expected something to put into the code'],
    ['Code 128', 'naïve', 'character 3 is not in ASCII, which is all that Code 128 has'],
    ['Code 128', 'a'.repeat(MAX_BAR_CHARACTERS + 1), 'expected at most 128 characters, got 129'],
    ['Code 39', 'ABc', 'character 3 is not a capital letter, a digit, a space or one of - . $ / + %'],
    ['Code 39', '*A*', 'character 1 is not a capital letter, a digit, a space or one of - . $ / + %'],
    ['EAN-13', '5901234123458', 'the check digit at the end does not fit, expected 7'],
    ['EAN-8', '123', 'expected 8 digits, or 7 without the check digit, got 3'],
    ['UPC-A', 'x', 'character 1 is not a digit'],
    ['ITF-14', '123456789012345', 'expected 14 digits, or 13 without the check digit, got 15'],
    ['Data Matrix', '', 'expected something to put into the code'],
    ['Data Matrix', 'a'.repeat(4000), 'the text is too long for Data Matrix'],
    ['PDF417', 'é'.repeat(2000), 'the text is too long for PDF417'],
    ['Aztec', 'é'.repeat(1200), 'the text is too long for Aztec'],
    ['MaxiCode', 'a'.repeat(200), 'the text is too long for MaxiCode'],
    ['GS1-128', '0109521234543213', /^expected application identifiers in parentheses before their values/],
    ['GS1-128', '(10)', /^expected application identifiers in parentheses/],
    ['GS1-128', '(10)a~', 'character 6 is not one that GS1 allows'],
    ['GS1-128', '(01)09521234543214', 'the value of (01) has a wrong check digit, expected 3'],
    ['GS1-128', '(01)0952', 'the value of (01) is too short'],
    ['GS1-128', '(10)123456789012345678901', 'the value of (10) is too long'],
    ['GS1-128', '(17)991399', 'the value of (17) has a month that is none'],
    ['GS1-128', '(17)991232', 'the value of (17) has a day that is none'],
    ['GS1-128', '(9999)1', '(9999) is no application identifier of GS1'],
    ['GS1-128', '(3103)00012x', 'the value of (3103) has a character that is not a digit'],
    [
      'GS1-128',
      `(10)${'A'.repeat(20)}(21)${'B'.repeat(20)}(240)${'C'.repeat(20)}`,
      'expected at most 48 characters with the identifiers, got 67',
    ],
  ] as const) {
    await assert.rejects(async () => draw(name, text), { name: 'RangeError', message }, `${name} ${text.slice(0, 40)}`)
  }
})

test('symbols drawn at the same time do not disturb each other', async () => {
  const wanted = Array.from({ length: 30 }, (_, i) => symbologyNames[i % 11] ?? 'Aztec').map(
    name => [name, texts[name]()] as const,
  )
  const together = await Promise.all(wanted.map(([name, text]) => draw(name, text)))
  for (const [i, [name, text]] of wanted.entries()) assert.deepEqual(together[i], await draw(name, text))
})
