import { extendedErrorName } from '@assay/lib/dns/codes'
import { extendedErrors } from '@assay/lib/dns/edns'
import { presentation } from '@assay/lib/dns/message'
import { blockAddresses, type PublicResolver } from '@assay/lib/dns/resolvers'
import { type Authority, sameSet } from './authority.ts'
import type { ResolverReply } from './resolver-question.ts'

/**
 * How a resolver's answer stands to that of the domain's own servers. `missing`: it says there is nothing where there
 * is something; `stale`: it has other records, most likely the earlier ones; `filtered`: it lies on purpose; `varies`:
 * answers differ by place, as those of large sites do; `failed`, `silent`: it said nothing about the domain.
 */
export type Verdict = 'same' | 'missing' | 'stale' | 'filtered' | 'varies' | 'failed' | 'silent' | 'unknown'

export interface ResolverRow {
  resolver: string
  ip: string
  place: PublicResolver['place']
  filters: PublicResolver['filters'] | null
  verdict: Verdict
  rcode: string | null
  values: string[]
  ttl: number | null
  errors: { code: number; name: string; text: string }[]
  transport: 'UDP' | 'TCP' | 'HTTPS' | null
  response_time_ms: number | null
  reason: string | null
}

/** RFC 8914 §4.16 to §4.19: Blocked, Censored, Filtered, Prohibited; §4.5: Forged Answer. */
const FILTERED = new Set([4, 15, 16, 17, 18])
/** RFC 8914 §4.4 and §4.20: Stale Answer, Stale NXDOMAIN Answer. */
const STALE = new Set([3, 19])
/** Other answers than that of the authority which different resolvers may have before it looks like geography. */
const OTHER_ANSWERS = 2

/** What one resolver said, before it is compared. */
export function rowOf(resolver: PublicResolver, type: string, reply: ResolverReply): ResolverRow {
  const head = {
    resolver: resolver.name,
    ip: resolver.ipv4[0],
    place: resolver.place,
    filters: resolver.filters ?? null,
    verdict: 'unknown' as const,
  }
  if (reply.failure) {
    const nothing = { rcode: null, values: [], ttl: null, errors: [], transport: null, response_time_ms: null }
    return { ...head, ...nothing, reason: reply.reason }
  }
  const { message, milliseconds, transport } = reply
  const found = message.answers.filter(record => record.type === type)
  return {
    ...head,
    rcode: message.rcode,
    values: found.map(presentation),
    ttl: found[0]?.ttl ?? null,
    errors: extendedErrors(message.edns).map(({ code, text }) => ({
      code,
      name: extendedErrorName(code) ?? `EDE ${code}`,
      text,
    })),
    transport,
    response_time_ms: Math.round(milliseconds * 1000) / 1000,
    reason: null,
  }
}

/** Every row with its verdict. All are needed at once, because geography shows only in many different answers. */
export function judge(rows: readonly ResolverRow[], authority: Authority | undefined): ResolverRow[] {
  const judged = rows.map(row => ({ ...row, verdict: verdictOf(row, authority) }))
  const others = new Set(judged.filter(({ verdict }) => verdict === 'stale').map(({ values }) => sameSet(values)))
  if (others.size <= OTHER_ANSWERS) return judged
  return judged.map(row => (row.verdict === 'stale' && !saysStale(row) ? { ...row, verdict: 'varies' as const } : row))
}

const saysStale = ({ errors }: ResolverRow) => errors.some(({ code }) => STALE.has(code))

function verdictOf(row: ResolverRow, authority: Authority | undefined): Verdict {
  if (row.rcode === null) return 'silent'
  if (row.errors.some(({ code }) => FILTERED.has(code))) return 'filtered'
  if (!authority || !tells(authority)) return row.rcode === 'NOERROR' || row.rcode === 'NXDOMAIN' ? 'unknown' : 'failed'
  const truths = [authority.values, ...authority.servers.filter(({ status }) => status === 'NOERROR').map(own)].map(
    sameSet,
  )
  const blockPage = row.values.some(value => blockAddresses.has(value))
  if (blockPage && !truths.includes(sameSet(row.values))) return 'filtered'
  if (row.rcode === 'NXDOMAIN') {
    if (authority.status === 'nxdomain' || authority.servers.some(({ status }) => status === 'NXDOMAIN')) return 'same'
    return row.filters ? 'filtered' : 'missing'
  }
  if (row.rcode !== 'NOERROR') return 'failed'
  if (saysStale(row)) return 'stale'
  if (truths.includes(sameSet(row.values))) return 'same'
  return row.values.length ? 'stale' : 'missing'
}

const own = ({ values }: { values: string[] }) => values

const tells = ({ status }: Authority) => status === 'answer' || status === 'nodata' || status === 'nxdomain'
