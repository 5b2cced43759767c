import { badge, field, Problem, panel, type ServerContext, sh, tool, type Update } from '@assay/kit'
import { equalNames, isWithin, parentName } from '@assay/lib/dns/name'
import { serviceNames, subdomainWords } from '@assay/lib/domain/subdomain-words'
import { depthBelow, namesBetween, Search } from './subdomain-search.ts'
import {
  namesByRecords,
  namesByTransfer,
  namesByWalk,
  namesByWeb,
  type Source,
  type Told,
} from './subdomain-sources.ts'
import { findZoneServers } from './zone-servers.ts'

/** Names listed at most; there are zones that generate theirs. */
const MAX_LISTED = 2_000
/** Names that have no address themselves are looked below: so many of them, for so many words. */
const MAX_PARENTS = 10
const WORDS_BELOW = 300
/** After so many questions nothing is looked for below names; what a job may send is about half as many again. */
const MAX_QUESTIONS = 13_000
/** Names whose aliases and delegations are followed elsewhere, and how many at once. */
const MAX_FOLLOWED = 200
const FOLLOWED_AT_ONCE = 10
/** Answers between two partial results. */
const PARTIAL_EVERY = 400
const DAY_MS = 86_400_000

interface Subdomain {
  subdomain: string
  /** 'active' when it has an address, itself or through an alias. */
  status: 'active' | 'inactive'
  last_checked: string
  sources: Source[]
  addresses: string[]
  /** Where an alias leads. */
  alias?: string
  note?: string
}

interface Result {
  domain: string
  subdomains: Subdomain[]
  /** Names found by each source, whether others found them too. */
  sources: { source: Source; names: number }[]
  /** Levels at which every name gets an answer. */
  wildcards: { name: string; addresses: string[]; aliases: string[] }[]
  names_tried: number
  servers: string[]
  truncated: boolean
}

const wordsBelow = subdomainWords.filter(word => !word.includes('.')).slice(0, WORDS_BELOW)

const withoutDot = (name: string) => name.replace(/\.$/, '')

/** Which names below a domain exist. RFC 1034 §4.3.2, RFC 4592, RFC 8020. */
export const subdomainFinder = tool({
  id: 'subdomain-finder',
  path: 'subdomain-finder',
  title: 'Subdomain Finder',
  category: 'dns-tools',
  summary: 'Names below a domain, guessed and read from its records, with wildcards told apart.',
  keywords: ['subdomains', 'enumeration', 'brute force', 'amass', 'subfinder', 'wildcard', 'attack surface'],
  specs: ['RFC 1034', 'RFC 4592', 'RFC 8020', 'RFC 5936', 'RFC 4034'],
  runs: 'server',
  weight: 'scan',
  lookups: ['subdomains/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context): AsyncGenerator<Update<Result>, Result, void> {
    const apex = `${domain}.`
    const { zone, servers } = await findZoneServers(domain, context.dns)
    // One address of each server is enough, so that none is asked twice as fast as it should be.
    const addresses = servers.flatMap(server => server.addresses.slice(0, 1))
    if (!addresses.length) {
      const detail = 'No name server of the zone has an address.'
      throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail })
    }
    const search = new Search(context, addresses)
    const finding = new Finding(domain, context, search, addresses)
    yield { progress: 0.02, label: 'Reading what the zone says of itself', partial: finding.result() }

    const told = await toldNames(context, { apex, zone, addresses })
    for (const each of told) finding.hear(each)
    yield* finding.search(finding.toldNames(), 0.05)

    const words = [...serviceNames, ...subdomainWords].map(word => `${word}.${apex}`)
    const single = words.filter(name => depthBelow(name, apex) === 1)
    yield* finding.search(single, 0.7)
    yield* finding.search(
      words.filter(name => depthBelow(name, apex) > 1),
      0.8,
    )
    if (search.questions < MAX_QUESTIONS) {
      const below = finding.parents().flatMap(parent => wordsBelow.map(word => `${word}.${parent}`))
      yield* finding.search(below, 0.9)
    }
    if (!finding.answered) {
      const detail = 'None of the name servers answered.'
      throw new Problem('timeout', 'Request timeout', { detail })
    }
    yield { progress: 0.92, label: 'Following aliases', partial: finding.result() }
    await finding.settle()
    return finding.result()
  },

  show({ domain, subdomains, sources, wildcards, names_tried, servers, truncated }) {
    if (!subdomains) return [panel.note('neutral', 'No subdomain data available')]
    const active = subdomains.filter(({ status }) => status === 'active').length
    const latest = Math.max(0, ...subdomains.map(({ last_checked }) => Date.parse(last_checked)))
    const recent = subdomains.filter(({ last_checked }) => latest - Date.parse(last_checked) <= DAY_MS).length
    return [
      panel.banner(subdomains.length ? 'info' : 'neutral', domain, {
        badge: `${subdomains.length} FOUND`,
        detail: `${names_tried} names tried at ${servers.length} name servers`,
      }),
      panel.tiles(
        { label: 'Total', value: subdomains.length },
        {
          label: 'Active',
          value: { text: String(active), tone: active ? 'good' : 'neutral' },
          detail: `${percent(active, subdomains.length)}%`,
        },
        { label: 'Recent Checks', value: recent, detail: 'in the last 24 hours' },
      ),
      ...wildcards.map(({ name, addresses, aliases }) =>
        panel.note(
          'info',
          `Every name there gets an answer (${[...aliases, ...addresses].slice(0, 4).join(', ') || 'without records'}), so only names that answer otherwise, or that stop the wildcard, are listed.`,
          name,
        ),
      ),
      panel.list(
        subdomains.map(({ subdomain, status, last_checked, sources, addresses, alias, note }) => ({
          text: { text: subdomain, mono: true, href: `https://${subdomain}` },
          detail: [alias && `→ ${alias}`, addresses.slice(0, 4).join(', '), note, sources.join(', ')]
            .filter(Boolean)
            .join(' · '),
          badges: [
            status === 'active' ? badge('ACTIVE', 'good') : badge(status.toUpperCase(), 'neutral'),
            { text: last_checked, instant: last_checked },
          ],
        })),
        { title: 'Subdomains', scroll: true, empty: 'No name below this domain was found.' },
      ),
      ...(truncated ? [panel.note('warn', `There are more; the first ${MAX_LISTED} are listed.`)] : []),
      panel.table(
        ['Source', 'Names'],
        sources.map(({ source, names }) => [source, names]),
        { title: 'Where the names come from' },
      ),
      panel.note('info', insightOf(subdomains), 'Insights'),
    ]
  },

  terminal: ({ domain }) => ({
    command: sh`for name in www mail ftp api dev; do dig +noall +answer "$name".${domain} A; done`,
  }),

  examples: [
    {
      from: 'RFC 1034 §6.1',
      title: 'Guessed, and named by the records',
      input: { domain: 'isi.edu' },
      recording: {
        now: '2026-01-01T00:00:00Z',
        zone: `isi.edu. 60 SOA venera.isi.edu. action.isi.edu. 20 7200 600 3600000 60
isi.edu. 60 NS ns.isi.edu.
ns.isi.edu. 60 A 128.9.0.32
isi.edu. 60 MX 10 venera.isi.edu.
venera.isi.edu. 60 A 128.9.0.32
www.isi.edu. 60 CNAME venera.isi.edu.`,
      },
      result: {
        domain: 'isi.edu',
        subdomains: [
          { subdomain: 'ns.isi.edu', status: 'active', last_checked: '2026-01-01T00:00:00.000Z' },
          { subdomain: 'venera.isi.edu', status: 'active' },
          { subdomain: 'www.isi.edu', status: 'active', alias: 'venera.isi.edu' },
        ],
      },
    },
  ],
})

/** Whole, half up, 0 when there is nothing. */
const percent = (part: number, whole: number): number => (whole ? Math.floor((part * 100) / whole + 0.5) : 0)

interface Place {
  apex: string
  zone: string
  addresses: readonly string[]
}

async function toldNames(context: ServerContext, { apex, zone, addresses }: Place): Promise<Told[]> {
  const [transfer, walk, records, web] = await Promise.all([
    namesByTransfer(context, addresses, zone),
    namesByWalk(context, addresses[0] ?? '', zone),
    namesByRecords(context, apex),
    namesByWeb(context, apex),
  ])
  return [transfer, walk, records, ...web]
}

/** What is known of a domain so far. */
class Finding {
  readonly #domain: string
  readonly #apex: string
  readonly #context: ServerContext
  readonly #search: Search
  readonly #servers: readonly string[]
  readonly #sources = new Map<string, Set<Source>>()
  /** Names that a transfer or an NSEC record vouches for. */
  readonly #certain = new Set<string>()
  readonly #found = new Map<string, Omit<Subdomain, 'sources'>>()
  readonly #words: ReadonlySet<string>
  #progress = 0
  #tried = 0
  #sincePartial = 0

  constructor(domain: string, context: ServerContext, search: Search, servers: readonly string[]) {
    this.#domain = domain
    this.#apex = `${domain}.`
    this.#context = context
    this.#search = search
    this.#servers = servers
    this.#words = new Set([...serviceNames, ...subdomainWords].map(word => `${word}.${this.#apex}`))
  }

  get answered(): boolean {
    return this.#tried > 0
  }

  hear({ source, names }: Told): void {
    for (const owner of names) {
      // A wildcard is no name to visit, but what it stands below is there.
      const name = owner.startsWith('*.') ? parentName(owner) : owner
      if (equalNames(name, this.#apex) || !isWithin(name, this.#apex)) continue
      this.#sources.set(name, (this.#sources.get(name) ?? new Set()).add(source))
      if (source === 'zone transfer' || source === 'NSEC walk') this.#certain.add(name)
    }
  }

  /** Everything that was heard of, names above it first. */
  toldNames(): string[] {
    const all = [...this.#sources.keys()].flatMap(name => [...namesBetween(name, this.#apex), name])
    return [...new Set(all)].sort((a, b) => depthBelow(a, this.#apex) - depthBelow(b, this.#apex))
  }

  async *search(names: readonly string[], upTo: number): AsyncGenerator<Update<Result>, void, void> {
    const fresh = names.filter(name => !this.#found.has(name))
    const from = this.#progress
    this.#progress = upTo
    let asked = 0
    for await (const step of this.#search.find(fresh)) {
      asked += step.asked
      this.#tried += step.asked
      this.#sincePartial += step.asked
      for (const name of step.found) this.#keep(name)
      if (this.#sincePartial < PARTIAL_EVERY) continue
      this.#sincePartial = 0
      const label = `${this.#tried} names tried, ${this.#found.size} found`
      yield {
        progress: from + (upTo - from) * Math.min(1, asked / Math.max(1, fresh.length)),
        label,
        partial: this.result(),
      }
    }
    for (const name of fresh) if (this.#certain.has(name)) this.#keep(name)
    this.#guessed(names)
  }

  /** What words would have found too is said to be so. */
  #guessed(names: readonly string[]): void {
    for (const name of names)
      if (this.#words.has(name) && this.#found.has(name)) this.#sources.get(name)?.add('word list')
  }

  #keep(name: string): void {
    if (!this.#sources.has(name)) this.#sources.set(name, new Set(['word list']))
    const look = this.#search.looks.get(name)
    const [alias] = look?.aliases ?? []
    const addresses = look?.addresses ?? []
    this.#found.set(name, {
      subdomain: withoutDot(name),
      status: addresses.length ? 'active' : 'inactive',
      last_checked: this.#context.now().toISOString(),
      addresses,
      ...(alias !== undefined && { alias: withoutDot(alias) }),
      ...(look?.delegated && { note: 'a zone of its own' }),
    })
  }

  /** Names without an address, under which others may stand (RFC 4592 §2.2.2). */
  parents(): string[] {
    return [...this.#found.keys()]
      .filter(name => {
        const look = this.#search.looks.get(name)
        const isPlain = look && !look.delegated && !look.aliases.length && !look.addresses.length
        return isPlain && !name.startsWith('_') && depthBelow(name, this.#apex) === 1
      })
      .slice(0, MAX_PARENTS)
  }

  /** IPv6 addresses, and where aliases and delegations lead. */
  async settle(): Promise<void> {
    const open = [...this.#found].filter(([, { status }]) => status === 'inactive').map(([name]) => name)
    const elsewhere = open.filter(name => {
      const look = this.#search.looks.get(name)
      return !look || look.delegated || look.aliases.length > 0
    })
    const others = open.filter(name => !elsewhere.includes(name))
    for (const [name, { addresses }] of await this.#search.looksOf(others, 'AAAA')) this.#add(name, addresses)
    const queue = elsewhere.slice(0, MAX_FOLLOWED)
    await Promise.all(
      Array.from({ length: FOLLOWED_AT_ONCE }, async () => {
        for (let name = queue.shift(); name !== undefined; name = queue.shift()) await this.#follow(name)
      }),
    )
  }

  async #follow(name: string): Promise<void> {
    const answers = await Promise.all(['A', 'AAAA'].map(type => this.#context.dns.resolve(name, type)))
    const addresses = answers.flatMap(({ records }) =>
      records.flatMap(record =>
        (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
      ),
    )
    this.#add(name, addresses)
    const found = this.#found.get(name)
    if (found?.alias && answers.every(({ status }) => status === 'nxdomain')) {
      this.#found.set(name, { ...found, note: 'its alias leads to a name that does not exist' })
    }
  }

  #add(name: string, addresses: readonly string[]): void {
    const found = this.#found.get(name)
    if (found && addresses.length) this.#found.set(name, { ...found, status: 'active', addresses: [...addresses] })
  }

  result(): Result {
    const names = [...this.#found.keys()].sort()
    const counts = new Map<Source, number>()
    for (const name of names) {
      for (const source of this.#sources.get(name) ?? []) counts.set(source, (counts.get(source) ?? 0) + 1)
    }
    return {
      domain: this.#domain,
      subdomains: names.slice(0, MAX_LISTED).flatMap(name => {
        const found = this.#found.get(name)
        return found ? [{ ...found, sources: [...(this.#sources.get(name) ?? [])] }] : []
      }),
      sources: [...counts].map(([source, count]) => ({ source, names: count })),
      wildcards: [...this.#search.wildcards.values()].map(({ parent, addresses, aliases }) => ({
        name: `*.${withoutDot(parent)}`,
        addresses: [...addresses],
        aliases: [...aliases].map(withoutDot),
      })),
      names_tried: this.#tried,
      servers: [...this.#servers],
      truncated: names.length > MAX_LISTED,
    }
  }
}

/** What the names found, or none, mean for the owner. */
function insightOf(subdomains: readonly Subdomain[]): string {
  const dangling = subdomains.filter(({ status, alias }) => alias && status !== 'active').length
  if (dangling) {
    const names = dangling === 1 ? 'One name leads' : `${dangling} names lead`
    return `${names} to an alias without an address. Whoever can register its target takes the name over.`
  }
  return subdomains.length
    ? 'Others find these names as easily. What is not meant for everybody needs more than a name that nothing links to.'
    : 'Names that nothing mentions and nobody guesses are not found, so this is no proof that there are none.'
}
