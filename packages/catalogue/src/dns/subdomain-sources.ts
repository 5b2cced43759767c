/** Where names below a domain are written down: transfers, NSEC records, mail and service records, certificates. */

import { Problem, type ServerContext } from '@assay/kit'
import type { ResourceRecord } from '@assay/lib/dns/message'
import { isWithin } from '@assay/lib/dns/name'
import { walkZone } from './nsec-walk.ts'

/** Names taken from one source. */
export const MAX_NAMES_PER_SOURCE = 2_000
const CSP = 'content-security-policy'

export type Source = 'word list' | 'zone transfer' | 'NSEC walk' | 'DNS records' | 'certificate' | 'web site'

export interface Told {
  source: Source
  /** Absolute, in lower case. */
  names: string[]
}

/** Owner names of a transfer at the first server that grants one. */
export async function namesByTransfer(
  { nameServers }: ServerContext,
  servers: readonly string[],
  zone: string,
): Promise<Told> {
  const names = new Set<string>()
  for (const server of servers) {
    try {
      for await (const records of nameServers.transfer(server, zone)) {
        for (const { name } of records) if (names.size < MAX_NAMES_PER_SOURCE) names.add(name.toLowerCase())
      }
    } catch (error) {
      passOver(error)
    }
    if (names.size) break
  }
  return { source: 'zone transfer', names: [...names] }
}

export async function namesByWalk({ dns }: ServerContext, server: string, zone: string): Promise<Told> {
  const names: string[] = []
  try {
    for await (const name of walkZone(dns, { server, zone, most: MAX_NAMES_PER_SOURCE })) names.push(name)
  } catch (error) {
    passOver(error)
  }
  return { source: 'NSEC walk', names }
}

/** What the records at the domain itself speak of: mail servers, name servers, SPF and other texts. */
export async function namesByRecords({ dns }: ServerContext, domain: string): Promise<Told> {
  const types = ['MX', 'NS', 'SOA', 'TXT', 'CAA', 'HTTPS', 'CNAME']
  const answers = await Promise.all(types.map(type => dns.resolve(domain, type)))
  const dmarc = await dns.resolve(`_dmarc.${domain}`, 'TXT')
  const records = [...answers, dmarc].flatMap(({ records }) => records)
  return { source: 'DNS records', names: records.flatMap(record => namesIn(textOf(record), domain)) }
}

/** The names of the certificate, and the hosts that the page's policy and redirects name. */
export async function namesByWeb({ http }: ServerContext, domain: string): Promise<Told[]> {
  try {
    const url = `https://${domain.replace(/\.$/, '')}/`
    const exchange = await http.get(url, { redirects: 3, bodyBytes: 0, acceptBadCertificate: true })
    const headers = [exchange, ...exchange.hops].flatMap(({ headers }) => headers)
    const said = headers.filter(([name]) =>
      [CSP, `${CSP}-report-only`, 'location', 'link'].includes(name.toLowerCase()),
    )
    return [
      { source: 'certificate', names: (exchange.tls?.names ?? []).flatMap(name => namesIn(name, domain)) },
      {
        source: 'web site',
        names: [exchange.url, ...said.map(([, value]) => value)].flatMap(each => namesIn(each, domain)),
      },
    ]
  } catch (error) {
    passOver(error)
    return []
  }
}

/** A source that cannot be had is no reason to give up the others. */
function passOver(error: unknown): void {
  if (!(error instanceof Problem) || error.code === 'limited') throw error
}

function textOf({ type, data }: ResourceRecord): string {
  if (!data) return ''
  switch (type) {
    case 'MX':
      return 'exchange' in data ? data.exchange : ''
    case 'NS':
      return 'nsdname' in data ? data.nsdname : ''
    case 'SOA':
      return 'mname' in data ? data.mname : ''
    default:
      return JSON.stringify(data)
  }
}

/** The names below a domain that a text contains; a wildcard is told apart elsewhere and left out. */
export function namesIn(text: string, domain: string): string[] {
  const found = text.toLowerCase().match(/(?<![\w*.-])[a-z\d_](?:[a-z\d_.-]*[a-z\d])?\.?/g) ?? []
  return found
    .map(name => (name.endsWith('.') ? name : `${name}.`))
    .filter(name => name !== domain && !/\.\.|^-|-\./.test(name) && isWithin(name, domain))
    .filter(name => name.length < 254 && name.split('.').every(label => label.length < 64))
}
