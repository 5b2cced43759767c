import { HashMD } from '@noble/hashes/_md.js'
import { type CHash, clean, createHasher, rotl } from '@noble/hashes/utils.js'

/** The SM3 hash of the Chinese standard GB/T 32905-2016, also in ISO/IEC 10118-3. */

/** §4.1 of the standard. */
const INITIAL = [
  0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
] as const
/** §4.2: the constant of rounds 0 to 15 and that of rounds 16 to 63. */
const CONSTANTS = [0x79cc4519, 0x7a879d8a] as const

const p0 = (x: number) => x ^ rotl(x, 9) ^ rotl(x, 17)
const p1 = (x: number) => x ^ rotl(x, 15) ^ rotl(x, 23)

/** The message expansion of §5.3.2: W0 to W67; W' is made of it on the fly. */
const words = new Uint32Array(68)
const word = (index: number) => words[index] ?? 0

class Sm3 extends HashMD<Sm3> {
  private state: number[] = [...INITIAL]

  constructor() {
    super(64, 32, 8, false)
  }

  protected get(): number[] {
    return this.state
  }

  protected set(...state: number[]): void {
    this.state = state
  }

  protected process(view: DataView, offset: number): void {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + 4 * i)
    for (let i = 16; i < 68; i++) {
      words[i] = p1(word(i - 16) ^ word(i - 9) ^ rotl(word(i - 3), 15)) ^ rotl(word(i - 13), 7) ^ word(i - 6)
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.state
    for (let i = 0; i < 64; i++) {
      const early = i < 16
      const turned = rotl(a, 12)
      const ss1 = rotl((turned + e + rotl(early ? CONSTANTS[0] : CONSTANTS[1], i % 32)) | 0, 7)
      const ff = early ? a ^ b ^ c : (a & b) | (a & c) | (b & c)
      const gg = early ? e ^ f ^ g : (e & f) | (~e & g)
      const tt1 = (ff + d + (ss1 ^ turned) + (word(i) ^ word(i + 4))) | 0
      const tt2 = (gg + h + ss1 + word(i)) | 0
      d = c
      c = rotl(b, 9)
      b = a
      a = tt1
      h = g
      g = rotl(f, 19)
      f = e
      e = p0(tt2)
    }
    const mixed = [a, b, c, d, e, f, g, h]
    this.state = this.state.map((value, index) => (value ^ (mixed[index] ?? 0)) >>> 0)
  }

  protected roundClean(): void {
    clean(words)
  }

  _cloneInto(to: Sm3 = new Sm3()): Sm3 {
    to.state = [...this.state]
    return this._cloneIntoMeta(to)
  }

  destroy(): void {
    this.destroyed = true
    this.state.fill(0)
    clean(this.buffer)
  }
}

/** SM3 of a byte string. */
export const sm3: CHash = createHasher(() => new Sm3())
