import { chiSquareProbability } from './chi-square.ts'

/**
 * What the frequencies of bytes tell: Shannon's entropy (A Mathematical Theory of Communication, 1948, §6), min-entropy
 * (NIST SP 800-90B §2.1), and the tests that John Walker's program ent prints. Of a stream only sums are kept.
 */
export interface ByteStatistics {
  bytes: number
  distinct: number
  /** Bits per byte. */
  entropy: number
  /** Bits per byte that the most frequent byte leaves to a guesser. */
  minEntropy: number
  /** Against 256 byte values that are all as frequent; null where there are no bytes. */
  chiSquare: number | null
  /** How often random bytes exceed that value, from 0 to 1. */
  chance: number | null
  mean: number | null
  /** Null for fewer than six bytes. */
  pi: number | null
  /** Null where all bytes are equal. */
  serialCorrelation: number | null
  /** How often each of the 256 bytes occurs. */
  counts: readonly number[]
}

/** A square has a side of three bytes, a dart two such coordinates. */
const DART_BYTES = 6
const RADIUS = 256 ** 3 - 1

/** Takes bytes in pieces of any length. */
export function createStatistics() {
  const counts = new Float64Array(256)
  const dart = new Uint8Array(DART_BYTES)
  let [bytes, darts, hits] = [0, 0, 0]
  let [first, last, products] = [0, 0, 0]
  return {
    update(piece: Uint8Array): void {
      for (let i = 0; i < piece.length; i++) {
        const byte = piece[i] ?? 0
        counts[byte] = (counts[byte] ?? 0) + 1
        if (bytes === 0) first = byte
        else products += last * byte
        last = byte
        const at = bytes++ % DART_BYTES
        dart[at] = byte
        if (at < DART_BYTES - 1) continue
        darts++
        if (isInside(dart)) hits++
      }
    },
    result(): ByteStatistics {
      const sum = counts.reduce((total, count, byte) => total + count * byte, 0)
      const squares = counts.reduce((total, count, byte) => total + count * byte * byte, 0)
      const chiSquare = bytes ? chiSquareOf(counts, bytes) : null
      const spread = bytes * squares - sum * sum
      return {
        bytes,
        distinct: counts.filter(Boolean).length,
        entropy: entropyOf(counts, bytes),
        minEntropy: bytes ? Math.abs(Math.log2(bytes / counts.reduce((a, b) => Math.max(a, b)))) : 0,
        chiSquare,
        chance: chiSquare === null ? null : chiSquareProbability(chiSquare, 255),
        mean: bytes ? sum / bytes : null,
        pi: darts ? (4 * hits) / darts : null,
        // Each byte with the next, and the last with the first.
        serialCorrelation: spread === 0 ? null : (bytes * (products + last * first) - sum * sum) / spread,
        counts: [...counts],
      }
    },
  }
}

/** Whether a dart with two coordinates of three bytes each has hit the quarter of a circle. */
function isInside([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Uint8Array): boolean {
  const [x, y] = [a * 65_536 + b * 256 + c, d * 65_536 + e * 256 + f]
  return x * x + y * y <= RADIUS * RADIUS
}

function entropyOf(counts: Float64Array, bytes: number): number {
  return counts.reduce((bits, count) => (count ? bits + (count / bytes) * Math.log2(bytes / count) : bits), 0)
}

function chiSquareOf(counts: Float64Array, bytes: number): number {
  const expected = bytes / 256
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/**
 * The entropy that so many random bytes come to on average, which is below 8 while they are few: each byte value occurs
 * k times with the probability of the binomial distribution, and adds k/n log₂ n/k.
 */
export function expectedEntropy(bytes: number): number {
  if (bytes === 0) return 0
  let probability = (255 / 256) ** bytes
  // Beyond that number of bytes the sum begins with zeros; Miller's and Madow's correction is exact enough there.
  if (probability < Number.MIN_VALUE / Number.EPSILON) return 8 - 255 / (2 * bytes * Math.LN2)
  let bits = 0
  for (let k = 1; k <= bytes; k++) {
    probability *= (bytes - k + 1) / (k * 255)
    bits += 256 * probability * (k / bytes) * Math.log2(bytes / k)
    if (k > bytes / 256 && probability < 1e-18) break
  }
  return bits
}
