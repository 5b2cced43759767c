import { type DnsAnswer, Problem, type ServerContext } from '@assay/kit'
import { equalNames } from '@assay/lib/dns/name'

/** Name servers of a zone that are looked at; registries let nobody have more. */
const MAX_SERVERS = 16

export interface ZoneServer {
  /** Without the final dot. */
  name: string
  addresses: string[]
}

export interface ZoneServers {
  /** The zone that the domain lies in, absolute. */
  zone: string
  servers: ZoneServer[]
}

const withoutDot = (name: string) => name.replace(/\.$/, '')

/** The zone of a domain and all its name servers with all their addresses, found from the root down. */
export async function findZoneServers(domain: string, dns: ServerContext['dns']): Promise<ZoneServers> {
  const asked = `${domain}.`
  const own = await dns.resolve(asked, 'NS')
  if (own.status !== 'answer' && own.status !== 'nodata') throw refusal(own)
  const atDomain = nameServersIn(own, asked)
  const zone = atDomain.length ? asked : (own.soa?.name ?? own.zone)
  if (zone === undefined) throw refusal(own)
  const names = atDomain.length ? atDomain : nameServersIn(await dns.resolve(zone, 'NS'), zone)
  const servers = await Promise.all(
    names
      .slice(0, MAX_SERVERS)
      .map(async name => ({ name: withoutDot(name), addresses: await addressesOf(name, dns) })),
  )
  return { zone, servers }
}

function nameServersIn({ records }: DnsAnswer, owner: string): string[] {
  return records.flatMap(record =>
    record.type === 'NS' && record.data && equalNames(record.name, owner) ? [record.data.nsdname] : [],
  )
}

async function addressesOf(name: string, dns: ServerContext['dns']): Promise<string[]> {
  const answers = await Promise.all([dns.resolve(name, 'A'), dns.resolve(name, 'AAAA')])
  return answers.flatMap(({ records }) =>
    records.flatMap(record =>
      (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
    ),
  )
}

function refusal({ status, reason }: DnsAnswer): Problem {
  if (status === 'nxdomain') {
    const detail = 'The name does not exist (NXDOMAIN).'
    return new Problem('not-found', 'No DNS records found', { field: 'domain', detail })
  }
  if (status === 'timeout') return new Problem('timeout', 'Request timeout', { detail: reason })
  return new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail: reason })
}
