import { fromOctets, toOctets } from '../asn1/integer.ts'
import { type Bytes, concat, fromHex } from '../bytes.ts'
import { hashFunction } from '../hash/digest.ts'
import { pause } from '../hash/pause.ts'
import type { DsaPrivateKey } from './key.ts'
import { modPow } from './modular.ts'
import { isProbablePrime, maybePrime } from './prime.ts'

/** New DSA keys with parameters of their own. FIPS 186-4 §A.1.1.2, §A.2.3, §B.1.1. */

/** The length of p, with those of q and of the seed, all in bits; §4.2. */
const lengths = { 1024: 160, 2048: 256, 3072: 256 } as const
export type DsaKeySize = keyof typeof lengths
export const dsaKeySizes = Object.keys(lengths).map(Number) as DsaKeySize[]

/**
 * Rounds of Miller and Rabin. q is short, so it gets as many as table C.1 asks of seeds that somebody else has chosen. For p,
 * which is drawn at random here, eight leave a chance under 2^-150 that it is composite (Damgård, Landrock and Pomerance,
 * Average case error estimates for the strong probable prime test, 1993).
 */
const Q_ROUNDS = 64
const P_ROUNDS = 8
/** Most fall to a small factor at once, so that these take some 50 ms. */
const CANDIDATES_AT_ONCE = 8
/** "ggen": §A.2.3 step 4 */
const GGEN = fromHex('6767656e')

export interface NewDsaKey {
  key: DsaPrivateKey
  /** What p, q and g can be derived from again, to see that nothing is hidden in them (§A.1.1.3, §A.2.4). */
  seed: Bytes
  counter: number
}

interface GenerateOptions {
  random(length: number): Bytes
  signal?: AbortSignal
}

/** Yields the candidates for p that were tried. */
export async function* generateDsaKey(
  size: DsaKeySize,
  options: GenerateOptions,
): AsyncGenerator<number, NewDsaKey, void> {
  const search = findPrimes(size, options)
  for (;;) {
    const { done, value } = await search.next()
    if (!done) {
      yield value
      continue
    }
    const { p, q, seed, counter } = value
    const g = await findGenerator({ p, q, seed })
    const x = (fromOctets(options.random(lengths[size] / 8 + 8)) % (q - 1n)) + 1n
    return { key: { type: 'DSA', publicKey: { type: 'DSA', p, q, g, y: modPow(g, x, p) }, x }, seed, counter }
  }
}

/** The hash function has exactly as many bits as q. */
const hashOf = (size: DsaKeySize) => hashFunction(size === 1024 ? 'SHA-1' : 'SHA-256')

/** §A.1.1.2 */
async function* findPrimes(size: DsaKeySize, { random, signal }: GenerateOptions) {
  const hash = await hashOf(size)
  const bits = lengths[size]
  const [half, top] = [1n << BigInt(bits - 1), 1n << BigInt(size - 1)]
  const blocks = Math.ceil(size / bits)
  const prime = (number: bigint, rounds: number) => isProbablePrime(number, { rounds, random, signal })
  let tried = 0
  for (;;) {
    const seed = random(bits / 8)
    const u = fromOctets(hash(seed)) % half
    const q = half + u + 1n - (u % 2n)
    if (!(await prime(q, Q_ROUNDS))) continue
    let offset = 1n
    for (let counter = 0; counter < 4 * size; counter++, offset += BigInt(blocks)) {
      const w = Array.from({ length: blocks }, (_, j) => seeded(seed, offset + BigInt(j)))
      const sum = w.reduce((sum, octets, j) => sum + (fromOctets(hash(octets)) << BigInt(j * bits)), 0n) % top
      const x = sum + top
      const p = x - (x % (2n * q)) + 1n
      if (++tried % CANDIDATES_AT_ONCE === 0) {
        yield tried
        await pause()
        signal?.throwIfAborted()
      }
      if (p >= top && maybePrime(p) && (await prime(p, P_ROUNDS))) return { p, q, seed, counter }
    }
  }

  function seeded(seed: Bytes, offset: bigint): Bytes {
    return toOctets((fromOctets(seed) + offset) % (1n << BigInt(bits)), bits / 8)
  }
}

/** §A.2.3 with the index 1 */
async function findGenerator({ p, q, seed }: { p: bigint; q: bigint; seed: Bytes }): Promise<bigint> {
  const hash = await hashOf(q < 1n << 160n ? 1024 : 2048)
  for (let count = 1; ; count++) {
    const w = hash(concat(seed, GGEN, Uint8Array.of(1, count >> 8, count & 255)))
    const g = modPow(fromOctets(w), (p - 1n) / q, p)
    if (g >= 2n) return g
  }
}
