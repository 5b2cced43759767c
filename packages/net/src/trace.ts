/**
 * The way to an address: UDP datagrams whose time to live runs out one router further each time, and the ICMP messages
 * that come back (RFC 792, RFC 4443 §3). No rights are needed on Linux; elsewhere the program traceroute is asked.
 */

import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, type Trace, type TraceHop, type TraceProbe } from '@assay/kit'
import type { Door } from './egress.ts'
import { asNetworkProblem } from './failure.ts'
import type { QueuedError } from './trace-message.ts'
import { findTraceProgram, runTraceProgram } from './trace-program.ts'
import { type ProbeSocket, type ProbeSockets, probeSockets } from './trace-socket.ts'

export const MAX_HOPS = 30
export const PROBES_PER_HOP = 3
/** Datagrams on their way at once. */
const WINDOW = 8
/** Hops in a row from which nothing comes back before the way is given up. */
const MAX_SILENT_HOPS = 5
/** How long an answer may take. Once this hop or a later one has answered, a few times that long is enough. */
const PROBE_TIMEOUT_MS = 2_000
const MIN_PATIENCE_MS = 300
const TIMES_SAME_HOP = 3
const TIMES_LATER_HOP = 10
/** The kernel notes when an answer came, so looking for it now and then costs no accuracy. */
const POLL_MS = 5
/** IANA port number registry: traceroute. Ports count up from here, so that each datagram has its own. */
const FIRST_PORT = 33_434
const PAYLOAD = new Uint8Array(32).fill(0x40)
/** An IPv6 header, a UDP header and the payload. */
const DATAGRAM_BYTES = 80

export interface TraceOptions {
  sockets?: () => Promise<ProbeSockets | undefined>
  /** Finds the program to ask where there are no such sockets. */
  program?: () => Promise<string | undefined>
}

export function createTrace(
  door: Door,
  { sockets = probeSockets, program = findTraceProgram }: TraceOptions = {},
): Trace {
  return {
    async *route(address) {
      door.check(address)
      const native = await sockets()
      if (native) return yield* follow(door, native, address)
      const path = await program()
      if (!path) throw new Problem('unsupported', 'traceroute is not possible on this server')
      yield* runTraceProgram(door, path, address, { maxHops: MAX_HOPS, maxSilentHops: MAX_SILENT_HOPS })
    },
  }
}

/** A datagram on its way. */
interface Flight {
  hop: number
  socket: ProbeSocket
  sentAt: bigint
  /** By the clock that is never set. */
  startedAt: number
  land(): void
}

type Landed = TraceProbe & { ends: boolean; reached: boolean }

async function* follow(door: Door, sockets: ProbeSockets, address: string): AsyncGenerator<TraceHop> {
  const flights = new Set<Flight>()
  const landed: Landed[][] = Array.from({ length: MAX_HOPS }, () => [])
  let sent = 0
  let told = 0
  let silent = 0
  let last = MAX_HOPS
  try {
    while (told < last && silent < MAX_SILENT_HOPS) {
      while (flights.size < WINDOW && sent < last * PROBES_PER_HOP) {
        const hop = Math.floor(sent / PROBES_PER_HOP) + 1
        flights.add(await launch(door, sockets, { address, hop, port: FIRST_PORT + sent++ }))
      }
      for (const flight of flights) {
        const outcome = look(flight, sockets, address) ?? overdue(flight, landed)
        if (!outcome && flight.hop <= last) continue
        flights.delete(flight)
        flight.land()
        if (outcome) landed[flight.hop - 1]?.push(outcome)
        if (outcome?.ends) last = Math.min(last, flight.hop)
      }
      for (let probes = landed[told]; probes?.length === PROBES_PER_HOP && told < last; probes = landed[told]) {
        const hop = hopOf(++told, probes)
        silent = hop.address === null ? silent + 1 : 0
        yield hop
        if (silent === MAX_SILENT_HOPS) break
      }
      if (flights.size) await sleep(POLL_MS)
      door.budget.check()
    }
  } finally {
    for (const flight of flights) flight.land()
  }
}

async function launch(
  door: Door,
  sockets: ProbeSockets,
  { address, hop, port }: { address: string; hop: number; port: number },
): Promise<Flight> {
  door.check(address)
  door.budget.spend('packets')
  door.budget.spend('wireBytes', DATAGRAM_BYTES)
  const give = await door.lease()
  const socket = sockets.open(address, port, hop)
  if (typeof socket === 'number') {
    give()
    throw systemProblem(socket)
  }
  const startedAt = performance.now()
  const sentAt = sockets.clock()
  const code = socket.send(PAYLOAD)
  const land = () => {
    socket.close()
    give()
  }
  if (code) {
    land()
    throw systemProblem(code)
  }
  return { hop, socket, sentAt, startedAt, land }
}

function systemProblem(errno: number): unknown {
  const code = Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? `errno ${errno}`
  const problem = asNetworkProblem(Object.assign(new Error(code), { code }))
  if (problem instanceof Problem) return problem
  return new Problem('unreachable', 'The system does not send the packets', { detail: `It says ${code}.` })
}

/** What has come back for a datagram, if anything has. */
function look({ socket, sentAt, startedAt }: Flight, sockets: ProbeSockets, address: string): Landed | undefined {
  const received = socket.receive()
  if (!received) return undefined
  const receivedAt = 'error' in received ? received.error.receivedAt : received.receivedAt
  const elapsed = (performance.now() - startedAt) / 1000
  const measured = Number((receivedAt ?? sockets.clock()) - sentAt) / 1e9
  // The wall clock may have been set in between.
  const rttSeconds = measured > 0 && measured < elapsed ? measured : elapsed
  if (!('error' in received)) return { address, rttSeconds, ends: true, reached: true }
  return { rttSeconds, ...meaningOf(received.error) }
}

function overdue({ hop, startedAt }: Flight, landed: readonly Landed[][]): Landed | undefined {
  const best = (probes: readonly Landed[] | undefined) =>
    Math.min(...(probes ?? []).flatMap(({ rttSeconds }) => (rttSeconds === null ? [] : [rttSeconds * 1000])))
  const wanted = Math.min(
    TIMES_SAME_HOP * best(landed[hop - 1]),
    TIMES_LATER_HOP * Math.min(...landed.slice(hop).map(best)),
  )
  const patience = Math.min(PROBE_TIMEOUT_MS, Math.max(MIN_PATIENCE_MS, wanted))
  if (performance.now() - startedAt < patience) return undefined
  return { address: null, rttSeconds: null, ends: false, reached: false }
}

/** IANA ICMP and ICMPv6 parameters. */
const TIME_EXCEEDED = { icmp: 11, icmp6: 3 } as const
const UNREACHABLE = { icmp: 3, icmp6: 1 } as const
const PORT_UNREACHABLE = { icmp: 3, icmp6: 4 } as const
/** Codes of "destination unreachable" by the marks that traceroute(8) gives them. */
const marks = {
  icmp: {
    '!N': [0, 6, 8, 11],
    '!H': [1, 7, 12],
    '!P': [2],
    '!F': [4],
    '!S': [5],
    '!X': [9, 10, 13],
    '!V': [14],
    '!C': [15],
  },
  icmp6: { '!N': [0], '!X': [1, 5, 6], '!H': [2, 3] },
} as const

/** What an ICMP message says about the way: it goes on, it is at its end, or it ends here for a reason. */
export function meaningOf({ origin, type, code, offender }: QueuedError): Omit<Landed, 'rttSeconds'> {
  const address = offender ?? null
  if (origin !== 'icmp' && origin !== 'icmp6') return { address, mark: '!H', ends: true, reached: false }
  if (type === TIME_EXCEEDED[origin]) return { address, ends: false, reached: false }
  if (type !== UNREACHABLE[origin]) return { address, mark: `!<${type}-${code}>`, ends: true, reached: false }
  if (code === PORT_UNREACHABLE[origin]) return { address, ends: true, reached: true }
  const known = Object.entries(marks[origin]).find(([, codes]) => (codes as readonly number[]).includes(code))
  return { address, mark: known?.[0] ?? `!<${code}>`, ends: true, reached: false }
}

function hopOf(hop: number, landed: readonly Landed[]): TraceHop {
  return {
    hop,
    address: landed.find(({ address }) => address !== null)?.address ?? null,
    reached: landed.some(({ reached }) => reached),
    probes: landed.map(({ address, rttSeconds, mark }) => ({ address, rttSeconds, ...(mark && { mark }) })),
  }
}
