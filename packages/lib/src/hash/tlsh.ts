import { fromHex, toHex } from '../bytes.ts'

/**
 * TLSH, the Trend Micro Locality Sensitive Hash with 128 buckets and a checksum of one byte: J. Oliver, C. Cheng and
 * Y. Chen, "TLSH - A Locality Sensitive Hash", 2013. Three bytes out of five neighbours at a time are counted in
 * buckets, and each bucket is written as the quarter in which its count lies.
 */

/** The permutation of P. Pearson, "Fast Hashing of Variable-Length Text Strings", 1990, table 1. */
const PEARSON = [
  ...[1, 87, 49, 12, 176, 178, 102, 166, 121, 193, 6, 84, 249, 230, 44, 163, 14, 197, 213, 181, 161, 85, 218, 80],
  ...[64, 239, 24, 226, 236, 142, 38, 200, 110, 177, 104, 103, 141, 253, 255, 50, 77, 101, 81, 18, 45, 96, 31, 222],
  ...[25, 107, 190, 70, 86, 237, 240, 34, 72, 242, 20, 214, 244, 227, 149, 235, 97, 234, 57, 22, 60, 250, 82, 175],
  ...[208, 5, 127, 199, 111, 62, 135, 248, 174, 169, 211, 58, 66, 154, 106, 195, 245, 171, 17, 187, 182, 179, 0, 243],
  ...[132, 56, 148, 75, 128, 133, 158, 100, 130, 126, 91, 13, 153, 246, 216, 219, 119, 68, 223, 78, 83, 88, 201, 99],
  ...[122, 11, 92, 32, 136, 114, 52, 10, 138, 30, 48, 183, 156, 35, 61, 26, 143, 74, 251, 94, 129, 162, 63, 152],
  ...[170, 7, 115, 167, 241, 206, 3, 150, 55, 59, 151, 220, 90, 53, 23, 131, 125, 173, 15, 238, 79, 95, 89, 16],
  ...[105, 137, 225, 224, 217, 160, 37, 123, 118, 73, 2, 157, 46, 116, 9, 145, 134, 228, 207, 212, 202, 215, 69, 229],
  ...[27, 188, 67, 124, 168, 252, 42, 4, 29, 108, 21, 247, 19, 205, 39, 203, 233, 40, 186, 147, 198, 192, 155, 33],
  ...[164, 191, 98, 204, 165, 180, 117, 76, 140, 36, 210, 172, 41, 54, 159, 8, 185, 232, 113, 196, 231, 47, 146, 120],
  ...[51, 65, 28, 144, 254, 221, 93, 189, 194, 139, 112, 43, 71, 109, 184, 209],
]
const table = Uint8Array.from(PEARSON)
const pearson = (salt: number, a: number, b: number, c: number) =>
  table[(table[(table[(table[salt] ?? 0) ^ a] ?? 0) ^ b] ?? 0) ^ c] ?? 0

const BUCKETS = 128
const CODE_BYTES = BUCKETS / 4
/** Below this there is no hash; half of the buckets at least must have been met. */
export const MIN_TLSH_BYTES = 50
/** Which of the four bytes before go with the newest one, and the prime that keeps their bucket counts apart. */
const TRIPLETS = [
  [2, 1, 2],
  [3, 1, 3],
  [5, 2, 3],
  [7, 2, 4],
  [11, 1, 4],
  [13, 3, 4],
] as const
const PREFIX = 'T1'

export interface Tlsh {
  update(bytes: Uint8Array): Tlsh
  /** The hash, or why there is none. */
  digest(): { hash: string } | { reason: 'short' | 'uniform' }
}

export interface TlshHash {
  checksum: number
  /** The logarithm of the length in steps. */
  length: number
  /** The lowest and the middle quarter in relation to the highest, each modulo 16. */
  ratio1: number
  ratio2: number
  /** Two bits for each bucket. */
  code: Uint8Array
}

/** A running hash. */
export function createTlsh(): Tlsh {
  const counts = new Uint32Array(256)
  /** The newest byte first. */
  let [b1, b2, b3, b4] = [0, 0, 0, 0]
  let checksum = 0
  let bytesDone = 0
  const self: Tlsh = {
    update(bytes) {
      for (const byte of bytes) {
        if (++bytesDone > 4) {
          const before = [0, b1, b2, b3, b4]
          checksum = pearson(0, byte, b1, checksum)
          for (const [salt, x, y] of TRIPLETS) {
            const bucket = pearson(salt, byte, before[x] ?? 0, before[y] ?? 0)
            counts[bucket] = (counts[bucket] ?? 0) + 1
          }
        }
        ;[b1, b2, b3, b4] = [byte, b1, b2, b3]
      }
      return self
    },
    digest() {
      if (bytesDone < MIN_TLSH_BYTES) return { reason: 'short' }
      const used = counts.subarray(0, BUCKETS)
      const sorted = used.slice().sort()
      const [q1 = 0, q2 = 0, q3 = 0] = [sorted[BUCKETS / 4 - 1], sorted[BUCKETS / 2 - 1], sorted[(BUCKETS * 3) / 4 - 1]]
      if (used.filter(count => count > 0).length <= BUCKETS / 2) return { reason: 'uniform' }
      const quarter = (count: number) => (count > q3 ? 3 : count > q2 ? 2 : count > q1 ? 1 : 0)
      const code = Uint8Array.from({ length: CODE_BYTES }, (_, i) =>
        [3, 2, 1, 0].reduce((bits, j) => bits * 4 + quarter(used[4 * i + j] ?? 0), 0),
      )
      const ratio = (quartile: number) => Math.floor(Math.fround(Math.fround(quartile * 100) / q3)) % 16
      return {
        hash: formatTlsh({ checksum, length: lengthStep(bytesDone), ratio1: ratio(q1), ratio2: ratio(q2), code }),
      }
    },
  }
  return self
}

/** Logarithms to the bases 1.5, 1.3 and 1.1, joined where one hands over to the next. */
function lengthStep(bytes: number): number {
  const logarithm = Math.fround(Math.log(bytes))
  if (bytes <= 656) return Math.floor(logarithm / 0.4054651) & 255
  if (bytes <= 3199) return Math.floor(logarithm / 0.26236426 - 8.72777) & 255
  return Math.floor(logarithm / 0.09531018 - 62.5472) & 255
}

/** The hash of a byte string. */
export const tlsh = (message: Uint8Array) => createTlsh().update(message).digest()

/** The head has the halves of each byte exchanged, and the buckets go from the last to the first. */
const swapped = (byte: number) => ((byte & 15) << 4) | (byte >> 4)

function formatTlsh({ checksum, length, ratio1, ratio2, code }: TlshHash): string {
  const head = [swapped(checksum), swapped(length), (ratio1 << 4) | ratio2]
  return PREFIX + toHex(Uint8Array.of(...head, ...code.slice().reverse())).toUpperCase()
}

/** Reads a hash with the prefix T1 or, as before 2020, without; RangeError when it is none. */
export function parseTlsh(text: string): TlshHash {
  const [, digits] = /^(?:T1)?([0-9A-F]{70})$/i.exec(text.trim()) ?? []
  if (!digits) throw new RangeError('expected T1 and 70 hexadecimal digits')
  const [checksum = 0, length = 0, ratios = 0, ...code] = fromHex(digits)
  return {
    checksum: swapped(checksum),
    length: swapped(length),
    ratio1: ratios >> 4,
    ratio2: ratios & 15,
    code: Uint8Array.from(code).reverse(),
  }
}

/** On a circle of `size` places. */
const around = (a: number, b: number, size: number) => Math.min(Math.abs(a - b), size - Math.abs(a - b))

/** How far two hashes are apart: 0 for the same, some hundreds for strangers. */
export function compareTlsh(a: TlshHash, b: TlshHash): number {
  const length = around(a.length, b.length, 256)
  const ratio = (x: number, y: number) => {
    const apart = around(x, y, 16)
    return apart <= 1 ? apart : (apart - 1) * 12
  }
  const head =
    (length <= 1 ? length : length * 12) +
    ratio(a.ratio1, b.ratio1) +
    ratio(a.ratio2, b.ratio2) +
    (a.checksum === b.checksum ? 0 : 1)
  return a.code.reduce((sum, byte, i) => sum + bucketsApart(byte, b.code[i] ?? 0), head)
}

/** Four buckets of two bits each; opposite quarters count twice as much as their distance. */
function bucketsApart(a: number, b: number): number {
  let sum = 0
  for (let shift = 0; shift < 8; shift += 2) {
    const apart = Math.abs(((a >> shift) & 3) - ((b >> shift) & 3))
    sum += apart === 3 ? 6 : apart
  }
  return sum
}
