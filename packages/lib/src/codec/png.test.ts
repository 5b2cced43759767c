import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { toHex, toLatin1 } from '../bytes.ts'
import { encodePalettePng, encodePng } from './png.ts'

/** The chunks of a PNG, their CRCs checked by zlib. */
function chunksOf(png: Uint8Array): { type: string; data: Uint8Array }[] {
  assert.equal(toHex(png.subarray(0, 8)), '89504e470d0a1a0a')
  const view = new DataView(png.buffer, png.byteOffset)
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(view.getUint32(at + 8 + length), crc32(body))
    chunks.push({ type: toLatin1(body.subarray(0, 4)), data: body.subarray(4) })
    at += 12 + length
  }
  return chunks
}

test('PNG §5.3, §11.2: chunks, header and every pixel as asked, for any width', async () => {
  for (let width = 1; width < 40; width += 3) {
    const height = randomInt(1, 20)
    const black = Array.from({ length: width * height }, () => randomInt(2) === 1)
    const png = await encodePng(width, height, (x, y) => black[y * width + x] ?? false)
    const [header, data, end] = chunksOf(png)
    assert.deepEqual([header?.type, data?.type, end?.type], ['IHDR', 'IDAT', 'IEND'])
    const size = [width, height].map(value => value.toString(16).padStart(8, '0')).join('')
    assert.equal(toHex(header?.data ?? new Uint8Array()), `${size}0100000000`)
    const rows = inflateSync(data?.data ?? new Uint8Array())
    const rowBytes = Math.ceil(width / 8) + 1
    assert.equal(rows.length, height * rowBytes)
    for (let y = 0; y < height; y++) {
      assert.equal(rows[y * rowBytes], 0)
      for (let x = 0; x < width; x++) {
        const white = ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
        assert.equal(white === 0, black[y * width + x])
      }
    }
  }
})

test('PNG §11.2.2: a palette and one byte for each pixel', async () => {
  const palette = Array.from({ length: 200 }, () => [randomInt(256), randomInt(256), randomInt(256)] as const)
  const [width, height] = [13, 7]
  const pixels = Array.from({ length: width * height }, () => randomInt(palette.length))
  const png = await encodePalettePng(width, height, palette, (x, y) => pixels[y * width + x] ?? 0)
  const [header, colours, data, end] = chunksOf(png)
  assert.deepEqual([header?.type, colours?.type, data?.type, end?.type], ['IHDR', 'PLTE', 'IDAT', 'IEND'])
  assert.equal(toHex(header?.data ?? new Uint8Array()), '0000000d000000070803000000')
  assert.deepEqual([...(colours?.data ?? [])], palette.flat())
  const rows = inflateSync(data?.data ?? new Uint8Array())
  const expected = Array.from({ length: height }, (_, y) => [0, ...pixels.slice(y * width, (y + 1) * width)])
  assert.deepEqual([...rows], expected.flat())
  for (const none of [[], new Array<readonly [number, number, number]>(257).fill([0, 0, 0])]) {
    await assert.rejects(
      encodePalettePng(1, 1, none, () => 0),
      { message: 'expected from 1 to 256 colours' },
    )
  }
})
