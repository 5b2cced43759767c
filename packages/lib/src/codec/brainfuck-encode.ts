/**
 * Brainfuck programs that print given bytes, made short: a loop first fills some cells with values around which the
 * bytes lie, then every byte is printed from the cell that reaches it with the fewest commands. Many loops are tried
 * on the beginning of the bytes, and the best is taken.
 */

export const MAX_ENCODED_BYTES = 65_536
/** Enough to see what bytes a text is made of. */
const SAMPLE_BYTES = 2048
const MOST_CELLS = 8
const MOST_ROUNDS = 20

/** The values of the cells before printing, and the commands that bring them about. */
interface Start {
  setup: string
  /** The first cell has counted the rounds and is zero. */
  cells: readonly number[]
}

/** A program that prints the bytes. */
export function encodeBrainfuck(bytes: Uint8Array): string {
  if (bytes.length > MAX_ENCODED_BYTES) {
    throw new RangeError(`expected at most ${MAX_ENCODED_BYTES} bytes, got ${bytes.length}`)
  }
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let best: { start: Start; cost: number } | undefined
  for (const start of starts(sample)) {
    const cost = start.setup.length + print(sample, start.cells, () => {})
    if (!best || cost < best.cost) best = { start, cost }
  }
  const parts = [best?.start.setup ?? '']
  print(bytes, best?.start.cells ?? [0], command => parts.push(command))
  return parts.join('')
}

function* starts(sample: Uint8Array): Generator<Start> {
  yield { setup: '', cells: [0] }
  for (let count = 1; count <= MOST_CELLS; count++) {
    const centres = centresOf(sample, count)
    for (let rounds = 2; rounds <= MOST_ROUNDS; rounds++) {
      const steps = [...new Set(centres.map(centre => Math.round(centre / rounds)))].filter(step => step > 0)
      if (steps.length === 0) continue
      const fill = steps.map(step => `>${'+'.repeat(step)}`).join('')
      yield {
        setup: `${'+'.repeat(rounds)}[${fill}${'<'.repeat(steps.length)}-]`,
        cells: [0, ...steps.map(step => (step * rounds) & 255)],
      }
    }
  }
}

/** Values that the bytes lie around: k-means in one dimension, begun at even quantiles. */
function centresOf(sample: Uint8Array, count: number): number[] {
  const sorted = sample.toSorted()
  let centres = Array.from({ length: count }, (_, i) => sorted[Math.floor(((i + 0.5) * sorted.length) / count)] ?? 0)
  for (let round = 0; round < 5; round++) {
    const groups = Map.groupBy(sorted, byte => nearest(centres, byte))
    centres = centres.map((centre, i) => {
      const group = groups.get(i)
      return group ? group.reduce((sum, byte) => sum + byte, 0) / group.length : centre
    })
  }
  return centres
}

const nearest = (centres: readonly number[], byte: number): number =>
  centres.reduce((best, centre, i) => (Math.abs(centre - byte) < Math.abs((centres[best] ?? 0) - byte) ? i : best), 0)

/** Prints bytes from the cells, each from the one that is cheapest then, and gives the number of commands. */
function print(bytes: Uint8Array, start: readonly number[], emit: (commands: string) => void): number {
  const cells = [...start]
  let at = 0
  let total = 0
  for (const byte of bytes) {
    let [best, bestCost] = [at, Number.POSITIVE_INFINITY]
    for (const [i, value] of cells.entries()) {
      const cost = Math.abs(i - at) + Math.abs(change(value, byte))
      if (cost < bestCost) [best, bestCost] = [i, cost]
    }
    const by = change(cells[best] ?? 0, byte)
    emit(`${(best > at ? '>' : '<').repeat(Math.abs(best - at))}${(by > 0 ? '+' : '-').repeat(Math.abs(by))}.`)
    total += bestCost + 1
    cells[best] = byte
    at = best
  }
  return total
}

/** The shorter way from one byte to another, round the end if need be: from -128 to 127. */
const change = (from: number, to: number): number => ((to - from + 384) & 255) - 128
