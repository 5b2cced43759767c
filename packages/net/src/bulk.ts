/**
 * Many questions to one name server at once, for lists of names: a few sockets, a bounded number of questions in
 * flight, silence asked again. RFC 1035 §4.2.1, RFC 5452 §9.
 */

import { Problem } from '@assay/kit'
import { equalBytes } from '@assay/lib/bytes'
import { createQuery, decodeAnswer, encodeMessage, type Message } from '@assay/lib/dns/message'
import type { DnsServer } from './dns-transport.ts'
import type { Channel, Door } from './egress.ts'
import type { Pace } from './pace.ts'

/** Questions in flight; more overflow the socket buffers of both sides. */
export const DEFAULT_WINDOW = 128
/** Sockets, and so source ports, that the questions are spread over. */
export const DEFAULT_SOCKETS = 4
/** A socket is replaced after this many questions, so that its port is not there to be guessed for long. */
const QUESTIONS_PER_SOCKET = 4_096
const TIMEOUT_MS = 1_500
const TRIES = 3
/** How often silence is looked for. */
const SWEEP_MS = 50
const DNS_PORT = 53
const HEADER_BYTES = 12
const ID_COUNT = 65_536

export interface BulkQuestion {
  name: string
  type: string
}

export interface BulkAnswer {
  question: BulkQuestion
  /** Undefined when the server stayed silent through all tries, or its answer could not be read. */
  message?: Message
}

export interface BulkOptions {
  window?: number
  sockets?: number
  timeoutMs?: number
  recursionDesired?: boolean
  /** Asked before each new question: whether it may leave now. */
  pace?: Pace
}

interface Waiting {
  question: BulkQuestion
  query: Uint8Array
  sentAt: number
  tries: number
}

/** Asks every question of one server. Answers come in batches as they arrive, in no order. */
export async function* askInBulk(
  door: Door,
  { address, port = DNS_PORT }: DnsServer,
  questions: Iterable<BulkQuestion>,
  {
    window = DEFAULT_WINDOW,
    sockets = DEFAULT_SOCKETS,
    timeoutMs = TIMEOUT_MS,
    recursionDesired = false,
    pace = () => true,
  }: BulkOptions = {},
): AsyncGenerator<BulkAnswer[], void, void> {
  const rest = questions[Symbol.iterator]()
  const open = () => Lane.open(door, { address, port, purpose: 'dns' })
  const lanes = await Promise.all(Array.from({ length: sockets }, open))
  const share = Math.max(1, Math.floor(window / sockets))
  const answers: BulkAnswer[] = []
  let change = signal()
  let exhausted = false
  let telling: NodeJS.Immediate | undefined

  // Once for all datagrams that came in together.
  const tell = () => {
    telling ??= setImmediate(() => {
      telling = undefined
      change.resolve()
    })
  }

  const fill = (lane: Lane) => {
    while (!exhausted && lane.waiting.size < share && lane.asked < QUESTIONS_PER_SOCKET && pace()) {
      const { done, value } = rest.next()
      if (done) exhausted = true
      else lane.ask(value, recursionDesired)
    }
  }
  const start = (lane: Lane) => {
    lane.channel.listen(
      datagram => {
        const answer = lane.accept(datagram)
        if (!answer) return
        answers.push(answer)
        fill(lane)
        tell()
      },
      problem => change.reject(problem),
    )
    fill(lane)
  }
  const timer = setInterval(() => {
    for (const lane of lanes) answers.push(...lane.sweep(timeoutMs))
    change.resolve()
  }, SWEEP_MS)

  try {
    lanes.forEach(start)
    for (;;) {
      if (answers.length) {
        yield answers.splice(0)
        continue
      }
      // After the caller has seen what was lost, and as the pace allows.
      for (const lane of lanes) fill(lane)
      for (const [i, lane] of lanes.entries()) {
        if (lane.waiting.size || exhausted || lane.asked < QUESTIONS_PER_SOCKET) continue
        lane.channel.close()
        const fresh = await open()
        lanes[i] = fresh
        start(fresh)
      }
      if (exhausted && lanes.every(({ waiting }) => waiting.size === 0) && !answers.length) return
      await change.promise
      change = signal()
      door.budget.check()
    }
  } finally {
    clearInterval(timer)
    clearImmediate(telling)
    for (const { channel } of lanes) channel.close()
  }
}

/** A promise that may fail before anybody looks. */
function signal(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>()
  made.promise.catch(() => {})
  return made
}

/** One socket with the questions that wait on it. */
class Lane {
  readonly waiting = new Map<number, Waiting>()
  readonly channel: Channel
  asked = 0

  static async open(door: Door, target: Parameters<Door['channel']>[0]): Promise<Lane> {
    return new Lane(await door.channel(target))
  }

  constructor(channel: Channel) {
    this.channel = channel
  }

  ask(question: BulkQuestion, rd: boolean): void {
    const id = this.#freeId()
    const query = encodeMessage(createQuery({ id, ...question, rd }))
    this.waiting.set(id, { question, query, sentAt: performance.now(), tries: 1 })
    this.asked++
    this.channel.send(query)
  }

  /** The answer that a datagram is, if it is one: the id waits, and the question comes back as it was asked. */
  accept(datagram: Uint8Array): BulkAnswer | undefined {
    const id = ((datagram[0] ?? 0) << 8) | (datagram[1] ?? 0)
    const waiting = this.waiting.get(id)
    if (!waiting || datagram.length < HEADER_BYTES || !((datagram[2] ?? 0) & 0x80)) return undefined
    const { question, query } = waiting
    const end = questionEnd(query)
    if (!equalBytes(datagram.subarray(HEADER_BYTES, end), query.subarray(HEADER_BYTES, end))) return undefined
    this.waiting.delete(id)
    try {
      return { question, message: decodeAnswer(datagram) }
    } catch (error) {
      if (error instanceof Error && error.name === 'WireError') return { question }
      throw error
    }
  }

  /** Asks again where there was silence, and gives up on those asked often enough. */
  sweep(timeoutMs: number): BulkAnswer[] {
    const now = performance.now()
    const lost: BulkAnswer[] = []
    for (const [id, waiting] of this.waiting) {
      if (now - waiting.sentAt < timeoutMs) continue
      if (waiting.tries === TRIES) {
        this.waiting.delete(id)
        lost.push({ question: waiting.question })
        continue
      }
      waiting.tries++
      waiting.sentAt = now
      this.channel.send(waiting.query)
    }
    return lost
  }

  #freeId(): number {
    if (this.waiting.size >= ID_COUNT / 2) throw new Problem('limited', 'Too many questions are in flight.')
    for (;;) {
      const id = randomId()
      if (!this.waiting.has(id)) return id
    }
  }
}

/** Random numbers of 16 bits, drawn many at once: each drawing costs as much as making a query. */
const ids = new Uint16Array(1_024)
let idsUsed = ids.length

function randomId(): number {
  if (idsUsed === ids.length) {
    crypto.getRandomValues(ids)
    idsUsed = 0
  }
  return ids[idsUsed++] ?? 0
}

/** Where the question of a query ends: a name without pointers, then type and class. */
function questionEnd(query: Uint8Array): number {
  let offset = HEADER_BYTES
  for (let length = query[offset] ?? 0; length; length = query[offset] ?? 0) offset += length + 1
  return offset + 5
}
