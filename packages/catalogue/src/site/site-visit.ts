import { type Check, type HttpExchange, type HttpOptions, Problem, type ServerContext, type Tone } from '@assay/kit'
import { toHex } from '@assay/lib/bytes'
import { basicOverHttp, loginOverHttp, weakCookies, weakTransport } from '@assay/lib/http/authentication'
import { judgeCors, originProbes } from '@assay/lib/http/cors'
import { type Exposure, echoes, exposures, openRoot, provenExposure } from '@assay/lib/http/exposure'
import { type Answer, valuesOf } from '@assay/lib/http/response'
import { judgeHeader, securityHeaders } from '@assay/lib/http/security-headers'

/** OPEN-068: all of them harmless, redirects of the start page included. */
export const MAX_REQUESTS = 30
const MAX_REDIRECTS = 3
const PAGE_BYTES = 131_072
const PROBE_BYTES = 16_384
const TIMEOUT_MS = 6_000
/** Requests to the site at once. */
const WIDTH = 4
const TOKEN_BYTES = 8

type Category = 'CORS' | 'Security Headers' | 'Authentication' | 'Authorization'

export interface Vulnerability {
  description: string
  status_code: number
  url: string
  /** The piece of the answer that shows it. */
  proof: string
}

interface Tried extends Check {
  category: Category
}

/** Headers whose bad or missing value is a weakness; the others are advice, which http-headers gives. */
const JUDGED_HEADERS = ['Content-Security-Policy', 'X-Frame-Options', 'X-Content-Type-Options']
/** Headers that tell what runs on the server. Names of the OWASP Secure Headers Project. */
const TELLING_HEADERS = ['X-Powered-By', 'X-AspNet-Version', 'X-AspNetMvc-Version', 'X-Generator']

/** Specification §9: the risk level by the number of findings. */
export const scale: readonly (readonly [level: string, range: string, tone: Tone, from: number])[] = [
  ['None', '0', 'good', 0],
  ['Low', '1 to 9', 'info', 1],
  ['Medium', '10 to 24', 'warn', 10],
  ['High', '25 or more', 'bad', 25],
]

/** BIZ-023: the level by the number of findings. */
export function riskOf(total: number): readonly [level: string, tone: Tone] {
  const [level, , tone] = scale.findLast(([, , , from]) => total >= from) ?? ['None', '', 'good' as const]
  return [level, tone]
}

/** One look at one site: what has been asked, found and not found out. */
export class SiteVisit {
  readonly #domain: string
  readonly #context: ServerContext
  readonly #token: string
  readonly #found: Record<Category, Vulnerability[]> = {
    CORS: [],
    'Security Headers': [],
    Authentication: [],
    Authorization: [],
  }
  readonly #tests: Tried[] = []
  readonly #untested: { url: string; reason: string }[] = []
  #requests = 0
  #base = ''
  #page: Answer = { url: '', status: 0, headers: [], body: new Uint8Array() }
  #secure = false

  constructor(domain: string, context: ServerContext) {
    this.#domain = domain
    this.#context = context
    // A letter first, so that it can stand in a name.
    this.#token = `a${toHex(context.random(TOKEN_BYTES))}`
  }

  /** The start page, over HTTPS where there is one, and what it says by itself. */
  async open(): Promise<void> {
    const page = await this.#startPage()
    this.#secure = page.url.startsWith('https:')
    this.#page = page
    const { origin, hostname } = new URL(page.url)
    const isOurs = hostname === this.#domain || hostname === `www.${this.#domain}` || this.#domain === `www.${hostname}`
    this.#base = isOurs ? origin : `${this.#secure ? 'https' : 'http'}://${this.#domain}`
    this.#judgeHeaders(page)
    this.#judgeAuthentication(page)
    if (page.tls?.problem) this.#add('Authentication', page, 'The certificate does not hold', page.tls.problem)
    this.#note(
      'Authentication',
      'Certificate',
      !page.tls ? 'unknown' : page.tls.problem ? 'fail' : 'pass',
      page.tls?.problem,
    )
    const listed = provenExposure(openRoot, page, undefined)
    if (listed) this.#add('Authorization', page, openRoot.description, listed)
  }

  /** What those get who type the name without a scheme, the first time. */
  async plain(): Promise<void> {
    const url = `http://${this.#domain}/`
    if (!this.#secure) {
      this.#add('Authentication', this.#page, 'The site is not there over HTTPS', 'no answer on port 443')
      return this.#note('Authentication', 'HTTPS', 'fail')
    }
    const answer = await this.#ask(url, { bodyBytes: PAGE_BYTES })
    if (!answer)
      return this.#note('Authentication', 'Plain HTTP leads to HTTPS', 'not-applicable', 'nobody answers there')
    const login = basicOverHttp(answer) ?? loginOverHttp(answer)
    if (login) this.#add('Authentication', answer, login.description, login.proof)
    const open = answer.status === 200
    if (open) this.#add('Authentication', answer, 'Answers over plain HTTP instead of leading to HTTPS', 'no redirect')
    this.#note('Authentication', 'Plain HTTP leads to HTTPS', open ? 'fail' : 'pass')
    this.#note('Authentication', 'Password over plain HTTP', login ? 'fail' : 'pass')
  }

  /** Foreign origins one by one: a site that lets any in need not be asked about the rest. */
  async cors(): Promise<void> {
    const url = `${this.#base}/`
    const probes = originProbes(new URL(url).hostname, this.#token)
    let isOpen = false
    for (const probe of probes) {
      if (isOpen) {
        this.#note('CORS', `Origin: ${probe.meaning}`, 'skipped', 'any origin is let in')
        continue
      }
      const asked = await this.#ask(url, { headers: { Origin: probe.origin } })
      const fault = asked && judgeCors(probe, asked)
      if (asked && fault) this.#add('CORS', asked, fault, corsProof(asked))
      this.#note('CORS', `Origin: ${probe.meaning}`, !asked ? 'unknown' : fault ? 'fail' : 'pass')
      isOpen ||= fault !== undefined && probe.name === 'any'
    }
    const [any] = probes
    if (isOpen || !any) return this.#note('CORS', 'Preflight', 'skipped', 'any origin is let in')
    const headers = { Origin: any.origin, 'Access-Control-Request-Method': 'DELETE' }
    const preflight = await this.#ask(url, { method: 'OPTIONS', headers })
    const fault = preflight && judgeCors(any, preflight)
    if (preflight && fault) this.#add('CORS', preflight, `${fault}, after a preflight`, corsProof(preflight))
    this.#note('CORS', 'Preflight', !preflight ? 'unknown' : fault ? 'fail' : 'pass')
  }

  /** An invented path first: what a site says there proves nothing elsewhere. */
  async authorization(): Promise<void> {
    const invented = await this.#ask(`${this.#base}/${this.#token}/${this.#token}`)
    const rest = [...exposures]
    while (rest.length) await Promise.all(rest.splice(0, WIDTH).map(exposure => this.#try(exposure, invented)))
    const url = `${this.#base}/`
    const traced = await this.#ask(url, { method: 'TRACE', headers: { 'X-Probe': this.#token } })
    const fault = traced !== undefined && echoes(traced, this.#token)
    if (traced && fault)
      this.#add('Authorization', traced, 'TRACE sends requests back, headers included', `X-Probe: ${this.#token}`)
    this.#note('Authorization', 'TRACE', !traced ? 'unknown' : fault ? 'fail' : 'pass')
  }

  result() {
    const entries = Object.values(this.#found)
    const total = entries.reduce((sum, list) => sum + list.length, 0)
    return {
      domain: this.#domain,
      url: `${this.#base}/`,
      vulnerabilities: structuredClone<Record<string, Vulnerability[]>>(this.#found),
      total_vulnerabilities: total,
      categories_affected: entries.filter(list => list.length).length,
      security_status: total ? 'Vulnerable' : 'Secure',
      risk_level: riskOf(total)[0],
      requests: this.#requests,
      tests: [...this.#tests],
      /** Requests that got no answer: about these nothing is known. */
      untested: [...this.#untested],
    }
  }

  async #startPage(): Promise<Answer & { tls?: HttpExchange['tls'] }> {
    const options = { redirects: MAX_REDIRECTS, bodyBytes: PAGE_BYTES, acceptBadCertificate: true }
    const get = async (url: string) => {
      this.#requests++
      const page = await this.#context.http.get(url, options)
      this.#requests += page.hops.length
      return page
    }
    try {
      return await get(`https://${this.#domain}/`)
    } catch (error) {
      if (!(error instanceof Problem) || this.#context.signal.aborted) throw error
      if (!['unreachable', 'timeout'].includes(error.code)) throw error
      return await get(`http://${this.#domain}/`).catch(() => Promise.reject(error))
    }
  }

  #judgeHeaders(page: Answer): void {
    const response = { secure: this.#secure, values: (name: string) => valuesOf(page, name) }
    for (const rule of securityHeaders.filter(({ name }) => JUDGED_HEADERS.includes(name))) {
      const { verdict, detail } = judgeHeader(rule, response)
      const [value] = valuesOf(page, rule.name)
      const isBad = verdict === 'fail' || (rule.name === 'Content-Security-Policy' && verdict === 'warn')
      const words = value === undefined ? 'is missing' : 'does not protect'
      if (isBad) this.#add('Security Headers', page, `${rule.name} ${words}: ${detail}`, value ?? 'no such header')
      this.#note('Security Headers', rule.name, isBad ? 'fail' : 'pass', detail)
    }
    for (const name of ['Server', ...TELLING_HEADERS]) {
      const [value] = valuesOf(page, name)
      const tells = value !== undefined && (name !== 'Server' || /\d/.test(value))
      if (tells) this.#add('Security Headers', page, `${name} tells what runs on the server`, value)
      if (tells || name === 'Server') this.#note('Security Headers', `${name} keeps quiet`, tells ? 'fail' : 'pass')
    }
  }

  #judgeAuthentication(page: Answer): void {
    const cookies = weakCookies(page)
    for (const { description, proof } of cookies) this.#add('Authentication', page, description, proof)
    this.#note('Authentication', 'Cookies', cookies.length ? 'fail' : 'pass')
    const transport = weakTransport(page)
    if (transport) this.#add('Authentication', page, transport.description, transport.proof)
    this.#note(
      'Authentication',
      'Strict-Transport-Security',
      !this.#secure ? 'not-applicable' : transport ? 'fail' : 'pass',
    )
    const login = basicOverHttp(page) ?? loginOverHttp(page)
    if (login) this.#add('Authentication', page, login.description, login.proof)
    this.#note('Authentication', 'Login form', login ? 'fail' : 'pass')
  }

  async #try(exposure: Exposure, invented: Answer | undefined): Promise<void> {
    const answer = await this.#ask(`${this.#base}${exposure.path}`)
    const proof = answer && provenExposure(exposure, answer, invented)
    if (answer && proof) this.#add('Authorization', answer, exposure.description, proof)
    this.#note(
      'Authorization',
      exposure.path,
      !answer ? 'unknown' : proof ? 'fail' : 'pass',
      answer && `status ${answer.status}`,
    )
  }

  /** One request; undefined when it got no answer, which is noted and neither good nor bad. */
  async #ask(url: string, options: HttpOptions = {}): Promise<Answer | undefined> {
    if (this.#requests >= MAX_REQUESTS) {
      this.#untested.push({ url, reason: 'the number of requests is used up' })
      return undefined
    }
    this.#requests++
    try {
      const fixed = { redirects: 0, timeoutMs: TIMEOUT_MS, acceptBadCertificate: true }
      return await this.#context.http.get(url, { bodyBytes: PROBE_BYTES, ...options, ...fixed })
    } catch (error) {
      if (!(error instanceof Problem) || this.#context.signal.aborted) throw error
      this.#untested.push({ url, reason: error.message })
      return undefined
    }
  }

  #add(category: Category, { url, status }: Answer, description: string, proof: string): void {
    this.#found[category].push({ description, status_code: status, url, proof: proof.slice(0, 200) })
  }

  #note(category: Category, name: string, verdict: Check['verdict'], detail?: string): void {
    this.#tests.push({ category, name, verdict, ...(detail && { detail }) })
  }
}

const corsProof = (answer: Answer) =>
  `Access-Control-Allow-Origin: ${valuesOf(answer, 'access-control-allow-origin')[0] ?? ''}, Access-Control-Allow-Credentials: true`
