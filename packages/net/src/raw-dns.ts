/** DNS messages as bytes with the time they took, through the door. RFC 1035 §4.2, RFC 5452 §9. */

import { type Findings, Problem, type RawDns, type RawDnsOptions, type RawReply } from '@assay/kit'
import { concat } from '@assay/lib/bytes'
import type { Door } from './egress.ts'
import { asNetworkProblem, noAnswer } from './failure.ts'

const DNS_PORT = 53
const TIMEOUT_MS = 1_500
/** Of messages over TCP that are not the answer: a server that talks on and on is not heard out. */
export const MAX_STRAY_BYTES = 262_144

export interface RawDnsParts {
  door: Door
  findings: Findings
  /** 53 unless a test says otherwise. */
  port?: number
}

/** Each message leaves from a socket of its own; the clock starts when that is open. */
export function createRawDns({ door, findings, port = DNS_PORT }: RawDnsParts): RawDns {
  return {
    findings,
    exchange(server, message, { transport = 'udp', timeoutMs = TIMEOUT_MS, accepts = sameId(message) } = {}) {
      const question = { address: server, port, message, timeoutMs, accepts }
      return transport === 'udp' ? overUdp(door, question) : overTcp(door, question)
    },
  }
}

/** The first two bytes are the id, and the bit after the next is set in an answer (RFC 1035 §4.1.1). */
const sameId = (query: Uint8Array) => (message: Uint8Array) =>
  message.length >= 12 && message[0] === query[0] && message[1] === query[1] && ((message[2] ?? 0) & 0x80) !== 0

interface Question extends Required<Omit<RawDnsOptions, 'transport'>> {
  address: string
  port: number
  message: Uint8Array
}

async function overUdp(door: Door, { address, port, message, timeoutMs, accepts }: Question): Promise<RawReply> {
  const channel = await door.channel({ address, port, purpose: 'dns' })
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>()
  const timer = setTimeout(() => reject(noAnswer(timeoutMs)), timeoutMs)
  let sentAt = 0
  channel.listen(
    datagram => {
      const milliseconds = performance.now() - sentAt
      try {
        if (accepts(datagram)) resolve({ message: datagram, milliseconds })
      } catch (error) {
        reject(error)
      }
    },
    problem => reject(problem),
  )
  try {
    sentAt = performance.now()
    channel.send(message)
    return await promise
  } finally {
    clearTimeout(timer)
    channel.close()
  }
}

async function overTcp(door: Door, { address, port, message, timeoutMs, accepts }: Question): Promise<RawReply> {
  const deadline = performance.now() + timeoutMs
  const socket = await door.connect({ address, port, purpose: 'dns' }, timeoutMs)
  const timer = setTimeout(() => socket.destroy(noAnswer(timeoutMs)), Math.max(0, deadline - performance.now()))
  try {
    const sentAt = performance.now()
    // RFC 7766 §8: length and message in one segment.
    socket.write(concat(Uint8Array.of(message.length >> 8, message.length & 0xff), message))
    let rest: Uint8Array = new Uint8Array(0)
    for await (const chunk of socket) {
      door.meter(socket)
      if (socket.bytesRead > MAX_STRAY_BYTES)
        throw new Problem('unreachable', 'The name server never comes to an answer')
      rest = concat(rest, chunk)
      for (let end = frameEnd(rest); rest.length >= end; end = frameEnd(rest)) {
        const answer = rest.slice(2, end)
        rest = rest.subarray(end)
        if (accepts(answer)) return { message: answer, milliseconds: performance.now() - sentAt }
      }
    }
  } catch (error) {
    door.budget.check()
    throw asNetworkProblem(error)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
  throw new Problem('unreachable', 'The name server cut the connection')
}

/** Where the first message ends; further than anything when not even its length is there. */
const frameEnd = (bytes: Uint8Array): number =>
  bytes.length < 2 ? Number.POSITIVE_INFINITY : 2 + (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0))
