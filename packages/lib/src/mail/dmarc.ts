/** DMARC policy records: which text is one and what it says. RFC 9989 §4.7 (tags) and §4.8 (grammar). */
import { parseTagList, type TagList, tagValue } from './tag-list.ts'

export type DmarcPolicy = 'none' | 'quarantine' | 'reject'
const policies: readonly DmarcPolicy[] = ['none', 'quarantine', 'reject']

export interface DmarcRecord {
  /** As published. */
  value: string
  list: TagList
  /** Undefined when missing or none of the three. */
  p: DmarcPolicy | undefined
  sp: DmarcPolicy | undefined
  np: DmarcPolicy | undefined
  /** A policy tag holds something else. */
  invalidPolicy: boolean
  psd: 'y' | 'n' | 'u'
  testing: boolean
  rua: ReportAddress[]
  ruf: ReportAddress[]
}

/** Where reports go. */
export interface ReportAddress {
  uri: string
  /** Of a mailto: address, in lower case. */
  domain?: string
  /** A size limit such as `!10m`, which RFC 9989 gave up. */
  limit?: string
  problem?: string
}

/** Whether a text says it is a DMARC record: `v` comes first, and its value is exactly DMARC1, in capitals. */
export const isDmarcRecord = (text: string): boolean => /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text)

/** Values of tags are not case-sensitive (RFC 5234 §2.3), except those of `v` and the addresses. */
export function parseDmarc(value: string): DmarcRecord {
  const list = parseTagList(value)
  const names = ['p', 'sp', 'np'] as const
  const policy = (name: string) => policies.find(known => known === lowerValue(list, name))
  const psd = lowerValue(list, 'psd')
  return {
    value,
    list,
    p: policy('p'),
    sp: policy('sp'),
    np: policy('np'),
    invalidPolicy: names.some(name => lowerValue(list, name) !== undefined && policy(name) === undefined),
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    testing: lowerValue(list, 't') === 'y',
    rua: parseAddresses(tagValue(list, 'rua')),
    ruf: parseAddresses(tagValue(list, 'ruf')),
  }
}

export const lowerValue = (list: TagList, name: string): string | undefined => tagValue(list, name)?.toLowerCase()

/** No receiver sends to more, and most to far fewer. */
const MAX_ADDRESSES = 50

const parseAddresses = (text: string | undefined): ReportAddress[] =>
  (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
    .slice(0, MAX_ADDRESSES)
    .map(parseAddress)

const MAILTO = /^mailto:([^@\s]+)@([^@\s?]+)(\?\S*)?$/i
const LIMIT = /!(\d+[kmgt]?)$/i

function parseAddress(text: string): ReportAddress {
  const [, limit] = LIMIT.exec(text) ?? []
  const uri = limit === undefined ? text : text.replace(LIMIT, '')
  const shared = { uri, ...(limit !== undefined && { limit }) }
  const [, , domain] = MAILTO.exec(uri) ?? []
  if (domain?.includes('.')) return { ...shared, domain: domain.toLowerCase().replace(/\.$/, '') }
  if (/^mailto:/i.test(uri)) return { ...shared, problem: 'it is no mail address' }
  if (/^[^:/@]+@[^:/@]+$/.test(uri)) return { ...shared, problem: 'mailto: is missing before the address' }
  if (/^[a-z][a-z\d+.-]*:\S+$/i.test(uri)) return { ...shared, problem: 'receivers need to take mailto: only' }
  return { ...shared, problem: 'it is no address' }
}

/** Addresses that a receiver can use. */
export const usableAddresses = (addresses: readonly ReportAddress[]): ReportAddress[] =>
  addresses.filter(({ domain }) => domain !== undefined)

/** What a receiver takes from a record (RFC 9989 §4.10.1): undefined when it may not apply DMARC at all. */
export function policiesOf(record: DmarcRecord): Record<'p' | 'sp' | 'np', DmarcPolicy> | undefined {
  if (record.p === undefined || record.invalidPolicy) {
    return usableAddresses(record.rua).length ? { p: 'none', sp: 'none', np: 'none' } : undefined
  }
  const { p, sp = p, np = sp } = record
  return { p, sp, np }
}

/** t=y asks for one step less. RFC 9989 §4.7. */
export const stepDown = (policy: DmarcPolicy): DmarcPolicy => (policy === 'reject' ? 'quarantine' : 'none')

/** Tags that RFC 9989 took out of RFC 7489, and what became of them. */
export const removedTags: Readonly<Record<string, string>> = {
  pct: 'use t=y while testing',
  rf: 'failure reports have one format',
  ri: 'reports come once a day',
}

const policyWords: Readonly<Record<DmarcPolicy, string>> = {
  none: 'do nothing, only report',
  quarantine: 'treat it as suspicious',
  reject: 'refuse it',
}

const tagWords: Readonly<Record<string, (value: string) => string>> = {
  v: value => (value === 'DMARC1' ? 'This is a DMARC record' : 'Not a version that is known'),
  p: value => `What to do with mail of this domain that fails: ${wordsOf(value, policyWords)}`,
  sp: value => `The same for subdomains that exist: ${wordsOf(value, policyWords)}`,
  np: value => `The same for subdomains that do not exist: ${wordsOf(value, policyWords)}`,
  rua: () => 'Where daily reports go',
  ruf: () => 'Where reports on single messages go',
  adkim: value => `DKIM domain: ${wordsOf(value, { r: 'the same organization is enough', s: 'has to be identical' })}`,
  aspf: value => `SPF domain: ${wordsOf(value, { r: 'the same organization is enough', s: 'has to be identical' })}`,
  fo: () => 'When to report on a single message',
  t: value => `Testing: ${wordsOf(value, { y: 'apply one step less than the policy', n: 'apply the policy' })}`,
  psd: value =>
    `Public suffix: ${wordsOf(value, { y: 'yes, others register below', n: 'no, the organization begins here', u: 'not said' })}`,
}

function wordsOf(value: string, words: Readonly<Record<string, string>>): string {
  return words[value.toLowerCase()] ?? 'not a value that is known'
}

/** A tag in words. */
export function describeTag(name: string, value: string): string {
  const removed = removedTags[name]
  if (removed) return `No longer read since RFC 9989: ${removed}`
  return tagWords[name]?.(value) ?? 'A tag nobody knows; ignored'
}
