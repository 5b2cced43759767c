import type { Outcome } from '@assay/kit'
import { outcomeSize, type Room } from './outcome-size.ts'

/** The last outcome of each run, for addresses that answer with one that is not too old. */
export interface Remembered {
  find(key: string, freshForMs: number): Promise<Outcome | undefined>
  /** Nobody asks for it when it is older than `forMs`. */
  keep(key: string, outcome: Outcome, forMs: number): Promise<void>
}

/** In memory; of more than there is room for, the oldest are forgotten. */
export function createRemembered(room: Room, now: () => Date): Remembered {
  const kept = new Map<string, { outcome: Outcome; at: number; size: number }>()
  let characters = 0
  const forget = (key: string) => {
    characters -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    async find(key, freshForMs) {
      const found = kept.get(key)
      return found && now().getTime() - found.at <= freshForMs ? found.outcome : undefined
    },
    async keep(key, outcome) {
      forget(key)
      const size = outcomeSize(outcome)
      kept.set(key, { outcome, at: now().getTime(), size })
      characters += size
      for (const oldest of kept.keys()) {
        if (kept.size <= room.results && characters <= room.characters) break
        forget(oldest)
      }
    },
  }
}
