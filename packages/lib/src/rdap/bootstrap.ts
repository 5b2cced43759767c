/** Who answers RDAP for a name, an address or an AS number. RFC 9224. */

import { contains, findAddress, type Prefix, parsePrefix } from '../ip/address.ts'

/** RFC 9224 §4 to §5. */
export const BOOTSTRAP_URL = 'https://data.iana.org/rdap/'

export type RdapRegistry = 'dns' | 'ipv4' | 'ipv6' | 'asn'

/**
 * Top-level domains with an RDAP service of their registry that IANA's file does not name. Seen in use by several
 * public clients; what they answer is judged like anybody's, and port 43 comes after them.
 */
const unlisted: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ch: 'https://rdap.nic.ch/',
    de: 'https://rdap.denic.de/',
    io: 'https://rdap.identitydigital.services/rdap/',
    li: 'https://rdap.nic.li/',
    me: 'https://rdap.identitydigital.services/rdap/',
  }),
)

/** ARIN knows which registry is responsible for what is not its own, and redirects there. */
export const NUMBERS_FALLBACK = 'https://rdap.arin.net/registry/'

/** Far more services than there are registries. */
const MAX_SERVICES = 20_000

interface Service {
  entries: readonly string[]
  urls: readonly string[]
}

/** The services of a bootstrap file; what is malformed is left out. */
function servicesOf(text: string): Service[] {
  const file = parsed(text)
  const services: unknown = typeof file === 'object' && file !== null && 'services' in file ? file.services : []
  if (!Array.isArray(services)) return []
  return services.slice(0, MAX_SERVICES).flatMap((service: unknown) => {
    if (!Array.isArray(service)) return []
    const [entries, urls] = service.map(strings)
    return entries?.length && urls?.length ? [{ entries, urls }] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/** RFC 9224 §4: the entry that matches the most labels of the name. The name is in A-label form. */
export function domainService(text: string, ascii: string): string | undefined {
  const labels = ascii.toLowerCase().split('.')
  const byEntry = new Map(servicesOf(text).flatMap(({ entries, urls }) => entries.map(entry => [lower(entry), urls])))
  for (let from = 0; from < labels.length; from++) {
    const suffix = labels.slice(from).join('.')
    const url = chosen(byEntry.get(suffix) ?? []) ?? unlisted.get(suffix)
    if (url) return url
  }
  return undefined
}

const lower = (entry: string) => entry.toLowerCase().replace(/\.$/, '')

/** RFC 9224 §5.1 and §5.2: the longest prefix that holds the address. */
export function addressService(text: string, ip: string): string | undefined {
  const address = findAddress(ip)
  if (!address) return undefined
  let best: { length: number; url: string } | undefined
  for (const { entries, urls } of servicesOf(text)) {
    const url = chosen(urls)
    for (const prefix of entries.flatMap(readPrefix)) {
      if (url && contains(prefix, address) && prefix.length > (best?.length ?? -1)) {
        best = { length: prefix.length, url }
      }
    }
  }
  return best?.url
}

function readPrefix(entry: string): Prefix[] {
  try {
    return [parsePrefix(entry)]
  } catch {
    return []
  }
}

/** RFC 9224 §5.3: the range that holds the number. */
export function autnumService(text: string, asn: number): string | undefined {
  for (const { entries, urls } of servicesOf(text)) {
    const inside = entries.some(entry => {
      const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(entry) ?? []
      return first !== undefined && asn >= Number(first) && asn <= Number(last)
    })
    const url = inside ? chosen(urls) : undefined
    if (url) return url
  }
  return undefined
}

/** RFC 9224 §3: HTTPS is preferred, and a slash at the end is to be supplied where it is missing. */
function chosen(urls: readonly string[]): string | undefined {
  const web = urls.filter(url => /^https?:\/\/[^\s/]/i.test(url))
  const url = web.find(each => /^https:/i.test(each)) ?? web[0]
  return url && (url.endsWith('/') ? url : `${url}/`)
}
