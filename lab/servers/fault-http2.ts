/** What a server may send on a connection of HTTP/2: frames (RFC 9113 §4.1), written by hand. See src/faults.ts. */
import type { Duplex } from 'node:stream'
import { canary, type Faults } from '../src/faults.ts'
import { pour } from './fault-stream.ts'

const types = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goaway: 7, continuation: 9 }
const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8 }
/** The first request of a client. */
const stream = 1

function frame(type: number, flag: number, id: number, content = Buffer.alloc(0), length = content.length): Buffer {
  const head = Buffer.from([length >> 16, (length >> 8) & 255, length & 255, type, flag, 0, 0, 0, id])
  return Buffer.concat([head, content])
}

/** RFC 9113 §6.5: an identifier and a value. */
const setting = (id: number, value: number) => {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16BE(id)
  bytes.writeUInt32BE(value, 2)
  return bytes
}
const settings = frame(types.settings, 0, 0)
/** RFC 7541 §6.1, §6.2.1: `:status: 200` by its index; a field of its own, kept, and from then on index 62. */
const ok = Buffer.from([0x88])
const field = (name: string, value: string) =>
  Buffer.concat([Buffer.from([0x40, name.length]), Buffer.from(name), integer(value.length, 7), Buffer.from(value)])

/** RFC 7541 §5.1. */
function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1
  if (value < most) return Buffer.from([value])
  const octets = [most]
  let rest = value - most
  for (; rest >= 128; rest >>= 7) octets.push((rest & 127) | 128)
  return Buffer.from([...octets, rest])
}

const started = Buffer.concat([settings, frame(types.headers, flags.endHeaders, stream, ok)])
const endless = (beginning: Buffer, piece: Buffer) => (socket: Duplex) => {
  const many = Buffer.concat(Array.from({ length: 100 }, () => piece))
  socket.write(beginning)
  pour(socket, () => many)
}
const says =
  (...frames: readonly Buffer[]) =>
  (socket: Duplex) =>
    void socket.write(Buffer.concat(frames))

/** Called when the client has sent its first request. */
export const http2Faults: Record<keyof Faults['http2'], (socket: Duplex) => void> = {
  'h2-silent': () => {},
  'h2-settings': endless(settings, frame(types.settings, 0, 0, setting(4, 65_535))),
  'h2-ping': endless(settings, frame(types.ping, 0, 0, Buffer.alloc(8, 1))),
  'h2-continuation': endless(
    Buffer.concat([settings, frame(types.headers, 0, stream, ok)]),
    frame(types.continuation, 0, stream, field('x-a', canary)),
  ),
  'h2-bomb': says(
    settings,
    frame(
      types.headers,
      flags.endHeaders,
      stream,
      Buffer.concat([ok, field('x-a', canary.repeat(300)), Buffer.alloc(10_000, 0xbe)]),
    ),
  ),
  'h2-octets': endless(started, frame(types.data, 0, stream, Buffer.from('x'))),
  'h2-padding': endless(started, frame(types.data, flags.padded, stream, Buffer.from([9, ...Buffer.alloc(9)]))),
  'h2-no-window': says(frame(types.settings, 0, 0, setting(4, 0))),
  'h2-goaway': says(settings, frame(types.goaway, 0, 0, Buffer.concat([Buffer.alloc(8), Buffer.from(canary)]))),
  'h2-reset': says(settings, frame(types.reset, 0, stream, Buffer.from([0, 0, 0, 2]))),
  'h2-push': says(settings, frame(types.push, flags.endHeaders, stream, Buffer.from([0, 0, 0, 2, 0x82, 0x87, 0x84]))),
  'h2-long-frame': says(settings, frame(types.data, 0, stream, Buffer.alloc(100), 0xffffff)),
  'h2-bare-data': says(settings, frame(types.data, flags.endStream, stream, Buffer.from(canary))),
}
