import { toHex } from '../bytes.ts'

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

/** The same for bounds of any size: as many bits as the bound has, drawn again while they make a larger number. */
export function drawBelow(bound: bigint, random: Random): bigint {
  if (bound < 1n) throw new RangeError('expected a bound of at least 1')
  const bits = bound === 1n ? 0 : (bound - 1n).toString(2).length
  const length = Math.ceil(bits / 8)
  for (;;) {
    const bytes = Uint8Array.from(random(length))
    if (length) bytes[0] = (bytes[0] ?? 0) & (255 >> (8 * length - bits))
    const value = BigInt(`0x0${toHex(bytes)}`)
    if (value < bound) return value
  }
}

/** A number from 0 to 1 without 1: one of the 2^53 multiples of 2^-53, each equally likely. */
export function drawFraction(random: Random): number {
  const [first = 0, ...rest] = random(7)
  return rest.reduce((value, byte) => value * 256 + byte, first & 31) / 2 ** 53
}
