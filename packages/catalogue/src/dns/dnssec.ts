import { field, type ServerContext, sh, tool, type Update } from '@assay/kit'
import { toBase64 } from '@assay/lib/bytes'
import { extendedErrorName } from '@assay/lib/dns/codes'
import { algorithmTitle, digestTitle, keyBits, keyRole } from '@assay/lib/dns/dnskey'
import {
  type RrsetStatus,
  type Security,
  type Validation,
  Validator,
  worse,
  type ZoneStatus,
} from '@assay/lib/dns/dnssec'
import type { SignatureCheck } from '@assay/lib/dns/dnssec-signature'
import { equalNames, isWithin } from '@assay/lib/dns/name'
import { parseTrustAnchors } from '@assay/lib/dns/trust-anchors'
import { show } from './dnssec.show.ts'
import { findingsOf } from './dnssec-findings.ts'
import { dnssecRecordings } from './dnssec-recordings.ts'

/** What a name is asked for when no one type is chosen; the first tells whether the name exists. */
const COMMON = ['SOA', 'A', 'AAAA', 'MX', 'NS', 'TXT', 'CAA'] as const
const TYPES = ['common', ...COMMON, 'HTTPS', 'SRV', 'PTR', 'TLSA', 'DNSKEY', 'DS', 'CDS', 'NSEC3PARAM'] as const

export interface SignatureRow {
  record_type: string
  algorithm_text: string
  algorithm_number: number
  /** The zone. */
  signed_by: string
  /** Base64. */
  signature: string
  name: string
  key_tag: number
  valid_from: string
  valid_until: string
  state: SignatureCheck['state']
  reason: string | null
}

export interface ChainZone {
  zone: string
  parent: string | null
  /** The domain lies in or below it; else an alias leads there. */
  on_path: boolean
  verdict: Security
  ede: { code: number; name: string } | null
  reason: string | null
  /** DS records in the parent, or for the root the trust anchors. */
  ds: {
    key_tag: number
    algorithm_number: number
    algorithm_text: string
    digest_type: number
    digest_text: string
    state: ZoneStatus['ds'][number]['state']
  }[]
  keys: {
    key_tag: number
    role: string
    bits: number | null
    algorithm_number: number
    algorithm_text: string
    /** A DS record or trust anchor is of this key. */
    anchored: boolean
  }[]
}

export interface RecordSet {
  record_type: string
  status: Validation['status']
  verdict: Security
  reason: string | null
  /** How a denial was proven. */
  denial: Validation['denial'] | null
  /** The wildcards that names were made from. */
  wildcards: string[]
  /** Where aliases lead, when they do. */
  target: string | null
}

export interface Finding {
  name: string
  verdict: 'pass' | 'fail' | 'warn' | 'unknown'
  detail: string
  clause?: string
}

export interface DnssecResult {
  domain: string
  /** Every link from the root's key down to what was asked holds. */
  dnssec_enabled: boolean
  signatures: SignatureRow[]
  /** Why the chain does not hold, or could not be followed. */
  error: string | null
  verdict: Security
  ede: { code: number; name: string } | null
  reason: string | null
  record_sets: RecordSet[]
  chain: ChainZone[]
  findings: Finding[]
  validated_at: string
}

/** The chain of trust from the root to a name, checked by our own validator. RFC 4033, RFC 4034, RFC 4035. */
export const dnssec = tool({
  id: 'dnssec',
  path: 'dnssec',
  title: 'DNSSEC Check',
  category: 'dns-tools',
  summary: 'Follows the chain of trust from the root to your name, checks every signature, and says where it breaks.',
  keywords: ['rrsig', 'dnskey', 'ds', 'nsec', 'nsec3', 'chain of trust', 'delv', 'dnsviz', 'signature', 'validate'],
  specs: ['RFC 4033', 'RFC 4034', 'RFC 4035', 'RFC 5155', 'RFC 6840', 'RFC 9276', 'RFC 9364'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dnssec/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.host('Domain', { placeholder: 'example.com' }),
    record_type: field.choice('Records', TYPES, { help: 'common: SOA, A, AAAA, MX, NS, TXT and CAA' }),
  },
  run: check,
  show,
  terminal: ({ domain, record_type }) => ({
    command: sh`delv ${domain} ${record_type === 'common' ? 'A' : record_type} +vtrace`,
  }),
  examples: [
    {
      from: 'RFC 9102 §A.1',
      title: 'A chain of three zones',
      input: { domain: '_443._tcp.www.example.com', record_type: 'TLSA' },
      recording: dnssecRecordings.chain,
      result: {
        domain: '_443._tcp.www.example.com',
        dnssec_enabled: true,
        error: null,
        verdict: 'secure',
        ede: null,
      },
    },
    {
      from: 'RFC 9102 §A.1',
      title: 'The same two years later: the signatures have expired',
      input: { domain: '_443._tcp.www.example.com', record_type: 'TLSA' },
      recording: { ...dnssecRecordings.chain, now: '2021-06-01T00:00:00Z' },
      result: {
        dnssec_enabled: false,
        verdict: 'bogus',
        ede: { code: 7, name: 'Signature Expired' },
        error: 'The signature of the DNSKEY records of the root zone by key 47005 expired on 2 December 2020.',
      },
    },
  ],
})

async function* check(
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
