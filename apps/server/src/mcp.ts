import { answerMcp } from '@assay/mcp/http'
import type { FastifyInstance } from 'fastify'
import type { Entry } from './addresses.ts'
import { DoorError, failureOf } from './errors.ts'
import type { Log } from './log.ts'
import type { Runner } from './runner.ts'
import { callerOf, goneSignal, logBug, refuseCrossSite } from './tools.ts'
import { GONE_STATUS, type Usage } from './usage.ts'

export interface McpRoute {
  entries: readonly Entry[]
  runner: Runner
  log: Log
  brand: string
  usage: Usage | undefined
}

/** The tools for assistants: MCP over Streamable HTTP, with the limits that every door has. */
export function mcpRoute(app: FastifyInstance, { entries, runner, log, brand, usage }: McpRoute): void {
  app.post('/mcp/', async (request, reply) => {
    refuseCrossSite(request)
    const gone = goneSignal(reply)
    const options = {
      entries,
      name: brand,
      onBug: (error: unknown) => logBug(log, request, error),
      async *run(entry: Entry, raw: Readonly<Record<string, unknown>>, stopped: AbortSignal) {
        const signal = AbortSignal.any([gone, stopped])
        const started = performance.now()
        const caller = callerOf(request)
        let status = GONE_STATUS
        try {
          const answer = yield* await runner.start({ ...entry, raw, ...caller, signal, detailed: true, updates: true })
          status = 200
          return answer
        } catch (error) {
          status = failureOf(error, request.id).status
          throw error
        } finally {
          usage?.add({ ...caller, tool: entry.tool.id, status, ms: performance.now() - started })
        }
      },
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    // The address is read by nobody; it only has to be one.
    const call = new Request('http://localhost/mcp', { method: 'POST', headers, body: '' })
    const response = await answerMcp(options, call, request.body)
    response.headers.set('cache-control', 'no-store')
    return reply.send(response)
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp/',
    handler: async () => {
      throw new DoorError(405, 'method-not-allowed', 'Validation error: this address takes POST', { allow: 'POST' })
    },
  })
}
