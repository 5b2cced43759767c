/** Bounded concurrency: whoever finds no free slot waits in line, though not for long. */

import { Problem } from '@assay/kit'

/** How long anybody waits in line. */
export const SLOT_WAIT_MS = 5_000

export interface Slots {
  /**
   * Waits for a slot and returns what gives it back, which may be called more than once. Rejects when aborted, and
   * with the problem 'busy' when the wait is too long; `mostMs` is what the caller has left.
   */
  take(signal: AbortSignal, mostMs?: number): Promise<() => void>
}

export function createSlots(limit: number, waitMs: number = SLOT_WAIT_MS): Slots {
  let free = limit
  const line = new Set<() => void>()

  const giver = () => {
    let held = true
    return () => {
      if (!held) return
      held = false
      const [next] = line
      if (next) {
        line.delete(next)
        next()
      } else {
        free++
      }
    }
  }

  return {
    take(signal, mostMs = waitMs) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (free > 0) {
        free--
        return Promise.resolve(giver())
      }
      return new Promise((resolve, reject) => {
        const leave = (reason: unknown) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          line.delete(onTurn)
          reject(reason)
        }
        const onAbort = () => leave(signal.reason)
        const onTurn = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          resolve(giver())
        }
        const timer = setTimeout(
          () => leave(new Problem('busy', 'Too many connections are open at the moment')),
          Math.min(waitMs, mostMs),
        )
        signal.addEventListener('abort', onAbort, { once: true })
        line.add(onTurn)
      })
    },
  }
}

export interface KeyedSlots {
  take(key: string, signal: AbortSignal, mostMs?: number): Promise<() => void>
}

/** The same per key, for as long as anybody uses the key. */
export function createKeyedSlots(limit: number, waitMs: number = SLOT_WAIT_MS): KeyedSlots {
  const all = new Map<string, { slots: Slots; users: number }>()
  return {
    async take(key, signal, mostMs = waitMs) {
      const entry = all.get(key) ?? { slots: createSlots(limit, waitMs), users: 0 }
      all.set(key, entry)
      entry.users++
      const leave = () => {
        if (--entry.users === 0) all.delete(key)
      }
      try {
        const give = await entry.slots.take(signal, mostMs)
        let held = true
        return () => {
          if (!held) return
          held = false
          give()
          leave()
        }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
