/**
 * What a resolver remembers between questions. Answers only for moments, because people who look something up again
 * have usually just changed it; delegations longer; and what is known about servers.
 */
import type { Bytes } from '@assay/lib/bytes'
import type { ResourceRecord } from '@assay/lib/dns/message'
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

/** Of one kind of thing that is remembered; a server of any zone chooses how much of it there is. */
const ROOM: Room = { entries: 10_000, bytes: 8_388_608 }
/** An entry that takes more of the room than this is not kept, so that nobody pushes out all others at once. */
const MAX_SHARE = 1 / 16

interface Room {
  entries: number
  /** About what the entries take in memory. */
  bytes: number
}

/** A map that forgets what is too old, and what was used least recently when it is full. */
export class Memory<Value> {
  readonly #entries = new Map<string, { value: Value; expires: number; bytes: number }>()
  readonly #now: () => number
  readonly #room: Room
  readonly #weigh: (value: Value) => number
  #bytes = 0

  constructor(now: () => number, room: Partial<Room> = {}, weigh: (value: Value) => number = () => ENTRY_BYTES) {
    this.#now = now
    this.#room = { ...ROOM, ...room }
    this.#weigh = weigh
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Value | undefined {
    const entry = this.#take(key)
    if (!entry || entry.expires <= this.#now()) return undefined
    this.#put(key, entry)
    return entry.value
  }

  set(key: string, value: Value, seconds: number): void {
    this.#take(key)
    const bytes = this.#weigh(value)
    if (seconds <= 0 || bytes > this.#room.bytes * MAX_SHARE) return
    this.#put(key, { value, expires: this.#now() + seconds * 1000, bytes })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#room.entries && this.#bytes <= this.#room.bytes) break
      this.#take(oldest)
    }
  }

  #put(key: string, entry: { value: Value; expires: number; bytes: number }): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #take(key: string) {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    return entry
  }
}

/** Measured: an entry with its key, a record beside its data, a name or an address of a server. */
const ENTRY_BYTES = 300
const RECORD_BYTES = 420
const NAME_BYTES = 100

/** The data of a record is there twice, as bytes and read. */
const recordBytes = (records: readonly ResourceRecord[]): number =>
  records.reduce((sum, { rdata }) => sum + RECORD_BYTES + 2 * rdata.length, 0)

const foundBytes = (found: Found): number =>
  ENTRY_BYTES +
  recordBytes(found.links) +
  recordBytes(found.proof) +
  (found.kind === 'answer' ? recordBytes(found.records) : RECORD_BYTES)

const delegationBytes = ({ nameservers, proof }: Delegation): number =>
  ENTRY_BYTES +
  recordBytes(proof) +
  nameservers.reduce((sum, { name, addresses }) => sum + name.length + NAME_BYTES * (1 + addresses.length), 0)

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
export function createResolverCache(
  now: () => number = () => performance.now(),
  room: Partial<Room> = {},
): ResolverCache {
  return {
    answers: new Memory(now, room, foundBytes),
    delegations: new Memory(now, room, delegationBytes),
    servers: new Memory(now, room),
    cookies: new Memory(now, room),
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
