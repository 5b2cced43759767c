import type { Bytes } from '../bytes.ts'
import { encodePalettePng } from '../codec/png.ts'

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** A picture of coloured squares. */
export interface Mosaic {
  columns: number
  rows: number
  palette: readonly Colour[]
  /** For each square, rows first, which colour of the palette it has. */
  squares: readonly number[]
}

/** Hue in degrees, saturation and lightness from 0 to 1; CSS Color 4 §7.1, where the last two are clamped. */
export function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const [s, l] = [Math.min(1, Math.max(0, saturation)), Math.min(1, Math.max(0, lightness))]
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

export const cssColour = (colour: Colour): string =>
  `#${colour.map(channel => channel.toString(16).padStart(2, '0')).join('')}`

/** One path for each colour, squares in a row joined; so many pixels a square. */
export function svgOfMosaic({ columns, rows, palette, squares }: Mosaic, pixels: number): string {
  const paths = palette.map(() => '')
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; ) {
      const colour = squares[y * columns + x] ?? 0
      let end = x + 1
      while (end < columns && squares[y * columns + end] === colour) end++
      paths[colour] += `M${x} ${y}h${end - x}v1H${x}z`
      x = end
    }
  }
  const drawn = paths.map((path, i) => (path ? `<path fill="${cssColour(palette[i] ?? [0, 0, 0])}" d="${path}"/>` : ''))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${columns * pixels}" height="${rows * pixels}" ` +
    `viewBox="0 0 ${columns} ${rows}" shape-rendering="crispEdges">${drawn.join('')}</svg>`
  )
}

export const pngOfMosaic = ({ columns, rows, palette, squares }: Mosaic, pixels: number): Promise<Bytes> =>
  encodePalettePng(
    columns * pixels,
    rows * pixels,
    palette,
    (x, y) => squares[Math.floor(y / pixels) * columns + Math.floor(x / pixels)] ?? 0,
  )
