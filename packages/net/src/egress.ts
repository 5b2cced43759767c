/**
 * The one door for everything that leaves. A job resolves a name once, every address it got is judged, one forbidden
 * address refuses the name, and connections go to the literal that was judged: no later answer of the DNS can move
 * them. The peer is verified after connecting. All sub-requests of a job spend one budget.
 */

import { createSocket } from 'node:dgram'
import { Socket } from 'node:net'
import { type Dns, type DnsAnswer, Problem } from '@assay/kit'
import { type Host, parseHost } from '@assay/lib/domain/name'
import { specialUse } from '@assay/lib/domain/special'
import { type Address, addressOfBytes, equalAddresses, findAddress, formatAddress } from '@assay/lib/ip/address'
import type { Budget } from './budget.ts'
import { asNetworkProblem, codeOf, noAnswer } from './failure.ts'
import { type Guard, type Purpose, refusedAddress } from './guard.ts'
import { createKeyedSlots, createSlots } from './slots.ts'

/** Sockets of the whole process. */
export const MAX_SOCKETS = 500
/** Sockets to one address at once, scans aside. */
export const MAX_SOCKETS_PER_DESTINATION = 10
/** How long a TCP handshake may take unless told otherwise: a lost SYN is repeated after one and after three seconds. */
export const CONNECT_TIMEOUT_MS = 5_000
/** Addresses of a name that are kept; the rest are judged all the same. */
const MAX_ADDRESSES = 16

export interface Target {
  /** A literal. Names are pinned first. */
  address: string
  port: number
  purpose: Purpose
}

/** A target as it was resolved and judged, once for the whole job. */
export interface Pin {
  host: Host
  /** In the order to try: IPv4 and IPv6 in turn. */
  addresses: readonly string[]
  milliseconds: number
}

export interface DatagramOptions {
  timeoutMs: number
  /** Whether a datagram is the answer; others are ignored as forged or late. */
  accepts?: (datagram: Uint8Array) => boolean
}

/** A connection, or the system's name for why there is none; `TIMEOUT` when there was no answer in time. */
export type Attempt = { socket: Socket; code?: undefined } | { socket?: undefined; code: string }

/** The door of one job. */
export interface Door {
  readonly budget: Budget
  /** Resolves and judges a host once; asked again, it gives the same answer without asking anybody. */
  pin(host: string | Host): Promise<Pin>
  /** Throws unless the literal may be contacted. For what is handed to another program. */
  check(address: string): void
  /** Connects to a literal, or says why not without an exception. Refusals are thrown. */
  attempt(target: Target, timeoutMs: number): Promise<Attempt>
  /** Connects to a literal. */
  connect(target: Target, timeoutMs?: number): Promise<Socket>
  /** Charges what a connection has carried since the last time. */
  meter(socket: Socket): void
  /** Sends one datagram from a fresh random port and waits for the answer. */
  exchange(target: Target, datagram: Uint8Array, options: DatagramOptions): Promise<Uint8Array>
  /** Closes whatever the job still has open. */
  close(): void
}

export interface Egress {
  door(budget: Budget, dns: Pick<Dns, 'resolve'>): Door
}

interface Closable {
  destroy(reason: Error): void
}

/** What all jobs share: the guard, and the caps on sockets. */
export function createEgress(guard: Guard): Egress {
  const slots = createSlots(MAX_SOCKETS)
  const perDestination = createKeyedSlots(MAX_SOCKETS_PER_DESTINATION)

  return {
    door(budget, dns) {
      const pins = new Map<string, Promise<Pin>>()
      const open = new Set<Closable>()
      const metered = new WeakMap<Socket, number>()

      const closeAll = (reason: unknown) => {
        const error = reason instanceof Error ? reason : new Error('the job was cancelled')
        for (const closable of [...open]) closable.destroy(error)
      }
      budget.signal.addEventListener('abort', () => closeAll(budget.signal.reason), { once: true })

      const judged = ({ address, port, purpose }: Target): Address => {
        const parsed = findAddress(address)
        if (!parsed) throw refusedAddress('It is not the canonical spelling of an address.')
        guard.check(parsed, port, purpose)
        return parsed
      }

      const resolved = async (host: Host): Promise<Pin> => {
        const start = performance.now()
        if (host.kind === 'address') {
          guard.check(host.address)
          return { host, addresses: [host.ascii], milliseconds: 0 }
        }
        if (specialUse(host.ascii)?.connect === false) {
          throw refusedAddress('Names of this kind do not stand for hosts of the public internet.')
        }
        const answers = await Promise.all([dns.resolve(host.ascii, 'A'), dns.resolve(host.ascii, 'AAAA')])
        const [v4, v6] = [addressesIn(answers[0], 'A'), addressesIn(answers[1], 'AAAA')]
        for (const address of [...v4, ...v6]) guard.check(address)
        const addresses = interleave(v4, v6).map(formatAddress).slice(0, MAX_ADDRESSES)
        if (addresses.length === 0) throw noAddress(answers)
        return { host, addresses, milliseconds: performance.now() - start }
      }

      const unmetered = (socket: Socket): number => {
        const total = socket.bytesRead + socket.bytesWritten
        const before = metered.get(socket) ?? 0
        metered.set(socket, total)
        return Math.max(0, total - before)
      }

      /** The slots a connection needs. Scans knock on many ports of one address, so they count per process only. */
      const takeSlots = async (address: string, purpose: Purpose) => {
        const givePlace = purpose === 'scan' ? undefined : await perDestination.take(address, budget.signal)
        try {
          const giveSlot = await slots.take(budget.signal)
          return () => {
            giveSlot()
            givePlace?.()
          }
        } catch (error) {
          givePlace?.()
          throw error
        }
      }

      const attempt = async (target: Target, timeoutMs: number): Promise<Attempt> => {
        const address = judged(target)
        const host = formatAddress(address)
        budget.spend('connections')
        const give = await takeSlots(host, target.purpose)
        const socket = new Socket()
        open.add(socket)
        socket.once('close', () => {
          open.delete(socket)
          give()
          budget.charge('wireBytes', unmetered(socket))
        })
        return new Promise((resolve, reject) => {
          const timer = setTimeout(() => {
            resolve({ code: 'TIMEOUT' })
            socket.destroy()
          }, timeoutMs)
          socket.on('error', error => {
            clearTimeout(timer)
            if (budget.signal.aborted) reject(budget.signal.reason)
            else resolve({ code: codeOf(error) || 'ECONNRESET' })
          })
          socket.once('connect', () => {
            clearTimeout(timer)
            const outcome = judgePeer(socket, address, target.port)
            if (outcome === 'peer') {
              socket.setNoDelay()
              return resolve({ socket })
            }
            socket.resetAndDestroy()
            if (outcome === 'elsewhere') reject(refusedAddress('The connection went to another address.'))
            else resolve({ code: outcome === 'self' ? 'ECONNREFUSED' : 'ECONNRESET' })
          })
          socket.connect({
            host,
            port: target.port,
            family: address.version,
            autoSelectFamily: false,
            lookup: refuseLookup,
          })
        })
      }

      return {
        budget,
        attempt,
        meter: socket => budget.spend('wireBytes', unmetered(socket)),
        close: () => closeAll(new Error('the job is over')),
        check: address => {
          judged({ address, port: 1, purpose: 'scan' })
        },
        async pin(wanted) {
          const host = typeof wanted === 'string' ? readHost(wanted) : wanted
          const known = pins.get(host.ascii)
          if (known) return known
          const pin = resolved(host)
          pins.set(host.ascii, pin)
          return pin
        },
        async connect(target, timeoutMs = CONNECT_TIMEOUT_MS) {
          const { socket, code } = await attempt(target, timeoutMs)
          if (socket) return socket
          throw code === 'TIMEOUT' ? noAnswer(timeoutMs) : asNetworkProblem(systemError(code))
        },
        async exchange(target, datagram, { timeoutMs, accepts = () => true }) {
          const address = judged(target)
          budget.spend('packets')
          budget.spend('wireBytes', datagram.length)
          const give = await slots.take(budget.signal)
          return exchangeDatagram({ address, port: target.port, datagram, timeoutMs, budget, open, accepts }).finally(
            give,
          )
        },
      }
    },
  }
}

function readHost(text: string): Host {
  try {
    return parseHost(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', `Validation error: ${error.message}`, { cause: error })
  }
}

/** Addresses of the type asked for, whatever the aliases on the way were. Malformed records are no addresses. */
function addressesIn(answer: DnsAnswer, type: 'A' | 'AAAA'): Address[] {
  const length = type === 'A' ? 4 : 16
  const found = answer.records.filter(record => record.type === type && record.rdata.length === length)
  return found.map(record => addressOfBytes(record.rdata))
}

function interleave(v4: readonly Address[], v6: readonly Address[]): Address[] {
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]])
  return pairs.flat().filter(address => address !== undefined)
}

function noAddress([a, aaaa]: readonly [DnsAnswer, DnsAnswer]): Problem {
  const answer = a.status === 'nodata' ? aaaa : a
  const detail = answer.reason ?? a.reason
  switch (answer.status) {
    case 'nxdomain':
      return new Problem('not-found', 'The name does not exist in the DNS', { detail })
    case 'answer':
    case 'nodata':
      return new Problem('not-found', 'The name has no address in the DNS', { detail })
    case 'timeout':
      return new Problem('timeout', 'The name servers of the name do not answer', { detail })
    default:
      return new Problem('unreachable', 'The name cannot be resolved', { detail })
  }
}

/**
 * Whom a new connection reached. 'self' is a simultaneous open (RFC 9293 §3.5): a closed port of this machine that
 * happened to be our own source port. 'gone' had hung up before it could be asked.
 */
function judgePeer(socket: Socket, address: Address, port: number): 'peer' | 'self' | 'gone' | 'elsewhere' {
  if (socket.remoteAddress === undefined) return 'gone'
  const peer = findAddress(socket.remoteAddress)
  if (!peer || !equalAddresses(peer, address) || socket.remotePort !== port) return 'elsewhere'
  return socket.localPort === port && socket.localAddress === socket.remoteAddress ? 'self' : 'peer'
}

/** Sockets get literals only; should one ever be given a name, it must not be resolved behind our back. */
function refuseLookup(): never {
  throw new Error('a socket was given a name instead of an address')
}

const systemError = (code: string) => Object.assign(new Error(code), { code })

interface DatagramExchange extends Required<DatagramOptions> {
  address: Address
  port: number
  datagram: Uint8Array
  budget: Budget
  open: Set<Closable>
}

/**
 * RFC 5452 §9.2: each question leaves from a port of its own, chosen by the system at random. The socket is connected,
 * so the system drops datagrams from anybody else and reports ports that are closed; the sender is compared all the same.
 */
function exchangeDatagram(exchange: DatagramExchange): Promise<Uint8Array> {
  const { address, port, datagram, timeoutMs, budget, open, accepts } = exchange
  const host = formatAddress(address)
  return new Promise((resolve, reject) => {
    const socket = createSocket({
      type: address.version === 4 ? 'udp4' : 'udp6',
      lookup: (name, _options, done) => (name === host ? done(null, host, address.version) : refuseLookup()),
    })
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      open.delete(closable)
      socket.close()
      settle()
    }
    const closable: Closable = { destroy: reason => finish(() => reject(reason)) }
    const timer = setTimeout(() => finish(() => reject(noAnswer(timeoutMs))), timeoutMs)
    open.add(closable)
    socket.on('error', error => finish(() => reject(asNetworkProblem(error))))
    socket.on('message', (message, sender) => {
      const from = findAddress(sender.address)
      if (!from || !equalAddresses(from, address) || sender.port !== port) return
      try {
        budget.spend('wireBytes', message.length)
        if (!accepts(message)) return
      } catch (error) {
        return finish(() => reject(error))
      }
      finish(() => resolve(message))
    })
    socket.connect(port, host, () => socket.send(datagram))
  })
}
