import type { ServerContext, Update } from '@assay/kit'
import { toBase64 } from '@assay/lib/bytes'
import { extendedErrorName } from '@assay/lib/dns/codes'
import { algorithmTitle, digestTitle, keyBits, keyRole } from '@assay/lib/dns/dnskey'
import { type Validation, Validator, worse } from '@assay/lib/dns/dnssec'
import type { RrsetStatus, ZoneStatus } from '@assay/lib/dns/dnssec-chain'
import type { SignatureCheck } from '@assay/lib/dns/dnssec-signature'
import { equalNames, isWithin } from '@assay/lib/dns/name'
import { parseTrustAnchors } from '@assay/lib/dns/trust-anchors'
import { type ChainZone, COMMON, type DnssecResult, type RecordSet, type SignatureRow, type TYPES } from './dnssec.ts'
import { findingsOf } from './dnssec-findings.ts'

/** Walks the chain, then judges each set of records that was asked for. */
export async function* check(
  { domain, record_type }: { domain: string; record_type: (typeof TYPES)[number] },
  { dnssec, now }: Pick<ServerContext, 'dnssec' | 'now'>,
): AsyncGenerator<Update<DnssecResult>, DnssecResult, void> {
  const name = domain.endsWith('.') ? domain : `${domain}.`
  const moment = now()
  const validator = new Validator({
    anchors: parseTrustAnchors(dnssec.anchors),
    ask: dnssec.ask,
    now: Math.floor(moment.getTime() / 1000),
  })
  const types = record_type === 'common' ? COMMON : [record_type]
  const [first = 'SOA', ...rest] = types
  yield { label: `following the chain to ${domain}` }
  const validations = [await validator.validate(name, first)]
  const result = () => resultOf(domain, name, moment, validations, validator)
  if (rest.length > 0 && validations[0]?.status !== 'nxdomain') {
    yield { progress: 1 / types.length, label: 'checking the records', partial: result() }
    validations.push(...(await Promise.all(rest.map(type => validator.validate(name, type)))))
  }
  // How a zone hashes names is told by its NSEC3PARAM; whether it is signed does not matter for a hint.
  const zone = validator.zones.findLast(zone => zone.state === 'secure' && isWithin(name, zone.name))
  const parameters = zone && zone.name !== '.' ? await validator.ask(zone.name, 'NSEC3PARAM') : undefined
  return resultOf(domain, name, moment, validations, validator, parameters?.records)
}

function resultOf(
  domain: string,
  name: string,
  moment: Date,
  validations: readonly Validation[],
  validator: Validator,
  parameters: Parameters<typeof findingsOf>[0]['parameters'] = [],
): DnssecResult {
  const verdict = validations.map(({ state }) => state).reduce(worse)
  const flaw = validations.find(({ state }) => state === verdict)?.flaw
  const { zones } = validator
  const signatures = signatureRows(name, validations, zones)
  const chain = zones.map(zone => chainZone(zone, name))
  const broken = verdict === 'bogus' || verdict === 'indeterminate'
  return {
    domain,
    dnssec_enabled: verdict === 'secure',
    signatures,
    error: broken ? (flaw?.reason ?? 'The chain of trust could not be followed to its end.') : null,
    verdict,
    ede: edeOf(flaw?.ede),
    reason: flaw?.reason ?? null,
    record_sets: validations.map(recordSet),
    chain,
    findings: findingsOf({ validations, zones, signatures, parameters, moment }),
    validated_at: moment.toISOString(),
  }
}

const edeOf = (code: number | null | undefined) =>
  code === null || code === undefined ? null : { code, name: extendedErrorName(code) ?? '' }

const withoutDot = (name: string) => (name === '.' ? '.' : name.replace(/\.$/, ''))

function recordSet({ type, name, status, state, flaw, rrsets, denial, target }: Validation): RecordSet {
  return {
    record_type: type,
    status,
    verdict: state,
    reason: flaw?.reason ?? null,
    denial: denial ?? null,
    wildcards: rrsets.flatMap(({ wildcard }) => wildcard ?? []).map(withoutDot),
    target: equalNames(target, name) ? null : withoutDot(target),
  }
}

/** Each signature once: those of the records, of the keys of their zone and of its DS records. */
function signatureRows(name: string, validations: readonly Validation[], zones: readonly ZoneStatus[]): SignatureRow[] {
  const isDenial = ({ type }: RrsetStatus) => type === 'NSEC' || type === 'NSEC3'
  const answered = validations.some(({ status }) => status === 'answer')
  const sets = validations
    .filter(({ status }) => !answered || status === 'answer')
    .flatMap(({ rrsets }) => rrsets.filter(set => !answered || !isDenial(set)))
  const zone = zones.findLast(zone => isWithin(name, zone.name))
  const checks = [...sets.flatMap(set => set.checks), ...(zone?.checks ?? []), ...(zone?.dsChecks ?? [])]
  const rows = new Map(checks.map(check => [signatureKey(check), signatureRow(check)]))
  return [...rows.values()]
}

const signatureKey = ({ signature: { name, rdata } }: SignatureCheck) => `${name.toLowerCase()} ${toBase64(rdata)}`

function signatureRow({ signature: { name, data }, state, flaw }: SignatureCheck): SignatureRow {
  return {
    record_type: data.typeCovered,
    algorithm_text: algorithmTitle(data.algorithm),
    algorithm_number: data.algorithm,
    signed_by: withoutDot(data.signer),
    signature: toBase64(data.signature),
    name: withoutDot(name),
    key_tag: data.keyTag,
    valid_from: new Date(data.inception * 1000).toISOString(),
    valid_until: new Date(data.expiration * 1000).toISOString(),
    state,
    reason: flaw?.reason ?? null,
  }
}

function chainZone({ name: zone, parent, state, flaw, ds, keys }: ZoneStatus, name: string): ChainZone {
  return {
    zone: withoutDot(zone),
    parent: parent === undefined ? null : withoutDot(parent),
    on_path: isWithin(name, zone),
    verdict: state,
    ede: edeOf(flaw?.ede),
    reason: flaw?.reason ?? null,
    ds: ds.map(({ record: { data }, state }) => ({
      key_tag: data.keyTag,
      algorithm_number: data.algorithm,
      algorithm_text: algorithmTitle(data.algorithm),
      digest_type: data.digestType,
      digest_text: digestTitle(data.digestType),
      state,
    })),
    keys: keys.map(({ record: { data }, tag, trusted }) => ({
      key_tag: tag,
      role: keyRole(data),
      bits: keyBits(data) ?? null,
      algorithm_number: data.algorithm,
      algorithm_text: algorithmTitle(data.algorithm),
      anchored: trusted,
    })),
  }
}
