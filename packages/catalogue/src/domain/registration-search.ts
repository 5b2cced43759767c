/**
 * Which of many names are registered, asked of the registries' own name servers: a registered name is delegated there
 * (RFC 1034 §4.2.1), so one question each is enough, and no resolver stands between.
 */

import { type DnsAnswer, type ListAnswer, Problem, type ServerContext } from '@assay/kit'
import { equalNames, isWithin } from '@assay/lib/dns/name'
import { publicSuffix } from '@assay/lib/domain/suffix'

/** Below so many names under one suffix they are resolved one by one. */
const FEW = 6
const AT_ONCE = 20
const PROBES = 3
const RANDOM_LABEL_BYTES = 12
const SUFFIX_SERVERS = 13

export interface Registration {
  name: string
  /** 'unknown' when no server said anything of it. */
  status: 'registered' | 'free' | 'unknown'
  /** Name servers it is delegated to; none where the registry itself answers for it. */
  nameServers: string[]
}

const withoutDot = (name: string) => name.replace(/\.$/, '').toLowerCase()

/** Runs as many at once as is polite, and gives results as they come. */
export async function* atOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<R, void, void> {
  const rest = items.values()
  const waiting = new Map<number, Promise<{ key: number; result: R }>>()
  let next = 0
  const start = () => {
    const { done, value } = rest.next()
    if (done) return
    const key = next++
    waiting.set(
      key,
      work(value).then(result => ({ key, result })),
    )
  }
  for (let i = 0; i < AT_ONCE; i++) start()
  while (waiting.size) {
    const { key, result } = await Promise.race(waiting.values())
    waiting.delete(key)
    start()
    yield result
  }
}

/** Looks up every name once, and gives registrations in batches. */
export async function* findRegistrations(
  context: ServerContext,
  names: readonly string[],
): AsyncGenerator<Registration[], void, void> {
  const bySuffix = Map.groupBy(names, name => publicSuffix(name) ?? '')
  const few: string[] = []
  for (const [suffix, group] of bySuffix) {
    const servers = group.length < FEW ? [] : await serversOf(suffix, context)
    if (servers.length) yield* findBelow(context, suffix, servers, group)
    else few.push(...group)
  }
  for await (const registration of atOnce(few, name => resolveOne(context, name))) yield [registration]
}

/** One address of each name server of a suffix. */
async function serversOf(suffix: string, { dns }: ServerContext): Promise<string[]> {
  const own = await dns.resolve(`${suffix}.`, 'NS')
  const zone = own.status === 'answer' ? own : own.soa ? await dns.resolve(own.soa.name, 'NS') : own
  const names = zone.records.flatMap(record => (record.type === 'NS' && record.data ? [record.data.nsdname] : []))
  const found = await Promise.all(
    names.slice(0, SUFFIX_SERVERS).map(async name => (await addressesOf(name, 'A', dns)).slice(0, 1)),
  )
  return found.flat()
}

async function addressesOf(name: string, type: 'A' | 'AAAA', dns: ServerContext['dns']): Promise<string[]> {
  return addressesIn(await dns.resolve(name, type))
}

export const addressesIn = ({ records }: Pick<DnsAnswer, 'records'>): string[] =>
  records.flatMap(record =>
    (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
  )

async function* findBelow(
  context: ServerContext,
  suffix: string,
  servers: readonly string[],
  names: readonly string[],
): AsyncGenerator<Registration[], void, void> {
  const undelegated: string[] = []
  const questions = names.map(name => ({ name: `${name}.`, type: 'NS' }))
  for await (const batch of context.nameServers.askAll(servers, questions)) {
    const known = batch.flatMap(answer => delegationOf(answer, undelegated))
    if (known.length) yield known
  }
  if (!undelegated.length) return
  // Names without delegation that exist all the same: by themselves, or because the suffix answers for all.
  const wild = Array.from({ length: PROBES }, () => `${randomLabel(context)}.${suffix}`)
  const asked = [...wild, ...undelegated].map(name => ({ name: `${name}.`, type: 'A' }))
  const answers = new Map<string, Set<string>>()
  for await (const batch of context.nameServers.askAll(servers, asked)) {
    for (const { question, message } of batch) {
      if (message?.rcode === 'NOERROR') answers.set(withoutDot(question.name), saidIn(message.answers))
    }
  }
  const pool = new Set(wild.flatMap(name => [...(answers.get(name) ?? [])]))
  yield undelegated.map(name => {
    const said = answers.get(name)
    if (!said) return { name, status: 'unknown', nameServers: [] }
    const own = [...said].some(each => !pool.has(each))
    return { name, status: own ? 'registered' : 'free', nameServers: [] }
  })
}

const saidIn = (records: DnsAnswer['records']): Set<string> =>
  new Set([
    ...addressesIn({ records }),
    ...records.flatMap(record => (record.type === 'CNAME' && record.data ? [withoutDot(record.data.cname)] : [])),
  ])

function delegationOf({ question, message }: ListAnswer, undelegated: string[]): Registration[] {
  const name = withoutDot(question.name)
  if (!message) return [{ name, status: 'unknown', nameServers: [] }]
  if (message.rcode === 'NXDOMAIN') return [{ name, status: 'free', nameServers: [] }]
  const cut = [...message.answers, ...message.authorities].filter(
    record => record.type === 'NS' && equalNames(record.name, question.name),
  )
  if (!cut.length) {
    undelegated.push(name)
    return []
  }
  const nameServers = cut.flatMap(record =>
    record.type === 'NS' && record.data ? [withoutDot(record.data.nsdname)] : [],
  )
  return [{ name, status: 'registered', nameServers: nameServers.sort() }]
}

/** The same for one name, from the root down. */
async function resolveOne({ dns, ...context }: ServerContext, name: string): Promise<Registration> {
  const answer = await dns.resolve(`${name}.`, 'NS')
  const own = answer.records.flatMap(record =>
    record.type === 'NS' && record.data && equalNames(record.name, `${name}.`) ? [withoutDot(record.data.nsdname)] : [],
  )
  if (own.length) return { name, status: 'registered', nameServers: own.sort() }
  if (answer.status === 'nxdomain') return { name, status: 'free', nameServers: [] }
  if (answer.status === 'nodata' || answer.status === 'answer') {
    // RFC 2308 §2.2: the SOA tells whose zone it is that has no such record.
    if (answer.soa && equalNames(answer.soa.name, `${name}.`)) return { name, status: 'registered', nameServers: [] }
    const suffix = name.slice(name.indexOf('.') + 1)
    const [mine, wild] = await Promise.all(
      [name, `${randomLabel(context)}.${suffix}`].map(each => dns.resolve(`${each}.`, 'A')),
    )
    const pool = saidIn(wild?.records ?? [])
    const said = [...saidIn(mine?.records ?? [])].some(each => !pool.has(each))
    return { name, status: said ? 'registered' : 'free', nameServers: [] }
  }
  // The registry refers to servers that fail: registered, and broken.
  const delegated = answer.zone !== undefined && isWithin(answer.zone, `${name}.`)
  return { name, status: delegated ? 'registered' : 'unknown', nameServers: [] }
}

function randomLabel({ random }: Pick<ServerContext, 'random'>): string {
  return `x${Array.from(random(RANDOM_LABEL_BYTES), byte => (byte % 36).toString(36)).join('')}`
}

/** Whether anything at all was learnt; with the network cut there is nothing to show. */
export function refuseSilence(registrations: readonly Registration[]): void {
  if (registrations.some(({ status }) => status !== 'unknown')) return
  throw new Problem('unreachable', 'No registry answered.', {
    detail: `The name servers of the top-level domains said nothing of ${registrations.length} names.`,
  })
}
