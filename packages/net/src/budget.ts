/** What one job may spend, all its sub-requests together. When one kind runs out, everything still open is closed. */

import { Problem } from '@assay/kit'

export interface Limits {
  wallMs: number
  /** Bytes sent and received. */
  wireBytes: number
  /** Bytes of bodies after decompression. */
  decodedBytes: number
  /** Datagrams sent. */
  packets: number
  /** TCP connections attempted. */
  connections: number
  redirects: number
  /** New questions of a list that one name server is asked in a second, by all jobs together. */
  questionsPerSecond: number
}

/** How much a job asks of others: one question, or many names, servers or ports. */
export type JobKind = 'lookup' | 'scan'

const MIB = 1_048_576

export const jobLimits: Readonly<Record<JobKind, Limits>> = {
  lookup: {
    wallMs: 30_000,
    wireBytes: 16 * MIB,
    decodedBytes: 16 * MIB,
    packets: 200,
    connections: 60,
    redirects: 20,
    questionsPerSecond: 50,
  },
  scan: {
    wallMs: 120_000,
    wireBytes: 64 * MIB,
    decodedBytes: 32 * MIB,
    packets: 20_000,
    connections: 1_000,
    redirects: 60,
    questionsPerSecond: 200,
  },
}

export type Spendable = Exclude<keyof Limits, 'wallMs' | 'questionsPerSecond'>

export interface Budget {
  /** Aborted when the visitor cancels, the time is up or something has run out. */
  readonly signal: AbortSignal
  /** Takes an amount off; throws the problem 'limited', and aborts the job, when there is not enough left. */
  spend(kind: Spendable, amount?: number): void
  /** The same where there is nobody to throw at: the job is aborted all the same. */
  charge(kind: Spendable, amount: number): void
  left(kind: Spendable): number
  /** Throws when the job is over. */
  check(): void
  /** Ends the job: aborts what is still open. */
  end(): void
}

const names: Record<Spendable, string> = {
  wireBytes: 'bytes on the wire',
  decodedBytes: 'bytes of content',
  packets: 'packets',
  connections: 'connections',
  redirects: 'redirects',
}

export function createBudget(limits: Limits, visitor?: AbortSignal): Budget {
  const controller = new AbortController()
  const spent = new Map<Spendable, number>()
  const stop = (reason: unknown) => {
    clearTimeout(timer)
    visitor?.removeEventListener('abort', onVisitorAbort)
    if (!controller.signal.aborted) controller.abort(reason)
  }
  const onVisitorAbort = () => stop(visitor?.reason)
  const timer = setTimeout(() => {
    const detail = `It took longer than ${limits.wallMs / 1000} s.`
    stop(new Problem('timeout', 'Request timeout', { detail }))
  }, limits.wallMs)
  // A forgotten job must not keep the process alive.
  timer.unref()
  if (visitor?.aborted) onVisitorAbort()
  else visitor?.addEventListener('abort', onVisitorAbort, { once: true })

  const charge = (kind: Spendable, amount: number) => {
    const total = (spent.get(kind) ?? 0) + amount
    spent.set(kind, total)
    if (total <= limits[kind]) return
    const detail = `One request may use ${limits[kind]} ${names[kind]}.`
    stop(new Problem('limited', 'The limit for one request is reached', { detail }))
  }

  return {
    signal: controller.signal,
    charge,
    spend(kind, amount = 1) {
      controller.signal.throwIfAborted()
      charge(kind, amount)
      controller.signal.throwIfAborted()
    },
    left: kind => Math.max(0, limits[kind] - (spent.get(kind) ?? 0)),
    check: () => controller.signal.throwIfAborted(),
    end: () => stop(new Error('the job is over')),
  }
}
