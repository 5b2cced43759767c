/** Faults of the transport, the same whatever is spoken on it. See src/faults.ts. */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { canary, type Faults } from '../src/faults.ts'

const dripMs = 50
const overdueMs = 60_000
const block = Buffer.alloc(65_536, canary)

export type Answer = (socket: Duplex) => void

/** Writes as fast as the other side reads, until it has enough. */
export function pour(socket: Duplex, piece: () => Buffer = () => block): void {
  const more = () => {
    while (!socket.destroyed && socket.writable && socket.write(piece()));
  }
  socket.on('drain', more)
  more()
}

export function drip(socket: Duplex, bytes: Buffer): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at === bytes.length) return clearInterval(timer)
    socket.write(bytes.subarray(at, ++at))
  }, dripMs)
  socket.once('close', () => clearInterval(timer))
}

/** `sound` is what an honest server would have said. */
export const streamFaults: Record<keyof Faults['stream'], (socket: Duplex, sound: Buffer, reset: () => void) => void> =
  {
    mute: () => {},
    closed: socket => void socket.end(),
    reset: (_socket, _sound, reset) => reset(),
    binary: socket => void socket.end(randomBytes(4_096)),
    control: socket =>
      void socket.end(`\u0000\u0007\u001b[2J\u001b]0;${canary}\u0007\u009b\u202e${canary}\r\n`.repeat(40)),
    flood: socket => pour(socket),
    drip,
    cut: (socket, sound) => void socket.end(sound.subarray(0, sound.length >> 1)),
    torn: (socket, sound, reset) =>
      void socket.write(sound.subarray(0, sound.length >> 1), () => setTimeout(reset, 20)),
    overdue: (socket, sound) => {
      const timer = setTimeout(() => socket.end(sound), overdueMs)
      socket.once('close', () => clearTimeout(timer))
    },
  }
