import { badge, field, mono, Problem, panel, type ServerContext, sh, tool, type Update } from '@assay/kit'
import { presentation, type ResourceRecord } from '@assay/lib/dns/message'
import { isOpen, TRANSFER_LIMITS, type TransferEnd, type TransferStatus } from '@assay/lib/dns/transfer'
import { type WalkEnd, type WalkStatus, walkZone } from './nsec-walk.ts'
import { findZoneServers } from './zone-servers.ts'

/** Records of an open transfer that are shown; nothing of it is kept. */
const MAX_RECORDS_SHOWN = 25
/** Names that a walk along NSEC records collects, and those of them that are shown. */
const MAX_NAMES_WALKED = 500
const MAX_NAMES_SHOWN = 50

interface ServerRow {
  name: string
  address: string
  status: TransferStatus | 'waiting'
  vulnerable: boolean
  records: number
  messages: number
  bytes: number
  /** What the server says the zone's serial is, asked before the transfer; null when it said nothing. */
  serial: number | null
  detail: string
}

interface Walk {
  status: WalkStatus | 'waiting'
  complete: boolean
  names_found: number
  names: string[]
}

interface Result {
  domain: string
  vulnerable: boolean
  message: string
  zone: string
  servers: ServerRow[]
  /** The first records of an open transfer, in the form of a zone file. */
  records: { name: string; ttl: number; record_type: string; value: string }[]
  walk: Walk
}

const WORDS: Readonly<Record<TransferStatus | 'waiting', string>> = {
  waiting: 'being asked',
  transferred: 'gave the whole zone',
  limit: 'gave the zone until we broke off',
  cut: 'gave part of the zone and broke off',
  'soa-only': 'gave the SOA record and nothing else',
  refused: 'refused (REFUSED)',
  notauth: 'does not serve the zone, or not to us (NOTAUTH)',
  error: 'answered with an error',
  empty: 'answered without records',
  closed: 'closed the connection without an answer',
  timeout: 'did not answer in time',
  unreachable: 'could not be reached',
}

const WALK_WORDS: Readonly<Record<Walk['status'], string>> = {
  waiting: 'being looked at',
  walkable: 'The zone is signed with NSEC, so its names can be listed one after the other without any transfer.',
  hashed: 'The zone is signed with NSEC3: names are hashed, and only guesses can be tested against the hashes.',
  minimal: 'The zone is signed as it is asked, so its proofs name no neighbours that exist.',
  unsigned: 'The zone proves nothing with NSEC, so there is nothing to walk along.',
  unknown: 'Whether the zone can be walked along NSEC records could not be told.',
}

/** These two say nothing about the policy of the server. */
const isSilent = ({ status }: ServerRow) => status === 'timeout' || status === 'unreachable'

/** Whether anybody may copy a whole zone. RFC 5936. */
export const zoneTransferCheck = tool({
  id: 'zone-transfer-check',
  path: 'zone-transfer-check',
  title: 'Zone Transfer Check',
  category: 'dns-tools',
  summary: 'Whether a name server of a domain hands the whole zone to anyone who asks.',
  keywords: ['axfr', 'dns zone transfer', 'dig axfr', 'allow-transfer', 'nsec walking', 'zone enumeration'],
  specs: ['RFC 5936', 'RFC 4034', 'RFC 5155', 'RFC 9103'],
  runs: 'server',
  weight: 'scan',
  lookups: ['zone-transfer-check/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context): AsyncGenerator<Update<Result>, Result, void> {
    const { zone, servers } = await findZoneServers(domain, context.dns)
    const rows: ServerRow[] = servers.flatMap(({ name, addresses }) =>
      addresses.map(address => ({ name, address, ...nothing, status: 'waiting', detail: WORDS.waiting })),
    )
    if (!rows.length) {
      const detail = 'No name server of the zone has an address.'
      throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail })
    }
    const records: ResourceRecord[] = []
    const walk: Walk = { status: 'waiting', complete: false, names_found: 0, names: [] }
    const summarise = () => resultOf({ domain, zone, rows, records, walk })

    const waiting = new Map(rows.map((row, i) => [i, transferFrom(row, zone, records, context).then(() => i)]))
    while (waiting.size) {
      waiting.delete(await Promise.race(waiting.values()))
      const label = `${rows.length - waiting.size} of ${rows.length} servers answered or given up`
      yield { progress: ((rows.length - waiting.size) / rows.length) * 0.7, label, partial: summarise() }
    }
    if (rows.every(isSilent)) {
      const silent = rows.every(({ status }) => status === 'timeout')
      const detail = `${rows.length} addresses of name servers were tried over TCP.`
      if (silent) throw new Problem('timeout', 'Request timeout', { detail })
      throw new Problem('unreachable', 'No name server of this zone can be reached.', { detail })
    }
    const best = rows.find(({ serial }) => serial !== null) ?? rows.find(row => !isSilent(row)) ?? rows[0]
    const steps = walkZone(context.dns, { server: best?.address ?? '', zone, most: MAX_NAMES_WALKED })
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done) {
        Object.assign(walk, step.value satisfies WalkEnd)
        return summarise()
      }
      walk.names_found++
      if (walk.names.length < MAX_NAMES_SHOWN) walk.names.push(step.value.replace(/\.$/, ''))
      if (walk.names_found % 50 === 0) {
        yield { progress: 0.8, label: `${walk.names_found} names along NSEC records`, partial: summarise() }
      }
    }
  },

  show({ vulnerable, message, zone, servers, records, walk }) {
    return [
      panel.banner(vulnerable ? 'bad' : 'good', zone.replace(/\.$/, '') || '.', {
        badge: vulnerable ? 'VULNERABLE' : 'SECURE',
      }),
      panel.section(
        vulnerable ? 'Zone Transfer Vulnerability Detected' : 'Zone Transfer Protection Active',
        [panel.note(vulnerable ? 'bad' : 'good', message)],
        { badge: vulnerable ? badge('HIGH RISK', 'bad') : badge('PROTECTED', 'good') },
      ),
      panel.tiles(
        vulnerable
          ? { label: 'Risk Level', value: { text: 'HIGH', tone: 'bad' }, detail: 'Immediate action required' }
          : { label: 'Risk Level', value: { text: 'LOW', tone: 'good' }, detail: 'Configuration secure' },
        { label: 'DNS Zone', value: 'TESTED' },
        {
          label: 'Protection',
          value: vulnerable ? { text: 'DISABLED', tone: 'bad' } : { text: 'ENABLED', tone: 'good' },
        },
      ),
      vulnerable
        ? panel.list(
            [
              { text: 'Restrict transfers to authorized servers', detail: 'Name the secondaries, and nobody else.' },
              { text: 'Use access control lists', detail: 'By address, and better by key (TSIG, RFC 8945).' },
              { text: 'Review configuration', detail: 'Of every server of the zone: one open server is enough.' },
            ],
            { title: 'Immediate actions' },
          )
        : panel.note(
            'good',
            'None of the servers that answered gives the zone to strangers.',
            'Excellent Security Configuration',
          ),
      panel.table(
        ['Name server', 'Address', 'Answer', 'Records'],
        servers.map(row => [
          mono(row.name),
          mono(row.address),
          { text: row.detail, tone: row.vulnerable ? 'bad' : isSilent(row) ? 'warn' : 'neutral' },
          row.records,
        ]),
        { title: 'Every name server, every address', scroll: true },
      ),
      ...(records.length
        ? [
            panel.table(
              ['Name', 'TTL', 'Type', 'Value'],
              records.map(({ name, ttl, record_type, value }) => [
                mono(name),
                mono(ttl),
                badge(record_type, 'info'),
                mono(value),
              ]),
              { title: `The first ${records.length} records that were given`, scroll: true },
            ),
          ]
        : []),
      panel.note(walk.status === 'walkable' ? 'warn' : 'info', WALK_WORDS[walk.status], 'Without a transfer'),
      ...(walk.names.length
        ? [
            panel.list(
              walk.names.map(name => ({ text: mono(name) })),
              {
                title: walk.complete
                  ? `All ${walk.names_found} names, by walking`
                  : `The first ${walk.names_found} names, by walking`,
                scroll: true,
              },
            ),
          ]
        : []),
    ]
  },

  terminal: (_, { zone, servers }) => {
    const asked = servers.find(({ vulnerable }) => vulnerable) ?? servers[0]
    return { command: sh`dig +tcp +time=5 +tries=1 AXFR ${zone} @${asked?.address ?? ''}` }
  },

  examples: [
    {
      from: 'RFC 5936 §2.2',
      title: 'One server of two is open',
      input: { domain: 'example.com' },
      recording: {
        zone: `example.com. 3600 SOA ns1.example.com. hostmaster.example.com. 1 7200 600 3600000 60
example.com. 3600 NS ns1.example.com.
example.com. 3600 NS ns2.example.com.
ns1.example.com. 3600 A 192.0.2.1
ns2.example.com. 3600 A 192.0.2.2
intranet.example.com. 3600 A 10.0.0.5`,
        transfers: ['192.0.2.2'],
      },
      result: {
        domain: 'example.com',
        vulnerable: true,
        message:
          'ns2.example.com gives the zone to anyone who asks: 7 records of it came over. The other servers that answered do not.',
      },
    },
    {
      from: 'RFC 5936 §2.2.1',
      title: 'Transfers are refused',
      input: { domain: 'example.com' },
      recording: {
        zone: `example.com. 3600 SOA ns1.example.com. hostmaster.example.com. 1 7200 600 3600000 60
example.com. 3600 NS ns1.example.com.
ns1.example.com. 3600 A 192.0.2.1`,
      },
      result: {
        domain: 'example.com',
        vulnerable: false,
        message: 'No name server gives the zone to strangers: 1 of 1 addresses kept it.',
      },
    },
  ],
})

const nothing = { vulnerable: false, records: 0, messages: 0, bytes: 0, serial: null }

/** Asks for the SOA and then for the zone, and writes into the row how it went. */
async function transferFrom(
  row: ServerRow,
  zone: string,
  shown: ResourceRecord[],
  { dns, nameServers }: ServerContext,
): Promise<void> {
  row.serial = await serialAt(row.address, zone, dns)
  const mine: ResourceRecord[] = []
  const steps = nameServers.transfer(row.address, zone)
  try {
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done) return settle(row, step.value, mine, shown)
      mine.push(...step.value.slice(0, MAX_RECORDS_SHOWN - mine.length))
    }
  } catch (error) {
    // An address that may not be contacted is told beside the others.
    if (!(error instanceof Problem) || error.code !== 'refused') throw error
    row.status = 'unreachable'
    row.detail = `was not asked: ${error.detail ?? error.message}`
  }
}

function settle(row: ServerRow, end: TransferEnd, mine: ResourceRecord[], shown: ResourceRecord[]): void {
  row.status = end.status
  row.vulnerable = isOpen(end)
  row.records = end.records
  row.messages = end.messages
  row.bytes = end.bytes
  row.detail = end.status === 'error' && end.rcode !== 'NOERROR' ? `${WORDS.error} (${end.rcode})` : WORDS[end.status]
  if (end.status === 'limit') row.detail += ` (${TRANSFER_LIMITS.records} records or 4 MiB)`
  if (row.vulnerable && !shown.length) shown.push(...mine)
}

async function serialAt(server: string, zone: string, dns: ServerContext['dns']): Promise<number | null> {
  try {
    const { answers } = await dns.ask(server, zone, 'SOA')
    const soa = answers.find(record => record.type === 'SOA')
    return soa?.type === 'SOA' ? (soa.data?.serial ?? null) : null
  } catch (error) {
    if (error instanceof Problem && error.code !== 'limited') return null
    throw error
  }
}

interface Findings {
  domain: string
  zone: string
  rows: readonly ServerRow[]
  records: readonly ResourceRecord[]
  walk: Walk
}

function resultOf({ domain, zone, rows, records, walk }: Findings): Result {
  return {
    domain,
    vulnerable: rows.some(({ vulnerable }) => vulnerable),
    message: messageOf(rows),
    zone,
    servers: rows.map(row => ({ ...row })),
    records: records.map(record => ({
      name: record.name,
      ttl: record.ttl,
      record_type: record.type,
      value: presentation(record),
    })),
    walk: { ...walk, names: [...walk.names] },
  }
}

function messageOf(rows: readonly ServerRow[]): string {
  const open = rows.filter(({ vulnerable }) => vulnerable)
  const silent = rows.filter(isSilent)
  const untold = silent.length ? ` ${silent.length} of ${rows.length} could not be asked.` : ''
  if (!open.length) {
    const answered = rows.filter(row => !isSilent(row) && row.status !== 'waiting')
    return `No name server gives the zone to strangers: ${answered.length} of ${rows.length} addresses kept it.${untold}`
  }
  const names = [...new Set(open.map(({ name }) => name))]
  const most = Math.max(...open.map(({ records }) => records))
  const verb = names.length === 1 ? 'gives' : 'give'
  const others = rows.some(row => !row.vulnerable && !isSilent(row)) ? ' The other servers that answered do not.' : ''
  return `${names.join(', ')} ${verb} the zone to anyone who asks: ${most} records of it came over.${others}${untold}`
}
