/**
 * Which autonomous system announces an address, by the TXT records that Team Cymru publishes.
 * https://www.team-cymru.com/ip-asn-mapping, "DNS".
 */

import { type Address, contains, parseAddress, parsePrefix, reverseName } from './address.ts'

export interface Origin {
  asn: number
  /** The announced block. */
  prefix: string
  /** Two letters, of the registry's allocation rather than of the place. */
  country?: string
  registry?: string
  allocated?: string
}

/** Where to ask for the origin of an address: 4.3.2.1.origin.asn.cymru.com. */
export function originName(ip: string): string {
  const reversed = reverseName(ip)
  return ip.includes(':')
    ? reversed.replace(/ip6\.arpa$/, 'origin6.asn.cymru.com')
    : reversed.replace(/in-addr\.arpa$/, 'origin.asn.cymru.com')
}

/** Where to ask for the name of an AS. */
export const autnumName = (asn: number): string => `AS${asn}.asn.cymru.com`

/** "23028 | 216.90.108.0/24 | US | arin | 1998-09-25"; several numbers where several systems announce the block. */
export function originsIn(text: string, ip: string): Origin[] {
  const [numbers = '', prefix = '', country, registry, allocated] = text.split('|').map(part => part.trim())
  if (!holds(prefix, parseAddress(ip))) return []
  return numbers.split(/\s+/).flatMap(number =>
    /^\d{1,10}$/.test(number) && Number(number) < 2 ** 32
      ? [
          {
            asn: Number(number),
            prefix,
            ...(country && /^[A-Z]{2}$/.test(country) && { country }),
            ...(registry && { registry }),
            ...(allocated && { allocated }),
          },
        ]
      : [],
  )
}

function holds(prefix: string, address: Address): boolean {
  try {
    return contains(parsePrefix(prefix), address)
  } catch {
    return false
  }
}

/** The origins of the longest block; the others are parts of a larger announcement. */
export function nearestOrigins(origins: readonly Origin[]): Origin[] {
  const length = (origin: Origin) => parsePrefix(origin.prefix).length
  const longest = Math.max(...origins.map(length))
  return origins.filter(origin => length(origin) === longest)
}

/** "23028 | US | arin | 2002-01-04 | TEAM-CYMRU, US": the name without the country behind it. */
export function autnumNameIn(text: string): string | undefined {
  const name = text.split('|').slice(4).join('|').trim()
  return name.replace(/, [A-Z]{2}$/, '') || undefined
}
