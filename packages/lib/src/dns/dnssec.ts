/**
 * A validator of DNSSEC (RFC 4035 §5, RFC 6840): whether an answer, with the aliases that led to it, or a denial hangs on
 * the chain of trust. Pure: whoever asks it hands it a way to ask the servers in charge.
 */
import {
  Chain,
  type ChainParts,
  isSignature,
  type RrsetStatus,
  type Security,
  type SignedAnswer,
  type ZoneStatus,
} from './dnssec-chain.ts'
import { ede, type Flaw, said } from './dnssec-error.ts'
import type { Work } from './dnssec-signature.ts'
import type { ResourceRecord } from './message.ts'
import type { Claim } from './nsec.ts'

/** The answer to one question, judged. */
export interface Validation {
  name: string
  type: string
  status: SignedAnswer['status']
  state: Security
  /** The first link that does not hold, or why there is no chain to it. */
  flaw?: Flaw
  /** Aliases first, then the answer; for a denial the SOA, NSEC and NSEC3 records. */
  rrsets: RrsetStatus[]
  /** The name at the end of the aliases. */
  target: string
  denial?: 'NSEC' | 'NSEC3' | 'opt-out'
  reason?: string
}

/** Aliases followed from zone to zone. */
export const MAX_ALIASES = 12

/** Bogus outweighs everything, and one unsigned part makes the whole unsigned. */
const GRAVITY: readonly Security[] = ['secure', 'insecure', 'indeterminate', 'bogus']

export const worse = (a: Security, b: Security): Security => (GRAVITY.indexOf(a) >= GRAVITY.indexOf(b) ? a : b)

/** A validator for one run: what it found out about zones is kept for all questions. */
export class Validator {
  readonly #chain: Chain

  constructor(parts: ChainParts) {
    this.#chain = new Chain(parts)
  }

  /** All zones looked at so far, parents before children. */
  get zones(): ZoneStatus[] {
    return this.#chain.zones
  }

  /** What it has cost so far. */
  get work(): Readonly<Work> {
    return this.#chain.work
  }

  /** The answer to a question, remembered and not judged. */
  ask(name: string, type: string): Promise<SignedAnswer> {
    return this.#chain.ask(name, type)
  }

  /** Asks a question and judges the answer with everything it leans on. */
  async validate(name: string, type: string): Promise<Validation> {
    const whole: Validation = { name, type, status: 'answer', state: 'secure', rrsets: [], target: name }
    const seen = new Set<string>()
    for (;;) {
      seen.add(whole.target.toLowerCase())
      const asked = whole.target
      const answer = await this.#chain.ask(asked, type)
      whole.status = answer.status
      for (const link of answer.links) await this.#addRrset(whole, [link], answer)
      whole.target = answer.target
      if (answer.reason !== undefined) whole.reason = answer.reason
      if (whole.state === 'bogus') return whole
      if (answer.status === 'answer') await this.#addRrset(whole, answer.records, answer)
      else if (answer.status === 'nodata' || answer.status === 'nxdomain') await this.#addDenial(whole, answer)
      else if (answer.status !== 'alias') await this.#addUnknown(whole, answer)
      if (answer.status !== 'alias') return whole
      if (seen.has(whole.target.toLowerCase()) || seen.size > MAX_ALIASES) {
        whole.status = 'cname-loop'
        settle(whole, 'indeterminate', {
          ede: ede.other,
          reason: 'The aliases lead in a circle, or further than is followed.',
        })
        return whole
      }
    }
  }

  async #addRrset(whole: Validation, records: readonly ResourceRecord[], { proof }: SignedAnswer): Promise<void> {
    const status = await this.#chain.checkRrset(records, proof)
    whole.rrsets.push(status)
    settle(whole, status.state, status.flaw)
    if (status.state !== 'secure' || status.wildcard === undefined) return
    const claim: Claim = { kind: 'wildcard', name: status.name, wildcard: status.wildcard }
    await this.#addProof(whole, claim, proof, await this.#chain.walkTo(status.zone))
  }

  async #addDenial(whole: Validation, { target, status, proof, soa }: SignedAnswer): Promise<void> {
    const { type } = whole
    const signers = proof.filter(isSignature).map(({ data }) => data.signer)
    const zone = await this.#chain.zoneOf(target, type, signers)
    if (zone.state !== 'secure') return settle(whole, zone.state, zone.flaw)
    if (soa) {
      const check = await this.#chain.judge([soa], proof, zone)
      whole.rrsets.push(check)
      settle(whole, check.state, check.flaw)
    }
    const kind = status === 'nxdomain' ? 'nxdomain' : 'nodata'
    await this.#addProof(whole, { kind, name: target, type }, proof, zone)
  }

  /** Verifies the NSEC or NSEC3 records and what they prove. */
  async #addProof(whole: Validation, claim: Claim, proof: readonly ResourceRecord[], zone: ZoneStatus): Promise<void> {
    const { statuses, outcome } = await this.#chain.prove(claim, proof, zone)
    whole.rrsets.push(...statuses)
    if (outcome.state === 'unproven') {
      // RFC 8914 §4.13 means data that is missing, and here there is some.
      const code = claim.kind === 'wildcard' && outcome.flaw.ede === ede.nsecMissing ? ede.bogus : outcome.flaw.ede
      return settle(whole, 'bogus', { ...outcome.flaw, ede: code })
    }
    whole.denial = outcome.state === 'opt-out' ? 'opt-out' : outcome.by
    if (outcome.state === 'too-many-iterations') return settle(whole, 'insecure', outcome.flaw)
    if (outcome.state !== 'opt-out') return
    const reason = `${said(zone.name)} leaves out unsigned names there (opt-out), so this is not proven.`
    settle(whole, 'insecure', { ede: null, reason })
  }

  async #addUnknown(whole: Validation, { target, reason, server }: SignedAnswer): Promise<void> {
    const zone = await this.#chain.zoneOf(target, whole.type, [])
    const unreached =
      reason ?? `The servers of ${said(target)} could not be brought to answer${server ? ` (${server})` : ''}.`
    if (zone.state !== 'secure' && zone.flaw) settle(whole, zone.state, zone.flaw)
    settle(whole, 'indeterminate', { ede: ede.noReachableAuthority, reason: unreached })
  }
}

/** Takes the graver state, with the reason of the first that was as grave. */
function settle(whole: Validation, state: Security, flaw: Flaw | undefined): void {
  const graver = worse(whole.state, state)
  if (graver !== whole.state && flaw) whole.flaw = flaw
  whole.state = graver
}
