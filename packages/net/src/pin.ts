/**
 * From what a visitor typed to addresses that may be contacted, once per job. A later answer of the DNS moves nothing,
 * and one forbidden address among the answers refuses the name.
 */

import { type Dns, type DnsAnswer, Problem } from '@assay/kit'
import { type Host, parseHost } from '@assay/lib/domain/name'
import { specialUse } from '@assay/lib/domain/special'
import { type Address, addressOfBytes, formatAddress } from '@assay/lib/ip/address'
import { type Guard, refusedAddress } from './guard.ts'

export interface Pin {
  host: Host
  /** In the order to try: IPv4 and IPv6 in turn. */
  addresses: readonly string[]
  milliseconds: number
}

/** Addresses of a name that are kept; the rest are judged all the same. */
const MAX_ADDRESSES = 16

/** Resolves and judges hosts; the same host again gives the same pin without asking anybody. */
export function createPins(guard: Guard, dns: Pick<Dns, 'resolve'>): (host: string | Host) => Promise<Pin> {
  const pins = new Map<string, Promise<Pin>>()
  return async wanted => {
    const host = typeof wanted === 'string' ? readHost(wanted) : wanted
    const pin = pins.get(host.ascii) ?? resolveHost(host, guard, dns)
    pins.set(host.ascii, pin)
    return pin
  }
}

function readHost(text: string): Host {
  try {
    return parseHost(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', `Validation error: ${error.message}`, { cause: error })
  }
}

async function resolveHost(host: Host, guard: Guard, dns: Pick<Dns, 'resolve'>): Promise<Pin> {
  const start = performance.now()
  if (host.kind === 'address') {
    guard.checkTarget(host.address)
    return { host, addresses: [host.ascii], milliseconds: 0 }
  }
  if (specialUse(host.ascii)?.connect === false) {
    throw refusedAddress('Names of this kind do not stand for hosts of the public internet.')
  }
  const answers = await Promise.all([dns.resolve(host.ascii, 'A'), dns.resolve(host.ascii, 'AAAA')])
  const [v4, v6] = [addressesIn(answers[0], 'A'), addressesIn(answers[1], 'AAAA')]
  for (const address of [...v4, ...v6]) guard.checkTarget(address)
  const addresses = interleave(v4, v6).map(formatAddress).slice(0, MAX_ADDRESSES)
  if (addresses.length === 0) throw noAddress(answers)
  return { host, addresses, milliseconds: performance.now() - start }
}

/** Addresses of the type asked for, whatever the aliases on the way were. Malformed records are no addresses. */
function addressesIn(answer: DnsAnswer, type: 'A' | 'AAAA'): Address[] {
  const length = type === 'A' ? 4 : 16
  const found = answer.records.filter(record => record.type === type && record.rdata.length === length)
  return found.map(record => addressOfBytes(record.rdata))
}

function interleave(v4: readonly Address[], v6: readonly Address[]): Address[] {
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]])
  return pairs.flat().filter(address => address !== undefined)
}

function noAddress([a, aaaa]: readonly [DnsAnswer, DnsAnswer]): Problem {
  const answer = a.status === 'nodata' ? aaaa : a
  const detail = answer.reason ?? a.reason
  switch (answer.status) {
    case 'nxdomain':
      return new Problem('not-found', 'The name does not exist in the DNS', { detail })
    case 'answer':
    case 'nodata':
      return new Problem('not-found', 'The name has no address in the DNS', { detail })
    case 'timeout':
      return new Problem('timeout', 'The name servers of the name do not answer', { detail })
    default:
      return new Problem('unreachable', 'The name cannot be resolved', { detail })
  }
}
