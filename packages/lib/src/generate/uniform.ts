/** Bytes from a cryptographic generator, as many as asked for. */
export type Random = (length: number) => Uint8Array

/** Bytes asked for at once, so that single picks do not each call the generator. */
const BATCH = 256

/**
 * Whole numbers below a bound, every one equally likely. The remainder of a random byte favours small numbers unless
 * the bound divides 256, so values above the last whole multiple of the bound are thrown away and drawn again.
 */
export function createPicker(random: Random): (bound: number) => number {
  let [batch, at] = [new Uint8Array(), 0]
  const next = () => {
    if (at === batch.length) [batch, at] = [Uint8Array.from(random(BATCH)), 0]
    return batch[at++] ?? 0
  }
  return bound => {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32)
      throw new RangeError('expected a bound from 1 to 2^32')
    const length = bound <= 2 ** 8 ? 1 : bound <= 2 ** 16 ? 2 : 4
    const values = 256 ** length
    const limit = values - (values % bound)
    for (;;) {
      let value = 0
      for (let i = 0; i < length; i++) value = value * 256 + next()
      if (value < limit) return value % bound
    }
  }
}
