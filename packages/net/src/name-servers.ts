/** Whole zones and long lists of names, asked of name servers through the door. RFC 5936, RFC 1035 §4.2. */

import { type ListAnswer, type ListQuestion, type NameServers, Problem } from '@assay/kit'
import { createQuery, decodeMessage, encodeMessage } from '@assay/lib/dns/message'
import { TRANSFER_LIMITS, type TransferLimits, TransferReader } from '@assay/lib/dns/transfer'
import { askInBulk, type BulkAnswer } from './bulk.ts'
import type { DnsTransport } from './dns-transport.ts'
import type { Door } from './egress.ts'
import { codeOf } from './failure.ts'
import type { Pace } from './pace.ts'

/** For the whole of a transfer. */
const TRANSFER_TIMEOUT_MS = 15_000
const DNS_PORT = 53
/** To one server at once. */
const WINDOW = 64
const SOCKETS = 2
const TIMEOUT_MS = 800
/** A server that left so many questions unanswered, and none answered, is asked no more. */
const STRIKES = 16

export interface NameServerParts {
  door: Door
  transport: DnsTransport
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** How fast one server may be asked. */
  paceOf: (server: string) => Pace
  /** What a transfer may bring, unless it is what the product takes. */
  transferLimits?: TransferLimits
  /** 53 unless a test says otherwise. */
  port?: number
}

export function createNameServers(parts: NameServerParts): NameServers {
  const { door, transport, random, paceOf, transferLimits = TRANSFER_LIMITS, port = DNS_PORT } = parts
  async function* transfer(server: string, zone: string) {
    const reader = new TransferReader(zone, transferLimits)
    const [high = 0, low = 0] = random(2)
    const id = (high << 8) | low
    // RFC 5936 §2.1 lets EDNS in, but some servers refuse the whole question for it.
    const query = encodeMessage(createQuery({ id, name: zone, type: 'AXFR', edns: 'none' }))
    try {
      for await (const bytes of transport.stream({ address: server, port }, query, {
        timeoutMs: TRANSFER_TIMEOUT_MS,
      })) {
        const message = decodeMessage(bytes)
        if (message.id !== id || !message.qr) break
        const records = reader.read(message, bytes.length)
        if (records.length) yield records
        if (reader.over) break
      }
      return reader.end()
    } catch (error) {
      door.budget.check()
      if (error instanceof Error && error.name === 'WireError') return reader.end()
      if (!(error instanceof Problem) || error.code === 'refused') throw error
      return reader.end(interruptionOf(error))
    }
  }

  async function* askAll(servers: readonly string[], questions: Iterable<ListQuestion>) {
    const allowed = permitted(door, servers)
    const round = { unanswered: new Map<ListQuestion, string>(), good: new Set<string>() }
    const rest = questions[Symbol.iterator]()
    yield* merged(allowed.map(server => askOne(server, rest, round)))
    const last = { unanswered: new Map<ListQuestion, string>(), good: new Set<string>() }
    yield* merged(
      [...round.good].map(server => {
        const others = [...round.unanswered].filter(([, lost]) => nextOf(lost, round.good) === server)
        return askOne(server, others.map(([question]) => question)[Symbol.iterator](), last)
      }),
    )
    const lost = [...(round.good.size ? last : round).unanswered.keys()]
    // With nobody left to ask, what was never asked is unanswered too.
    for (let next = rest.next(); !next.done; next = rest.next()) lost.push(next.value)
    if (lost.length) yield lost.map(question => ({ question }))
  }

  interface Round {
    /** Questions without a usable answer, and the server that gave none. */
    unanswered: Map<ListQuestion, string>
    /** Servers that answered anything. */
    good: Set<string>
  }

  /** Takes questions off a list that others take from too. */
  async function* askOne(server: string, rest: Iterator<ListQuestion>, { unanswered, good }: Round) {
    const asked = new Set<ListQuestion>()
    let strikes = 0
    const next = (): IteratorResult<ListQuestion> => {
      if (strikes >= STRIKES && !good.has(server)) return { done: true, value: undefined }
      const taken = rest.next()
      if (!taken.done) asked.add(taken.value)
      return taken
    }
    const options = { window: WINDOW, sockets: SOCKETS, timeoutMs: TIMEOUT_MS, pace: paceOf(server) }
    try {
      for await (const batch of askInBulk(
        door,
        { address: server, port },
        { [Symbol.iterator]: () => ({ next }) },
        options,
      )) {
        const usable: ListAnswer[] = []
        for (const answer of batch) {
          asked.delete(answer.question)
          if (isUsable(answer)) usable.push(answer)
          else unanswered.set(answer.question, server)
          if (!answer.message) strikes++
        }
        if (usable.length) {
          good.add(server)
          yield usable
        }
      }
    } catch (error) {
      door.budget.check()
      if (!(error instanceof Problem)) throw error
      for (const question of asked) unanswered.set(question, server)
    }
  }

  return { transfer, askAll }
}

/** What says nothing about the name is asked again elsewhere. */
const isUsable = ({ message }: BulkAnswer) => message?.rcode === 'NOERROR' || message?.rcode === 'NXDOMAIN'

/** Another server than the one that failed, where there is another. */
function nextOf(lost: string, good: ReadonlySet<string>): string | undefined {
  const others = [...good].filter(server => server !== lost)
  return others[0] ?? [...good][0]
}

/** The servers that may be contacted; the refusal when that is none of them. */
function permitted(door: Door, servers: readonly string[]): string[] {
  let refusal: unknown
  const allowed = servers.filter(server => {
    try {
      door.check(server)
      return true
    } catch (error) {
      refusal = error
      return false
    }
  })
  if (!allowed.length && refusal) throw refusal
  return allowed
}

/** Batches of all, as they come. */
async function* merged<T>(sources: readonly AsyncGenerator<T, void, void>[]): AsyncGenerator<T, void, void> {
  const step = async (source: AsyncGenerator<T, void, void>) => ({ source, result: await source.next() })
  const waiting = new Map(sources.map(source => [source, step(source)]))
  try {
    while (waiting.size) {
      const { source, result } = await Promise.race(waiting.values())
      if (result.done) {
        waiting.delete(source)
        continue
      }
      waiting.set(source, step(source))
      yield result.value
    }
  } finally {
    // Whoever still waits for an answer closes when it comes or the job ends.
    for (const [source, pending] of waiting) {
      pending.catch(() => {})
      source.return(undefined).catch(() => {})
    }
  }
}

/** A connection that was made and then cut is the server's answer of a kind; one that was never made is none. */
function interruptionOf({ code, cause }: Problem): 'timeout' | 'closed' | 'unreachable' {
  if (code === 'timeout') return 'timeout'
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(cause)) ? 'closed' : 'unreachable'
}
