import type { BrowserBenchmark, MeasuredProvider } from '@assay/catalogue/dns/benchmark'
import { type BrowserResolver, browserResolvers } from '@assay/lib/dns/browser-resolvers'
import { encodeName } from '@assay/lib/dns/name'
import { timesOf } from '@assay/lib/dns/response-times'

/** Specification §9: what is measured of each provider, and how long is waited. */
const SAMPLES = 4
const SAMPLE_TIMEOUT_MS = 7_000
const WARM_UP_TIMEOUT_MS = 3_000
/** Providers measured at once: few enough that they do not wait for each other on a slow line. */
const LANES = 3

/** RFC 1035 §4.1.1: id 0 (RFC 8484 §4.1), recursion desired, one question. */
const HEADER = [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
/** RFC 1035 §3.2.2 and §3.2.4: type A, class IN. */
const A_IN = [0, 1, 0, 1]

export interface BenchmarkOptions {
  signal: AbortSignal
  onProgress(progress: number, partial: BrowserBenchmark): void
  providers?: readonly BrowserResolver[]
}

/** Measures every provider from this browser, directly. */
export async function benchmarkHere(
  domain: string,
  { signal, onProgress, providers = browserResolvers }: BenchmarkOptions,
): Promise<BrowserBenchmark> {
  const name = asciiName(domain)
  const measured: MeasuredProvider[] = []
  const waiting = providers.values()
  const result = (): BrowserBenchmark => ({ domain, providers: measured.toSorted(byAverage), total: providers.length })
  const lane = async () => {
    for (const provider of waiting) {
      signal.throwIfAborted()
      measured.push(await measureProvider(provider, name, signal))
      onProgress(measured.length / providers.length, result())
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  signal.throwIfAborted()
  return result()
}

const byAverage = (a: MeasuredProvider, b: MeasuredProvider) =>
  (a.avg ?? Number.POSITIVE_INFINITY) - (b.avg ?? Number.POSITIVE_INFINITY)

/** The browser turns other scripts into what the DNS knows. */
function asciiName(domain: string): string {
  return new URL(`https://${domain}`).hostname.replace(/\.$/, '')
}

/**
 * A warm-up that is not counted, then the samples. Who was thought to be readable across origins and is not has only
 * its time taken from then on: the browser reports both a missing permission and a dead host as a TypeError.
 */
async function measureProvider(
  provider: BrowserResolver,
  name: string,
  signal: AbortSignal,
): Promise<MeasuredProvider> {
  let readable = provider.allowCors
  try {
    await timed(provider, { name, readable, timeoutMs: WARM_UP_TIMEOUT_MS, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (readable && error instanceof TypeError) readable = false
  }
  const samples: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    try {
      samples.push(await timed(provider, { name, readable, timeoutMs: SAMPLE_TIMEOUT_MS, signal }))
    } catch {
      // A sample without an answer is counted by its absence.
      signal.throwIfAborted()
    }
  }
  return {
    name: provider.name,
    ...timesOf(samples),
    ok: samples.length > 0,
    timingOnly: !readable,
    fails: SAMPLES - samples.length,
  }
}

interface Sample {
  name: string
  readable: boolean
  timeoutMs: number
  signal: AbortSignal
}

/** Milliseconds for one question, for a name that no cache has. A readable answer that is no success is a failure. */
async function timed(provider: BrowserResolver, { name, readable, timeoutMs, signal }: Sample): Promise<number> {
  const { url, init } = requestFor(provider, `${randomLabel()}.${name}`, readable)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const started = performance.now()
  const response = await fetch(url, { ...init, signal: limit })
  const milliseconds = performance.now() - started
  if (readable && !response.ok) throw new Error(`The provider answered with status ${response.status}.`)
  return milliseconds
}

/**
 * The request for a name: JSON from who is said to have it and may be read, else the message of RFC 8484. Accept with
 * any of these types asks for no permission first (Fetch standard, CORS-safelisted request-header).
 */
export function requestFor(
  { url, type, form }: BrowserResolver,
  name: string,
  readable: boolean,
): { url: string; init: RequestInit } {
  const init: RequestInit = {
    mode: readable ? 'cors' : 'no-cors',
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }
  if (type === 'post') {
    const headers = { Accept: 'application/dns-message', 'Content-Type': 'application/dns-message' }
    return { url, init: { ...init, method: 'POST', headers, body: questionFor(name) } }
  }
  if (form === 'json' && readable) {
    const query = new URLSearchParams({ name, type: 'A' })
    return { url: `${url}?${query}`, init: { ...init, headers: { Accept: 'application/dns-json' } } }
  }
  // RFC 4648 §5 without padding, RFC 8484 §6.
  const dns = btoa(String.fromCharCode(...questionFor(name)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  // Google's JSON lives at a path of its own; the message is asked for at the standard one.
  const address = url.replace(/\/resolve$/, '/dns-query')
  return { url: `${address}?dns=${dns}`, init: { ...init, headers: { Accept: 'application/dns-message' } } }
}

const questionFor = (name: string) => Uint8Array.of(...HEADER, ...encodeName(`${name}.`), ...A_IN)

const LABEL_LETTERS = 12

function randomLabel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LABEL_LETTERS))
  return Array.from(bytes, byte => String.fromCharCode(97 + (byte % 26))).join('')
}
