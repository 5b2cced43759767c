import { type Bytes, concat, fromHex, fromLatin1 } from '../bytes.ts'
import { crc, crc32Rows } from '../hash/crc.ts'

/** Portable Network Graphics in black and white or with a palette. W3C PNG (Third Edition), ISO/IEC 15948. */

/** §5.2 */
const SIGNATURE = fromHex('89504e470d0a1a0a')

/** §11.2.1, Table 12: the colour types used here, with their bits for each pixel. */
const GREYSCALE = { depth: 1, type: 0 }
const INDEXED = { depth: 8, type: 3 }

/** A black and white picture; `isBlack` is asked for every pixel, rows first. */
export async function encodePng(
  width: number,
  height: number,
  isBlack: (x: number, y: number) => boolean,
): Promise<Bytes> {
  const rowBytes = Math.ceil(width / 8)
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y++) {
    // §9.2: each row begins with its filter, 0 for none. In greyscale a set bit is white.
    const start = y * (rowBytes + 1) + 1
    for (let x = 0; x < width; x++) {
      if (!isBlack(x, y)) rows[start + (x >> 3)] = (rows[start + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return assemble(header(width, height, GREYSCALE), [], rows)
}

/** A picture of at most 256 colours; `indexAt` is asked for every pixel, rows first. */
export async function encodePalettePng(
  width: number,
  height: number,
  palette: readonly (readonly [red: number, green: number, blue: number])[],
  indexAt: (x: number, y: number) => number,
): Promise<Bytes> {
  if (palette.length < 1 || palette.length > 256) throw new RangeError('expected from 1 to 256 colours')
  const rows = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexAt(x, y)
  }
  // §11.2.2
  return assemble(header(width, height, INDEXED), [chunk('PLTE', Uint8Array.from(palette.flat()))], rows)
}

async function assemble(head: Bytes, before: readonly Bytes[], rows: Bytes): Promise<Bytes> {
  return concat(
    SIGNATURE,
    chunk('IHDR', head),
    ...before,
    chunk('IDAT', await deflate(rows)),
    chunk('IEND', new Uint8Array()),
  )
}

/** §11.2.1: size, colours, and the only methods there are. */
function header(width: number, height: number, { depth, type }: { depth: number; type: number }): Bytes {
  const data = new Uint8Array(13)
  const view = new DataView(data.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  data[8] = depth
  data[9] = type
  return data
}

/** §5.3: length, type, data, and CRC-32 of type and data. */
function chunk(type: string, data: Uint8Array): Bytes {
  const body = concat(fromLatin1(type), data)
  const frame = new Uint8Array(8)
  const view = new DataView(frame.buffer)
  view.setUint32(0, data.length)
  view.setUint32(4, Number(crc(crc32Rows['CRC-32/ISO-HDLC'], body)))
  return concat(frame.subarray(0, 4), body, frame.subarray(4))
}

/** The zlib format of RFC 1950, by the platform. */
async function deflate(bytes: Bytes): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
