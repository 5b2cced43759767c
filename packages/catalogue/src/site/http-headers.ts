import { type Check, field, type HttpExchange, mono, Problem, panel, type ServerContext, sh, tool } from '@assay/kit'
import { gradeOf } from '@assay/lib/http/grade'
import { judgeHeader, type Response, securityHeaders } from '@assay/lib/http/security-headers'
import { statusCell } from './status.ts'

/** What the contract writes in place of the value of a header that is missing. */
const MISSING = 'Not Found'
/** The body is of no interest; this much is read so that servers which count on it behave. */
const MAX_BODY_BYTES = 65_536
const MAX_REDIRECTS = 5

/** The response headers of a site, judged one by one. RFC 9110. */
export const httpHeaders = tool({
  id: 'http-headers',
  path: 'http-headers',
  title: 'HTTP Headers',
  category: 'dns-tools',
  summary: 'The response headers of a site: which protect its visitors, which are missing, which give too much away.',
  keywords: ['security headers', 'csp', 'hsts', 'x-frame-options', 'response', 'curl -I', 'cookies', 'redirects'],
  specs: ['RFC 9110', 'RFC 6797', 'RFC 7034', 'RFC 6265'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['http-headers/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async run({ domain }, context) {
    const [exchange, plain] = await Promise.all([fetchPage(domain, context), fetchPlain(domain, context)])
    const secure = exchange.url.startsWith('https:')
    const response: Response = {
      secure,
      values: name => exchange.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value),
    }
    const checks = securityHeaders.map((rule): Check => {
      const { verdict, detail } = judgeHeader(rule, response)
      return { name: rule.name, verdict, detail, clause: rule.clause }
    })
    return {
      headers_data: Object.fromEntries(
        securityHeaders.map(({ name }) => {
          const values = response.values(name.toLowerCase())
          return [name, values.length ? values.join(name === 'Set-Cookie' ? '\n' : ', ') : MISSING]
        }),
      ),
      domain,
      url: exchange.url,
      status_code: exchange.status,
      http_version: exchange.httpVersion,
      address: exchange.address,
      tls: exchange.tls ?? null,
      /** Every header as it came: order, case and duplicates kept. */
      headers: exchange.headers,
      headers_chain: exchange.hops,
      checks,
      timings: exchange.timings,
      ...gradeOf({ page: exchange, plain, certificateProblem: exchange.tls?.problem }),
    }
  },

  show({
    headers_data,
    domain,
    url,
    status_code,
    http_version,
    address,
    tls,
    headers,
    headers_chain,
    checks,
    score,
    grade,
    modifiers,
  }) {
    const entries = Object.entries(headers_data)
    const present = entries.filter(([, value]) => value !== MISSING)
    const missing = entries.filter(([, value]) => value === MISSING)
    const failed = checks.filter(({ verdict }) => verdict === 'fail')
    const tone = failed.length ? 'bad' : checks.some(({ verdict }) => verdict === 'warn') ? 'warn' : 'good'
    return [
      panel.banner(tone, domain, {
        badge: failed.length ? `${failed.length} FAILED` : 'NOTHING FAILED',
        detail: `${url} · HTTP/${http_version} · ${address}`,
      }),
      panel.tiles(
        { label: 'Status code', value: statusCell(status_code) },
        { label: 'Grade', value: { text: grade, tone: gradeTone(score) }, detail: `${score} points` },
        { label: 'Headers analysed', value: entries.length },
        { label: 'Present', value: { text: String(present.length), tone: 'good' } },
        { label: 'Missing', value: { text: String(missing.length), tone: missing.length ? 'warn' : 'good' } },
      ),
      ...(tls?.problem ? [panel.note('bad', tls.problem, 'The certificate does not hold')] : []),
      panel.table(
        ['What', 'Points', 'Why'],
        [
          ['Start', mono('100'), 'Every site begins with a hundred points.'],
          ...modifiers.map(({ name, points, reason, counted }) => [
            name,
            pointsCell(points, counted),
            counted ? reason : `${reason}; extra points count from 90 on`,
          ]),
          ['Sum', { ...mono(score), tone: gradeTone(score) }, `Grade ${grade}.`],
        ],
        { title: 'How the grade comes about' },
      ),
      panel.checks(checks, 'Verdicts'),
      panel.table(
        ['Header', 'Value'],
        present.map(([name, value]) => [name, mono(value)]),
        { title: 'Present headers' },
      ),
      panel.table(
        ['Header', 'What it is for'],
        missing.map(([name]) => [name, descriptions.get(name) ?? '']),
        {
          title: 'Missing headers',
          empty: 'None is missing.',
        },
      ),
      ...(headers_chain.length
        ? [
            panel.table(
              ['Address', 'Status', 'Leads to'],
              headers_chain.map(hop => [mono(hop.url), statusCell(hop.status), mono(hop.location)]),
              { title: 'Redirects followed' },
            ),
          ]
        : []),
      panel.table(
        ['Name', 'Value'],
        headers.map(([name, value]) => [mono(name), mono(value)]),
        {
          title: 'All headers as received',
          scroll: true,
        },
      ),
    ]
  },

  terminal: (_, { url }) => ({ command: sh`curl -sS -D - -o /dev/null ${url}` }),

  examples: [
    {
      from: 'RFC 6797 §6.2',
      title: 'A site that insists on HTTPS',
      input: { domain: 'example.com' },
      recording: {
        http: {
          'https://example.com/': {
            status: 200,
            headers: [
              ['Strict-Transport-Security', 'max-age=31536000'],
              ['Content-Type', 'text/html'],
            ],
          },
        },
      },
      result: {
        headers_data: { 'Strict-Transport-Security': 'max-age=31536000', 'X-Frame-Options': MISSING },
        status_code: 200,
      },
    },
  ],
})

const descriptions = new Map(securityHeaders.map(({ name, description }) => [name, description]))

const gradeTone = (score: number) => (score >= 80 ? 'good' : score >= 45 ? 'warn' : 'bad')

const pointsCell = (points: number, counted: boolean) => ({
  ...mono(points > 0 ? `+${points}` : String(points).replace('-', '−'), points < 0 ? 'bad' : 'neutral'),
  ...(points > 0 && counted && { tone: 'good' as const }),
})

/** What those get who type the name the first time; nothing when nobody answers there. */
async function fetchPlain(domain: string, { http, signal }: ServerContext): Promise<HttpExchange | undefined> {
  return http.get(`http://${domain}/`, { redirects: 0, bodyBytes: 0 }).catch(error => {
    if (signal.aborted) throw error
    return undefined
  })
}

/** HTTPS first; plain HTTP when nobody answers there. A bad certificate is a finding, not the end. */
async function fetchPage(domain: string, { http }: ServerContext): Promise<HttpExchange> {
  const options = { redirects: MAX_REDIRECTS, bodyBytes: MAX_BODY_BYTES, acceptBadCertificate: true }
  try {
    return await http.get(`https://${domain}/`, options)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'refused' || error.code === 'limited') throw error
    return await http.get(`http://${domain}/`, options).catch(() => Promise.reject(error))
  }
}
