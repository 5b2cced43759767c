import { explain, field, mono, type Panel, Problem, panel, tool, type Update } from '@assay/kit'
import {
  expectedCoverage,
  generateTable,
  type LookUp,
  linksOf,
  lookUp,
  type PasswordSpace,
  passwordSpace,
  type RainbowHash,
  type RainbowTable,
  rainbowHashBytes,
  rainbowHashes,
} from '@assay/lib/attack/rainbow'
import { type Bytes, fromHex, toHex } from '@assay/lib/bytes'

const MAX_LENGTH = 5
const MAX_CHAIN_LENGTH = 1000
const MAX_CHAINS = 1_000_000
/** Hashes of one table: a minute or two in a browser. */
const MAX_TRIALS = 100_000_000
/** What a table takes unless the number of chains is given, and what a shared server should allow one visitor. */
const DEFAULT_TRIALS = 2_000_000
/** Six times as many links as there are passwords cover about 94 in 100. */
const LINKS_PER_PASSWORD = 6

/** Milliseconds for a link: hash, reduction and password, on one core of 2.5 GHz that others use too. */
const MILLISECONDS_PER_LINK = 0.004

/** Chains and links that are shown. */
const [SHOWN_CHAINS, SHOWN_LINKS] = [100, 4]

interface ShownLink {
  column: number
  password: string
  hash: string
}
interface Rainbow {
  hash_algorithm: RainbowHash
  passwords: number
  chains: number
  chain_length: number
  /** Chains whose end no chain before them has. */
  distinct_ends: number
  /** The share of all passwords that this table finds, counted. */
  coverage: number
  covered: number
  hashes_computed: number
  /** The first chains, and the first links of the first one. */
  table: { start: string; end: string }[]
  links: ShownLink[]
  lookup?: LookUpResult
}

interface LookUpResult {
  found: boolean
  password?: string
  chain?: { start: string; end: string }
  column?: number
  /** The links of that chain before the password, and the one that has it. */
  links: ShownLink[]
  columns_tried: number
  false_alarms: number
  hashes_computed: number
}

interface Question {
  hash_algorithm: RainbowHash
  charset: string
  min_length: number
  max_length: number
  chain_length: number
  chain_count: number
  hash_value: string | undefined
}

/** A rainbow table made, measured and used. P. Oechslin, CRYPTO 2003. */
export const rainbowTable = tool({
  id: 'rainbow-table',
  path: 'rainbow-table',
  title: 'Rainbow Table Generator and Lookup',
  category: 'attack-demos-and-analysis',
  summary: 'Make a rainbow table of short passwords, see how it works, and look a hash up in it.',
  keywords: ['rainbow table', 'time memory trade-off', 'precomputation', 'reduction function', 'hash chain', 'salt'],
  specs: ['Oechslin, CRYPTO 2003', 'RFC 1321', 'FIPS 180-4'],
  runs: 'anywhere',
  weight: 'crack',
  fields: {
    hash_algorithm: field.choice('Hash function', Object.keys(rainbowHashes) as RainbowHash[]),
    charset: field.text('Characters', { default: 'abcdefghijklmnopqrstuvwxyz', maxLength: 200 }),
    min_length: field.number('Least length', { min: 1, max: MAX_LENGTH, default: 1 }),
    max_length: field.number('Greatest length', { min: 1, max: MAX_LENGTH, default: 4 }),
    chain_length: field.number('Chain length', { min: 2, max: MAX_CHAIN_LENGTH, default: 100 }),
    chain_count: field.number('Chains', {
      min: 0,
      max: MAX_CHAINS,
      default: 0,
      help: `0 makes as many as cover nine in ten passwords, within ${DEFAULT_TRIALS / 1_000_000} million hashes.`,
    }),
    hash_value: field.text('Hash to look up', { optional: true, placeholder: '098f6bcd4621d373cade4e832627b4f6' }),
  },

  async *run(question, { now }): AsyncGenerator<Update<Rainbow>, Rainbow, void> {
    const space = spaceOf(question)
    const chainCount = chainsOf(question, space)
    const wanted = wantedOf(question)
    const clock = () => now().getTime()
    const parts = wanted ? 2 : 1

    const making = generateTable(
      {
        hash: question.hash_algorithm,
        charset: question.charset,
        minLength: question.min_length,
        maxLength: question.max_length,
        chainLength: question.chain_length,
        chainCount,
      },
      clock,
    )
    let made = await making.next()
    for (; !made.done; made = await making.next()) {
      yield { progress: made.value / parts, label: `${count(Math.round(made.value * chainCount))} chains made` }
    }
    const table = made.value
    const result = describe(question, table)
    if (!wanted) return result

    yield { progress: 1 / parts, label: 'Looking the hash up', partial: result }
    const looking = lookUp(table, wanted, clock)
    let looked = await looking.next()
    for (; !looked.done; looked = await looking.next()) {
      yield { progress: (1 + looked.value) / parts, label: 'Looking the hash up' }
    }
    return { ...result, lookup: describeLookUp(table, looked.value) }
  },

  show: result => [
    ...lookupPanels(result),
    panel.tiles(
      { label: 'Passwords', value: count(result.passwords) },
      {
        label: 'Found by this table',
        value: percent(result.coverage),
        detail: `${count(result.covered)}, counted one by one; theory expects ${percent(expectedShare(result))}`,
      },
      {
        label: 'Kept',
        value: `${count(result.chains)} chains`,
        detail: `${percent(result.chains / result.passwords)} of the lines of a full list`,
      },
      { label: 'Hashes computed', value: count(result.hashes_computed) },
    ),
    panel.steps(reductionSteps(result), 'How a chain is made'),
    panel.table(
      ['Start', 'End'],
      result.table.map(({ start, end }) => [mono(start), mono(end)]),
      { title: `The first ${result.table.length} of ${count(result.chains)} chains`, scroll: true },
    ),
    panel.note(
      'info',
      `${count(result.chains - result.distinct_ends)} chains end as another does: they met it in the same column and ran on together.`,
    ),
  ],

  cost(question) {
    const space = spaceOf(question)
    const links = chainsOf(question, space) * question.chain_length
    const search = question.hash_value ? question.chain_length ** 2 : 0
    return { milliseconds: 20 + (links + search) * MILLISECONDS_PER_LINK, megabytes: 64 + space.size / 8 / 1_048_576 }
  },

  examples: [
    {
      from: 'echo -n test | md5sum',
      title: 'Look "test" up among all words of four small letters',
      input: { hash_value: '098f6bcd4621d373cade4e832627b4f6' },
      result: { passwords: 475_254, chains: 20_000, lookup: { found: true, password: 'test' } },
    },
    {
      from: 'FIPS 180-2 §B.1',
      title: 'SHA-256 of "abc"',
      input: {
        hash_algorithm: 'SHA256',
        charset: 'abcdef',
        max_length: 3,
        chain_length: 10,
        hash_value: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
      result: { passwords: 258, lookup: { found: true, password: 'abc' } },
    },
    {
      from: 'echo -n 9999 | sha1sum',
      title: 'Every number of four digits',
      input: {
        hash_algorithm: 'SHA1',
        charset: '0123456789',
        min_length: 4,
        chain_length: 50,
      },
      result: { passwords: 10_000, chains: 1200 },
    },
  ],
})

const spaceOf = ({ charset, min_length, max_length }: Question): PasswordSpace =>
  explain(
    min_length > max_length ? 'min_length' : 'charset',
    min_length > max_length ? 'Least length' : 'Characters',
    () => passwordSpace({ charset, minLength: min_length, maxLength: max_length }),
  )

/** As many chains as asked for, or as cover about nine in ten. */
function chainsOf({ chain_count, chain_length }: Question, { size }: PasswordSpace): number {
  if (chain_count * chain_length > MAX_TRIALS) {
    throw new Problem('invalid-input', `Chains: expected at most ${count(MAX_TRIALS)} hashes in all of them.`, {
      field: 'chain_count',
    })
  }
  const enough = Math.ceil((LINKS_PER_PASSWORD * size) / chain_length)
  return Math.min(size, chain_count || Math.min(enough, Math.ceil(DEFAULT_TRIALS / chain_length)))
}

function wantedOf({ hash_value, hash_algorithm }: Question): Bytes | undefined {
  if (!hash_value?.trim()) return undefined
  const hash = explain('hash_value', 'Hash to look up', () => fromHex(hash_value))
  const expected = rainbowHashBytes[hash_algorithm]
  if (hash.length === expected) return hash
  throw new Problem(
    'invalid-input',
    `Hash to look up: expected ${expected * 2} hexadecimal digits, as ${hash_algorithm} has, got ${hash.length * 2}.`,
    { field: 'hash_value' },
  )
}

function describe({ hash_algorithm }: Question, table: RainbowTable): Rainbow {
  const { space, starts, ends, covered, chainLength } = table
  return {
    hash_algorithm,
    passwords: space.size,
    chains: starts.length,
    chain_length: chainLength,
    distinct_ends: new Set(ends).size,
    coverage: covered / space.size,
    covered,
    hashes_computed: starts.length * chainLength,
    table: Array.from(starts.subarray(0, SHOWN_CHAINS), (_, chain) => chainOf(table, chain)),
    links: linksOf(table, 0, 0, Math.min(chainLength, SHOWN_LINKS)).map(shownLink),
  }
}

function describeLookUp(table: RainbowTable, { found, columns, falseAlarms, computed }: LookUp): LookUpResult {
  const searched = { columns_tried: columns, false_alarms: falseAlarms, hashes_computed: computed }
  if (!found) return { found: false, links: [], ...searched }
  const { password, chain, column } = found
  const links = linksOf(table, chain, Math.max(0, column + 1 - SHOWN_LINKS), column + 1).map(shownLink)
  return { found: true, password, chain: chainOf(table, chain), column, links, ...searched }
}

const chainOf = ({ space, starts, ends }: RainbowTable, chain: number) => ({
  start: space.text(starts[chain] ?? 0),
  end: space.text(ends[chain] ?? 0),
})

const shownLink = ({ column, password, hash }: { column: number; password: string; hash: Uint8Array }): ShownLink => ({
  column,
  password,
  hash: toHex(hash),
})

/** The first links of the first chain, with the numbers that lead from each hash to the next password. */
function reductionSteps({ hash_algorithm, links, passwords, table, chain_length }: Rainbow) {
  const [chain] = table
  return [
    ...links.map(({ column, password, hash }) => ({
      title: `Column ${column}: "${password}"`,
      detail: `${hash_algorithm} gives the hash below. Its first twelve digits as a number, plus ${column}, modulo ${count(passwords)}, is the place of the next password.`,
      code: `${hash}\n(0x${hash.slice(0, 12)} + ${column}) mod ${passwords} = ${placeAfter(hash, column, passwords)}`,
    })),
    {
      title: `… and so on to column ${chain_length}`,
      detail: `Only "${chain?.start ?? ''}" and "${chain?.end ?? ''}" are kept; all between can be computed again.`,
    },
  ]
}

const placeAfter = (hash: string, column: number, passwords: number) =>
  (Number.parseInt(hash.slice(0, 12), 16) + column) % passwords

function lookupPanels({ lookup, coverage, chain_length }: Rainbow): Panel[] {
  if (!lookup) return []
  const { found, password, chain, column = 0, links, columns_tried, false_alarms, hashes_computed } = lookup
  const effort = `${count(hashes_computed)} hashes instead of a search through all passwords; ${count(false_alarms)} false alarms.`
  if (!found || !chain) {
    return [
      panel.banner('neutral', 'The hash is not in this table', {
        detail: `All ${columns_tried} columns were tried. The table finds ${percent(coverage)} of its passwords, and none of any other form.`,
      }),
    ]
  }
  return [
    panel.banner('bad', `The password is ${password}`, { detail: effort }),
    panel.steps(
      [
        {
          title: `Suppose the hash stands in column ${chain_length - 1}, then in ${chain_length - 2}, and so on`,
          detail: `In column ${column} the supposition held: reduced and hashed to the end, it came to "${chain.end}".`,
        },
        {
          title: `"${chain.end}" is an end in the table`,
          detail: `Its chain starts with "${chain.start}", so that is where to compute again from.`,
        },
        ...links.map(link => ({
          title: `Column ${link.column}: "${link.password}"`,
          detail: link.column === column ? 'Its hash is the one looked for.' : 'Not it; on to the next link.',
          code: link.hash,
        })),
      ],
      'How it was found',
    ),
  ]
}

const expectedShare = ({ passwords, chains, chain_length }: Rainbow) =>
  expectedCoverage(passwords, chains, chain_length)

const count = (number: number) => number.toLocaleString('en')
const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`
