import { type Bytes, concat, fromHex, toHex } from '../bytes.ts'

/** Integers and the octets that stand for them: OS2IP and I2OSP of RFC 8017 §4, two's complement of X.690 §8.3. */

/** The number that big-endian octets stand for. */
export const fromOctets = (octets: Uint8Array): bigint => (octets.length ? BigInt(`0x${toHex(octets)}`) : 0n)

/** A number from 0 up in big-endian octets: as few as it takes, or exactly `length`. */
export function toOctets(number: bigint, length?: number): Bytes {
  if (number < 0n) throw new RangeError('a negative number has no unsigned octets')
  const digits = number === 0n ? '' : number.toString(16)
  const wanted = length ?? Math.ceil(digits.length / 2)
  if (digits.length > wanted * 2) throw new RangeError(`the number does not fit in ${wanted} bytes`)
  return fromHex(digits.padStart(wanted * 2, '0'))
}

/** The number of bits of a number from 0 up, without leading zeros. */
export function bitLength(number: bigint): number {
  if (number === 0n) return 0
  const digits = number.toString(16)
  return (digits.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(digits.charAt(0), 16)))
}

/** Two's complement octets, as few as it takes (X.690 §8.3.2). */
export function toSignedOctets(number: bigint): Bytes {
  if (number >= 0n) {
    const octets = toOctets(number)
    return (octets[0] ?? 0x80) & 0x80 ? concat(Uint8Array.of(0), octets) : octets
  }
  const length = Math.floor(bitLength(-number - 1n) / 8) + 1
  return toOctets((1n << BigInt(length * 8)) + number, length)
}

/** The number that two's complement octets stand for. */
export function fromSignedOctets(octets: Uint8Array): bigint {
  const number = fromOctets(octets)
  return (octets[0] ?? 0) & 0x80 ? number - (1n << BigInt(octets.length * 8)) : number
}
