import { encodeQR } from 'qr'
import { type Bytes, fromUtf8 } from '../bytes.ts'
import { encodePng } from '../codec/png.ts'

/** QR codes. ISO/IEC 18004. */
export const correctionLevels = ['L', 'M', 'Q', 'H'] as const
export type CorrectionLevel = (typeof correctionLevels)[number]

const names = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const

/** What the largest symbol, version 40, holds: digits, characters of the alphanumeric set, bytes. Table 7. */
const capacities = {
  L: { digits: 7089, characters: 4296, bytes: 2953 },
  M: { digits: 5596, characters: 3391, bytes: 2331 },
  Q: { digits: 3993, characters: 2420, bytes: 1663 },
  H: { digits: 3057, characters: 1852, bytes: 1273 },
} as const

export interface QrCode {
  /** True where a module is dark; as many rows as columns, without the quiet zone. */
  modules: boolean[][]
  /** 1 to 40: the size is 17 + 4 times this. */
  version: number
}

/** The symbol of a text in UTF-8, in the smallest version that holds it. */
export function encodeQr(text: string, level: CorrectionLevel): QrCode {
  checkCapacity(text, level)
  // The library draws at least one module of quiet zone, which is cut off again.
  const framed = encodeQR(text, 'raw', { ecc: names[level], border: 1 })
  const modules = framed.slice(1, -1).map(row => row.slice(1, -1))
  return { modules, version: (modules.length - 17) / 4 }
}

function checkCapacity(text: string, level: CorrectionLevel): void {
  const bytes = fromUtf8(text).length
  if (!bytes) throw new RangeError('expected something to put into the code')
  const { digits, characters, bytes: most } = capacities[level]
  const [limit, unit] = /^[0-9]+$/.test(text)
    ? [digits, 'digits']
    : /^[0-9A-Z $%*+\-./:]+$/.test(text)
      ? [characters, 'characters']
      : [most, 'bytes']
  if (bytes > limit) throw new RangeError(`expected at most ${limit} ${unit} at level ${level}, got ${bytes}`)
}

/** Modules of quiet zone around the symbol; §9.1 asks for four. */
export interface Drawing {
  margin: number
  /** Width and height in pixels; a PNG has the largest whole number of pixels for each module that fits. */
  size: number
}

/** The symbol as one path, drawn in runs of dark modules. */
export function drawSvg({ modules }: QrCode, { margin, size }: Drawing): string {
  const width = modules.length + 2 * margin
  const path = modules.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x + margin} ${y + margin}h${length}v1h-${length}z`),
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path.join('')}"/></svg>`
  )
}

/** Where dark modules begin in a row, and how many follow. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const last = runs.at(-1)
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}

/** The symbol as a PNG, and its real width in pixels. */
export async function drawPng({ modules }: QrCode, { margin, size }: Drawing): Promise<{ png: Bytes; width: number }> {
  const across = modules.length + 2 * margin
  const scale = Math.max(1, Math.floor(size / across))
  const place = (pixel: number) => Math.floor(pixel / scale) - margin
  const width = across * scale
  return { png: await encodePng(width, width, (x, y) => modules[place(y)]?.[place(x)] ?? false), width }
}
