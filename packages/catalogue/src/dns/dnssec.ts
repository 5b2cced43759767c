import { field, sh, tool } from '@assay/kit'
import type { Validation } from '@assay/lib/dns/dnssec'
import type { Security, ZoneStatus } from '@assay/lib/dns/dnssec-chain'
import type { SignatureCheck } from '@assay/lib/dns/dnssec-signature'
import { show } from './dnssec.show.ts'
import { dnssecRecordings } from './dnssec-recordings.ts'

/** What a name is asked for when no one type is chosen; the first tells whether the name exists. */
export const COMMON = ['SOA', 'A', 'AAAA', 'MX', 'NS', 'TXT', 'CAA'] as const
export const TYPES = ['common', ...COMMON, 'HTTPS', 'SRV', 'PTR', 'TLSA', 'DNSKEY', 'DS', 'CDS', 'NSEC3PARAM'] as const

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
    domain: field.domain('Domain'),
    record_type: field.choice('Records', TYPES, { help: 'common: SOA, A, AAAA, MX, NS, TXT and CAA' }),
  },
  async *run(input, context) {
    // The validator is not needed to show what it found.
    const { check } = await import('./dnssec-check.ts')
    return yield* check(input, context)
  },
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
