import { formatPrefix } from '@assay/lib/ip/address'
import { MAX_LOOKUP_TERMS, MAX_VOID_LOOKUPS } from '@assay/lib/mail/spf-check'
import { type Mechanism, mechanismsOf, modifierOf, parseSpf, qualifiers, type Term } from '@assay/lib/mail/spf-record'
import type { SpfBranch, SpfNode, SpfTree } from '@assay/lib/mail/spf-tree'
import { failure, ok, type Validation, warning } from './validation.ts'

/** RFC 7208 §3.4: name and text together should stay below this, so that an answer fits into 512 octets. */
const WANTED_OCTETS = 450

/** Findings of one kind that are listed. */
const MAX_FINDINGS = 20

const sendersOf: Readonly<Record<Mechanism['name'], string>> = {
  all: 'Everybody else',
  include: 'Whoever passes the record of that domain',
  a: 'The addresses of the name',
  mx: 'The mail servers of the name',
  ptr: 'Hosts whose reverse name ends in the name',
  ip4: 'IPv4 addresses of the block',
  ip6: 'IPv6 addresses of the block',
  exists: 'Everybody for whom that name has an address',
}

const outcome = { pass: 'may send', fail: 'must not send', softfail: 'probably must not send', neutral: 'not said' }

/** A term of the record in words. */
export function describeTerm(term: Term): { tag: string; value: string; description: string } {
  if (term.kind === 'broken') return { tag: 'error', value: term.text, description: `Not valid: ${term.problem}` }
  if (term.kind === 'modifier') return { tag: term.name, value: term.value, description: describeModifier(term.name) }
  const { name, qualifier, text, network, domainText } = term
  const value = network ? formatPrefix(network) : (domainText ?? text)
  return { tag: name, value, description: `${sendersOf[name]}: ${outcome[qualifiers[qualifier]]}` }
}

function describeModifier(name: string): string {
  if (name === 'redirect') return 'When nothing matched, the record of that domain counts instead'
  return name === 'exp' ? 'Where the text for those who fail stands' : 'A modifier nobody knows; ignored'
}

/** The record and everything behind it, judged. */
export function validateSpf(records: readonly string[], tree: SpfTree, domain: string): Validation[] {
  const [value = ''] = records
  const record = parseSpf(value)
  const broken = record.terms.filter(term => term.kind === 'broken')
  return [
    records.length === 1
      ? ok('One record', 'the domain has one SPF record')
      : failure('One record', `the domain has ${records.length} SPF records, which is a permanent error`),
    broken.length
      ? failure(
          'Syntax',
          listed(
            broken.map(({ text, problem }) => `"${text.slice(0, 80)}": ${problem}`),
            '; ',
          ),
        )
      : ok('Syntax', 'every term is valid'),
    ...limits(tree),
    ...targets(tree.root),
    ending(tree.root),
    ...ordering(tree.root, value),
    ...pointers(tree.root),
    value.length + domain.length > WANTED_OCTETS
      ? warning('Size', `name and record have ${value.length + domain.length} octets, and ${WANTED_OCTETS} should do`)
      : ok('Size', `${value.length} octets`),
  ]
}

const listed = (texts: readonly string[], between: string) =>
  `${texts.slice(0, MAX_FINDINGS).join(between)}${texts.length > MAX_FINDINGS ? ' …' : ''}`

function limits({ lookups, voidLookups, incomplete }: SpfTree): Validation[] {
  const terms = `${incomplete ? 'at least ' : ''}${lookups} of ${MAX_LOOKUP_TERMS} terms that ask the DNS`
  const voids = `${voidLookups} of ${MAX_VOID_LOOKUPS} lookups that may find nothing`
  return [
    lookups > MAX_LOOKUP_TERMS ? failure('DNS lookups', `${terms}: receivers give up`) : ok('DNS lookups', terms),
    voidLookups > MAX_VOID_LOOKUPS
      ? failure('Void lookups', `${voids}: receivers may give up`)
      : voidLookups > 0
        ? warning('Void lookups', voids)
        : ok('Void lookups', voids),
  ]
}

/** What includes, redirects and other terms lead to. */
function targets(root: SpfNode): Validation[] {
  const rows = branchesOf(root).flatMap(({ branch, node }): Validation[] => {
    if (!branch.problem || branch.void || branch.node?.status === 'message') return []
    if (branch.problem === 'depends on the message') return []
    const words = `"${branch.term}" of ${node.domain}: ${branch.problem}`
    const unknown = branch.node?.status === 'unknown' || branch.node?.status === 'not-followed'
    return [unknown || branch.problem.startsWith('could not') ? warning('Targets', words) : failure('Targets', words)]
  })
  return rows.length ? rows.slice(0, MAX_FINDINGS) : [ok('Targets', 'every include and redirect leads to a record')]
}

/** Every branch of the tree with the record it stands in. */
function branchesOf(node: SpfNode): { branch: SpfBranch; node: SpfNode }[] {
  return node.branches.flatMap(branch => [{ branch, node }, ...(branch.node ? branchesOf(branch.node) : [])])
}

/** What becomes of those whom nothing matches, following redirects. */
function ending(node: SpfNode): Validation {
  const all = node.branches.find(({ name }) => name === 'all')
  const redirect = node.branches.find(({ name }) => name === 'redirect')
  const name = 'Everybody else'
  if (!all) {
    if (redirect?.node?.value) return ending(redirect.node)
    return warning(name, 'neither all nor redirect: whoever is not named gets a neutral result')
  }
  switch (all.qualifier) {
    case '-':
      return ok(name, '-all: whoever is not named fails')
    case '~':
      return ok(name, '~all: whoever is not named is suspicious')
    case '?':
      return warning(name, '?all: whoever is not named gets a neutral result')
    default:
      return failure(name, '+all: the whole world may send for the domain')
  }
}

function ordering({ branches }: SpfNode, value: string): Validation[] {
  const lost = branches.filter(({ unreachable, name }) => unreachable && name !== 'redirect')
  const record = parseSpf(value)
  const both = modifierOf(record, 'redirect') && mechanismsOf(record).some(({ name }) => name === 'all')
  return [
    ...(lost.length
      ? [
          warning(
            'Order',
            `behind all, so never tried: ${listed(
              lost.map(({ term }) => term),
              ' ',
            )}`,
          ),
        ]
      : []),
    ...(both ? [warning('Order', 'redirect has no effect beside all')] : []),
  ]
}

function pointers(root: SpfNode): Validation[] {
  const found = branchesOf(root).find(({ branch }) => branch.name === 'ptr')
  return found ? [warning('ptr', `"${found.branch.term}" of ${found.node.domain} is slow and should not be used`)] : []
}
