import { browserResolverOrigins } from '@assay/lib/dns/browser-resolvers'
import type { Wording } from '../../page.ts'
import type { RunHere } from '../view.ts'

/** The words of the benchmark page (specification §2 "DNS benchmark", §5). */
export const wording: Partial<Wording> = {
  idle: 'Start Test',
  busy: 'Testing...',
  loading: 'Running DNS Benchmark',
  missingTitle: 'Missing Domain',
  missing: 'Please enter a domain.',
  missingHere: 'Enter a domain',
  places: { server: 'Server', browser: 'Browser' },
  locked: true,
}

/** The providers that this page may connect to (OPEN-058). */
export const connect = browserResolverOrigins

/** Browser mode: the questions leave from here and go to the providers directly. */
export const runHere: RunHere = async (raw, { signal, onUpdate }) => {
  const { benchmarkHere } = await import('./browser-benchmark.ts')
  return benchmarkHere(String(raw.domain ?? ''), {
    signal,
    onProgress: (progress, partial) =>
      onUpdate({ progress, label: `${partial.providers.length} of ${partial.total} providers`, partial }),
  })
}
