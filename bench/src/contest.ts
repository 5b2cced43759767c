import type { Row } from './table.ts'

/** Something done; its own milliseconds are given where only a part of it counts. */
export type Work = () => unknown

export interface Peer {
  name: string
  work: Work
  /** How many times as fast ours has to be: 4, or 1 / 1.5 where it may take one and a half times as long. */
  goal?: number
}

/** The same thing done by us and by others. */
export interface Contest {
  what: string
  ours: Work
  peers?: readonly Peer[]
  /** What ours may take, whatever others do. */
  limitMs?: number
  /** How much there is to do, where a rate says more than a time. */
  amount?: { count: number; unit: string }
  /** How often each has its turn. */
  rounds?: number
}

const ROUNDS = 3

/**
 * Everybody does it in turn, so that whatever disturbs the machine disturbs all, and the median counts, which a first
 * turn with nothing warmed up does not reach.
 */
export async function compete({ what, ours, peers = [], limitMs, amount, rounds = ROUNDS }: Contest): Promise<Row[]> {
  const entrants = [{ name: 'ours', work: ours }, ...peers].map(({ name, work }) => ({
    name,
    work,
    times: [] as number[],
  }))
  const failures = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    for (const { name, work, times } of entrants) {
      if (failures.has(name)) continue
      try {
        times.push(await timed(work))
      } catch (error) {
        if (name === 'ours') throw error
        failures.set(name, error instanceof Error ? error.message : String(error))
      }
    }
  }
  const [own = 0, ...others] = entrants.map(({ times }) => median(times))
  const show = (ms: number) =>
    amount ? `${(amount.count / (ms / 1000)).toFixed(0)} ${amount.unit}/s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
  const head = { what, ours: show(own) }
  const rows = peers.map(({ name, goal }, i): Row => {
    const asked = goal === undefined ? '' : goalText(goal)
    const failure = failures.get(name)
    if (failure !== undefined) {
      return {
        ...head,
        against: name,
        theirs: `not measured: ${failure}`,
        ratio: undefined,
        goal: asked,
        holds: undefined,
      }
    }
    const theirs = others[i] ?? 0
    const ratio = theirs / own
    const holds = goal === undefined ? undefined : ratio >= goal
    return { ...head, against: name, theirs: show(theirs), ratio, goal: asked, holds }
  })
  if (limitMs === undefined) return rows
  const limit = { against: 'limit', theirs: show(limitMs), ratio: limitMs / own, goal: goalText(1) }
  return [...rows, { ...head, ...limit, holds: own <= limitMs }]
}

/** One after the other: two at once would measure each other. */
export async function competeInAll(contests: readonly Contest[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const contest of contests) rows.push(...(await compete(contest)))
  return rows
}

/** Goes through all that somebody yields. */
export async function drain(steps: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of steps);
}

const goalText = (goal: number): string =>
  goal < 1 && goal !== 0.5
    ? `at most ${Number((1 / goal).toFixed(2))} times as long`
    : goal === 1
      ? 'no slower'
      : `at least ${goal} times as fast`

async function timed(work: Work): Promise<number> {
  const start = performance.now()
  const own = await work()
  return typeof own === 'number' ? own : performance.now() - start
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The best of several runs, in milliseconds: the one that was disturbed least. */
export async function best(runs: number, work: Work): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) least = Math.min(least, await timed(work))
  return least
}

export const mebibytesPerSecond = (bytes: number, milliseconds: number): number =>
  bytes / 1_048_576 / (milliseconds / 1000)
