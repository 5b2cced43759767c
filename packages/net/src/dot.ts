/** DNS over TLS (RFC 7858): several questions may be under way on one connection (RFC 7766 §6.2.1.1). */

import type { TLSSocket } from 'node:tls'
import { type DotExchange, type DotOptions, type DotServer, type EncryptedConnection, Problem } from '@assay/kit'
import { concat } from '@assay/lib/bytes'
import { decodeAnswer, encodeMessage, type Message, sameQuestion } from '@assay/lib/dns/message'
import { WireError } from '@assay/lib/dns/wire'
import type { Door } from './egress.ts'
import { asReused, ENCRYPTED_TIMEOUT_MS, IDLE_MS, openEncrypted } from './encrypted-connection.ts'
import { asNetworkProblem, noAnswer } from './failure.ts'
import { MAX_STRAY_BYTES } from './raw-dns.ts'
import type { Tls } from './tls.ts'
import { within } from './within.ts'

/** RFC 7858 §3.1. */
const DOT_PORT = 853
const ID_COUNT = 65_536
const ALPN = ['dot']

export interface DotParts {
  door: Door
  tls: Tls
  random: (length: number) => Uint8Array<ArrayBuffer>
}

export function createDot({ door, tls, random }: DotParts) {
  const connections = new Map<string, Promise<DotConnection>>()
  const sessions = new Map<string, Buffer>()

  return async function overTls(server: DotServer, query: Message, options: DotOptions = {}): Promise<DotExchange> {
    const { timeoutMs = ENCRYPTED_TIMEOUT_MS, fresh = false, resume = false, protocols = ALPN } = options
    const place = { address: server.address, port: server.port ?? DOT_PORT, name: server.name ?? server.address }
    const key = JSON.stringify([place, protocols])
    const deadline = performance.now() + timeoutMs
    const left = () => Math.max(1, deadline - performance.now())

    const open = () => {
      const session = resume ? sessions.get(key) : undefined
      const opening = openEncrypted(door, tls, place, { protocols, timeoutMs: left(), session }).then(
        ({ socket, facts }) => {
          socket.on('session', (ticket: Buffer) => sessions.set(key, ticket))
          return new DotConnection(door, socket, facts)
        },
      )
      connections.set(key, opening)
      opening.catch(() => forget(opening))
      return opening
    }
    const forget = (connection: Promise<DotConnection>) => {
      if (connections.get(key) === connection) connections.delete(key)
    }

    try {
      const known = fresh || resume ? undefined : connections.get(key)
      if (known) {
        const connection = await within(known, { timeoutMs: left(), problem: () => noAnswer(timeoutMs) })
        try {
          if (connection.usable) return await connection.ask(query, { random, timeoutMs: left(), reused: true })
        } catch (error) {
          // RFC 7766 §6.2.4: a server may close a connection at any time, and then the question is asked anew.
          if (!(error instanceof Problem && error.code === 'unreachable' && !connection.usable)) throw error
        }
        forget(known)
      }
      const connection = await open()
      return await connection.ask(query, { random, timeoutMs: left(), reused: false })
    } catch (error) {
      door.budget.check()
      throw asNetworkProblem(error)
    }
  }
}

interface AskOptions {
  random: DotParts['random']
  timeoutMs: number
  reused: boolean
}

interface Waiting {
  query: Message
  answer: PromiseWithResolvers<Message>
}

class DotConnection {
  readonly #door: Door
  readonly #socket: TLSSocket
  readonly #facts: EncryptedConnection
  readonly #waiting = new Map<number, Waiting>()
  #rest: Uint8Array = new Uint8Array(0)
  /** What came since the last answer. */
  #stray = 0

  constructor(door: Door, socket: TLSSocket, facts: EncryptedConnection) {
    this.#door = door
    this.#socket = socket
    this.#facts = facts
    socket.on('data', chunk => this.#read(chunk))
    socket.on('error', error => this.#end(asNetworkProblem(error)))
    socket.on('close', () => this.#end(new Problem('unreachable', 'The server cut the connection')))
    socket.on('end', () => socket.destroy())
    socket.setTimeout(IDLE_MS, () => {
      if (this.#waiting.size === 0) socket.destroy()
    })
  }

  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  async ask(question: Message, { random, timeoutMs, reused }: AskOptions): Promise<DotExchange> {
    const query = { ...question, id: this.#freeId(random) }
    const bytes = encodeMessage(query)
    const answer = Promise.withResolvers<Message>()
    this.#waiting.set(query.id, { query, answer })
    const start = performance.now()
    try {
      // RFC 7766 §8: length and message in one segment.
      this.#socket.write(concat(Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes))
      const message = await within(answer.promise, { timeoutMs, problem: () => noAnswer(timeoutMs) })
      const milliseconds = performance.now() - start
      return { ...(reused ? asReused(this.#facts) : this.#facts), message, milliseconds }
    } finally {
      this.#waiting.delete(query.id)
    }
  }

  #freeId(random: DotParts['random']): number {
    const [high = 0, low = 0] = random(2)
    let id = (high << 8) | low
    while (this.#waiting.has(id)) id = (id + 1) % ID_COUNT
    return id
  }

  #read(chunk: Uint8Array): void {
    try {
      this.#door.meter(this.#socket)
      this.#stray += chunk.length
      if (this.#stray > MAX_STRAY_BYTES) throw new Problem('unreachable', 'The server never comes to an answer')
    } catch (error) {
      this.#end(error)
      return
    }
    const bytes = this.#rest.length ? concat(this.#rest, chunk) : chunk
    let start = 0
    for (;;) {
      const length = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0)
      if (bytes.length - start < 2 || bytes.length - start - 2 < length) break
      this.#receive(bytes.subarray(start + 2, start + 2 + length))
      start += 2 + length
    }
    this.#rest = bytes.slice(start)
  }

  /** What answers no question of ours is passed over, as over UDP (RFC 5452 §9.1). */
  #receive(bytes: Uint8Array): void {
    try {
      const message = decodeAnswer(bytes)
      const waiting = this.#waiting.get(message.id)
      const [asked] = waiting?.query.questions ?? []
      const [returned] = message.questions
      if (!waiting || !message.qr) return
      if (returned ? asked && !sameQuestion(asked, returned) : message.rcode === 'NOERROR') return
      this.#stray = 0
      waiting.answer.resolve(message)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      this.#end(
        new Problem('unreachable', 'What the server sent over TLS is not DNS', {
          detail: `It breaks a rule: ${error.message}.`,
        }),
      )
    }
  }

  #end(reason: unknown): void {
    for (const { answer } of this.#waiting.values()) answer.reject(reason)
    this.#socket.destroy()
  }
}
