import type { Bytes } from '../bytes.ts'

/** Object identifiers: arcs in dotted form and in the octets of X.690 §8.19. */

/** Octets of one identifier; the longest in use have about 30. */
const MAX_OCTETS = 256

/** The content octets of an OBJECT IDENTIFIER. */
export function toOidContent(dotted: string): Bytes {
  if (!/^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(dotted) || dotted.length > 4 * MAX_OCTETS) {
    throw new RangeError('expected an object identifier such as 1.2.840.113549')
  }
  const [root = 0n, second = 0n, ...arcs] = dotted.split('.').map(BigInt)
  if (root < 2n && second > 39n) throw new RangeError(`the second arc below ${root} goes up to 39`)
  return Uint8Array.from([root * 40n + second, ...arcs].flatMap(base128))
}

function base128(arc: bigint): number[] {
  const octets = [Number(arc & 127n)]
  for (let rest = arc >> 7n; rest; rest >>= 7n) octets.unshift(Number(rest & 127n) | 128)
  return octets
}

/** The dotted form of the content octets of an OBJECT IDENTIFIER. */
export function fromOidContent(octets: Uint8Array): string {
  if (!octets.length) throw new RangeError('the object identifier is empty')
  if (octets.length > MAX_OCTETS) throw new RangeError(`the object identifier is longer than ${MAX_OCTETS} bytes`)
  const arcs: bigint[] = []
  let arc = 0n
  let fresh = true
  for (const octet of octets) {
    if (fresh && octet === 0x80) throw new RangeError('an arc of the object identifier has a leading zero')
    arc = (arc << 7n) | BigInt(octet & 127)
    fresh = octet < 128
    if (!fresh) continue
    arcs.push(arc)
    arc = 0n
  }
  if (!fresh) throw new RangeError('the object identifier ends in the middle of an arc')
  const [first = 0n, ...rest] = arcs
  const root = first < 80n ? first / 40n : 2n
  return [root, first - root * 40n, ...rest].join('.')
}
