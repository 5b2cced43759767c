/** The largest prime below 2^16: both sums are taken modulo it. RFC 1950 §8.2. */
const BASE = 65_521
/** The most bytes that can be summed before a register of 32 bits overflows, as in zlib; so sums stay small integers. */
const RUN = 5552

/** The Adler-32 checksum of a byte string, from that of what went before. RFC 1950 §8.2, §9. */
export function adler32(message: Uint8Array, before = 1): number {
  let a = before & 0xffff
  let b = before >>> 16
  for (let start = 0; start < message.length; start += RUN) {
    const end = Math.min(start + RUN, message.length)
    for (let i = start; i < end; i++) {
      a += message[i] ?? 0
      b += a
    }
    a %= BASE
    b %= BASE
  }
  return b * 0x1_0000 + a
}
