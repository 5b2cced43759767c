import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BrowserResolver, browserResolvers } from '@assay/lib/dns/browser-resolvers'
import { decodeMessage } from '@assay/lib/dns/message'
import { readAnswer, sameRecords } from '../src/views/dns/browser-answers.ts'
import { benchmarkHere, requestFor } from '../src/views/dns/browser-benchmark.ts'

const provider = (change: Partial<BrowserResolver> = {}): BrowserResolver => ({
  ...{ name: 'One', url: 'https://one.example/dns-query', type: 'get', form: 'json', allowCors: true },
  ...{ ips: ['192.0.2.1'], color: '#000000' },
  ...change,
})
const options = { signal: new AbortController().signal, onProgress: () => {} }

/** The platform's fetch, answering as told; gives the requests it saw and the limits that were set on them. */
function fetching(t: TestContext, answer: (url: string, init: RequestInit) => Response | Error) {
  const requests: { url: string; init: RequestInit }[] = []
  t.mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    const given = answer(url, init)
    if (given instanceof Error) throw given
    return given
  })
  const limits = t.mock.method(AbortSignal, 'timeout')
  return { requests, limits: () => limits.mock.calls.map(({ arguments: [ms] }) => ms) }
}

test('[BEN-057] the POST variant carries the message of RFC 8484 §4.1 as its body', () => {
  const { url, init } = requestFor(provider({ type: 'post' }), 'x.example.com', false)
  assert.equal(url, 'https://one.example/dns-query')
  assert.deepEqual([init.method, init.mode], ['POST', 'no-cors'])
  assert.deepEqual(init.headers, { Accept: 'application/dns-message', 'Content-Type': 'application/dns-message' })
  assert.ok(init.body instanceof Uint8Array)
  const { id, rd, questions } = decodeMessage(init.body)
  assert.deepEqual([id, rd, questions], [0, true, [{ name: 'x.example.com.', type: 'A', class: 'IN' }]])
})

test('[BEN-052] [BEN-053] [BEN-055] [BEN-056] JSON where it may be read, the message of RFC 8484 §6 where not', () => {
  const json = requestFor(provider(), 'x.example.com', true)
  assert.equal(json.url, 'https://one.example/dns-query?name=x.example.com&type=A')
  assert.deepEqual([json.init.mode, json.init.headers], ['cors', { Accept: 'application/dns-json' }])
  const wire = requestFor(provider({ form: 'wire' }), 'x.example.com', false)
  const dns = new URL(wire.url).searchParams.get('dns') ?? ''
  assert.match(dns, /^[A-Za-z0-9_-]+$/, 'RFC 4648 §5, without padding')
  assert.equal(decodeMessage(Buffer.from(dns, 'base64url')).questions[0]?.name, 'x.example.com.')
  assert.equal(wire.init.mode, 'no-cors')
  const google = requestFor(provider({ url: 'https://one.example/resolve' }), 'x.example.com', false)
  assert.match(google.url, /^https:\/\/one\.example\/dns-query\?dns=/)
})

test('[BIZ-027] [BIZ-028] [BIZ-029] [BEN-058] [BEN-059] one warm-up of 3 s and four samples of 7 s for each', async t => {
  const { requests, limits } = fetching(t, () => new Response('{}'))
  const { providers } = await benchmarkHere('example.com', { ...options, providers: [provider()] })
  assert.deepEqual(limits(), [3000, 7000, 7000, 7000, 7000])
  assert.equal(new Set(requests.map(({ url }) => url)).size, 5)
  assert.deepEqual([providers[0]?.fails, providers[0]?.ok, providers[0]?.timingOnly], [0, true, false])
})

test('a provider that does not let itself be read is timed without reading from then on', async t => {
  const { requests } = fetching(t, (_, { mode }) =>
    mode === 'cors' ? new TypeError('Failed to fetch') : new Response(),
  )
  const { providers } = await benchmarkHere('example.com', { ...options, providers: [provider()] })
  assert.deepEqual(
    requests.map(({ init }) => init.mode),
    ['cors', 'no-cors', 'no-cors', 'no-cors', 'no-cors'],
  )
  assert.deepEqual([providers[0]?.ok, providers[0]?.timingOnly], [true, true])
})

test('[BEN-048] [BEN-060] [BEN-061] statuses that are no success, and dead hosts, are failed samples', async t => {
  fetching(t, url => (url.includes('dead') ? new TypeError('Failed to fetch') : new Response('', { status: 503 })))
  const dead = provider({ name: 'Dead', url: 'https://dead.example/dns-query' })
  const { providers } = await benchmarkHere('example.com', { ...options, providers: [provider(), dead] })
  const nothing = { avg: null, min: null, max: null, med: null, ok: false, fails: 4 }
  assert.deepEqual(providers, [
    { name: 'One', ...nothing, timingOnly: false },
    { name: 'Dead', ...nothing, timingOnly: true },
  ])
})

test('[BEN-026] progress rises with each of the fifteen to the whole', async t => {
  fetching(t, () => new Response('{}'))
  const steps: number[] = []
  const onProgress = (progress: number) => steps.push(progress)
  const { providers, total } = await benchmarkHere('bücher.example', { ...options, onProgress })
  assert.equal(providers.length, browserResolvers.length)
  assert.equal(total, 15)
  assert.deepEqual(
    steps,
    browserResolvers.map((_, i) => (i + 1) / 15),
  )
})

test('cancelling ends the run', async t => {
  const controller = new AbortController()
  fetching(t, () => {
    controller.abort(new Error('cancelled'))
    return new Response('{}')
  })
  await assert.rejects(benchmarkHere('example.com', { ...options, signal: controller.signal }), /cancelled/)
})

test('answers in JSON: records of the type, quotation marks, case and final dots do not count', () => {
  const body = {
    Answer: [
      { name: 'www.example.com.', type: 5, TTL: 10, data: 'example.com.' },
      { name: 'example.com.', type: 1, TTL: 60, data: '192.0.2.1' },
    ],
  }
  assert.deepEqual(readAnswer(body, 1), { values: ['192.0.2.1'], ttl: 60 })
  for (const nothing of [{}, null, 'x', { Answer: 7 }, { Answer: [null] }]) {
    assert.deepEqual(readAnswer(nothing, 1), { values: [], ttl: null })
  }
  assert.ok(sameRecords(['"v=spf1 -all"'], ['v=spf1 -all']))
  assert.ok(sameRecords(['10 Mail.example.com.', '20 b.'], ['20 b', '10 mail.example.com']))
  assert.ok(!sameRecords(['192.0.2.1'], ['192.0.2.1', '192.0.2.2']))
})
