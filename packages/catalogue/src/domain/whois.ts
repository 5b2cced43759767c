import { field, Problem, type ServerContext, sh, tool, type Update } from '@assay/kit'
import { parseDomain, parseHost } from '@assay/lib/domain/name'
import { registrableDomain } from '@assay/lib/domain/suffix'
import { classify } from '@assay/lib/ip/special'
import { registrationOf, relatedLink } from '@assay/lib/rdap/domain'
import type { Json } from '@assay/lib/rdap/json'
import { type NumberResource, numberResourceOf } from '@assay/lib/rdap/network'
import { registrationIn } from '@assay/lib/whois/domain'
import { numberResourceIn } from '@assay/lib/whois/number'
import { type Contact, mergeRegistrations, type Registration, saysAnything } from '@assay/lib/whois/registration'
import { IANA_WHOIS } from '@assay/lib/whois/server'
import {
  type Asked,
  askRdap,
  askWhois,
  createLog,
  type Log,
  type RawAnswer,
  rdapService,
  type Subject,
  subjectUrl,
  type WhoisAnswer,
} from './registry.ts'
import { showWhois } from './whois.show.ts'
import { examples } from './whois-examples.ts'

/** Name servers whose addresses are looked up where the registry does not give them. */
const MAX_RESOLVED_SERVERS = 6

export interface WhoisResult {
  domain_info: {
    domain_name: string
    registrar: string | null
    whois_server: string | null
    domain_id: string | null
    dnssec: string | null
    /** The name in its own script, where that is another. */
    unicode_name: string | null
    registrar_iana_id: string | null
    registrar_url: string | null
  }
  registration_info: { creation_date: string | null; expiration_date: string | null; updated_date: string | null }
  domain_status: string[]
  nameservers: { name_servers: string[]; name_server_ips: { data: Record<string, string[]> } }
  registrant: ContactResult
  contacts: { admin_contact: ContactResult; tech_contact: ContactResult }
  registrar_info: { registrar_abuse_email: string | null; registrar_abuse_phone: string | null }
  /** What was looked up: the registered domain of the name, the address, or the AS number. */
  query: string
  kind: Subject['kind']
  /** 'table': an address that is special everywhere; nobody was asked. */
  source: 'rdap' | 'whois' | 'both' | 'table'
  /** An address block or a range of AS numbers, for those. */
  network: { name: string | null; handle: string | null; ranges: string[] } | null
  /** Fields that the registry keeps to itself on purpose. */
  redacted: string[]
  servers: Asked[]
  raw: RawAnswer[]
}

interface ContactResult {
  name: string | null
  org: string | null
  address: string[] | null
  country: string | null
  email: string | null
  phone: string | null
}

/** Who registered a domain, or holds an address or an AS number. RFC 9083 first, RFC 3912 where that is not to be had. */
export const whois = tool({
  id: 'whois',
  path: 'whois',
  title: 'Whois Lookup',
  category: 'dns-tools',
  summary: 'Who registered a domain, through whom and until when, or who holds an IP address or an AS number.',
  keywords: ['rdap', 'registrar', 'registrant', 'expiry date', 'domain owner', 'name servers', 'abuse contact', 'asn'],
  specs: ['RFC 9083', 'RFC 9082', 'RFC 9224', 'RFC 3912', 'RFC 9537', 'RFC 8056'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['whois/{domain}'],
  button: ['Search', 'Searching…'],
  fields: { domain: field.holding('Domain, IP address or AS number') },

  async *run({ domain }, context) {
    const subject = subjectOf(domain)
    const log = createLog(context)
    if (subject.kind !== 'domain') return yield* lookUpNumber(subject, context, log)
    return yield* lookUpDomain(subject, context, log)
  },

  show: showWhois,

  terminal(_, { query, servers }) {
    const asked = servers.find(({ outcome }) => outcome === 'found')
    if (asked?.protocol === 'rdap') {
      return { command: sh`curl -sSL -H ${'Accept: application/rdap+json'} ${asked.question}` }
    }
    return { command: asked ? sh`whois -h ${asked.server} ${asked.question}` : sh`whois ${query}` }
  },

  examples,
})

function subjectOf(typed: string): Subject {
  if (/^AS\d{1,10}$/i.test(typed)) return { kind: 'autnum', name: typed.toUpperCase() }
  const host = parseHost(typed)
  if (host.kind === 'address') return { kind: 'ip', name: host.ascii }
  return { kind: 'domain', name: registrableDomain(host.ascii) ?? host.ascii }
}

interface Pieces {
  rdap?: Registration
  whois?: Registration
}

async function* lookUpDomain(
  subject: Subject,
  context: ServerContext,
  log: Log,
): AsyncGenerator<Update<WhoisResult>, WhoisResult, void> {
  const found: Pieces = {}
  const exists = context.dns.resolve(`${subject.name}.`, 'NS')
  // The answer is wanted only where the registry knows nothing; until then a failure of it is nobody's business.
  exists.catch(() => {})
  yield { label: 'asking for the registry of the name' }
  const service = await rdapService(subject, context)
  const rdap = service ? await askRdap(subjectUrl(service, subject), context, log) : undefined
  if (rdap?.outcome === 'found') {
    const registration = ownRegistration(rdap.answer, subject)
    if (registration) found.rdap = registration
    const related = relatedLink(rdap.answer, rdap.url)
    if (registration && related) {
      yield { label: 'asking the registrar', partial: domainResult(subject, found, log, new Map()) }
      const more = await askRdap(related, context, log)
      const registrars = more.outcome === 'found' ? ownRegistration(more.answer, subject) : undefined
      if (registrars) found.rdap = mergeRegistrations(registration, registrars)
    }
  }
  let answers: WhoisAnswer[] = []
  if (rdap?.outcome !== 'not-found' && !isEnough(found.rdap)) {
    yield { label: 'asking on port 43' }
    answers = await askWhois(subject, context, log, entries => saysAnything(registrationIn(entries, subject.name)))
    const registrations = answers
      .filter(({ verdict }) => verdict === 'found')
      .map(({ entries }) => registrationIn(entries, subject.name))
    const [first, ...rest] = registrations
    if (first) found.whois = rest.reduce(mergeRegistrations, first)
  }
  if (!found.rdap && !found.whois) throw await whyNothing(log, await exists)
  return domainResult(subject, found, log, await addressesOf(found, context))
}

/** The registration in an answer, unless it is about another name. Some servers write the name in its own script. */
function ownRegistration(answer: Json, { name }: Subject): Registration | undefined {
  const registration = registrationOf(answer)
  if (!registration?.name || registration.name === name) return registration
  try {
    return parseDomain(registration.name, { topLevel: true }).ascii === name ? registration : undefined
  } catch {
    return undefined
  }
}

/** Some registries' RDAP leaves out what their port 43 says. */
const isEnough = (registration: Registration | undefined) =>
  registration !== undefined && Boolean(registration.registrar ?? registration.created ?? registration.expires)

/**
 * What to say where nobody gave a registration. "Not registered" takes two witnesses: a registry that has no record, and
 * the DNS, in which the name does not exist. A limit is never taken for an answer.
 */
async function whyNothing(log: Log, { status }: { status: string }): Promise<Problem> {
  const ended = (outcome: Asked['outcome']) =>
    log.asked.find(asked => asked.outcome === outcome && asked.server !== IANA_WHOIS)
  const reserved = ended('reserved')
  if (reserved) {
    const detail = `${reserved.server} says that the name is reserved or blocked.`
    return new Problem('not-found', 'The registry has set this name aside: it cannot be registered.', { detail })
  }
  const absent = ended('not-found')
  if (absent && status === 'nxdomain') {
    const detail = `${absent.server} has no record of it, and it does not exist in the DNS.`
    return new Problem('not-found', 'Domain is not registered', { detail })
  }
  if (absent) {
    const delegated = status === 'answer' || status === 'nodata'
    const detail = delegated
      ? 'It exists in the DNS all the same, so it may be reserved or belong to the registry.'
      : 'The DNS could not be asked, so whether the name is free is not certain.'
    return new Problem('not-found', 'The registry holds no record of this name.', { detail })
  }
  if (ended('limited')) return limitedProblem(ended('limited'))
  const [only] = log.asked
  if (
    log.asked.length === 1 &&
    only?.server === IANA_WHOIS &&
    (only.outcome === 'unclear' || only.outcome === 'not-found')
  ) {
    const detail = 'IANA names neither an RDAP nor a WHOIS service for it.'
    return new Problem('not-found', 'This top-level domain has no registry that can be asked.', { detail })
  }
  return silence(log)
}

const limitedProblem = (asked: Asked | undefined) =>
  new Problem('limited', 'The registry answers no more questions for now.', {
    detail: [asked?.server, asked?.detail].filter(Boolean).join(': '),
  })

/** Nobody gave anything that could be read. */
function silence(log: Log): Problem {
  const said = log.asked.map(({ server, outcome, detail }) => `${server}: ${detail ?? outcome}`).join(' ')
  if (log.asked.length && log.asked.every(({ outcome }) => outcome === 'timeout')) {
    return new Problem('timeout', 'No registry answered in time.', { detail: said })
  }
  return new Problem('unreachable', 'No registry gave an answer that can be read.', { detail: said || undefined })
}

async function* lookUpNumber(
  subject: Subject,
  context: ServerContext,
  log: Log,
): AsyncGenerator<Update<WhoisResult>, WhoisResult, void> {
  const special = subject.kind === 'ip' ? classify(subject.name).block : undefined
  if (special) {
    const resource = { name: special.name, handle: special.rfc, ranges: [special.prefix], statuses: ['reserved'] }
    return numberResult(subject, resource, 'table', log)
  }
  yield { label: 'asking the regional registry' }
  const service = await rdapService(subject, context)
  const rdap = service ? await askRdap(subjectUrl(service, subject), context, log) : undefined
  const resource = rdap?.outcome === 'found' ? numberResourceOf(rdap.answer) : undefined
  if (resource) return numberResult(subject, resource, 'rdap', log)
  if (rdap?.outcome !== 'not-found') {
    yield { label: 'asking on port 43' }
    const answers = await askWhois(subject, context, log, entries => numberResourceIn(entries).ranges.length > 0)
    const last = answers.findLast(({ verdict }) => verdict === 'found')
    if (last) return numberResult(subject, numberResourceIn(last.entries), 'whois', log)
  }
  const limited = log.asked.find(({ outcome }) => outcome === 'limited')
  if (limited) throw limitedProblem(limited)
  if (log.asked.some(({ outcome }) => outcome === 'not-found')) {
    throw new Problem('not-found', 'No regional registry holds a record of this number.')
  }
  throw silence(log)
}

/** Where the registry gives no addresses of the name servers, the DNS does. */
async function addressesOf(found: Pieces, { dns }: ServerContext): Promise<ReadonlyMap<string, string[]>> {
  const servers = (found.rdap?.nameServers.length ? found.rdap : (found.whois ?? found.rdap))?.nameServers ?? []
  const missing = servers.filter(({ addresses }) => !addresses.length).slice(0, MAX_RESOLVED_SERVERS)
  const looked = await Promise.all(
    missing.map(async ({ name }) => {
      const answers = await Promise.all(['A', 'AAAA'].map(type => dns.resolve(`${name}.`, type)))
      const addresses = answers.flatMap(({ records }) =>
        records.flatMap(record =>
          (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : [],
        ),
      )
      return [name, addresses] as const
    }),
  )
  return new Map(looked)
}

const contactResult = (contact: Contact = {}): ContactResult => ({
  name: contact.name ?? null,
  org: contact.org ?? null,
  address: contact.address ?? null,
  country: contact.country ?? null,
  email: contact.email ?? null,
  phone: contact.phone ?? null,
})

function domainResult(
  subject: Subject,
  { rdap, whois }: Pieces,
  log: Log,
  looked: ReadonlyMap<string, string[]>,
): WhoisResult {
  const merged = rdap && whois ? mergeRegistrations(rdap, whois) : (rdap ?? whois)
  const servers = merged?.nameServers ?? []
  const unicode = parseDomain(subject.name, { topLevel: true }).unicode
  return {
    domain_info: {
      domain_name: subject.name,
      registrar: merged?.registrar ?? null,
      whois_server: merged?.whoisServer ?? null,
      domain_id: merged?.handle ?? null,
      dnssec: merged?.dnssec ?? null,
      unicode_name: unicode === subject.name ? null : unicode,
      registrar_iana_id: merged?.registrarId ?? null,
      registrar_url: merged?.registrarUrl ?? null,
    },
    registration_info: {
      creation_date: merged?.created ?? null,
      expiration_date: merged?.expires ?? null,
      updated_date: merged?.updated ?? null,
    },
    domain_status: merged?.statuses ?? [],
    nameservers: {
      name_servers: servers.map(({ name }) => name),
      name_server_ips: {
        data: Object.fromEntries(
          servers.map(({ name, addresses }) => [name, addresses.length ? addresses : (looked.get(name) ?? [])]),
        ),
      },
    },
    registrant: contactResult(merged?.contacts.registrant),
    contacts: {
      admin_contact: contactResult(merged?.contacts.admin),
      tech_contact: contactResult(merged?.contacts.tech),
    },
    registrar_info: {
      registrar_abuse_email: merged?.contacts.abuse?.email ?? null,
      registrar_abuse_phone: merged?.contacts.abuse?.phone ?? null,
    },
    query: subject.name,
    kind: 'domain',
    source: rdap && whois ? 'both' : whois ? 'whois' : 'rdap',
    network: null,
    redacted: merged?.redacted ?? [],
    servers: log.asked,
    raw: log.raw,
  }
}

/** OPEN-034: the registry's word on a number in the fields of a domain; what a number has not is missing. */
function numberResult(
  subject: Subject,
  resource: NumberResource,
  source: 'rdap' | 'whois' | 'table',
  log: Log,
): WhoisResult {
  const { organization, country } = resource
  const base = domainResult({ kind: 'domain', name: 'number.invalid' }, {}, log, new Map())
  return {
    ...base,
    domain_info: {
      ...base.domain_info,
      domain_name: subject.name,
      unicode_name: null,
      domain_id: resource.handle ?? null,
      whois_server: resource.whoisServer ?? null,
    },
    registration_info: {
      creation_date: resource.created ?? null,
      expiration_date: null,
      updated_date: resource.updated ?? null,
    },
    domain_status: resource.statuses,
    registrant: contactResult({ ...organization, ...(!organization?.country && country && { country }) }),
    contacts: { admin_contact: contactResult(resource.admin), tech_contact: contactResult(resource.tech) },
    registrar_info: {
      registrar_abuse_email: resource.abuse?.email ?? null,
      registrar_abuse_phone: resource.abuse?.phone ?? null,
    },
    query: subject.name,
    kind: subject.kind,
    source,
    network: { name: resource.name ?? null, handle: resource.handle ?? null, ranges: resource.ranges },
  }
}
