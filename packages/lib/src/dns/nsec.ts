/** What NSEC records prove not to exist (RFC 4035 §5.4, with the corrections of RFC 6840 §4). */
import type { Flaw } from './dnssec-error.ts'
import { ede, said } from './dnssec-error.ts'
import type { RecordData, ResourceRecord } from './message.ts'
import { ancestorsOf, compareNames, countLabels, equalNames, isWithin, ROOT } from './name.ts'

export type NsecRecord = Extract<ResourceRecord, { type: 'NSEC' }> & { data: RecordData<'NSEC'> }

/**
 * What has to be proven: that a name has no records of a type, that it does not exist, or that nothing closer than the
 * wildcard of this name matches.
 */
export type Claim =
  | { kind: 'nodata'; name: string; type: string }
  | { kind: 'nxdomain'; name: string }
  | { kind: 'wildcard'; name: string; wildcard: string }

export type Denial =
  /** `delegation`: the name is that of another zone, which has no DS record. */
  { state: 'proven'; delegation?: boolean } | { state: 'opt-out' } | { state: 'unproven'; flaw: Flaw }

const unproven = (reason: string): Denial => ({ state: 'unproven', flaw: { ede: ede.nsecMissing, reason } })

/** NSEC records that were verified, all of one zone. */
export function proveByNsec(claim: Claim, records: readonly NsecRecord[]): Denial {
  const { name } = claim
  const match = records.find(record => equalNames(record.name, name))
  if (claim.kind === 'nodata' && match) return judgeTypes(match.data.types, claim)
  const cover = records.find(record => covers(record, name))
  if (match || !cover) {
    return unproven(
      match
        ? `An NSEC record says that ${said(name)} exists, against the answer.`
        : `No NSEC record shows a gap at ${said(name)}.`,
    )
  }
  const emptyNonTerminal = isWithin(cover.data.next, name)
  if (emptyNonTerminal) {
    // Names exist below it, so it exists itself, without any records.
    return claim.kind === 'nodata'
      ? { state: 'proven' }
      : unproven(`An NSEC record says that names exist below ${said(name)}.`)
  }
  const wildcard = wildcardOf(closestEncloser(cover, name))
  if (claim.kind === 'wildcard') {
    return equalNames(wildcard, claim.wildcard)
      ? { state: 'proven' }
      : unproven(`The NSEC records do not show that ${said(claim.wildcard)} is the closest match for ${said(name)}.`)
  }
  const source = records.find(record => equalNames(record.name, wildcard))
  if (claim.kind === 'nodata') {
    return source
      ? judgeTypes(source.data.types, claim)
      : unproven(`No NSEC record shows which types ${said(wildcard)} has, from which ${said(name)} would be made.`)
  }
  return !source && records.some(record => covers(record, wildcard))
    ? { state: 'proven' }
    : unproven(`No NSEC record shows that there is no ${said(wildcard)}, from which ${said(name)} would be made.`)
}

/** Whether the types at a name allow to say that another is not there. */
export function judgeTypes(types: readonly string[], { name, type }: { name: string; type: string }): Denial {
  const has = (type: string) => types.includes(type)
  if (has(type) || has('CNAME')) return unproven(`The proof for ${said(name)} says that it does have ${type} records.`)
  const delegation = has('NS') && !has('SOA')
  // RFC 6840 §4.1: a parent knows nothing of a child but its DS. §4.3: an alias answers for every type.
  if (delegation && type !== 'DS') return unproven(`The proof for ${said(name)} is of its parent, which does not know.`)
  if (type === 'DS' && has('SOA') && name !== ROOT) {
    return unproven(`The proof for ${said(name)} is of the zone itself, and DS records belong to its parent.`)
  }
  return { state: 'proven', delegation }
}

/** Whether a name lies in the gap behind the record's owner, and the record may say so. */
function covers({ name: owner, data: { next, types } }: NsecRecord, name: string): boolean {
  // RFC 6840 §4.1: nothing below a delegation or a DNAME is for this zone to deny.
  const elsewhere = (types.includes('NS') && !types.includes('SOA')) || types.includes('DNAME')
  if (elsewhere && isWithin(name, owner)) return false
  if (compareNames(owner, name) >= 0) return false
  // The last record leads back to the apex.
  return compareNames(name, next) < 0 || compareNames(next, owner) <= 0
}

/** The longest existing ancestor of a name in a gap: it is above one of the two ends. */
function closestEncloser({ name: owner, data }: NsecRecord, name: string): string {
  const common = (other: string) => ancestorsOf(name).find(ancestor => isWithin(other, ancestor)) ?? ROOT
  const [left, right] = [common(owner), common(data.next)]
  return countLabels(left) > countLabels(right) ? left : right
}

export const wildcardOf = (encloser: string): string => (encloser === ROOT ? '*.' : `*.${encloser}`)
