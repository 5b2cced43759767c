import type { Check, DohExchange, HttpAnswer } from '@assay/kit'

export const MESSAGE_TYPE = 'application/dns-message'

interface Answers {
  first: DohExchange
  post: DohExchange | undefined
  http2: DohExchange | undefined
  http1: DohExchange | undefined
  wrongType: HttpAnswer | undefined
  noMessage: HttpAnswer | undefined
}

/** What the requests to one address of DNS over HTTPS show. */
export function checksOf({ first, post, http2, http1, wrongType, noMessage }: Answers): Check[] {
  const { tls } = first
  const modern = tls.protocol === 'TLSv1.2' || tls.protocol === 'TLSv1.3'
  return [
    { name: 'GET', verdict: 'pass', detail: `${MESSAGE_TYPE}, status ${first.status}`, clause: 'RFC 8484 §4.1' },
    {
      name: 'POST',
      verdict: post ? (post.message ? 'pass' : 'fail') : 'unknown',
      ...(post?.problem && { detail: post.problem }),
      clause: 'RFC 8484 §4.1',
    },
    { name: 'HTTP/2', verdict: http2?.message ? 'pass' : 'warn', clause: 'RFC 8484 §5.2' },
    {
      name: 'HTTP/1.1',
      verdict: http1?.message ? 'pass' : 'not-applicable',
      detail: http1?.message ? 'Answered too.' : 'Not answered, which is permitted.',
      clause: 'RFC 8484 §5.2',
    },
    {
      name: 'Certificate proves the name',
      verdict: tls.problem ? 'fail' : 'pass',
      ...(tls.problem && { detail: tls.problem }),
      clause: 'RFC 9110 §4.3.4',
    },
    { name: 'TLS 1.2 or newer', verdict: modern ? 'pass' : 'fail', detail: tls.protocol, clause: 'RFC 9325 §3.1.1' },
    freshness(first),
    refusal('Another media type is refused', wrongType, [415, 400]),
    refusal('What is no DNS message is refused', noMessage, [400]),
  ]
}

/** RFC 8484 §5.1: a cache may not keep an answer longer than its shortest TTL. */
function freshness({ headers, message }: DohExchange): Check {
  const head = { name: 'Caches keep to the TTL', clause: 'RFC 8484 §5.1' }
  const value = headers.find(([name]) => name === 'cache-control')?.[1]
  const age = Number(/(?:^|[,\s])max-age=(\d+)/i.exec(value ?? '')?.[1] ?? Number.NaN)
  const ttls = (message?.answers ?? []).map(({ ttl }) => ttl)
  if (!ttls.length) return { ...head, verdict: 'unknown', detail: 'The answer held no record.' }
  if (/\bno-(?:store|cache)\b/i.test(value ?? ''))
    return { ...head, verdict: 'pass', detail: 'Caches may not keep it.' }
  if (Number.isNaN(age))
    return { ...head, verdict: 'warn', detail: 'The answer does not say how long caches may keep it.' }
  const least = Math.min(...ttls)
  return {
    ...head,
    verdict: age <= least ? 'pass' : 'fail',
    detail: `max-age is ${age} s, the shortest TTL ${least} s.`,
  }
}

function refusal(name: string, answer: HttpAnswer | undefined, expected: readonly number[]): Check {
  const head = { name, clause: 'RFC 8484 §4.2.1' }
  if (!answer) return { ...head, verdict: 'unknown', detail: 'The server did not answer in HTTP.' }
  const detail = `Status ${answer.status}.`
  if (expected.includes(answer.status)) return { ...head, verdict: 'pass', detail }
  return { ...head, verdict: 'warn', detail: `${detail} Expected was ${expected.join(' or ')}.` }
}
