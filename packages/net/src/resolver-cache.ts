/**
 * What a resolver remembers between questions. Answers only for moments, because people who look something up again
 * have usually just changed it; delegations longer; and what is known about servers.
 */
import type { Bytes } from '@assay/lib/bytes'
import { countLabels } from '@assay/lib/dns/name'
import type { Alias, Answer, Denial, Referral } from './resolver-response.ts'

/** Deliberately shorter than the TTL: see above. */
const MAX_ANSWER_SECONDS = 30
/** Delegations from the root to a top-level domain, which change a few times a year. */
const MAX_TLD_SECONDS = 86_400
const MAX_DELEGATION_SECONDS = 600
/** How long a server is taken for silent, without EDNS, or of a cookie (RFC 9018 §4.3 makes new ones within the hour). */
export const SERVER_MEMORY_SECONDS = 900
export const SILENCE_MEMORY_SECONDS = 60

const MAX_ENTRIES = 10_000

/** A map that forgets what is too old, and what was used least recently when it is full. */
export class Memory<Value> {
  readonly #entries = new Map<string, { value: Value; expires: number }>()
  readonly #now: () => number
  readonly #max: number

  constructor(now: () => number, max: number) {
    this.#now = now
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.expires <= this.#now()) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, seconds: number): void {
    this.#entries.delete(key)
    if (seconds <= 0) return
    this.#entries.set(key, { value, expires: this.#now() + seconds * 1000 })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest)
  }
}

/** A zone and who serves it, as its parent says. */
export type Delegation = Pick<Referral, 'zone' | 'nameservers' | 'proof'>

/** An answer with the server that gave it. */
export type Found = (Answer | Denial | Alias) & { server: string; zone: string }

/** What is known about the server at an address. */
export interface ServerMemory {
  /** It answers only without EDNS. */
  plain?: boolean
  /** It did not answer lately. */
  silent?: boolean
}

export interface ServerCookies {
  client: Bytes
  server?: Bytes
}

export interface ResolverCache {
  answers: Memory<Found>
  delegations: Memory<Delegation>
  servers: Memory<ServerMemory>
  cookies: Memory<ServerCookies>
}

/** A cache for all jobs of a process, or for one of them. `now` is any clock of milliseconds that never goes back. */
export function createResolverCache(now: () => number = () => performance.now(), max = MAX_ENTRIES): ResolverCache {
  return {
    answers: new Memory(now, max),
    delegations: new Memory(now, max),
    servers: new Memory(now, max),
    cookies: new Memory(now, max),
  }
}

export const answerKey = (name: string, type: string): string => `${name.toLowerCase()} ${type}`

/** Seconds to keep an answer. RFC 2308 §5: a denial lives as long as its SOA says; without one it is not kept. */
export function answerSeconds(found: Found): number {
  const ttls = found.links.map(record => record.ttl)
  if (found.kind === 'answer') ttls.push(...found.records.map(record => record.ttl))
  else if (found.kind !== 'alias') ttls.push(negativeTtl(found))
  return Math.min(MAX_ANSWER_SECONDS, ...ttls)
}

function negativeTtl({ soa }: Denial): number {
  if (soa?.type !== 'SOA' || !soa.data) return 0
  return Math.min(soa.ttl, soa.data.minimum)
}

export function delegationSeconds({ zone, ttl }: Referral): number {
  return Math.min(countLabels(zone) === 1 ? MAX_TLD_SECONDS : MAX_DELEGATION_SECONDS, ttl)
}
