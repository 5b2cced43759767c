import { badge, type CellData, mono, type Panel, panel, type Tone } from '@assay/kit'
import type { SpfNode } from '@assay/lib/mail/spf-tree'
import type { SpfBody } from './spf.ts'
import { tagTable, toneOf, validationTable } from './validation.ts'

const verdicts: Readonly<Record<string, Tone>> = {
  pass: 'good',
  fail: 'bad',
  softfail: 'warn',
  neutral: 'neutral',
  none: 'neutral',
  temperror: 'warn',
  permerror: 'bad',
}

/** Head, evaluation, record, rows and the tree of what it leads to. */
export function showSpf({ domain, message, SPF, lookups, tree, networks, evaluation }: SpfBody): Panel[] {
  const [first] = SPF
  if (!first) return [panel.banner('bad', domain, { badge: 'NO SPF RECORD', detail: message })]
  const tone = toneOf(first.validation)
  return [
    panel.banner(tone, domain, {
      badge: tone === 'good' ? 'VALID' : tone === 'warn' ? 'WARNINGS' : 'ERRORS',
      detail: message,
    }),
    ...(lookups && networks ? [tiles(lookups, networks)] : []),
    ...(evaluation ? [evaluated(evaluation)] : []),
    ...SPF.map(({ value }) => panel.code(value, { title: 'Record' })),
    tagTable(first.parsed, 'Terms'),
    validationTable(first.validation),
    ...(tree ? [treeTable(tree)] : []),
    ...(networks?.blocks.length ? [blocks(networks)] : []),
    ...(lookups && lookups.terms > lookups.limit
      ? [
          panel.note(
            'info',
            'Name the address blocks below in place of includes, and keep them up to date, or give senders subdomains with records of their own.',
            'Fewer lookups',
          ),
        ]
      : []),
  ]
}

function tiles(lookups: NonNullable<SpfBody['lookups']>, networks: NonNullable<SpfBody['networks']>): Panel {
  const count = (value: number, limit: number, atLeast = false): CellData => ({
    text: `${atLeast ? '≥ ' : ''}${value} of ${limit}`,
    tone: value > limit ? 'bad' : 'good',
  })
  return panel.tiles(
    { label: 'DNS lookups', value: count(lookups.terms, lookups.limit, lookups.at_least) },
    { label: 'Void lookups', value: count(lookups.void, lookups.void_limit) },
    { label: 'IPv4 addresses', value: networks.ipv4_addresses },
    { label: 'IPv6 blocks', value: networks.ipv6_blocks },
  )
}

function evaluated({
  ip,
  sender,
  helo,
  result,
  reason,
  explanation,
  steps,
  ...counts
}: NonNullable<SpfBody['evaluation']>): Panel {
  return panel.section(
    'This client and sender',
    [
      panel.facts([
        ['Client', mono(ip)],
        ['Sender', mono(sender)],
        ['HELO', mono(helo)],
        ['Why', reason],
        ['Lookups used', `${counts.lookups}, ${counts.void_lookups} of them void`],
        ...(explanation === undefined ? [] : [['Explanation', explanation] as const]),
      ]),
      panel.table(
        ['Record of', 'Term', 'Matches'],
        steps.map(({ domain, depth, term, matched }) => [
          mono(`${indent(depth)}${domain}`),
          mono(term),
          matched ? badge('YES', 'good') : 'no',
        ]),
        { title: 'In this order', scroll: true, empty: 'No term was tried.' },
      ),
    ],
    { badge: badge(result.toUpperCase(), verdicts[result] ?? 'neutral') },
  )
}

const indent = (depth: number) => (depth ? `${'\u00a0\u00a0'.repeat(depth - 1)}└\u00a0` : '')

function treeTable(root: SpfNode): Panel {
  return panel.table(['Record of', 'Term', 'Lookups', 'Leads to'], rowsOf(root, 0), {
    title: 'What the record leads to',
    scroll: true,
  })
}

function rowsOf(node: SpfNode, depth: number): (string | number | CellData)[][] {
  return node.branches.flatMap(({ term, lookups, problem, unreachable, node: below }) => [
    [
      mono(`${indent(depth)}${node.domain}`),
      mono(term),
      lookups,
      unreachable
        ? { text: 'never tried', tone: 'warn' }
        : problem
          ? { text: problem, tone: 'warn' }
          : mono(below?.value ?? ''),
    ],
    ...(below ? rowsOf(below, depth + 1) : []),
  ])
}

function blocks({ blocks, total }: NonNullable<SpfBody['networks']>): Panel {
  const more = total > blocks.length ? `, the first ${blocks.length} of ${total}` : ''
  return panel.code(blocks.map(block => `${block.includes(':') ? 'ip6' : 'ip4'}:${block}`).join(' '), {
    title: `Addresses that pass${more}`,
  })
}
