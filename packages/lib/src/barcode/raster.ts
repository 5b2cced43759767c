import type { Bytes } from '../bytes.ts'
import { encodePng } from '../codec/png.ts'
import type { Picture } from './picture.ts'

/** Paths in the notation of SVG as black pixels: a pixel is black when its middle lies inside. */

type Point = readonly [x: number, y: number]
/** A place where a row crosses an outline, and whether that goes up or down. */
type Crossing = readonly [x: number, direction: 1 | -1]

/** Pieces that a curve of a letter or a circle is cut into: a tenth of a pixel at most beside it. */
const CURVE_PIECES = 16

/** The picture in black and white, every edge of a bar on the edge of a pixel. */
export async function pngOf({ width, height, bars, modules, text }: Picture): Promise<Bytes> {
  const black = new Uint8Array(width * height)
  fill(black, width, height, outlinesOf(bars), 'nonzero')
  fill(black, width, height, outlinesOf(modules), 'evenodd')
  fill(black, width, height, outlinesOf(text), 'nonzero')
  return encodePng(width, height, (x, y) => black[y * width + x] === 1)
}

function fill(
  black: Uint8Array,
  width: number,
  height: number,
  outlines: readonly Point[][],
  rule: 'nonzero' | 'evenodd',
): void {
  const rows = crossingsOf(outlines, height)
  for (const [y, row] of rows.entries()) {
    row.sort(([a], [b]) => a - b)
    let winding = 0
    for (const [i, [x, direction]] of row.entries()) {
      winding = rule === 'evenodd' ? winding ^ 1 : winding + direction
      const next = row[i + 1]
      if (winding === 0 || !next) continue
      const [from, to] = [Math.max(0, Math.ceil(x - 0.5)), Math.min(width, Math.ceil(next[0] - 0.5))]
      if (to > from) black.fill(1, y * width + from, y * width + to)
    }
  }
}

/** For every row of pixels where its middle crosses the outlines. */
function crossingsOf(outlines: readonly Point[][], height: number): Crossing[][] {
  const rows: Crossing[][] = Array.from({ length: height }, () => [])
  for (const outline of outlines) {
    for (const [i, [x0, y0]] of outline.entries()) {
      const [x1, y1] = outline[(i + 1) % outline.length] ?? [x0, y0]
      const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)]
      const direction = y1 > y0 ? 1 : -1
      for (let y = Math.max(0, Math.ceil(top - 0.5)); y < height && y + 0.5 < bottom; y++) {
        rows[y]?.push([x0 + ((y + 0.5 - y0) / (y1 - y0)) * (x1 - x0), direction])
      }
    }
  }
  return rows
}

/** The closed outlines of a path of M, L, Q, C and Z, its curves cut into straight pieces. */
function outlinesOf(path: string): Point[][] {
  const outlines: Point[][] = []
  for (const [, command, parameters = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const numbers = parameters.match(/-?[\d.]+/g)?.map(Number) ?? []
    const points = Array.from(
      { length: numbers.length / 2 },
      (_, i): Point => [numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0],
    )
    if (command === 'M') outlines.push(points)
    else if (command === 'L') outlines.at(-1)?.push(...points)
    else if (command !== 'Z') {
      const outline = outlines.at(-1)
      const start = outline?.at(-1)
      if (outline && start) outline.push(...curve([start, ...points]))
    }
  }
  return outlines
}

/** Points on a Bézier curve of any degree, by de Casteljau's construction. */
function curve(control: readonly Point[]): Point[] {
  return Array.from({ length: CURVE_PIECES }, (_, i) => {
    const t = (i + 1) / CURVE_PIECES
    let points = control
    while (points.length > 1) {
      points = points.slice(1).map(([x, y], k): Point => {
        const [px, py] = points[k] ?? [x, y]
        return [px + (x - px) * t, py + (y - py) * t]
      })
    }
    return points[0] ?? [0, 0]
  })
}
