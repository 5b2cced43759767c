/**
 * The response headers that decide how safely a page is shown, each with what it is for and how its value is judged.
 * Sources: RFC 6797 (HSTS), RFC 7034 (X-Frame-Options), RFC 6265 §4.1.2 and its successor draft (cookies), RFC 9110,
 * RFC 9111, CSP Level 3, Fetch (nosniff, CORP, COEP), HTML (COOP), Referrer Policy, Permissions Policy.
 */

export interface Judgement {
  verdict: 'pass' | 'warn' | 'fail' | 'not-applicable'
  detail: string
}

export interface Response {
  /** Whether the page came over TLS. */
  secure: boolean
  /** All values of a header in order; names in lower case. */
  values(name: string): readonly string[]
}

export interface HeaderRule {
  name: string
  description: string
  clause: string
  /** Missing is worse than a bad mark for some headers and nothing for others. */
  missing: Judgement
  judge(values: readonly string[], response: Response): Judgement
}

/** Half a year, in seconds: what preload lists and common graders ask of max-age at least. */
const MIN_HSTS_SECONDS = 15_552_000

const pass = (detail: string): Judgement => ({ verdict: 'pass', detail })
const warn = (detail: string): Judgement => ({ verdict: 'warn', detail })
const fail = (detail: string): Judgement => ({ verdict: 'fail', detail })
const nothing = (detail: string): Judgement => ({ verdict: 'not-applicable', detail })

/** The directives of a policy by name in lower case; of a repeated directive the first counts (CSP3 §2.2.1). */
export function parsePolicy(value: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>()
  for (const part of value.split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/)
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  return directives
}

type Policy = ReadonlyMap<string, readonly string[]>

/**
 * What scripts may still do under all these policies together; undefined when none of them restricts scripts. CSP3 §8.1:
 * with several policies each must allow what happens.
 */
export function scriptFaults(policies: readonly Policy[]): string[] | undefined {
  const scripts = policies.map(policy => policy.get('script-src') ?? policy.get('default-src'))
  if (scripts.every(sources => !sources)) return undefined
  return ['any host', 'inline scripts', 'eval'].filter((_, kind) =>
    scripts.every(sources => !sources || allows(sources, kind)),
  )
}

function judgePolicy(values: readonly string[]): Judgement {
  const faults = scriptFaults(values.flatMap(value => value.split(',')).map(parsePolicy))
  if (!faults) return warn('neither script-src nor default-src, so scripts are not restricted')
  return faults.length ? warn(`lets through: ${faults.join(', ')}`) : pass('scripts are restricted')
}

/** Whether a list of script sources lets through any host (0), inline scripts (1) or eval (2). */
function allows(sources: readonly string[], kind: number): boolean {
  const words = sources.map(source => source.toLowerCase())
  const guarded = words.some(word => /^'(?:nonce-|sha(?:256|384|512)-)/.test(word))
  if (kind === 0)
    return !words.includes("'strict-dynamic'") && words.some(word => ['*', 'http:', 'https:', 'data:'].includes(word))
  if (kind === 1) return words.includes("'unsafe-inline'") && !guarded && !words.includes("'strict-dynamic'")
  return words.includes("'unsafe-eval'")
}

function judgeTransport([value = '']: readonly string[], { secure }: Response): Judgement {
  if (!secure) return nothing('browsers ignore it over plain HTTP (RFC 6797 §8.1)')
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$)/i.exec(value)?.[1]
  if (seconds === undefined) return fail('no valid max-age, so browsers ignore it')
  if (Number(seconds) === 0) return fail('max-age is 0, which switches it off')
  if (Number(seconds) < MIN_HSTS_SECONDS) return warn(`max-age is ${seconds} s, less than half a year`)
  const subdomains = /(?:^|;)\s*includeSubDomains\s*(?:;|$)/i.test(value)
  return pass(`max-age ${seconds} s${subdomains ? ', with subdomains' : ', without subdomains'}`)
}

function judgeFraming(values: readonly string[]): Judgement {
  const words = values.flatMap(value => value.split(',')).map(word => word.trim().toUpperCase())
  if (new Set(words).size > 1) return fail('contradicting values, which browsers treat as invalid')
  if (words[0] === 'DENY' || words[0] === 'SAMEORIGIN') return pass(`framing: ${words[0]}`)
  return fail('neither DENY nor SAMEORIGIN, so browsers ignore it')
}

const REFERRER_POLICIES = {
  'no-referrer': true,
  'same-origin': true,
  'strict-origin': true,
  'strict-origin-when-cross-origin': true,
  origin: false,
  'origin-when-cross-origin': false,
  'no-referrer-when-downgrade': false,
  'unsafe-url': false,
} as const

/** The last word that a browser knows counts (Referrer Policy §8.1). */
function judgeReferrer(values: readonly string[]): Judgement {
  const words = values.flatMap(value => value.split(',')).map(word => word.trim().toLowerCase())
  const last = words
    .filter((word): word is keyof typeof REFERRER_POLICIES => Object.hasOwn(REFERRER_POLICIES, word))
    .at(-1)
  if (!last) return fail('no value that browsers know')
  return REFERRER_POLICIES[last]
    ? pass(last)
    : warn(`${last} tells other sites more than the origin or sends it unencrypted`)
}

function judgeCookies(values: readonly string[], { secure }: Response): Judgement {
  const faults = values.flatMap(value => {
    const [pair = '', ...attributes] = value.split(';')
    const names = attributes.map(attribute => (attribute.split('=')[0] ?? '').trim().toLowerCase())
    const lacking = [secure && 'Secure', 'HttpOnly', 'SameSite'].filter(
      name => name && !names.includes(name.toLowerCase()),
    )
    return lacking.length ? [`${(pair.split('=')[0] ?? '').trim().slice(0, 40)} lacks ${lacking.join(', ')}`] : []
  })
  return faults.length ? warn(faults.join('; ')) : pass(`${values.length} set, all with Secure, HttpOnly and SameSite`)
}

const oneOf =
  (good: readonly string[], weak: Readonly<Record<string, string>> = {}) =>
  ([value = '']: readonly string[]): Judgement => {
    const word = (value.split(';')[0] ?? '').trim().toLowerCase()
    if (good.includes(word)) return pass(word)
    return Object.hasOwn(weak, word) ? warn(weak[word] ?? word) : fail(`expected ${good.join(' or ')}`)
  }

/** The headers analysed, in the order of the report. */
export const securityHeaders: readonly HeaderRule[] = [
  {
    name: 'Content-Security-Policy',
    description:
      'Says where scripts, styles and frames may come from; the strongest guard against cross-site scripting.',
    clause: 'CSP3 §3.1',
    missing: fail('any script that gets into the page runs'),
    judge: judgePolicy,
  },
  {
    name: 'Strict-Transport-Security',
    description: 'Makes browsers use HTTPS only for this host from the first visit on.',
    clause: 'RFC 6797 §6.1',
    missing: fail('the first request of each visit may be read and changed'),
    judge: judgeTransport,
  },
  {
    name: 'X-Frame-Options',
    description:
      'Keeps other sites from showing the page in a frame and stealing clicks; frame-ancestors of CSP replaces it.',
    clause: 'RFC 7034 §2.1',
    missing: fail('any site may show the page in a frame'),
    judge: judgeFraming,
  },
  {
    name: 'X-Content-Type-Options',
    description: 'Stops browsers from guessing that a file is a script or a style sheet.',
    clause: 'Fetch §3.6',
    missing: fail('browsers may guess the type of a file'),
    judge: oneOf(['nosniff']),
  },
  {
    name: 'Referrer-Policy',
    description: 'Decides how much of the address other sites learn when a link is followed.',
    clause: 'Referrer Policy §4.1',
    missing: warn('the default of the browser counts'),
    judge: judgeReferrer,
  },
  {
    name: 'Permissions-Policy',
    description: 'Switches off features such as camera, microphone and location that the page does not need.',
    clause: 'Permissions Policy §5.1',
    missing: warn('frames and scripts may ask for every feature'),
    judge: () => pass('set'),
  },
  {
    name: 'X-XSS-Protection',
    description: 'A filter of old browsers that made new holes; best left out, or set to 0.',
    clause: 'OWASP Secure Headers',
    missing: pass('left out, as advised'),
    judge: ([value = '']) =>
      value.trim().startsWith('0') ? pass('switched off') : warn('switches on a filter with holes of its own'),
  },
  {
    name: 'Cross-Origin-Opener-Policy',
    description: 'Separates the page from windows of other sites, which guards against leaks between them.',
    clause: 'HTML §7.1.3',
    missing: warn('windows of other sites keep a handle on the page'),
    judge: oneOf(['same-origin', 'noopener-allow-popups'], {
      'same-origin-allow-popups': 'popups keep a handle on the page',
      'unsafe-none': 'set to the default, which protects nothing',
    }),
  },
  {
    name: 'Cross-Origin-Resource-Policy',
    description: 'Says which sites may load this response as a picture, script or other part.',
    clause: 'Fetch §3.7',
    missing: warn('any site may load it'),
    judge: oneOf(['same-origin', 'same-site'], { 'cross-origin': 'any site may load it, as declared' }),
  },
  {
    name: 'Cross-Origin-Embedder-Policy',
    description: 'Demands that every part of the page agrees to be loaded; needed for isolation.',
    clause: 'HTML §7.1.4',
    missing: warn('the page is not isolated'),
    judge: oneOf(['require-corp', 'credentialless'], { 'unsafe-none': 'set to the default, which isolates nothing' }),
  },
  {
    name: 'Cache-Control',
    description: 'Decides who may keep a copy of the response and for how long.',
    clause: 'RFC 9111 §5.2',
    missing: warn('caches decide for themselves'),
    judge: values => pass(values.join(', ')),
  },
  {
    name: 'Content-Type',
    description: 'The type of the content and its character set.',
    clause: 'RFC 9110 §8.3',
    missing: warn('browsers have to guess'),
    judge: ([value = '']) =>
      /^text\//i.test(value) && !/charset\s*=/i.test(value) ? warn('text without a character set') : pass(value),
  },
  {
    name: 'Server',
    description: 'Names the software that answered; a version number helps an attacker choose.',
    clause: 'RFC 9110 §10.2.4',
    missing: pass('left out'),
    judge: values => (values.some(value => /\d/.test(value)) ? warn('tells a version') : pass('no version told')),
  },
  {
    name: 'Set-Cookie',
    description: 'Cookies the response sets, and whether scripts, plain connections and other sites get at them.',
    clause: 'RFC 6265 §4.1.2',
    missing: nothing('no cookie set'),
    judge: judgeCookies,
  },
]

/** The verdict on one header of a response, present or missing. */
export function judgeHeader(rule: HeaderRule, response: Response): Judgement {
  const values = response.values(rule.name.toLowerCase())
  if (values.length) return rule.judge(values, response)
  if (rule.name === 'X-Frame-Options' && policyNames(response, 'frame-ancestors')) {
    return pass('covered by frame-ancestors of the content security policy')
  }
  return rule.name === 'Strict-Transport-Security' && !response.secure
    ? nothing('means nothing over plain HTTP')
    : rule.missing
}

const policyNames = (response: Response, directive: string) =>
  response
    .values('content-security-policy')
    .some(value => value.split(',').some(part => parsePolicy(part).has(directive)))
