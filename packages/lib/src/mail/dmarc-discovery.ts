/** Which DMARC record holds for a domain: the DNS tree walk of RFC 9989 §4.10. */

import { type DmarcPolicy, type DmarcRecord, isDmarcRecord, parseDmarc, policiesOf, stepDown } from './dmarc.ts'
import { isKnown, isVoid, type MailAnswer, type MailDns, nameOfText, textsOf } from './dns.ts'

/** RFC 9989 §4.10: after the first question of a longer name the walk goes on with this many labels. */
export const LABELS_AFTER_FIRST = 7

/** One question of the walk. */
export interface WalkStep {
  domain: string
  /** `_dmarc.` and the domain. */
  name: string
  /** `multiple`: more than one record, so all are thrown away. */
  found: 'record' | 'nothing' | 'multiple' | 'unknown'
  record?: DmarcRecord
  /** Every DMARC record at the name. */
  values: string[]
  reason?: string
}

export interface Discovery {
  steps: WalkStep[]
  organizationalDomain: string
  /** The record that holds, and whose it is. */
  record?: DmarcRecord
  policyDomain?: string
  source?: 'author' | 'organization' | 'public-suffix'
  /** Which tag the policy came from; `default` when the record has none that is valid. */
  policyTag?: 'p' | 'sp' | 'np' | 'default'
  /** As published. */
  policy?: DmarcPolicy
  /** With t=y taken into account. */
  appliedPolicy?: DmarcPolicy
  /** Of the domain itself, asked only where the policy depends on it. Undefined when it could not be told. */
  exists?: boolean
}

/** The domains that are asked about, in order: at most eight. */
export function walkTargets(domain: string): string[] {
  const labels = domain.split('.')
  const rest = labels.slice(Math.max(1, labels.length - LABELS_AFTER_FIRST))
  return [domain, ...rest.map((_, index) => rest.slice(index).join('.'))]
}

/** Walks up from a domain until a record says where the organization ends, or the names do. */
export async function walkTree(domain: string, dns: MailDns, asked?: (step: WalkStep) => void): Promise<WalkStep[]> {
  const steps: WalkStep[] = []
  for (const target of walkTargets(domain)) {
    const name = `_dmarc.${target}`
    const question = nameOfText(name)
    const step: WalkStep = question
      ? stepOf(target, await dns.resolve(question, 'TXT'))
      : { domain: target, name, found: 'nothing', values: [], reason: 'the name is too long to be asked for' }
    steps.push(step)
    asked?.(step)
    if (step.record && step.record.psd !== 'u') break
  }
  return steps
}

function stepOf(domain: string, answer: MailAnswer): WalkStep {
  const name = `_dmarc.${domain}`
  const values = textsOf(answer).filter(isDmarcRecord)
  const [value] = values
  const base = { domain, name, values }
  if (!isKnown(answer)) return { ...base, found: 'unknown', reason: answer.reason ?? answer.status }
  if (values.length > 1) return { ...base, found: 'multiple' }
  return value === undefined ? { ...base, found: 'nothing' } : { ...base, found: 'record', record: parseDmarc(value) }
}

/** RFC 9989 §4.10.2: chosen among the domains with a record, from the longest to the shortest. */
export function organizationalDomainOf(steps: readonly WalkStep[]): string {
  const start = steps[0]?.domain ?? ''
  const found = steps.filter(({ record }) => record)
  for (const { domain, record } of found) {
    if (record?.psd === 'n') return domain
    if (record?.psd === 'y' && domain !== start) return oneLabelBelow(domain, start)
  }
  return found.at(-1)?.domain ?? start
}

function oneLabelBelow(domain: string, descendant: string): string {
  const labels = descendant.split('.')
  return labels.slice(-(domain.split('.').length + 1)).join('.')
}

/** Finds the record that holds for mail of a domain and the policy in it. RFC 9989 §4.10.1. */
export async function discoverDmarc(
  domain: string,
  dns: MailDns,
  asked?: (step: WalkStep) => void,
): Promise<Discovery> {
  const steps = await walkTree(domain, dns, asked)
  const organizationalDomain = organizationalDomainOf(steps)
  const at = (wanted: string) => steps.find(step => step.domain === wanted && step.record)?.record
  const suffix = steps.find(step => step.record?.psd === 'y' && step.domain !== domain)
  const places = [
    { source: 'author', policyDomain: domain, record: at(domain) },
    { source: 'organization', policyDomain: organizationalDomain, record: at(organizationalDomain) },
    { source: 'public-suffix', policyDomain: suffix?.domain ?? '', record: suffix?.record },
  ] as const
  const place = places.find(({ record }) => record)
  if (!place?.record) return { steps, organizationalDomain }
  const { record, source, policyDomain } = place
  const found = { steps, organizationalDomain, record, source, policyDomain }
  const policies = policiesOf(record)
  if (!policies) return found
  const exists = source === 'author' ? undefined : await existenceOf(domain, dns)
  const tag = source === 'author' ? 'p' : exists === false ? 'np' : 'sp'
  const policy = policies[tag]
  return {
    ...found,
    policyTag: policyTagOf(record, tag),
    policy,
    appliedPolicy: record.testing ? stepDown(policy) : policy,
    ...(exists !== undefined && { exists }),
  }
}

/** The tag that was really there: np falls back to sp, sp to p. */
function policyTagOf(record: DmarcRecord, tag: 'p' | 'sp' | 'np'): NonNullable<Discovery['policyTag']> {
  if (record.p === undefined || record.invalidPolicy) return 'default'
  if (tag === 'np' && record.np) return 'np'
  return tag !== 'p' && record.sp ? 'sp' : 'p'
}

/** A domain does not exist when the DNS says so by name (NXDOMAIN), whatever was asked for. RFC 8020. */
async function existenceOf(domain: string, dns: MailDns): Promise<boolean | undefined> {
  const answer = await dns.resolve(`${domain}.`, 'A')
  return isKnown(answer) ? answer.status !== 'nxdomain' : undefined
}

/** Whether somebody else takes a domain's reports. RFC 9990. */
export interface ReportPermission {
  uri: string
  domain: string
  /** Of the same organization, so nobody has to permit anything. */
  external: boolean
  /** The name whose record permits it. */
  name?: string
  permitted?: boolean
  /** Whether mail to the domain can be delivered at all: an MX record that is not null, or an address. */
  mail?: boolean
  reason?: string
}

/** Asks whether reports of the policy's domain may go to an address, and whether mail gets there. */
export async function checkReportAddress(
  { uri, domain }: { uri: string; domain: string },
  policy: { domain: string; organizationalDomain: string },
  dns: MailDns,
): Promise<ReportPermission> {
  const organization = organizationalDomainOf(await walkTree(domain, dns))
  const external = domain !== policy.domain && organization !== policy.organizationalDomain
  const mail = await takesMail(domain, dns)
  const base = { uri, domain, external, ...(mail !== undefined && { mail }) }
  if (!external) return base
  const name = `${policy.domain}._report._dmarc.${domain}`
  const question = nameOfText(name)
  if (!question) return { ...base, name, permitted: false, reason: 'the name is too long to be asked for' }
  const answer = await dns.resolve(question, 'TXT')
  if (!isKnown(answer)) return { ...base, name, reason: answer.reason ?? answer.status }
  return { ...base, name, permitted: textsOf(answer).some(isDmarcRecord) }
}

/** RFC 5321 §5.1, RFC 7505 §3. */
async function takesMail(domain: string, dns: MailDns): Promise<boolean | undefined> {
  const name = nameOfText(domain)
  if (!name) return false
  const answer = await dns.resolve(name, 'MX')
  if (answer.status === 'answer') {
    return answer.records.some(record => record.type === 'MX' && record.data?.exchange !== '.')
  }
  if (!isKnown(answer)) return undefined
  const addresses = await Promise.all(['A', 'AAAA'].map(type => dns.resolve(name, type)))
  if (addresses.some(({ status }) => status === 'answer')) return true
  return addresses.every(isVoid) ? false : undefined
}
