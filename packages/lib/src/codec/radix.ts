/**
 * Numbers of any size in the digits of any base, by halving: a number is split by the power of the base that has half
 * its digits, so that the platform's fast multiplication does the work and a million digits take seconds, not hours.
 */

/** Digits that a double carries exactly in any base up to 256. */
const EXACT_DIGITS = 6

/** base^1, base^2, base^4 and so on, as far as half of `count` digits need. */
function powersOf(base: number, count: number): bigint[] {
  const powers = [BigInt(base)]
  for (let last = BigInt(base); 2 ** powers.length < count; powers.push(last)) last *= last
  return powers
}

/** The last `count` digits of a number that is not negative, the most significant first. */
export function toDigits(value: bigint, base: number, count: number): Uint8Array {
  const powers = powersOf(base, count)
  const digits = new Uint8Array(count)
  const write = (part: bigint, at: number, length: number): void => {
    if (length <= EXACT_DIGITS) {
      for (let i = at + length - 1, rest = Number(part); i >= at; i--, rest = Math.floor(rest / base)) {
        digits[i] = rest % base
      }
      return
    }
    const level = levelFor(length)
    const power = powers[level] ?? 1n
    const high = part / power
    write(high, at, length - 2 ** level)
    write(part - high * power, at + length - 2 ** level, 2 ** level)
  }
  write(value, 0, count)
  return digits
}

/** The number that digits stand for, the most significant first. */
export function fromDigits(digits: Uint8Array, base: number): bigint {
  const powers = powersOf(base, digits.length)
  const read = (at: number, length: number): bigint => {
    if (length <= EXACT_DIGITS) {
      let value = 0
      for (let i = at; i < at + length; i++) value = value * base + (digits[i] ?? 0)
      return BigInt(value)
    }
    const level = levelFor(length)
    const high = length - 2 ** level
    return read(at, high) * (powers[level] ?? 1n) + read(at + high, 2 ** level)
  }
  return digits.length ? read(0, digits.length) : 0n
}

/** The largest power of two below a length, as its exponent. */
const levelFor = (length: number) => 31 - Math.clz32(length - 1)
