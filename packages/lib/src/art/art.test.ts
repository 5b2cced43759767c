import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { drawBlockies } from './blockies.ts'
import { emojiTable, writeEmoji } from './emoji.ts'
import { parseFingerprint } from './fingerprint.ts'
import { cssColour, fromHsl, pngOfMosaic, svgOfMosaic } from './mosaic.ts'
import { drawBoard, drawColourBars, drawIdenticon } from './pictures.ts'
import { drawRandomart } from './randomart.ts'

/** RFC 4253 §6.6, RFC 8709 §4: public keys of random bytes, which nobody looks at to draw them. */
function publicKey(): string {
  const field = (...bytes: Uint8Array[]) => {
    const body = Buffer.concat(bytes)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, body])
  }
  const name = randomInt(2) ? 'ssh-ed25519' : 'ssh-rsa'
  if (name === 'ssh-ed25519') {
    return `${name} ${Buffer.concat([field(Buffer.from(name)), field(randomBytes(32))]).toString('base64')}`
  }
  const modulus = randomBytes([128, 256, 384, 2048][randomInt(4)] ?? 256)
  modulus[0] = (modulus[0] ?? 0) | 128
  const parts = [field(Buffer.from(name)), field(Buffer.of(1, 0, 1)), field(Buffer.of(0), modulus)]
  return `${name} ${Buffer.concat(parts).toString('base64')}`
}

test('[CTL-085] ssh-keygen -lv draws the same for 220 fingerprints, SHA256 and MD5', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-art-'))
  try {
    const path = join(folder, 'keys.pub')
    writeFileSync(path, Array.from({ length: 110 }, () => `${publicKey()} comment\n`).join(''))
    for (const hash of ['sha256', 'md5']) {
      const printed = execFileSync('ssh-keygen', ['-E', hash, '-lvf', path], { encoding: 'utf8' })
      const keys = printed.split(/^(?=\d+ (?:SHA256|MD5):)/m)
      assert.equal(keys.length, 110)
      for (const key of keys) {
        const [, size, fingerprint = '', type] = /^(\d+) (\S+) comment \((\w+)\)$/m.exec(key) ?? []
        const { bytes, name } = parseFingerprint(fingerprint)
        const drawn = drawRandomart(bytes, `${type} ${size}`, name ?? '')
        assert.equal(drawn, key.slice(key.indexOf('\n') + 1).trimEnd(), fingerprint)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the frame: no title, and titles that do not fit', () => {
  const [top = '', ...rest] = drawRandomart(new Uint8Array(16), '', '').split('\n')
  assert.equal(top, `+${'-'.repeat(17)}+`)
  assert.equal(rest.at(-1), top)
  assert.equal(drawRandomart(new Uint8Array(16), 'ED25519-CERT 256', '').split('\n')[0], '+-[ED25519-CERT]--+')
  for (const title of ['a'.repeat(50), '漢字 '.repeat(9), ' ', ']']) {
    for (const line of drawRandomart(new Uint8Array(16), title, title).split('\n')) assert.equal(line.length, 19)
  }
})

test('blockies.js of github.com/ethereum/blockies: four addresses, colours and squares', () => {
  for (const [address, figure, ground, spots, squares] of [
    [
      '0x0000000000000000000000000000000000000000',
      ...([
        [354, 66.81960879825056, 56.21398128569126],
        [213, 65.0781786441803, 49.646922980900854],
        [327, 41.4509454369345, 63.29597851727158],
      ] as const),
      '00100100 10000001 01100110 21111112 10122101 10011001 20000002 00211200',
    ],
    [
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      ...([
        [222, 80.46593819744885, 37.79142468702048],
        [160, 99.25892420113087, 52.513964427635074],
        [210, 40.28361354023218, 42.68841225421056],
      ] as const),
      '22111122 01022010 01100110 00111100 00000000 01211210 00122100 10100101',
    ],
    [
      '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb',
      ...([
        [2, 70.94238231889904, 55.404279625508934],
        [184, 95.27088723145425, 41.5200014016591],
        [81, 51.689286939799786, 43.69648437714204],
      ] as const),
      '01011010 21100112 10000001 11100111 01011010 10011001 20000002 00000000',
    ],
    [
      '0xffffffffffffffffffffffffffffffffffffffff',
      ...([
        [231, 83.16503786481917, 45.04945760127157],
        [291, 89.97575571760535, 45.31843470176682],
        [269, 40.146015379577875, 33.87761544436216],
      ] as const),
      '00122100 11111111 12200221 00200200 11011011 00100100 11011011 11100111',
    ],
  ] as const) {
    const mosaic = drawBlockies(address)
    assert.deepEqual(
      mosaic.palette,
      [ground, figure, spots].map(([hue, saturation, lightness]) => fromHsl(hue, saturation / 100, lightness / 100)),
    )
    assert.equal(mosaic.squares.join(''), squares.replaceAll(' ', ''))
  }
})

test('CSS Color 4 §7.1: hue, saturation and lightness', () => {
  for (const [hue, saturation, lightness, colour] of [
    [0, 1, 0.5, '#ff0000'],
    [120, 1, 0.25, '#008000'],
    [240, 1, 0.5, '#0000ff'],
    [60, 1, 0.5, '#ffff00'],
    [0, 0, 0.5, '#808080'],
    [719, 1.6, 2, '#ffffff'],
    [480, 1, 0.5, '#00ff00'],
  ] as const) {
    assert.equal(cssColour(fromHsl(hue, saturation, lightness)), colour)
  }
})

test('every picture: as many squares as it says, equal colours in SVG and PNG', async () => {
  for (let i = 0; i < 20; i++) {
    const bytes = new Uint8Array(randomBytes(randomInt(8, 129)))
    for (const mosaic of [drawIdenticon(bytes), drawColourBars(bytes), drawBoard(bytes), drawBlockies(toHex(bytes))]) {
      assert.equal(mosaic.squares.length, mosaic.columns * mosaic.rows)
      assert.ok(mosaic.squares.every(square => mosaic.palette[square]))
      assert.ok(mosaic.palette.flat().every(channel => Number.isInteger(channel) && channel >= 0 && channel <= 255))
      const svg = svgOfMosaic(mosaic, 3)
      assert.match(svg, /^<svg [^>]+>(?:<path fill="#[0-9a-f]{6}" d="[MhvHz0-9 -]+"\/>)+<\/svg>$/)
      const drawn = new Array<string>(mosaic.squares.length).fill('')
      for (const [, colour = '', path = ''] of svg.matchAll(/fill="(#\w+)" d="([^"]+)"/g)) {
        for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
          for (let k = 0; k < Number(width); k++) drawn[Number(y) * mosaic.columns + Number(x) + k] = colour
        }
      }
      assert.deepEqual(
        drawn,
        mosaic.squares.map(square => cssColour(mosaic.palette[square] ?? [0, 0, 0])),
      )
      const png = await pngOfMosaic(mosaic, 3)
      const view = new DataView(png.buffer)
      assert.deepEqual([view.getUint32(16), view.getUint32(20)], [3 * mosaic.columns, 3 * mosaic.rows])
    }
  }
})

test('the identicon follows its rule', () => {
  // Fifteen digits: the middle column 0 1 2 3 4, beside it 5 6 7 8 9, outside a b c d e; even ones are filled.
  const { squares, palette } = drawIdenticon(fromHex('0123456789abcdef0000'))
  assert.deepEqual(
    Array.from({ length: 5 }, (_, y) => squares.slice(5 * y, 5 * y + 5).join('')),
    ['10101', '01010', '10101', '01010', '10101'],
  )
  assert.deepEqual(palette[1], fromHsl(0, 0.55, 0.5))
})

test('emoji: 64 of them, each once, and six bits choose one', () => {
  assert.equal(emojiTable.length, 64)
  assert.ok(emojiTable.every(({ symbol, name }) => symbol && name))
  assert.equal(new Set(emojiTable.map(({ symbol }) => symbol)).size, 64)
  assert.equal(new Set(emojiTable.map(({ name }) => name)).size, 64)
  // 000000 000001 000010 000011 and 1111 filled up to 111100.
  assert.deepEqual(
    writeEmoji(fromHex('001083f0')).map(({ name }) => name),
    [0, 1, 2, 3, 60, 0].map(i => emojiTable[i]?.name),
  )
})

test('fingerprints in every form', () => {
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  for (const [text, hex, name] of [
    [sha256, sha256, 'SHA256'],
    [` 0x${sha256.toUpperCase()}\n`, sha256, 'SHA256'],
    ['SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0', sha256, 'SHA256'],
    ['ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=', sha256, 'SHA256'],
    ['MD5:90:01:50:98:3c:d2:4f:b0:d6:96:3f:7d:28:e1:7f:72', '900150983cd24fb0d6963f7d28e17f72', 'MD5'],
    ['90:01:50:98:3c:d2:4f:b0:d6:96:3f:7d:28:e1:7f:72', '900150983cd24fb0d6963f7d28e17f72', 'MD5'],
    ['0011223344556677', '0011223344556677', undefined],
  ] as const) {
    const { bytes, name: found } = parseFingerprint(text)
    assert.deepEqual([toHex(bytes), found], [hex, name])
  }
})

test('what is no fingerprint is refused', () => {
  for (const [text, message] of [
    ['', 'expected from 8 to 128 bytes, got 0'],
    ['00112233445566', 'expected from 8 to 128 bytes, got 7'],
    ['00'.repeat(129), 'expected from 8 to 128 bytes, got 129'],
    ['SHA256:abcd', 'expected 32 bytes after SHA256:, got 3'],
    ['MD5:zz', 'character 1 is not a hexadecimal digit'],
    ['0'.repeat(17), /odd/],
    ['not a hash!', /is not in the Base64 alphabet/],
  ] as const) {
    assert.throws(() => parseFingerprint(text), { name: 'RangeError', message })
  }
})
