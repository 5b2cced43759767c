/**
 * Names that mean something other than a host of the public internet. IANA Special-Use Domain Names
 * (https://www.iana.org/assignments/special-use-domain-names/), RFC 6761, and the top-level name that ICANN keeps for
 * private networks.
 */

export interface SpecialUse {
  name: string
  rfc: string
  /** Whether the public DNS is the place to ask about it. */
  lookup: boolean
  /** Whether a tool may connect to a host of that name, if its addresses are public. */
  connect: boolean
}

const specialUses: readonly SpecialUse[] = [
  { name: 'home.arpa', rfc: 'RFC 8375', lookup: false, connect: false },
  { name: 'arpa', rfc: 'RFC 3172', lookup: true, connect: false },
  { name: 'alt', rfc: 'RFC 9476', lookup: false, connect: false },
  { name: 'example', rfc: 'RFC 6761 §6.5', lookup: true, connect: true },
  { name: 'internal', rfc: 'ICANN Board resolution of 2024-07-29', lookup: false, connect: false },
  { name: 'invalid', rfc: 'RFC 6761 §6.4', lookup: true, connect: false },
  { name: 'local', rfc: 'RFC 6762 §3', lookup: false, connect: false },
  { name: 'localhost', rfc: 'RFC 6761 §6.3', lookup: false, connect: false },
  { name: 'onion', rfc: 'RFC 7686 §2', lookup: false, connect: false },
  { name: 'test', rfc: 'RFC 6761 §6.2', lookup: true, connect: true },
]

/** What is special about a name in A-label form, lower case, without the final dot. */
export function specialUse(ascii: string): SpecialUse | undefined {
  return specialUses.find(({ name }) => ascii === name || ascii.endsWith(`.${name}`))
}
