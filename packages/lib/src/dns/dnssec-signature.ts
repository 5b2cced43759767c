/**
 * Whether an RRset is what its zone signed (RFC 4035 §5.3). What one RRset may cost is bounded, because whoever is
 * looked up chooses how many keys and signatures there are (CVE-2023-50387, "KeyTrap").
 */
import { type Signature, signedBytes, signedLabels } from './canonical.ts'
import { algorithmTitle, keyTag } from './dnskey.ts'
import { isSupported, type KeyRecord, verifyWith } from './dnssec-algorithms.ts'
import { dayOf, ede, type Flaw, said } from './dnssec-error.ts'
import type { ResourceRecord } from './message.ts'
import { equalNames, isWithin } from './name.ts'

/** Keys with the tag and algorithm of one signature that are tried; honest zones have one, now and then two. */
export const MAX_KEYS_PER_TAG = 4
/** Signatures of one RRset that are looked at. */
export const MAX_SIGNATURES_PER_RRSET = 16
/** Verifications for one RRset. */
export const MAX_VERIFICATIONS_PER_RRSET = 16

const ZONE_KEY = 0x0100
const REVOKED = 0x0080
const DNSSEC_PROTOCOL = 3

/** What is counted while validating, shared by everything one run looks at. */
export interface Work {
  verifications: number
  hashes: number
}

export interface SignatureCheck {
  signature: Signature
  state: 'valid' | 'invalid' | 'unchecked'
  flaw?: Flaw
}

export type RrsetCheck =
  | { state: 'secure'; checks: SignatureCheck[]; by: Signature }
  | { state: 'bogus'; checks: SignatureCheck[]; flaw: Flaw }

export interface SignedRrset {
  records: readonly ResourceRecord[]
  signatures: readonly Signature[]
}

export interface Verifier {
  zone: string
  keys: readonly KeyRecord[]
  /** Seconds since 1970. */
  now: number
  work: Work
  maxVerifications: number
}

/** Keys that may sign data of a zone: RFC 4034 §2.1.1, §2.1.2, and not revoked (RFC 5011 §2.1). */
export const maySign = ({ data }: KeyRecord): boolean =>
  (data.flags & ZONE_KEY) !== 0 && (data.flags & REVOKED) === 0 && data.protocol === DNSSEC_PROTOCOL

/** Serial number arithmetic of 32 bits (RFC 1982 §3.2), which RFC 4034 §3.1.5 prescribes for moments. */
export const serialDistance = (from: number, to: number): number => (to - from) | 0

/** Verifies an RRset with the keys of its zone; one valid signature is enough. */
export async function verifyRrset(rrset: SignedRrset, verifier: Verifier): Promise<RrsetCheck> {
  const checks: SignatureCheck[] = []
  const budget = { left: MAX_VERIFICATIONS_PER_RRSET }
  let by: Signature | undefined
  for (const signature of rrset.signatures.slice(0, MAX_SIGNATURES_PER_RRSET)) {
    const flaw = await flawOf(signature, rrset, verifier, budget)
    if (flaw === 'unchecked') checks.push({ signature, state: 'unchecked' })
    else if (flaw) checks.push({ signature, state: 'invalid', flaw })
    else {
      checks.push({ signature, state: 'valid' })
      by ??= signature
    }
  }
  if (by) return { state: 'secure', checks, by }
  return { state: 'bogus', checks, flaw: worstFlaw(checks, rrset, verifier.zone) }
}

/** The flaw that tells most when none of the signatures holds: one that almost did. */
function worstFlaw(checks: readonly SignatureCheck[], { records }: SignedRrset, zone: string): Flaw {
  const flaws = checks.flatMap(({ flaw }) => flaw ?? [])
  const telling = [ede.signatureExpired, ede.signatureNotYetValid, ede.expiredBeforeValid, ede.bogus, ede.dnskeyMissing]
  const found = telling.map(code => flaws.find(flaw => flaw.ede === code)).find(Boolean)
  const what = `the ${records[0]?.type ?? ''} records of ${said(records[0]?.name ?? '.')}`
  if (found) return found
  if (flaws[0]) return flaws[0]
  const reason = checks.length
    ? `None of the signatures of ${what} has an algorithm that is validated, although the zone has one.`
    : `There is no signature of ${said(zone)} for ${what}.`
  return { ede: ede.rrsigsMissing, reason }
}

async function flawOf(
  signature: Signature,
  { records }: SignedRrset,
  { zone, keys, now, work, maxVerifications }: Verifier,
  budget: { left: number },
): Promise<Flaw | 'unchecked' | undefined> {
  const { data } = signature
  const owner = records[0]?.name ?? '.'
  const name = `The signature of the ${data.typeCovered} records of ${said(owner)} by key ${data.keyTag}`
  if (!equalNames(data.signer, zone) || !isWithin(owner, data.signer)) {
    return { ede: ede.bogus, reason: `${name} is signed by ${said(data.signer)}, which is not the zone.` }
  }
  if (data.labels > signedLabels(owner)) {
    return { ede: ede.bogus, reason: `${name} is for a name with more labels.` }
  }
  if (!isSupported(data.algorithm)) return 'unchecked'
  const window = flawOfWindow(data, now, name)
  if (window) return window
  const fitting = keys.filter(key => keyTag(key.rdata) === data.keyTag && key.data.algorithm === data.algorithm)
  const usable = fitting.filter(maySign)
  if (usable.length === 0) {
    return fitting.length
      ? { ede: ede.noZoneKeyBit, reason: `${name} is by a key that is revoked or not a zone key.` }
      : {
          ede: ede.dnskeyMissing,
          reason: `${name} is by a ${algorithmTitle(data.algorithm)} key that ${said(zone)} does not publish.`,
        }
  }
  if (usable.length > MAX_KEYS_PER_TAG) {
    return {
      ede: ede.bogus,
      reason: `More than ${MAX_KEYS_PER_TAG} keys of ${said(zone)} have the tag ${data.keyTag}.`,
    }
  }
  const message = signedBytes(records, signature)
  for (const key of usable) {
    if (budget.left-- <= 0 || work.verifications >= maxVerifications) {
      return { ede: ede.other, reason: `${said(owner)} has more signatures and keys than are tried.` }
    }
    work.verifications++
    if (await verifyWith(key.data, data.signature, message)) return undefined
  }
  return { ede: ede.bogus, reason: `${name} does not fit the records: they or it were changed after signing.` }
}

function flawOfWindow({ inception, expiration }: Signature['data'], now: number, name: string): Flaw | undefined {
  if (serialDistance(inception, expiration) < 0) {
    return { ede: ede.expiredBeforeValid, reason: `${name} ends before it begins.` }
  }
  if (serialDistance(inception, now) < 0) {
    return { ede: ede.signatureNotYetValid, reason: `${name} is not valid before ${dayOf(inception)}.` }
  }
  if (serialDistance(now, expiration) < 0) {
    return { ede: ede.signatureExpired, reason: `${name} expired on ${dayOf(expiration)}.` }
  }
  return undefined
}
