import { monitorEventLoopDelay } from 'node:perf_hooks'
import Fastify, { type FastifyInstance } from 'fastify'
import type { PoolFigures } from './compute/pool.ts'
import type { RedisFigures } from './coordination.ts'
import { createCounter, createHistogram, EXPOSITION_TYPE, family } from './exposition.ts'
import type { KeptFigures } from './kept.ts'
import type { Limits } from './limits.ts'
import type { RateStore } from './rates.ts'
import type { Kind, RunnerFigures } from './runner.ts'

/** What a request asks of the server: a tool of a kind, a file of the site, something of accounts, or one of the other addresses. */
export type RequestClass = Kind | 'page' | 'account' | 'other'

/** One answered request. Nothing here may hold input, an address, or who asked: it ends up in labels. */
export interface Answered {
  class: RequestClass
  /** The address pattern. */
  route: string
  method: string
  status: number
  outcome: string
  seconds: number
}

/** How the parts of the server stand at one moment. */
export interface Figures extends RunnerFigures {
  /** Undefined without a store. */
  kept: KeptFigures | undefined
  /** Undefined without Redis. */
  redis: RedisFigures | undefined
}

export interface Metrics {
  answered(request: Answered): void
  /** The same counters, with their refusals counted. */
  counted(rates: RateStore): RateStore
  text(figures: Figures, now: number): string
  stop(): void
}

/** Seconds. Pages and light runs take milliseconds, scans up to two minutes. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const RESOLUTION_MS = 10
const WINDOW_MS = 30_000

export function createMetrics(): Metrics {
  const requests = createCounter('assay_requests_total', 'Answered requests by address pattern and outcome.')
  const durations = createHistogram('assay_request_duration_seconds', 'From the first byte to the last.', BOUNDS)
  const lag = watchLag()
  let refusals = 0
  return {
    answered({ class: kind, route, method, status, outcome, seconds }) {
      requests.add({ route, method, status: String(status), outcome })
      durations.observe({ class: kind }, seconds)
    },
    counted: rates => ({
      ...rates,
      async take(rules, tokens) {
        const waitMs = await rates.take(rules, tokens)
        if (waitMs > 0) refusals++
        return waitMs
      },
    }),
    text: (figures, now) =>
      [
        requests.text(),
        durations.text(),
        family(
          'assay_rate_refusals_total',
          'counter',
          'Runs and messages refused for the rate of their client or target.',
          [[{}, refusals]],
        ),
        ...partFigures(figures),
        ...(figures.kept ? keptFigures(figures.kept, now) : []),
        ...(figures.redis ? redisFigures(figures.redis) : []),
        ...processFigures(lag.read()),
      ].join(''),
    stop: lag.stop,
  }
}

function partFigures({ pools, networkJobs }: Figures): string[] {
  const each = (value: (figures: PoolFigures) => number) =>
    Object.entries(pools).map(([pool, figures]) => [{ pool }, value(figures)] as const)
  return [
    family(
      'assay_compute_jobs_queued',
      'gauge',
      'Jobs that wait for a compute child.',
      each(({ queued }) => queued),
    ),
    family(
      'assay_compute_jobs_running',
      'gauge',
      'Jobs that a compute child works on.',
      each(({ running }) => running),
    ),
    family(
      'assay_compute_children_killed_total',
      'counter',
      'Compute children killed with their job: past its time or memory, or nobody waited any more.',
      each(({ killed }) => killed),
    ),
    family(
      'assay_compute_children_died_total',
      'counter',
      'Compute children that ended by themselves with a job in hand.',
      each(({ died }) => died),
    ),
    family('assay_network_jobs_running', 'gauge', 'Lookups and scans under way.', [[{}, networkJobs]]),
  ]
}

function keptFigures({ store, sweptAt }: KeptFigures, now: number): string[] {
  const entries = (values: Readonly<Record<string, number>>, label: string) =>
    Object.entries(values).map(([name, value]) => [{ [label]: name }, value] as const)
  return [
    family('assay_store_up', 'gauge', '1 when the store answered just now.', [[{}, store ? 1 : 0]]),
    family(
      'assay_retention_last_success_timestamp_seconds',
      'gauge',
      'When this process last deleted what is past its time; 0 when it never did.',
      [[{}, sweptAt / 1000]],
    ),
    family(
      'assay_oldest_row_age_seconds',
      'gauge',
      'Age of the oldest row of a table with a time limit; 0 when it is empty.',
      entries(store?.oldest ?? {}, 'table').map(([labels, at]) => [labels, at ? Math.max(0, now - at) / 1000 : 0]),
    ),
    family(
      'assay_outbox_mails',
      'gauge',
      'Mails that were not sent yet, or were given up.',
      entries(store?.mails ?? {}, 'state'),
    ),
  ]
}

const redisFigures = ({ up, processes }: RedisFigures): string[] => [
  family('assay_redis_up', 'gauge', '1 when Redis answers; without it each process limits by itself.', [
    [{}, up ? 1 : 0],
  ]),
  family('assay_processes', 'gauge', 'Processes that share Redis, when they last could be counted.', [[{}, processes]]),
]

function processFigures({ p99, max }: Lag): string[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    family('assay_event_loop_delay_seconds', 'gauge', 'Delay of the event loop in the last 30 to 60 seconds.', [
      [{ figure: 'p99' }, p99],
      [{ figure: 'max' }, max],
    ]),
    family('process_cpu_seconds_total', 'counter', 'Processor time without that of the compute children.', [
      [{}, (user + system) / 1e6],
    ]),
    family('process_resident_memory_bytes', 'gauge', 'Resident memory without that of the compute children.', [
      [{}, rss],
    ]),
    family('process_start_time_seconds', 'gauge', 'When the process began.', [[{}, performance.timeOrigin / 1000]]),
    family('assay_heap_bytes', 'gauge', 'Heap of JavaScript.', [
      [{ figure: 'used' }, heapUsed],
      [{ figure: 'total' }, heapTotal],
    ]),
  ]
}

interface Lag {
  p99: number
  max: number
}

/** Figures of this half minute and the last, so that whoever reads at least every half minute misses nothing. */
function watchLag(): { read(): Lag; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const now = (): Lag => ({ p99: seconds(delay.percentile(99)), max: seconds(delay.max) })
  let last: Lag = { p99: 0, max: 0 }
  delay.enable()
  const timer = setInterval(() => {
    last = now()
    delay.reset()
  }, WINDOW_MS).unref()
  return {
    read() {
      const { p99, max } = now()
      return { p99: Math.max(p99, last.p99), max: Math.max(max, last.max) }
    },
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}

/** Nanoseconds between two looks, less the time there should be between them. */
const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)

/** The listener for whoever watches the server: one address, and no visitor ever reaches it. */
export function metricsServer(read: () => Promise<string>, { headersMs, requestMs }: Limits): FastifyInstance {
  const app = Fastify({ logger: false, requestTimeout: requestMs, http: { headersTimeout: headersMs } })
  app.get('/metrics', async (_, reply) =>
    reply
      .type(EXPOSITION_TYPE)
      .header('cache-control', 'no-store')
      .send(await read()),
  )
  app.setNotFoundHandler((_, reply) => reply.code(404).type('text/plain; charset=utf-8').send('GET /metrics\n'))
  return app
}
