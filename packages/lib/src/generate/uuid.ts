import { type Bytes, concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { digest } from '../hash/digest.ts'
import type { Random } from './uniform.ts'

/** Universally unique identifiers. RFC 9562. */

/** §5.9 and §5.10 */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** §6.6 */
export const namespaces = {
  DNS: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  URL: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  OID: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  X500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
} as const

/** Sixteen bytes as text, with the version and the variant put in (§4.1, §4.2). */
export function formatUuid(bytes: Uint8Array, version: number): string {
  const marked = concat(bytes.subarray(0, 16))
  marked[6] = ((marked[6] ?? 0) & 0x0f) | (version << 4)
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80
  return hyphenate(toHex(marked))
}

const hyphenate = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The bytes of a UUID in its usual form, as urn:uuid: or in braces. */
export function parseUuid(text: string): Bytes {
  const match = /^(?:urn:uuid:)?(\{?)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(\}?)$/i.exec(
    text.trim(),
  )
  if (!match || Boolean(match[1]) !== Boolean(match[3])) {
    throw new RangeError('expected a UUID: 32 hexadecimal digits in groups of 8-4-4-4-12')
  }
  return fromHex((match[2] ?? '').replaceAll('-', ''))
}

/** A namespace by its name in §6.6, or any UUID. */
export function parseNamespace(text: string): Bytes {
  const name = text.trim().toUpperCase()
  for (const [known, uuid] of Object.entries(namespaces)) if (known === name) return parseUuid(uuid)
  try {
    return parseUuid(text)
  } catch (cause) {
    throw new RangeError(`expected ${Object.keys(namespaces).join(', ')} or a UUID`, { cause })
  }
}

/** §5.3 */
export const uuidV3 = async (namespace: Bytes, name: string): Promise<string> =>
  formatUuid(await digest('MD5', concat(namespace, fromUtf8(name))), 3)

/** §5.4 */
export const uuidV4 = (random: Random): string => formatUuid(random(16), 4)

/** §5.5 */
export const uuidV5 = async (namespace: Bytes, name: string): Promise<string> =>
  formatUuid(await digest('SHA-1', concat(namespace, fromUtf8(name))), 5)

/** §5.8 leaves the content free; this is the name-based one of Appendix B.2, with SHA-256. */
export const uuidV8 = async (namespace: Bytes, name: string): Promise<string> =>
  formatUuid(await digest('SHA-256', concat(namespace, fromUtf8(name))), 8)

/** Milliseconds from the Gregorian reform, 15 October 1582, to 1970 (§5.1), and ticks of 100 ns in each. */
const GREGORIAN_MS = -Date.UTC(1582, 9, 15)
const TICKS_PER_MS = 10_000n

/** The parts of versions 1 and 6 beside the time. */
export interface Node {
  clockSequence: number
  node: Uint8Array
}

/** A random clock sequence, and a random node with the multicast bit that no network card has (§6.10). */
export function randomNode(random: Random): Node {
  const bytes = concat(random(8))
  bytes[2] = (bytes[2] ?? 0) | 1
  return { clockSequence: (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) & 0x3fff, node: bytes.subarray(2) }
}

/** Ticks of 100 ns since the reform. */
export const gregorianTicks = (milliseconds: number): bigint => BigInt(milliseconds + GREGORIAN_MS) * TICKS_PER_MS

/** §5.1: the low part of the time comes first. */
export function uuidV1(ticks: bigint, { clockSequence, node }: Node): string {
  const low = ticks & 0xffffffffn
  const middle = (ticks >> 32n) & 0xffffn
  const high = ticks >> 48n
  return assemble((low << 32n) | (middle << 16n) | high, clockSequence, node, 1)
}

/** §5.6: version 1 with the time in its natural order. */
export function uuidV6(ticks: bigint, { clockSequence, node }: Node): string {
  return assemble(((ticks >> 12n) << 16n) | (ticks & 0xfffn), clockSequence, node, 6)
}

function assemble(head: bigint, clockSequence: number, node: Uint8Array, version: number): string {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, head)
  view.setUint16(8, clockSequence)
  bytes.set(node, 10)
  return formatUuid(bytes, version)
}

/** §5.7: milliseconds of Unix time, then twelve bits that may count, then random ones. */
export function uuidV7(milliseconds: number, counter: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, (BigInt(milliseconds) << 16n) | BigInt(counter))
  bytes.set(random.subarray(0, 8), 8)
  return formatUuid(bytes, 7)
}

const COUNTER_BITS = 12

/**
 * Version 7 identifiers of one moment that sort in the order they were made: the twelve bits count up from a random
 * start whose top bit is zero, and when they run over, the time moves on by a millisecond (§6.2, method 1).
 */
export function uuidsV7(milliseconds: number, count: number, random: Random): string[] {
  const start = random(2)
  const first = (((start[0] ?? 0) << 8) | (start[1] ?? 0)) & (2 ** (COUNTER_BITS - 1) - 1)
  return Array.from({ length: count }, (_, i) => {
    const place = first + i
    return uuidV7(milliseconds + Math.floor(place / 2 ** COUNTER_BITS), place % 2 ** COUNTER_BITS, random(8))
  })
}
