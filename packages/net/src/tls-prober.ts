import type { Socket } from 'node:net'
import { concat } from '@assay/lib/bytes'
import { type ClientHello, clientHello, ssl2ClientHello } from '@assay/lib/tls/client-hello'
import { alertName, versionCode } from '@assay/lib/tls/registry'
import { FlightReader, readSsl2Hello, type ServerFlight } from '@assay/lib/tls/server-flight'
import type { Door } from './egress.ts'
import { createSlots } from './slots.ts'

/** How long a server may take to accept one connection. */
export const CONNECT_MS = 4_000
/** How long a question may wait for its turn among the others of a scan. */
const TURN_MS = 120_000
/** Connections at once: the door gives one address ten, and others ask it too. */
const WIDTH = 6
/** The most of one scan: every suite of every version, and room for the rest. */
const MAX_CONNECTIONS = 600
/** Silence is asked once more; a server that goes on being silent costs this many questions in all, no more. */
const MAX_SILENCES = 4
const MAX_SSL2_BYTES = 32_768

export type Answer =
  | { kind: 'hello'; flight: ServerFlight & { hello: NonNullable<ServerFlight['hello']> } }
  | { kind: 'no'; reason: string; alert?: number }
  | { kind: 'silent'; reason: string }
  | { kind: 'fault'; reason: string }

type Hello = Omit<ClientHello, 'random' | 'serverName'>

interface ProberParts {
  door: Door
  random: (length: number) => Uint8Array<ArrayBuffer>
  address: string
  port: number
  serverName: string | undefined
  answerMs: number
}

/** Asks one server, a few questions at a time. */
export class Prober {
  connections = 0
  readonly faults = new Set<string>()
  readonly #parts: ProberParts
  readonly #slots = createSlots(WIDTH, TURN_MS)
  #silences = 0

  constructor(parts: ProberParts) {
    this.#parts = parts
  }

  check(): void {
    this.#parts.door.budget.check()
  }

  /** Whether anybody is there; throws why not. */
  async reach(): Promise<void> {
    const { door, address, port } = this.#parts
    this.connections++
    const socket = await door.connect({ address, port, purpose: 'tls' }, CONNECT_MS)
    socket.resetAndDestroy()
  }

  /** What the server says to a hello, up to the point that answers the question. */
  async ask(
    hello: Hello,
    enough: (flight: ServerFlight) => boolean = ({ hello }) => hello !== undefined,
  ): Promise<Answer> {
    const { random, serverName } = this.#parts
    const reader = new FlightReader()
    const bytes = clientHello({ ...hello, random: random(32), ...(serverName !== undefined && { serverName }) })
    const end = await this.#exchange(bytes, piece => {
      reader.push(piece)
      return reader.over || enough(reader.flight)
    })
    const { flight } = reader
    if (flight.fault) this.faults.add(flight.fault)
    // What comes behind the hello may break rules; the choice was made all the same.
    if (flight.hello) {
      const { hello: chosen } = flight
      if (chosen.version === versionCode(hello.version) && !hello.suites.includes(chosen.suite)) {
        return this.#fault('the server chose a suite that was not offered')
      }
      return { kind: 'hello', flight: { ...flight, hello: chosen } }
    }
    if (flight.fault) return { kind: 'fault', reason: flight.fault }
    if (flight.alert) {
      return { kind: 'no', reason: `The server says ${alertName(flight.alert.code)}.`, alert: flight.alert.code }
    }
    if (end === 'silent') return { kind: 'silent', reason: 'The server does not answer.' }
    return { kind: 'no', reason: 'The server hangs up.' }
  }

  /** The same in SSL 2.0, whose messages look different. */
  async askSsl2(): Promise<ReturnType<typeof readSsl2Hello> | 'silent'> {
    let received: Uint8Array = new Uint8Array(0)
    let answer: ReturnType<typeof readSsl2Hello>
    const end = await this.#exchange(ssl2ClientHello(this.#parts.random(16)), piece => {
      received = concat(received, piece)
      answer = readSsl2Hello(received)
      return answer !== undefined || received.length > MAX_SSL2_BYTES
    })
    return answer ?? (end === 'silent' ? 'silent' : 'other')
  }

  #fault(reason: string): Answer {
    this.faults.add(reason)
    return { kind: 'fault', reason }
  }

  async #exchange(bytes: Uint8Array, heard: (piece: Uint8Array) => boolean): Promise<'heard' | 'closed' | 'silent'> {
    const { door } = this.#parts
    for (let last = false; ; last = true) {
      const give = await this.#slots.take(door.budget.signal)
      try {
        if (this.#silences >= MAX_SILENCES) return 'silent'
        const end = await this.#once(bytes, heard)
        if (end !== 'silent') return end
        this.#silences++
        if (last) return end
      } finally {
        give()
      }
    }
  }

  async #once(bytes: Uint8Array, heard: (piece: Uint8Array) => boolean): Promise<'heard' | 'closed' | 'silent'> {
    const { door, address, port, answerMs } = this.#parts
    if (this.connections >= MAX_CONNECTIONS) return 'silent'
    this.connections++
    const { socket, code } = await door.attempt({ address, port, purpose: 'tls' }, CONNECT_MS)
    if (!socket) return code === 'TIMEOUT' ? 'silent' : 'closed'
    try {
      return await converse(door, socket, bytes, { heard, answerMs })
    } finally {
      // A reset frees both ends at once; after our own end of the stream libuv refuses it and would keep the socket.
      if (socket.writableEnded) socket.destroy()
      else socket.resetAndDestroy()
    }
  }
}

/** Sends, and listens until enough was heard, the server hangs up, or the time is up. */
function converse(
  door: Door,
  socket: Socket,
  bytes: Uint8Array,
  { heard, answerMs }: { heard: (piece: Uint8Array) => boolean; answerMs: number },
): Promise<'heard' | 'closed' | 'silent'> {
  const { promise, resolve, reject } = Promise.withResolvers<'heard' | 'closed' | 'silent'>()
  const timer = setTimeout(() => resolve('silent'), answerMs)
  socket.on('data', piece => {
    try {
      door.meter(socket)
      if (heard(piece)) resolve('heard')
    } catch (error) {
      reject(error)
    }
  })
  socket.once('error', () => resolve('closed'))
  socket.once('end', () => resolve('closed'))
  socket.once('close', () => resolve('closed'))
  socket.write(bytes)
  return promise.finally(() => clearTimeout(timer))
}
