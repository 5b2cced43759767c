/** What registries say of a domain, in one form for RDAP and WHOIS. */

export interface Contact {
  name?: string
  org?: string
  /** Lines from the narrowest to the widest, without the country. */
  address?: string[]
  /** Two letters of ISO 3166 where the source gives them. */
  country?: string
  email?: string
  phone?: string
}

export type Role = 'registrant' | 'admin' | 'tech' | 'billing' | 'abuse'

export interface Registration {
  /** As the registry writes it. */
  name?: string
  registrar?: string
  /** IANA's number of the registrar. */
  registrarId?: string
  registrarUrl?: string
  /** The WHOIS server of the registrar or, failing that, of the registry. */
  whoisServer?: string
  handle?: string
  dnssec?: 'signedDelegation' | 'unsigned'
  created?: string
  expires?: string
  updated?: string
  statuses: string[]
  nameServers: { name: string; addresses: string[] }[]
  contacts: Partial<Record<Role, Contact>>
  /** Fields that were left out on purpose, in words of the source (RFC 9537). */
  redacted: string[]
}

/** Sets what is known and leaves out what is not. */
export function put<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value
}

export const emptyRegistration = (): Registration => ({ statuses: [], nameServers: [], contacts: {}, redacted: [] })

/**
 * One registration of two sources. The first is nearer to the registry and is believed; the second, usually the
 * registrar, fills what the first leaves out, and knows the contacts better.
 */
export function mergeRegistrations(first: Registration, second: Registration): Registration {
  const roles: Role[] = ['registrant', 'admin', 'tech', 'billing', 'abuse']
  const contacts: Registration['contacts'] = {}
  for (const role of roles) {
    const merged = { ...first.contacts[role], ...second.contacts[role] }
    if (Object.keys(merged).length) contacts[role] = merged
  }
  return {
    ...second,
    ...first,
    statuses: [...new Set([...first.statuses, ...second.statuses])],
    nameServers: first.nameServers.length ? first.nameServers : second.nameServers,
    contacts,
    redacted: [...new Set([...first.redacted, ...second.redacted])],
  }
}

/** States of names that nobody holds. */
const NOT_LIVING =
  /^(?:free|available|no object|not (?:found|registered|allowed)|reserved|blocked|unavailable|prohibited|restricted|forbidden)\b/i

/** Whether it says anything that only the registry of a registered name can know. */
export function saysAnything({ name, nameServers, statuses, created, registrar, handle }: Registration): boolean {
  const lives = statuses.some(status => !NOT_LIVING.test(status))
  const facts = [nameServers.length > 0, lives, created, registrar, handle].filter(Boolean).length
  return facts > (name ? 0 : 1)
}
