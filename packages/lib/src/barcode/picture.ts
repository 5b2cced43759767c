import { explainGs1 } from './gs1.ts'
import { type Contents, type SymbologyName, symbologies } from './symbology.ts'

/** A drawn symbol: three paths in the notation of SVG, straight and curved, from the upper left corner in pixels. */
export interface Picture {
  width: number
  height: number
  /** Rectangles side by side. */
  bars: string
  /** Areas of modules, filled by the even-odd rule. */
  modules: string
  /** Letters below the bars, filled by the nonzero rule. */
  text: string
}

export interface Drawing {
  /** Pixels of the narrowest bar; modules of a matrix have up to four times as many. */
  scale: number
  includeText: boolean
}

type Point = readonly [x: number, y: number]
type Encoders = typeof import('./encoders.ts')

/** Draws the contents by the encoder of bwip-js. */
export async function drawSymbol(name: SymbologyName, contents: Contents, drawing: Drawing): Promise<Picture> {
  const encoders = await import('./encoders.ts')
  const { encoder, quietModules, modulePixels, options, shape } = { options: {}, ...symbologies[name] }
  const padding = quietModules * modulePixels
  const settings = {
    ...options,
    ...contents.options,
    bcid: encoder,
    text: contents.encoded ?? contents.text,
    scale: drawing.scale,
    includetext: drawing.includeText && shape === 'bars',
    padding,
  }
  try {
    return encoders[encoder](settings, recorder(encoders, padding * drawing.scale))
  } catch (error) {
    throw refusal(name, contents.text, error)
  }
}

/** Takes down what bwip-js draws. Its coordinates begin inside the margin. */
function recorder({ drawingSVG }: Encoders, margin: number) {
  const picture: Picture = { width: 0, height: 0, bars: '', modules: '', text: '' }
  // Knows the font.
  const pen = drawingSVG()
  const polygon = (points: readonly Point[]) => {
    picture.modules += pathOf(points.map(([x, y]) => [x + margin, y + margin]))
  }
  return {
    setopts: (options: Parameters<NonNullable<typeof pen.setopts>>[0]) => pen.setopts?.(options),
    scale: (x: number, y: number) => pen.scale(x, y),
    measure: pen.measure,
    init(width: number, height: number) {
      picture.width = Math.ceil(width) + 2 * margin
      picture.height = Math.ceil(height) + 2 * margin
      pen.init(width, height)
    },
    /** A bar: x is its middle, half a pixel to the right where its width is odd, and the last row is drawn too. */
    line(x0: number, y0: number, x1: number, y1: number, width: number) {
      const [left, top, bottom] = [Math.floor(Math.min(x0, x1) - width / 2), Math.min(y0, y1), Math.max(y0, y1) + 1]
      const [x, y, end] = [left + margin, top + margin, bottom + margin]
      picture.bars += pathOf([
        [x, y],
        [x + width, y],
        [x + width, end],
        [x, end],
      ])
    },
    polygon,
    hexagon: polygon,
    ellipse(x: number, y: number, radiusX: number, radiusY: number) {
      picture.modules += ellipseOf(x + margin, y + margin, radiusX, radiusY)
    },
    fill() {},
    clip() {},
    unclip() {},
    text: pen.text,
    end(): Picture {
      return { ...picture, text: pathsOf(pen.end()) }
    },
  }
}

const pathOf = (points: readonly Point[]) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`

/** How far the control points of a quarter of a circle lie from its ends: 4/3 (√2 − 1). */
const QUARTER = (4 / 3) * (Math.SQRT2 - 1)

function ellipseOf(x: number, y: number, a: number, b: number): string {
  const [dx, dy] = [a * QUARTER, b * QUARTER]
  const curves = [
    [x - a, y - dy, x - dx, y - b, x, y - b],
    [x + dx, y - b, x + a, y - dy, x + a, y],
    [x + a, y + dy, x + dx, y + b, x, y + b],
    [x - dx, y + b, x - a, y + dy, x - a, y],
  ]
  return `M${x - a} ${y}${curves.map(numbers => `C${numbers.map(value => value.toFixed(3)).join(' ')}`).join('')}Z`
}

/** The paths of an SVG in one. */
const pathsOf = (svg: string): string => Array.from(svg.matchAll(/ d="([^"]*)"/g), ([, path]) => path).join('')

/** What bwip-js refuses, in our own words; anything else it throws is a bug. */
function refusal(name: SymbologyName, text: string, error: unknown): unknown {
  const message = error instanceof Error ? error.message : ''
  const [, errorName = ''] = /^bwipp\.(\w+?)#/.exec(message) ?? []
  if (errorName.startsWith('GS1') || errorName.startsWith('gs1')) {
    return new RangeError(explainGs1(text, errorName, message), { cause: error })
  }
  if (/TooLong|NoValidSymbol|TooBig|inputTooLong/i.test(errorName)) {
    return new RangeError(`the text is too long for ${name}`, { cause: error })
  }
  return error
}

/** The picture as an SVG on a white ground. */
export function svgOf({ width, height, bars, modules, text }: Picture): string {
  const path = (d: string, more = '') => (d ? `<path${more} d="${d}"/>` : '')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<path fill="#fff" d="M0 0h${width}v${height}H0z"/>` +
    path(bars, ' shape-rendering="crispEdges"') +
    path(modules, ' fill-rule="evenodd"') +
    `${path(text)}</svg>`
  )
}
