/**
 * What an SPF record leads to, whoever sends: the tree of its includes and its redirect, with the lookups that each
 * branch costs when nothing matches before (RFC 7208 §4.6.4), and every address block it permits.
 */
import { findAddress, type Prefix } from '../ip/address.ts'
import { addressesOf, isKnown, isVoid, type MailAnswer, type MailDns, nameOfText, textsOf } from './dns.ts'
import { MAX_MX_NAMES } from './spf-check.ts'
import { expandMacros, type MacroLetter, type MacroPart, shortenName } from './spf-macro.ts'
import {
  brokenTerms,
  isSpfRecord,
  type Mechanism,
  type MechanismName,
  mechanismsOf,
  modifierOf,
  parseSpf,
  type Qualifier,
  type SpfRecord,
} from './spf-record.ts'

/** Terms that are followed before the count is given up; what evaluates has stopped long before. */
export const MAX_FOLLOWED_TERMS = 40
/** Terms of all records together; a record of 64 KiB holds more than anybody wants to see. */
export const MAX_BRANCHES = 2000
/** Includes within includes. */
const MAX_DEPTH = 12

/** How the record of a node was found. `message`: its name depends on the message, so there is none to look at. */
export type SpfNodeStatus = 'ok' | 'none' | 'multiple' | 'broken' | 'unknown' | 'circle' | 'message' | 'not-followed'

export interface SpfBranch {
  /** As written. */
  term: string
  name: MechanismName | 'redirect'
  qualifier?: Qualifier
  /** Lookups of this term with everything below it. */
  lookups: number
  /** It asked for what does not exist. */
  void?: boolean
  /** Behind `all`, so never tried. */
  unreachable?: boolean
  /** What went wrong, or why it could not be told. */
  problem?: string
  /** The record that an include or a redirect leads to. */
  node?: SpfNode
}

export interface SpfNode {
  domain: string
  status: SpfNodeStatus
  value?: string
  problem?: string
  lookups: number
  branches: SpfBranch[]
}

export interface SpfTree {
  root: SpfNode
  /** Every SPF record of the domain itself: one, unless something is wrong. */
  records: string[]
  lookups: number
  voidLookups: number
  /** The count is a lower bound: something was not followed or could not be had. */
  incomplete: boolean
  /** Blocks that pass, in the order they are found, without repetition. */
  networks: Prefix[]
}

/** Follows a domain's record to its ends. `found` is called after each record that was read. */
export async function spfTree(domain: string, dns: MailDns, found?: (tree: SpfTree) => void): Promise<SpfTree> {
  const walk = new Walk(domain, dns, found)
  await walk.run()
  return walk.tree
}

const emptyNode = (domain: string): SpfNode => ({ domain, status: 'unknown', lookups: 0, branches: [] })

class Walk {
  readonly tree: SpfTree
  readonly #dns: MailDns
  readonly #found: ((tree: SpfTree) => void) | undefined
  readonly #seen = new Set<string>()
  #followed = 0
  #branches = 0

  constructor(domain: string, dns: MailDns, found?: (tree: SpfTree) => void) {
    const root = emptyNode(domain)
    this.tree = { root, records: [], lookups: 0, voidLookups: 0, incomplete: false, networks: [] }
    this.#dns = dns
    this.#found = found
  }

  async run(): Promise<void> {
    const { root } = this.tree
    await this.#fill(root, [], true)
    this.tree.lookups = root.lookups
  }

  /** Reads the record of a node and follows what it holds. */
  async #fill(node: SpfNode, above: readonly string[], passes: boolean): Promise<void> {
    const domain = node.domain.toLowerCase()
    const name = nameOfText(node.domain)
    if (above.includes(domain)) return this.#fail(node, 'circle', 'it leads back to a record it came from')
    if (above.length > MAX_DEPTH) return this.#fail(node, 'not-followed', 'too deep to follow')
    if (!name) return this.#fail(node, 'none', 'this is not a name that can have a record')
    const answer = await this.#dns.resolve(name, 'TXT')
    if (!isKnown(answer)) return this.#fail(node, 'unknown', answer.reason ?? answer.status)
    const records = textsOf(answer).filter(isSpfRecord)
    if (above.length === 0) this.tree.records = records
    const [value] = records
    if (value === undefined) return this.#fail(node, 'none', noRecord(answer))
    const record = parseSpf(value)
    const [broken] = brokenTerms(record)
    Object.assign(node, { value, status: records.length > 1 ? 'multiple' : broken ? 'broken' : 'ok' })
    if (records.length > 1) node.problem = `there are ${records.length} SPF records, and one is allowed`
    else if (broken) node.problem = `"${broken.text}": ${broken.problem}`
    this.#found?.(this.tree)
    await this.#follow(node, record, [...above, domain], passes)
  }

  #fail(node: SpfNode, status: SpfNodeStatus, problem: string): void {
    Object.assign(node, { status, problem })
    if (status !== 'none') this.tree.incomplete = true
  }

  async #follow(node: SpfNode, record: SpfRecord, above: readonly string[], passes: boolean): Promise<void> {
    let ended = false
    for (const mechanism of mechanismsOf(record)) {
      if (++this.#branches > MAX_BRANCHES) {
        this.tree.incomplete = true
        return
      }
      const { text: term, name, qualifier } = mechanism
      const branch: SpfBranch = { term, name, qualifier, lookups: 0, ...(ended && { unreachable: true }) }
      node.branches.push(branch)
      if (!ended) await this.#mechanism(branch, mechanism, { domain: node.domain, above, passes })
      node.lookups += branch.lookups
      if (name === 'all') ended = true
    }
    const redirect = modifierOf(record, 'redirect')
    if (!redirect?.domain) return
    const branch: SpfBranch = { term: redirect.text, name: 'redirect', lookups: 0, ...(ended && { unreachable: true }) }
    node.branches.push(branch)
    if (!ended) await this.#child(branch, redirect.domain, { domain: node.domain, above, passes })
    node.lookups += branch.lookups
  }

  async #mechanism(branch: SpfBranch, mechanism: Mechanism, place: Place): Promise<void> {
    const { name, network, qualifier } = mechanism
    const passes = place.passes && qualifier === '+'
    if (name === 'all') return
    if (network) {
      if (passes) this.#permit(network)
      return
    }
    // What an include lets through is what passes below it, whatever its own qualifier then makes of that.
    if (name === 'include') return this.#child(branch, mechanism.domain ?? [], { ...place, passes })
    branch.lookups = 1
    if (name === 'ptr') return
    const target = await expandKnown(mechanism.domain ?? [place.domain], place.domain)
    if (target === undefined) {
      branch.problem = 'depends on the message'
      return
    }
    const asked = nameOfText(target)
    if (!asked) {
      branch.problem = 'this is not a name that can be asked for'
      return
    }
    if (this.#tooMany(branch)) return
    await this.#ask(branch, asked, mechanism, passes)
  }

  /** Asks what a, mx and exists would ask. */
  async #ask(branch: SpfBranch, asked: string, { name, lengths }: Mechanism, passes: boolean): Promise<void> {
    const first = name === 'mx' ? [await this.#dns.resolve(asked, 'MX')] : await this.#addresses(asked, name)
    const failure = first.find(answer => !isKnown(answer))
    if (failure) {
      branch.problem = `could not be asked for: ${failure.reason ?? failure.status}`
      return
    }
    if (first.every(isVoid)) {
      branch.void = true
      branch.problem = 'leads to nothing'
      this.tree.voidLookups++
      return
    }
    if (name === 'exists') return
    const names = first.flatMap(({ records }) =>
      records.flatMap(record => (record.type === 'MX' && record.data ? [record.data.exchange] : [])),
    )
    if (names.length > MAX_MX_NAMES) {
      branch.problem = `leads to ${names.length} mail servers, and ${MAX_MX_NAMES} is the most`
      return
    }
    const answers = name === 'a' ? first : await this.#all(names.filter(exchange => exchange !== '.'))
    if (!passes) return
    for (const text of answers.flatMap(addressesOf)) {
      const address = findAddress(text)
      if (address) this.#permit({ ...address, length: lengths[address.version] })
    }
  }

  async #all(names: readonly string[]): Promise<MailAnswer[]> {
    return (await Promise.all(names.map(name => this.#addresses(name, 'a')))).flat()
  }

  #addresses(name: string, mechanism: MechanismName): Promise<MailAnswer[]> {
    const types = mechanism === 'exists' ? ['A'] : ['A', 'AAAA']
    return Promise.all(types.map(type => this.#dns.resolve(name, type)))
  }

  async #child(branch: SpfBranch, parts: readonly MacroPart[], { domain, above, passes }: Place): Promise<void> {
    branch.lookups = 1
    const target = await expandKnown(parts, domain)
    const node = emptyNode(target ?? parts.map(part => (typeof part === 'string' ? part : '…')).join(''))
    branch.node = node
    if (target === undefined) return this.#fail(node, 'message', 'its name depends on the message')
    if (this.#tooMany(branch)) return this.#fail(node, 'not-followed', 'not followed')
    await this.#fill(node, above, passes)
    branch.lookups += node.lookups
    if (node.problem) branch.problem = node.problem
  }

  #tooMany(branch: SpfBranch): boolean {
    if (++this.#followed <= MAX_FOLLOWED_TERMS) return false
    branch.problem = `not followed, since ${MAX_FOLLOWED_TERMS} terms came before it`
    this.tree.incomplete = true
    return true
  }

  #permit(network: Prefix): void {
    const bits = network.version === 4 ? 32n : 128n
    const shift = bits - BigInt(network.length)
    const block = { ...network, value: (network.value >> shift) << shift }
    const key = `${block.version} ${block.value} ${block.length}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.tree.networks.push(block)
  }
}

interface Place {
  domain: string
  above: readonly string[]
  /** Whether what matches here passes in the end. */
  passes: boolean
}

/** Of the macros only the domain is known without a message. */
async function expandKnown(parts: readonly MacroPart[], domain: string): Promise<string | undefined> {
  const text = await expandMacros(parts, (letter: MacroLetter) => (letter === 'd' ? domain : undefined))
  return text === undefined ? undefined : shortenName(text)
}

const noRecord = ({ status }: MailAnswer) =>
  status === 'nxdomain' ? 'the name does not exist' : 'there is no SPF record here'

/** How many addresses of a version the blocks hold together; blocks inside others count once. */
export function countAddresses(networks: readonly Prefix[], version: 4 | 6): bigint {
  const bits = version === 4 ? 32n : 128n
  const ranges = networks
    .filter(network => network.version === version)
    .map(({ value, length }) => ({ first: value, last: value + (1n << (bits - BigInt(length))) - 1n }))
    .sort((a, b) => (a.first < b.first ? -1 : 1))
  let [count, end] = [0n, -1n]
  for (const { first, last } of ranges) {
    if (last <= end) continue
    count += last - (first > end ? first : end + 1n) + 1n
    end = last
  }
  return count
}
