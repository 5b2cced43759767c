import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  explainFailure,
  invalidInput,
  lookupFailure,
  mappings,
  missingInput,
  Offline,
  Refusal,
  ToolProblem,
} from '../src/errors.ts'
import type { Wording } from '../src/page.ts'

const lookup: Wording = {
  idle: 'Analyze',
  busy: 'Analyzing...',
  errors: 'titled',
  loading: 'Analyzing...',
  missing: 'Please enter a value.',
  mismatch: "Input doesn't match required format: ",
  failed: '',
  offline: '',
  unexpected: '',
  alwaysEnabled: false,
}
const runner: Wording = { ...lookup, errors: 'box' }
const titled = (text: string) => lookupFailure(text, {}, 'abc-free.com')

const rows: readonly (readonly [ids: string, keyword: string, title: string, message: string])[] = [
  [
    '[ERR-004]',
    'domain is not registered',
    'Domain Not Registered',
    'This domain is not registered. You can register it from trusted providers.',
  ],
  ['[ERR-009] [OPEN-103]', 'no dns records found', 'No DNS Records', 'No DNS records were found for this domain.'],
  ['[ERR-010] [OPEN-104]', '404', 'Not Found', 'The requested resource could not be found.'],
  ['[ERR-011]', '500', 'Internal Server Error', 'Oops! Something went wrong on our end.'],
  ['[ERR-012] [OPEN-105]', '400', 'Bad Request', 'The request could not be understood. Please check your input.'],
  [
    '[ERR-013] [OPEN-106]',
    'bad request',
    'Invalid Request',
    'The request was not valid. Please check your input and try again.',
  ],
  [
    '[ERR-014] [OPEN-107]',
    '503',
    'Service Unavailable',
    'The service is temporarily unavailable. Please try again later.',
  ],
  ['[ERR-015]', 'unauthorized', 'Unauthorized', 'You need to log in to continue.'],
  ['[ERR-016] [OPEN-108]', 'forbidden', 'Access Denied', 'You do not have permission to do this.'],
  ['[ERR-017] [OPEN-109]', 'token expired', 'Session Expired', 'Your session has expired. Please log in again.'],
  ['[ERR-018] [OPEN-110]', 'timeout', 'Request Timed Out', 'The request took too long. Please try again.'],
  ['[ERR-019]', 'failed to fetch', 'Network Error', 'Check your internet connection and try again.'],
  [
    '[ERR-020] [OPEN-111]',
    'networkerror',
    'Connection Issue',
    'There is a problem with the connection. Please try again.',
  ],
  [
    '[ERR-021] [OPEN-112]',
    'rate limit exceeded',
    'Too Many Requests',
    'You have made too many requests. Please wait and try again.',
  ],
  ['[ERR-022] [OPEN-113]', 'too many requests', 'Slow Down', 'You are sending requests too quickly. Please slow down.'],
  ['[ERR-023] [OPEN-114]', 'invalid domain', 'Invalid Domain', 'Please enter a valid domain name.'],
  ['[ERR-024] [OPEN-115]', 'invalid ip', 'Invalid IP Address', 'Please enter a valid IP address.'],
  ['[ERR-025] [OPEN-116]', 'validation error', 'Invalid Input', 'Please check your input and try again.'],
  ['[ERR-026] [OPEN-117]', 'internal error', 'Server Error', 'The server had a problem. Please try again later.'],
  ['[ERR-027] [OPEN-118]', 'unexpected error', 'Unexpected Error', 'Something unexpected happened. Please try again.'],
]

for (const [ids, keyword, title, message] of rows) {
  test(`${ids} "${keyword}" is "${title}"`, () => {
    const found = titled(`xx ${keyword.toUpperCase()} yy`)
    assert.equal(found.title, title)
    assert.equal(found.message, message)
  })
}

test('[ERR-003] [OPEN-091] every mapping has keyword, title, message and type', () => {
  assert.deepEqual(
    mappings.map(({ keyword }) => keyword),
    rows.map(([, keyword]) => keyword),
  )
  for (const { keyword, title, message, type } of mappings) {
    assert.ok(keyword === keyword.toLowerCase() && title && message)
    assert.ok(['error', 'warning', 'info'].includes(type))
  }
})

test('[ERR-001] [ERR-002] keywords match in any case, and the first of the catalogue wins', () => {
  assert.equal(titled('FORBIDDEN zone').title, 'Access Denied')
  assert.equal(titled('domain is not registered 404').title, 'Domain Not Registered')
})

test('[ERR-005] [ERR-006] [OPEN-056] three register links, the domain in each', () => {
  const { links = [] } = titled('Domain is not registered')
  assert.deepEqual(
    links.map(({ provider }) => provider),
    ['Namecheap', 'GoDaddy', 'Porkbun'],
  )
  for (const { url } of links) {
    assert.match(url, /^https:\/\/[^{}]*abc-free\.com$/)
  }
})

test('[ERR-028] [ERR-029] [ERR-030] [ERR-031] without a match the text speaks for itself', () => {
  const of = (status: number, body: string) => explainFailure(new Refusal(status, '', body), lookup, '')
  assert.deepEqual([of(418, 'zzz').title, of(418, 'zzz').message], ['Error', 'zzz'])
  assert.equal(of(418, '{"message":"a"}').message, 'a')
  assert.equal(of(418, '{"error":"b"}').message, 'b')
  assert.equal(of(418, '').message, 'Something went wrong.')
})

test('a number elsewhere in the body is not taken for a status', () => {
  const body = JSON.stringify({ error: '500 Internal Server Error', code: 'internal', request: '404abc' })
  assert.equal(explainFailure(new Refusal(500, '', body), lookup, '').title, 'Internal Server Error')
})

test('[GEN-025] what the server said beyond the keyword is shown as is', () => {
  const body = JSON.stringify({ error: '503 Service Unavailable: the servers did not answer', code: 'unreachable' })
  assert.equal(
    explainFailure(new Refusal(503, '', body), lookup, '').detail,
    '503 Service Unavailable: the servers did not answer',
  )
})

test('[OPEN-046] [CRY-034] [CRY-035] [CRY-036] [CRY-037] [CRY-038] [ERR-043] [ERR-044] the runner has one box and four texts', () => {
  const of = (error: unknown) => {
    const { title, message } = explainFailure(error, runner, '')
    return [title, message]
  }
  const offline = new Offline(new TypeError('Failed to fetch'))
  assert.deepEqual(of(offline), ['Error:', 'Failed to post data. Please check your internet connection.'])
  assert.deepEqual(of(new Refusal(400, 'Bad Request', '{"error":"x"}')), ['Error:', 'x'])
  assert.deepEqual(of(new Refusal(502, 'Bad Gateway', '')), ['Error:', 'Error 502: Bad Gateway'])
  assert.deepEqual(of(new SyntaxError('x')), ['Error:', 'Something went wrong while processing your request.'])
  assert.deepEqual(of(new ToolProblem({ code: 'invalid-input', message: 'Key: expected 16 bytes.' })), [
    'Error:',
    'Key: expected 16 bytes.',
  ])
})

test('[REC-032] [REC-034] [REC-035] [REC-036] [ERR-032] the records page has one title and its own order', () => {
  const words: Wording = { ...lookup, failed: 'Lookup Failed', offline: 'Failed to fetch DNS records.' }
  const of = (error: unknown) => {
    const { title, message } = explainFailure(error, words, '')
    return [title, message]
  }
  assert.deepEqual(of(new Refusal(400, 'Bad Request', '{"error":"x"}')), ['Lookup Failed', 'x'])
  assert.deepEqual(of(new Refusal(502, 'Bad Gateway', '')), ['Lookup Failed', 'Error 502: Bad Gateway'])
  assert.deepEqual(of(new Offline(0)), ['Lookup Failed', 'Failed to fetch DNS records.'])
})

test('[VAL-041] [VAL-043] empty and malformed input have their own words', () => {
  assert.deepEqual(missingInput(lookup, 'domain'), {
    title: 'Missing Input',
    message: 'Please enter a value.',
    field: 'domain',
  })
  assert.deepEqual(invalidInput(lookup, 'domain', 'example.com'), {
    title: 'Invalid Input',
    message: "Input doesn't match required format: example.com",
    field: 'domain',
  })
})

test('[ACV-022] a page may have words of its own for its own failure', () => {
  const own: Wording = { ...lookup, unexpected: 'Something went wrong while validating the domain.' }
  assert.deepEqual(explainFailure(new Error('helper threw'), own, 'example.com'), {
    title: 'Unexpected Error',
    message: 'Something went wrong while validating the domain.',
  })
})

test('[VAL-042] [ACV-021] the validator asks for a domain name', () => {
  const missing = 'Please enter a domain name.'
  const view = new URL('../src/views/site/access-control-validator.tsx', import.meta.url)
  assert.ok(readFileSync(view, 'utf8').includes(`missing: '${missing}'`))
  const { title, message } = missingInput({ ...lookup, missing }, 'domain')
  assert.deepEqual([title, message], ['Missing Input', missing])
})
