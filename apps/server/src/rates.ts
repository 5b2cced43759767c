import { contains, findAddress, formatPrefix, parsePrefix } from '@assay/lib/ip/address'

/** At most `limit` tokens in any `windowMs`, for one key. */
export interface Rule {
  key: string
  limit: number
  windowMs: number
}

/** Where counters live. All rules are met and all counters raised, or none. */
export interface RateStore {
  /** Milliseconds to wait until the tokens would be given; 0 when they were. */
  take(rules: readonly Rule[], tokens: number): number | Promise<number>
}

interface MemoryRates extends RateStore {
  take(rules: readonly Rule[], tokens: number): number
}

interface Counter {
  /** When the window that `count` belongs to began; `before` is the count of the one before it. */
  start: number
  count: number
  before: number
}

/**
 * Counters in memory. A window slides: what the last one counted weighs as much as it still overlaps, so that nobody
 * gets twice the limit around the turn of a minute. Where there is one token, its window begins with it, because what
 * fades would hold the next one back for up to two windows. Beyond `keys` the counters touched longest ago are dropped.
 */
export function memoryRates(keys: number, now: () => number = Date.now): MemoryRates {
  const counters = new Map<string, Counter>()

  const counter = ({ key, limit, windowMs }: Rule, at: number): Counter => {
    const found = counters.get(key)
    const unused = limit === 1 && found?.count === 0
    if (found && !unused && at < found.start + windowMs) return found
    const start = limit === 1 ? at : at - (at % windowMs)
    return { start, count: 0, before: limit > 1 && found?.start === start - windowMs ? found.count : 0 }
  }

  /** Only what was given is kept: who is refused cannot push out what others, or he himself, were counted under. */
  const keep = (key: string, counted: Counter) => {
    counters.delete(key)
    counters.set(key, counted)
    const [oldest] = counters.size > keys ? counters.keys() : []
    if (oldest !== undefined) counters.delete(oldest)
  }

  return {
    take(rules, wanted) {
      const at = now()
      const taken: [string, Counter, number][] = []
      let wait = 0
      for (const rule of rules) {
        const tokens = Math.min(wanted, rule.limit)
        const found = counter(rule, at)
        wait = Math.max(wait, waitFor(rule, found, tokens, at))
        taken.push([rule.key, found, tokens])
      }
      if (wait > 0) return wait
      for (const [key, found, tokens] of taken) {
        found.count += tokens
        keep(key, found)
      }
      return 0
    },
  }
}

function waitFor({ limit, windowMs }: Rule, { start, count, before }: Counter, tokens: number, at: number): number {
  const elapsed = at - start
  if (before * (1 - elapsed / windowMs) + count + tokens <= limit) return 0
  if (limit === 1) return windowMs - elapsed
  const room = limit - tokens
  // Either this window's past fades far enough, or the count of this window has to fade in the next one.
  if (count <= room) return Math.max(1, windowMs * (1 - (room - count) / before) - elapsed)
  return windowMs - elapsed + windowMs * (1 - room / count)
}

/** A client and the blocks it sits in, each with the multiple of the limit that the whole block may use. */
const blocks = {
  4: [
    { length: 32, factor: 1 },
    { length: 24, factor: 4 },
  ],
  6: [
    { length: 64, factor: 1 },
    { length: 56, factor: 4 },
    { length: 48, factor: 16 },
  ],
} as const

const mapped = parsePrefix('::ffff:0:0/96')
const IPV4_MASK = 0xffff_ffffn

/** The keys a client is counted under: IPv4 by address, IPv6 by /64, mapped IPv4 as what it is. */
export function clientKeys(address: string): { key: string; factor: number }[] {
  const found = findAddress(address)
  // A Unix socket has no peer address: whoever can write to it is one client.
  if (!found) return [{ key: 'local', factor: 1 }]
  const isMapped = found.version === 6 && contains(mapped, found)
  const { version, value } = isMapped ? { version: 4 as const, value: found.value & IPV4_MASK } : found
  const bits = version === 4 ? 32 : 128
  return blocks[version].map(({ length, factor }) => {
    const shift = BigInt(bits - length)
    return { key: formatPrefix({ version, value: (value >> shift) << shift, length }), factor }
  })
}
