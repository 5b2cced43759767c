import { field, type HttpExchange, type HttpStep, mono, Problem, panel, type ServerContext, sh, tool } from '@assay/kit'
import { reasonPhrase } from '@assay/lib/http/reason'
import { statusCell } from './status.ts'

const MAX_REDIRECTS = 5
/** Of the body; enough for servers that count on being listened to. */
const MAX_BODY_BYTES = 16_384
const TIMEOUT_MS = 10_000

/** Where a check failed. A redirect that is not followed is neither the DNS nor the server. */
type FailureKind = 'dns' | 'tcp' | 'tls' | 'timeout' | 'http' | 'redirect'

interface Failure {
  kind: FailureKind
  url: string
  message: string
  detail: string | null
}

/** What came of asking one address. */
interface Attempt {
  url: string
  exchange?: HttpExchange
  failure?: Failure
}

/** Codes below 500 that say something about the asker or the method rather than about the site. RFC 9110 §15.5, RFC 6585 §4. */
const answersAllTheSame: Readonly<Record<number, string>> = {
  401: 'It asks for a login, so it works.',
  403: 'It refuses visitors like this one, so it works.',
  405: 'It does not take GET here, so it works.',
  429: 'It limits how often it may be asked, so it works.',
}

const failureWords: Readonly<Record<FailureKind, string>> = {
  dns: 'DNS error',
  tcp: 'Connection error',
  tls: 'TLS error',
  timeout: 'Timeout',
  http: 'No valid response',
  redirect: 'Redirect not followed',
}

/** Whether a web address answers, and how long each part of the answer takes. RFC 9110 §15. */
export const urlMonitor = tool({
  id: 'url-monitor',
  path: 'url-monitor',
  title: 'URL Monitor',
  category: 'dns-tools',
  summary: 'Whether a web address answers, with which status, and how long DNS, connection, TLS and server take.',
  keywords: ['uptime', 'is it down', 'website status', 'ping', 'response time', 'http status', 'availability'],
  specs: ['RFC 9110', 'RFC 6585'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['url-monitor/{url}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { url: field.url('Web address', { schemeOptional: true }) },

  async run({ url }, context) {
    const attempts = [await attempt(url.includes('://') ? url : `https://${url}`, context)]
    if (attempts[0]?.failure && attempts[0].failure.kind !== 'dns' && !url.includes('://')) {
      attempts.push(await attempt(`http://${url}`, context))
    }
    // Without a scheme the better of the two counts, and HTTPS when both failed.
    const chosen = attempts.find(({ exchange }) => exchange) ?? attempts[0]
    if (!chosen) throw new Problem('unreachable', 'Nothing was tried.')
    const { exchange, failure } = chosen
    const code = exchange?.status ?? 0
    const isUp = !failure && (code < 400 || code in answersAllTheSame)
    const reason = exchange ? exchange.statusText || reasonPhrase(code) : ''
    return {
      url: chosen.url,
      message: messageOf(isUp, chosen),
      status: {
        is_up: isUp,
        /** 0 when there was no response. */
        status_code: code,
        status_message: failure ? failureWords[failure.kind] : reason,
        last_checked: context.now().toISOString(),
      },
      failure: failure ?? null,
      final_url: exchange?.url ?? null,
      address: exchange?.address || null,
      http_version: exchange?.httpVersion ?? null,
      tls: exchange?.tls ?? null,
      redirects: (exchange?.hops ?? []).map(({ url, status, location }) => ({ url, status_code: status, location })),
      timings: exchange ? timingsOf(exchange) : null,
      attempts: attempts.map(({ url, exchange, failure }) => ({
        url,
        status_code: exchange?.status ?? 0,
        failure: failure?.kind ?? null,
        message: failure?.message ?? null,
      })),
    }
  },

  show({ url, message, status, failure, final_url, address, http_version, tls, redirects, timings, attempts }) {
    const { is_up, status_code, status_message, last_checked } = status
    const parts = timings ? partsOf(timings) : []
    const longest = Math.max(...parts.map(([, time]) => time), 1)
    return [
      panel.banner(is_up ? 'good' : 'bad', url, { badge: is_up ? 'UP' : 'DOWN', detail: message }),
      panel.tiles(
        { label: 'Status Code', value: statusCell(status_code) },
        { label: 'Status Message', value: status_message || 'none' },
        { label: 'Response Time', value: timings ? `${timings.first_byte_ms.toFixed(0)} ms` : 'N/A' },
        { label: 'Last Checked', value: last_checked.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') },
      ),
      ...(failure
        ? [panel.note('bad', [failure.message, failure.detail].filter(Boolean).join('. '), failureWords[failure.kind])]
        : []),
      ...(attempts.length > 1
        ? [
            panel.table(
              ['Tried', 'Status', 'What happened'],
              attempts.map(each => [mono(each.url), statusCell(each.status_code), each.message ?? 'answered']),
              { title: 'Without a scheme, HTTPS is tried first' },
            ),
          ]
        : []),
      panel.facts([
        ['URL', mono(url)],
        ['Message', message],
        ...(final_url && final_url !== url ? [['Final address', mono(final_url)] as const] : []),
        ...(address ? [['IP address', mono(address)] as const] : []),
        ...(http_version ? [['HTTP version', http_version] as const] : []),
        ...(tls ? [['TLS', `${tls.protocol}, ${tls.cipher}`] as const] : []),
      ]),
      ...(parts.length
        ? [
            panel.table(
              ['Part', 'Time'],
              parts.map(([name, time]) => [name, { ...mono(`${time.toFixed(1)} ms`), bar: time / longest }]),
              { title: 'Where the time goes' },
            ),
          ]
        : []),
      ...(redirects.length
        ? [
            panel.table(
              ['Address', 'Status', 'Leads to'],
              redirects.map(hop => [mono(hop.url), statusCell(hop.status_code), mono(hop.location)]),
              { title: 'Redirects followed' },
            ),
          ]
        : []),
      panel.note('info', insightOf(parts), 'Insights'),
    ]
  },

  terminal: (_, { url }) => ({
    command: sh`curl -sS -o /dev/null -L --max-redirs ${MAX_REDIRECTS} --max-time ${TIMEOUT_MS / 1000} -w '%{http_code} dns %{time_namelookup} connect %{time_connect} tls %{time_appconnect} first byte %{time_starttransfer}\n' ${url}`,
  }),

  examples: [
    {
      from: 'RFC 9110 §15.3.1',
      title: 'A site that works',
      input: { url: 'https://example.com' },
      recording: { now: '2026-11-21T12:00:00Z', http: { 'https://example.com/': { status: 200, headers: [] } } },
      result: {
        url: 'https://example.com/',
        status: { is_up: true, status_code: 200, status_message: 'OK', last_checked: '2026-11-21T12:00:00.000Z' },
      },
    },
    {
      from: 'RFC 9110 §15.6.4',
      title: 'A site that does not',
      input: { url: 'https://example.com/shop' },
      recording: { http: { 'https://example.com/shop': { status: 503, headers: [['Retry-After', '120']] } } },
      result: { status: { is_up: false, status_code: 503, status_message: 'Service Unavailable' } },
    },
    {
      from: 'RFC 9110 §15.5.2',
      title: 'Plain HTTP only, and a login',
      input: { url: 'example.com' },
      recording: { http: { 'http://example.com/': { status: 401, headers: [['WWW-Authenticate', 'Basic']] } } },
      result: { url: 'http://example.com/', status: { is_up: true, status_code: 401 } },
    },
  ],
})

const options = { redirects: MAX_REDIRECTS, bodyBytes: MAX_BODY_BYTES, timeoutMs: TIMEOUT_MS }

/** Asks one address. What goes wrong is a finding, except that an address may not be asked at all. */
async function attempt(url: string, { http, signal }: ServerContext): Promise<Attempt> {
  let step: HttpStep = { url, phase: 'dns' }
  const onStep = (next: HttpStep) => {
    step = next
  }
  try {
    return { url, exchange: await http.get(url, { ...options, onStep }) }
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error
    const isFirst = step.url === new URL(url).href && step.phase !== 'response'
    if (error.code === 'invalid-input' || (error.code === 'refused' && isFirst)) throw error
    const failure = {
      kind: kindOf(error, step),
      url: step.url,
      message: error.message.replace(/^Validation error: t/, 'T'),
      detail: error.detail ?? null,
    }
    if (failure.kind !== 'redirect') return { url, failure }
    // The site itself did answer; what it said is worth telling.
    const exchange = await http.get(url, { ...options, redirects: 0 }).catch(() => undefined)
    return { url, failure, ...(exchange && { exchange }) }
  }
}

function kindOf({ code }: Problem, { phase }: HttpStep): FailureKind {
  if (code === 'refused' || code === 'limited') return 'redirect'
  if (phase === 'dns') return 'dns'
  if (code === 'timeout') return 'timeout'
  if (phase === 'connect') return 'tcp'
  return phase === 'tls' ? 'tls' : 'http'
}

function messageOf(isUp: boolean, { exchange, failure }: Attempt): string {
  if (failure?.kind === 'redirect') return 'The site answers, but redirects to where nobody can be sent.'
  if (failure) return `The site is down: ${failure.message}.`
  const code = exchange?.status ?? 0
  if (isUp) return answersAllTheSame[code] ? `The site is up. ${answersAllTheSame[code]}` : 'The site is up.'
  if (code >= 500) return 'The site is down: the server itself says that it failed.'
  return 'The page is down: the server works and says that it has nothing to show at this address.'
}

interface Timings {
  dns_ms: number
  connect_ms: number
  tls_ms: number | null
  /** From the start of the last request to the first byte of the response, all parts before included. */
  first_byte_ms: number
  total_ms: number
}

const timingsOf = ({ timings }: HttpExchange): Timings => ({
  dns_ms: timings.dnsMs,
  connect_ms: timings.connectMs,
  tls_ms: timings.tlsMs ?? null,
  first_byte_ms: timings.firstByteMs,
  total_ms: timings.totalMs,
})

function partsOf({ dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms }: Timings): [string, number][] {
  const before = dns_ms + connect_ms + (tls_ms ?? 0)
  return [
    ['DNS', dns_ms],
    ['Connection', connect_ms],
    ...(tls_ms === null ? [] : [['TLS handshake', tls_ms] as [string, number]]),
    ['Waiting for the first byte', Math.max(0, first_byte_ms - before)],
    ['Receiving', Math.max(0, total_ms - first_byte_ms)],
  ]
}

/** Where it is worth looking first. */
function insightOf(parts: readonly (readonly [name: string, time: number])[]): string {
  const [longest] = parts.toSorted(([, a], [, b]) => b - a)
  if (!longest) return 'This server got no answer. Elsewhere the site may answer all the same.'
  const [name, time] = longest
  const total = parts.reduce((sum, [, each]) => sum + each, 0)
  return `The longest part is “${name}”, with ${time.toFixed(1)} of ${total.toFixed(1)} ms, seen from this server.`
}
