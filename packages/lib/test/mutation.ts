/** For tests: what strangers may make of something sound. The same each time. */

/** A number from 0 up to a bound. */
export type Random = (below: number) => number

/** Numbers that look random: xorshift32 (Marsaglia 2003). */
export function generator(seed: number): Random {
  let state = seed
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

type Change = (bytes: Uint8Array, at: number, random: Random) => void

const changes: readonly Change[] = [
  (bytes, at, random) => void bytes.fill(random(256), at, at + 1),
  (bytes, at, random) => void bytes.fill((bytes[at] ?? 0) ^ (1 << random(8)), at, at + 1),
  (bytes, at) => bytes.set([0xff, 0xff], Math.min(at, bytes.length - 2)),
  (bytes, at, random) => void bytes.copyWithin(at, random(bytes.length), random(bytes.length)),
]

/** Up to four changes, of these kinds and others that know the format, and sometimes a cut. */
export function mutate(seed: Uint8Array, random: Random, ...more: readonly Change[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(seed)
  const kinds = [...changes, ...more]
  for (let left = 1 + random(4); left > 0; left--) kinds[random(kinds.length)]?.(bytes, random(bytes.length), random)
  return random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}

/** Milliseconds of the quickest of three: a machine that others use too may be slow, but not each time. */
export function quickest(work: () => void): number {
  const times = [0, 1, 2].map(() => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.min(...times)
}
