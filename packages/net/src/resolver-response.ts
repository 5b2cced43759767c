/** What a response of an authoritative server means to a resolver. Pure: a message goes in, a verdict comes out. */
import type { DnsStatus } from '@assay/kit'
import type { Message, ResourceRecord } from '@assay/lib/dns/message'
import { equalNames, isWithin, MAX_NAME_BYTES, nameLength } from '@assay/lib/dns/name'

/** What was asked, and of whom: only records inside the zone of the server are believed (RFC 5452 §6). */
export interface Inquiry {
  name: string
  type: string
  zone: string
}

/** What servers said, without what went wrong on the way to them. */
export type Verdict = Answer | Denial | Alias | Referral | Failure

interface Evidence {
  /** CNAME and DNAME records that led from the name asked to the name this is about. */
  links: ResourceRecord[]
  /** The name at the end of the links. */
  target: string
  /** RRSIG, NSEC and NSEC3 records that came along, for a validator; empty unless asked for. */
  proof: ResourceRecord[]
}

export interface Answer extends Evidence {
  kind: 'answer'
  records: ResourceRecord[]
}

export interface Denial extends Evidence {
  kind: 'nodata' | 'nxdomain'
  soa?: ResourceRecord
}

/** The links lead to a name whose records this response does not hold. */
export interface Alias extends Evidence {
  kind: 'alias'
}

export interface Referral {
  kind: 'referral'
  zone: string
  ttl: number
  nameservers: { name: string; addresses: string[] }[]
  proof: ResourceRecord[]
}

export interface Failure {
  kind: 'failure'
  status: Extract<DnsStatus, 'servfail' | 'refused' | 'lame' | 'cname-loop' | 'timeout' | 'network'>
  /** Said of the server: "answered SERVFAIL". */
  why: string
}

/** Longest chain of CNAME and DNAME records followed. */
export const MAX_LINKS = 12
/** Glue addresses kept for one name server. */
const MAX_GLUE_PER_SERVER = 8
/** Name servers kept of one delegation; the largest real ones have 13 (the root, com). */
const MAX_NAMESERVERS = 16

const PROOF_TYPES = new Set(['RRSIG', 'NSEC', 'NSEC3'])

const failure = (status: Failure['status'], why: string): Failure => ({ kind: 'failure', status, why })

export function judge(message: Message, inquiry: Inquiry): Verdict {
  if (message.cut !== undefined) return failure('servfail', `sent a message that cannot be read whole (${message.cut})`)
  switch (message.rcode) {
    case 'NOERROR':
    case 'NXDOMAIN':
      return judgeContent(message, inquiry)
    case 'REFUSED':
      return failure('refused', 'refused to answer')
    case 'NOTAUTH':
      return failure('lame', 'is not authoritative for the zone (NOTAUTH)')
    case 'YXDOMAIN':
      // RFC 6672 §2.2: the substitution would not fit into a name.
      return failure('servfail', 'says that a DNAME makes the name too long (YXDOMAIN)')
    default:
      return failure('servfail', `answered ${message.rcode}`)
  }
}

function judgeContent(message: Message, inquiry: Inquiry): Verdict {
  const { zone } = inquiry
  const inZone = (records: ResourceRecord[]) =>
    records.filter(record => record.class === 'IN' && isWithin(record.name, zone))
  const answers = inZone(message.answers)
  const authorities = inZone(message.authorities)
  const chain = followChain(answers, inquiry)
  if ('kind' in chain) return chain
  const { links, target, records } = chain
  if ((links.length > 0 || records.length > 0) && !message.aa) return failure('lame', 'answered without authority')
  const signed = answers.filter(record => record.type === 'RRSIG' && inquiry.type !== 'RRSIG')
  // An answer made from a wildcard brings the proof that nothing closer exists (RFC 4035 §3.1.3.3).
  const proof = [...signed, ...authorities.filter(record => PROOF_TYPES.has(record.type))]
  if (records.length > 0) return { kind: 'answer', links, target, records, proof }
  // A target outside the zone is not this server's to judge, whatever the response code.
  if (!isWithin(target, zone)) return { kind: 'alias', links, target, proof }
  const soa = authorities.find(record => record.type === 'SOA' && isWithin(target, record.name))
  const evidence = { links, target, proof, ...(soa && { soa }) }
  if (message.rcode === 'NXDOMAIN') {
    return message.aa ? { kind: 'nxdomain', ...evidence } : failure('lame', 'denied the name without authority')
  }
  if (!soa && links.length > 0) return { kind: 'alias', links, target, proof }
  if (soa && message.aa) return { kind: 'nodata', ...evidence }
  return judgeReferral(message, authorities, inquiry) ?? judgeEmpty(message, evidence)
}

/** A referral leads to a zone below the one asked and at or above the name (RFC 1034 §4.3.2, step 3b). */
function judgeReferral(message: Message, authorities: ResourceRecord[], inquiry: Inquiry): Referral | undefined {
  const isBelow = (name: string) => isWithin(inquiry.name, name) && !equalNames(name, inquiry.zone)
  const zone = authorities.find(record => record.type === 'NS' && isBelow(record.name))?.name
  if (zone === undefined) return undefined
  const delegation = authorities.filter(record => record.type === 'NS').filter(({ name }) => equalNames(name, zone))
  const names = new Map(delegation.map(record => [hostOf(record).toLowerCase(), hostOf(record)]))
  names.delete('')
  const nameservers = [...names.values()]
    .slice(0, MAX_NAMESERVERS)
    .map(name => ({ name, addresses: glueOf(name, message, inquiry) }))
  const ttl = Math.min(...delegation.map(record => record.ttl))
  const proof = authorities.filter(record => PROOF_TYPES.has(record.type) || record.type === 'DS')
  return { kind: 'referral', zone, ttl, nameservers, proof }
}

const hostOf = (record: ResourceRecord): string => (record.type === 'NS' ? (record.data?.nsdname ?? '') : '')

/** Addresses of a name server from the additional section: believed only inside the zone that was asked. */
function glueOf(name: string, { additionals }: Message, { zone }: Inquiry): string[] {
  if (!isWithin(name, zone)) return []
  return additionals
    .filter(record => equalNames(record.name, name))
    .flatMap(record => (record.type === 'A' || record.type === 'AAAA' ? (record.data?.address ?? []) : []))
    .slice(0, MAX_GLUE_PER_SERVER)
}

function judgeEmpty(message: Message, evidence: Omit<Denial, 'kind'>): Verdict {
  if (message.aa) return { kind: 'nodata', ...evidence }
  const upwards = message.authorities.some(record => record.type === 'NS')
  return failure('lame', upwards ? 'referred to a zone above its own' : 'answered without authority and without data')
}

interface Chain {
  links: ResourceRecord[]
  target: string
  records: ResourceRecord[]
}

/** Follows CNAME and DNAME from owner to target, whatever the order of the records (RFC 1034 §3.6.2, RFC 6672 §3.2). */
function followChain(answers: ResourceRecord[], { name, type }: Inquiry): Chain | Failure {
  const links: ResourceRecord[] = []
  const seen = new Set<string>()
  let target = name
  for (;;) {
    seen.add(target.toLowerCase())
    const here = answers.filter(record => equalNames(record.name, target))
    const records = here.filter(record => record.type === type || type === 'ANY')
    if (records.length > 0) return { links, target, records }
    const dname = answers.find(
      ({ name, type }) => type === 'DNAME' && isWithin(target, name) && !equalNames(target, name),
    )
    const alias = here.find(record => record.type === 'CNAME')
    const next = dname ? substitute(target, dname) : targetOf(alias)
    if (next === undefined) return { links, target, records: [] }
    if (dname && nameLength(next) > MAX_NAME_BYTES)
      return failure('servfail', 'sent a DNAME that makes the name too long')
    if (seen.has(next.toLowerCase())) return failure('cname-loop', 'sent aliases that lead back to where they began')
    if (links.length >= MAX_LINKS) return failure('cname-loop', `sent a chain of more than ${MAX_LINKS} aliases`)
    if (dname) links.push(dname)
    else if (alias) links.push(alias)
    target = next
  }
}

const targetOf = (record: ResourceRecord | undefined): string | undefined =>
  record?.type === 'CNAME' ? record.data?.cname : undefined

/** RFC 6672 §2.2: the owner of the DNAME, at the end of the name, gives way to its target. */
function substitute(name: string, dname: ResourceRecord): string | undefined {
  const target = dname.type === 'DNAME' ? dname.data?.target : undefined
  if (target === undefined) return undefined
  const prefix = name.slice(0, name.length - (dname.name === '.' ? 0 : dname.name.length))
  return target === '.' ? prefix : prefix + target
}
