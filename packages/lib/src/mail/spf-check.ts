/** The check_host() function of SPF. RFC 7208 §4 and §5, with the macros of §7 and the limits of §4.6.4. */
import {
  type Address,
  bytesOf,
  contains,
  equalAddresses,
  findAddress,
  formatAddress,
  parseAddress,
  reverseName,
} from '../ip/address.ts'
import { addressesOf, isKnown, isVoid, type MailAnswer, type MailDns, nameOfText, remembering, textsOf } from './dns.ts'
import { expandMacros, type MacroLetter, type MacroPart, parseMacros, shortenName } from './spf-macro.ts'
import {
  brokenTerms,
  isSpfRecord,
  type Mechanism,
  mechanismsOf,
  modifierOf,
  parseSpf,
  qualifiers,
  type SpfRecord,
} from './spf-record.ts'

/** RFC 7208 §4.6.4 */
export const MAX_LOOKUP_TERMS = 10
export const MAX_VOID_LOOKUPS = 2
export const MAX_MX_NAMES = 10
export const MAX_PTR_NAMES = 10
/** Terms that are told as they are tried; a record may hold thousands of addresses. */
const MAX_STEPS = 500

/** RFC 7208 §2.6 */
export type SpfResult = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror'

export interface SpfQuestion {
  /** Of the client that connects. */
  ip: string
  /** The domain whose record is checked; that of the sender unless given. */
  domain?: string
  /** The MAIL FROM address, empty for bounces. */
  sender: string
  helo: string
  /** The name of the host that checks, for %{r}. */
  receiver?: string
  /** Seconds since 1970, for %{t}. */
  seconds?: number
}

/** One mechanism that was tried. */
export interface SpfStep {
  /** Whose record it stands in, and how deep in includes and redirects. */
  domain: string
  depth: number
  term: string
  matched: boolean
  detail?: string
}

export interface SpfOutcome {
  result: SpfResult
  /** One clause on why. */
  reason: string
  /** The term that decided, and whose record it stands in. */
  term?: string
  domain?: string
  /** What the domain wants said to a client that fails; undefined when it has nothing to say (RFC 7208 §6.2). */
  explanation?: string
  lookups: number
  voidLookups: number
  steps: SpfStep[]
}

/** Ends the whole check, from however deep. RFC 7208 §2.6.6 and §2.6.7. */
class Stop extends Error {
  readonly result: 'temperror' | 'permerror'
  constructor(result: 'temperror' | 'permerror', reason: string) {
    super(reason)
    this.result = result
  }
}

interface Verdict {
  result: SpfResult
  reason: string
  domain: string
  record?: SpfRecord
  term?: string
}

interface Sender {
  local: string
  domain: string
}

/** Evaluates a domain's SPF record for one client and sender. */
export async function checkHost(question: SpfQuestion, dns: MailDns): Promise<SpfOutcome> {
  const check = new Check(question, remembering(dns))
  return check.run()
}

/** RFC 7208 §2.4 and §4.3: without a local part it is postmaster, without a sender the HELO name stands in. */
export function readSender({ sender, helo }: Pick<SpfQuestion, 'sender' | 'helo'>): Sender {
  if (sender === '') return { local: 'postmaster', domain: helo }
  const at = sender.lastIndexOf('@')
  return { local: at > 0 ? sender.slice(0, at) : 'postmaster', domain: sender.slice(at + 1) }
}

/** RFC 7208 §4.3: a name of at least two labels that a question can hold. */
function questionName(domain: string): string | undefined {
  return domain.replace(/\.$/, '').includes('.') ? nameOfText(domain) : undefined
}

class Check {
  readonly #dns: MailDns
  readonly #question: SpfQuestion
  readonly #sender: Sender
  readonly #ip: Address
  readonly #steps: SpfStep[] = []
  #lookups = 0
  #voids = 0

  constructor(question: SpfQuestion, dns: MailDns) {
    this.#dns = dns
    this.#question = question
    this.#sender = readSender(question)
    this.#ip = clientAddress(question.ip)
  }

  async run(): Promise<SpfOutcome> {
    const domain = this.#question.domain ?? this.#sender.domain
    const verdict = await this.#stoppable(domain)
    const explanation = verdict.result === 'fail' ? await this.#explain(verdict) : undefined
    return {
      result: verdict.result,
      reason: verdict.reason,
      ...(verdict.term !== undefined && { term: verdict.term, domain: verdict.domain }),
      ...(explanation !== undefined && { explanation }),
      lookups: this.#lookups,
      voidLookups: this.#voids,
      steps: this.#steps,
    }
  }

  async #stoppable(domain: string): Promise<Verdict> {
    try {
      return await this.#evaluate(domain, 0)
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      return { result: error.result, reason: error.message, domain }
    }
  }

  /** RFC 7208 §4.3 to §4.7 */
  async #evaluate(domain: string, depth: number): Promise<Verdict> {
    const name = questionName(domain)
    if (!name) return { result: 'none', reason: 'the domain is not a name that can have a record', domain }
    const answer = await this.#dns.resolve(name, 'TXT')
    if (!isKnown(answer))
      throw new Stop('temperror', `the text records of ${domain} cannot be had: ${failureOf(answer)}`)
    const [text, second] = textsOf(answer).filter(isSpfRecord)
    if (text === undefined) return { result: 'none', reason: `${domain} has no SPF record`, domain }
    if (second !== undefined) throw new Stop('permerror', `${domain} has more than one SPF record`)
    const record = parseSpf(text)
    const [broken] = brokenTerms(record)
    if (broken) throw new Stop('permerror', `"${cut(broken.text)}" of ${domain}: ${broken.problem}`)
    for (const mechanism of mechanismsOf(record)) {
      if (await this.#try(mechanism, domain, depth)) {
        const result = qualifiers[mechanism.qualifier]
        return { result, reason: `"${mechanism.text}" of ${domain} matches`, domain, record, term: mechanism.text }
      }
    }
    return this.#redirect(record, domain, depth)
  }

  /** RFC 7208 §6.1 */
  async #redirect(record: SpfRecord, domain: string, depth: number): Promise<Verdict> {
    const redirect = modifierOf(record, 'redirect')
    if (!redirect?.domain) return { result: 'neutral', reason: `nothing of ${domain} matches`, domain, record }
    this.#countTerm(redirect.text)
    const target = await this.#expand(redirect.domain, domain)
    if (target === undefined) throw new Stop('permerror', `"${redirect.text}" of ${domain} leads to no name`)
    if (this.#steps.length < MAX_STEPS) this.#steps.push({ domain, depth, term: redirect.text, matched: true })
    const verdict = await this.#evaluate(target, depth + 1)
    if (verdict.result !== 'none') return verdict
    throw new Stop('permerror', `"${redirect.text}" of ${domain} leads to no SPF record`)
  }

  async #try(mechanism: Mechanism, domain: string, depth: number): Promise<boolean> {
    const step: SpfStep = { domain, depth, term: mechanism.text, matched: false }
    if (this.#steps.length < MAX_STEPS) this.#steps.push(step)
    step.matched = await this.#matches(mechanism, domain, depth)
    return step.matched
  }

  /** RFC 7208 §5 */
  async #matches(mechanism: Mechanism, domain: string, depth: number): Promise<boolean> {
    const { name, network, text } = mechanism
    if (name === 'all') return true
    if (name === 'ip4' || name === 'ip6') return network !== undefined && contains(network, this.#ip)
    this.#countTerm(text)
    const target = mechanism.domain ? await this.#expand(mechanism.domain, domain) : domain
    if (name === 'include') return this.#include(mechanism, target, domain, depth)
    const asked = target === undefined ? undefined : nameOfText(target)
    // RFC 7208 §4.8 leaves open what a name that cannot be asked for means; here it matches nothing.
    if (asked === undefined) return false
    if (name === 'ptr') return this.#ptr(target ?? '')
    if (name === 'exists') return (await this.#ask(asked, 'A')).status === 'answer'
    const names = name === 'mx' ? await this.#exchanges(asked, text) : [asked]
    const found = []
    // RFC 7208 §4.6.4 counts void lookups by the term, so of mx the question for its MX records alone.
    for (const each of names) found.push(...addressesOf(await this.#ask(each, this.#addressType, name === 'a')))
    const length = mechanism.lengths[this.#ip.version]
    return found.some(address => contains({ ...parseAddress(address), length }, this.#ip))
  }

  /** RFC 7208 §5.2 */
  async #include({ text }: Mechanism, target: string | undefined, domain: string, depth: number): Promise<boolean> {
    const { result } = target === undefined ? { result: 'none' } : await this.#evaluate(target, depth + 1)
    if (result === 'none') throw new Stop('permerror', `"${text}" of ${domain} leads to no SPF record`)
    return result === 'pass'
  }

  async #exchanges(name: string, term: string): Promise<string[]> {
    const { records } = await this.#ask(name, 'MX')
    const names = records.flatMap(record => (record.type === 'MX' && record.data ? [record.data.exchange] : []))
    if (names.length > MAX_MX_NAMES) {
      throw new Stop('permerror', `"${term}" leads to ${names.length} mail servers, and ${MAX_MX_NAMES} is the most`)
    }
    return names.filter(exchange => exchange !== '.')
  }

  /** RFC 7208 §5.5: errors on the way are names that do not match. */
  async #ptr(target: string): Promise<boolean> {
    const wanted = target.replace(/\.$/, '').toLowerCase()
    const answer = await this.#pointers()
    if (isVoid(answer)) this.#countVoid()
    return (await this.#validated(answer)).some(name => isAtOrBelow(name, wanted))
  }

  #pointers(): Promise<MailAnswer> {
    return this.#dns.resolve(`${reverseName(this.#ip)}.`, 'PTR')
  }

  /** The names of the client that lead back to it: RFC 7208 §5.5. */
  async #validated({ records }: MailAnswer): Promise<string[]> {
    const names = records.flatMap(record => (record.type === 'PTR' && record.data ? [record.data.ptrdname] : []))
    const valid: string[] = []
    for (const name of names.slice(0, MAX_PTR_NAMES)) {
      const addresses = addressesOf(await this.#dns.resolve(name, this.#addressType))
      if (addresses.some(address => equalAddresses(parseAddress(address), this.#ip))) {
        valid.push(name.replace(/\.$/, '').toLowerCase())
      }
    }
    return valid
  }

  get #addressType(): 'A' | 'AAAA' {
    return this.#ip.version === 4 ? 'A' : 'AAAA'
  }

  async #ask(name: string, type: string, counted = true): Promise<MailAnswer> {
    const answer = await this.#dns.resolve(name, type)
    if (!isKnown(answer))
      throw new Stop('temperror', `the ${type} records of ${name} cannot be had: ${failureOf(answer)}`)
    if (counted && isVoid(answer)) this.#countVoid()
    return answer
  }

  #countTerm(term: string): void {
    if (++this.#lookups > MAX_LOOKUP_TERMS) {
      throw new Stop('permerror', `"${term}" is one more than the ${MAX_LOOKUP_TERMS} terms that may ask the DNS`)
    }
  }

  #countVoid(): void {
    if (++this.#voids > MAX_VOID_LOOKUPS) {
      throw new Stop('permerror', `more than ${MAX_VOID_LOOKUPS} terms asked for what does not exist`)
    }
  }

  /** A target name: RFC 7208 §4.8 and §7.3. Undefined when no name can be made of it. */
  async #expand(parts: readonly MacroPart[], domain: string): Promise<string | undefined> {
    const text = await expandMacros(parts, letter => this.#macro(letter, domain))
    return text === undefined ? undefined : shortenName(text)
  }

  /** RFC 7208 §6.2: whatever goes wrong here, there is no explanation and the result stays. */
  async #explain({ domain, record }: Verdict): Promise<string | undefined> {
    const target = record && modifierOf(record, 'exp')?.domain
    const name = target && (await this.#expand(target, domain))
    const asked = name === undefined ? undefined : nameOfText(name)
    if (asked === undefined) return undefined
    const [text, second] = textsOf(await this.#dns.resolve(asked, 'TXT'))
    if (text === undefined || second !== undefined) return undefined
    try {
      return await expandMacros(parseMacros(text, { explanation: true }), letter => this.#macro(letter, domain))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return undefined
    }
  }

  /** RFC 7208 §7.2 and §7.3. RFC 8616 §4: a local part outside ASCII matches nothing. */
  async #macro(letter: MacroLetter, domain: string): Promise<string | undefined> {
    const { local, domain: origin } = this.#sender
    switch (letter) {
      case 's':
        return isAscii(local) ? `${local}@${origin}` : undefined
      case 'l':
        return isAscii(local) ? local : undefined
      case 'o':
        return origin
      case 'd':
        return domain
      case 'h':
        return this.#question.helo
      case 'i':
        return this.#ip.version === 4 ? formatAddress(this.#ip) : nibbles(this.#ip)
      case 'v':
        return this.#ip.version === 4 ? 'in-addr' : 'ip6'
      case 'p':
        return this.#validatedName(domain)
      case 'c':
        return formatAddress(this.#ip)
      case 'r':
        return this.#question.receiver ?? 'unknown'
      case 't':
        return String(Math.floor(this.#question.seconds ?? 0))
    }
  }

  /** RFC 7208 §7.3: the domain itself, else a name below it, else any, else "unknown". */
  async #validatedName(domain: string): Promise<string> {
    const wanted = domain.replace(/\.$/, '').toLowerCase()
    const names = await this.#validated(await this.#pointers())
    return names.find(name => name === wanted) ?? names.find(name => isAtOrBelow(name, wanted)) ?? names[0] ?? 'unknown'
  }
}

/** RFC 7208 §5: an IPv4 address in IPv6 clothes is the IPv4 address. */
function clientAddress(text: string): Address {
  const address = findAddress(text)
  if (!address) throw new RangeError('expected an IPv4 or IPv6 address')
  const mapped = address.version === 6 && address.value >> 32n === 0xffffn
  return mapped ? { version: 4, value: address.value & 0xffff_ffffn } : address
}

const nibbles = (address: Address) =>
  [...bytesOf(address)]
    .flatMap(byte => [byte >> 4, byte & 15])
    .map(nibble => nibble.toString(16).toUpperCase())
    .join('.')

const isAtOrBelow = (name: string, ancestor: string) => name === ancestor || name.endsWith(`.${ancestor}`)

/** Terms as they are told; one may be as long as its record. */
const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

const failureOf = ({ status, reason }: MailAnswer) => reason?.replace(/\.$/, '') ?? status
