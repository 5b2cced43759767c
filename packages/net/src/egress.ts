/**
 * The one door for everything that leaves. Names are pinned first (pin.ts); connections go to the literal that was
 * judged, and the peer is verified after connecting. All sub-requests of a job spend one budget.
 */

import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP, Socket } from 'node:net'
import { type Dns, Problem } from '@assay/kit'
import type { Host } from '@assay/lib/domain/name'
import { type Address, equalAddresses, findAddress, formatAddress } from '@assay/lib/ip/address'
import type { Budget } from './budget.ts'
import { asNetworkProblem, codeOf, noAnswer } from './failure.ts'
import { type Guard, type Purpose, refusedAddress } from './guard.ts'
import { createPins, type Pin } from './pin.ts'
import { createKeyedSlots, createSlots, type KeyedSlots, SLOT_WAIT_MS, type Slots } from './slots.ts'
import { within } from './within.ts'

/** Sockets of the whole process. */
export const MAX_SOCKETS = 500
/** Sockets to one address at once, scans aside. */
export const MAX_SOCKETS_PER_DESTINATION = 10
/** How long a TCP handshake may take unless told otherwise: a lost SYN is repeated after one and after three seconds. */
export const CONNECT_TIMEOUT_MS = 5_000

export interface Target {
  /** A literal. Names are pinned first. */
  address: string
  port: number
  purpose: Purpose
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
  pin(host: string | Host, timeoutMs?: number): Promise<Pin>
  /** Throws unless the literal may be contacted. For what is handed to another program. */
  check(address: string): void
  /** A place among the sockets of the process, for one that the door does not open itself. Gives it back when called. */
  lease(): Promise<() => void>
  /** Connects to a literal, or says why not without an exception. Refusals are thrown. */
  attempt(target: Target, timeoutMs: number): Promise<Attempt>
  /** Connects to a literal. */
  connect(target: Target, timeoutMs?: number): Promise<Socket>
  /** Charges what a connection has carried since the last time. */
  meter(socket: Socket): void
  /** Sends one datagram from a fresh random port and waits for the answer. */
  exchange(target: Target, datagram: Uint8Array, options: DatagramOptions): Promise<Uint8Array>
  /** Opens a socket for many datagrams to one place, from a random port. The caller closes it. */
  channel(target: Target): Promise<Channel>
  /** Closes whatever the job still has open. */
  close(): void
}

/** Datagrams to and from one place; those of anybody else never arrive. */
export interface Channel {
  send(datagram: Uint8Array): void
  /** Hears what arrives, or once why nothing more will. */
  listen(heard: (datagram: Uint8Array) => void, ended: (problem: unknown) => void): void
  close(): void
}

export interface Egress {
  door(budget: Budget, dns: Pick<Dns, 'resolve'>): Door
}

/** What all jobs share: the guard, and the caps on sockets. */
export function createEgress(guard: Guard): Egress {
  const slots = createSlots(MAX_SOCKETS)
  const perDestination = createKeyedSlots(MAX_SOCKETS_PER_DESTINATION)
  return { door: (budget, dns) => new JobDoor({ guard, slots, perDestination, budget, dns }) }
}

interface Parts {
  guard: Guard
  slots: Slots
  perDestination: KeyedSlots
  budget: Budget
  dns: Pick<Dns, 'resolve'>
}

class JobDoor implements Door {
  readonly budget: Budget
  readonly #parts: Parts
  readonly #pins: (host: string | Host) => Promise<Pin>
  readonly #open = new Set<{ destroy(reason: Error): void }>()
  readonly #known = new Map<string, Judged>()
  readonly #metered = new WeakMap<Socket, number>()

  constructor(parts: Parts) {
    const { guard, dns, budget } = parts
    this.#parts = parts
    this.budget = budget
    this.#pins = createPins(guard, dns)
    budget.signal.addEventListener('abort', () => this.#closeAll(budget.signal.reason), { once: true })
  }

  pin(host: string | Host, timeoutMs = Number.POSITIVE_INFINITY): Promise<Pin> {
    const pin = this.#pins(host)
    return timeoutMs === Number.POSITIVE_INFINITY ? pin : within(pin, { timeoutMs, problem: lateName })
  }

  check(address: string): void {
    this.#judged(address)
  }

  lease(): Promise<() => void> {
    return this.#takeSlot()
  }

  close(): void {
    this.#closeAll(new Error('the job is over'))
  }

  meter(socket: Socket): void {
    this.budget.spend('wireBytes', this.#unmetered(socket))
  }

  async connect(target: Target, timeoutMs = CONNECT_TIMEOUT_MS): Promise<Socket> {
    const { socket, code } = await this.attempt(target, timeoutMs)
    if (socket) return socket
    throw code === 'TIMEOUT' ? noAnswer(timeoutMs) : asNetworkProblem(Object.assign(new Error(code), { code }))
  }

  async attempt(target: Target, timeoutMs: number): Promise<Attempt> {
    const { address, host } = this.#permitted(target)
    this.budget.spend('connections')
    const start = performance.now()
    const give = await this.#takeSlots(host, target.purpose, timeoutMs)
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      give()
    })
    // What never connected has sent nothing; a scan has thousands of those.
    socket.once('connect', () => {
      socket.once('close', () => this.budget.charge('wireBytes', this.#unmetered(socket)))
    })
    const patience = target.purpose === 'scan' ? timeoutMs : Math.max(1, timeoutMs - (performance.now() - start))
    return dial(socket, { address, host, port: target.port, timeoutMs: patience, signal: this.budget.signal })
  }

  async exchange(target: Target, datagram: Uint8Array, { timeoutMs, accepts }: DatagramOptions): Promise<Uint8Array> {
    const { address } = this.#permitted(target)
    this.budget.spend('packets')
    this.budget.spend('wireBytes', datagram.length)
    const give = await this.#takeSlot(timeoutMs)
    const answer = Promise.withResolvers<Uint8Array>()
    const socket = connectedDatagramSocket(address, target.port)
    socket.once('connect', () => socket.send(datagram))
    const closable = { destroy: (reason: unknown) => answer.reject(reason) }
    this.#open.add(closable)
    const timer = setTimeout(() => answer.reject(noAnswer(timeoutMs)), timeoutMs)
    socket.on('error', error => answer.reject(asNetworkProblem(error)))
    socket.on('message', (message, sender) => {
      const from = findAddress(sender.address)
      if (!from || !equalAddresses(from, address) || sender.port !== target.port) return
      this.budget.charge('wireBytes', message.length)
      try {
        if (accepts === undefined || accepts(message)) answer.resolve(message)
      } catch (error) {
        answer.reject(error)
      }
    })
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      this.#open.delete(closable)
      socket.close()
      give()
    }
  }

  async channel(target: Target): Promise<Channel> {
    const { address } = this.#permitted(target)
    const give = await this.#takeSlot()
    const socket = connectedDatagramSocket(address, target.port)
    let end: (problem: unknown) => void = () => {}
    const closable = {
      destroy: (reason: unknown) => {
        end(reason)
        close()
      },
    }
    const close = () => {
      if (!this.#open.delete(closable)) return
      socket.close()
      give()
    }
    this.#open.add(closable)
    try {
      await once(socket, 'connect')
    } catch (error) {
      close()
      throw asNetworkProblem(error)
    }
    socket.on('error', error => end(asNetworkProblem(error)))
    return {
      send: datagram => {
        this.budget.spend('packets')
        this.budget.spend('wireBytes', datagram.length)
        socket.send(datagram)
      },
      listen: (heard, ended) => {
        end = ended
        socket.on('message', message => {
          this.budget.charge('wireBytes', message.length)
          heard(message)
        })
      },
      close,
    }
  }

  /** An address stays judged for the whole job, which is why a scan of many ports judges it once. */
  #judged(text: string): Judged {
    const known = this.#known.get(text)
    if (known) return known
    const address = findAddress(text)
    if (!address) throw refusedAddress('It is not the canonical spelling of an address.')
    this.#parts.guard.check(address)
    const judged = { address, host: formatAddress(address) }
    this.#known.set(text, judged)
    return judged
  }

  #permitted({ address, port, purpose }: Target): Judged {
    const judged = this.#judged(address)
    this.#parts.guard.checkPort(port, purpose)
    return judged
  }

  /** Scans knock on many ports of one address, so they count for the process only, and know that they wait. */
  async #takeSlots(address: string, purpose: Purpose, waitMs: number): Promise<() => void> {
    if (purpose === 'scan') return this.#takeSlot()
    const givePlace = await this.#parts.perDestination.take(address, this.budget.signal, waitMs)
    try {
      const giveSlot = await this.#takeSlot(waitMs)
      return () => {
        giveSlot()
        givePlace()
      }
    } catch (error) {
      givePlace()
      throw error
    }
  }

  /** A job that ended while its turn came opens nothing more: nobody would close it. */
  async #takeSlot(waitMs = SLOT_WAIT_MS): Promise<() => void> {
    const give = await this.#parts.slots.take(this.budget.signal, waitMs)
    if (!this.budget.signal.aborted) return give
    give()
    throw this.budget.signal.reason
  }

  #unmetered(socket: Socket): number {
    const total = socket.bytesRead + socket.bytesWritten
    const before = this.#metered.get(socket) ?? 0
    this.#metered.set(socket, total)
    return Math.max(0, total - before)
  }

  #closeAll(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error('the job was cancelled')
    for (const closable of [...this.#open]) closable.destroy(error)
  }
}

const lateName = () => new Problem('timeout', 'The name cannot be resolved in time')

/** An address that may be contacted, and how it is written. */
interface Judged {
  address: Address
  host: string
}

interface Dial extends Judged {
  port: number
  timeoutMs: number
  signal: AbortSignal
}

function dial(socket: Socket, { address, host, port, timeoutMs, signal }: Dial): Promise<Attempt> {
  const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
  const timer = setTimeout(() => {
    resolve({ code: 'TIMEOUT' })
    socket.destroy()
  }, timeoutMs)
  socket.on('error', error => {
    clearTimeout(timer)
    if (signal.aborted) reject(signal.reason)
    else resolve({ code: codeOf(error) || 'ECONNRESET' })
  })
  socket.once('connect', () => {
    clearTimeout(timer)
    const outcome = judgePeer(socket, address, port)
    if (outcome === 'peer') {
      socket.setNoDelay()
      return resolve({ socket })
    }
    socket.resetAndDestroy()
    if (outcome === 'elsewhere') reject(refusedAddress('The connection went to another address.'))
    else resolve({ code: outcome === 'self' ? 'ECONNREFUSED' : 'ECONNRESET' })
  })
  socket.connect({ host, port, family: address.version, autoSelectFamily: false, lookup: refuseLookup })
  return promise
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

/**
 * RFC 5452 §9.2: each question leaves from a port of its own, chosen by the system at random. The socket is connected,
 * so the system drops datagrams from anybody else and reports ports that are closed.
 */
function connectedDatagramSocket(address: Address, port: number): DatagramSocket {
  const host = formatAddress(address)
  const socket = createSocket({
    type: address.version === 4 ? 'udp4' : 'udp6',
    lookup: (name, _options, done) => (isIP(name) ? done(null, name, address.version) : refuseLookup()),
  })
  socket.connect(port, host)
  return socket
}
