import { HashMD } from '@noble/hashes/_md.js'
import { type CHash, clean, createHasher, rotl } from '@noble/hashes/utils.js'

/**
 * The relatives of RIPEMD-160: H. Dobbertin, A. Bosselaers and B. Preneel, "RIPEMD-160: a strengthened version of
 * RIPEMD", 1996, appendices A and B for 160 and 128 bits, §7 for the versions of double length. ISO/IEC 10118-3 has
 * the two short ones.
 */

/** The order of words: round k of the left line is ρ applied k times, that of the right line starts from π. */
const RHO = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8]
const PI = Array.from({ length: 16 }, (_, i) => (9 * i + 5) % 16)
const orders = (first: readonly number[]) => {
  const rounds = [[...first]]
  while (rounds.length < 5) rounds.push((rounds.at(-1) ?? []).map(word => RHO[word] ?? 0))
  return rounds
}
const LEFT_ORDER = orders(PI.map((_, i) => i))
const RIGHT_ORDER = orders(PI)

/** Rotations by round and word, the same in both lines. */
const SHIFTS = [
  [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
  [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
  [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
  [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
  [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
]

/** 2^30 times the square roots of 2, 3, 5 and 7, and of their cube roots, cut to integers. */
const rootsOf = (root: (prime: number) => number) => [2, 3, 5, 7].map(prime => Math.floor(2 ** 30 * root(prime)))
const LEFT_CONSTANTS = [0, ...rootsOf(Math.sqrt)]
const RIGHT_ROOTS = rootsOf(Math.cbrt)

const LEFT_INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
const RIGHT_INITIAL = [0x76543210, 0xfedcba98, 0x89abcdef, 0x01234567, 0x3c2d1e0f]

const mix = (kind: number, x: number, y: number, z: number): number => {
  switch (kind) {
    case 0:
      return x ^ y ^ z
    case 1:
      return (x & y) | (~x & z)
    case 2:
      return (x | ~y) ^ z
    case 3:
      return (x & z) | (y & ~z)
    default:
      return x ^ (y | ~z)
  }
}

const words = new Uint32Array(16)

/** One of the functions: how many registers a line has (four rounds with four, five with five), and whether both stay. */
class Ripemd extends HashMD<Ripemd> {
  private state: number[]
  private readonly registers: 4 | 5
  private readonly exchanged: readonly number[] | undefined

  /** `exchanged`: the register that the lines swap after each round, in the versions of double length. */
  constructor(registers: 4 | 5, exchanged?: readonly number[]) {
    super(64, registers * (exchanged ? 8 : 4), 8, true)
    this.registers = registers
    this.exchanged = exchanged
    const right = exchanged ? RIGHT_INITIAL.slice(0, registers) : []
    this.state = [...LEFT_INITIAL.slice(0, registers), ...right]
  }

  protected get(): number[] {
    return this.state
  }

  protected set(...state: number[]): void {
    this.state = state
  }

  protected process(view: DataView, offset: number): void {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + 4 * i, true)
    const { registers, exchanged, state } = this
    const left = state.slice(0, registers)
    const right = exchanged ? state.slice(registers) : state.slice(0, registers)
    for (let round = 0; round < registers; round++) {
      const last = registers - 1
      runRound(left, round, LEFT_ORDER[round] ?? [], SHIFTS[round] ?? [], LEFT_CONSTANTS[round] ?? 0)
      const constant = round === last ? 0 : (RIGHT_ROOTS[round] ?? 0)
      runRound(right, last - round, RIGHT_ORDER[round] ?? [], SHIFTS[round] ?? [], constant)
      const swapped = exchanged?.[round]
      if (swapped !== undefined) {
        const held = left[swapped] ?? 0
        left[swapped] = right[swapped] ?? 0
        right[swapped] = held
      }
    }
    const sum = (a: number | undefined, b: number | undefined, c = 0) => ((a ?? 0) + (b ?? 0) + c) >>> 0
    this.state = exchanged
      ? state.map((value, i) => sum(value, [...left, ...right][i]))
      : state.map((_, i) => sum(state[(i + 1) % registers], left[(i + 2) % registers], right[(i + 3) % registers]))
  }

  protected roundClean(): void {
    clean(words)
  }

  _cloneInto(to: Ripemd = new Ripemd(this.registers, this.exchanged)): Ripemd {
    to.state = [...this.state]
    return this._cloneIntoMeta(to)
  }

  destroy(): void {
    this.destroyed = true
    this.state.fill(0)
    clean(this.buffer)
  }
}

/** Sixteen steps on one line, in place. */
function runRound(line: number[], kind: number, order: number[], shifts: number[], constant: number): void {
  const five = line.length === 5
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = line
  for (let step = 0; step < 16; step++) {
    const word = order[step] ?? 0
    const sum = (a + mix(kind, b, c, d) + (words[word] ?? 0) + constant) | 0
    const turned = rotl(sum, shifts[word] ?? 0)
    if (five) {
      a = e
      e = d
      d = rotl(c, 10)
      c = b
      b = (turned + a) | 0
    } else {
      a = d
      d = c
      c = b
      b = turned
    }
  }
  line.splice(0, line.length, ...(five ? [a, b, c, d, e] : [a, b, c, d]))
}

/** RIPEMD-128 of a byte string. */
export const ripemd128: CHash = createHasher(() => new Ripemd(4))
/** RIPEMD-256: two lines of RIPEMD-128 that exchange A, B, C and D after the rounds. */
export const ripemd256: CHash = createHasher(() => new Ripemd(4, [0, 1, 2, 3]))
/** RIPEMD-320: two lines of RIPEMD-160 that exchange B, D, A, C and E after the rounds. */
export const ripemd320: CHash = createHasher(() => new Ripemd(5, [1, 3, 0, 2, 4]))
