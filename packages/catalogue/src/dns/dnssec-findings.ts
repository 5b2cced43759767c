import { algorithmTitle } from '@assay/lib/dns/dnskey'
import type { Validation } from '@assay/lib/dns/dnssec'
import { DEPRECATED_DIGEST, deprecatedBy } from '@assay/lib/dns/dnssec-algorithms'
import type { ZoneStatus } from '@assay/lib/dns/dnssec-chain'
import { said } from '@assay/lib/dns/dnssec-error'
import type { ResourceRecord } from '@assay/lib/dns/message'
import type { Finding, SignatureRow } from './dnssec.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Zonemaster test case DNSSEC04: signatures with less than 12 hours left, or made for more than 180 days. */
export const MIN_REMAINING_MS = 12 * HOUR_MS
export const MAX_VALIDITY_MS = 180 * DAY_MS

interface Evidence {
  validations: readonly Validation[]
  zones: readonly ZoneStatus[]
  signatures: readonly SignatureRow[]
  /** NSEC3PARAM records of the zone. */
  parameters: readonly ResourceRecord[]
  moment: Date
}

/** What is broken, what may break soon, and what is out of date; each with its evidence. */
export function findingsOf(evidence: Evidence): Finding[] {
  return [...chainFindings(evidence), ...setFindings(evidence), ...timeFindings(evidence), ...choiceFindings(evidence)]
}

function chainFindings({ zones }: Evidence): Finding[] {
  return zones.map(({ name, parent, state, flaw }) => ({
    name: parent === undefined ? 'The key of the root zone' : `The link from ${said(parent)} to ${said(name)}`,
    verdict: state === 'secure' ? 'pass' : state === 'bogus' ? 'fail' : state === 'insecure' ? 'warn' : 'unknown',
    detail: flaw?.reason ?? LINK_HOLDS[parent === undefined ? 'root' : 'zone'],
    clause: 'RFC 4035 §5.2',
  }))
}

const LINK_HOLDS = {
  root: 'A trust anchor is of a key that the root zone publishes, and that key signs all its keys.',
  zone: 'A DS record, signed by the parent, is of a key of the zone, and that key signs all its keys.',
} as const

/** What is wrong with records although their zone is in order. */
function setFindings({ validations, zones }: Evidence): Finding[] {
  const told = new Set(zones.flatMap(({ flaw }) => flaw?.reason ?? []))
  return validations.flatMap(({ type, state, flaw }): Finding[] => {
    if (!flaw || state === 'secure' || told.has(flaw.reason)) return []
    told.add(flaw.reason)
    const verdict = state === 'bogus' ? 'fail' : state === 'insecure' ? 'warn' : 'unknown'
    return [{ name: `The ${type} records`, verdict, detail: flaw.reason, clause: 'RFC 4035 §5.3' }]
  })
}

function timeFindings({ signatures, moment }: Evidence): Finding[] {
  const valid = signatures.filter(({ state }) => state === 'valid')
  const soon = valid.filter(({ valid_until }) => Date.parse(valid_until) - moment.getTime() < MIN_REMAINING_MS)
  const long = valid.filter(
    ({ valid_from, valid_until }) => Date.parse(valid_until) - Date.parse(valid_from) > MAX_VALIDITY_MS,
  )
  return [
    ...(soon.length
      ? [
          {
            name: 'Signatures about to expire',
            verdict: 'warn' as const,
            detail: `Less than 12 hours are left for ${typesOf(soon)}. Should nobody sign again in time, validating resolvers will no longer answer.`,
          },
        ]
      : []),
    ...(long.length
      ? [
          {
            name: 'Signatures for a long time',
            verdict: 'warn' as const,
            detail: `${typesOf(long)} signed for more than 180 days: whoever has old records can replay them that long.`,
          },
        ]
      : []),
  ]
}

const typesOf = (rows: readonly SignatureRow[]) =>
  [...new Set(rows.map(({ record_type, name }) => `${record_type} of ${name === '.' ? 'the root zone' : name}`))].join(
    ', ',
  )

function choiceFindings({ zones, validations, parameters }: Evidence): Finding[] {
  return [
    ...zones.flatMap(({ name, keys, ds }): Finding[] => {
      const algorithms = [...keys.map(({ record }) => record.data), ...ds.map(({ record }) => record.data)]
      const old = [...new Set(algorithms.map(({ algorithm }) => algorithm))].flatMap(algorithm => {
        const clause = deprecatedBy(algorithm)
        return clause ? [{ title: algorithmTitle(algorithm), clause }] : []
      })
      return old.map(({ title, clause }) => ({
        name: `Algorithm of ${said(name)}`,
        verdict: 'warn' as const,
        detail: `${title} should no longer be used. ECDSA P-256 is what most zones have today.`,
        clause,
      }))
    }),
    ...zones
      .filter(({ ds }) => ds.some(({ record }) => record.data.digestType === DEPRECATED_DIGEST))
      .map(({ name }) => ({
        name: `Digest of ${said(name)}`,
        verdict: 'warn' as const,
        detail: 'A DS record has a SHA-1 digest. One with SHA-256 should take its place.',
        clause: 'RFC 9905',
      })),
    ...zones
      .filter(({ state, ds }) => state === 'secure' && ds.some(({ state }) => state === 'no key'))
      .map(({ name, ds, parent }) => ({
        name: `DS records of ${said(name)}`,
        verdict: 'warn' as const,
        detail: `${parent === undefined ? 'Trust anchors' : 'DS records'} of keys that are not published: ${ds
          .filter(({ state }) => state === 'no key')
          .map(({ record }) => record.data.keyTag)
          .join(', ')}. That is as it should be in a change of keys, and left over otherwise.`,
      })),
    ...iterationFindings(validations, parameters),
  ]
}

/** RFC 9276 §3.1: no additional iterations and no salt. */
function iterationFindings(validations: readonly Validation[], parameters: readonly ResourceRecord[]): Finding[] {
  const seen = [...parameters, ...validations.flatMap(({ rrsets }) => rrsets.flatMap(({ records }) => [...records]))]
  const used = seen.flatMap(record =>
    (record.type === 'NSEC3PARAM' || record.type === 'NSEC3') && record.data ? [record.data] : [],
  )
  const iterations = Math.max(0, ...used.map(({ iterations }) => iterations))
  const clause = 'RFC 9276 §3.1'
  return [
    ...(iterations > 0
      ? [
          {
            name: 'NSEC3 iterations',
            verdict: 'warn' as const,
            detail: `Names are hashed ${iterations} more times than once. That costs every resolver time and hides nothing; it should be 0.`,
            clause,
          },
        ]
      : []),
    ...(used.some(({ salt }) => salt.length > 0)
      ? [
          {
            name: 'NSEC3 salt',
            verdict: 'warn' as const,
            detail:
              'Hashes have a salt, which protects nothing here, because every name is hashed with its zone already.',
            clause,
          },
        ]
      : []),
  ]
}
