import { badge, type DnsStatus, field, mono, type Panel, panel, sh, type Terminal, tool } from '@assay/kit'
import { lookUpRecords, type RecordRow, type RecordsResult } from './record-lookup.ts'

/** The types with a page of their own. */
const PAGE_TYPES = ['mx', 'ns', 'txt', 'cname', 'aaaa', 'ptr', 'soa', 'srv', 'naptr', 'caa', 'ds', 'dnskey'] as const

const STATUS_WORDS: Readonly<Record<DnsStatus, string>> = {
  answer: 'answered',
  nodata: 'no records of this type',
  nxdomain: 'the name does not exist',
  servfail: 'server failure',
  refused: 'refused',
  lame: 'the server does not serve the zone',
  'cname-loop': 'aliases in a circle',
  timeout: 'no answer in time',
  network: 'not reachable',
}

/** The table, the aliases, the faults, and what could not be told. */
function details({ records, aliases, checks, outcomes }: RecordsResult): Panel[] {
  const failed = outcomes.filter(({ status }) => status !== 'answer' && status !== 'nodata' && status !== 'nxdomain')
  const owners = records.some(({ name }) => name)
  const meanings = records.some(({ meaning }) => meaning)
  return [
    panel.table(
      ['Record Type', 'Value', 'TTL', ...(owners ? ['Name'] : []), ...(meanings ? ['Meaning'] : [])],
      records.map(({ record_type, value, ttl, name, meaning }) => [
        badge(record_type, 'info'),
        mono(value),
        mono(ttl),
        ...(owners ? [mono(name ?? '')] : []),
        ...(meanings ? [meaning ?? ''] : []),
      ]),
      { scroll: true, empty: 'No DNS Records Found' },
    ),
    ...(aliases.length
      ? [
          panel.table(
            ['Alias', 'Leads to'],
            aliases.map(({ name, target }) => [mono(name), mono(target)]),
            { title: 'Aliases followed' },
          ),
        ]
      : []),
    ...(checks.length ? [panel.checks(checks, 'Checks')] : []),
    ...(failed.length
      ? [
          panel.table(
            ['Record Type', 'What happened'],
            failed.map(({ record_type, status, reason }) => [
              badge(record_type, 'warn'),
              reason ?? STATUS_WORDS[status],
            ]),
            { title: 'Could not tell' },
          ),
        ]
      : []),
  ]
}

/** Counts of a list's values, in order of first appearance. */
function countTypes(records: readonly RecordRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { record_type } of records) counts.set(record_type, (counts.get(record_type) ?? 0) + 1)
  return counts
}

function dig({ query_name }: RecordsResult, types: readonly string[]): Terminal {
  return { command: types.map(type => sh`dig +noall +answer ${query_name} ${type}`).join('; ') }
}

/** All common records of a name at once. RFC 1034, RFC 1035. */
export const dnsLookup = tool({
  id: 'dns-lookup',
  path: 'dns-lookup',
  title: 'DNS Lookup',
  category: 'dns-tools',
  summary: 'All common records of a domain at once, asked at its own name servers.',
  keywords: ['dig', 'nslookup', 'host', 'resolve', 'records', 'A', 'AAAA', 'name server query'],
  specs: ['RFC 1034', 'RFC 1035', 'RFC 8482'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dns-records/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.host('Domain', { placeholder: 'example.com' }) },
  run: lookUpRecords,
  show(result) {
    const counts = countTypes(result.records)
    return [
      panel.banner('neutral', result.domain, { detail: `asked for ${result.outcomes.length} record types` }),
      panel.tiles(...[...counts].map(([type, count]) => ({ label: `${type} records`, value: count }))),
      ...details(result),
      panel.facts(
        [
          ['Total records', result.records.length],
          ['Distinct types', counts.size],
        ],
        'Summary',
      ),
    ]
  },
  terminal: (_, result) => dig(result, [...countTypes(result.records).keys()].slice(0, 4)),
  examples: [
    {
      from: 'RFC 1035 §5.3',
      title: 'The zone file of the standard',
      input: { domain: 'isi.edu' },
      recording: {
        zone: `isi.edu. 60 SOA venera.isi.edu. Action\\.domains.venera.isi.edu. 20 7200 600 3600000 60
isi.edu. 60 NS a.isi.edu.
isi.edu. 60 NS venera.isi.edu.
isi.edu. 60 NS vaxa.isi.edu.
isi.edu. 60 MX 10 venera.isi.edu.
isi.edu. 60 MX 20 vaxa.isi.edu.`,
      },
      result: {
        domain: 'isi.edu',
        error: null,
        records: [
          { record_type: 'MX', value: '10 venera.isi.edu.', ttl: 60 },
          { record_type: 'MX', value: '20 vaxa.isi.edu.', ttl: 60 },
          { record_type: 'NS', value: 'a.isi.edu.', ttl: 60 },
          { record_type: 'NS', value: 'venera.isi.edu.', ttl: 60 },
          { record_type: 'NS', value: 'vaxa.isi.edu.', ttl: 60 },
          {
            record_type: 'SOA',
            value: 'venera.isi.edu. Action\\.domains.venera.isi.edu. 20 7200 600 3600000 60',
            ttl: 60,
            meaning: 'serial 20, mail to Action.domains@venera.isi.edu',
          },
        ],
      },
    },
  ],
})

/** One record type of a name. */
export const dnsRecords = tool({
  id: 'dns-records',
  path: 'dns-records',
  title: 'DNS Records Lookup',
  category: 'dns-tools',
  summary: 'The records of one type that a domain publishes, with what they mean.',
  keywords: ['dig', 'record type', ...PAGE_TYPES, 'reverse', 'mail exchanger', 'certificate authority authorization'],
  specs: ['RFC 1035', 'RFC 2782', 'RFC 3403', 'RFC 4034', 'RFC 7505', 'RFC 8659'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dns-records/{domain}', 'dns-records/{domain}/{type}'],
  button: ['Lookup', 'Searching...'],
  variants: { field: 'type', values: PAGE_TYPES, title: type => `DNS ${type.toUpperCase()} Lookup` },
  fields: {
    domain: field.host('Domain', { placeholder: 'example.com' }),
    type: field.choice('Record type', ['all', ...PAGE_TYPES]),
  },
  run: ({ domain, type }, context) => lookUpRecords({ domain, type: type === 'all' ? undefined : type }, context),
  show: result => [
    panel.banner('neutral', result.domain),
    panel.tiles(
      { label: 'Domain Analyzed', value: mono(result.domain) },
      { label: 'Record Types Found', value: countTypes(result.records).size },
      { label: 'Total Records', value: result.records.length },
      { label: 'Query Status', value: { text: 'Success', tone: 'good' } },
    ),
    ...details(result),
  ],
  terminal: ({ type }, result) => dig(result, [type === 'all' ? 'A' : type.toUpperCase()]),
  examples: [
    {
      from: 'RFC 7505 §3',
      title: 'A domain that takes no mail',
      input: { domain: 'nomail.example.com', type: 'mx' },
      recording: { zone: 'nomail.example.com. 86400 MX 0 .' },
      result: { records: [{ record_type: 'MX', value: '0 .', ttl: 86400 }] },
    },
    {
      from: 'RFC 8659 §4.2',
      title: 'Who may issue certificates',
      input: { domain: 'certs.example.com', type: 'caa' },
      recording: { zone: 'certs.example.com. 3600 CAA 0 issue "ca1.example.net"' },
      result: {
        records: [
          { record_type: 'CAA', value: '0 issue "ca1.example.net"', meaning: 'ca1.example.net may issue certificates' },
        ],
      },
    },
  ],
})
