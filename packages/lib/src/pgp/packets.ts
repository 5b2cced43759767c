import type { Bytes } from '../bytes.ts'
import { type Described, described } from './packet-fields.ts'
import { names } from './packet-names.ts'

/** What packets a block of OpenPGP consists of, without any key. RFC 9580 §4 and §5, as `gpg --list-packets` lists them. */
export interface PacketReport extends Described {
  /** Where it begins. */
  offset: number
  tag: number
  name: string
  /** Bytes of its body; in several parts (§4.2.1.4) all of them together. */
  bytes: number
  format: 'OpenPGP' | 'legacy'
}

const MAX_PACKETS = 1_000

/** Every packet, in order; RangeError when the bytes are no packets at all. */
export function listPackets(bytes: Bytes): PacketReport[] {
  const packets: PacketReport[] = []
  for (let at = 0; at < bytes.length; ) {
    if (packets.length === MAX_PACKETS) throw new RangeError(`expected at most ${MAX_PACKETS} packets`)
    const header = readHeader(bytes, at)
    if (typeof header === 'string') {
      if (!packets.length) throw new RangeError('these bytes are no packets of OpenPGP')
      packets.push({
        offset: at,
        tag: 0,
        name: 'Not a packet',
        bytes: bytes.length - at,
        format: 'OpenPGP',
        fields: [],
        fault: header,
      })
      break
    }
    const { tag, body, next, format, fault } = header
    packets.push({
      offset: at,
      tag,
      name: names[tag] ?? `Packet ${tag}`,
      bytes: body.length,
      format,
      ...described(tag, body, fault),
    })
    at = next
  }
  if (!packets.length) throw new RangeError('there are no packets in it')
  return packets
}

interface Header {
  tag: number
  body: Uint8Array
  next: number
  format: PacketReport['format']
  fault?: string
}

/** §4.2; a sentence without its capital where there is no header. */
function readHeader(bytes: Bytes, start: number): Header | string {
  const first = bytes[start] ?? 0
  if (!(first & 0x80)) return 'the byte at this place begins no packet'
  return first & 0x40 ? readNew(bytes, start) : readLegacy(bytes, start)
}

/** §4.2.1: lengths of one, two or five octets, or in parts. */
function readNew(bytes: Bytes, start: number): Header | string {
  const tag = (bytes[start] ?? 0) & 0x3f
  if (tag === 0) return 'the packet type 0 is reserved'
  const pieces: Uint8Array[] = []
  let at = start + 1
  for (;;) {
    const first = bytes[at]
    if (first === undefined) return 'the bytes end in the middle of a header'
    const partial = first >= 224 && first < 255
    const width = first < 192 || partial ? 1 : first < 224 ? 2 : 5
    if (at + width > bytes.length) return 'the bytes end in the middle of a header'
    const length = partial ? 2 ** (first & 31) : bodyLength(bytes, at, first)
    at += width
    pieces.push(bytes.subarray(at, at + length))
    const missing = at + length - bytes.length
    if (missing > 0) return cut(tag, joined(pieces), bytes.length, 'OpenPGP', missing)
    at += length
    if (!partial) return { tag, body: joined(pieces), next: at, format: 'OpenPGP' }
  }
}

function bodyLength(bytes: Bytes, at: number, first: number): number {
  if (first < 192) return first
  if (first < 224) return ((first - 192) << 8) + (bytes[at + 1] ?? 0) + 192
  return bytes.subarray(at + 1, at + 5).reduce((value, octet) => value * 256 + octet, 0)
}

/** §4.2.2 */
function readLegacy(bytes: Bytes, start: number): Header | string {
  const first = bytes[start] ?? 0
  const tag = (first >> 2) & 15
  if (tag === 0) return 'the packet type 0 is reserved'
  const width = [1, 2, 4, 0][first & 3] ?? 0
  if (width === 0) return { tag, body: bytes.subarray(start + 1), next: bytes.length, format: 'legacy' }
  const at = start + 1 + width
  if (at > bytes.length) return 'the bytes end in the middle of a header'
  const length = bytes.subarray(start + 1, at).reduce((value, octet) => value * 256 + octet, 0)
  const missing = at + length - bytes.length
  if (missing > 0) return cut(tag, bytes.subarray(at), bytes.length, 'legacy', missing)
  return { tag, body: bytes.subarray(at, at + length), next: at + length, format: 'legacy' }
}

const cut = (tag: number, body: Uint8Array, next: number, format: PacketReport['format'], missing: number): Header => ({
  tag,
  body,
  next,
  format,
  fault: `${missing} bytes of it are missing`,
})

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
