import { badge, field, mono, Problem, panel, type ServerContext, sh, tool } from '@assay/kit'
import type { ResourceRecord } from '@assay/lib/dns/message'
import { formatAddress, parseAddress, reverseName } from '@assay/lib/ip/address'
import { autnumName, autnumNameIn, nearestOrigins, originName, originsIn } from '@assay/lib/ip/origin'
import { classify } from '@assay/lib/ip/special'
import { addressService, NUMBERS_FALLBACK } from '@assay/lib/rdap/bootstrap'
import {
  judgeRdap,
  MAX_RDAP_BYTES,
  MAX_RDAP_REDIRECTS,
  RDAP_HEADERS,
  RDAP_TIMEOUT_MS,
  rdapUrl,
} from '@assay/lib/rdap/client'
import { type NumberResource, numberResourceOf } from '@assay/lib/rdap/network'

/** How one of the three questions ended. */
interface Source {
  source: 'reverse DNS' | 'RDAP' | 'origin AS'
  outcome: 'found' | 'none' | 'failed' | 'not asked'
  detail: string | null
}

const PUBLIC = 'Public'

/** Whose an address is: the block it lies in, who holds that, and who announces it. RFC 9083 §5.4. */
export const ipLookup = tool({
  id: 'ip-lookup',
  path: 'ip-lookup',
  title: 'IP Lookup',
  category: 'network-tools',
  summary: 'Whose an IP address is: its network, the organization that holds it, and the system that announces it.',
  keywords: ['whose ip', 'asn', 'isp', 'network owner', 'country', 'rdap', 'cymru', 'private address'],
  specs: ['RFC 9083', 'RFC 9224', 'RFC 6890', 'RFC 5396'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['ip-lookup/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { ip: field.ip('IP address') },

  async *run({ ip }, context) {
    const { version } = parseAddress(ip)
    const { block, embedded = [] } = classify(ip)
    const base = {
      ip,
      version,
      /** What kind of address it is: public, or the special block it lies in. */
      range_class: block?.name ?? PUBLIC,
      range: block ? { prefix: block.prefix, name: block.name, document: block.rfc } : null,
      embedded: embedded.map(({ form, address, public: ordinary }) => ({
        form,
        ip: formatAddress(address),
        public: ordinary,
      })),
    }
    const empty = { reverse_dns: null, network: null, organization: null, country: null, asn: null, as_name: null }
    // What is special everywhere is nobody's: whoever asks about 10.0.0.1 only tells what is in use at home.
    if (block) {
      const detail = 'The address is special: nobody outside knows it.'
      const asked: Source['source'][] = ['reverse DNS', 'RDAP', 'origin AS']
      const sources = asked.map((source): Source => ({ source, outcome: 'not asked', detail }))
      const origins: OriginRow[] = []
      return { ...base, ...empty, abuse_email: null, origins, sources }
    }
    const parts = { name: reverse(ip, context), rdap: holder(ip, context), origin: announcer(ip, context) }
    const name = await parts.name
    yield { progress: 1 / 3, label: 'asking the registry and who announces the address' }
    const [rdap, origin] = await Promise.all([parts.rdap, parts.origin])
    const sources = [name.source, rdap.source, origin.source]
    if (sources.every(({ outcome }) => outcome === 'failed')) {
      throw new Problem('unreachable', 'Neither the registry nor the DNS could be asked.', {
        detail:
          sources.flatMap(({ source, detail }) => (detail ? [`${source}: ${detail}`] : [])).join(' ') || undefined,
      })
    }
    const { resource } = rdap
    const [first] = origin.origins
    return {
      ...base,
      reverse_dns: name.reverse_dns,
      network: resource
        ? { name: resource.name ?? null, handle: resource.handle ?? null, ranges: resource.ranges }
        : null,
      organization: resource?.organization?.org ?? resource?.organization?.name ?? null,
      country: resource?.country ?? resource?.organization?.country ?? first?.country ?? null,
      asn: first?.asn ?? null,
      as_name: first?.name ?? null,
      abuse_email: resource?.abuse?.email ?? null,
      /** Several where several systems announce the block. */
      origins: origin.origins,
      sources,
    }
  },

  show({
    ip,
    version,
    range_class,
    range,
    embedded,
    reverse_dns,
    network,
    organization,
    country,
    asn,
    as_name,
    abuse_email,
    origins,
    sources,
  }) {
    const said = (value: string | number | null | undefined) =>
      value === null || value === undefined || value === '' ? 'N/A' : String(value)
    return [
      panel.banner(range ? 'warn' : 'info', ip, {
        badge: range ? 'SPECIAL' : 'PUBLIC',
        detail: range ? `${range.name}, ${range.prefix} (${range.document})` : said(organization),
      }),
      panel.tiles(
        { label: 'Version', value: `IPv${version}` },
        { label: 'Range', value: range_class },
        { label: 'Country', value: said(country), detail: 'of the registration, not of the machine' },
        { label: 'AS', value: asn === null ? 'N/A' : `AS${asn}` },
      ),
      panel.facts(
        [
          ['Host name', mono(said(reverse_dns))],
          ['Network', said(network?.name)],
          ['Range', mono(said(network?.ranges.join(', ')))],
          ['Organization', said(organization)],
          ['Country', said(country)],
          ['Autonomous system', asn === null ? 'N/A' : `AS${asn}`],
          ['AS name', said(as_name)],
          ['Abuse contact', said(abuse_email)],
        ],
        'Address',
      ),
      ...(origins.length
        ? [
            panel.table(
              ['AS', 'Name', 'Announced block', 'Registry', 'Allocated'],
              origins.map(each => [
                mono(`AS${each.asn}`),
                said(each.name),
                mono(each.prefix),
                said(each.registry),
                said(each.allocated),
              ]),
              { title: 'Announced by' },
            ),
          ]
        : []),
      ...(embedded.length
        ? [
            panel.table(
              ['IPv4 address inside', 'Form', 'Kind'],
              embedded.map(each => [mono(each.ip), each.form, each.public ? 'public' : 'special']),
              { title: 'Carried inside' },
            ),
          ]
        : []),
      panel.table(
        ['Source', 'Answer', 'Detail'],
        sources.map(({ source, outcome, detail }) => [source, badge(outcome, tones[outcome]), detail ?? '']),
        { title: 'Sources' },
      ),
    ]
  },

  terminal: ({ ip }) => ({ command: sh`dig +short TXT ${originName(ip)}` }),

  examples: [
    {
      from: 'Team Cymru, "IP to ASN Mapping", DNS',
      title: 'A public address',
      input: { ip: '216.90.108.31' },
      recording: {
        zone: `31.108.90.216.origin.asn.cymru.com. TXT "23028 | 216.90.108.0/24 | US | arin | 1998-09-25"
AS23028.asn.cymru.com. TXT "23028 | US | arin | 2002-01-04 | TEAM-CYMRU - Team Cymru Inc., US"`,
      },
      result: { version: 4, range_class: PUBLIC, country: 'US', asn: 23_028, as_name: 'TEAM-CYMRU - Team Cymru Inc.' },
    },
    {
      from: 'RFC 1918 §3',
      title: 'A private address',
      input: { ip: '192.168.1.1' },
      recording: {},
      result: {
        range_class: 'Private use',
        range: { prefix: '192.168.0.0/16', document: 'RFC 1918' },
        asn: null,
        country: null,
      },
    },
    {
      from: 'RFC 3849',
      title: 'An address of the documentation',
      input: { ip: '2001:db8::1' },
      recording: {},
      result: { version: 6, range_class: 'Documentation', range: { prefix: '2001:db8::/32' } },
    },
  ],
})

const tones = { found: 'good', none: 'neutral', failed: 'bad', 'not asked': 'neutral' } as const

interface OriginRow {
  asn: number
  name: string | null
  prefix: string
  country: string | null
  registry: string | null
  allocated: string | null
}

async function reverse(ip: string, { dns }: ServerContext): Promise<{ reverse_dns: string | null; source: Source }> {
  const { status, records, reason } = await dns.resolve(`${reverseName(ip)}.`, 'PTR')
  const [name] = records.flatMap(record => (record.type === 'PTR' && record.data ? [record.data.ptrdname] : []))
  const source = { source: 'reverse DNS', detail: reason ?? null } as const
  if (name) return { reverse_dns: name.replace(/\.$/, ''), source: { ...source, outcome: 'found' } }
  const told = status === 'nxdomain' || status === 'nodata' || status === 'answer'
  return { reverse_dns: null, source: { ...source, outcome: told ? 'none' : 'failed' } }
}

/** The registry's record, over RDAP. A failure of it leaves the rest of the answer standing. */
async function holder(ip: string, context: ServerContext): Promise<{ resource?: NumberResource; source: Source }> {
  const file = await context.whois.bootstrap(ip.includes(':') ? 'ipv6' : 'ipv4')
  const url = rdapUrl(addressService(file.text, ip) ?? NUMBERS_FALLBACK, 'ip', ip)
  const failed = (detail: string): { source: Source } => ({ source: { source: 'RDAP', outcome: 'failed', detail } })
  try {
    const limits = { bodyBytes: MAX_RDAP_BYTES, timeoutMs: RDAP_TIMEOUT_MS, redirects: MAX_RDAP_REDIRECTS }
    const judged = judgeRdap(url, await context.http.get(url, { headers: RDAP_HEADERS, ...limits }))
    if (judged.outcome === 'not-found') {
      return { source: { source: 'RDAP', outcome: 'none', detail: 'The registry holds no record of it.' } }
    }
    if (judged.outcome !== 'found') return failed(judged.detail)
    const resource = numberResourceOf(judged.answer)
    const detail = `from ${new URL(judged.url).hostname}`
    return resource
      ? { resource, source: { source: 'RDAP', outcome: 'found', detail } }
      : failed('The answer is about something else.')
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    return failed(`${error.message.replace(/\.?$/, '.')} ${error.detail ?? ''}`.trim())
  }
}

async function announcer(ip: string, { dns }: ServerContext): Promise<{ origins: OriginRow[]; source: Source }> {
  const answer = await dns.resolve(`${originName(ip)}.`, 'TXT')
  const origins = answer.records.flatMap(record => textsOf(record).flatMap(text => originsIn(text, ip)))
  const source = { source: 'origin AS', detail: answer.reason ?? null } as const
  if (!origins.length) {
    const told = answer.status === 'nxdomain' || answer.status === 'nodata' || answer.status === 'answer'
    const detail = told ? 'Nobody announces the address, or it is not in the list of Team Cymru.' : source.detail
    return { origins: [], source: { ...source, outcome: told ? 'none' : 'failed', detail } }
  }
  const nearest = nearestOrigins(origins).slice(0, MAX_ORIGINS)
  const rows = await Promise.all(
    nearest.map(async ({ asn, prefix, country, registry, allocated }) => {
      const { records } = await dns.resolve(`${autnumName(asn)}.`, 'TXT')
      const name = records.flatMap(textsOf).flatMap(text => autnumNameIn(text) ?? [])[0] ?? null
      return { asn, name, prefix, country: country ?? null, registry: registry ?? null, allocated: allocated ?? null }
    }),
  )
  return { origins: rows, source: { ...source, outcome: 'found' } }
}

/** More systems than this never announce the same block. */
const MAX_ORIGINS = 5

/** The strings of a record, put together as they are one text. */
const textsOf = (record: ResourceRecord): string[] =>
  record.type === 'TXT' && record.data ? [record.data.strings.join('')] : []
