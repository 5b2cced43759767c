import { badge, field, mono, Problem, panel, type ServerContext, sh, tool } from '@assay/kit'
import { parseAddress, reverseName } from '@assay/lib/ip/address'
import { classify } from '@assay/lib/ip/special'

/** Names that are looked up to see whether they lead to the address. */
const MAX_CONFIRMED = 40
/** Names that are listed. */
const MAX_LISTED = 200

type Evidence = 'PTR' | 'certificate'

interface DomainRow {
  domain: string
  /** Where the name was found. */
  sources: Evidence[]
  source: string
  /** Whether the name's own addresses hold this one; null where it could not be told or was not tried. */
  forward_confirmed: boolean | null
}

interface Found {
  names: string[]
  outcome: 'found' | 'none' | 'failed'
  detail: string | null
}

/** Names that are known to live at an address, as far as its owner tells: PTR records and the certificate on port 443. */
export const reverseIp = tool({
  id: 'reverse-ip',
  path: 'reverse-ip',
  title: 'Reverse IP',
  category: 'network-tools',
  summary:
    'Domain names at an IP address, from its PTR records and its certificate, each looked up to see if it is true.',
  keywords: ['domains on ip', 'shared hosting', 'virtual hosts', 'ptr', 'certificate names', 'san'],
  specs: ['RFC 1035', 'RFC 5280', 'RFC 1912'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['reverse-ip/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { ip: field.ip('IP address') },

  async *run({ ip }, context) {
    const { block } = classify(ip)
    if (block) {
      const detail = `It lies in ${block.prefix}: ${block.name} (${block.rfc}).`
      throw new Problem('refused', 'Validation error: target address is not allowed', { field: 'ip', detail })
    }
    const waiting = certificateNames(ip, context)
    const pointers = await pointerNames(ip, context)
    yield {
      progress: 1 / 3,
      label: 'looking at the certificate',
      partial: resultOf(ip, candidatesOf(pointers), pointers),
    }
    const certificate = await waiting
    const candidates = candidatesOf(pointers, certificate)
    yield { progress: 2 / 3, label: 'looking the names up', partial: resultOf(ip, candidates, pointers, certificate) }
    const confirmed = await Promise.all(
      candidates.map(async (row, index) =>
        index < MAX_CONFIRMED ? { ...row, forward_confirmed: await leadsTo(row.domain, ip, context) } : row,
      ),
    )
    if (pointers.outcome === 'failed' && certificate.outcome === 'failed') {
      const detail = [pointers.detail, certificate.detail].filter(Boolean).join(' ')
      throw new Problem('unreachable', 'Neither the reverse zone nor the host could be asked.', { detail })
    }
    return resultOf(ip, confirmed.toSorted(byTruth), pointers, certificate)
  },

  show({ ip, domains, sources }) {
    const confirmed = domains.filter(({ forward_confirmed }) => forward_confirmed).length
    return [
      panel.banner(domains.length ? 'info' : 'neutral', ip, {
        badge: `${domains.length} ${domains.length === 1 ? 'NAME' : 'NAMES'}`,
      }),
      panel.tiles(
        { label: 'Names found', value: domains.length },
        { label: 'Lead to the address', value: confirmed },
        { label: 'Complete', value: { text: 'No', tone: 'warn' }, detail: 'no list of all names exists' },
      ),
      panel.table(
        ['Domain', 'Found in', 'Leads to the address'],
        domains.map(({ domain, source, forward_confirmed }) => [
          mono(domain),
          source,
          forward_confirmed === null
            ? badge('NOT TOLD', 'neutral')
            : badge(forward_confirmed ? 'YES' : 'NO', forward_confirmed ? 'good' : 'warn'),
        ]),
        { title: 'Domains', empty: 'The address tells no names.', scroll: true },
      ),
      panel.table(
        ['Source', 'Answer', 'Detail'],
        sources.map(({ source, outcome, detail }) => [
          source,
          badge(outcome, outcome === 'found' ? 'good' : outcome === 'none' ? 'neutral' : 'bad'),
          detail ?? '',
        ]),
        { title: 'Sources' },
      ),
      panel.note(
        'info',
        'Other names may lead here: the DNS keeps no list of them, and a server shows a certificate without being asked for a name only as its default.',
        'This list is not complete',
      ),
    ]
  },

  terminal: ({ ip }) => ({ command: sh`dig +short -x ${ip}` }),

  examples: [
    {
      from: 'RFC 1034 §6.1',
      title: 'A host with a name',
      input: { ip: '26.0.0.73' },
      recording: {
        zone: `73.0.0.26.in-addr.arpa. 3600 PTR sri-nic.arpa.
sri-nic.arpa. 3600 A 26.0.0.73`,
      },
      result: {
        domains: [{ domain: 'sri-nic.arpa', source: 'PTR', forward_confirmed: true }],
        complete: false,
      },
    },
  ],
})

function candidatesOf(pointers: Found, certificate?: Found): DomainRow[] {
  const names = [...new Set([...pointers.names, ...(certificate?.names ?? [])])].slice(0, MAX_LISTED)
  return names.map(domain => {
    const sources: Evidence[] = [
      ...(pointers.names.includes(domain) ? (['PTR'] as const) : []),
      ...(certificate?.names.includes(domain) ? (['certificate'] as const) : []),
    ]
    return { domain, sources, source: sources.join(', '), forward_confirmed: null }
  })
}

function resultOf(ip: string, domains: DomainRow[], pointers: Found, certificate?: Found) {
  const rowOf = (source: Evidence, { outcome, detail }: Found) => ({ source, outcome, detail })
  return {
    ip,
    domains,
    total: domains.length,
    /** Never: only whoever watches the DNS of many people has anything like a full list. */
    complete: false,
    sources: [rowOf('PTR', pointers), ...(certificate ? [rowOf('certificate', certificate)] : [])],
  }
}

/** What leads here first, then what is not known, then what does not. */
const byTruth = (a: DomainRow, b: DomainRow) => rank(a) - rank(b)
const rank = ({ forward_confirmed }: DomainRow) => (forward_confirmed ? 0 : forward_confirmed === null ? 1 : 2)

async function pointerNames(ip: string, { dns }: ServerContext): Promise<Found> {
  const { records, status, reason } = await dns.resolve(`${reverseName(ip)}.`, 'PTR')
  const names = records.flatMap(record =>
    record.type === 'PTR' && record.data ? [withoutDot(record.data.ptrdname)] : [],
  )
  const told = status === 'answer' || status === 'nodata' || status === 'nxdomain'
  return { names, outcome: names.length ? 'found' : told ? 'none' : 'failed', detail: reason ?? null }
}

/** The names in the certificate that the host shows to whoever names nobody. */
async function certificateNames(ip: string, { http, signal }: ServerContext): Promise<Found> {
  const url = `https://${ip.includes(':') ? `[${ip}]` : ip}/`
  try {
    const { tls } = await http.get(url, { method: 'HEAD', redirects: 0, bodyBytes: 0, acceptBadCertificate: true })
    const names = tls?.names ?? []
    return { names, outcome: names.length ? 'found' : 'none', detail: null }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    return {
      names: [],
      outcome: 'failed',
      detail: `${error.message.replace(/\.?$/, '.')} ${error.detail ?? ''}`.trim(),
    }
  }
}

/** A wildcard stands for names that nobody knows, so it cannot be looked up. */
async function leadsTo(domain: string, ip: string, { dns }: ServerContext): Promise<boolean | null> {
  if (domain.startsWith('*.')) return null
  const { version, value } = parseAddress(ip)
  const { status, records } = await dns.resolve(`${domain}.`, version === 4 ? 'A' : 'AAAA')
  if (status !== 'answer' && status !== 'nodata' && status !== 'nxdomain') return null
  return records.some(
    record =>
      (record.type === 'A' || record.type === 'AAAA') &&
      record.data &&
      parseAddress(record.data.address).value === value,
  )
}

const withoutDot = (name: string) => name.replace(/\.$/, '').toLowerCase()
