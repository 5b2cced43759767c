import type { DnsAnswer, ServerContext } from '@assay/kit'
import { presentation, type ResourceRecord } from '@assay/lib/dns/message'
import { askResolver } from './resolver-question.ts'

/** Servers of a zone that are asked one by one; zones have at most thirteen as a rule (RFC 9199 §3.1). */
const MAX_SERVERS = 6

/** What the domain's own name servers say, each by itself. */
export interface Authority {
  status: DnsAnswer['status']
  values: string[]
  ttl: number | null
  zone: string | null
  reason: string | null
  servers: { name: string; address: string; status: string; values: string[]; ttl: number | null }[]
  /** False when servers of the zone give different answers. */
  agree: boolean
}

type Ask = Pick<ServerContext, 'dns' | 'rawDns' | 'random' | 'signal'>

/** Resolves from the root, then asks each server of the zone, since one of them may have missed a change. */
export async function askAuthority(context: Ask, name: string, type: string): Promise<Authority> {
  const answer = await context.dns.resolve(name, type)
  const found = answer.records.filter(record => record.type === type)
  const servers = await serversOf(context, answer, type)
  const sets = new Set(servers.filter(heard).map(({ values }) => sameSet(values)))
  return {
    status: answer.status,
    values: found.map(presentation),
    ttl: found[0]?.ttl ?? null,
    zone: answer.zone ?? null,
    reason: answer.reason ?? null,
    servers,
    agree: sets.size <= 1,
  }
}

const heard = ({ status }: { status: string }) => status === 'NOERROR' || status === 'NXDOMAIN'

async function serversOf(context: Ask, answer: DnsAnswer, type: string): Promise<Authority['servers']> {
  const { zone } = answer
  if (zone === undefined || zone === '.') return []
  const owner = endOfAliases(answer)
  const { records } = await context.dns.resolve(zone, 'NS')
  const names = records.flatMap(record => (record.type === 'NS' && record.data ? [record.data.nsdname] : []))
  const asked = names.slice(0, MAX_SERVERS).map(async name => {
    const addresses = await context.dns.resolve(name, 'A')
    const [address] = addresses.records.flatMap(record =>
      record.type === 'A' && record.data ? [record.data.address] : [],
    )
    if (!address) return []
    const reply = await askResolver(context, { server: address, name: owner, type, recursionDesired: false })
    if (reply.failure) return [{ name, address, status: reply.failure, values: [], ttl: null }]
    const records = reply.message.answers.filter(record => record.type === type)
    return [
      { name, address, status: reply.message.rcode, values: records.map(presentation), ttl: records[0]?.ttl ?? null },
    ]
  })
  return (await Promise.all(asked)).flat()
}

function endOfAliases({ name, records, type }: DnsAnswer): string {
  if (type === 'CNAME') return name
  const last = records.findLast((record: ResourceRecord) => record.type === 'CNAME')
  return last?.type === 'CNAME' && last.data ? last.data.cname : name
}

/** A record set without its order, for comparing. Names and addresses differ in case only by accident. */
export const sameSet = (values: readonly string[]): string =>
  [...new Set(values.map(value => (value.includes('"') ? value : value.toLowerCase())))].sort().join('\n')
