import {
  type Action,
  type Cost,
  type Input,
  type Outcome,
  Problem,
  type Raw,
  readInput,
  runAction,
  type ServerContext,
  type Tool,
  type Update,
} from '@assay/kit'
import { optedOutTarget } from '@assay/net/guard'
import { type Answer, answerOf, type Step, stepOf } from './answer.ts'
import { computeContext } from './compute/context.ts'
import { createPool, isFile, type PoolFigures } from './compute/pool.ts'
import type { Coordination } from './coordination.ts'
import { forbidden, Wait } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Principal } from './principal.ts'
import { clientKeys, type Rule } from './rates.ts'

/** How much a run asks of others: work of our own, a question, or many. */
export type Kind = 'light' | 'lookup' | 'scan'

export interface NetworkJob {
  context: ServerContext
  /** Closes what the job still has open. */
  dispose(): void
}

export interface RunnerOptions {
  limits: Limits
  /** The network of one job. */
  createJob(kind: Kind, signal: AbortSignal): NetworkJob
  /** Address of the module whose `actions` the compute children run. */
  module: string
  /** Names that no tool looks up, nor what is below them. */
  optedOut: readonly string[]
  coordination: Pick<Coordination, 'rates' | 'runs' | 'remembered'>
  now?: (() => Date) | undefined
}

export interface Job {
  tool: Tool
  action: Action
  raw: Raw
  /** Address of the client. */
  client: string
  /** Who the client says it is, where it does. */
  principal?: Principal | undefined
  /** Aborted when the client is gone. */
  signal: AbortSignal
  detailed: boolean
  updates: boolean
  /** The last result of the same run will do while it is no older than this. */
  freshForMs?: number | undefined
}

/** Where every door of the server runs tools: limits, lanes and time are here. */
export interface Runner {
  /** Checks limits and input, then starts. What it throws came before any work. */
  start(job: Job): Promise<AsyncGenerator<Step, Answer, void>>
  warm(): void
  /** Ends all runs with a problem that says the server is going down. */
  stop(): void
  close(): void
  figures(): RunnerFigures
}

export interface RunnerFigures {
  pools: { work: PoolFigures; uploads: PoolFigures }
  networkJobs: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const TOKEN_MS = 100

export const kindOf = ({ weight, runs }: Tool): Kind => {
  if (weight === 'scan' || weight === 'crack') return 'scan'
  return weight ?? (runs === 'server' ? 'lookup' : 'light')
}

export function createRunner({
  limits,
  createJob,
  module,
  optedOut,
  coordination: { rates, runs, remembered },
  now = () => new Date(),
}: RunnerOptions): Runner {
  const work = createPool({ module, children: limits.workChildren, runMs: limits.workMs, limits })
  // Uploads wait for their clients, so they have children of their own and cannot hold up other work.
  const uploads = createPool({ module, children: limits.uploadChildren, runMs: limits.uploadMs, limits })
  const goingDown = new AbortController()
  let networkJobs = 0

  async function take(rules: readonly Rule[], tokens: number): Promise<void> {
    const waitMs = await rates.take(rules, tokens)
    if (waitMs > 0) throw new Wait('limited', waitMs, 'Rate limit exceeded')
  }

  /** Calls by a key count for the account that made it, wherever they come from. */
  function countedAs({ client, principal }: Job): { key: string; factor: number }[] {
    if (principal?.key === undefined) return clientKeys(client)
    return [{ key: `account ${principal.account}`, factor: limits.keyFactor }]
  }

  function clientRules(kind: Kind, job: Job): Rule[] {
    const windows: Record<Kind, [limit: number, windowMs: number][]> = {
      light: [[limits.lightPerMinute, MINUTE_MS]],
      lookup: [
        [limits.lookupsPerMinute, MINUTE_MS],
        [limits.lookupsPerDay, DAY_MS],
      ],
      scan: [[limits.scansPerMinute, MINUTE_MS]],
    }
    return countedAs(job).flatMap(({ key, factor }) =>
      windows[kind].map(([limit, windowMs]) => ({
        key: `${kind} ${windowMs} ${key}`,
        limit: limit * factor,
        windowMs,
      })),
    )
  }

  function targetRules(kind: Kind, { tool, action }: Job, input: Input): Rule[] {
    const target = targetOf(action, input)
    if (!target) return []
    const all = { key: `target ${target}`, limit: limits.targetPerMinute, windowMs: MINUTE_MS }
    if (kind !== 'scan') return [all]
    return [all, { key: `scan ${tool.id} ${target}`, limit: 1, windowMs: limits.scanSharedMs }]
  }

  async function* inline(job: Job, input: Input): AsyncGenerator<Step, Answer, void> {
    return yield* presented(job, input, runAction(job.action, input, computeContext(job.signal, now)))
  }

  async function* network(
    job: Job,
    kind: Kind,
    input: Input,
    signal: AbortSignal,
  ): AsyncGenerator<Update, Outcome, void> {
    if (networkJobs >= limits.networkJobs) throw new Wait('busy', 1_000, 'too many lookups are running')
    networkJobs++
    const runMs = kind === 'scan' ? limits.scanMs : limits.lookupMs
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(new Problem('timeout', 'Request timeout')), runMs)
    const all = AbortSignal.any([signal, stop.signal, goingDown.signal])
    const { context, dispose } = createJob(kind, all)
    try {
      return yield* bounded(runAction(job.action, input, context), context.signal)
    } finally {
      dispose()
      clearTimeout(timer)
      stop.abort(new Error('The run is over.'))
      networkJobs--
    }
  }

  /** Joins the same scan where there is one; only a new one counts against its target. */
  async function scan(job: Job, input: Input): Promise<AsyncGenerator<Update, Outcome, void>> {
    const key = `${job.action.path} ${JSON.stringify(input)}`
    const last = job.freshForMs === undefined ? undefined : await remembered.find(key, job.freshForMs)
    if (last) return finished(last)
    // A follower of another process waits for that one, which does not know that this one goes down.
    const leaving = AbortSignal.any([job.signal, goingDown.signal])
    return runs.join(key, leaving, async function* (signal, again) {
      // Who takes over from a process that died finds the token of the scan taken by it.
      await take(targetRules(again ? 'lookup' : 'scan', job, input), 1)
      const outcome = yield* network(job, 'scan', input, signal)
      if (job.tool.freshFor) void remembered.keep(key, outcome, Math.max(...Object.values(job.tool.freshFor)))
      return outcome
    })
  }

  async function* compute(job: Job): AsyncGenerator<Step, Answer, void> {
    const pool = Object.values(job.raw).some(isFile) ? uploads : work
    const signal = AbortSignal.any([job.signal, goingDown.signal])
    return yield* pool.run({ ...job, now: now() }, signal)
  }

  return {
    async start(job) {
      const kind = kindOf(job.tool)
      if (job.principal?.scopes?.includes(kind) === false) throw forbidden()
      const rules = clientRules(kind, job)
      await take(rules, 1)
      const input = await readInput(job.action.fields, job.raw, { textLength: limits.textCharacters })
      if (job.tool.runs === 'server') {
        refuseOptedOut(targetOf(job.action, input), optedOut)
        if (kind === 'scan') return presented(job, input, await scan(job, input))
        await take(targetRules(kind, job, input), 1)
        return presented(job, input, network(job, kind, input, job.signal))
      }
      const cost = costOf(job.action, input)
      refuseDear(cost, limits)
      if (cost && kind === 'light') await take(rules, Math.max(0, Math.ceil(cost.milliseconds / TOKEN_MS) - 1))
      return isSmall(job.raw, cost, limits) ? inline(job, input) : compute(job)
    },
    warm() {
      work.warm()
      uploads.warm()
    },
    stop: () => goingDown.abort(new Problem('busy', 'the server is shutting down')),
    close() {
      work.close()
      uploads.close()
    },
    figures: () => ({ pools: { work: work.figures(), uploads: uploads.figures() }, networkJobs }),
  }
}

// biome-ignore lint/correctness/useYield: there is nothing to say on the way
async function* finished(outcome: Outcome): AsyncGenerator<Update, Outcome, void> {
  return outcome
}

async function* presented(
  { action, detailed, updates }: Job,
  input: Input,
  run: AsyncGenerator<Update, Outcome, void>,
): AsyncGenerator<Step, Answer, void> {
  try {
    for (;;) {
      const { done, value } = await run.next()
      if (done) return answerOf(action, value, detailed)
      if (updates) yield stepOf(action, value, input, detailed)
    }
  } finally {
    await run.return({ input, result: undefined })
  }
}

/** Ends with the signal at once, even when the tool is waiting for something that does not know the signal. */
async function* bounded<T, R>(run: AsyncGenerator<T, R, void>, signal: AbortSignal): AsyncGenerator<T, R, void> {
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    for (;;) {
      const { done, value } = await Promise.race([run.next(), aborted.promise])
      if (done) return value
      yield value
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', abort)
    // A run that is stuck in an await ends when that settles; nobody waits for it.
    void run.throw(signal.reason ?? new Error('The run is over.')).catch(() => {})
  }
}

/** Owners of names can ask to be left alone; addresses are the guard's business. */
function refuseOptedOut(target: string | undefined, domains: readonly string[]): void {
  if (target && domains.some(domain => target === domain || target.endsWith(`.${domain}`))) throw optedOutTarget()
}

/** What all who look up the same name or address share. */
function targetOf({ fields }: Action, input: Input): string | undefined {
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = input[name]
    if (typeof value !== 'string') continue
    if (kind === 'domain' || kind === 'ip' || kind === 'host' || kind === 'holding') return value
    if (kind === 'url') return new URL(value.includes('://') ? value : `https://${value}`).hostname
  }
  return undefined
}

const costOf = ({ cost }: Action, input: Input): Cost | undefined => (cost === 'light' ? undefined : cost(input))

function refuseDear(cost: Cost | undefined, { workCostMs, workCostMegabytes }: Limits): void {
  if (!cost || (cost.milliseconds <= workCostMs && cost.megabytes <= workCostMegabytes)) return
  const asked = `about ${Math.ceil(cost.milliseconds / 1000)} seconds and ${Math.ceil(cost.megabytes)} MB`
  throw new Problem(
    'invalid-input',
    `These parameters ask for ${asked}, and this server gives one run ${Math.floor(workCostMs / 1000)} seconds and ${workCostMegabytes} MB.`,
    { detail: 'Choose smaller parameters, or run the tool in the browser or on the command line.' },
  )
}

function isSmall(raw: Raw, cost: Cost | undefined, { inlineMs, inlineCharacters }: Limits): boolean {
  if (cost && cost.milliseconds >= inlineMs) return false
  let characters = 0
  for (const value of Object.values(raw)) {
    if (isFile(value)) return false
    characters += typeof value === 'string' ? value.length : 0
  }
  return characters < inlineCharacters
}
