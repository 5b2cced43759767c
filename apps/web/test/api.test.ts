import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolsOf } from '@assay/catalogue/catalogue'
import { formFields } from '@assay/kit'
import { callOf, type Raw, send } from '../src/api.ts'
import { explainFailure } from '../src/errors.ts'
import { initialValues, rawOf } from '../src/form.ts'
import type { ActionModel, FieldModel, ToolModel, Wording } from '../src/page.ts'

const fields: readonly FieldModel[] = [
  { name: 'domain', type: 'text', kind: 'domain', label: 'Domain' },
  { name: 'type', type: 'select', kind: 'choice', label: 'Type', options: ['all', 'mx'], default: 'all' },
  { name: 'depth', type: 'number', kind: 'number', label: 'Depth', default: 3 },
]
const words = { errors: 'titled', failed: '', offline: '', unexpected: '' } as Wording
const action = { name: '', path: 'records', fields } as unknown as ActionModel
const tool = { id: 'records', lookups: ['records/{domain}', 'records/{domain}/{type}'] } as unknown as ToolModel
const pathOf = (raw: Record<string, string>) => callOf(tool, action, raw).path

test('[API-002] a lookup is a GET of the address that says most, presets left out', () => {
  assert.equal(pathOf({ domain: 'a.test', type: 'mx' }), '/api/records/a.test/mx/')
  assert.equal(pathOf({ domain: 'a.test', type: 'all' }), '/api/records/a.test/')
  assert.equal(pathOf({ domain: ' a.test ', type: '' }), '/api/records/a.test/')
  assert.equal(pathOf({ domain: 'a.test', type: 'mx', depth: '4' }), '/api/records/a.test/mx/?depth=4')
  assert.equal(pathOf({ domain: 'a/b?c' }), '/api/records/a%2Fb%3Fc/')
})

test('[CTL-089] what cannot be filled in is posted', () => {
  assert.deepEqual(callOf(tool, action, { type: 'mx' }), {
    method: 'POST',
    tool: 'records',
    path: '/api/records/',
    body: { type: 'mx' },
  })
})

/** What the page of a tool asks for, by the id of the tool. */
const requests: Readonly<Record<string, readonly [value: string, path: string]>> = {
  whois: ['example.com', '/api/whois/example.com/'],
  'dns-lookup': ['example.com', '/api/dns-records/example.com/'],
  'dns-records': ['example.com', '/api/dns-records/example.com/'],
  'reverse-dns': ['8.8.8.8', '/api/reverse-dns/8.8.8.8/'],
  dnssec: ['example.com', '/api/dnssec/example.com/'],
  'zone-transfer-check': ['example.com', '/api/zone-transfer-check/example.com/'],
  'dns-caching-check': ['example.com', '/api/dns-caching-check/example.com/'],
  'dns-propagation-check': ['example.com', '/api/dns-propagation-check/example.com/'],
  'dns-speed-test': ['example.com', '/api/dns-speed-test/example.com/'],
  'doh-support': ['8.8.8.8', '/api/doh-support/8.8.8.8/'],
  'dns-benchmark-test': ['example.com', '/api/dns-benchmark-test/example.com/'],
  'edns-support-check': ['8.8.8.8', '/api/edns-support-check/8.8.8.8/'],
  'subdomain-finder': ['example.com', '/api/subdomains/example.com/'],
  'check-typosquatting': ['example.com', '/api/check-typosquatting/example.com/refresh/'],
  dnsbl: ['192.0.2.1', '/api/dnsbl/192.0.2.1/'],
  dmarc: ['example.com', '/api/dmarc/example.com/'],
  'access-control-validator': ['example.com', '/api/access-control-validator/example.com/'],
  'url-monitor': ['https://example.com/a', '/api/url-monitor/https%3A%2F%2Fexample.com%2Fa/'],
  'http-headers': ['example.com', '/api/http-headers/example.com/'],
  'port-scan': ['8.8.8.8', '/api/port-scan/8.8.8.8/'],
  traceroute: ['example.com', '/api/traceroute/example.com/'],
  sslscan: ['example.com', '/api/sslscan/example.com/'],
  'dot-support': ['8.8.8.8', '/api/dot-support/8.8.8.8/'],
  'ip-lookup': ['8.8.8.8', '/api/ip-lookup/8.8.8.8/'],
  'reverse-ip': ['8.8.8.8', '/api/reverse-ip/8.8.8.8/'],
  spf: ['example.com', '/api/spf/example.com/'],
  dkim: ['example.com', '/api/dkim/example.com/'],
  'domain-blacklist-check': ['example.com', '/api/domain_blacklist_check/example.com/'],
}

test('[GEN-022] each lookup asks what the table says for its id, by the addresses in its definition alone', () => {
  const tools = [...toolsOf('dns-tools'), ...toolsOf('network-tools')]
  assert.deepEqual(tools.map(({ id }) => id).sort(), Object.keys(requests).sort())
  for (const { id, lookups = [], actions } of tools) {
    const fields = formFields(actions[0]?.fields ?? {})
    const model = { id, runs: 'server', lookups } as unknown as ToolModel
    const own = { ...action, fields } as unknown as ActionModel
    const [value = '', path] = requests[id] ?? []
    const raw = rawOf(model, own, { ...initialValues(model, own), [fields[0]?.name ?? '']: value })
    assert.deepEqual(callOf(model, own, raw), { method: 'GET', tool: id, path }, id)
  }
})

test('[GEN-023] what is asked for comes back as a result, or as an error with a title and a message', async t => {
  const call = callOf(tool, action, { domain: 'a.test' })
  const { mock } = t.mock.method(globalThis, 'fetch', async () => Response.json({}))
  const answers = (reply: () => Response) => mock.mockImplementation(async () => reply())
  const failure = async () => {
    const error = await send(call, new AbortController().signal, () => {}).then(
      () => assert.fail('it came back as a result'),
      (error: unknown) => error,
    )
    const { title, message } = explainFailure(error, words, 'a.test')
    return [title, message]
  }
  answers(() => Response.json({ a: 1 }))
  assert.deepEqual(await send(call, new AbortController().signal, () => {}), { result: { a: 1 } })
  answers(() => Response.json({ error: 'Invalid domain' }, { status: 400 }))
  assert.deepEqual(await failure(), ['Invalid Domain', 'Please enter a valid domain name.'])
  answers(() => new Response('zzz', { status: 418 }))
  assert.deepEqual(await failure(), ['Error', 'zzz'])
  answers(() => {
    throw new TypeError('Failed to fetch')
  })
  assert.deepEqual(await failure(), ['Network Error', 'Check your internet connection and try again.'])
})

test('[CRY-031] a file is sent as a form with the fields before it, everything else as JSON', async t => {
  const sent = t.mock.method(globalThis, 'fetch', async (_path: string, _init: RequestInit) => Response.json({}))
  const post = (body: Raw) =>
    send(
      { method: 'POST', tool: 'file-checksum', path: '/api/file-checksum/', body },
      new AbortController().signal,
      () => {},
    )
  const file = new File(['abc'], 'abc.txt')
  await post({ file, algorithm: 'MD5' })
  await post({ algorithm: 'MD5' })
  const [form, plain] = sent.mock.calls.map(({ arguments: [, init] }) => init)
  assert.ok(form?.body instanceof FormData)
  assert.deepEqual([...form.body.keys()], ['algorithm', 'file'])
  assert.equal(await (form.body.get('file') as File).text(), 'abc')
  assert.equal(new Headers(form.headers).get('content-type'), null)
  assert.deepEqual(
    [plain?.body, new Headers(plain?.headers).get('content-type')],
    ['{"algorithm":"MD5"}', 'application/json'],
  )
})
