/** DNS over HTTPS (RFC 8484) over HTTP/2, and over HTTP/1.1 where a tool asks for it. */

import { type IncomingMessage, request as startRequest } from 'node:http'
import {
  type DohExchange,
  type DohOptions,
  type DohRequest,
  type DohServer,
  type EncryptedConnection,
  type HttpAnswer,
  type JsonExchange,
  Problem,
} from '@assay/kit'
import { toBase64Url, toUtf8 } from '@assay/lib/bytes'
import { decodeAnswer, encodeMessage, type Message, sameQuestion } from '@assay/lib/dns/message'
import { WireError } from '@assay/lib/dns/wire'
import { parseUrl, type WebAddress } from '@assay/lib/domain/name'
import { readAll } from './body.ts'
import type { Door } from './egress.ts'
import { asReused, ENCRYPTED_TIMEOUT_MS, type OpenedConnection, openEncrypted } from './encrypted-connection.ts'
import { asNetworkProblem, longHeader, noAnswer } from './failure.ts'
import { deafenWhenClosed, type HttpSettings, MAX_HEADER_BYTES } from './http.ts'
import {
  type Http2Connection,
  type PlainRequest,
  type PlainResponse,
  type ResponseLimits,
  startHttp2,
} from './http2.ts'
import type { Tls } from './tls.ts'
import { within } from './within.ts'

/** The largest DNS message (RFC 1035 §4.2.2); JSON takes a few times the room. */
const MAX_MESSAGE_BYTES = 65_535
const MAX_JSON_BYTES = 262_144
/** RFC 8484 §6. */
const MESSAGE_TYPE = 'application/dns-message'
const JSON_TYPE = 'application/dns-json'
/** Records of a JSON answer that are read. */
const MAX_JSON_RECORDS = 500

export interface DohParts {
  door: Door
  tls: Tls
  settings: HttpSettings
}

interface Line {
  facts: EncryptedConnection
  version: '2' | '1.1'
  usable: boolean
  request(request: PlainRequest, limits: ResponseLimits): Promise<PlainResponse>
}

export function createDoh({ door, tls, settings }: DohParts) {
  const lines = new Map<string, Promise<Line>>()

  const exchange = async (
    server: DohServer,
    wanted: DohRequest & { bodyBytes: number },
    options: DohOptions,
  ): Promise<HttpAnswer> => {
    const { timeoutMs = ENCRYPTED_TIMEOUT_MS, fresh = false, httpVersion } = options
    const deadline = performance.now() + timeoutMs
    const left = () => Math.max(1, deadline - performance.now())
    const target = readServerUrl(server.url)
    const protocols = httpVersion === '2' ? ['h2'] : httpVersion === '1.1' ? ['http/1.1'] : ['h2', 'http/1.1']
    const key = JSON.stringify([target.host.ascii, target.port, server.address ?? '', protocols])
    const forget = (line: Promise<Line>) => {
      if (lines.get(key) === line) lines.delete(key)
    }

    const ask = async (line: Line, reused: boolean): Promise<HttpAnswer> => {
      const start = performance.now()
      const request = requestOf(target, wanted, settings)
      const response = await line.request(request, { timeoutMs: left(), bodyBytes: wanted.bodyBytes })
      door.budget.spend('decodedBytes', response.body.length)
      return {
        ...(reused ? asReused(line.facts) : line.facts),
        ...response,
        httpVersion: line.version,
        contentType: mediaTypeOf(response.headers),
        milliseconds: performance.now() - start,
      }
    }

    try {
      const known = fresh ? undefined : lines.get(key)
      if (known) {
        const line = await within(known, { timeoutMs: left(), problem: () => noAnswer(timeoutMs) })
        try {
          if (line.usable) return await ask(line, true)
        } catch (error) {
          // A server may close a connection at any time (RFC 9113 §5.4.1), and then the question is asked anew.
          if (!(error instanceof Problem && error.code === 'unreachable' && !line.usable)) throw error
        }
        forget(known)
      }
      const address = server.address ?? (await door.pin(target.host, left())).addresses[0] ?? ''
      const place = { address, port: target.port, name: target.host.ascii }
      const opening = openEncrypted(door, tls, place, { protocols, timeoutMs: left() }).then(connection =>
        startLine(door, connection, target, httpVersion),
      )
      lines.set(key, opening)
      opening.catch(() => forget(opening))
      const line = await opening
      if (line.version === '1.1') forget(opening)
      return await ask(line, false)
    } catch (error) {
      door.budget.check()
      throw asNetworkProblem(error)
    }
  }

  return {
    async overHttps(server: DohServer, query: Message, options: DohOptions = {}): Promise<DohExchange> {
      const bytes = encodeMessage({ ...query, id: 0 })
      const request: DohRequest =
        options.method === 'POST'
          ? { method: 'POST', accept: MESSAGE_TYPE, contentType: MESSAGE_TYPE, body: bytes }
          : { method: 'GET', accept: MESSAGE_TYPE, query: `dns=${toBase64Url(bytes)}` }
      const answer = await exchange(server, { ...request, bodyBytes: MAX_MESSAGE_BYTES }, options)
      return { ...answer, ...readMessage(answer, query) }
    },
    async json(
      server: DohServer,
      { name, type }: { name: string; type: string },
      options: DohOptions = {},
    ): Promise<JsonExchange> {
      const query = `name=${encodeURIComponent(name)}&type=${encodeURIComponent(type)}`
      const request = { method: 'GET', accept: JSON_TYPE, query, bodyBytes: MAX_JSON_BYTES } as const
      const answer = await exchange(server, request, options)
      return { ...answer, ...readJson(answer) }
    },
    request: (server: DohServer, request: DohRequest, options: DohOptions = {}): Promise<HttpAnswer> =>
      exchange(server, { ...request, bodyBytes: MAX_MESSAGE_BYTES }, options),
  }
}

function readServerUrl(text: string): WebAddress {
  try {
    const address = parseUrl(text)
    if (address.scheme === 'https') return address
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', `Validation error: ${error.message}`, { cause: error })
  }
  throw new Problem('invalid-input', 'Validation error: expected an https address')
}

function requestOf(target: WebAddress, wanted: DohRequest, { userAgent }: HttpSettings): PlainRequest {
  return {
    method: wanted.method,
    path: wanted.query ? `${target.path}?${wanted.query}` : target.path,
    headers: {
      'user-agent': userAgent,
      accept: wanted.accept ?? '*/*',
      ...(wanted.contentType && { 'content-type': wanted.contentType }),
      ...(wanted.body && { 'content-length': String(wanted.body.length) }),
    },
    body: wanted.body,
  }
}

function startLine(door: Door, connection: OpenedConnection, target: WebAddress, wanted?: '2' | '1.1'): Line {
  const { facts, socket } = connection
  const authority = new URL(target.href)
  if (facts.tls.alpn === 'h2') {
    const http2: Http2Connection = startHttp2(door, connection, authority.origin)
    return {
      facts,
      version: '2',
      get usable() {
        return http2.usable
      },
      request: (request, limits) => http2.request(request, limits),
    }
  }
  if (wanted === '2') {
    socket.destroy()
    throw new Problem('unreachable', 'The server does not offer HTTP/2')
  }
  return {
    facts,
    version: '1.1',
    usable: false,
    request: (request, limits) => requestHttp1(door, connection, authority.host, { request, limits }),
  }
}

/** One request on a connection of its own: HTTP/1.1 is asked for to see whether it is there, not to be fast. */
async function requestHttp1(
  door: Door,
  { socket }: OpenedConnection,
  host: string,
  { request: { method, path, headers, body }, limits }: { request: PlainRequest; limits: ResponseLimits },
): Promise<PlainResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let late: Problem | undefined
  const timer = setTimeout(() => {
    late = noAnswer(limits.timeoutMs)
    socket.destroy(late)
  }, limits.timeoutMs)
  deafenWhenClosed(socket)
  try {
    const request = startRequest({
      createConnection: () => socket,
      method,
      path,
      headers: { host, ...headers, 'accept-encoding': 'identity', connection: 'close' },
      setHost: false,
      setDefaultHeaders: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    })
    let received = 0
    const count = (piece: Uint8Array) => {
      received += piece.length
      if (received > MAX_HEADER_BYTES + MAX_JSON_BYTES) socket.destroy(longHeader())
    }
    request.once('socket', () => socket.on('data', count))
    request.on('upgrade', () => socket.destroy(new Problem('unreachable', 'The server changes to another protocol')))
    request.on('error', reject)
    request.on('close', () => reject(new Problem('unreachable', 'The server cut the connection')))
    request.on('response', resolve)
    request.end(body)
    const response = await promise
    const { pieces, whole, failure } = await readAll(response, limits.bodyBytes, () => door.meter(socket))
    if (late ?? failure) throw late ?? failure
    const { rawHeaders } = response
    return {
      status: response.statusCode ?? 0,
      headers: Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
        rawHeaders[2 * i]?.toLowerCase() ?? '',
        rawHeaders[2 * i + 1] ?? '',
      ]),
      body: pieces.finish(),
      truncated: !whole,
    }
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

function mediaTypeOf(headers: readonly [string, string][]): string {
  const [, value = ''] = headers.find(([name]) => name === 'content-type') ?? []
  return value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** RFC 8484 §4.2: only a success whose content is a DNS message is an answer; a page of HTML with status 200 is none. */
function readMessage({ status, contentType, body, truncated }: HttpAnswer, query: Message) {
  if (status < 200 || status > 299) return { problem: `The server answered with status ${status}.` }
  if (contentType !== MESSAGE_TYPE) {
    return { problem: `The content is ${contentType || 'of no stated type'}, not ${MESSAGE_TYPE}.` }
  }
  if (truncated) return { problem: 'The content is longer than any DNS message.' }
  try {
    const message = decodeAnswer(body)
    const [asked] = query.questions
    const [returned] = message.questions
    if (!message.qr) return { problem: 'The content is a question, not an answer.' }
    if (message.cut) return { problem: `The DNS message is broken: ${message.cut}.` }
    if (asked && !(returned ? sameQuestion(asked, returned) : message.rcode !== 'NOERROR')) {
      return { problem: 'The server answered another question.' }
    }
    return { message }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { problem: `The content is not a DNS message: ${error.message}.` }
  }
}

function readJson({ status, contentType, body, truncated }: HttpAnswer): Pick<JsonExchange, 'answer' | 'problem'> {
  if (status < 200 || status > 299) return { problem: `The server answered with status ${status}.` }
  if (!/[/+](?:dns-)?json$/.test(contentType) && contentType !== 'application/x-javascript') {
    return { problem: `The content is ${contentType || 'of no stated type'}, not JSON.` }
  }
  if (truncated) return { problem: 'The content is too long.' }
  const notAnswer = { problem: 'The JSON is no answer of the DNS.' }
  let value: unknown
  try {
    value = JSON.parse(toUtf8(body))
  } catch {
    return { problem: 'The content is not JSON.' }
  }
  if (!isRecord(value) || typeof value.Status !== 'number') return notAnswer
  const list: unknown[] = Array.isArray(value.Answer) ? value.Answer.slice(0, MAX_JSON_RECORDS) : []
  const records = list.flatMap(one =>
    isRecord(one) && typeof one.data === 'string'
      ? [
          {
            name: typeof one.name === 'string' ? one.name : '',
            type: numberIn(one.type),
            ttl: numberIn(one.TTL),
            data: one.data,
          },
        ]
      : [],
  )
  return { answer: { status: value.Status, records } }
}

/** Some write numbers as text. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
