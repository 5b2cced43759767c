/** Bounded concurrency: whoever finds no free slot waits in line. */

export interface Slots {
  /** Waits for a slot and returns what gives it back, which may be called more than once. Rejects when aborted. */
  take(signal: AbortSignal): Promise<() => void>
}

export function createSlots(limit: number): Slots {
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
    take(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (free > 0) {
        free--
        return Promise.resolve(giver())
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          line.delete(onTurn)
          reject(signal.reason)
        }
        const onTurn = () => {
          signal.removeEventListener('abort', onAbort)
          resolve(giver())
        }
        signal.addEventListener('abort', onAbort, { once: true })
        line.add(onTurn)
      })
    },
  }
}

export interface KeyedSlots {
  take(key: string, signal: AbortSignal): Promise<() => void>
}

/** The same per key, for as long as anybody uses the key. */
export function createKeyedSlots(limit: number): KeyedSlots {
  const all = new Map<string, { slots: Slots; users: number }>()
  return {
    async take(key, signal) {
      const entry = all.get(key) ?? { slots: createSlots(limit), users: 0 }
      all.set(key, entry)
      entry.users++
      const leave = () => {
        if (--entry.users === 0) all.delete(key)
      }
      try {
        const give = await entry.slots.take(signal)
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
