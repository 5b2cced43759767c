/** A WHOIS answer about a domain as a registration: the words that registries use for the same things. */

import { findAddress, formatAddress } from '../ip/address.ts'
import { meaningful } from '../rdap/jcard.ts'
import { eppStatus } from '../rdap/status.ts'
import type { Entry } from './answer.ts'
import { canonicalDate } from './dates.ts'
import { type Contact, emptyRegistration, put, type Registration, type Role } from './registration.ts'

const KEYS = {
  name: ['domain name', 'domain', 'domainname', 'nom de domaine', 'domain name (ascii)', 'query'],
  registrar: [
    'registrar',
    'registrar name',
    'sponsoring registrar',
    'registered by',
    'authorized agency',
    'registration service provider',
    'current registar',
    'provider',
  ],
  registrarId: ['registrar iana id'],
  registrarUrl: ['registrar url', 'website', 'registrar website', 'referral url'],
  whoisServer: ['registrar whois server', 'whois server'],
  handle: ['registry domain id', 'domain id', 'roid', 'registry id'],
  dnssec: [
    'dnssec',
    'signed',
    'dnssec signed',
    'ds records',
    'ds-rdata',
    'dsrecord',
    'dnssec ds data',
    'dnskey',
    'signing key',
    'ds rdata',
  ],
  created: [
    'creation date',
    'created',
    'created on',
    'registered on',
    'registered',
    'registration date',
    'registration time',
    'created date',
    'domain registration date',
    'domain created',
    'registered date',
    'activated',
    'domain name commencement date',
    'first registered',
    'domain record activated',
    'record created',
    'regdate',
    'registration',
    'created-date',
    '登録年月日',
  ],
  expires: [
    'registry expiry date',
    'registrar registration expiration date',
    'expiry date',
    'expiration date',
    'expires',
    'expires on',
    'expire date',
    'expire',
    'paid-till',
    'renewal date',
    'expiration time',
    'valid until',
    'validity',
    'valid-date',
    'domain expires',
    'record expires',
    'renewal',
    'expires-date',
    'expdate',
    'domain expiration date',
    'exp date',
    '有効期限',
  ],
  updated: [
    'updated date',
    'last updated',
    'last updated on',
    'last-update',
    'changed',
    'last modified',
    'modified',
    'last update',
    'last-updated',
    'updated',
    'update date',
    'record last updated',
    'domain last updated date',
    'last updated date',
    '最終更新',
  ],
  status: ['domain status', 'status', 'state', 'eppstatus', 'registration status', 'registry lock'],
  servers: [
    'name server',
    'nserver',
    'name servers',
    'nameserver',
    'nameservers',
    'dns',
    'ns',
    'domain servers in listed order',
    'domain servers',
    'domain nameservers',
    'host name',
    'name servers information',
    'hostname',
    'nameserver information',
    'dns servers',
    'primary server',
    'secondary server',
    'ns 1',
    'ns 2',
    'ns 3',
    'ns 4',
    'nserver1',
    'nserver2',
  ],
} as const

const ROLES: readonly (readonly [Role, readonly string[]])[] = [
  [
    'registrant',
    ['registrant', 'holder', 'owner', 'domain holder', 'registrant contact', 'holder-c', 'owner-c', 'org'],
  ],
  [
    'admin',
    [
      'admin',
      'administrative contact',
      'administrative',
      'admin contact',
      'admin-c',
      'administrative contact(ac)',
      'ac',
    ],
  ],
  ['tech', ['tech', 'technical contact', 'technical', 'technical contacts', 'tech-c', 'technical manager']],
  ['billing', ['billing', 'billing contact', 'billing-c']],
  ['abuse', ['registrar abuse contact', 'abuse', 'abuse-c']],
]

/** Field of a contact by the word after its role, or in its section. */
const CONTACT: ReadonlyMap<string, keyof Contact> = new Map(
  Object.entries<keyof Contact>({
    name: 'name',
    'contact name': 'name',
    person: 'name',
    role: 'name',
    'registrant name': 'name',
    '': 'name',
    organization: 'org',
    organisation: 'org',
    org: 'org',
    company: 'org',
    'company name': 'org',
    'organization name': 'org',
    orgname: 'org',
    contact: 'org',
    street: 'address',
    address: 'address',
    addr: 'address',
    city: 'address',
    'state/province': 'address',
    'postal code': 'address',
    'post code': 'address',
    zipcode: 'address',
    street1: 'address',
    street2: 'address',
    'zip code': 'address',
    postalcode: 'address',
    state: 'address',
    country: 'country',
    'country code': 'country',
    countrycode: 'country',
    'country/economy': 'country',
    email: 'email',
    'e-mail': 'email',
    'contact email': 'email',
    mail: 'email',
    mailbox: 'email',
    phone: 'phone',
    tel: 'phone',
    telephone: 'phone',
    'phone number': 'phone',
    'contact phone': 'phone',
  }),
)

/** Longer lists are cut: no domain has more. */
const MAX_LISTED = 50

export function registrationIn(entries: readonly Entry[], wanted: string): Registration {
  const found = emptyRegistration()
  const values = (keys: readonly string[]): string[] =>
    keys.flatMap(key => entries.filter(entry => entry.key === key).flatMap(({ value }) => meaningful(value) ?? []))
  const first = (keys: readonly string[]) => values(keys)[0]
  const date = (keys: readonly string[]) => values(keys).flatMap(value => canonicalDate(cutNote(value)) ?? [])[0]
  const names = values(KEYS.name).map(value => value.split(/[\s(]/)[0]?.toLowerCase().replace(/\.$/, '') ?? '')
  put(found, 'name', names.find(name => name === wanted) ?? names.find(name => name.includes('.')))
  put(found, 'registrar', registrarOf(entries, first(KEYS.registrar)))
  put(found, 'registrarId', first(KEYS.registrarId))
  put(
    found,
    'registrarUrl',
    values(KEYS.registrarUrl).find(value => /^https?:\/\//i.test(value)),
  )
  put(
    found,
    'whoisServer',
    values(KEYS.whoisServer)
      .find(value => /^[\w.-]+$/.test(value))
      ?.toLowerCase(),
  )
  put(found, 'handle', first(KEYS.handle))
  put(found, 'dnssec', dnssecOf(values(KEYS.dnssec)))
  put(found, 'created', date(KEYS.created))
  put(found, 'expires', date(KEYS.expires))
  put(found, 'updated', date(KEYS.updated))
  found.statuses = [...new Set(values(KEYS.status).flatMap(splitStatuses).map(eppStatus))].slice(0, MAX_LISTED)
  found.nameServers = nameServersIn(values(KEYS.servers)).slice(0, MAX_LISTED)
  found.contacts = contactsIn(entries)
  found.redacted = redactedIn(entries)
  return found
}

/** "2024-01-02 (YYYY-MM-DD)" and "20240102 #12345": what follows the date. RIPE writes "user@host 20240102" before it. */
const cutNote = (value: string) => value.replace(/\s+#.*$/, '').replace(/^\S+@\S+\s+/, '')

/** Under a heading the name stands on a line of its own, or after "Name:". A tag in brackets is the registry's code. */
function registrarOf(entries: readonly Entry[], plain: string | undefined): string | undefined {
  const named = entries.find(
    ({ section, key }) => section === 'registrar' && (key === 'name' || key === 'organization'),
  )
  return meaningful(named?.value) ?? plain?.replace(/\s*(?:\[Tag = [^\]]*\]|\(https?:[^)]*\))$/i, '')
}

/** An explicit no is "unsigned"; a DS record or any form of yes is a signed delegation. */
function dnssecOf(values: readonly string[]): Registration['dnssec'] {
  const [value] = values
  if (value === undefined) return undefined
  if (/^(?:unsigned|no|not signed|inactive|disabled|false|n|off|unsigned delegation|none|0)\b/i.test(value))
    return 'unsigned'
  return /^(?:signed|yes|active|true|y|on|enabled|\d+ \d+ \d)/i.test(value) ? 'signedDelegation' : undefined
}

/** "ok https://icann.org/epp#ok", "registered, delegated, verified", "connect". */
const splitStatuses = (value: string): string[] =>
  value
    .replace(/\s*\(?https?:\S*/gi, '')
    .split(/\s*,\s*/)
    .map(part => part.trim())
    .filter(Boolean)

/** "ns1.example.com 192.0.2.1", "ns1.example.com. [192.0.2.1]", "ns1.example.com (192.0.2.1, 2001:db8::1)", several a line. */
function nameServersIn(values: readonly string[]): Registration['nameServers'] {
  const servers = new Map<string, Set<string>>()
  for (const value of values) {
    let current: Set<string> | undefined
    for (const word of value.toLowerCase().split(/[\s,;()[\]]+/)) {
      const text = word.replace(/\.$/, '')
      const address = findAddress(text.replace(/\/\d+$/, ''))
      if (address) current?.add(formatAddress(address))
      else if (/^(?=.{4,253}$)(?:[a-z\d_](?:[a-z\d_-]*[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]+)$/.test(text)) {
        current = servers.get(text) ?? new Set()
        servers.set(text, current)
      }
    }
  }
  return [...servers].map(([name, addresses]) => ({ name, addresses: [...addresses] }))
}

function contactsIn(entries: readonly Entry[]): Registration['contacts'] {
  const contacts: Partial<Record<Role, Contact>> = {}
  for (const [role, words] of ROLES) {
    const contact: Contact = {}
    for (const { key, value, section } of entries) {
      for (const word of words) {
        const field = fieldOf(key, section, word)
        if (field) fill(contact, field, value)
      }
    }
    const handle = entries.find(({ key }) => words.includes(key) && /-c$/.test(key))?.value
    if (handle) fillFromBlock(contact, entries, handle)
    if (Object.keys(contact).length) contacts[role] = contact
  }
  return contacts
}

/** "Registrant Name", or "Name" in the section "Registrant". */
function fieldOf(key: string, section: string, role: string): keyof Contact | undefined {
  if (key === role) return role.endsWith('-c') || role === 'abuse' ? undefined : role.startsWith('org') ? 'org' : 'name'
  if (key.startsWith(`${role} `)) return CONTACT.get(key.slice(role.length + 1))
  return section === role ? CONTACT.get(key) : undefined
}

/** Objects in the manner of RIPE: a block whose nic-hdl or contact is the handle. */
function fillFromBlock(contact: Contact, entries: readonly Entry[], handle: string): void {
  const wanted = handle.toLowerCase()
  const head = entries.find(
    ({ key, value }) => /^(?:nic-hdl|nic-hdl-br|contact|handle)$/.test(key) && value.toLowerCase() === wanted,
  )
  if (!head) return
  for (const { key, value, block } of entries) {
    const field = CONTACT.get(key)
    if (block === head.block && field && value.toLowerCase() !== wanted) fill(contact, field, value)
  }
}

function fill(contact: Contact, field: keyof Contact, value: string): void {
  const said = meaningful(value)
  if (!said) return
  if (field === 'address') contact.address = [...(contact.address ?? []), said].slice(0, 10)
  // A country written out may stand behind the code, or the other way round: the first is kept.
  else if (field !== 'email' || /\S@\S/.test(said)) contact[field] ??= said
}

function redactedIn(entries: readonly Entry[]): string[] {
  const hidden = entries.filter(
    ({ value }) => /redacted|not disclosed|data protected/i.test(value) && !meaningful(value),
  )
  return [...new Set(hidden.map(({ key }) => key))].slice(0, MAX_LISTED)
}
