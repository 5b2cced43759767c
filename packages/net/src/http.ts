/**
 * HTTP/1.1 (RFC 9112) through the door. Every hop is read strictly, resolved, judged and pinned anew. A request carries
 * its host, who we are and what a tool sets, and nothing of the visitor's. Alt-Svc and Refresh are ignored.
 */

import { type IncomingMessage, type OutgoingHttpHeaders, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { type Http, type HttpExchange, type HttpOptions, type HttpStep, Problem } from '@assay/kit'
import { parseUrl, type WebAddress } from '@assay/lib/domain/name'
import { readBody } from './body.ts'
import { CONNECT_TIMEOUT_MS, type Door } from './egress.ts'
import { asNetworkProblem, longHeader, noAnswer } from './failure.ts'
import { TLS_TIMEOUT_MS, type Tls, type TlsConnection } from './tls.ts'

export const MAX_REDIRECTS = 5
/** Of everything before the content, interim responses too. Node's own cap counts names and values only. */
export const MAX_HEADER_BYTES = 16_384
export const DEFAULT_BODY_BYTES = 1_048_576
export const DEFAULT_TIMEOUT_MS = 10_000
/** Between two pieces of a body. */
const IDLE_TIMEOUT_MS = 5_000
/** Interim responses (RFC 9110 §15.2) before the real one. */
const MAX_INTERIM_RESPONSES = 8
/** Addresses of one host that are tried in turn. */
const MAX_ADDRESSES_TRIED = 3

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Fields that are ours to send, or nobody's: they frame the message, name the visitor or grant something. */
const RESERVED_FIELDS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|via|forwarded|x-forwarded-.*|x-real-ip|cookie2?|authorization|proxy-.*|user-agent|accept-encoding)$/i

export interface HttpSettings {
  /** Names the service and an address for complaints. */
  userAgent: string
}

type Hop = HttpExchange['hops'][number]

interface Connection {
  socket: Socket
  address: string
  tls?: TlsConnection
  dnsMs: number
  connectMs: number
  tlsMs?: number
}

export function createHttp(door: Door, tls: Tls, settings: HttpSettings): Http {
  return {
    async get(url, options = {}) {
      try {
        return await follow({ door, tls, settings, options }, url)
      } catch (error) {
        door.budget.check()
        throw asNetworkProblem(error)
      }
    },
  }
}

interface Client {
  door: Door
  tls: Tls
  settings: HttpSettings
  options: HttpOptions
}

async function follow(client: Client, url: string): Promise<HttpExchange> {
  const { door, options } = client
  const allowed = Math.min(options.redirects ?? MAX_REDIRECTS, MAX_REDIRECTS)
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const deadline = performance.now() + timeoutMs
  const hops: Hop[] = []
  let target = readUrl(url)
  for (;;) {
    const exchange = await visit(client, { target, hops, deadline, timeoutMs, follows: allowed > 0 })
    if (!('location' in exchange)) return exchange
    if (hops.length === allowed) {
      const detail = `It did so ${allowed + 1} times in a row.`
      throw new Problem('limited', 'The server redirects too often', { detail })
    }
    door.budget.spend('redirects')
    hops.push(exchange)
    target = redirectTarget(exchange.location, target)
  }
}

function readUrl(text: string): WebAddress {
  try {
    return parseUrl(text, { query: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', `Validation error: ${error.message}`, { cause: error })
  }
}

interface Visit {
  target: WebAddress
  hops: Hop[]
  deadline: number
  timeoutMs: number
  follows: boolean
}

/** One request. Gives a hop when it redirects, the finished exchange when not. */
async function visit(
  client: Client,
  { target, hops, deadline, timeoutMs, follows }: Visit,
): Promise<HttpExchange | Hop> {
  const { door, options } = client
  const start = performance.now()
  const left = () => Math.max(1, deadline - performance.now())
  const connection = await open(client, target, left)
  const { socket } = connection
  options.onStep?.({ url: target.href, phase: 'response' })
  try {
    const timer = setTimeout(() => socket.destroy(noAnswer(timeoutMs)), left())
    const response = await ask(client, target, socket).finally(() => clearTimeout(timer))
    const firstByteMs = performance.now() - start
    const head = { url: target.href, status: response.statusCode ?? 0, headers: headerPairs(response.rawHeaders) }
    const location = follows && REDIRECTS.has(head.status) ? locationOf(head.headers) : undefined
    if (location !== undefined) return { ...head, location }
    const charge = (decoded: number) => {
      door.meter(socket)
      door.budget.spend('decodedBytes', decoded)
    }
    const limits = { bytes: options.bodyBytes ?? DEFAULT_BODY_BYTES, timeoutMs: left(), idleMs: IDLE_TIMEOUT_MS }
    const body = await readBody(response, limits, charge)
    door.budget.check()
    const { address, tls, dnsMs, connectMs, tlsMs } = connection
    return {
      ...head,
      statusText: response.statusMessage ?? '',
      httpVersion: response.httpVersion,
      body: body.bytes,
      truncated: body.truncated,
      hops,
      address,
      ...(tls && {
        tls: {
          protocol: tls.protocol,
          cipher: tls.cipher,
          ...(tls.problem && { problem: tls.problem }),
          names: tls.names,
        },
      }),
      timings: {
        dnsMs,
        connectMs,
        ...(tlsMs !== undefined && { tlsMs }),
        firstByteMs,
        totalMs: performance.now() - start,
      },
    }
  } finally {
    socket.destroy()
  }
}

/** Pins the host and connects to the first of its addresses that answers. */
async function open({ door, tls, options }: Client, target: WebAddress, left: () => number): Promise<Connection> {
  const step = (phase: HttpStep['phase']) => options.onStep?.({ url: target.href, phase })
  step('dns')
  const pin = await door.pin(target.host, left())
  step('connect')
  const tried = pin.addresses.slice(0, MAX_ADDRESSES_TRIED)
  for (const [index, address] of tried.entries()) {
    const start = performance.now()
    const last = index === tried.length - 1
    const patience = Math.min(CONNECT_TIMEOUT_MS, left() / (tried.length - index))
    const reached = door.connect({ address, port: target.port, purpose: 'http' }, patience)
    const socket = last ? await reached : await reached.catch(giveWayToNext)
    if (!socket) continue
    const connectMs = performance.now() - start
    const connection = { socket, address, dnsMs: pin.milliseconds, connectMs }
    if (target.scheme === 'http') return connection
    step('tls')
    const secured = await tls.secure(socket, {
      name: target.host.ascii,
      isAddress: target.host.kind === 'address',
      protocols: ['http/1.1'],
      acceptBadCertificate: options.acceptBadCertificate ?? false,
      timeoutMs: Math.min(TLS_TIMEOUT_MS, left()),
    })
    return { ...connection, socket: secured.socket, tls: secured, tlsMs: performance.now() - start - connectMs }
  }
  throw new Problem('unreachable', 'The name has no address')
}

function giveWayToNext(error: unknown): undefined {
  if (error instanceof Problem && (error.code === 'unreachable' || error.code === 'timeout')) return undefined
  throw error
}

/** Sends the request over a connected socket, and waits for the header of the response. */
async function ask({ settings, options }: Client, target: WebAddress, socket: Socket): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  deafenWhenClosed(socket)
  const request = startRequest({
    createConnection: () => socket,
    method: options.method ?? 'GET',
    path: target.path,
    headers: requestHeaders(target, settings, options.headers ?? {}),
    setHost: false,
    setDefaultHeaders: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  })
  request.maxHeadersCount = 0
  let interim = 0
  let received = 0
  let answered = false
  const count = (piece: Uint8Array) => {
    received += piece.length
    if (received > MAX_HEADER_BYTES && !answered) socket.destroy(longHeader())
  }
  // The parser listens by now, and has read a piece before it is counted here.
  request.once('socket', () => socket.on('data', count))
  request.on('information', () => {
    if (++interim > MAX_INTERIM_RESPONSES)
      socket.destroy(new Problem('unreachable', 'The server never comes to an answer'))
  })
  request.on('upgrade', () => socket.destroy(new Problem('unreachable', 'The server changes to another protocol')))
  request.on('error', reject)
  request.on('close', () => reject(new Problem('unreachable', 'The server cut the connection')))
  request.on('response', response => {
    answered = true
    socket.off('data', count)
    if (headerBytes(response.rawHeaders) > MAX_HEADER_BYTES) socket.destroy(longHeader())
    // The parser reads on to the end of a piece, also after an interim response too many.
    if (!socket.destroyed) resolve(response)
  })
  request.end()
  return promise
}

/**
 * Node's client gives its parser up when a socket closes, and still hears what a paused one had kept back: then an
 * assertion of its own ends the process. A socket that is closed tells nobody anything.
 */
export function deafenWhenClosed(socket: Socket): void {
  socket.once('close', () => socket.removeAllListeners('data'))
}

function requestHeaders(
  target: WebAddress,
  { userAgent }: HttpSettings,
  extra: Readonly<Record<string, string>>,
): OutgoingHttpHeaders {
  const reserved = Object.keys(extra).find(name => RESERVED_FIELDS.test(name))
  if (reserved) throw new TypeError(`a tool may not set the header field ${reserved}`)
  return {
    Host: new URL(target.href).host,
    'User-Agent': userAgent,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    ...extra,
    Connection: 'close',
  }
}

/** Node gives names and values in turn. */
const headerPairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''])

/** With the colon, the space and the line end of each field. */
const headerBytes = (raw: readonly string[]): number => raw.reduce((sum, part) => sum + part.length + 2, 0)

function locationOf(headers: readonly [string, string][]): string | undefined {
  const values = new Set(headers.filter(([name]) => name.toLowerCase() === 'location').map(([, value]) => value))
  if (values.size > 1) throw new Problem('unreachable', 'The server redirects to two addresses at once')
  const [location] = values
  return location || undefined
}

/**
 * RFC 3986 §5.2 with one reader for everything: the reference is completed as text and then read like what a visitor
 * types, so nothing that parsers disagree about gets through.
 */
export function redirectTarget(location: string, base: WebAddress): WebAddress {
  const text = asUtf8(location)
  try {
    return parseUrl(completed(text, base), { query: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('refused', 'The server redirects to something that is not a plain http or https address', {
      cause: error,
    })
  }
}

function completed(reference: string, base: WebAddress): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(reference)) return reference
  if (reference.startsWith('//')) return `${base.scheme}:${reference}`
  const { origin, pathname, search } = new URL(base.href)
  if (reference.startsWith('/')) return `${origin}${reference}`
  if (reference.startsWith('?')) return `${origin}${pathname}${reference}`
  if (reference.startsWith('#')) return `${origin}${pathname}${search}`
  return `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}${reference}`
}

/** Header values arrive as Latin-1; addresses in other scripts are sent as UTF-8 (WHATWG Fetch, "location URL"). */
function asUtf8(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}
