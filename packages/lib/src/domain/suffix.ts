/** The Public Suffix List (https://publicsuffix.org/), in the edition that tldts carries. */

import { getDomain, getPublicSuffix } from 'tldts'

/** Names are in A-label form already; only the part of the list that ICANN's registries are in counts. */
const options = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false }

/** The part of a name that somebody registered: example.co.uk for www.example.co.uk. A suffix itself has none. */
export function registrableDomain(ascii: string): string | undefined {
  return getDomain(ascii, options) ?? undefined
}

/** The part under which names are registered: co.uk for www.example.co.uk. */
export function publicSuffix(ascii: string): string | undefined {
  return getPublicSuffix(ascii, options) ?? undefined
}
