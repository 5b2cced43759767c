/**
 * A resolver of our own, from the root servers down, so that answers are those of the servers in charge and nobody
 * else's cache, filter or limit stands between (RFC 1034 §5.3.3, RFC 1035 §7). It asks no recursive resolver. Servers
 * see no more of a name than they need (RFC 9156).
 */
import { type Dns, type DnsAnswer, Problem } from '@assay/kit'
import { typeCode, typeName } from '@assay/lib/dns/codes'
import type { ResourceRecord } from '@assay/lib/dns/message'
import { parseName, ROOT } from '@assay/lib/dns/name'
import type { DnsTransport } from './dns-transport.ts'
import { createResolverCache, type Found, type ResolverCache } from './resolver-cache.ts'
import { exchange } from './resolver-exchange.ts'
import { MAX_LINKS } from './resolver-response.ts'
import { Effort, type Unknown, Walker } from './resolver-walk.ts'
import { rootHints } from './root-hints.ts'

/** Packets for all questions of one job together, unless it is one that asks many names. */
export const MAX_QUERIES_PER_JOB = 200

export interface ResolverOptions {
  /** How packets reach servers; it chooses a random source port for each (RFC 5452 §9.2). */
  transport: DnsTransport
  /** Ends the job: whatever is under way rejects with its reason. */
  signal: AbortSignal
  /** Unpredictable bytes. */
  random: (length: number) => Uint8Array<ArrayBuffer>
  /** Shared between jobs, so that not each begins at the root. */
  cache?: ResolverCache
  roots?: readonly { name: string; addresses: readonly string[] }[]
  maxQueries?: number
  /** Asks for signatures and proofs, which a validator needs. */
  dnssec?: boolean
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/** The DNS as one job sees it. */
export function createResolver(options: ResolverOptions): Dns {
  const { transport, signal, random, maxQueries = MAX_QUERIES_PER_JOB, dnssec = false } = options
  const { now = () => performance.now(), roots = rootHints, cache = createResolverCache(now) } = options
  let queries = 0
  const spend = () => {
    signal.throwIfAborted()
    if (queries >= maxQueries) {
      const detail = `One request may send ${maxQueries} questions to name servers.`
      throw new Problem('limited', 'The limit for one request is reached', { detail })
    }
    queries++
  }
  const nameservers = roots.map(({ name, addresses }) => ({ name, addresses: [...addresses] }))
  const parts = { transport, signal, random, cache, dnssec, spend, now }
  const walker = new Walker({ ...parts, roots: { zone: ROOT, nameservers, proof: [] } })

  return {
    async resolve(nameText, typeText) {
      signal.throwIfAborted()
      const { name, type } = readQuestion(nameText, typeText)
      const start = now()
      const effort = new Effort(now)
      const outcome = await followAliases(walker, { name, type }, effort)
      return { ...outcome, name, type, errors: effort.errors, milliseconds: now() - start, queries: effort.queries }
    },

    async ask(
      server,
      nameText,
      typeText,
      { transport: way = 'udp', recursionDesired = false, dnssec = false, timeoutMs } = {},
    ) {
      const { name, type } = readQuestion(nameText, typeText)
      const inquiry = { server, name, type, transport: way, edns: true, dnssec, recursionDesired }
      return exchange(
        { ...parts, timeLeftMs: () => Number.POSITIVE_INFINITY },
        timeoutMs === undefined ? inquiry : { ...inquiry, timeoutMs },
      )
    },
  }
}

function readQuestion(name: string, type: string): { name: string; type: string } {
  try {
    return { name: parseName(name), type: typeName(typeCode(type)) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', 'A domain name and a record type are expected', {
      detail: error.message,
      cause: error,
    })
  }
}

type Outcome = Pick<DnsAnswer, 'status' | 'records' | 'soa' | 'reason' | 'server' | 'zone'>

/** Follows CNAME and DNAME from zone to zone; within one response that is done already. */
async function followAliases(
  walker: Walker,
  { name, type }: { name: string; type: string },
  effort: Effort,
): Promise<Outcome> {
  const links: ResourceRecord[] = []
  const seen = new Set<string>()
  let target = name
  for (;;) {
    seen.add(target.toLowerCase())
    const outcome = await walker.find({ name: target, type }, effort)
    if (outcome.kind === 'unknown') return unknown(outcome, links)
    links.push(...outcome.links)
    const place = { server: outcome.server, zone: outcome.zone }
    const looped = outcome.kind === 'alias' && seen.has(outcome.target.toLowerCase())
    if (looped || links.length > MAX_LINKS) {
      const reason = looped
        ? 'Aliases lead back to where they began.'
        : `There are more than ${MAX_LINKS} aliases in a row.`
      return { status: 'cname-loop', records: links, reason, ...place }
    }
    if (outcome.kind !== 'alias') return known(outcome, links)
    target = outcome.target
  }
}

function unknown({ status, reason, server, zone }: Unknown, links: ResourceRecord[]): Outcome {
  return { status, records: links, reason, zone, ...(server !== undefined && { server }) }
}

function known(outcome: Exclude<Found, { kind: 'alias' }>, links: ResourceRecord[]): Outcome {
  const { server, zone } = outcome
  if (outcome.kind === 'answer') return { status: 'answer', records: [...links, ...outcome.records], server, zone }
  const what = outcome.kind === 'nxdomain' ? 'the name does not exist' : 'the name has no records of this type'
  const reason = `${server} says with authority that ${what}.`
  return { status: outcome.kind, records: links, reason, server, zone, ...(outcome.soa && { soa: outcome.soa }) }
}
