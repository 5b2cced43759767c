/**
 * The walk from the root servers down to those that know (RFC 1034 §5.3.3): one name and type, no aliases followed.
 * Whatever servers send, the walk ends: each referral leads deeper, each question has so many packets, so much time and
 * so many name servers whose addresses have to be found first (the NXNS attack asks for thousands).
 */
import { Problem } from '@assay/kit'
import { type ExtendedError, extendedErrors } from '@assay/lib/dns/edns'
import { ancestorsOf, countLabels, equalNames, isWithin, parentName } from '@assay/lib/dns/name'
import type { DnsTransport } from './dns-transport.ts'
import {
  answerKey,
  answerSeconds,
  type Delegation,
  delegationSeconds,
  type Found,
  type ResolverCache,
  SERVER_MEMORY_SECONDS,
  SILENCE_MEMORY_SECONDS,
} from './resolver-cache.ts'
import { exchange, Misfit } from './resolver-exchange.ts'
import { nextPart } from './resolver-minimise.ts'
import { type Failure, judge, type Verdict } from './resolver-response.ts'

/** Packets for one question with everything it entails. */
export const MAX_QUERIES_PER_QUESTION = 60
/** Name servers of one delegation whose addresses are looked up. */
export const MAX_GLUELESS_PER_DELEGATION = 5
/** Name servers of name servers of name servers. */
const MAX_DEPTH = 4
/** Servers of a zone that may stay silent before other ways of asking are tried. */
const MAX_SILENT_SERVERS = 3
/** Servers of a zone that may fail at a part of a name before they are asked for the whole. */
const MAX_FAILURES_AT_PART = 2
/** Servers of a zone that are asked in all. */
const MAX_SERVERS_PER_ZONE = 8
export const QUESTION_TIMEOUT_MS = 10_000

export interface WalkParts {
  transport: DnsTransport
  signal: AbortSignal
  random: (length: number) => Uint8Array<ArrayBuffer>
  cache: ResolverCache
  roots: Delegation
  dnssec: boolean
  /** Called before each packet. Throws when the job may send no more. */
  spend: () => void
  now: () => number
}

/** What one question has used up, with everything it led to. */
export class Effort {
  queries = 0
  readonly errors: ExtendedError[] = []
  /** What was thrown when this question wanted to send more than it may. */
  exhausted: Problem | undefined
  readonly #deadline: number
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#deadline = now() + QUESTION_TIMEOUT_MS
  }

  timeLeftMs(): number {
    return this.#deadline - this.#now()
  }

  /** Counts a packet of this question and lets the job count it; both may throw the problem 'limited'. */
  spend(spendOfJob: () => void): void {
    if (this.queries >= MAX_QUERIES_PER_QUESTION) {
      this.exhausted ??= new Problem('limited', 'The packets for one question are used up')
      throw this.exhausted
    }
    spendOfJob()
    this.queries++
  }

  isOver(): boolean {
    return this.queries >= MAX_QUERIES_PER_QUESTION || this.timeLeftMs() <= 0
  }

  note(errors: readonly ExtendedError[]): void {
    for (const { code, text } of errors) {
      if (!this.errors.some(error => error.code === code && error.text === text)) this.errors.push({ code, text })
    }
  }
}

/** Nobody who should know could be brought to tell. */
export interface Unknown {
  kind: 'unknown'
  status: Failure['status']
  reason: string
  server?: string
  zone: string
}

interface Question {
  name: string
  type: string
}

interface Said {
  server: string
  failure: Failure
}

/** Statuses of a zone whose servers cannot be reached at all, whatever they are asked. */
const UNREACHABLE = new Set<Failure['status']>(['timeout', 'network'])
/** When servers of a zone failed in different ways, the first of these tells most. */
const TELLING: readonly Failure['status'][] = ['servfail', 'refused', 'lame', 'timeout', 'network']

/** The walks of one job. They wait for each other where they would ask the same for the first time. */
export class Walker {
  readonly #parts: WalkParts
  readonly #firstContacts = new Map<string, Promise<unknown>>()
  /** Zones of which no server could be reached in this job (RFC 9520 §3.1). */
  readonly #unreachable = new Map<string, Unknown>()

  constructor(parts: WalkParts) {
    this.#parts = parts
  }

  find(question: Question, effort: Effort): Promise<Found | Unknown> {
    return this.#find(question, effort, [])
  }

  /** `busy` holds the zones whose servers this walk is looking for, so that none is looked for through itself. */
  async #find(question: Question, effort: Effort, busy: readonly string[]): Promise<Found | Unknown> {
    const waited = new Set<string>()
    const parts = { asked: 0 }
    let delegation = this.#closest(question)
    // Every referral leads to a zone with more labels, and nobody waits twice for the same, so this ends.
    for (;;) {
      const known = this.#remembered(question)
      if (known) return known
      const cached = this.#closest(question)
      if (countLabels(cached.zone) > countLabels(delegation.zone)) delegation = cached
      const dead = this.#unreachable.get(delegation.zone.toLowerCase())
      if (dead) return dead
      const contact = contactKey(delegation.zone, question.name)
      const other = this.#firstContacts.get(contact)
      // Only walks that nobody waits for may wait, so that no two wait for each other.
      if (other && busy.length === 0 && !waited.has(contact)) {
        waited.add(contact)
        await Promise.allSettled([other])
        continue
      }
      const asked = this.#approach(delegation, question, { effort, busy }, parts)
      if (!other) this.#firstContacts.set(contact, asked)
      const outcome = await asked
      if ('kind' in outcome) return outcome
      delegation = outcome
    }
  }

  #remembered({ name, type }: Question): Found | undefined {
    const { answers } = this.#parts.cache
    const exact = answers.get(answerKey(name, type))
    if (exact) return exact
    // RFC 8020 §2: below a name that does not exist there is none.
    for (const ancestor of ancestorsOf(name)) {
      const denial = answers.get(answerKey(ancestor, 'NXDOMAIN'))
      if (denial) return { ...denial, target: name }
    }
    return undefined
  }

  /** The closest zone above a name whose servers are known. A DS record belongs to the parent (RFC 4035 §2.4). */
  #closest({ name, type }: Question): Delegation {
    const { cache, roots } = this.#parts
    for (const ancestor of ancestorsOf(type === 'DS' ? parentName(name) : name)) {
      const delegation = cache.delegations.get(ancestor.toLowerCase())
      if (delegation) return delegation
    }
    return roots
  }

  /**
   * Shows a zone no more of the name than it takes to be referred on (RFC 9156 §3), and asks for the whole name when it
   * is not. Relaxed: some servers deny a name that has none but other names below it, or fail at it, so that counts as
   * no answer.
   */
  async #approach(
    delegation: Delegation,
    question: Question,
    walk: Walk,
    parts: { asked: number },
  ): Promise<Found | Unknown | Delegation> {
    const { answers } = this.#parts.cache
    let name = nextPart(question.name, delegation.zone, parts.asked)
    while (name !== undefined) {
      const part = { name, type: 'A' }
      const known = answers.get(answerKey(name, part.type))
      if (!known) parts.asked++
      const outcome = known ?? (await this.#askPart(delegation, part, walk))
      if (!outcome) break
      if (!('kind' in outcome)) return outcome
      // Below the owner of a DNAME there is nothing to be referred to (RFC 6672 §2.4).
      if (outcome.kind === 'nxdomain' || outcome.links.some(({ type }) => type === 'DNAME')) break
      name = nextPart(question.name, name, parts.asked)
    }
    return this.#askZone(delegation, question, walk)
  }

  /** What a zone says of a part of a name; undefined when it denies it or its servers fail. */
  async #askPart(delegation: Delegation, question: Question, walk: Walk): Promise<Found | Delegation | undefined> {
    const { zone } = delegation
    let failures = 0
    for await (const server of this.#serversOf(delegation, walk)) {
      if (failures >= MAX_FAILURES_AT_PART || walk.effort.isOver()) break
      const known = this.#parts.cache.servers.get(server)
      const verdict = await this.#ask(question, { server, zone, transport: 'udp', edns: !known?.plain }, walk)
      if (verdict.kind === 'nxdomain') return undefined
      if (verdict.kind !== 'failure') return this.#settle(verdict, { server, delegation, question })
      failures++
    }
    return undefined
  }

  /** Asks the servers of a zone until one tells: an outcome, or the delegation that leads further. */
  async #askZone(delegation: Delegation, question: Question, walk: Walk): Promise<Found | Unknown | Delegation> {
    const { zone } = delegation
    const failures: Said[] = []
    const silent: string[] = []
    for await (const server of this.#serversOf(delegation, walk)) {
      if (silent.length >= MAX_SILENT_SERVERS || walk.effort.isOver()) break
      const known = this.#parts.cache.servers.get(server)
      const verdict = await this.#ask(question, { server, zone, transport: 'udp', edns: !known?.plain }, walk)
      if (verdict.kind !== 'failure') return this.#settle(verdict, { server, delegation, question })
      if (verdict.status === 'cname-loop')
        return { ...verdict, kind: 'unknown', reason: sentence([{ server, failure: verdict }]), server, zone }
      failures.push({ server, failure: verdict })
      if (verdict.status === 'timeout') silent.push(server)
    }
    const [server] = silent
    if (server !== undefined) {
      // Some servers and what stands before them drop what they do not know: EDNS, or UDP altogether.
      for (const way of [{ transport: 'udp', edns: false } as const, { transport: 'tcp', edns: true } as const]) {
        if (walk.effort.isOver()) break
        const verdict = await this.#ask(question, { server, zone, ...way }, walk)
        if (verdict.kind === 'failure') continue
        if (!way.edns) this.#parts.cache.servers.set(server, { plain: true }, SERVER_MEMORY_SECONDS)
        return this.#settle(verdict, { server, delegation, question })
      }
    }
    return this.#giveUp(delegation, failures, walk.effort)
  }

  /** Addresses of servers in the order to ask them; those that have to be looked up come last. */
  async *#serversOf({ zone, nameservers }: Delegation, walk: Walk): AsyncGenerator<string> {
    let left = MAX_SERVERS_PER_ZONE
    const take = (addresses: readonly string[]) => {
      const ordered = this.#order(addresses).slice(0, left)
      left -= ordered.length
      return ordered
    }
    yield* take(nameservers.flatMap(server => server.addresses))
    if (walk.busy.length >= MAX_DEPTH) return
    const searching = [...walk.busy, zone]
    const glueless = nameservers.filter(server => server.addresses.length === 0).map(server => server.name)
    const findable = glueless.filter(name => !searching.some(zone => isWithin(name, zone)))
    for (const name of this.#shuffle(findable).slice(0, MAX_GLUELESS_PER_DELEGATION)) {
      if (left <= 0 || walk.effort.isOver()) return
      yield* take(await this.#addressesOf(name, { effort: walk.effort, busy: searching }))
    }
  }

  /** RFC 2181 §10.3: the name of a name server is no alias, so none is followed. */
  async #addressesOf(name: string, { effort, busy }: Walk): Promise<string[]> {
    for (const type of ['A', 'AAAA']) {
      const found = await this.#find({ name, type }, effort, busy)
      if (found.kind !== 'answer' || found.links.length > 0) continue
      return found.records.flatMap(record =>
        record.type === 'A' || record.type === 'AAAA' ? (record.data?.address ?? []) : [],
      )
    }
    return []
  }

  /** IPv4 before IPv6, those that were silent lately last, and otherwise at random. */
  #order(addresses: readonly string[]): string[] {
    const { servers } = this.#parts.cache
    const rank = (address: string) => (servers.get(address)?.silent ? 2 : 0) + (address.includes(':') ? 1 : 0)
    return this.#shuffle(addresses).sort((a, b) => rank(a) - rank(b))
  }

  #shuffle<T>(items: readonly T[]): T[] {
    const random = this.#parts.random(items.length)
    return items
      .map((item, i) => ({ item, key: random[i] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item)
  }

  async #ask({ name, type }: Question, way: Way, { effort }: Walk): Promise<Verdict> {
    const { cache, dnssec, spend, ...parts } = this.#parts
    const remember = (silent: boolean) => {
      const known = cache.servers.get(way.server)
      if (silent !== (known?.silent ?? false)) {
        cache.servers.set(way.server, { ...known, silent }, silent ? SILENCE_MEMORY_SECONDS : SERVER_MEMORY_SECONDS)
      }
    }
    try {
      const message = await exchange(
        { ...parts, cache, spend: () => effort.spend(spend), timeLeftMs: () => effort.timeLeftMs() },
        { ...way, name, type, dnssec, recursionDesired: false },
      )
      remember(false)
      effort.note(extendedErrors(message.edns))
      return judge(message, { name, type, zone: way.zone })
    } catch (error) {
      parts.signal.throwIfAborted()
      const failure = failureOf(error, effort)
      remember(failure.status === 'timeout')
      return failure
    }
  }

  #settle(verdict: Exclude<Verdict, Failure>, { server, delegation, question }: Asked): Found | Delegation {
    const { cache } = this.#parts
    if (verdict.kind !== 'referral') {
      const found: Found = { ...verdict, server, zone: ('soa' in verdict && verdict.soa?.name) || delegation.zone }
      cache.answers.set(answerKey(question.name, question.type), found, answerSeconds(found))
      if (found.kind === 'nxdomain' && found.links.length === 0) {
        cache.answers.set(answerKey(question.name, 'NXDOMAIN'), found, answerSeconds(found))
      }
      return found
    }
    if (question.type === 'DS' && equalNames(verdict.zone, question.name)) {
      // A parent from before RFC 3658 refers to the child even then: it has no DS record.
      return { kind: 'nodata', links: [], target: question.name, proof: verdict.proof, server, zone: delegation.zone }
    }
    const next: Delegation = { zone: verdict.zone, nameservers: verdict.nameservers, proof: verdict.proof }
    cache.delegations.set(next.zone.toLowerCase(), next, delegationSeconds(verdict))
    return next
  }

  #giveUp({ zone, nameservers }: Delegation, failures: readonly Said[], effort: Effort): Unknown {
    const status = TELLING.find(status => failures.some(({ failure }) => failure.status === status))
    if (!status) return { kind: 'unknown', zone, ...whyNobodyWasAsked(nameservers, effort) }
    const server = failures.find(({ failure }) => failure.status === status)?.server
    const unknown: Unknown = { kind: 'unknown', status, reason: sentence(failures), zone, ...(server && { server }) }
    if (UNREACHABLE.has(status) && !effort.isOver()) this.#unreachable.set(zone.toLowerCase(), unknown)
    return unknown
  }
}

function whyNobodyWasAsked(nameservers: Delegation['nameservers'], effort: Effort): Pick<Unknown, 'status' | 'reason'> {
  if (effort.timeLeftMs() <= 0) return { status: 'timeout', reason: 'The time for one question was up.' }
  if (effort.isOver()) return { status: 'servfail', reason: 'The packets for one question were used up.' }
  const named = nameservers.slice(0, MAX_NAMED).map(server => server.name)
  const names = [
    ...named,
    ...(nameservers.length > MAX_NAMED ? [`and ${nameservers.length - MAX_NAMED} more`] : []),
  ].join(', ')
  return { status: 'lame', reason: `No address could be found for the name servers of the zone (${names}).` }
}

interface Walk {
  effort: Effort
  busy: readonly string[]
}

interface Way {
  server: string
  zone: string
  transport: 'udp' | 'tcp'
  edns: boolean
}

interface Asked {
  server: string
  delegation: Delegation
  question: Question
}

/** Walks that head for the same child of the same zone share their first contact with its servers. */
function contactKey(zone: string, name: string): string {
  const depth = countLabels(zone) + 1
  const child = ancestorsOf(name).find(ancestor => countLabels(ancestor) === depth) ?? zone
  return `${zone} ${child}`.toLowerCase()
}

/** What a problem between us and a server means. Anything that ends the job, and any bug, goes on. */
function failureOf(error: unknown, effort: Effort): Failure {
  if (!(error instanceof Problem)) throw error
  if (error === effort.exhausted)
    return {
      kind: 'failure',
      status: 'servfail',
      why: 'was not asked to the end, because the packets for one question were used up',
    }
  if (error.code === 'timeout') return { kind: 'failure', status: 'timeout', why: 'did not answer in time' }
  if (error.code === 'unreachable' || error.code === 'refused') {
    const why = error instanceof Misfit ? error.why : `could not be asked: ${error.message}`
    return { kind: 'failure', status: 'network', why }
  }
  throw error
}

/** Name servers that a reason names. */
const MAX_NAMED = 4

const sentence = (failures: readonly Said[]): string =>
  `${failures.map(({ server, failure }) => `${server} ${failure.why}`).join('; ')}.`
