/** The entropy of a stream block by block, in so few columns that a stream of any length can be drawn. */
export interface Column {
  /** Where it begins, in bytes. */
  offset: number
  bytes: number
  /** Bits per byte of its blocks. */
  least: number
  mean: number
  most: number
}

/** A power of two: columns are joined in pairs when there are twice as many. */
const MAX_COLUMNS = 256

interface Sums {
  blocks: number
  bytes: number
  least: number
  total: number
  most: number
}

/** Takes bytes in pieces of any length; the last block may be shorter. */
export function createBlocks(blockBytes: number) {
  const counts = new Uint32Array(256)
  // What one more of a byte adds to the sum of k log k.
  const steps = Float64Array.from(
    { length: blockBytes },
    (_, k) => (k + 1) * Math.log2(k + 1) - (k && k * Math.log2(k)),
  )
  let columns: Sums[] = []
  let [perColumn, inBlock, sum] = [1, 0, 0]

  const endBlock = () => {
    const entropy = Math.max(0, Math.log2(inBlock) - sum / inBlock)
    const block = { blocks: 1, bytes: inBlock, least: entropy, total: entropy, most: entropy }
    const open = columns.at(-1)
    if (open && open.blocks < perColumn) columns[columns.length - 1] = joined(open, block)
    else columns.push(block)
    if (columns.length > 2 * MAX_COLUMNS) {
      columns = joinedPairs(columns)
      perColumn *= 2
    }
    counts.fill(0)
    inBlock = 0
    sum = 0
  }
  return {
    update(piece: Uint8Array): void {
      for (let i = 0; i < piece.length; i++) {
        const byte = piece[i] ?? 0
        const count = counts[byte] ?? 0
        sum += steps[count] ?? 0
        counts[byte] = count + 1
        if (++inBlock === blockBytes) endBlock()
      }
    },
    /** Ends the stream. */
    result(): Column[] {
      if (inBlock) endBlock()
      let offset = 0
      return columns.map(({ blocks, bytes, least, total, most }) => {
        offset += bytes
        return { offset: offset - bytes, bytes, least, mean: total / blocks, most }
      })
    },
  }
}

const joined = (a: Sums, b: Sums): Sums => ({
  blocks: a.blocks + b.blocks,
  bytes: a.bytes + b.bytes,
  least: Math.min(a.least, b.least),
  total: a.total + b.total,
  most: Math.max(a.most, b.most),
})

function joinedPairs(columns: readonly Sums[]): Sums[] {
  return Array.from({ length: Math.ceil(columns.length / 2) }, (_, i) => {
    const [a, b] = [columns[2 * i], columns[2 * i + 1]]
    return a && b ? joined(a, b) : (a as Sums)
  })
}
