/**
 * The chain of trust from the root's trust anchors down through DS and DNSKEY (RFC 4035 §5), and what hangs on it: sets
 * of records that a zone signed, and its proofs that there are none. Where a zone has only algorithms or digests that
 * are not verified, it counts as unsigned.
 */
import { type Signature, signedLabels, signedOwner } from './canonical.ts'
import { algorithmTitle, digestTitle, keyTag } from './dnskey.ts'
import { DEPRECATED_DIGEST, isDigestOf, isSupported, isSupportedDigest, type KeyRecord } from './dnssec-algorithms.ts'
import { ede, type Flaw, said } from './dnssec-error.ts'
import { MAX_KEYS_PER_TAG, maySign, type SignatureCheck, verifyRrset, type Work } from './dnssec-signature.ts'
import type { ResourceRecord } from './message.ts'
import { ancestorsOf, countLabels, equalNames, isWithin, parentName, ROOT } from './name.ts'
import { type Claim, type NsecRecord, proveByNsec } from './nsec.ts'
import { type Nsec3Record, proveByNsec3 } from './nsec3.ts'
import type { DsRecord } from './trust-anchors.ts'

/** RFC 4033 §5. Indeterminate: no server could be brought to say what is needed to tell. */
export type Security = 'secure' | 'insecure' | 'bogus' | 'indeterminate'

/** What the servers in charge of a name said, with signatures and proofs. */
export interface SignedAnswer {
  /** `alias`: the links lead to a name that has to be asked for in turn. */
  status:
    | 'answer'
    | 'nodata'
    | 'nxdomain'
    | 'alias'
    | 'servfail'
    | 'refused'
    | 'lame'
    | 'cname-loop'
    | 'timeout'
    | 'network'
  /** CNAME and DNAME records that led from the name to the target. */
  links: ResourceRecord[]
  target: string
  records: ResourceRecord[]
  soa?: ResourceRecord
  /** RRSIG, NSEC and NSEC3 records from answer and authority section. */
  proof: ResourceRecord[]
  reason?: string
  server?: string
}

export interface ChainParts {
  anchors: readonly DsRecord[]
  /** Asks the servers in charge of a name, or of its parent for DS. */
  ask(name: string, type: string): Promise<SignedAnswer>
  /** Seconds since 1970. */
  now: number
}

/** One zone on the way, and whether its keys can be trusted. */
export interface ZoneStatus {
  name: string
  parent: string | undefined
  state: Security
  /** Why it is not secure. */
  flaw?: Flaw
  ds: { record: DsRecord; state: 'matches' | 'no key' | 'unsupported' | 'ignored' }[]
  keys: { record: KeyRecord; tag: number; trusted: boolean }[]
  /** Signatures of its keys. */
  checks: SignatureCheck[]
  /** Signatures of its DS records, by its parent. */
  dsChecks: SignatureCheck[]
}

/** One set of records and whether it is what its zone signed. */
export interface RrsetStatus {
  name: string
  type: string
  records: readonly ResourceRecord[]
  zone: string
  state: Security
  flaw?: Flaw
  checks: SignatureCheck[]
  /** The wildcard it was made from. */
  wildcard?: string
}

/** Verifications of signatures in one run; an honest chain of five zones with ten sets has about thirty. */
export const MAX_VERIFICATIONS = 300
/** DS records of one zone that are looked at. */
export const MAX_DS = 16
/** NSEC and NSEC3 sets of one denial that are looked at; no denial needs more than four. */
export const MAX_DENIAL_RRSETS = 8
/** The zones of one run, each looked at once. */
export class Chain {
  readonly work: Work = { verifications: 0, hashes: 0 }
  readonly #parts: ChainParts
  readonly #answers = new Map<string, Promise<SignedAnswer>>()
  readonly #cuts = new Map<string, Promise<ZoneStatus | undefined>>()
  readonly #zones = new Map<string, ZoneStatus>()
  #root: Promise<ZoneStatus> | undefined

  constructor(parts: ChainParts) {
    this.#parts = parts
  }

  /** All zones looked at so far, parents before children. */
  get zones(): ZoneStatus[] {
    return [...this.#zones.values()].sort((a, b) => countLabels(a.name) - countLabels(b.name))
  }

  ask(name: string, type: string): Promise<SignedAnswer> {
    const key = `${name.toLowerCase()} ${type}`
    const known = this.#answers.get(key)
    if (known) return known
    const asked = this.#parts.ask(name, type)
    this.#answers.set(key, asked)
    return asked
  }

  /** The zone a record set belongs to by its signatures, or else the one its owner lies in. */
  async zoneOf(owner: string, type: string, signers: readonly string[]): Promise<ZoneStatus> {
    // RFC 4035 §2.4: DS belongs to the parent.
    const highest = type === 'DS' && owner !== ROOT ? parentName(owner) : owner
    const signer = signers
      .filter(signer => isWithin(highest, signer))
      .sort((a, b) => countLabels(b) - countLabels(a))[0]
    if (signer === undefined) return this.walkTo(highest)
    const zone = await this.walkTo(signer)
    return zone.state !== 'secure' || equalNames(zone.name, signer) ? zone : this.walkTo(highest)
  }

  async checkRrset(records: readonly ResourceRecord[], proof: readonly ResourceRecord[]): Promise<RrsetStatus> {
    const [{ name, type } = { name: ROOT, type: 'NULL' }] = records
    const signers = signaturesOf(records, proof).map(({ data }) => data.signer)
    return this.judge(records, proof, await this.zoneOf(name, type, signers))
  }

  async judge(
    records: readonly ResourceRecord[],
    proof: readonly ResourceRecord[],
    zone: ZoneStatus,
  ): Promise<RrsetStatus> {
    const [{ name, type } = { name: ROOT, type: 'NULL' }] = records
    const signatures = signaturesOf(records, proof)
    const base = { name, type, records, zone: zone.name }
    if (zone.state !== 'secure') {
      const checks = signatures.map(signature => ({ signature, state: 'unchecked' as const }))
      return { ...base, state: zone.state, ...(zone.flaw && { flaw: zone.flaw }), checks }
    }
    const check = await this.#verify(
      records,
      signatures,
      zone.name,
      zone.keys.map(({ record }) => record),
    )
    if (check.state === 'bogus') return { ...base, state: 'bogus', flaw: check.flaw, checks: check.checks }
    const made = check.by.data.labels < signedLabels(name) ? signedOwner(name, check.by.data.labels) : undefined
    return { ...base, state: 'secure', checks: check.checks, ...(made !== undefined && { wildcard: made }) }
  }

  #verify(
    records: readonly ResourceRecord[],
    signatures: readonly Signature[],
    zone: string,
    keys: readonly KeyRecord[],
  ) {
    const { now } = this.#parts
    return verifyRrset(
      { records, signatures },
      { zone, keys, now, work: this.work, maxVerifications: MAX_VERIFICATIONS },
    )
  }

  /** The zone that a name lies in, with every zone above it proven; the first that is not secure ends the walk. */
  async walkTo(name: string): Promise<ZoneStatus> {
    this.#root ??= this.#enter(ROOT, undefined, this.#parts.anchors, [])
    let zone = await this.#root
    for (const step of ancestorsOf(name).reverse().slice(1)) {
      if (zone.state !== 'secure') return zone
      const key = step.toLowerCase()
      const cut = this.#cuts.get(key) ?? this.#cutAt(step, zone)
      this.#cuts.set(key, cut)
      zone = (await cut) ?? zone
    }
    return zone
  }

  /**
   * The zone that begins at a name, or nothing. That it is unsigned has to be proven; that there is none needs no proof,
   * because then the records have to be signed by the zone above.
   */
  async #cutAt(name: string, parent: ZoneStatus): Promise<ZoneStatus | undefined> {
    const answer = await this.ask(name, 'DS')
    const { status, links, records, proof, reason } = answer
    if (links.length > 0 || status === 'nxdomain' || status === 'alias') return undefined
    if (status === 'answer') return this.#cutWithDs(name, parent, records, proof)
    if (status === 'nodata') {
      const { outcome } = await this.prove({ kind: 'nodata', name, type: 'DS' }, proof, parent)
      if (outcome.state === 'proven' && !outcome.delegation) return undefined
      const flaw = outcome.state === 'unproven' || outcome.state === 'too-many-iterations' ? outcome.flaw : undefined
      const why = flaw ?? {
        ede: null,
        reason:
          outcome.state === 'opt-out'
            ? `${said(parent.name)} has no DS record for ${said(name)}, which lies in a gap for unsigned zones (opt-out).`
            : `${said(parent.name)} proves that it has no DS record for ${said(name)}: the chain of trust ends there, and ${said(name)} counts as unsigned.`,
      }
      return this.#record(name, parent, outcome.state === 'unproven' ? 'bogus' : 'insecure', why)
    }
    const unreached = reason ?? 'No server of the zone could be brought to answer.'
    return this.#record(name, parent, 'indeterminate', {
      ede: ede.noReachableAuthority,
      reason: `Whether ${said(parent.name)} has a DS record for ${said(name)} could not be found out. ${unreached}`,
    })
  }

  async #cutWithDs(
    name: string,
    parent: ZoneStatus,
    records: readonly ResourceRecord[],
    proof: readonly ResourceRecord[],
  ): Promise<ZoneStatus> {
    const signatures = signaturesOf(records, proof)
    const keys = parent.keys.map(({ record }) => record)
    const check = await this.#verify(records, signatures, parent.name, keys)
    if (check.state === 'bogus') return this.#record(name, parent, 'bogus', check.flaw, check.checks)
    if (check.by.data.labels < signedLabels(name)) {
      const reason = `The DS records of ${said(name)} are signed for a wildcard, which cannot delegate.`
      return this.#record(name, parent, 'bogus', { ede: ede.bogus, reason }, check.checks)
    }
    return this.#enter(name, parent, records.filter(isDs), check.checks)
  }

  #record(name: string, parent: ZoneStatus, state: Security, flaw: Flaw, dsChecks: SignatureCheck[] = []): ZoneStatus {
    const zone: ZoneStatus = { name, parent: parent.name, state, flaw, ds: [], keys: [], checks: [], dsChecks }
    this.#zones.set(name.toLowerCase(), zone)
    return zone
  }

  /** From the DS records of a zone to its keys (RFC 4035 §5.2). */
  async #enter(
    name: string,
    parent: ZoneStatus | undefined,
    all: readonly DsRecord[],
    dsChecks: SignatureCheck[],
  ): Promise<ZoneStatus> {
    const zone: ZoneStatus = { name, parent: parent?.name, state: 'secure', ds: [], keys: [], checks: [], dsChecks }
    this.#zones.set(name.toLowerCase(), zone)
    const end = (state: Security, code: number | null, reason: string): ZoneStatus =>
      Object.assign(zone, { state, flaw: { ede: code, reason } })

    const usable = all.slice(0, MAX_DS).filter(isUsableDs)
    // RFC 4509 §3: SHA-1 does not count beside a better digest.
    const strong = usable.filter(({ data }) => data.digestType !== DEPRECATED_DIGEST)
    const counted = strong.length ? strong : usable
    zone.ds = all.map(record => ({ record, state: isUsableDs(record) ? 'ignored' : 'unsupported' }))
    if (counted.length === 0) return end('insecure', ...unsupported(name, all))

    const answer = await this.ask(name, 'DNSKEY')
    const above = parent ? `${said(parent.name)} has DS records for it` : 'the trust anchors name keys of it'
    if (answer.status === 'nodata' || answer.status === 'nxdomain' || answer.links.length > 0) {
      return end('bogus', ede.dnskeyMissing, `${said(name)} publishes no keys, although ${above}.`)
    }
    if (answer.status !== 'answer') {
      const reason = `The keys of ${said(name)} could not be fetched. ${answer.reason ?? ''}`.trim()
      return end('indeterminate', ede.noReachableAuthority, reason)
    }
    const keys = answer.records.filter(isKey)
    zone.keys = keys.map(record => ({ record, tag: keyTag(record.rdata), trusted: false }))
    for (const ds of zone.ds) {
      if (!counted.includes(ds.record)) continue
      ds.state = 'no key'
      const named = zone.keys.filter(({ tag, record }) => tag === ds.record.data.keyTag && maySign(record))
      for (const key of named.slice(0, MAX_KEYS_PER_TAG)) {
        if (!(await isDigestOf(ds.record, key.record))) continue
        ds.state = 'matches'
        key.trusted = true
      }
    }
    const trusted = zone.keys.filter(key => key.trusted)
    if (trusted.length === 0) {
      const tags = counted.map(({ data }) => data.keyTag).join(', ')
      const source = parent ? `the DS records in ${said(parent.name)} (of keys ${tags})` : `the trust anchors (${tags})`
      return end('bogus', ede.dnskeyMissing, `None of the keys of ${said(name)} fits ${source}.`)
    }
    const isOfOther = ({ data }: Signature) => zone.keys.some(({ tag, trusted }) => tag === data.keyTag && !trusted)
    const signatures = answer.proof
      .filter(isSignature)
      .filter(signature => signature.data.typeCovered === 'DNSKEY' && equalNames(signature.name, name))
      .filter(signature => !isOfOther(signature) || trusted.some(({ tag }) => tag === signature.data.keyTag))
    const check = await this.#verify(
      answer.records,
      signatures,
      name,
      trusted.map(({ record }) => record),
    )
    zone.checks = check.checks
    return check.state === 'secure' ? zone : end('bogus', check.flaw.ede, check.flaw.reason)
  }

  /** With the keys of this zone alone: walking to the signer would wait for the zone that is being looked for. */
  async prove(claim: Claim, proof: readonly ResourceRecord[], zone: ZoneStatus) {
    const sets = groupRrsets(proof.filter(({ type }) => type === 'NSEC' || type === 'NSEC3')).slice(
      0,
      MAX_DENIAL_RRSETS,
    )
    const statuses: RrsetStatus[] = []
    for (const records of sets) statuses.push(await this.judge(records, proof, zone))
    const by = statuses.some(({ type }) => type === 'NSEC3') ? ('NSEC3' as const) : ('NSEC' as const)
    // RFC 4035 §5.4 takes NSEC records for what they are signed as: made from a wildcard they would deny any name.
    const expanded = statuses.find(({ wildcard }) => wildcard !== undefined)
    if (expanded) {
      const reason = `The ${expanded.type} record of ${said(expanded.name)} is signed for ${said(expanded.wildcard ?? '')}.`
      return { statuses, outcome: { state: 'unproven' as const, flaw: { ede: ede.bogus, reason }, by } }
    }
    const broken = statuses.find(({ state }) => state !== 'secure')
    if (broken) {
      const flaw = broken.flaw ?? { ede: ede.nsecMissing, reason: `The proof for ${said(claim.name)} is not signed.` }
      return { statuses, outcome: { state: 'unproven' as const, flaw, by } }
    }
    const verified = statuses.flatMap(({ records }) => [...records])
    const nsec3 = verified.filter(isNsec3)
    if (statuses.length === 0) {
      const reason = `${said(zone.name)} is signed, but sent no NSEC or NSEC3 record to prove what it says of ${said(claim.name)}.`
      return { statuses, outcome: { state: 'unproven' as const, flaw: { ede: ede.nsecMissing, reason }, by } }
    }
    const outcome = nsec3.length
      ? proveByNsec3(claim, nsec3, zone.name, this.work)
      : proveByNsec(claim, verified.filter(isNsec))
    return { statuses, outcome: { ...outcome, by } }
  }
}

const isUsableDs = ({ data }: DsRecord): boolean => isSupported(data.algorithm) && isSupportedDigest(data.digestType)

function unsupported(name: string, all: readonly DsRecord[]): [code: number, reason: string] {
  const list = (titles: string[]) => [...new Set(titles)].join(', ')
  if (!all.some(({ data }) => isSupported(data.algorithm))) {
    const titles = list(all.map(({ data }) => algorithmTitle(data.algorithm)))
    return [
      ede.unsupportedAlgorithm,
      `${said(name)} is signed only with ${titles}, which is not verified any more or not yet, so it counts as unsigned.`,
    ]
  }
  const titles = list(all.map(({ data }) => digestTitle(data.digestType)))
  return [
    ede.unsupportedDigest,
    `The DS records of ${said(name)} have only digests (${titles}) that are not verified, so it counts as unsigned.`,
  ]
}

export const isSignature = (record: ResourceRecord): record is Signature =>
  record.type === 'RRSIG' && record.data !== undefined
const isKey = (record: ResourceRecord): record is KeyRecord => record.type === 'DNSKEY' && record.data !== undefined
const isDs = (record: ResourceRecord): record is DsRecord => record.type === 'DS' && record.data !== undefined
const isNsec = (record: ResourceRecord): record is NsecRecord => record.type === 'NSEC' && record.data !== undefined
const isNsec3 = (record: ResourceRecord): record is Nsec3Record => record.type === 'NSEC3' && record.data !== undefined

function signaturesOf([first]: readonly ResourceRecord[], proof: readonly ResourceRecord[]): Signature[] {
  return proof
    .filter(isSignature)
    .filter(({ name, data }) => first && equalNames(name, first.name) && data.typeCovered === first.type)
}

function groupRrsets(records: readonly ResourceRecord[]): ResourceRecord[][] {
  return [...Map.groupBy(records, ({ name, type }) => `${name.toLowerCase()} ${type}`).values()]
}
