/** Questions to lists in the DNS and what their answers mean. RFC 5782. */
import { type Address, contains, findAddress, parsePrefix, reverseName } from '../ip/address.ts'
import { addressesOf, isVoid, type MailAnswer, type MailDns, nameOfText, textsOf } from '../mail/dns.ts'
import type { BlockList, ListingKind } from './zones.ts'

/** `refused`: the list does not answer us. `unavailable`: it could not be asked, or has not shown that it works. */
export type ListStatus = 'listed' | 'not listed' | 'refused' | 'unavailable'

export interface ListAnswer {
  status: ListStatus
  /** The addresses it answered. */
  codes: string[]
  meanings: string[]
  /** The worst kind among the codes, for listings only. */
  kind?: ListingKind
  /** What the list says in a text record, often a link with the reason. */
  texts: string[]
  /** Why it was refused or could not be told. */
  reason?: string
}

/** RFC 5782 §2.1: the answers of a list lie here; what lies elsewhere is somebody else's, such as a parked domain's. */
const LIST_ANSWERS = parsePrefix('127.0.0.0/8')
/** What several operators answer to those they do not serve. */
const REFUSALS = parsePrefix('127.255.255.0/24')

/** The name to ask for: addresses turned around (RFC 5782 §2.1 and §2.4), names as they are (§3). */
export function listName(subject: string, zone: string): string | undefined {
  const address = findAddress(subject)
  return nameOfText(`${address ? reversed(address) : subject}.${zone}`)
}

const reversed = (address: Address) => reverseName(address).replace(/\.(?:in-addr|ip6)\.arpa$/, '')

/** Asks one list about an address or a name, after its control points have shown that it works. */
export async function askList(list: BlockList, subject: string, dns: MailDns): Promise<ListAnswer> {
  const fault = await controlFault(list, subject.includes(':'), dns)
  if (fault) return fault
  const answer = await ask(list, subject, dns)
  const judged = judge(list, answer)
  if (judged.status === 'not listed' && !list.control && judged.codes.length === 0) {
    const reason = 'the list has no control points, so a missing entry proves nothing'
    return { ...judged, status: 'unavailable', reason }
  }
  if (judged.status !== 'listed') return judged
  const name = listName(subject, list.zone)
  const texts = name ? textsOf(await dns.resolve(name, 'TXT')) : []
  return { ...judged, texts: texts.slice(0, MAX_TEXTS).map(text => text.slice(0, MAX_TEXT_LENGTH)) }
}

/** What is kept of a list's answer: it has one code or a few, and a sentence or two. */
const MAX_CODES = 16
const MAX_TEXTS = 4
const MAX_TEXT_LENGTH = 500

const nothing: Pick<ListAnswer, 'codes' | 'meanings' | 'texts'> = { codes: [], meanings: [], texts: [] }

async function ask({ zone }: BlockList, subject: string, dns: MailDns): Promise<MailAnswer> {
  const name = listName(subject, zone)
  return name ? dns.resolve(name, 'A') : { status: 'nxdomain', records: [] }
}

/** RFC 5782 §5: what is always listed has to be, and what never is must not be. */
async function controlFault(list: BlockList, ipv6: boolean, dns: MailDns): Promise<ListAnswer | undefined> {
  if (!list.control) return undefined
  const point = (text: string) => (ipv6 && list.asks === 'address' ? `::ffff:${text}` : text)
  const [positive, negative] = await Promise.all([
    ask(list, point(list.control.listed), dns),
    ask(list, point(list.control.clean), dns),
  ])
  const listed = judge(list, positive)
  const clean = judge(list, negative)
  if (listed.status === 'refused') return listed
  const unavailable = (reason: string): ListAnswer => ({ ...nothing, status: 'unavailable', reason })
  if (listed.status === 'unavailable') return listed
  if (listed.status === 'not listed') return unavailable('its test entry is missing, so the list is not in use')
  if (clean.status === 'listed') return unavailable('it lists what must never be listed, so it lists everything')
  return clean.status === 'not listed' ? undefined : clean
}

/** What one answer says. */
export function judge(list: BlockList, answer: MailAnswer): ListAnswer {
  if (isVoid(answer)) return { ...nothing, status: 'not listed' }
  if (answer.status === 'refused') return { ...nothing, status: 'refused', reason: 'its servers refuse our questions' }
  if (answer.status !== 'answer') return { ...nothing, status: 'unavailable', reason: answer.reason ?? answer.status }
  const addresses = addressesOf(answer).slice(0, MAX_CODES)
  const codes = addresses.filter(text => within(LIST_ANSWERS, text))
  if (codes.length === 0) {
    const reason = 'it answers addresses outside 127.0.0.0/8, as a parked domain does'
    return { ...nothing, codes: addresses, status: 'unavailable', reason }
  }
  if (codes.some(code => isRefusal(list, code))) {
    return { ...nothing, codes, status: 'refused', reason: 'it answers that it does not serve this resolver' }
  }
  const kinds = codes.map(code => list.codes?.[code]?.kind ?? list.kind)
  const meanings = codes.flatMap(code => meaningsOf(list, code))
  // Praise is no listing, whatever else the zone is for.
  if (kinds.every(kind => kind === 'praise'))
    return { ...nothing, codes, meanings, status: 'not listed', kind: 'praise' }
  return { status: 'listed', codes, meanings, kind: worst(kinds), texts: [] }
}

const within = (prefix: typeof LIST_ANSWERS, text: string) => {
  const address = findAddress(text)
  return address !== undefined && contains(prefix, address)
}

function isRefusal({ refusals = [], codes = {} }: BlockList, code: string): boolean {
  if (within(REFUSALS, code)) return true
  if (codes[code]) return false
  return refusals.some(pattern => pattern.split('.').every((part, i) => part === 'x' || part === code.split('.')[i]))
}

function meaningsOf({ codes = {}, bits, kind }: BlockList, code: string): string[] {
  const known = codes[code]
  if (known) return [known.meaning]
  const last = Number(code.split('.')[3])
  if (bits) {
    const set = Object.entries(bits).filter(([bit]) => (last & Number(bit)) !== 0)
    return set.length ? set.map(([, meaning]) => meaning) : ['listed, for a reason that is not known']
  }
  return [kind === 'praise' ? `trusted: ${TRUST[last] ?? 'not known how much'}` : 'listed']
}

/** The last number of dnswl.org's answers. */
const TRUST = ['hardly', 'a little', 'much', 'very much']

const ORDER: readonly ListingKind[] = ['spam', 'backscatter', 'neighbourhood', 'policy', 'praise']
const worst = (kinds: readonly ListingKind[]): ListingKind => ORDER.find(kind => kinds.includes(kind)) ?? 'spam'
