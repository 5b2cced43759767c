import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import { shortDate } from '@assay/lib/whois/dates'
import type { WhoisResult } from './whois.ts'

/** OPEN-054: what is said where a single value, a date or a name server is missing. */
const NONE = 'N/A'
const NO_DATE = 'Not available'

/** A result as the page may be given it: any part may be missing, values may be lists, the whole in a wrapper. */
type Loose = {
  [K in keyof WhoisResult]?: WhoisResult[K] extends object | null
    ? Record<string, unknown> | unknown[] | null
    : WhoisResult[K]
}

/** The members a value has of its own: a name server may be called constructor. */
const members = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.assign(Object.create(null), value) : {}
const list = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter(each => each !== null && each !== undefined && each !== '')
    .map(String)
const said = (value: unknown, separator = ', ') => list(value).join(separator) || NONE

/** OPEN-055: the first date, short, by UTC. */
const date = (value: unknown) => shortDate(list(value)[0] ?? '') ?? NO_DATE

const outcomes: ReadonlyMap<string, Tone> = new Map(
  Object.entries<Tone>({
    found: 'good',
    'not-found': 'warn',
    limited: 'warn',
    reserved: 'warn',
  }),
)

/** The cards of the WHOIS page. */
export function showWhois(given: WhoisResult): Panel[] {
  const outer = members(given)
  const result: Loose = 'whois_data' in outer ? members(outer.whois_data) : outer
  const info = members(result.domain_info)
  const dates = members(result.registration_info)
  const [registrant, contacts, abuse] = [
    members(result.registrant),
    members(result.contacts),
    members(result.registrar_info),
  ]
  const name = said(info.domain_name)
  const statuses = list(result.domain_status)
  const number = members(result.network)
  const isNumber = result.kind === 'ip' || result.kind === 'autnum'
  return [
    panel.banner('info', typeof info.unicode_name === 'string' ? info.unicode_name : name, {
      ...(typeof result.source === 'string' && { badge: sources.get(result.source) ?? 'RDAP' }),
      ...(typeof info.unicode_name === 'string' && { detail: name }),
    }),
    panel.facts(
      [
        [
          isNumber ? 'Number' : 'Domain Name',
          isNumber || name === NONE ? mono(name) : { text: name, href: `http://${name}`, mono: true },
        ],
        ...(isNumber
          ? ([
              ['Network', said(number.name)],
              ['Range', mono(said(number.ranges))],
            ] as const)
          : []),
        ['Registrar', said(info.registrar)],
        ['Whois Server', serverLink(said(info.whois_server))],
        ['Domain ID', mono(said(info.domain_id))],
        ['DNSSEC', said(info.dnssec)],
      ],
      'Domain Information',
    ),
    panel.facts(
      [
        ['Created', dated(dates.creation_date)],
        ['Expires', dated(dates.expiration_date)],
        ['Updated', dated(dates.updated_date)],
      ],
      'Registration Dates',
    ),
    panel.list(
      statuses.map(status => {
        const detail = meanings.get(status)
        return { text: mono(status), ...(detail && { detail }) }
      }),
      { title: 'Domain Status', empty: 'No status reported' },
    ),
    nameServers(result.nameservers),
    panel.facts(
      [
        ['Name', said(registrant.name)],
        ['Organization', said(registrant.org)],
        ['Address', said(registrant.address)],
        ['Country', said(registrant.country)],
        ['Email', said(registrant.email)],
      ],
      'Registrant',
    ),
    panel.facts(
      [
        ['Admin Email', said(members(contacts.admin_contact).email)],
        ['Tech Email', said(members(contacts.tech_contact).email)],
      ],
      'Contacts',
    ),
    panel.facts(
      [
        ['Email', said(abuse.registrar_abuse_email)],
        ['Phone', said(abuse.registrar_abuse_phone)],
      ],
      'Registrar Abuse',
    ),
    ...sourcesOf(result),
  ]
}

const sources: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    rdap: 'RDAP',
    whois: 'WHOIS',
    both: 'RDAP + WHOIS',
    table: 'SPECIAL ADDRESS',
  }),
)

const dated = (value: unknown): CellData => ({
  text: date(value),
  ...(list(value)[0] && { title: list(value).join(', ') }),
})

const serverLink = (server: string): CellData =>
  /^[a-z\d.-]+\.[a-z\d-]+$/i.test(server) ? { text: server, href: `http://${server}`, mono: true } : mono(server)

function nameServers(value: unknown): Panel {
  const { name_servers, name_server_ips } = members(value)
  const addresses = members(members(name_server_ips).data)
  return panel.list(
    list(name_servers).map(name => ({ text: mono(name), detail: list(addresses[name]).join(', ') || NO_DATE })),
    { title: 'Nameservers', empty: NO_DATE },
  )
}

/** Who was asked, what was kept back, and the answers as they came. */
function sourcesOf(result: Loose): Panel[] {
  const asked = (Array.isArray(result.servers) ? result.servers : []).map(members)
  const raw = (Array.isArray(result.raw) ? result.raw : []).map(members)
  const redacted = list(result.redacted)
  const explained = asked.some(({ detail }) => detail)
  return [
    ...(redacted.length
      ? [panel.note('info', `Kept back by the registry: ${redacted.join(', ')}.`, 'Not everything is public')]
      : []),
    ...(asked.length
      ? [
          panel.table(
            ['Server', 'Protocol', 'Answer', 'Time', ...(explained ? ['Detail'] : [])],
            asked.map(({ server, protocol, outcome, detail, milliseconds }) => [
              mono(String(server)),
              String(protocol).toUpperCase(),
              badge(String(outcome), outcomes.get(String(outcome)) ?? 'bad'),
              `${milliseconds} ms`,
              ...(explained ? [list(detail).join(' ')] : []),
            ]),
            { title: 'Servers asked' },
          ),
        ]
      : []),
    ...raw.map(({ server, protocol, text, truncated }) =>
      panel.section(
        `Answer of ${server}`,
        [panel.code(String(text), protocol === 'rdap' ? { language: 'json' } : {})],
        truncated ? { badge: badge('CUT', 'warn') } : {},
      ),
    ),
  ]
}

/** RFC 5731 §2.3 and RFC 3915 §3.1 in a few words. */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ok: 'Nothing is pending and nothing is forbidden.',
    active: 'Nothing is pending and nothing is forbidden.',
    inactive: 'No name servers are given, so the name does not work.',
    addPeriod: 'Registered a few days ago; the registrar can still undo it.',
    autoRenewPeriod: 'Renewed by the registry at the end of its term; the registrar can still undo it.',
    renewPeriod: 'Renewed a few days ago; the registrar can still undo it.',
    transferPeriod: 'Moved to another registrar a few days ago.',
    redemptionPeriod: 'Deleted, and only the former holder can have it back for now.',
    pendingDelete: 'It will be deleted and become free soon.',
    pendingTransfer: 'It is being moved to another registrar.',
    pendingRestore: 'The former holder has asked for it back.',
    clientHold: 'The registrar has taken it out of the DNS.',
    serverHold: 'The registry has taken it out of the DNS.',
    clientDeleteProhibited: 'The registrar must lift this before it can be deleted.',
    clientTransferProhibited: 'The registrar must lift this before it can be moved away.',
    clientUpdateProhibited: 'The registrar must lift this before it can be changed.',
    clientRenewProhibited: 'The registrar must lift this before it can be renewed.',
    serverDeleteProhibited: 'The registry must lift this before it can be deleted.',
    serverTransferProhibited: 'The registry must lift this before it can be moved away.',
    serverUpdateProhibited: 'The registry must lift this before it can be changed.',
    serverRenewProhibited: 'The registry must lift this before it can be renewed.',
  }),
)
