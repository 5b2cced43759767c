import type { Column } from './blocks.ts'

/** Plots as SVG, on a light ground of their own. */
export const PLOT_WIDTH = 480
export const PLOT_HEIGHT = 180
const [LEFT, RIGHT, TOP, BOTTOM] = [36, 8, 10, 26]
const [WIDE, HIGH] = [PLOT_WIDTH - LEFT - RIGHT, PLOT_HEIGHT - TOP - BOTTOM]

/** The entropy along a stream: for each column from the least to the most a light bar, and the mean as a line. */
export function plotBlocks(columns: readonly Column[], expected: number): string {
  const y = (bits: number) => round(TOP + HIGH * (1 - bits / 8))
  const total = columns.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  const x = (offset: number) => round(LEFT + (WIDE * offset) / total)
  const ranges = columns.map(({ offset, bytes, least, most }) => {
    const [from, to] = [x(offset), x(offset + bytes)]
    return `M${from} ${y(most)}H${to}V${round(y(least) + 1)}H${from}Z`
  })
  const means = columns.map(
    ({ offset, bytes, mean }, i) => `${i ? 'L' : 'M'}${x(offset)} ${y(mean)}H${x(offset + bytes)}`,
  )
  return frame(
    [0, 2, 4, 6, 8].map(bits => [y(bits), String(bits)] as const),
    ['0', `${total.toLocaleString('en')} bytes`],
    `<path fill="#93c5fd" d="${ranges.join('')}"/>` +
      `<path fill="none" stroke="#1d4ed8" stroke-width="1.5" d="${means.join('')}"/>` +
      `<path stroke="#b45309" stroke-dasharray="4 4" d="M${LEFT} ${y(expected)}h${WIDE}"/>`,
  )
}

/** How often each byte value occurs. */
export function plotCounts(counts: readonly number[]): string {
  const most = counts.reduce((a, b) => Math.max(a, b), 1)
  const bars = counts.flatMap((count, byte) => {
    if (!count) return []
    const height = Math.max(1, round((HIGH * count) / most))
    const [from, to] = [round(LEFT + (WIDE * byte) / 256), round(LEFT + (WIDE * (byte + 1)) / 256)]
    return `M${from} ${round(TOP + HIGH - height)}H${to}v${height}H${from}Z`
  })
  return frame(
    [
      [TOP, most.toLocaleString('en', { notation: 'compact' })],
      [TOP + HIGH, '0'],
    ],
    ['00', 'ff'],
    `<path fill="#1d4ed8" d="${bars.join('')}"/>`,
  )
}

const round = (value: number) => Math.round(value * 100) / 100

function frame(lines: readonly (readonly [y: number, label: string])[], [from, to]: [string, string], inner: string) {
  const grid = lines.map(([y]) => `M${LEFT} ${y}h${WIDE}`).join('')
  const labels = lines
    .map(([y, label]) => `<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${label}</text>`)
    .join('')
  const base = PLOT_HEIGHT - 8
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PLOT_WIDTH}" height="${PLOT_HEIGHT}" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" font-family="sans-serif" font-size="11" fill="#374151">` +
    `<path fill="#fff" d="M0 0h${PLOT_WIDTH}v${PLOT_HEIGHT}H0z"/><path stroke="#e5e7eb" d="${grid}"/>${inner}${labels}` +
    `<text x="${LEFT}" y="${base}">${from}</text>` +
    `<text x="${PLOT_WIDTH - RIGHT}" y="${base}" text-anchor="end">${to}</text></svg>`
  )
}
