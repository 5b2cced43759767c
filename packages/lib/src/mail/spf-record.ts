/** SPF records as they are written: RFC 7208 §4.5 (which text is one), §4.6.1 and §12 (their grammar). */
import { findAddress, type Prefix } from '../ip/address.ts'
import { type MacroPart, parseDomainSpec, parseMacros } from './spf-macro.ts'

export const qualifiers = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const
export type Qualifier = keyof typeof qualifiers

export const mechanismNames = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const
export type MechanismName = (typeof mechanismNames)[number]

export interface Mechanism {
  kind: 'mechanism'
  /** As written. */
  text: string
  qualifier: Qualifier
  name: MechanismName
  /** The domain-spec, where one is given. */
  domain?: MacroPart[]
  domainText?: string
  /** Of ip4 and ip6. */
  network?: Prefix
  /** Prefix lengths of a and mx. */
  lengths: { 4: number; 6: number }
}

export interface Modifier {
  kind: 'modifier'
  text: string
  /** In lower case: redirect, exp, or one that nobody knows. */
  name: string
  value: string
  domain?: MacroPart[]
}

/** A term that breaks the grammar; one is enough to make the record a permanent error (RFC 7208 §4.6). */
export interface BrokenTerm {
  kind: 'broken'
  text: string
  problem: string
}

export type Term = Mechanism | Modifier | BrokenTerm

export interface SpfRecord {
  value: string
  terms: Term[]
}

/** RFC 7208 §4.5: the version ends at a space or at the end of the record, so `v=spf10` is something else. */
export const isSpfRecord = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

const MODIFIER = /^([a-z][a-z\d\-_.]*)=(.*)$/is
const DIRECTIVE = /^([-+~?]?)([a-z][a-z\d]*)(.*)$/is
const DUAL_LENGTH = /^(.*?)(?:\/(\d+))?(?:\/\/(\d+))?$/s
const ONE_LENGTH = /^(.*?)(?:\/(\d+))?$/s

/** Many times what anybody has; a record should fit into 512 octets (RFC 7208 §3.4). */
const MAX_TERMS = 1_000

/** Reads a record, broken terms and all; what may stand once only is broken the second time. */
export function parseSpf(value: string): SpfRecord {
  const words = value.slice('v=spf1'.length).split(' ').filter(Boolean)
  const terms = words.slice(0, MAX_TERMS).map(readTerm)
  if (words.length > MAX_TERMS)
    terms.push({ kind: 'broken', text: '', problem: `there are more than ${MAX_TERMS} terms` })
  const seen = new Set<string>()
  return {
    value,
    terms: terms.map(term => {
      if (term.kind !== 'modifier' || (term.name !== 'redirect' && term.name !== 'exp')) return term
      if (!seen.has(term.name)) {
        seen.add(term.name)
        return term
      }
      return { kind: 'broken', text: term.text, problem: `${term.name}= stands more than once` }
    }),
  }
}

export const brokenTerms = ({ terms }: SpfRecord): BrokenTerm[] => terms.filter(term => term.kind === 'broken')
export const mechanismsOf = ({ terms }: SpfRecord): Mechanism[] => terms.filter(term => term.kind === 'mechanism')
export const modifierOf = ({ terms }: SpfRecord, name: 'redirect' | 'exp'): Modifier | undefined =>
  terms.find(term => term.kind === 'modifier' && term.name === name) as Modifier | undefined

function readTerm(text: string): Term {
  try {
    const [, name, value = ''] = MODIFIER.exec(text) ?? []
    return name === undefined ? readMechanism(text) : readModifier(text, name.toLowerCase(), value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { kind: 'broken', text, problem: error.message }
  }
}

function readModifier(text: string, name: string, value: string): Modifier {
  if (name === 'redirect' || name === 'exp')
    return { kind: 'modifier', text, name, value, domain: parseDomainSpec(value) }
  parseMacros(value)
  return { kind: 'modifier', text, name, value }
}

function readMechanism(text: string): Mechanism {
  const [, sign = '', written = '', rest = ''] = DIRECTIVE.exec(text) ?? []
  const name = mechanismNames.find(known => known === written.toLowerCase())
  if (!name) throw new RangeError(unknownTerm(written.toLowerCase(), rest))
  const qualifier = (Object.keys(qualifiers) as Qualifier[]).find(known => known === sign) ?? '+'
  return { kind: 'mechanism', text, qualifier, name, lengths: { 4: 32, 6: 128 }, ...readArguments(name, rest) }
}

function unknownTerm(name: string, rest: string): string {
  if ((name === 'redirect' || name === 'exp') && rest.startsWith(':')) return `${name} takes "=", not ":"`
  return 'there is no such mechanism'
}

function readArguments(name: MechanismName, rest: string): Partial<Mechanism> {
  switch (name) {
    case 'all':
      if (rest) throw new RangeError('all takes nothing')
      return {}
    case 'include':
    case 'exists':
      return readDomain(afterColon(rest, `${name} needs ":" and a domain`))
    case 'ptr':
      return rest === '' ? {} : readDomain(afterColon(rest, 'ptr takes ":" and a domain or nothing'))
    case 'ip4':
    case 'ip6':
      return { network: readNetwork(name === 'ip4' ? 4 : 6, afterColon(rest, `${name} needs ":" and an address`)) }
    case 'a':
    case 'mx': {
      const [, head = '', four, six] = DUAL_LENGTH.exec(rest) ?? []
      return {
        ...(head !== '' &&
          readDomain(afterColon(head, `${name} takes ":" and a domain, "/" and a length, or nothing`))),
        lengths: { 4: readLength(four, 32), 6: readLength(six, 128) },
      }
    }
  }
}

function afterColon(rest: string, otherwise: string): string {
  if (!rest.startsWith(':')) throw new RangeError(otherwise)
  return rest.slice(1)
}

const readDomain = (text: string) => ({ domain: parseDomainSpec(text), domainText: text })

function readNetwork(version: 4 | 6, text: string): Prefix {
  const [, start = '', digits] = ONE_LENGTH.exec(text) ?? []
  const address = findAddress(start)
  if (address?.version !== version) throw new RangeError(`there is no IPv${version} address`)
  return { ...address, length: readLength(digits, version === 4 ? 32 : 128) }
}

/** Without leading zeros, and no longer than the address. */
function readLength(digits: string | undefined, bits: number): number {
  if (digits === undefined) return bits
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits) || Number(digits) > bits) {
    throw new RangeError(`a prefix length is not a number from 0 to ${bits}`)
  }
  return Number(digits)
}
