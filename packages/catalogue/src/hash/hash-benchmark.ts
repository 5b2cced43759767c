import { type Cell, panel, type Terminal, tool, type Update } from '@assay/kit'
import { type Benchmark, benchmark, benchmarkSizes, loadEngines } from '@assay/lib/hash/benchmark'

/** How long it may measure: on a server, which others use too, no more than its limit for a run allows. */
const BUDGET_MILLISECONDS = { browser: 30_000, 'Node.js': 7000 }
/** What is left of a run when the time for measuring has ended: loading, comparing, the last measurement. */
const REST_MILLISECONDS = 2000
/** The largest message, the copy that WebCrypto makes of it, and the rest. */
const MEGABYTES = 160
/** Random bytes that a message repeats; making all of them random would take longer than hashing. */
const RANDOM_BYTES = 65_536

interface HashBenchmark extends Benchmark {
  /** Where it ran. */
  machine: 'browser' | 'Node.js'
  /** When it began, ISO 8601. */
  measured_at: string
  sizes_mib: number[]
}

/** The speed of hash functions where this runs. */
export const hashBenchmark = tool({
  id: 'hash-benchmark',
  path: 'hash-benchmark',
  title: 'Hash Speed Benchmark (your browser)',
  category: 'hash-generators-and-checksum',
  summary: 'How many MiB a second your browser hashes, by each function and each implementation of it.',
  keywords: ['hash speed', 'benchmark', 'mb/s', 'sha256 speed', 'blake3 speed', 'webcrypto', 'wasm', 'openssl speed'],
  specs: [],
  runs: 'anywhere',
  fields: {},

  async *run(_, { now, random }): AsyncGenerator<Update<HashBenchmark>, HashBenchmark, void> {
    const measured_at = now().toISOString()
    yield { progress: 0, label: 'loading the engines' }
    // Node calls itself so; every browser calls itself Mozilla.
    const machine = navigator.userAgent.startsWith('Node.js') ? 'Node.js' : 'browser'
    const measuring = benchmark(await loadEngines(), {
      fill: filler(random(RANDOM_BYTES)),
      now: () => now().getTime(),
      budgetMs: BUDGET_MILLISECONDS[machine],
    })
    let step = await measuring.next()
    for (; !step.done; step = await measuring.next()) yield { progress: step.value.done, label: step.value.label }
    return { ...step.value, machine, measured_at, sizes_mib: [...benchmarkSizes] }
  },

  show({ agree, disagreeing, measured, machine }) {
    const rates = measured.flatMap(row => row.rates.filter(rate => rate !== null))
    const best = rates.reduce((a, b) => Math.max(a, b), 0)
    const cell = (rate: number | null): Cell =>
      rate === null ? 'not measured' : { text: `${rate.toLocaleString('en')} MiB/s`, mono: true, bar: rate / best }
    return [
      agree
        ? panel.banner('good', 'All engines give the same digests', { detail: places[machine] })
        : panel.banner('bad', `The engines disagree on ${disagreeing.join(', ')}`, {
            detail: 'What they disagree on was not timed. Please report it with the name of your browser.',
          }),
      panel.table(
        ['Function', 'Engine', ...benchmarkSizes.map(size => `${size} MiB`)],
        measured.map(({ algorithm, engine, rates: row }) => [algorithm, engine, ...row.map(cell)]),
        { cards: true, empty: 'Nothing was measured.' },
      ),
      panel.note(
        'neutral',
        'One run on one thread: other pages and programs, heat and saving of power change the numbers. Run it again before you compare.',
      ),
    ]
  },

  terminal: (): Terminal => ({ command: 'openssl speed -seconds 1 -evp sha256' }),
  cost: () => ({ milliseconds: BUDGET_MILLISECONDS['Node.js'] + REST_MILLISECONDS, megabytes: MEGABYTES }),
  examples: [
    {
      from: 'FIPS 180-4, RFC 1321, RFC 7693: one digest, whichever engine computes it',
      input: {},
      result: { agree: true, disagreeing: [], sizes_mib: [1, 16, 64] },
    },
  ],
})

const places = {
  browser: 'Measured in this browser, on your device.',
  'Node.js': 'Measured on the machine that answered, a server or your terminal, and not in a browser.',
}

/** Messages of any length that repeat the same random bytes. */
const filler =
  (seed: Uint8Array) =>
  (length: number): Uint8Array<ArrayBuffer> => {
    const message = new Uint8Array(length)
    for (let at = 0; at < length; at += seed.length) message.set(seed.subarray(0, length - at), at)
    return message
  }
