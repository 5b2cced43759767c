import type { TlsChainObservation, TlsObservation, TlsVersionObservation } from '@assay/kit'
import { groupsBefore13, groupsOf13 } from '@assay/lib/tls/client-hello'
import { FALLBACK_SCSV, groupOf, type TlsVersionName, versionCode } from '@assay/lib/tls/registry'
import { suiteOf, suites } from '@assay/lib/tls/suites'
import type { Answer, Prober } from './tls-prober.ts'

export const ALPN = ['h2', 'http/1.1']

export async function probeSsl2(probe: Prober): Promise<TlsVersionObservation> {
  const nothing = { name: 'SSLv2', suites: [], preference: null, incomplete: false } as const
  const answer = await probe.askSsl2()
  if (answer === 'silent') return { ...nothing, suites: [], supported: null, reason: 'The server does not answer.' }
  if (answer === undefined || answer === 'other') {
    return { ...nothing, suites: [], supported: false, reason: 'The server does not answer in SSL 2.0.' }
  }
  return { ...nothing, supported: true, suites: answer.ciphers }
}

/** Suites that a version may use: RFC 5246 §A.5 and RFC 8446 §B.4. */
function suitesFor(version: TlsVersionName): number[] {
  return suites
    .filter(({ tls13, since12 }) => (version === 'TLSv1.3' ? tls13 : !tls13 && (version === 'TLSv1.2' || !since12)))
    .toSorted((a, b) => rank(b) - rank(a))
    .map(({ code }) => code)
}

/** Better ones first, as a browser would have it: then the order of a server that follows the client is a good one. */
const rank = ({ forwardSecrecy, encryption, bits }: (typeof suites)[number]): number =>
  (forwardSecrecy ? 4_096 : 0) + (encryption === 'AEAD' ? 2_048 : 0) + bits

/** protocol_version and handshake_failure: a server that says something else may only miss a key share. */
const REFUSALS = new Set([40, 70])

export async function enumerate(probe: Prober, name: TlsVersionName): Promise<TlsVersionObservation> {
  const code = versionCode(name)
  const found: number[] = []
  let rest = suitesFor(name)
  let share = false
  let reason: string | undefined
  let incomplete = false
  while (rest.length) {
    const answer = await probe.ask({ version: name, suites: rest, share })
    if (name === 'TLSv1.3' && !share && !found.length && answer.kind === 'no' && !REFUSALS.has(answer.alert ?? -1)) {
      share = true
      continue
    }
    if (answer.kind !== 'hello') {
      reason = answer.reason
      incomplete = answer.kind !== 'no'
      break
    }
    const { version, suite } = answer.flight.hello
    if (version !== code) {
      reason = 'The server answers in another version.'
      break
    }
    found.push(suite)
    rest = rest.filter(one => one !== suite)
  }
  if (!found.length) {
    return {
      name,
      supported: incomplete ? null : false,
      ...(reason && { reason }),
      suites: [],
      preference: null,
      incomplete: false,
    }
  }
  return { name, supported: true, suites: found, preference: await preferenceOf(probe, name, found), incomplete }
}

/** Whether the order of the offer changes the choice. */
async function preferenceOf(
  probe: Prober,
  version: TlsVersionName,
  found: readonly number[],
): Promise<TlsVersionObservation['preference']> {
  if (found.length < 2) return null
  const choice = async (offer: readonly number[]) => {
    const answer = await probe.ask({ version, suites: offer })
    return answer.kind === 'hello' ? answer.flight.hello.suite : undefined
  }
  const [forward, backward] = [await choice(found), await choice(found.toReversed())]
  if (forward === undefined || backward === undefined) return null
  return forward === backward ? 'server' : 'client'
}

type Old = TlsVersionObservation & { name: TlsVersionName }

export const highest = (
  versions: readonly TlsVersionObservation[],
  wanted: (name: TlsVersionObservation['name']) => boolean,
): Old | undefined =>
  versions.findLast((one): one is Old => one.name !== 'SSLv2' && one.supported === true && wanted(one.name))

/** Groups by elimination; a HelloRetryRequest names the one the server would have (RFC 8446 §4.1.4). */
export async function groupsIn13(probe: Prober, { suites: offered }: TlsVersionObservation): Promise<number[]> {
  const found: number[] = []
  for (let rest = [...groupsOf13]; rest.length; ) {
    const answer = await probe.ask({ version: 'TLSv1.3', suites: offered, groups: rest })
    const group = answer.kind === 'hello' ? answer.flight.hello.group : undefined
    if (group === undefined || !rest.includes(group)) break
    found.push(group)
    rest = rest.filter(code => code !== group)
  }
  return found
}

const withExchange = (version: Old, exchange: 'ECDHE' | 'DHE') =>
  version.suites.filter(code => suiteOf(code)?.exchange === exchange)

/** Curves by elimination: the server names its own in the key exchange (RFC 8422 §5.4). */
export async function groupsBefore(probe: Prober, version: Old): Promise<number[]> {
  const all = withExchange(version, 'ECDHE')
  if (!all.length || version.name === 'SSLv3') return []
  // An ECDSA certificate cannot be used without its own curve, which would end the list early (RFC 8422 §5.3).
  const free = all.filter(code => suiteOf(code)?.authentication !== 'ECDSA')
  const offered = free.length ? free : all
  const curves = groupsBefore13.filter(code => groupOf(code)?.kind === 'curve')
  const choose = async (groups: readonly number[]) => {
    const answer = await probe.ask({ version: version.name, suites: offered, groups }, flight => !!flight.keyExchange)
    const group = answer.kind === 'hello' ? answer.flight.keyExchange?.group : undefined
    return group !== undefined && groups.includes(group) ? group : undefined
  }
  const found: number[] = []
  for (let rest = curves; rest.length; ) {
    const group = await choose(rest)
    if (group === undefined) break
    found.push(group)
    rest = rest.filter(code => code !== group)
  }
  const last = found.at(-1)
  if (free.length || last === undefined) return found
  for (const code of curves.filter(one => !found.includes(one) && (groupOf(one)?.bits ?? 0) >= 128)) {
    if ((await choose([code, last])) === code) found.push(code)
  }
  return found
}

export async function primeOf(probe: Prober, version: Old): Promise<number | null> {
  const offered = withExchange(version, 'DHE')
  if (!offered.length) return null
  const answer = await probe.ask({ version: version.name, suites: offered }, flight => !!flight.keyExchange)
  return (answer.kind === 'hello' && answer.flight.keyExchange?.primeBits) || null
}

type Flight = Extract<Answer, { kind: 'hello' }>['flight'] & { kind: TlsChainObservation['kind'] }

/** One whole flight for each kind of key: certificates, stapled status, extensions. */
export async function flightsOf(probe: Prober, version: Old): Promise<Flight[]> {
  const kinds = ['ECDSA', 'RSA', 'DSS'] as const
  const flights = await Promise.all(
    kinds.map(async (kind): Promise<Flight[]> => {
      const offered = version.suites.filter(code => suiteOf(code)?.authentication === kind)
      if (!offered.length) return []
      const hello = { version: version.name, suites: offered, wantsStatus: true, protocols: ALPN }
      const answer = await probe.ask(hello, ({ done }) => done)
      return answer.kind === 'hello' ? [{ ...answer.flight, kind }] : []
    }),
  )
  return flights.flat()
}

export async function featuresOf(
  probe: Prober,
  versions: readonly TlsVersionObservation[],
  before13: Old | undefined,
): Promise<Pick<TlsObservation['features'], 'compression' | 'fallbackSignal' | 'greaseTolerance'>> {
  const latest = highest(versions, () => true)
  const lower = latest && highest(versions, name => name !== latest.name)
  const [compressed, fallback, greased] = await Promise.all([
    before13 && probe.ask({ version: before13.name, suites: before13.suites, compressions: [1, 0] }),
    lower && probe.ask({ version: lower.name, suites: [...lower.suites, FALLBACK_SCSV] }),
    latest && latest.name !== 'SSLv3' && probe.ask({ version: latest.name, suites: latest.suites, grease: true }),
  ])
  return {
    compression: compressed?.kind === 'hello' ? compressed.flight.hello.compression !== 0 : null,
    // RFC 7507 §3.
    fallbackSignal: fallback?.kind === 'hello' ? false : fallback?.kind === 'no' && fallback.alert === 86 ? true : null,
    greaseTolerance: greased ? greased.kind === 'hello' : null,
  }
}
