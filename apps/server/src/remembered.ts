import type { Outcome } from '@assay/kit'

/** The last outcome of each run, for addresses that answer with one that is not too old. */
export interface Remembered {
  find(key: string, freshForMs: number): Promise<Outcome | undefined>
  /** Nobody asks for it when it is older than `forMs`. */
  keep(key: string, outcome: Outcome, forMs: number): Promise<void>
}

/** In memory; of more than `most` the oldest are forgotten. */
export function createRemembered(most: number, now: () => Date): Remembered {
  const kept = new Map<string, { outcome: Outcome; at: number }>()
  return {
    async find(key, freshForMs) {
      const found = kept.get(key)
      return found && now().getTime() - found.at <= freshForMs ? found.outcome : undefined
    },
    async keep(key, outcome) {
      kept.delete(key)
      kept.set(key, { outcome, at: now().getTime() })
      const [oldest] = kept.size > most ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
    },
  }
}
