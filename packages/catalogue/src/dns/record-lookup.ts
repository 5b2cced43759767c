import { type Check, type DnsAnswer, type DnsStatus, Problem, type ServerContext, type Update } from '@assay/kit'
import { mxLints, soaLints } from '@assay/lib/dns/lint'
import { meaningOf } from '@assay/lib/dns/meaning'
import { presentation, type ResourceRecord } from '@assay/lib/dns/message'
import { ancestorsOf, equalNames, ROOT } from '@assay/lib/dns/name'
import { parseHost } from '@assay/lib/domain/name'
import { reverseName } from '@assay/lib/ip/address'

/** Asked for side by side when no type is chosen. Never ANY: servers may answer it with nothing real (RFC 8482). */
const COMMON_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'SRV', 'NAPTR', 'HTTPS', 'DS', 'DNSKEY']

export interface RecordRow {
  record_type: string
  value: string
  ttl: number
  /** The owner, where it is not the name that was asked for. */
  name?: string
  /** What the value says, in words. */
  meaning?: string
}

export interface RecordsResult {
  domain: string
  records: RecordRow[]
  error: string | null
  /** The name that was asked, in presentation form: the reverse name when an address was given. */
  query_name: string
  /** How the question for each type ended. */
  outcomes: { record_type: string; status: DnsStatus; reason?: string; server?: string; milliseconds: number }[]
  /** Aliases followed on the way. */
  aliases: { name: string; target: string }[]
  checks: Check[]
}

/** Looks up one type, or all common ones side by side; what is known so far is passed on as each answer arrives. */
export async function* lookUpRecords(
  { domain, type }: { domain: string; type?: string | undefined },
  { dns }: ServerContext,
): AsyncGenerator<Update<RecordsResult>, RecordsResult, void> {
  const host = parseHost(domain)
  const name = `${host.kind === 'address' ? reverseName(host.address) : host.ascii}.`
  const wanted = type?.toUpperCase()
  if (host.kind === 'address' && wanted && wanted !== 'PTR') {
    throw new Problem('invalid-input', 'Invalid domain', {
      field: 'domain',
      detail: 'An address has PTR records only.',
    })
  }
  const types = wanted ? [wanted] : host.kind === 'address' ? ['PTR'] : COMMON_TYPES
  const answers: DnsAnswer[] = []
  const waiting = new Map(types.map(each => [each, ask(dns, name, each).then(answer => ({ each, answer }))]))
  while (waiting.size) {
    const { each, answer } = await Promise.race(waiting.values())
    waiting.delete(each)
    answers.push(answer)
    if (waiting.size) {
      const label = `${answers.length} of ${types.length} types answered`
      yield { progress: answers.length / types.length, label, partial: summarise(domain, name, types, answers) }
    }
  }
  refuseEmpty(answers)
  return summarise(domain, name, types, answers)
}

/** CAA counts for the names below it, so the question climbs until a name has some. RFC 8659 §3. */
async function ask(dns: ServerContext['dns'], name: string, type: string): Promise<DnsAnswer> {
  const answer = await dns.resolve(name, type)
  if (type !== 'CAA' || answer.status !== 'nodata') return answer
  for (const ancestor of ancestorsOf(name).filter(each => each !== ROOT && !equalNames(each, name))) {
    const above = await dns.resolve(ancestor, type)
    if (above.status === 'answer') return above
  }
  return answer
}

/** No answer at all is told by its kind; a name that exists without records is a result. */
function refuseEmpty(answers: readonly DnsAnswer[]): void {
  const [first] = answers
  if (!first || answers.some(({ status }) => status === 'answer' || status === 'nodata')) return
  if (answers.some(({ status, records }) => status === 'nxdomain' || records.length)) {
    if (answers.some(({ records }) => records.length)) return
    throw new Problem('not-found', 'No DNS records found', {
      field: 'domain',
      detail: 'The name does not exist (NXDOMAIN).',
    })
  }
  const detail = first.reason ?? `Every question ended with ${first.status}.`
  if (answers.every(({ status }) => status === 'timeout')) {
    throw new Problem('timeout', 'Request timeout', { detail: 'No name server of this domain answered in time.' })
  }
  throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail })
}

function summarise(
  domain: string,
  name: string,
  types: readonly string[],
  answers: readonly DnsAnswer[],
): RecordsResult {
  const inOrder = types.flatMap(type => answers.filter(answer => answer.type === type))
  const found = inOrder.flatMap(answer => answer.records.filter(({ type }) => type === answer.type))
  return {
    domain,
    records: found.map(record => rowOf(record, name)),
    error: null,
    query_name: name,
    outcomes: inOrder.map(({ type, status, reason, server, milliseconds }) => ({
      record_type: type,
      status,
      ...(reason && { reason }),
      ...(server && { server }),
      milliseconds: Math.round(milliseconds),
    })),
    aliases: aliasesOf(inOrder),
    checks: [
      ...mxLints(found),
      ...found.flatMap(record => (record.type === 'SOA' && record.data ? soaLints(record.data) : [])),
      ...brokenAliases(inOrder),
    ],
  }
}

function rowOf(record: ResourceRecord, name: string): RecordRow {
  const meaning = meaningOf(record)
  return {
    record_type: record.type,
    value: presentation(record),
    ttl: record.ttl,
    ...(equalNames(record.name, name) ? {} : { name: record.name }),
    ...(meaning && { meaning }),
  }
}

function aliasesOf(answers: readonly DnsAnswer[]): RecordsResult['aliases'] {
  const links = answers.flatMap(({ type, records }) =>
    records.flatMap(record =>
      record.type === 'CNAME' && type !== 'CNAME' && record.data
        ? [{ name: record.name, target: record.data.cname }]
        : [],
    ),
  )
  return links.filter((link, i) => links.findIndex(other => equalNames(other.name, link.name)) === i)
}

function brokenAliases(answers: readonly DnsAnswer[]): Check[] {
  const loop = answers.find(({ status }) => status === 'cname-loop')
  const dangling = answers.find(
    ({ status, records }) => status === 'nxdomain' && records.some(({ type }) => type === 'CNAME'),
  )
  return [
    ...(loop
      ? [
          {
            name: 'Aliases end',
            verdict: 'fail',
            detail: loop.reason ?? 'the aliases lead in a circle',
            clause: 'RFC 1034 §3.6.2',
          } as const,
        ]
      : []),
    ...(dangling
      ? [
          {
            name: 'Alias leads somewhere',
            verdict: 'fail',
            detail: 'the alias names something that does not exist',
            clause: 'RFC 1034 §3.6.2',
          } as const,
        ]
      : []),
  ]
}
