/**
 * Whole TLS handshakes of OpenSSL's client, watched from outside: every byte in both directions is kept on its way, and
 * read afterwards with the secrets that the client logs (RFC 9850). So the messages are those that really went, also
 * where TLS 1.3 encrypts them.
 */

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect, createSecureContext, type SecureContext, type SecureVersion, type TLSSocket } from 'node:tls'
import { Problem, type TlsHandshake, type TlsHandshakeOptions, type TlsHandshaker } from '@assay/kit'
import { fromHex } from '@assay/lib/bytes'
import { alertName } from '@assay/lib/tls/registry'
import { readTranscript, type Transcript, type WirePiece } from '@assay/lib/tls/transcript'
import type { Door } from './egress.ts'
import { asNetworkProblem, noAnswer } from './failure.ts'
import type { Roots } from './roots.ts'
import { authorities, certificateProblem, errorCode, LENIENT_CIPHERS, TLS_TIMEOUT_MS } from './tls.ts'

const CONNECT_MS = 4_000
/** Addresses of one host that are tried in turn. */
const MAX_ADDRESSES_TRIED = 3
/** How long tickets are waited for: TLS 1.3 sends them after the handshake, and many servers at once. */
const TICKET_MS = 400
/** Bytes of a handshake that are kept; the longest chain of certificates that is seen has a tenth. */
const MAX_BYTES = 262_144
const ALPN = ['h2', 'http/1.1']

type MinVersion = NonNullable<TlsHandshakeOptions['minVersion']>

const versions: Readonly<Record<MinVersion, SecureVersion>> = {
  'TLSv1.0': 'TLSv1',
  'TLSv1.1': 'TLSv1.1',
  'TLSv1.2': 'TLSv1.2',
  'TLSv1.3': 'TLSv1.3',
}

export interface TlsHandshakerParts {
  door: Door
  contexts: (minVersion: MinVersion) => SecureContext
  roots: Roots
  timeoutMs?: number
}

/**
 * What OpenSSL needs for a lowest version, made once for all jobs: reading the authorities takes a moment. Everything it
 * still has is offered, so that also an old server answers and can be looked at.
 */
export function createHandshakeContexts(ownAuthorities: readonly string[] = []): TlsHandshakerParts['contexts'] {
  const made = new Map<MinVersion, SecureContext>()
  return minVersion => {
    const known = made.get(minVersion)
    if (known) return known
    const context = createSecureContext({
      ca: authorities(ownAuthorities),
      minVersion: versions[minVersion],
      maxVersion: 'TLSv1.3',
      ciphers: LENIENT_CIPHERS,
    })
    made.set(minVersion, context)
    return context
  }
}

interface Place {
  address: string
  port: number
  name: string
  isAddress: boolean
}

export function createTlsHandshaker(parts: TlsHandshakerParts): TlsHandshaker {
  const { door, contexts, roots, timeoutMs = TLS_TIMEOUT_MS } = parts
  return {
    rootsFor: roots,
    async handshake(host, port, { minVersion = 'TLSv1.0', resume = false } = {}) {
      const pin = await door.pin(host)
      const secureContext = contexts(minVersion)
      const place = { port, name: pin.host.ascii, isAddress: pin.host.kind === 'address' }
      const attempt = { door, secureContext, timeoutMs }
      const { address, socket, connectMs } = await reach(door, pin.addresses, port)
      const first = await shake(attempt, socket, { ...place, address })
      const { transcript, session, ...seen } = first
      refuseOther(transcript, seen.complete, seen.problem)
      return {
        address,
        port,
        transcript,
        complete: seen.complete,
        ...(!seen.complete && { reason: reasonOf(transcript, seen.problem) }),
        ...(seen.trust && { trust: seen.trust }),
        resumed: resume && session ? await resumes(attempt, { ...place, address }, session) : null,
        timings: { dnsMs: pin.milliseconds, connectMs, helloMs: seen.helloMs, tlsMs: seen.tlsMs },
      } satisfies TlsHandshake
    },
  }
}

async function reach(door: Door, addresses: readonly string[], port: number) {
  const start = performance.now()
  const [last, ...others] = addresses.slice(0, MAX_ADDRESSES_TRIED).toReversed()
  for (const address of others.toReversed()) {
    const { socket } = await door.attempt({ address, port, purpose: 'tls' }, CONNECT_MS)
    if (socket) return { address, socket, connectMs: performance.now() - start }
  }
  const socket = await door.connect({ address: last ?? '', port, purpose: 'tls' }, CONNECT_MS)
  return { address: last ?? '', socket, connectMs: performance.now() - start }
}

/** A server that says nothing in TLS, or something else, is no observation of a handshake. */
function refuseOther({ hello, alert, fault }: Transcript, complete: boolean, problem: unknown): void {
  if (complete || hello || alert) return
  const cause = asNetworkProblem(problem)
  if (fault) {
    throw new Problem('unreachable', 'The server does not speak TLS on this port', {
      detail: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`,
      cause: problem,
    })
  }
  if (cause instanceof Problem && cause.code === 'timeout') throw cause
  throw new Problem('unreachable', 'The server hangs up in place of an answer in TLS', {
    ...(cause instanceof Problem && { detail: `${cause.message}.` }),
    cause: problem,
  })
}

function reasonOf({ alert }: Transcript, problem: unknown): string {
  if (alert?.from === 'server') return `The server refuses with the alert ${alertName(alert.code)} (${alert.code}).`
  const cause = asNetworkProblem(problem)
  const words = cause instanceof Problem ? [cause.message, cause.detail].filter(Boolean).join('. ') : 'It broke off'
  const told = alert ? ` Our side says so with the alert ${alertName(alert.code)} (${alert.code}).` : ''
  return `${words.replace(/\.?$/, '.')}${told}`
}

interface Attempt {
  door: Door
  secureContext: SecureContext
  timeoutMs: number
}

interface Shaken {
  complete: boolean
  transcript: Transcript
  session?: Buffer
  problem?: unknown
  trust?: { problem?: string; code?: string }
  resumed: boolean
  helloMs: number | null
  tlsMs: number | null
}

/** One handshake on a connected socket, which is closed afterwards. */
async function shake(
  { door, secureContext, timeoutMs }: Attempt,
  plain: Socket,
  { name, isAddress }: Place,
  session?: Buffer,
): Promise<Shaken> {
  const start = performance.now()
  const pieces: WirePiece[] = []
  const secrets: Record<string, Uint8Array> = {}
  const tap = new Tap(plain, door, (from, bytes) => {
    pieces.push({ from, bytes: Uint8Array.from(bytes), milliseconds: performance.now() - start })
  })
  const secured = connect({
    socket: tap,
    host: name,
    ...(!isAddress && { servername: name }),
    ALPNProtocols: ALPN,
    secureContext,
    rejectUnauthorized: false,
    requestOCSP: true,
    ...(session && { session }),
  })
  secured.on('keylog', line => {
    const [label = '', , secret = ''] = String(line).trim().split(' ')
    secrets[label] = fromHex(secret)
  })
  const tickets: Buffer[] = []
  const ticket = Promise.withResolvers<void>()
  secured.on('session', data => {
    tickets.push(data)
    ticket.resolve()
  })
  const end: Partial<Shaken> = {}
  try {
    await finished(secured, timeoutMs)
    end.tlsMs = performance.now() - start
    end.trust = trustOf(secured)
    end.resumed = secured.isSessionReused()
    if (!session) await Promise.race([ticket.promise, pause(TICKET_MS)])
  } catch (error) {
    door.budget.check()
    end.problem = error
  } finally {
    secured.destroy()
    plain.destroy()
  }
  const transcript = await readTranscript(pieces, secrets)
  const last = tickets.at(-1)
  return {
    complete: end.tlsMs !== undefined,
    transcript,
    ...(last && { session: last }),
    ...(end.problem !== undefined && { problem: end.problem }),
    ...(end.trust && { trust: end.trust }),
    resumed: end.resumed ?? false,
    helloMs: pieces.find(({ from }) => from === 'server')?.milliseconds ?? null,
    tlsMs: end.tlsMs ?? null,
  }
}

async function finished(secured: TLSSocket, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(noAnswer(timeoutMs)), timeoutMs)
  secured.once('secureConnect', resolve)
  secured.on('error', reject)
  secured.once('close', () => reject(new Problem('unreachable', 'The server cut the connection')))
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}

function trustOf(socket: TLSSocket): { problem?: string; code?: string } {
  if (socket.authorized) return {}
  const code = errorCode(socket.authorizationError)
  return { problem: certificateProblem(code), code }
}

/** null when the second connection could not be made. */
async function resumes(attempt: Attempt, place: Place, session: Buffer): Promise<boolean | null> {
  const { door } = attempt
  const { socket } = await door.attempt({ address: place.address, port: place.port, purpose: 'tls' }, CONNECT_MS)
  if (!socket) return null
  const { complete, resumed } = await shake(attempt, socket, place, session)
  return complete ? resumed : null
}

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

/** A connection with a watcher: what goes through is the same on both sides. */
class Tap extends Duplex {
  readonly #socket: Socket
  readonly #seen: (from: 'client' | 'server', bytes: Uint8Array) => void
  #bytes = 0

  constructor(socket: Socket, door: Door, seen: (from: 'client' | 'server', bytes: Uint8Array) => void) {
    super()
    this.#socket = socket
    this.#seen = seen
    socket.on('data', piece => {
      try {
        door.meter(socket)
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error('the budget is spent'))
        return
      }
      this.#note('server', piece)
      if (!this.push(piece)) socket.pause()
    })
    socket.on('end', () => this.push(null))
    socket.on('error', error => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  #note(from: 'client' | 'server', piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes <= MAX_BYTES) this.#seen(from, piece)
    else this.destroy(new Problem('unreachable', 'The handshake of the server never ends'))
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#note('client', piece)
    this.#socket.write(piece, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
