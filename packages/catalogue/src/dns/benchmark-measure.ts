import { Problem, type ServerContext } from '@assay/kit'
import { createQuery } from '@assay/lib/dns/message'
import type { PublicResolver } from '@assay/lib/dns/resolvers'
import { type Grade, gradeOf, meanOf, medianOf, rounded } from '@assay/lib/dns/response-times'
import { askResolver, type ResolverReply } from './resolver-question.ts'

/** Of each question. */
const SAMPLE_TIMEOUT_MS = 2_000
/** Timed questions of each kind: for a name that nobody can have in a cache, and for one that everybody has. */
const ROUNDS = 2

export type Method = 'UDP' | 'DoH'

/** One resolver by one method. Times are null where there was no answer. */
export interface MeasuredServer {
  resolver: string
  ip: string
  test_method: Method
  average_ms: number | null
  median_ms: number | null
  min_ms: number | null
  max_ms: number | null
  /** Names in the resolver's cache. */
  cached_ms: number | null
  /** Names that it has to ask others for. */
  uncached_ms: number | null
  samples: number
  failures: number
  grade: Grade | null
  /** DoH: what the connection cost, which is in none of the times. */
  setup_ms: number | null
  reason: string | null
}

type Ask = (name: string) => Promise<ResolverReply & { setupMs?: number }>

/** Plain DNS, then DNS over HTTPS, one question after the other. */
export async function measureResolver(
  context: ServerContext,
  { name: resolver, ipv4: [ip], doh, encryptedOnly }: PublicResolver,
  domain: string,
): Promise<MeasuredServer[]> {
  const head = { resolver, ip }
  const measured: MeasuredServer[] = []
  if (!encryptedOnly) {
    const ask: Ask = name =>
      askResolver(context, { server: ip, name, type: 'A', timeoutMs: SAMPLE_TIMEOUT_MS, tries: 1 })
    measured.push({ ...head, test_method: 'UDP', ...(await sample(context, ask, domain, 2)) })
  }
  if (doh) {
    // Nothing at all over UDP: most likely the resolver is down, which one more try will show.
    const tries = measured.some(({ samples }) => samples === 0) ? 1 : 2
    measured.push({
      ...head,
      test_method: 'DoH',
      ...(await sample(context, overHttps(context, doh, ip), domain, tries)),
    })
  }
  return measured
}

function overHttps({ encryptedDns, signal }: ServerContext, url: string, address: string): Ask {
  return async name => {
    try {
      const query = createQuery({ id: 0, name, type: 'A', rd: true })
      const answer = await encryptedDns.overHttps({ url, address }, query, { timeoutMs: SAMPLE_TIMEOUT_MS })
      const reason = answer.tls.problem ?? answer.problem
      if (!answer.message || reason) return { failure: 'unreachable', reason: reason ?? 'The answer was not DNS.' }
      const setupMs = answer.connectMs + answer.tlsMs
      return { message: answer.message, milliseconds: answer.milliseconds, transport: 'HTTPS', setupMs }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Problem) || (error.code !== 'timeout' && error.code !== 'unreachable')) throw error
      return { failure: error.code === 'timeout' ? 'silent' : 'unreachable', reason: `${error.message}.` }
    }
  }
}

/** A warm-up that is not counted, then names in turn that are new and that are known. */
async function sample(
  context: ServerContext,
  ask: Ask,
  domain: string,
  tries: number,
): Promise<Omit<MeasuredServer, 'resolver' | 'ip' | 'test_method'>> {
  const known = `${domain}.`
  const cached: number[] = []
  const uncached: number[] = []
  // A lost packet is not yet a dead resolver.
  let warmUp = await ask(known)
  if (!usable(warmUp) && tries > 1) warmUp = await ask(known)
  let failures = 0
  let reason = usable(warmUp) ? null : reasonOf(warmUp)
  for (let round = 0; round < ROUNDS && usable(warmUp); round++) {
    for (const [times, name] of [
      [uncached, `${randomLabel(context)}.${known}`],
      [cached, known],
    ] as const) {
      const reply = await ask(name)
      if (usable(reply)) times.push(reply.milliseconds)
      else {
        failures++
        reason = reasonOf(reply)
      }
    }
  }
  const all = [...cached, ...uncached]
  const three = (value: number | undefined) => (value === undefined ? null : rounded(value, 3))
  const average = meanOf(all)
  return {
    average_ms: three(average),
    median_ms: three(medianOf(all)),
    min_ms: three(all.length ? Math.min(...all) : undefined),
    max_ms: three(all.length ? Math.max(...all) : undefined),
    cached_ms: three(meanOf(cached)),
    uncached_ms: three(meanOf(uncached)),
    samples: all.length,
    failures,
    grade: average === undefined ? null : gradeOf(average),
    setup_ms: warmUp.failure === undefined && warmUp.setupMs !== undefined ? rounded(warmUp.setupMs, 3) : null,
    reason: all.length ? null : reason,
  }
}

/** An answer about the name, also that it does not exist, is one; SERVFAIL and REFUSED come quickly and say nothing. */
const usable = (reply: ResolverReply): reply is Extract<ResolverReply, { failure?: undefined }> =>
  reply.failure === undefined && (reply.message.rcode === 'NOERROR' || reply.message.rcode === 'NXDOMAIN')

const reasonOf = (reply: ResolverReply) =>
  reply.failure === undefined ? `The resolver answered ${reply.message.rcode}.` : reply.reason

/** Twelve letters, which no cache has seen. */
function randomLabel({ random }: ServerContext): string {
  return Array.from(random(12), byte => String.fromCharCode(97 + (byte % 26))).join('')
}
