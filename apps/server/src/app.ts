import { randomBytes } from 'node:crypto'
import { Server, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { actions } from '@assay/catalogue/catalogue'
import { toUtf8 } from '@assay/lib/bytes'
import { contains, findAddress, parsePrefix } from '@assay/lib/ip/address'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Entry } from './addresses.ts'
import { type Coordination, createCoordination } from './coordination.ts'
import { docsRoutes } from './docs.ts'
import { DoorError, type Failure, failureOf, forbidden, Gone, notFound, Wait } from './errors.ts'
import { commonHeaders, dataHeaders } from './headers.ts'
import { keep } from './kept.ts'
import { type Log, lateStatuses, outcomes } from './log.ts'
import { mcpRoute } from './mcp.ts'
import type { Figures, Metrics, RequestClass } from './metrics.ts'
import { watchPressure } from './pressure.ts'
import { createRunner, kindOf, type RunnerOptions } from './runner.ts'
import type { Settings } from './settings.ts'
import type { Site } from './site.ts'
import type { Store } from './store/store.ts'
import { clientOf, logBug, toolRoutes } from './tools.ts'
import { GONE_STATUS } from './usage.ts'

export interface AppOptions extends Pick<RunnerOptions, 'createJob' | 'now'> {
  settings: Settings
  /** What several processes share; by default this one shares nothing. It is closed with the server. */
  coordination?: Coordination | undefined
  log: Log
  /** The tools to serve and the module that children load them from; the catalogue by default. */
  tools?: { entries: readonly Entry[]; module: string }
  /** Whether a request is one of our own lookups come home: then somebody had us look at ourselves. */
  isOwnRequest?: (userAgent: string | undefined) => boolean
  /** The built pages; without them there is only the API. */
  site?: Site | undefined
  /** What keeps things from one start to the next; without it there is nothing that needs it. */
  store?: Store | undefined
  /** Told of every answer. */
  metrics?: Metrics | undefined
}

export interface App {
  server: FastifyInstance
  /** Starts the compute children ahead of the first request, and goes on with what an earlier process left. */
  warm(): void
  /** Refuses to be ready, ends what runs with an answer, and closes when all answers are out. */
  close(): Promise<void>
  /** Kills the compute children, whatever they do. */
  kill(): void
  /** How it stands now. */
  figures(): Promise<Figures>
}

const catalogueModule = import.meta.resolve('@assay/catalogue/catalogue')

/** Builds the server; it never listens by itself. */
export async function createApp({
  settings,
  log,
  tools,
  site,
  store,
  metrics,
  isOwnRequest,
  ...options
}: AppOptions): Promise<App> {
  const { limits, root } = settings
  const { entries, module } = tools ?? { entries: actions, module: catalogueModule }
  const { rates: plainRates, ...others } = options.coordination ?? createCoordination({ settings, now: options.now })
  const coordination = { ...others, rates: metrics?.counted(plainRates) ?? plainRates }
  const { rates } = coordination
  const kinds = new Map(entries.map(({ tool }) => [tool.id, kindOf(tool)]))
  const runner = createRunner({ limits, module, optedOut: settings.optedOut.domains, ...options, coordination })
  const pressure = watchPressure(limits.loopDelayMs)
  const common = commonHeaders(settings.base)
  let closing = false
  let underWay = 0

  const app = Fastify({
    logger: false,
    genReqId: createRequestIds(),
    trustProxy: trust(settings),
    bodyLimit: limits.jsonBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxRequestsPerSocket: limits.requestsPerSocket,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => (isWithin(root, url) ? url.slice(root.length) : url),
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.connectionCheckMs,
      maxHeaderSize: limits.headerBytes,
    },
    routerOptions: { maxParamLength: limits.parameterCharacters, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      observe(request, reply)
      for (const [name, value] of Object.entries({ ...common, ...dataHeaders })) reply.header(name, value)
      return fail(request, reply, failureOf(error, request.id))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
      socket.end(rawAnswer(brokenRequests[error.code ?? ''] ?? badRequest))
    },
  })
  app.server.maxConnections = limits.connections

  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    let text: string
    try {
      text = toUtf8(body)
    } catch {
      return done(new DoorError(400, 'invalid-input', 'Validation error: the body is not UTF-8'))
    }
    return parseJson(request, text, done)
  })

  const served = new WeakMap<object, number>()
  app.addHook('onRequest', async (request, reply) => {
    observe(request, reply)
    // Node announces the end of a full connection but leaves it open and answers 503 to who has not listened.
    const count = (served.get(request.raw.socket) ?? 0) + 1
    served.set(request.raw.socket, count)
    if (count >= limits.requestsPerSocket) reply.header('connection', 'close')
    reply.headers(common)
    reply.header('x-request-id', request.id)
    if (root && !isWithin(root, request.originalUrl) && !PROBES.test(request.originalUrl)) {
      if (request.originalUrl === root) return reply.redirect('/', 301)
      throw new DoorError(404, 'not-found', `404 Not Found: this site begins at ${root}/`)
    }
    if (isApi(request.url)) reply.headers(dataHeaders)
    if (isOwnRequest?.(request.headers['user-agent'])) throw forbidden()
    // Pages and their files cost little, and a page without one of its scripts is broken.
    if (pressure.isHigh() && isApi(request.url)) {
      throw new Wait('busy', 1_000, 'the server is overloaded')
    }
  })
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (closing) reply.header('connection', 'close')
    const location = reply.getHeader('location')
    if (root && typeof location === 'string' && location.startsWith('/')) reply.header('location', root + location)
    // Streams are bounded by their run; whole answers are written at once, and then only the client can be slow.
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && raw.socket instanceof Socket)
      raw.socket.setTimeout(limits.writeStallMs)
  })

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Gone) return reply.hijack()
    logBug(log, request, error)
    return fail(request, reply, failureOf(error, request.id))
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage = site && ['GET', 'HEAD'].includes(request.method) && !isApi(request.url)
    return isPage ? site.serve(request, reply) : fail(request, reply, notFound)
  })

  app.get('/healthz', async (_, reply) => reply.headers(dataHeaders).send({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    if (closing) throw new Wait('busy', 1_000, 'the server is shutting down')
    return reply.headers(dataHeaders).send({ status: 'ready' })
  })
  const kept = store && (await keep(app, { settings, site, log, rates, store, now: options.now }))
  app.addHook('onRequest', async request => {
    if (isApi(request.url)) request.principal = await kept?.findPrincipal(request.headers.authorization)
  })
  await toolRoutes(app, { entries, runner, limits, log })
  docsRoutes(app, { entries, forms: kept?.forms ?? [], about: settings, limits, site, hasAccounts: kept !== undefined })
  mcpRoute(app, { entries, runner, log, brand: settings.brand, usage: kept?.usage })
  await app.ready()

  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const started = performance.now()
    // A connection that is gone has no address any more.
    const client = clientOf(request)
    let seen = false
    underWay++
    const end = (outcome: string) => {
      if (seen) return
      seen = true
      underWay--
      const { url: route = 'none', config } = request.routeOptions
      const bytes = Number(reply.getHeader('content-length'))
      const ms = performance.now() - started
      metrics?.answered({
        class: kinds.get(config.tool ?? '') ?? classOf(route),
        route,
        method: request.method,
        status: reply.statusCode,
        outcome,
        seconds: ms / 1000,
      })
      if (config.tool) {
        const status = outcome === 'gone' ? GONE_STATUS : (lateStatuses.get(reply) ?? reply.statusCode)
        kept?.usage.add({ tool: config.tool, status, ms, client, principal: request.principal })
      }
      log({
        event: 'request',
        time: new Date().toISOString(),
        request: request.id,
        route,
        method: request.method,
        ...(config.tool && { tool: config.tool }),
        status: reply.statusCode,
        ms: Math.round(ms),
        ...(bytes && { bytes }),
        outcome,
      })
    }
    reply.raw.once('finish', () => end(outcomes.get(reply) ?? 'ok'))
    reply.raw.once('close', () => end('gone'))
  }

  return {
    server: app,
    warm() {
      runner.warm()
      kept?.start()
    },
    kill: runner.close,
    figures: async () => ({ ...runner.figures(), redis: coordination.figures(), kept: await kept?.figures() }),
    async close() {
      closing = true
      // What still runs near the end of the grace gets an answer instead of a cut connection.
      const stop = setTimeout(runner.stop, limits.graceMs * 0.8)
      const lingerEnd = performance.now() + LINGER_MS
      // Connections on which nothing was asked yet would hold up the end until their header is overdue.
      const sweep = setInterval(async () => {
        // Timers come before what has arrived meanwhile is read.
        await nextTurn()
        if (underWay === 0 && performance.now() > lingerEnd) app.server.closeAllConnections()
      }, SWEEP_MS)
      try {
        await stopAccepting(app.server)
        await app.close()
        await kept?.close()
      } finally {
        clearTimeout(stop)
        clearInterval(sweep)
        pressure.stop()
        runner.close()
        await coordination.close()
      }
    },
  }
}

function classOf(route: string): RequestClass {
  if (route === 'none') return 'page'
  return /^\/(?:auth|user)\//.test(route) ? 'account' : 'other'
}

const REQUEST_ID_BYTES = 6
const REQUEST_IDS_AT_ONCE = 512

/** Names for requests. Random bytes are fetched for many at a time, because one call costs as much as a light run. */
function createRequestIds(): () => string {
  let pool = ''
  return () => {
    if (!pool) pool = randomBytes(REQUEST_ID_BYTES * REQUEST_IDS_AT_ONCE).toString('hex')
    const id = pool.slice(0, 2 * REQUEST_ID_BYTES)
    pool = pool.slice(2 * REQUEST_ID_BYTES)
    return id
  }
}

const SWEEP_MS = 100
/** What a proxy sends on a connection that it kept is on its way for less. */
const LINGER_MS = 250

/**
 * Takes no new connections and waits for the end of those there are. The close of node:http would cut the idle ones at
 * once, and with them what comes in on one at that moment; here each ends with its next answer, or with the sweep.
 */
async function stopAccepting(server: Server): Promise<void> {
  // Who has been let in by the system and not yet by us would be cut off.
  await nextTurn()
  await new Promise<void>(resolve => {
    if (server.listening) Server.prototype.close.call(server, () => resolve())
    else resolve()
  })
}

const isWithin = (root: string, url: string) => url.startsWith(`${root}/`)
/** Whoever watches the process asks it directly, wherever its site begins. */
const PROBES = /^\/(?:healthz|readyz)\/?(?:\?|$)/

const isApi = (url: string) => /^\/(?:api|mcp)(?:[/?]|$)/.test(url)

function fail(_: FastifyRequest, reply: FastifyReply, { status, body, headers = {} }: Failure) {
  outcomes.set(reply, body.code)
  return reply
    .code(status)
    .headers({ ...dataHeaders, ...headers })
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** Believes X-Forwarded-For from the listed proxies only; hop counts and "true" let visitors choose their address. */
function trust({ trustedProxies, listen }: Settings): false | ((address: string | undefined) => boolean) {
  if (trustedProxies.length === 0) return false
  const prefixes = trustedProxies.map(parsePrefix)
  return text => {
    const address = text && findAddress(text)
    if (!address) return text === undefined && 'socket' in listen
    return prefixes.some(prefix => contains(prefix, address))
  }
}

/** What cannot even be parsed is answered on the bare socket. */
const badRequest: Failure = {
  status: 400,
  body: { error: 'Validation error: the request is not proper HTTP', code: 'invalid-input' },
}
const brokenRequests: Record<string, Failure> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, body: { error: 'Request timeout', code: 'timeout' } },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    body: { error: 'Validation error: the header of the request is too large', code: 'too-large' },
  },
}

function rawAnswer({ status, body }: Failure): string {
  const text = JSON.stringify(body)
  const words: Record<number, string> = {
    400: 'Bad Request',
    408: 'Request Timeout',
    431: 'Request Header Fields Too Large',
  }
  return [
    `HTTP/1.1 ${status} ${words[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(dataHeaders).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    '',
    text,
  ].join('\r\n')
}
