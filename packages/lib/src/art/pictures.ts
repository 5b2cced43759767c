import { type Colour, fromHsl, type Mosaic } from './mosaic.ts'
import { BOARD_HEIGHT, BOARD_WIDTH, walkBishop } from './randomart.ts'

/** Pictures of a hash by rules of our own, said on the page. They need eight bytes or more. */

const LIGHT: Colour = [240, 240, 240]
const IDENTICON_SIZE = 5

/**
 * Five by five squares, the left mirrored on the right. The first fifteen hexadecimal digits fill the middle column and
 * then those beside it where they are even; the last two bytes choose the hue.
 */
export function drawIdenticon(bytes: Uint8Array): Mosaic {
  const digits = Array.from(bytes, byte => [byte >> 4, byte & 15]).flat()
  const squares = Array.from({ length: IDENTICON_SIZE ** 2 }, (_, i) => {
    const [x, y] = [i % IDENTICON_SIZE, Math.floor(i / IDENTICON_SIZE)]
    const fromMiddle = Math.abs(x - (IDENTICON_SIZE >> 1))
    return (digits[fromMiddle * IDENTICON_SIZE + y] ?? 0) % 2 ? 0 : 1
  })
  const hue = (((bytes.at(-2) ?? 0) * 256 + (bytes.at(-1) ?? 0)) / 65_536) * 360
  const palette = [LIGHT, fromHsl(hue, 0.55, 0.5)]
  return { columns: IDENTICON_SIZE, rows: IDENTICON_SIZE, palette, squares }
}

const BARS_HEIGHT = 8

/** A bar for each byte: the hue by its first hexadecimal digit, the lightness by the second. */
export function drawColourBars(bytes: Uint8Array): Mosaic {
  const palette = Array.from({ length: 256 }, (_, byte) => fromHsl((byte >> 4) * 22.5, 0.75, 0.2 + (byte & 15) * 0.04))
  const row = [...bytes]
  return {
    columns: row.length,
    rows: BARS_HEIGHT,
    palette,
    squares: Array.from({ length: BARS_HEIGHT }, () => row).flat(),
  }
}

/** The board of randomart as squares: the more visits the darker, the start green, the end red. */
export function drawBoard(bytes: Uint8Array): Mosaic {
  const grey = (visits: number): Colour => {
    const shade = Math.round(255 * 0.82 ** visits)
    return [shade, shade, Math.min(255, shade + 20)]
  }
  const palette = [...Array.from({ length: 15 }, (_, visits) => grey(visits)), [22, 163, 74], [220, 38, 38]] as const
  return { columns: BOARD_WIDTH, rows: BOARD_HEIGHT, palette, squares: walkBishop(bytes) }
}
