/**
 * Whom we may contact, and whom never. A deployment can open named test networks; everything else must be a public
 * address (lib/ip/special.ts), not one of our own, and the port must be one that the purpose needs.
 */

import { networkInterfaces } from 'node:os'
import { Problem } from '@assay/kit'
import { type Address, contains, equalAddresses, findAddress, type Prefix, parsePrefix } from '@assay/lib/ip/address'
import { listedPorts } from '@assay/lib/ip/ports'
import { classify } from '@assay/lib/ip/special'

/** What a connection is for; it decides the ports. */
export type Purpose = 'http' | 'dns' | 'whois' | 'tls' | 'scan'

export type AllowedPorts = Readonly<Record<Purpose, readonly number[] | 'any'>>

export const defaultPorts: AllowedPorts = {
  http: [80, 443, 8080, 8443],
  /** Plain, over TLS (RFC 7858) and over HTTPS (RFC 8484). */
  dns: [53, 853, 443],
  /** RFC 3912. */
  whois: [43],
  /** HTTPS, and mail and DNS with TLS from the start or by STARTTLS. */
  tls: [443, 8443, 465, 587, 993, 995, 853, 25],
  scan: listedPorts,
}

export interface GuardSettings {
  /** Address blocks that may be contacted although they are not public. Empty in production. */
  allowedTestNetworks?: readonly string[]
  /** Address blocks whose owners asked not to be looked up. */
  optedOutNetworks?: readonly string[]
  /** Our own public address blocks, beside the addresses of this machine's interfaces. */
  ownNetworks?: readonly string[]
  /** Other ports than the usual, by purpose. */
  ports?: Partial<AllowedPorts>
}

export interface Guard {
  /** Whether any tool may send a packet to this address. */
  allows(address: Address): boolean
  /** Throws the refusal unless the address may be contacted. */
  check(address: Address): void
  /** Throws the refusal unless the purpose needs the port. */
  checkPort(port: number, purpose: Purpose): void
  /** The same for what a visitor named, as opposed to a server on the way: the opt-out list counts too. */
  checkTarget(address: Address): void
}

/** How long the list of this machine's addresses is good for. */
const OWN_ADDRESSES_MS = 10_000

export function refusedAddress(detail?: string): Problem {
  return new Problem('refused', 'Validation error: target address is not allowed', { detail })
}

/** What a tool answers for targets whose owners asked not to be looked up. */
export function optedOutTarget(): Problem {
  return new Problem('refused', 'Validation error: target asked not to be looked up', {
    detail: 'Its owner is on the opt-out list of this service.',
  })
}

export function createGuard({
  allowedTestNetworks = [],
  optedOutNetworks = [],
  ownNetworks = [],
  ports,
}: GuardSettings = {}): Guard {
  const testNetworks = allowedTestNetworks.map(parsePrefix)
  const own = ownNetworks.map(parsePrefix)
  const optedOut = optedOutNetworks.map(parsePrefix)
  const allowedPorts = { ...defaultPorts, ...ports }
  const isMine = createOwnAddressCheck()
  const within = (blocks: readonly Prefix[], address: Address) => blocks.some(block => contains(block, address))

  const reason = (address: Address): string | undefined => {
    if (within(testNetworks, address)) return undefined
    if (within(own, address) || isMine(address)) return 'This address belongs to the service itself.'
    const { public: ordinary, block } = classify(address)
    if (ordinary) return undefined
    return block ? `It lies in ${block.prefix}: ${block.name} (${block.rfc}).` : 'It is not a public address.'
  }

  return {
    allows: address => reason(address) === undefined,
    check(address) {
      const refusal = reason(address)
      if (refusal) throw refusedAddress(refusal)
    },
    checkTarget(address) {
      this.check(address)
      if (within(optedOut, address)) throw optedOutTarget()
    },
    checkPort(port, purpose) {
      const allowed = allowedPorts[purpose]
      if (Number.isInteger(port) && port > 0 && port < 65_536 && (allowed === 'any' || allowed.includes(port))) return
      const list = allowed === 'any' ? '1 to 65535' : allowed.length > 16 ? 'in its list' : allowed.join(', ')
      throw new Problem('refused', 'Validation error: target port is not allowed', {
        detail: `The ports for this tool are ${list}.`,
      })
    },
  }
}

/** Interfaces come and go while the service runs, so the list is read anew every few seconds. */
function createOwnAddressCheck(): (address: Address) => boolean {
  let mine: Address[] = []
  let readAt = Number.NEGATIVE_INFINITY
  return address => {
    if (performance.now() - readAt > OWN_ADDRESSES_MS) {
      const texts = Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
      mine = texts.flatMap(text => findAddress(text) ?? [])
      readAt = performance.now()
    }
    return mine.some(own => equalAddresses(own, address))
  }
}
