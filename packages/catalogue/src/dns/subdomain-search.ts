/**
 * Names below a domain, asked at its own servers. A wildcard (RFC 4592) answers for names that are not there, so each
 * level is first asked for names that nobody has; what a name says counts only where it differs from that.
 */

import type { ListAnswer, ListQuestion, ServerContext } from '@assay/kit'
import type { Message } from '@assay/lib/dns/message'
import { countLabels, equalNames, isWithin, parentName } from '@assay/lib/dns/name'

/** Names that nobody has, asked at each level: some at first, and more where they were answered. */
const PROBES = 3
const MORE_PROBES = 12
/** How often a name that seems to differ from a rotating wildcard is asked again. */
const CONFIRMATIONS = 3
const RANDOM_LABEL_BYTES = 10

/** What a server says of a name when asked for its address. */
export interface Look {
  exists: boolean
  aliases: string[]
  addresses: string[]
  /** The name begins a zone of somebody else's servers, or lies in one. */
  delegated: boolean
}

/** What names that are not there get at one level. */
export interface Wildcard {
  parent: string
  addresses: Set<string>
  aliases: Set<string>
  /** RFC 4592 §3.3.1: a name that exists keeps the wildcard from answering below it. */
  stopsAtNames: boolean
}

export type Progress = { asked: number; found: string[] }

export class Search {
  readonly looks = new Map<string, Look>()
  readonly wildcards = new Map<string, Wildcard>()
  /** Put to servers so far. */
  questions = 0
  readonly #context: ServerContext
  readonly #servers: readonly string[]
  readonly #absent = new Set<string>()
  readonly #levels = new Set<string>()

  constructor(context: ServerContext, servers: readonly string[]) {
    this.#context = context
    this.#servers = servers
  }

  /** Asks for names, and keeps those that are there by themselves. Levels are looked at first, each once. */
  async *find(names: readonly string[]): AsyncGenerator<Progress, void, void> {
    const byDepth = Map.groupBy(new Set(names), countLabels)
    for (const [, level] of [...byDepth].sort(([a], [b]) => a - b)) yield* this.#findAtDepth(level)
  }

  async *#findAtDepth(names: readonly string[]): AsyncGenerator<Progress, void, void> {
    const levels = Map.groupBy(names, parentName)
    await this.#lookAtLevels([...levels.keys()].filter(parent => !this.isBarren(parent)))
    const plain: string[] = []
    for (const [parent, below] of levels) {
      const wildcard = this.wildcards.get(parent)
      if (this.isBarren(parent)) yield { asked: below.length, found: [] }
      else if (wildcard) yield* this.#findBeside(wildcard, below)
      else plain.push(...below)
    }
    yield* this.#findPlain(plain)
  }

  /** RFC 8020: below a name that does not exist there is nothing; below a delegation others answer. */
  isBarren(parent: string): boolean {
    return this.#absent.has(parent) || this.looks.get(parent)?.delegated === true
  }

  /** What levels answer for names that are not there. */
  async #lookAtLevels(parents: readonly string[]): Promise<void> {
    const fresh = parents.filter(parent => !this.#levels.has(parent))
    for (const parent of fresh) this.#levels.add(parent)
    const probes = fresh.flatMap(parent => Array.from({ length: PROBES }, () => this.#random(parent)))
    const looks = await this.looksOf(probes)
    const answered = [...looks].filter(([, { exists }]) => exists).map(([name]) => parentName(name))
    for (const parent of new Set(answered)) {
      const first = [...looks].filter(([name]) => parentName(name) === parent).map(([, look]) => look)
      this.wildcards.set(parent, await this.#wildcardAt(parent, first))
    }
  }

  async #wildcardAt(parent: string, first: readonly Look[]): Promise<Wildcard> {
    const more = await this.looksOf(Array.from({ length: MORE_PROBES }, () => this.#random(parent)))
    const below = await this.looksOf([this.#random(this.#random(parent))])
    const all = [...first, ...more.values()]
    return {
      parent,
      addresses: new Set(all.flatMap(({ addresses }) => addresses)),
      aliases: new Set(all.flatMap(({ aliases }) => aliases)),
      stopsAtNames: below.size > 0 && [...below.values()].every(({ exists }) => exists),
    }
  }

  /** The last look at each name; names that no server spoke of are left out. */
  async looksOf(names: readonly string[], type = 'A'): Promise<Map<string, Look>> {
    const looks = new Map<string, Look>()
    for await (const batch of this.#ask(names, type)) {
      for (const [name, look] of batch) looks.set(name, look)
    }
    return looks
  }

  async *#findPlain(names: readonly string[]): AsyncGenerator<Progress, void, void> {
    for await (const batch of this.#ask(names, 'A')) {
      const found: string[] = []
      for (const [name, look] of batch) {
        if (look.exists) this.looks.set(name, look)
        if (look.exists) found.push(name)
        else this.#absent.add(name)
      }
      yield { asked: batch.length, found }
    }
  }

  /** Each name and a name below it that nobody has: where that one gets no answer, the name itself is there. */
  async *#findBeside(wildcard: Wildcard, names: readonly string[]): AsyncGenerator<Progress, void, void> {
    const inside = new Map(names.map(name => [this.#random(name), name]))
    if (wildcard.stopsAtNames) {
      for await (const batch of this.#ask([...inside.keys()], 'A')) {
        const stopped = batch
          .filter(([, { exists, delegated }]) => !exists || delegated)
          .map(([probe]) => inside.get(probe) ?? '')
        const looks = await this.looksOf(stopped)
        for (const [name, look] of looks) this.looks.set(name, { ...look, exists: true })
        yield { asked: batch.length, found: [...looks.keys()] }
      }
    }
    const differing: string[] = []
    for await (const batch of this.#ask(
      names.filter(name => !this.looks.has(name)),
      'A',
    )) {
      for (const [name, look] of batch) if (differs(look, wildcard)) differing.push(name)
      yield { asked: wildcard.stopsAtNames ? 0 : batch.length, found: [] }
    }
    yield { asked: 0, found: await this.#confirm(differing, wildcard) }
  }

  /** A name is there by itself when it says the same each time, and never what names say that are not there. */
  async #confirm(names: readonly string[], wildcard: Wildcard): Promise<string[]> {
    let left = new Map((await this.looksOf(names)).entries())
    for (let i = 0; i < CONFIRMATIONS && left.size; i++) {
      const again = await this.looksOf([...left.keys()])
      const probes = await this.looksOf(
        Array.from({ length: Math.min(left.size, MORE_PROBES) }, () => this.#random(wildcard.parent)),
      )
      for (const { addresses, aliases } of probes.values()) {
        for (const address of addresses) wildcard.addresses.add(address)
        for (const alias of aliases) wildcard.aliases.add(alias)
      }
      left = new Map(
        [...left].filter(([name, look]) => {
          const now = again.get(name)
          return now && differs(now, wildcard) && sameLook(now, look)
        }),
      )
    }
    for (const [name, look] of left) this.looks.set(name, look)
    return [...left.keys()]
  }

  async *#ask(names: readonly string[], type: string): AsyncGenerator<[string, Look][], void, void> {
    if (!names.length) return
    this.questions += names.length
    const questions: ListQuestion[] = names.map(name => ({ name, type }))
    for await (const batch of this.#context.nameServers.askAll(this.#servers, questions)) {
      const looks = batch.flatMap(answer => lookOf(answer))
      if (looks.length) yield looks
    }
  }

  #random(parent: string): string {
    const label = Array.from(this.#context.random(RANDOM_LABEL_BYTES), byte => (byte % 36).toString(36)).join('')
    return `x${label}.${parent}`
  }
}

function lookOf({ question: { name }, message }: ListAnswer): [string, Look][] {
  if (!message) return []
  const cut = cutAbove(message, name)
  const chain = message.answers.filter(record => isWithin(record.name, '.'))
  return [
    [
      name,
      {
        // RFC 6604 §3: with an alias the code speaks of its target, and the name itself exists.
        // What lies below a cut is for other servers to say.
        exists:
          (message.rcode === 'NOERROR' && (cut === undefined || equalNames(cut, name))) ||
          chain.some(record => equalNames(record.name, name)),
        aliases: chain.flatMap(record =>
          record.type === 'CNAME' && record.data ? [record.data.cname.toLowerCase()] : [],
        ),
        addresses: chain.flatMap(record =>
          (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
        ),
        delegated: cut !== undefined,
      },
    ],
  ]
}

/** RFC 1034 §4.3.2: in place of an answer, the zone of other servers that the name lies in. */
function cutAbove({ aa, answers, authorities }: Message, name: string): string | undefined {
  if (aa || answers.length) return undefined
  return authorities.find(record => record.type === 'NS' && isWithin(name, record.name))?.name
}

function differs({ exists, aliases, addresses, delegated }: Look, wildcard: Wildcard): boolean {
  if (!exists) return false
  if (delegated) return true
  const [alias] = aliases
  if (alias !== undefined) return !wildcard.aliases.has(alias)
  if (addresses.length) return addresses.every(address => !wildcard.addresses.has(address))
  return wildcard.aliases.size > 0 || wildcard.addresses.size > 0
}

const sameLook = (a: Look, b: Look): boolean =>
  a.delegated === b.delegated &&
  a.aliases.join() === b.aliases.join() &&
  a.addresses.toSorted().join() === b.addresses.toSorted().join()

/** The names between a name and the domain it lies below, the nearest to the domain first. */
export function namesBetween(name: string, domain: string): string[] {
  const found: string[] = []
  for (let each = parentName(name); isWithin(each, domain) && !equalNames(each, domain); each = parentName(each)) {
    found.unshift(each)
  }
  return found
}

export const depthBelow = (name: string, domain: string): number => countLabels(name) - countLabels(domain)
