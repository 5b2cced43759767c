/**
 * A grade for how a site protects its visitors, with the sum shown: 100 points, less what is missing, plus what is
 * better than asked. The method, the weights and the letters are those of the MDN HTTP Observatory ("Tests and
 * scoring"). Left out here are subresource integrity and the preload list, which take more than one response.
 */

import { type Answer, textOf, valuesOf } from './response.ts'
import { judgeHeader, parsePolicy, scriptFaults, securityHeaders } from './security-headers.ts'
import { startTags } from './start-tags.ts'

export interface Modifier {
  name: string
  /** Points added or taken off. */
  points: number
  reason: string
  /** Points above the norm count only from `EXTRA_FROM` on. */
  counted: boolean
}

export interface Grade {
  score: number
  grade: string
  modifiers: Modifier[]
}

/** What is known about a site: its page over the best way there is, and what plain HTTP says. */
export interface Seen {
  page: Answer
  /** Why the certificate does not hold, if it does not. */
  certificateProblem?: string | undefined
  /** The first response over plain HTTP; undefined when nobody answers there. */
  plain?: Answer | undefined
}

const FULL_SCORE = 100
const EXTRA_FROM = 90

/** The letters by their lowest score. */
const letters: readonly (readonly [from: number, letter: string])[] = [
  [100, 'A+'],
  [90, 'A'],
  [85, 'A-'],
  [80, 'B+'],
  [70, 'B'],
  [65, 'B-'],
  [60, 'C+'],
  [50, 'C'],
  [45, 'C-'],
  [40, 'D+'],
  [30, 'D'],
  [25, 'D-'],
  [0, 'F'],
]

type Points = readonly [points: number, reason: string]

/** The grade and how it came about: every modifier is listed, also those of no points. */
export function gradeOf(seen: Seen): Grade {
  const rows = tests.map(([name, judge]) => [name, ...judge(seen)] as const)
  const without = FULL_SCORE + rows.reduce((sum, [, points]) => sum + Math.min(points, 0), 0)
  const extra = without >= EXTRA_FROM
  const modifiers = rows.map(([name, points, reason]) => ({ name, points, reason, counted: points <= 0 || extra }))
  const sum = modifiers.reduce((total, { points, counted }) => total + (counted ? points : 0), FULL_SCORE)
  const score = Math.max(0, sum)
  return { score, grade: letters.find(([from]) => score >= from)?.[1] ?? 'F', modifiers }
}

const isSecure = ({ url }: Answer) => url.startsWith('https:')

/** Directives that a policy in the page itself cannot have (CSP3 §3.3). */
const HEADER_ONLY = ['frame-ancestors', 'report-uri', 'report-to', 'sandbox']

/** The policies in `<meta http-equiv>` elements of a page. HTML §4.2.5.3. */
export function metaPolicies(page: Answer): string[] {
  return startTags(textOf(page), 'meta')
    .filter(tag => /\bhttp-equiv\s*=\s*["']?content-security-policy["'\s/>]/i.test(tag))
    .flatMap(
      tag =>
        /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i
          .exec(tag)
          ?.slice(1)
          .find(text => text !== undefined) ?? [],
    )
}

function policiesOf(page: Answer) {
  const sent = valuesOf(page, 'content-security-policy')
    .flatMap(value => value.split(','))
    .map(parsePolicy)
  const inPage = metaPolicies(page).map(
    text => new Map([...parsePolicy(text)].filter(([name]) => !HEADER_ONLY.includes(name))),
  )
  return [...sent, ...inPage]
}

function judgeContentPolicy({ page }: Seen): Points {
  const policies = policiesOf(page)
  if (!policies.length) {
    const reports = valuesOf(page, 'content-security-policy-report-only').length > 0
    return [-25, reports ? 'only reports, and so stops nothing' : 'not set']
  }
  const faults = scriptFaults(policies)
  const many = policies.length > 1 ? ` by ${policies.length} policies together` : ''
  if (!faults) return [-20, 'neither script-src nor default-src: scripts are not restricted']
  if (faults.includes('inline scripts') || faults.includes('any host')) {
    return [-20, `lets through ${faults.join(', ')}${many}`]
  }
  const insecure = (names: readonly string[]) =>
    isSecure(page) && policies.every(policy => names.some(name => (policy.get(name) ?? []).some(isPlain)))
  if (insecure(['default-src', 'script-src', 'object-src', 'style-src', 'frame-src', 'connect-src'])) {
    return [-20, 'lets parts of the page come over plain HTTP']
  }
  if (faults.length) return [-10, `lets through ${faults.join(', ')}${many}`]
  if (insecure(['img-src', 'media-src'])) return [-10, 'lets images come over plain HTTP']
  const styles = policies.map(policy => policy.get('style-src') ?? policy.get('default-src') ?? ["'unsafe-inline'"])
  if (styles.every(sources => sources.some(isLooseStyle))) return [0, 'set; lets through inline styles']
  const strict = policies.some(
    policy =>
      policy.get('default-src')?.join() === "'none'" &&
      ["'none'", "'self'"].includes(policy.get('form-action')?.join() ?? ''),
  )
  return strict ? [10, "starts from default-src 'none' and says where forms go"] : [5, 'nothing unsafe']
}

const isPlain = (source: string) => /^http:/i.test(source)
const isLooseStyle = (source: string) => /^(?:'unsafe-inline'|\*|data:|https?:)$/i.test(source)

function judgeHsts({ page, certificateProblem }: Seen): Points {
  if (!isSecure(page)) return [-20, 'means nothing: the site is not there over HTTPS']
  if (certificateProblem) return [-20, 'means nothing: the certificate does not hold']
  const { verdict, detail } = judge('Strict-Transport-Security', page)
  const several = valuesOf(page, 'strict-transport-security').length > 1 ? '; of several the first counts' : ''
  return verdict === 'pass' ? [0, `${detail}${several}`] : [verdict === 'warn' ? -10 : -20, `${detail}${several}`]
}

function judgeRedirect({ page, plain, certificateProblem }: Seen): Points {
  if (certificateProblem) return [-20, certificateProblem]
  if (!plain) return isSecure(page) ? [0, 'nobody answers over plain HTTP'] : [-20, 'there is no HTTPS to lead to']
  const [location] = valuesOf(plain, 'location')
  if (plain.status < 300 || plain.status > 399 || !location) return [-20, 'answers over plain HTTP without leading on']
  const target = URL.canParse(location, plain.url) ? new URL(location, plain.url) : undefined
  if (!isSecure(page)) return [-20, 'leads on, but never to HTTPS']
  if (target?.protocol !== 'https:') return [-10, 'leads to another plain address first']
  if (target.hostname !== new URL(plain.url).hostname) return [-5, 'leads to another host first, so HSTS cannot hold']
  return [0, 'leads to HTTPS at once']
}

function judgeFrames({ page }: Seen): Points {
  const policies = valuesOf(page, 'content-security-policy')
    .flatMap(value => value.split(','))
    .map(parsePolicy)
  if (policies.some(policy => policy.has('frame-ancestors'))) return [5, 'frame-ancestors of the policy']
  const { verdict, detail } = judge('X-Frame-Options', page)
  return verdict === 'pass' ? [0, detail] : [-20, detail]
}

function judgeSniffing({ page }: Seen): Points {
  const { verdict, detail } = judge('X-Content-Type-Options', page)
  return verdict === 'pass' ? [0, detail] : [-5, detail]
}

function judgeReferrers({ page }: Seen): Points {
  if (!valuesOf(page, 'referrer-policy').length) return [0, "not set; the browser's default counts"]
  const { verdict, detail } = judge('Referrer-Policy', page)
  return verdict === 'pass' ? [5, detail] : [-5, detail]
}

function judgeResourcePolicy({ page }: Seen): Points {
  const { verdict, detail } = judge('Cross-Origin-Resource-Policy', page)
  if (!valuesOf(page, 'cross-origin-resource-policy').length) return [0, 'not set']
  return verdict === 'pass' ? [10, detail] : verdict === 'warn' ? [0, detail] : [-5, detail]
}

function judgeSharing({ page }: Seen): Points {
  const [origin] = valuesOf(page, 'access-control-allow-origin')
  const credentials = valuesOf(page, 'access-control-allow-credentials').some(value => value.trim() === 'true')
  if (origin === undefined) return [0, 'not shared']
  if (credentials && origin.trim() === 'null') return [-50, 'shared with every page, credentials included']
  return [0, `shared with ${origin === '*' ? 'everybody, without credentials' : origin.slice(0, 60)}`]
}

/** Names that mean a login. Facts from the Observatory's own test: "sid", "sess" and "login" in a cookie's name. */
const SESSION = /sid|sess|login/i

function judgeCookies({ page }: Seen): Points {
  const cookies = valuesOf(page, 'set-cookie').map(value => {
    const [pair = '', ...attributes] = value.split(';')
    const [name = ''] = pair.trim().split('=')
    const entries = attributes.map(text => text.trim().toLowerCase().split('='))
    const has = (wanted: string) => entries.some(([key]) => key === wanted)
    const sameSite = entries.find(([key]) => key === 'samesite')?.[1]
    return { session: SESSION.test(name), secure: has('secure'), httpOnly: has('httponly'), sameSite, name }
  })
  if (!cookies.length) return [0, 'none set']
  const hsts = isSecure(page) && judge('Strict-Transport-Security', page).verdict === 'pass'
  const open = cookies.filter(({ secure }) => !secure || !isSecure(page))
  if (open.some(({ session }) => session))
    return hsts ? [-10, 'a session cookie without Secure'] : [-40, 'a session cookie without Secure']
  if (cookies.some(({ session, httpOnly }) => session && !httpOnly)) return [-30, 'a session cookie without HttpOnly']
  if (open.length) return hsts ? [-5, 'a cookie without Secure, behind HSTS'] : [-20, 'a cookie without Secure']
  if (cookies.some(({ sameSite }) => sameSite !== undefined && !['strict', 'lax', 'none'].includes(sameSite))) {
    return [-20, 'a cookie with a SameSite that browsers do not know']
  }
  const all = cookies.every(({ sameSite }) => sameSite === 'strict' || sameSite === 'lax')
  return all
    ? [5, 'all with Secure and SameSite, sessions with HttpOnly']
    : [0, 'all with Secure, sessions with HttpOnly']
}

const tests: readonly (readonly [name: string, judge: (seen: Seen) => Points])[] = [
  ['Content-Security-Policy', judgeContentPolicy],
  ['Strict-Transport-Security', judgeHsts],
  ['Plain HTTP leads to HTTPS', judgeRedirect],
  ['X-Frame-Options', judgeFrames],
  ['X-Content-Type-Options', judgeSniffing],
  ['Referrer-Policy', judgeReferrers],
  ['Cookies', judgeCookies],
  ['Cross-Origin-Resource-Policy', judgeResourcePolicy],
  ['Cross-origin sharing', judgeSharing],
]

function judge(name: string, page: Answer) {
  const rule = securityHeaders.find(each => each.name === name)
  if (!rule) throw new RangeError(`no rule for ${name}`)
  return judgeHeader(rule, { secure: isSecure(page), values: key => valuesOf(page, key) })
}
