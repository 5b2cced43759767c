/**
 * Under which names and paths a resolver known by its address may offer encryption: what it says itself (RFC 9462), what
 * its operator publishes, what its address is called. Pure: the questions are asked elsewhere.
 */
import type { ResourceRecord } from './message.ts'
import { publicResolvers } from './resolvers.ts'

/** RFC 9462 §4: asked of the resolver itself, type SVCB. */
export const DISCOVERY_NAME = '_dns.resolver.arpa.'
/** Designations that are followed up. */
const MAX_DESIGNATIONS = 3
const HTTPS_PORT = 443

export interface Designation {
  /** The name that the certificate must be for. */
  name: string
  protocols: string[]
  port?: number
  /** The path of DNS over HTTPS, without its template part (RFC 9461 §5). */
  path?: string
}

const withoutDot = (name: string) => name.replace(/\.$/, '')

/** What the SVCB records of a resolver designate, in the order of their priority. */
export function designationsOf(records: readonly ResourceRecord[]): Designation[] {
  return records
    .flatMap(record => (record.type === 'SVCB' && record.data && record.data.priority > 0 ? [record.data] : []))
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ target, params }) => ({
      name: withoutDot(target).toLowerCase(),
      protocols: params.alpn ?? [],
      ...(params.port !== undefined && { port: params.port }),
      ...(params.dohpath?.startsWith('/') && { path: params.dohpath.replace(/\{\?dns\}$/, '') }),
    }))
    .filter(({ name }) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
    .slice(0, MAX_DESIGNATIONS)
}

/** Whether a designated service is DNS over HTTPS: HTTP by ALPN, and a path. */
export const isDoh = ({ protocols, path }: Designation): boolean =>
  path !== undefined && protocols.some(protocol => protocol === 'h2' || protocol === 'h3' || protocol === 'http/1.1')

export const isDot = ({ protocols }: Designation): boolean => protocols.includes('dot')

export function designatedUrl({ name, port = HTTPS_PORT, path = '' }: Designation): string {
  return `https://${name}${port === HTTPS_PORT ? '' : `:${port}`}${path}`
}

/** What the operator of an address publishes, for the best-known ones. */
export const publishedResolver = (address: string) =>
  publicResolvers.find(({ ipv4, ipv6 }) => ipv4.includes(address) || ipv6.includes(address))

/** An address as the host of a URL. */
export const urlHost = (address: string): string => (address.includes(':') ? `[${address}]` : address)
