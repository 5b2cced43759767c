/** Requests over HTTP/2 (RFC 9113) on connections of the door, for DNS over HTTPS. */

import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { Problem } from '@assay/kit'
import type { Door } from './egress.ts'
import { IDLE_MS, type OpenedConnection } from './encrypted-connection.ts'
import { asNetworkProblem, codeOf, noAnswer } from './failure.ts'
import { Pieces } from './pieces.ts'

export interface PlainRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | undefined
}

export interface PlainResponse {
  status: number
  headers: [name: string, value: string][]
  body: Uint8Array
  truncated: boolean
}

export interface ResponseLimits {
  timeoutMs: number
  bodyBytes: number
}

/** RFC 9113 §6.5.2: what we tell a server that we take. Node also drops a connection that goes far beyond. */
const MAX_HEADER_LIST_BYTES = 16_384
const MAX_HEADER_PAIRS = 100
/** Megabytes that Node may hold for one session. */
const MAX_SESSION_MEGABYTES = 4
/** How often what arrives below the streams is charged. */
const METER_MS = 100

export interface Http2Connection {
  readonly usable: boolean
  request(request: PlainRequest, limits: ResponseLimits): Promise<PlainResponse>
}

/** Speaks HTTP/2 on a connection whose ALPN chose it. */
export function startHttp2(door: Door, { socket }: OpenedConnection, origin: string): Http2Connection {
  const session = connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
    maxHeaderListPairs: MAX_HEADER_PAIRS,
    maxSessionMemory: MAX_SESSION_MEGABYTES,
  })
  let failure: unknown
  session.on('error', error => {
    failure ??= asHttp2Problem(error)
    socket.destroy()
  })
  session.setTimeout(IDLE_MS, () => session.close())
  session.once('close', () => socket.destroy())

  return {
    get usable() {
      return !session.closed && !session.destroyed
    },
    async request(request, limits) {
      const meter = setInterval(() => {
        try {
          door.meter(socket)
        } catch {
          // The budget has ended the job, and closes this with everything else.
          session.destroy()
        }
      }, METER_MS)
      try {
        return await exchange(session, request, limits)
      } catch (error) {
        door.budget.check()
        throw failure ?? asHttp2Problem(error)
      } finally {
        clearInterval(meter)
      }
    },
  }
}

/**
 * Node ends the whole process, by an assertion in ~Http2Session, when a session is collected before a stream that still
 * holds header fields which were too many. A server can bring that about, so each stream, until it is collected itself,
 * holds on to its session. What is collected are the handles below what Node shows of both.
 */
const heldByStreams = new FinalizationRegistry<object>(() => {})

function holdSession(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
  const [holder, held] = [handleOf(stream), handleOf(session)]
  if (holder && held) heldByStreams.register(holder, held)
  else stream.once('ready', () => holdSession(session, stream))
}

function handleOf(owner: object): object | undefined {
  const name = Object.getOwnPropertySymbols(owner).find(({ description }) => description === 'kHandle')
  const handle: unknown = name && Reflect.get(owner, name)
  return typeof handle === 'object' && handle !== null ? handle : undefined
}

function exchange(
  session: ClientHttp2Session,
  { method, path, headers, body }: PlainRequest,
  { timeoutMs, bodyBytes }: ResponseLimits,
): Promise<PlainResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PlainResponse>()
  const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: !body })
  holdSession(session, stream)
  const timer = setTimeout(() => fail(noAnswer(timeoutMs)), timeoutMs)
  const fail = (error: unknown) => {
    reject(error)
    stream.close(constants.NGHTTP2_CANCEL)
  }
  let head: Pick<PlainResponse, 'status' | 'headers'> | undefined
  const pieces = new Pieces(bodyBytes)
  const finish = (truncated: boolean) => {
    if (!head) return fail(new Problem('unreachable', 'The server cut the connection'))
    resolve({ ...head, body: pieces.finish(), truncated })
  }
  stream.on('response', fields => {
    const pairs = Object.entries(fields).filter(([name]) => !name.startsWith(':'))
    head = {
      status: Number(fields[':status'] ?? 0),
      headers: pairs.flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, String(one)]),
      ),
    }
  })
  stream.on('data', (part: Uint8Array) => {
    if (head?.status === undefined || pieces.add(part)) return
    finish(true)
    stream.close(constants.NGHTTP2_CANCEL)
  })
  stream.on('end', () => finish(false))
  stream.on('error', fail)
  stream.on('close', () => {
    clearTimeout(timer)
    reject(new Problem('unreachable', 'The server cut the connection'))
  })
  if (body) stream.end(body)
  return promise
}

function asHttp2Problem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  if (codeOf(error).startsWith('ERR_HTTP2_')) {
    return new Problem('unreachable', 'The server does not answer in HTTP/2', {
      detail: http2Reason(error),
      cause: error,
    })
  }
  return asNetworkProblem(error)
}

/** Node's words end in nghttp2's name of the error. */
const http2Reason = (error: Error): string | undefined =>
  /NGHTTP2_[A-Z_]+/.test(error.message) ? `HTTP/2 says: ${/NGHTTP2_([A-Z_]+)/.exec(error.message)?.[1]}.` : undefined
