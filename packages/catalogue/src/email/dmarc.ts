import { field, sh, tool, type Update } from '@assay/kit'
import { type DmarcRecord, describeTag, usableAddresses } from '@assay/lib/mail/dmarc'
import {
  checkReportAddress,
  type Discovery,
  discoverDmarc,
  type ReportPermission,
  type WalkStep,
} from '@assay/lib/mail/dmarc-discovery'
import { showDmarc } from './dmarc.show.ts'
import { validateDmarc } from './dmarc-rows.ts'
import { patient, refuseUnanswered } from './question.ts'
import type { Validation } from './validation.ts'

/** Report addresses that are looked into. */
const MAX_REPORT_ADDRESSES = 10

interface TagWords {
  value: string
  description: string
}

export interface DmarcBody {
  domain: string
  message: string
  /** Left out where no record holds for the domain. */
  DMARC?: {
    value: string
    parsed: { v: TagWords; p: TagWords; rua: TagWords } & Record<string, TagWords>
    validation: Validation[]
  }[]
  /** Whose record it is, and why it holds: the domain's own, its organization's, or its public suffix's. */
  policy_domain?: string
  source?: Discovery['source']
  organizational_domain?: string
  policy?: string
  /** With t=y taken into account. */
  applied_policy?: string
  policy_tag?: string
  domain_exists?: boolean
  /** The questions of the tree walk, in order. */
  walk?: { name: string; found: WalkStep['found']; values: string[]; reason?: string }[]
  reports?: ReportPermission[]
}

/** DMARC: the record that holds for a domain, found by walking up the tree, and what it asks for. RFC 9989. */
export const dmarc = tool({
  id: 'dmarc',
  path: 'dmarc',
  title: 'DMARC Check',
  category: 'dns-tools',
  summary: 'The DMARC record that holds for a domain, where it was found, and whether its reports arrive.',
  keywords: ['domain-based message authentication', 'v=DMARC1', 'p=reject', 'rua', 'tree walk', 'alignment', 'mail'],
  specs: ['RFC 9989', 'RFC 9990', 'RFC 9991'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dmarc/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context): AsyncGenerator<Update<DmarcBody>, DmarcBody, void> {
    refuseUnanswered(await context.dns.resolve(`_dmarc.${domain}.`, 'TXT'))
    const dns = patient(context)
    yield { label: 'walking up the tree' }
    const discovery = await discoverDmarc(domain, dns)
    if (!discovery.record) return withoutRecord(domain, discovery)
    yield { label: 'asking who takes the reports', partial: withRecord(domain, discovery, discovery.record, []) }
    const { source, policyDomain = domain, organizationalDomain } = discovery
    // A public suffix is an organization of its own, and not that of the names below it.
    const policy = {
      domain: policyDomain,
      organizationalDomain: source === 'public-suffix' ? policyDomain : organizationalDomain,
    }
    const addresses = [...usableAddresses(discovery.record.rua), ...usableAddresses(discovery.record.ruf)]
    const distinct = addresses.filter(({ domain }, i) => addresses.findIndex(other => other.domain === domain) === i)
    const reports = await Promise.all(
      distinct
        .slice(0, MAX_REPORT_ADDRESSES)
        .map(({ uri, domain: target = '' }) => checkReportAddress({ uri, domain: target }, policy, dns)),
    )
    return withRecord(domain, discovery, discovery.record, reports)
  },

  show: showDmarc,

  terminal: ({ domain }, { policy_domain }) => ({
    command: sh`dig +short ${`_dmarc.${policy_domain ?? domain}.`} TXT`,
  }),

  examples: [
    {
      from: 'RFC 9989 §B.2.1',
      title: 'Watch first: every report, nothing refused',
      input: { domain: 'example.com' },
      recording: {
        zone: `_dmarc.example.com. 3600 TXT "v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com"
example.com. 3600 MX 10 mail.example.com.`,
      },
      result: {
        DMARC: [{ value: 'v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com', parsed: { p: { value: 'none' } } }],
        policy_domain: 'example.com',
        organizational_domain: 'example.com',
        policy: 'none',
      },
    },
    {
      from: 'RFC 9989 §B.4.3',
      title: 'A bank below a public suffix that has a policy',
      input: { domain: 'giant.bank.example' },
      recording: {
        zone: `_dmarc.bank.example. 3600 TXT "v=DMARC1; p=reject; psd=y; rua=mailto:psd@bank.example"
_dmarc.giant.bank.example. 3600 TXT "v=DMARC1; p=quarantine"`,
      },
      result: {
        policy_domain: 'giant.bank.example',
        source: 'author',
        organizational_domain: 'giant.bank.example',
        walk: [{ name: '_dmarc.giant.bank.example' }, { name: '_dmarc.bank.example' }],
      },
    },
  ],
})

const walkOf = ({ steps }: Discovery): NonNullable<DmarcBody['walk']> =>
  steps.map(({ name, found, values, reason }) => ({ name, found, values, ...(reason && { reason }) }))

function withoutRecord(domain: string, discovery: Discovery): DmarcBody {
  const several = discovery.steps.find(({ found }) => found === 'multiple')
  const unknown = discovery.steps.find(({ found }) => found === 'unknown')
  const message = several
    ? `There are ${several.values.length} records at ${several.name}, so all of them are thrown away and none holds.`
    : unknown
      ? `No record was found, but ${unknown.name} could not be asked for.`
      : 'No DMARC record holds for this domain: receivers apply no policy and send no reports.'
  return { domain, message, organizational_domain: discovery.organizationalDomain, walk: walkOf(discovery) }
}

function withRecord(
  domain: string,
  discovery: Discovery,
  record: DmarcRecord,
  reports: readonly ReportPermission[],
): DmarcBody {
  const { policyDomain, source, organizationalDomain, policy, appliedPolicy, policyTag, exists } = discovery
  return {
    domain,
    message: messageOf(discovery),
    DMARC: [{ value: record.value, parsed: parsedTags(record), validation: validateDmarc(discovery, record, reports) }],
    ...(policyDomain && { policy_domain: policyDomain }),
    ...(source && { source }),
    organizational_domain: organizationalDomain,
    ...(policy && { policy }),
    ...(appliedPolicy && { applied_policy: appliedPolicy }),
    ...(policyTag && { policy_tag: policyTag }),
    ...(exists !== undefined && { domain_exists: exists }),
    walk: walkOf(discovery),
    reports: [...reports],
  }
}

const sources = { author: 'its own record', organization: 'the record of', 'public-suffix': 'the public suffix' }

function messageOf({ source, policyDomain, policy, appliedPolicy }: Discovery): string {
  const whose = source === 'author' || !source ? sources.author : `${sources[source]} ${policyDomain}`
  if (!policy) return `The domain is governed by ${whose}, which has no valid policy, so receivers apply none.`
  const tested = appliedPolicy === policy ? '' : `, while testing ${appliedPolicy}`
  return `Mail that fails meets the policy ${policy}${tested}, by ${whose}.`
}

function parsedTags(record: DmarcRecord): NonNullable<DmarcBody['DMARC']>[number]['parsed'] {
  const words = (name: string, value: string): TagWords => ({ value, description: describeTag(name, value) })
  const given = Object.fromEntries(record.list.tags.toReversed().map(({ name, value }) => [name, words(name, value)]))
  const others = Object.fromEntries(
    record.list.tags.filter(({ name }) => !['v', 'p', 'rua'].includes(name)).map(({ name }) => [name, given[name]]),
  ) as Record<string, TagWords>
  return {
    v: given.v ?? words('v', 'DMARC1'),
    p: given.p ?? { value: 'none', description: 'Not given; with an address for reports it counts as none' },
    rua: given.rua ?? { value: '', description: 'No address is given, so no daily reports are sent' },
    ...others,
  }
}
