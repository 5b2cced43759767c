import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { gradeOf, metaPolicies } from './grade.ts'
import type { Answer } from './response.ts'

type Headers = Record<string, string | string[]>

const answer = (headers: Headers, { url = 'https://site.test/', status = 200, body = '' } = {}): Answer => ({
  url,
  status,
  headers: Object.entries(headers).flatMap(([name, value]) => [value].flat().map(one => [name, one] as const)),
  body: fromUtf8(body),
})
const redirect = answer({ Location: 'https://site.test/' }, { url: 'http://site.test/', status: 301 })

const STRICT = "default-src 'none'; script-src 'self'; form-action 'self'; frame-ancestors 'none'"
/** Everything right: +10 policy, +5 framing, +5 referrer, +10 CORP. */
const best: Headers = {
  'Content-Security-Policy': STRICT,
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
/** Nothing above the norm and nothing below it, but a policy of +5, which counts from 90 on. */
const plainly: Headers = {
  'Content-Security-Policy': "default-src 'self'",
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
}

/** Weights and letters of "Tests and scoring" of the MDN HTTP Observatory; the sums by hand. */
const cases: [what: string, headers: Headers, score: number, grade: string][] = [
  ['everything right', best, 130, 'A+'],
  ['the norm', plainly, 105, 'A+'],
  ['nothing at all', {}, 30, 'D'],
  ['no policy', { ...plainly, 'Content-Security-Policy': [] }, 75, 'B'],
  [
    'a policy that only reports',
    { ...plainly, 'Content-Security-Policy': [], 'Content-Security-Policy-Report-Only': STRICT },
    75,
    'B',
  ],
  ['inline scripts', { ...plainly, 'Content-Security-Policy': "script-src 'self' 'unsafe-inline'" }, 80, 'B+'],
  ['any host', { ...plainly, 'Content-Security-Policy': 'script-src *' }, 80, 'B+'],
  ['scripts not restricted', { ...plainly, 'Content-Security-Policy': "img-src 'self'" }, 80, 'B+'],
  ['eval', { ...plainly, 'Content-Security-Policy': "default-src 'self' 'unsafe-eval'" }, 90, 'A'],
  [
    'inline styles',
    { ...plainly, 'Content-Security-Policy': "default-src 'self'; style-src 'unsafe-inline'" },
    100,
    'A+',
  ],
  ['images over HTTP', { ...plainly, 'Content-Security-Policy': "default-src 'self'; img-src http:" }, 90, 'A'],
  [
    'two policies, of which the second is strict',
    { ...plainly, 'Content-Security-Policy': ['script-src *', "default-src 'self'"] },
    105,
    'A+',
  ],
  ['no HSTS', { ...plainly, 'Strict-Transport-Security': [] }, 80, 'B+'],
  ['a short HSTS', { ...plainly, 'Strict-Transport-Security': 'max-age=300' }, 95, 'A'],
  [
    'two HSTS, of which the first counts (RFC 6797 §8.1)',
    { ...plainly, 'Strict-Transport-Security': ['max-age=300', 'max-age=31536000'] },
    95,
    'A',
  ],
  ['no protection against framing', { ...plainly, 'X-Frame-Options': [] }, 80, 'B+'],
  ['framing: a value of the past', { ...plainly, 'X-Frame-Options': 'ALLOW-FROM https://a.test' }, 80, 'B+'],
  ['types may be guessed', { ...plainly, 'X-Content-Type-Options': [] }, 100, 'A+'],
  ['referrers told to all', { ...plainly, 'Referrer-Policy': 'unsafe-url' }, 100, 'A+'],
  ['referrers to none', { ...plainly, 'Referrer-Policy': 'same-origin' }, 110, 'A+'],
  ['a session cookie without HttpOnly', { ...plainly, 'Set-Cookie': 'sessionid=1; Secure' }, 70, 'B'],
  ['a session cookie without Secure, behind HSTS', { ...plainly, 'Set-Cookie': 'PHPSESSID=1; HttpOnly' }, 95, 'A'],
  [
    'a session cookie without Secure or HSTS',
    { ...plainly, 'Strict-Transport-Security': [], 'Set-Cookie': 'sid=1' },
    40,
    'D+',
  ],
  ['good cookies', { ...plainly, 'Set-Cookie': 'sid=1; Secure; HttpOnly; SameSite=Lax' }, 110, 'A+'],
  ['an unknown SameSite', { ...plainly, 'Set-Cookie': 'a=1; Secure; SameSite=Maybe' }, 80, 'B+'],
  [
    'the null origin with credentials',
    { ...plainly, 'Access-Control-Allow-Origin': 'null', 'Access-Control-Allow-Credentials': 'true' },
    50,
    'C',
  ],
]
for (const [what, headers, score, grade] of cases) {
  test(`network.md §1.23: ${what} is ${score} and ${grade}`, () => {
    const found = gradeOf({ page: answer(headers), plain: redirect })
    assert.deepEqual([found.score, found.grade], [score, grade], JSON.stringify(found.modifiers))
    const sum = found.modifiers.reduce((total, { points, counted }) => total + (counted ? points : 0), 100)
    assert.equal(Math.max(0, sum), found.score, 'the listed points add up')
    for (const { reason } of found.modifiers) assert.match(reason, /\w{3}/)
  })
}

test('extra points count from 90 on, and are listed all the same', () => {
  const { score, modifiers } = gradeOf({ page: answer({ ...best, 'Strict-Transport-Security': [] }), plain: redirect })
  assert.equal(score, 80)
  assert.deepEqual(
    modifiers.filter(({ points }) => points > 0).map(({ counted }) => counted),
    [false, false, false, false],
  )
})

for (const [what, plain, score] of [
  ['nobody answers there', undefined, 105],
  ['to HTTPS at once', redirect, 105],
  ['no redirect', answer({}, { url: 'http://site.test/' }), 80],
  [
    'to another host first',
    answer({ Location: 'https://www.site.test/' }, { url: 'http://site.test/', status: 302 }),
    100,
  ],
  ['to another plain address first', answer({ Location: '/start' }, { url: 'http://site.test/', status: 302 }), 95],
] as const) {
  test(`plain HTTP: ${what} gives ${score}`, () => {
    assert.equal(gradeOf({ page: answer(plainly), plain }).score, score)
  })
}

test('a site without HTTPS: neither HSTS nor a redirect can be right', () => {
  const page = answer({ ...plainly, 'Set-Cookie': 'a=1' }, { url: 'http://site.test/' })
  const { score, modifiers } = gradeOf({ page, plain: page })
  assert.deepEqual(
    modifiers.filter(({ points }) => points < 0).map(({ points }) => points),
    [-20, -20, -20],
  )
  assert.equal(score, 40)
})

test('a certificate that does not hold takes HSTS and the redirect with it', () => {
  assert.equal(gradeOf({ page: answer(plainly), plain: redirect, certificateProblem: 'It has expired.' }).score, 60)
})

test('CSP3 §3.3: a policy in the page counts, but not for framing and not in place of a stricter header', () => {
  const body = `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; frame-ancestors 'none'">`
  const page = answer({ ...plainly, 'Content-Security-Policy': [], 'X-Frame-Options': [] }, { body })
  assert.deepEqual(metaPolicies(page), ["default-src 'self'; frame-ancestors 'none'"])
  const points = Object.fromEntries(gradeOf({ page, plain: redirect }).modifiers.map(each => [each.name, each.points]))
  assert.equal(points['Content-Security-Policy'], 5)
  assert.equal(points['X-Frame-Options'], -20)
})

test('HTML §4.2.5.3: other elements, other values and report-only are no policy of the page', () => {
  for (const body of [
    '<meta name="content-security-policy" content="default-src *">',
    '<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src *">',
    '<meta http-equiv="refresh" content="0">',
    '<p>http-equiv="Content-Security-Policy" content="x"</p>',
  ]) {
    assert.deepEqual(metaPolicies(answer({}, { body })), [], body)
  }
})
