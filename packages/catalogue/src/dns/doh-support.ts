import {
  type Check,
  type DohExchange,
  type EncryptedDns,
  field,
  Problem,
  type ServerContext,
  sh,
  tool,
  type Update,
} from '@assay/kit'
import { fromUtf8 } from '@assay/lib/bytes'
import {
  DISCOVERY_NAME,
  designatedUrl,
  designationsOf,
  isDoh,
  publishedResolver,
  urlHost,
} from '@assay/lib/dns/designated'
import { createQuery, type Message } from '@assay/lib/dns/message'
import { reverseName } from '@assay/lib/ip/address'
import { checksOf, MESSAGE_TYPE } from './doh-checks.ts'
import { showDohSupport } from './doh-support.show.ts'

/** Neutral names that exist and that nobody filters (RFC 2606 §3). */
const TESTED_DOMAINS = ['example.com', 'example.net', 'example.org']
const MAX_ENDPOINTS = 8
const DISCOVERY_TIMEOUT_MS = 2_000
/** The three bytes that no DNS message is. */
const NO_MESSAGE = 'dns=AAAA'

export const DOH_SUPPORTED = 'DoH Supported'

export interface EndpointDetails {
  status: typeof DOH_SUPPORTED | 'Not DoH' | 'No Answer' | 'Unreachable'
  error: string | null
  /** Why this address was tried. */
  source: string
  http_status: number | null
  content_type: string | null
  http_version: string | null
  tls_version: string | null
  certificate_problem: string | null
  connect_ms: number | null
  tls_ms: number | null
  query_ms: number | null
}

export interface DohServerResult {
  supports_doh: boolean
  status: typeof DOH_SUPPORTED | 'DoH Not Supported' | 'Could Not Tell'
  working_endpoint: string | null
  recommendation: string
  domain_tests: { total_tests: number; successful_tests: number; success_rate: string }
  endpoint_test_details: Record<string, EndpointDetails>
  operator: string | null
  /** JSON at the same server: a feature of its own, which is not RFC 8484. */
  json_api: { supported: boolean; endpoint: string | null }
  checks: Check[]
}

export interface DohSupport {
  input_servers: string[]
  conclusion: string
  summary: {
    total_servers_tested: number
    servers_with_doh_support: number
    success_rate: string
    total_endpoint_tests: number
  }
  server_results: Record<string, DohServerResult>
  tested_domains: string[]
}

const questionFor = (name: string): Message => createQuery({ id: 0, name: `${name}.`, type: 'A', rd: true })
const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10
/** Whole numbers, half up, 0 of nothing. */
const percent = (part: number, whole: number) => `${whole ? Math.floor((100 * part) / whole + 0.5) : 0}%`

/** Whether a DNS server answers over HTTPS, at which address, and how well. RFC 8484, RFC 9462. */
export const dohSupport = tool({
  id: 'doh-support',
  path: 'doh-support',
  title: 'DoH Support',
  category: 'dns-tools',
  summary: 'Whether a DNS server answers over HTTPS, at which address, and how well it keeps to the standard.',
  keywords: ['dns over https', 'doh', 'encrypted dns', 'rfc 8484', 'dns-query', 'http/2', 'ddr'],
  specs: ['RFC 8484', 'RFC 9461', 'RFC 9462', 'RFC 9325'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['doh-support/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { ip: field.ip('IP address of the DNS server') },

  async *run({ ip }, context): AsyncGenerator<Update<DohSupport>, DohSupport, void> {
    yield { progress: 0.05, label: 'Looking for addresses to try' }
    const endpoints = await endpointsOf(ip, context)
    const tests = new Map<string, EndpointTest>()
    const waiting = new Map(
      [...endpoints].map(([url, source]) => [url, tryEndpoint(context, ip, url, source).then(test => ({ url, test }))]),
    )
    while (waiting.size) {
      const { url, test } = await Promise.race(waiting.values())
      waiting.delete(url)
      tests.set(url, test)
      const label = `${tests.size} of ${endpoints.size} addresses answered or given up`
      yield { progress: 0.1 + (0.5 * tests.size) / endpoints.size, label, partial: summarise(ip, endpoints, tests) }
    }
    const working = workingOf(inOrderOf(endpoints, tests))?.url
    yield { progress: 0.7, label: working ? 'Asking for names, and for what goes wrong' : 'Asking for JSON' }
    const [json, deep] = await Promise.all([
      findJson(context, ip, working),
      working ? examine(context.encryptedDns, { url: working, address: ip }, tests.get(working)?.exchange) : undefined,
    ])
    return summarise(ip, endpoints, tests, { json, ...deep })
  },

  show: result => showDohSupport(result),

  terminal: ({ ip }, { server_results }) => {
    const url = server_results[ip]?.working_endpoint
    if (!url) return { command: sh`dig @${ip} +https example.com A` }
    const { hostname, pathname } = new URL(url)
    return { command: sh`dig @${ip} +https=${pathname} +tls-hostname=${hostname} example.com A` }
  },

  examples: [
    {
      from: 'RFC 8484 §4.1 and the operator of the address',
      title: 'A public resolver',
      input: { ip: '9.9.9.9' },
      recording: {
        encryptedDns: {
          'https://dns.quad9.net/dns-query': {
            zone: 'example.com. 300 A 192.0.2.1\nexample.net. 300 A 192.0.2.2\nexample.org. 300 A 192.0.2.3',
            httpVersions: ['2'],
          },
        },
      },
      result: {
        input_servers: ['9.9.9.9'],
        summary: { total_servers_tested: 1, servers_with_doh_support: 1, success_rate: '100%' },
        server_results: {
          '9.9.9.9': {
            supports_doh: true,
            status: 'DoH Supported',
            working_endpoint: 'https://dns.quad9.net/dns-query',
            domain_tests: { total_tests: 3, successful_tests: 3, success_rate: '100%' },
          },
        },
      },
    },
    {
      from: 'RFC 8484 §4.2.1',
      title: 'A web server that answers everything with a page',
      input: { ip: '192.0.2.80' },
      recording: {
        encryptedDns: {
          'https://192.0.2.80/dns-query': { response: { status: 200, contentType: 'text/html', body: '<p>hello</p>' } },
        },
      },
      result: {
        summary: { servers_with_doh_support: 0, success_rate: '0%' },
        server_results: {
          '192.0.2.80': {
            supports_doh: false,
            working_endpoint: null,
            endpoint_test_details: { 'https://192.0.2.80/dns-query': { status: 'Not DoH', http_status: 200 } },
          },
        },
      },
    },
  ],
})

/** URLs to try with why, the surest first. All are asked at the given address. */
async function endpointsOf(ip: string, { dns, signal }: ServerContext): Promise<Map<string, string>> {
  const endpoints = new Map<string, string>()
  const add = (url: string, source: string) => {
    if (!endpoints.has(url) && endpoints.size < MAX_ENDPOINTS) endpoints.set(url, source)
  }
  const published = publishedResolver(ip)?.doh
  if (published) add(published, 'published by the operator')
  const [designated, reverse] = await Promise.all([
    dns
      .ask(ip, DISCOVERY_NAME, 'SVCB', { recursionDesired: true, timeoutMs: DISCOVERY_TIMEOUT_MS })
      .then(({ answers }) => designationsOf(answers).filter(isDoh), unlessOver(signal)),
    dns.resolve(`${reverseName(ip)}.`, 'PTR').then(({ records }) => records, unlessOver(signal)),
  ])
  for (const designation of designated) add(designatedUrl(designation), 'designated by the resolver (RFC 9462)')
  const pointer = reverse.find(({ type }) => type === 'PTR')
  const host = pointer?.type === 'PTR' ? pointer.data?.ptrdname.replace(/\.$/, '').toLowerCase() : undefined
  if (host && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)) add(`https://${host}/dns-query`, 'reverse DNS')
  add(`https://${urlHost(ip)}/dns-query`, 'the usual path at the address')
  add(`https://${urlHost(ip)}/`, 'the root at the address')
  return endpoints
}

/** What cannot be found out is not tried; the end of the job stays the end. */
const unlessOver =
  (signal: AbortSignal) =>
  (error: unknown): [] => {
    signal.throwIfAborted()
    if (error instanceof Problem) return []
    throw error
  }

interface EndpointTest {
  details: EndpointDetails
  exchange?: DohExchange
}

async function tryEndpoint(
  { encryptedDns, signal }: ServerContext,
  ip: string,
  url: string,
  source: string,
): Promise<EndpointTest> {
  const nothing = {
    http_status: null,
    content_type: null,
    http_version: null,
    tls_version: null,
    certificate_problem: null,
  }
  const untimed = { connect_ms: null, tls_ms: null, query_ms: null }
  try {
    const exchange = await encryptedDns.overHttps({ url, address: ip }, questionFor('example.com'))
    return {
      exchange,
      details: {
        status: exchange.message ? DOH_SUPPORTED : 'Not DoH',
        error: exchange.problem ?? null,
        source,
        http_status: exchange.status,
        content_type: exchange.contentType || null,
        http_version: exchange.httpVersion,
        tls_version: exchange.tls.protocol,
        certificate_problem: exchange.tls.problem ?? null,
        connect_ms: round(exchange.connectMs),
        tls_ms: round(exchange.tlsMs),
        query_ms: round(exchange.milliseconds),
      },
    }
  } catch (error) {
    signal.throwIfAborted()
    // Another port than the usual ones may be designated: that one address is refused, not the whole question.
    const port = error instanceof Problem && error.code === 'refused' && /port/.test(error.message)
    if (!(error instanceof Problem) || (error.code === 'refused' && !port) || error.code === 'limited') throw error
    const status = error.code === 'timeout' || error.code === 'busy' ? 'No Answer' : 'Unreachable'
    const words = [error.message, error.detail].filter(Boolean).join('. ')
    return { details: { status, error: words, source, ...nothing, ...untimed } }
  }
}

/** JSON is looked for where operators have it: at the working address, and at /resolve of the same host. */
async function findJson({ encryptedDns, signal }: ServerContext, ip: string, working: string | undefined) {
  const origin = working ? new URL(working).origin : `https://${urlHost(ip)}`
  for (const url of [...(working ? [working] : []), `${origin}/resolve`]) {
    try {
      const { answer } = await encryptedDns.json({ url, address: ip }, { name: 'example.com', type: 'A' })
      if (answer) return { supported: true, endpoint: url }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Problem)) throw error
      if (!working) break
    }
  }
  return { supported: false, endpoint: null }
}

interface Findings {
  json: DohServerResult['json_api']
  domains?: { name: string; answered: boolean }[]
  checks?: Check[]
}

type Server = Parameters<EncryptedDns['overHttps']>[0]

/** What is asked of an address that works: the other names, the other method and version, and two faulty requests. */
async function examine(dns: EncryptedDns, server: Server, first: DohExchange | undefined) {
  const attempt = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch(error => {
      if (error instanceof Problem && error.code !== 'limited') return undefined
      throw error
    })
  const question = questionFor('example.com')
  const [answers, post, http2, http1, wrongType, noMessage] = await Promise.all([
    Promise.all(TESTED_DOMAINS.map(name => attempt(dns.overHttps(server, questionFor(name))))),
    attempt(dns.overHttps(server, question, { method: 'POST' })),
    attempt(dns.overHttps(server, question, { httpVersion: '2' })),
    attempt(dns.overHttps(server, question, { httpVersion: '1.1' })),
    attempt(dns.request(server, { method: 'POST', contentType: 'text/plain', body: fromUtf8('hello') })),
    attempt(dns.request(server, { method: 'GET', query: NO_MESSAGE, accept: MESSAGE_TYPE })),
  ])
  const domains = TESTED_DOMAINS.map((name, i) => ({
    name,
    answered: answers[i]?.message?.rcode === 'NOERROR' && answers[i].message.answers.some(({ type }) => type === 'A'),
  }))
  return { domains, checks: first ? checksOf({ first, post, http2, http1, wrongType, noMessage }) : [] }
}

type Named = EndpointTest & { url: string }

function inOrderOf(endpoints: ReadonlyMap<string, string>, tests: ReadonlyMap<string, EndpointTest>): Named[] {
  return [...endpoints.keys()].flatMap(url => {
    const test = tests.get(url)
    return test ? [{ url, ...test }] : []
  })
}

/** The first that answers and whose certificate holds, or else the first that answers. */
function workingOf(tests: readonly Named[]): Named | undefined {
  const answering = tests.filter(({ exchange }) => exchange?.message)
  return answering.find(({ exchange }) => !exchange?.tls.problem) ?? answering[0]
}

function summarise(
  ip: string,
  endpoints: ReadonlyMap<string, string>,
  tests: ReadonlyMap<string, EndpointTest>,
  { json = { supported: false, endpoint: null }, domains = [], checks = [] }: Partial<Findings> = {},
): DohSupport {
  const inOrder = inOrderOf(endpoints, tests)
  const working = workingOf(inOrder)
  const silent = inOrder.length > 0 && inOrder.every(({ details }) => details.status === 'No Answer')
  const successful = domains.filter(({ answered }) => answered).length
  const server: DohServerResult = {
    supports_doh: working !== undefined,
    status: working ? DOH_SUPPORTED : silent ? 'Could Not Tell' : 'DoH Not Supported',
    working_endpoint: working?.url ?? null,
    recommendation: recommend(working?.details, silent, json.supported),
    domain_tests: {
      total_tests: domains.length,
      successful_tests: successful,
      success_rate: percent(successful, domains.length),
    },
    endpoint_test_details: Object.fromEntries(inOrder.map(({ url, details }) => [url, details])),
    operator: publishedResolver(ip)?.name ?? null,
    json_api: json,
    checks,
  }
  return {
    input_servers: [ip],
    conclusion: working
      ? `${ip} answers DNS over HTTPS at ${working.url}.`
      : silent
        ? `${ip} did not answer on port 443, so this could not be told.`
        : `${ip} does not answer DNS over HTTPS at any of the ${inOrder.length} addresses tried.`,
    summary: {
      total_servers_tested: 1,
      servers_with_doh_support: working ? 1 : 0,
      success_rate: percent(working ? 1 : 0, 1),
      total_endpoint_tests: inOrder.length,
    },
    server_results: { [ip]: server },
    tested_domains: [...TESTED_DOMAINS],
  }
}

function recommend(working: EndpointDetails | undefined, silent: boolean, json: boolean): string {
  if (!working && silent) return 'Try again later, or from a network that lets port 443 through.'
  if (!working && json) return 'The server offers JSON only, which no standard defines: ask its operator for RFC 8484.'
  if (!working) return 'Use another resolver if questions are to be encrypted, or ask the operator for its address.'
  if (working.certificate_problem) {
    return 'Clients that check the certificate will refuse this address. Use the name that the certificate is for.'
  }
  return 'Use the working address as it stands in the settings of a browser or system.'
}
