/** How fast one server is asked: a bucket of tokens each, shared by all jobs of the process. */

/** Whether one more question may leave now. */
export type Pace = () => boolean

export interface Paces {
  of(server: string, perSecond: number): Pace
}

/** Part of a second that may be sent at once after a pause. */
const BURST_SECONDS = 0.1
/** Servers remembered; those asked longest ago are forgotten first. */
const MAX_SERVERS = 4_096

interface Bucket {
  tokens: number
  filledAt: number
}

export function createPaces(now: () => number = () => performance.now()): Paces {
  const buckets = new Map<string, Bucket>()

  const touch = (server: string, burst: number): Bucket => {
    const bucket = buckets.get(server) ?? { tokens: burst, filledAt: now() }
    buckets.delete(server)
    buckets.set(server, bucket)
    const [oldest] = buckets.size > MAX_SERVERS ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    return bucket
  }

  return {
    of(server, perSecond) {
      const burst = Math.max(1, perSecond * BURST_SECONDS)
      return () => {
        const bucket = touch(server, burst)
        const at = now()
        bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * perSecond)
        bucket.filledAt = at
        if (bucket.tokens < 1) return false
        bucket.tokens--
        return true
      }
    },
  }
}
