import { type Action, Problem, type Raw } from '@assay/kit'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chosenEntry, type Entry, lookupInput, lookupsOf } from './addresses.ts'
import type { Answer, Step } from './answer.ts'
import { bugOf } from './bug.ts'
import { ChildBug } from './compute/pool.ts'
import { DoorError, failureOf, forbidden, Gone } from './errors.ts'
import { eventStream } from './events.ts'
import type { Limits } from './limits.ts'
import { type Log, lateStatuses, outcomes } from './log.ts'
import type { Job, Runner } from './runner.ts'
import { readForm } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the tool that answers, for the log. */
    tool?: string
  }
}

export interface ToolRoutes {
  entries: readonly Entry[]
  runner: Runner
  limits: Limits
  log: Log
}

/** Asks for the result together with its panels and its terminal command. */
export const DETAILED = 'application/vnd.assay+json'
const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json; charset=utf-8'
const OTHER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** What is asked, by whichever address. */
type Asked = Pick<Job, 'tool' | 'action' | 'raw' | 'freshForMs'>

/** Every action at POST /api/{path}/, and the GET addresses of the lookups: one loop over the catalogue. */
export async function toolRoutes(app: FastifyInstance, { entries, runner, limits, log }: ToolRoutes): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
  const taken = new Map<string, Set<string>>()
  const claim = (url: string, method: string) => taken.set(url, (taken.get(url) ?? new Set()).add(method))

  for (const { tool, action } of entries) {
    const url = `/api/${action.path}/`
    claim(url, 'POST')
    app.post(url, { config: { tool: tool.id } }, async (request, reply) =>
      answer(request, reply, { tool, action, raw: await bodyOf(request, action, limits) }),
    )
  }

  for (const lookup of lookupsOf(entries)) {
    claim(lookup.route, 'GET')
    app.get<{ Params: Raw; Querystring: Raw }>(lookup.route, { config: { tool: lookup.tool.id } }, (request, reply) => {
      const { tool, action } = chosenEntry(lookup, request.headers.accept)
      const freshForMs = tool.freshFor?.[lookup.template]
      const raw = lookupInput(lookup, request.params, request.query)
      return answer(request, reply, { tool, action, raw, freshForMs })
    })
  }

  for (const [url, methods] of taken) onlyMethods(app, url, [...methods])

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: Asked) {
    refuseCrossSite(request)
    const started = performance.now()
    const accept = request.headers.accept ?? ''
    const detailed = accept.includes(DETAILED)
    const updates = accept.includes(EVENTS)
    const signal = goneSignal(reply)
    const run = await runner.start({ ...asked, ...callerOf(request), signal, detailed, updates })
    const withTime = (answer: Answer) =>
      detailed ? { ...answer, ms: Math.round(performance.now() - started) } : answer.result
    if (updates) {
      const failure = (error: unknown) => {
        logBug(log, request, error)
        const failed = failureOf(error, request.id)
        outcomes.set(reply, failed.body.code)
        lateStatuses.set(reply, failed.status)
        return failed
      }
      reply.header('content-type', EVENTS).header('x-accel-buffering', 'no')
      return reply.send(eventStream(run, { answer: withTime, failure }))
    }
    const body = JSON.stringify(withTime(await lastOf(run)))
    return reply.header('content-type', detailed ? `${DETAILED}; charset=utf-8` : JSON_TYPE).send(body)
  }
}

/** Says which methods an address takes, to whoever comes with another. */
export function onlyMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = methods.join(', ')
  app.route({
    method: OTHER_METHODS.filter(method => !methods.includes(method)),
    url,
    // Whatever body comes along is not read.
    onRequest: async () => {
      throw new DoorError(405, 'method-not-allowed', `Validation error: this address takes ${allow}`, { allow })
    },
    handler: async () => undefined,
  })
}

/**
 * Other sites cannot make a visitor's browser run tools: a browser says where a request comes from, and programs say
 * nothing at all.
 */
export function refuseCrossSite({ headers }: FastifyRequest): void {
  if (isCrossSite(headers)) throw forbidden()
}

export function isCrossSite(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** The address a client is counted under. On a Unix socket there is none, whatever Fastify's types say. */
export const clientOf = ({ ip }: { ip?: string | undefined }): string => ip ?? ''

async function bodyOf(request: FastifyRequest, action: Action, limits: Limits): Promise<Raw> {
  if (request.isMultipart()) {
    if (!Object.values(action.fields).some(({ kind }) => kind === 'file')) {
      throw new DoorError(
        415,
        'unsupported-media-type',
        'Validation error: this tool takes no file, send application/json',
      )
    }
    return readForm(request, action, limits)
  }
  const { body } = request
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('invalid-input', 'Expected a JSON object whose keys are the fields of the tool.')
  }
  return body as Raw
}

/** Aborted when the client leaves before its answer is written. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Gone())
  })
  return gone.signal
}

async function lastOf(run: AsyncGenerator<Step, Answer, void>): Promise<Answer> {
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
  }
}

/** Whom a run counts for. */
export const callerOf = (request: FastifyRequest): Pick<Job, 'client' | 'principal'> => ({
  client: clientOf(request),
  principal: request.principal,
})

/** Logs an error that is nobody's but ours. */
export function logBug(log: Log, request: FastifyRequest, error: unknown): void {
  if (error instanceof Gone || failureOf(error, '').status !== 500) return
  const bug = error instanceof ChildBug ? error.bug : bugOf(error)
  const { tool } = request.routeOptions.config
  log({ event: 'bug', time: new Date().toISOString(), request: request.id, ...(tool && { tool }), ...bug })
}
