/** WHOIS (RFC 3912) through the door, and IANA's list of RDAP services (RFC 9224). */

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type Http, Problem, type RdapBootstrapFile, type Whois, type WhoisReply } from '@assay/kit'
import { BOOTSTRAP_URL, type RdapRegistry } from '@assay/lib/rdap/bootstrap'
import type { Door } from './egress.ts'
import { asNetworkProblem } from './failure.ts'
import { Pieces } from './pieces.ts'

/** RFC 3912 §2. */
export const WHOIS_PORT = 43
/** The longest records known have some 30 KiB. */
export const MAX_WHOIS_BYTES = 262_144
/** From connecting to the last byte. */
export const WHOIS_TIMEOUT_MS = 5_000
/** Addresses of one server that are tried in turn. */
const MAX_ADDRESSES_TRIED = 3

/** IANA sends max-age=86400 or so; nobody's list is trusted for longer than a day, or fetched more often than hourly. */
const MAX_AGE_S = { least: 3_600, most: 86_400 } as const
/** After a failure the bundled list serves this long before IANA is asked again. */
const RETRY_S = 300
const BOOTSTRAP_TIMEOUT_MS = 4_000
const MAX_BOOTSTRAP_BYTES = 2_097_152

export interface WhoisSettings {
  port?: number
  timeoutMs?: number
  bytes?: number
}

/** What all jobs of a process know of IANA's files. */
export interface BootstrapCache {
  files: Map<RdapRegistry, { file: RdapBootstrapFile; until: number }>
}

export const createBootstrapCache = (): BootstrapCache => ({ files: new Map() })

export function createWhois(
  door: Door,
  http: Pick<Http, 'get'>,
  cache: BootstrapCache,
  { port = WHOIS_PORT, timeoutMs: most = WHOIS_TIMEOUT_MS, bytes = MAX_WHOIS_BYTES }: WhoisSettings = {},
): Whois {
  return {
    async ask(server, question, { timeoutMs = most } = {}) {
      // A line break would make two questions of one, to a server that somebody else may have named.
      if (!/^[\x20-\x7e]{1,255}$/.test(question)) throw new Problem('invalid-input', 'Validation error: not one line')
      const start = performance.now()
      const deadline = start + Math.min(timeoutMs, most)
      const { addresses } = await door.pin(server, deadline - performance.now())
      const { socket, address } = await connect(door, addresses.slice(0, MAX_ADDRESSES_TRIED), port, deadline)
      try {
        socket.write(`${question}\r\n`)
        const { pieces, end } = await read(door, socket, bytes, deadline)
        door.budget.check()
        return { address, bytes: pieces.finish(), end, milliseconds: performance.now() - start }
      } catch (error) {
        door.budget.check()
        throw asNetworkProblem(error)
      } finally {
        socket.destroy()
      }
    },
    bootstrap: registry => bootstrap(registry, http, cache),
  }
}

async function connect(door: Door, addresses: readonly string[], port: number, deadline: number) {
  let failure: unknown = new Problem('unreachable', 'The name has no address')
  for (const [index, address] of addresses.entries()) {
    const patience = Math.max(1, deadline - performance.now()) / (addresses.length - index)
    try {
      return { socket: await door.connect({ address, port, purpose: 'whois' }, patience), address }
    } catch (error) {
      if (!(error instanceof Problem) || (error.code !== 'unreachable' && error.code !== 'timeout')) throw error
      failure = error
    }
  }
  throw failure
}

/** Reads until the server hangs up, or until there is too much or it takes too long: then what has come is kept. */
async function read(door: Door, socket: Socket, most: number, deadline: number) {
  const pieces = new Pieces(most, Number.POSITIVE_INFINITY)
  const reply: { end: WhoisReply['end'] } = { end: 'closed' }
  const stop = (why: WhoisReply['end']) => {
    reply.end = why
    socket.destroy()
  }
  const timer = setTimeout(() => stop('time'), Math.max(1, deadline - performance.now()))
  let failure: unknown
  socket.on('error', error => {
    failure = error
  })
  socket.on('data', (piece: Uint8Array) => {
    if (reply.end !== 'closed') return
    if (!pieces.add(piece)) stop('size')
  })
  try {
    if (!socket.closed) await once(socket, 'close')
  } catch (error) {
    failure = error
  } finally {
    clearTimeout(timer)
  }
  door.meter(socket)
  // Servers that reset after the last byte have answered; those that say nothing at all have not.
  if (failure && pieces.length === 0) throw failure
  if (reply.end === 'time' && pieces.length === 0) {
    throw new Problem('timeout', 'The server does not answer', { detail: 'It took the question and stayed silent.' })
  }
  return { pieces, end: reply.end }
}

async function bootstrap(registry: RdapRegistry, http: Pick<Http, 'get'>, { files }: BootstrapCache) {
  const known = files.get(registry)
  if (known && known.until > performance.now()) return known.file
  const keep = (file: RdapBootstrapFile, seconds: number) => {
    files.set(registry, { file, until: performance.now() + seconds * 1000 })
    return file
  }
  try {
    const options = { bodyBytes: MAX_BOOTSTRAP_BYTES, timeoutMs: BOOTSTRAP_TIMEOUT_MS }
    const { status, body, truncated, headers } = await http.get(`${BOOTSTRAP_URL}${registry}.json`, options)
    const text = new TextDecoder().decode(body)
    if (status === 200 && !truncated && isBootstrap(text)) return keep({ text, source: 'iana' }, maxAge(headers))
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'limited') throw error
  }
  // An old list of IANA's is better than the bundled one.
  const { bundledBootstrap } = await import('@assay/lib/rdap/bundled')
  return keep(known?.file ?? { text: bundledBootstrap(registry), source: 'bundled' }, RETRY_S)
}

function isBootstrap(text: string): boolean {
  try {
    const file: unknown = JSON.parse(text)
    return typeof file === 'object' && file !== null && 'services' in file && Array.isArray(file.services)
  } catch {
    return false
  }
}

/** RFC 9111 §5.2.2.1. */
function maxAge(headers: readonly (readonly [string, string])[]): number {
  const value = headers.find(([name]) => name.toLowerCase() === 'cache-control')?.[1] ?? ''
  const seconds = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(value)?.[1] ?? MAX_AGE_S.most)
  return Math.min(Math.max(seconds, MAX_AGE_S.least), MAX_AGE_S.most)
}
