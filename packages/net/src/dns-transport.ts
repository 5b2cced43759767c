/** DNS messages over UDP and TCP, through the door. RFC 1035 §4.2, RFC 5452, RFC 7766. */

import type { Socket } from 'node:net'
import { Problem } from '@assay/kit'
import { concat } from '@assay/lib/bytes'
import type { Door } from './egress.ts'
import { asNetworkProblem, noAnswer } from './failure.ts'

export interface DnsServer {
  /** A literal address. */
  address: string
  /** 53 unless given. */
  port?: number
}

export interface DnsExchangeOptions {
  timeoutMs: number
  /** Whether a message answers the question; others are ignored (UDP) or end the exchange (TCP). */
  accepts?: (message: Uint8Array) => boolean
}

/**
 * How questions reach servers. Failures are problems: 'timeout', 'unreachable', 'refused' for an address that may not
 * be contacted, 'limited' when the job has nothing left.
 */
export interface DnsTransport {
  /** One datagram there and the first accepted one back, from a source port of its own. */
  udp(server: DnsServer, query: Uint8Array, options: DnsExchangeOptions): Promise<Uint8Array>
  /** One message there and one back over a connection of its own. */
  tcp(server: DnsServer, query: Uint8Array, options: DnsExchangeOptions): Promise<Uint8Array>
  /** One message there and any number back over one connection (RFC 5936), until the reader stops. */
  stream(server: DnsServer, query: Uint8Array, options: { timeoutMs: number }): AsyncIterable<Uint8Array>
}

const DNS_PORT = 53

export function createDnsTransport(door: Door): DnsTransport {
  const target = ({ address, port = DNS_PORT }: DnsServer) => ({ address, port, purpose: 'dns' as const })

  async function* stream(server: DnsServer, query: Uint8Array, { timeoutMs }: { timeoutMs: number }) {
    const deadline = performance.now() + timeoutMs
    const socket = await door.connect(target(server), timeoutMs)
    try {
      yield* messages(door, socket, query, { deadline, timeoutMs })
    } catch (error) {
      door.budget.check()
      throw asNetworkProblem(error)
    } finally {
      socket.destroy()
    }
  }

  return {
    udp: (server, query, options) => door.exchange(target(server), query, options),
    stream,
    async tcp(server, query, { timeoutMs, accepts = () => true }) {
      for await (const message of stream(server, query, { timeoutMs })) {
        if (accepts(message)) return message
        throw new Problem('unreachable', 'The name server answered another question')
      }
      throw new Problem('unreachable', 'The name server cut the connection')
    },
  }
}

/** RFC 1035 §4.2.2: two bytes of length before each message; segments end anywhere. */
async function* messages(
  door: Door,
  socket: Socket,
  query: Uint8Array,
  { deadline, timeoutMs }: { deadline: number; timeoutMs: number },
): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => socket.destroy(noAnswer(timeoutMs)), Math.max(0, deadline - performance.now()))
  try {
    // RFC 7766 §8: length and message in one segment.
    socket.write(concat(Uint8Array.of(query.length >> 8, query.length & 0xff), query))
    let rest: Uint8Array = new Uint8Array(0)
    for await (const chunk of socket) {
      door.meter(socket)
      rest = rest.length === 0 ? chunk : concat(rest, chunk)
      for (
        let length = frameLength(rest);
        length !== undefined && rest.length >= length + 2;
        length = frameLength(rest)
      ) {
        yield rest.subarray(2, length + 2)
        rest = rest.subarray(length + 2)
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

const frameLength = (bytes: Uint8Array): number | undefined =>
  bytes.length < 2 ? undefined : ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
