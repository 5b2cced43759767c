import { equalBytes } from '../bytes.ts'
import { hashFunction } from './digest.ts'
import { pause } from './pause.ts'
import { runningHash } from './stream.ts'

/** How fast hash functions run where this code runs: each engine is compared with the others, then timed. */
export const benchmarkSizes = [1, 16, 64] as const

const MEBIBYTE = 1_048_576
/** Between two looks at whether someone wants to stop; the slowest engine takes 60 ms for it. */
const SLICE_BYTES = 2 * MEBIBYTE
/** A message is hashed again until so much time has passed, or so many bytes have. */
const LEAST_MILLISECONDS = 100
const MOST_BYTES = 64 * MEBIBYTE

/** One implementation of a function. */
export interface Engine {
  algorithm: string
  engine: string
  /** Hashes in pieces, or for one that cannot, all at once. */
  start?(): { update(bytes: Uint8Array): unknown; digest(): Uint8Array }
  whole?(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

export interface Measured {
  algorithm: string
  engine: string
  /** MiB a second for each of the sizes; null where it was not measured. */
  rates: (number | null)[]
}

export interface Benchmark {
  /** Whether all engines of each function gave the same digest; one that did not is not timed. */
  agree: boolean
  disagreeing: string[]
  measured: Measured[]
}

const names = [
  ['MD5', 'MD5', 'MD5', undefined],
  ['SHA-1', 'SHA-1', 'SHA-1', 'SHA-1'],
  ['SHA-256', 'SHA-256', 'SHA-256', 'SHA-256'],
  ['SHA-512', 'SHA-512', 'SHA-512', 'SHA-512'],
  ['SHA3-256', 'SHA3-256', 'SHA3-256', undefined],
  ['BLAKE2b', 'BLAKE2b', 'BLAKE2b-512', undefined],
  ['BLAKE3', 'BLAKE3', 'BLAKE3', undefined],
] as const

/** The engines of the site: WebAssembly, JavaScript, and what the platform has. */
export async function loadEngines(): Promise<Engine[]> {
  const engines = names.map(async ([algorithm, wasm, noble, platform]): Promise<Engine[]> => {
    const [running, hash] = await Promise.all([runningHash(wasm), hashFunction(noble)])
    return [
      {
        algorithm,
        engine: 'hash-wasm',
        start() {
          const started = running.init()
          return { update: bytes => started.update(bytes), digest: () => started.digest('binary') }
        },
      },
      { algorithm, engine: '@noble/hashes', start: () => hash.create() },
      ...(platform
        ? [
            {
              algorithm,
              engine: 'WebCrypto',
              whole: async (message: Uint8Array<ArrayBuffer>) =>
                new Uint8Array(await crypto.subtle.digest(platform, message)),
            },
          ]
        : []),
    ]
  })
  return (await Promise.all(engines)).flat()
}

export interface BenchmarkOptions {
  /** Makes a message of so many bytes. */
  fill: (length: number) => Uint8Array<ArrayBuffer>
  /** The clock, in milliseconds. */
  now: () => number
  /** No measurement begins after that; what is left is not measured. */
  budgetMs: number
}

/** Compares and times the engines. Yields how much is done, from 0 to 1, and what is being measured. */
export async function* benchmark(
  engines: readonly Engine[],
  { fill, now, budgetMs }: BenchmarkOptions,
): AsyncGenerator<{ done: number; label: string }, Benchmark, void> {
  const started = now()
  const first = fill(benchmarkSizes[0] * MEBIBYTE)
  const disagreeing = yield* compare(engines, first)
  const measured = engines
    .filter(({ algorithm }) => !disagreeing.includes(algorithm))
    .map(engine => ({ engine, rates: benchmarkSizes.map((): number | null => null) }))
  const steps = measured.length * benchmarkSizes.length
  // Comparing takes tens of milliseconds at least. A clock that has not moved stands still and measures nothing.
  const sizes = now() > started ? benchmarkSizes : []
  for (const [at, size] of sizes.entries()) {
    const message = at === 0 ? first : fill(size * MEBIBYTE)
    for (const [i, { engine, rates }] of measured.entries()) {
      const label = `${engine.algorithm} by ${engine.engine}, ${size} MiB`
      const done = (at * measured.length + i) / steps
      if (now() - started >= budgetMs) break
      rates[at] = yield* measure(engine, message, now, { done, label })
    }
  }
  return {
    agree: disagreeing.length === 0,
    disagreeing,
    measured: measured.map(({ engine, rates }) => ({ algorithm: engine.algorithm, engine: engine.engine, rates })),
  }
}

/** The functions whose engines do not all give the same digest of one message. It warms them up as well. */
async function* compare(engines: readonly Engine[], message: Uint8Array<ArrayBuffer>) {
  const digests = new Map<string, Uint8Array>()
  const disagreeing: string[] = []
  for (const engine of engines) {
    const { algorithm } = engine
    yield { done: 0, label: `comparing ${algorithm} by ${engine.engine}` }
    const { digest } = yield* timed(engine, message, () => 0, { done: 0, label: '' })
    const other = digests.get(algorithm)
    if (other && !equalBytes(other, digest) && !disagreeing.includes(algorithm)) disagreeing.push(algorithm)
    digests.set(algorithm, digest)
  }
  return disagreeing
}

/** MiB a second; null when even the most bytes took no time on this clock. */
async function* measure(
  engine: Engine,
  message: Uint8Array<ArrayBuffer>,
  now: () => number,
  state: { done: number; label: string },
): AsyncGenerator<{ done: number; label: string }, number | null, void> {
  let [milliseconds, bytes] = [0, 0]
  while (milliseconds < LEAST_MILLISECONDS && bytes < MOST_BYTES) {
    milliseconds += (yield* timed(engine, message, now, state)).milliseconds
    bytes += message.length
  }
  return milliseconds > 0 ? Math.round((bytes / MEBIBYTE / milliseconds) * 10_000) / 10 : null
}

/** One message hashed, the time between the slices left out. */
async function* timed(
  { start, whole }: Engine,
  message: Uint8Array<ArrayBuffer>,
  now: () => number,
  state: { done: number; label: string },
) {
  let milliseconds = 0
  if (whole) {
    const before = now()
    const digest = await whole(message)
    milliseconds = now() - before
    yield state
    return { digest, milliseconds }
  }
  const hash = start?.()
  if (!hash) throw new TypeError('an engine hashes in pieces or all at once')
  for (let at = 0; at < message.length; at += SLICE_BYTES) {
    const before = now()
    hash.update(message.subarray(at, at + SLICE_BYTES))
    milliseconds += now() - before
    yield state
    await pause()
  }
  const before = now()
  const digest = hash.digest()
  return { digest, milliseconds: milliseconds + now() - before }
}
