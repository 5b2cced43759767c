import { HashMD } from '@noble/hashes/_md.js'
import { type CHash, clean, createHasher, rotl } from '@noble/hashes/utils.js'

/** The MD4 message digest, RFC 1320. Broken; here for what still speaks it, NTLM password hashes above all. */

/** RFC 1320 §3.3: the words A, B, C and D, low-order bytes first. */
const INITIAL = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const
/** RFC 1320 §3.4: per round its constant (0, then the square roots of 2 and 3), its shifts and its order of words. */
const ROUNDS = [
  { constant: 0, shifts: [3, 7, 11, 19], order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
  { constant: 0x5a827999, shifts: [3, 5, 9, 13], order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] },
  { constant: 0x6ed9eba1, shifts: [3, 9, 11, 15], order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15] },
] as const

const words = new Uint32Array(16)

class Md4 extends HashMD<Md4> {
  private state: [number, number, number, number] = [...INITIAL]

  constructor() {
    super(64, 16, 8, true)
  }

  protected get(): number[] {
    return this.state
  }

  protected set(a: number, b: number, c: number, d: number): void {
    this.state = [a, b, c, d]
  }

  protected process(view: DataView, offset: number): void {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + 4 * i, true)
    let [a, b, c, d] = this.state
    for (const [round, { constant, shifts, order }] of ROUNDS.entries()) {
      for (let step = 0; step < 16; step++) {
        const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d
        const sum = (a + mixed + (words[order[step] ?? 0] ?? 0) + constant) | 0
        a = d
        d = c
        c = b
        b = rotl(sum, shifts[step % 4] ?? 0)
      }
    }
    const [a0, b0, c0, d0] = this.state
    this.state = [(a0 + a) >>> 0, (b0 + b) >>> 0, (c0 + c) >>> 0, (d0 + d) >>> 0]
  }

  protected roundClean(): void {
    clean(words)
  }

  _cloneInto(to: Md4 = new Md4()): Md4 {
    to.state = [...this.state]
    return this._cloneIntoMeta(to)
  }

  destroy(): void {
    this.destroyed = true
    this.state = [0, 0, 0, 0]
    clean(this.buffer)
  }
}

/** MD4 of a byte string. */
export const md4: CHash = createHasher(() => new Md4())
