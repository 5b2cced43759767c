import type { Outcome, Update } from '@assay/kit'
import { type Channel, createChannel } from './channel.ts'
import { outcomeSize, type Room } from './outcome-size.ts'

/** One run for all who ask the same at about the same time. */
export interface SharedRuns {
  /** Joins the run under this key, or starts it. A run that nobody follows any more is stopped. */
  join(key: string, signal: AbortSignal, start: Start): AsyncGenerator<Update, Outcome, void>
}

/** Begins a run; `again` where the process that began it is gone. */
export type Start = (signal: AbortSignal, again: boolean) => AsyncGenerator<Update, Outcome, void>

/** How a run ended, and for how long it is kept. */
export interface Ended {
  outcome: Outcome
  keepMs: number
}

/** Runs what this process asked for, or follows who is at it. */
export type RunOnce = (key: string, signal: AbortSignal, start: Start) => AsyncGenerator<Update, Ended, void>

interface Entry {
  latest?: Update
  outcome?: Outcome
  /** Of the outcome. */
  size: number
  followers: Set<Channel<Update, Outcome>>
  stop: AbortController
}

export async function* alone(keepMs: number, signal: AbortSignal, start: Start): AsyncGenerator<Update, Ended, void> {
  return { outcome: yield* start(signal, false), keepMs }
}

/** Results stay for `keepMs`; of more runs than there is room for, the oldest finished ones are forgotten. */
export function createSharedRuns(
  keepMs: number,
  room: Room,
  run: RunOnce = (_, signal, start) => alone(keepMs, signal, start),
): SharedRuns {
  const entries = new Map<string, Entry>()
  let characters = 0

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    characters -= entry.size
  }

  function finish(key: string, entry: Entry, { outcome, keepMs }: Ended): void {
    entry.outcome = outcome
    for (const follower of entry.followers) follower.end(outcome)
    if (entries.get(key) !== entry) return
    entry.size = outcomeSize(outcome)
    characters += entry.size
    makeRoom()
    setTimeout(() => forget(key, entry), keepMs).unref()
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= room.results && characters <= room.characters) return
      if (entry.outcome) forget(key, entry)
    }
  }

  async function drive(key: string, entry: Entry, run: AsyncGenerator<Update, Ended, void>): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await run.next()
        if (done) return finish(key, entry, value)
        entry.latest = value
        for (const follower of entry.followers) follower.push(value)
      }
    } catch (error) {
      forget(key, entry)
      for (const follower of entry.followers) follower.fail(error)
    }
  }

  function begin(key: string, start: Start): Entry {
    const entry: Entry = { size: 0, followers: new Set(), stop: new AbortController() }
    entries.set(key, entry)
    makeRoom()
    void drive(key, entry, run(key, entry.stop.signal, start))
    return entry
  }

  return {
    // Nothing here waits for the first read: two who ask at once meet, and no end is missed.
    join(key, signal, start) {
      const entry = entries.get(key) ?? begin(key, start)
      const follower = createChannel<Update, Outcome>()
      const leave = () => {
        signal.removeEventListener('abort', leave)
        follower.fail(signal.reason)
        entry.followers.delete(follower)
        if (entry.followers.size > 0 || entry.outcome) return
        forget(key, entry)
        entry.stop.abort(new Error('Nobody follows this run.'))
      }
      entry.followers.add(follower)
      if (entry.latest) follower.push(entry.latest)
      if (entry.outcome) follower.end(entry.outcome)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave)
      return leaving(follower.read(), leave)
    },
  }
}

async function* leaving<T, R>(run: AsyncGenerator<T, R, void>, leave: () => void): AsyncGenerator<T, R, void> {
  try {
    return yield* run
  } finally {
    leave()
  }
}
