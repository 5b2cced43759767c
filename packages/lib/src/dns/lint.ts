/** Faults that a look at a record set shows, with the clause that asks for better. */
import type { RecordData, ResourceRecord } from './message.ts'

export interface Lint {
  name: string
  verdict: 'pass' | 'warn' | 'fail'
  detail: string
  clause: string
}

/**
 * Limits for SOA timers, in seconds, as Zonemaster 2024 tests them (ZONE02 to ZONE06), within RFC 1912 §2.2 and, for
 * the negative TTL, RFC 2308 §5.
 */
const SOA_LIMITS = {
  refresh: { min: 14_400, clause: 'RFC 1912 §2.2' },
  retry: { min: 3_600, clause: 'RFC 1912 §2.2' },
  expire: { min: 604_800, clause: 'RFC 1912 §2.2' },
  minimum: { min: 300, max: 86_400, clause: 'RFC 2308 §5' },
} as const

/** The timers of a zone against common advice. */
export function soaLints(soa: RecordData<'SOA'>): Lint[] {
  const lints: Lint[] = Object.entries(SOA_LIMITS).map(([name, limit]) => {
    const value = soa[name as keyof typeof SOA_LIMITS]
    const low = value < limit.min
    const high = 'max' in limit && value > limit.max
    const advice = low ? `, less than the advised ${limit.min} s` : high ? `, more than the advised ${limit.max} s` : ''
    return {
      name: `SOA ${name}`,
      verdict: low || high ? 'warn' : 'pass',
      detail: `${value} s${advice}`,
      clause: limit.clause,
    }
  })
  const ordered = soa.retry < soa.refresh
  lints.push({
    name: 'SOA retry below refresh',
    verdict: ordered ? 'pass' : 'warn',
    detail: ordered
      ? 'a failed refresh is tried again sooner'
      : 'retry is not shorter than refresh, so it never matters',
    clause: 'RFC 1912 §2.2',
  })
  return lints
}

/** What a set of MX records must not be. RFC 7505 §3, RFC 5321 §5.1. */
export function mxLints(records: readonly ResourceRecord[]): Lint[] {
  const exchanges = records.flatMap(record => (record.type === 'MX' && record.data ? [record.data.exchange] : []))
  const mixed = exchanges.includes('.') && exchanges.length > 1
  const literal = exchanges.filter(name => /^\d+(\.\d+){3}\.$/.test(name))
  return [
    ...(mixed
      ? [
          {
            name: 'Null MX stands alone',
            verdict: 'fail',
            detail: 'a null MX is published beside others',
            clause: 'RFC 7505 §3',
          } as const,
        ]
      : []),
    ...(literal.length
      ? [
          {
            name: 'MX names a host',
            verdict: 'fail',
            detail: 'an address stands where a name belongs',
            clause: 'RFC 5321 §5.1',
          } as const,
        ]
      : []),
  ]
}
