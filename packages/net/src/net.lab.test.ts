import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type PortAnswer, Problem, type ProblemCode, type ServerContext } from '@assay/kit'
import { createNet, type JobOptions } from './context.ts'

if (process.env.LAB !== '1') throw new Error('these tests run inside the lab: npm run lab -- run COMMAND')

/** As shipped: no test networks, the usual ports, the real root servers' addresses. */
const net = createNet({ userAgent: 'Assay-test/1.0' })

function context(t: TestContext, options: Partial<JobOptions> = {}): ServerContext {
  const job = net.createJob({ kind: 'lookup', ...options })
  t.after(() => job.dispose())
  return job.context
}

const problem =
  (code: ProblemCode, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, `${error.message}. ${error.detail}`)
    assert.match(`${error.message}. ${error.detail ?? ''}`, words)
    return true
  }
const refused = problem('refused', /^Validation error: target address is not allowed\./)

test('[OPEN-008] names that lead into private space are refused by every tool that connects', async t => {
  for (const name of [
    ...[
      'loopback',
      'loopback-other',
      'loopback6',
      'unspecified',
      'unspecified6',
      'private10',
      'private172',
      'private192',
    ],
    ...[
      'shared',
      'linklocal',
      'metadata',
      'linklocal6',
      'uniquelocal6',
      'mapped6',
      'compatible6',
      'nat64',
      'sixtofour',
    ],
    ...['teredo', 'documentation', 'documentation6', 'benchmark', 'multicast', 'broadcast', 'reserved', 'wireserver'],
    ...['mixed', 'mixed6', 'cname'],
  ]) {
    const { http, tcp } = context(t)
    await assert.rejects(http.get(`http://${name}.rebind.test/`), refused, name)
    await assert.rejects(tcp.pin(`${name}.rebind.test`), refused, name)
  }
  await assert.rejects(context(t).http.get('http://localhost-cname.rebind.test/'), Problem)
})

test('a zone whose name servers are private is not asked', async t => {
  for (const name of ['ns-private', 'ns-loopback']) {
    await assert.rejects(context(t).http.get(`http://www.${name}.rebind.test/`), Problem, name)
  }
})

test('security E3: a name whose every other answer is private is either refused or stays where it was', async t => {
  for (let i = 0; i < 40; i++) {
    const { http } = context(t)
    const name = `n${i}-${Date.now()}.flip.rebind.test`
    const pages = await Promise.allSettled([1, 2, 3].map(() => http.get(`http://${name}/`)))
    for (const page of pages) {
      if (page.status === 'fulfilled') assert.match(page.value.address, /^(?!127\.|10\.|192\.168\.)/)
      else assert.ok(page.reason instanceof Problem, String(page.reason))
    }
    assert.equal(new Set(pages.map(({ status }) => status)).size, 1)
  }
})

test('a page over HTTP and HTTPS, IPv4 and IPv6', async t => {
  const { http } = context(t)
  for (const url of ['http://www.good.test/', 'https://www.good.test/', 'https://good.tls.test/']) {
    const page = await http.get(url)
    assert.deepEqual([page.status, page.truncated, page.tls?.problem], [200, false, undefined])
  }
  assert.match((await http.get('http://v4only.good.test/')).address, /^[\d.]+$/)
  assert.match((await http.get('http://v6only.good.test/')).address, /:/)
  const odd = await http.get('https://odd.good.test/')
  assert.equal(odd.headers.filter(([name]) => name === 'Content-Security-Policy').length, 2)
  assert.ok(odd.headers.some(([name]) => name === '__proto__'))
})

test('redirects: followed when plain, refused when not', async t => {
  const at = (path: string) => `http://redirect.good.test/${path}`
  for (const [path, hops] of [
    ['hops/1', 1],
    ['hops/5', 5],
    ['to-https', 1],
    ['to-other-host', 1],
  ] as const) {
    assert.equal((await context(t).http.get(at(path))).hops.length, hops, path)
  }
  for (const path of ['hops/6', 'hops/20', 'loop', 'ping']) {
    await assert.rejects(context(t).http.get(at(path)), problem('limited'), path)
  }
  for (const path of ['to-loopback6', 'to-mapped', 'to-private', 'to-metadata', 'to-private-name']) {
    await assert.rejects(context(t).http.get(at(path)), refused, path)
  }
  for (const path of [
    'to-loopback',
    'to-decimal',
    'to-other-scheme',
    'to-file',
    'to-script',
    'to-port',
    'to-userinfo',
  ]) {
    await assert.rejects(context(t).http.get(at(path)), problem('refused'), path)
  }
  await assert.rejects(context(t).http.get(at('to-expired')), problem('unreachable', /has expired/))
  assert.equal((await context(t).http.get(at('to-nothing'))).status, 302)
})

test('TLS: what is wrong is told apart', async t => {
  for (const [name, words] of [
    ['expired', /has expired/],
    ['selfsigned', /self-signed/],
    ['wronghost', /another name/],
    ['nochain', /missing from the chain/],
    ['tls10', /handshake failed/],
  ] as const) {
    const { http } = context(t)
    await assert.rejects(http.get(`https://${name}.tls.test/`), problem('unreachable', words), name)
    const page = await http.get(`https://${name}.tls.test/`, { acceptBadCertificate: true })
    assert.equal(page.status, 200)
    assert.match(page.tls?.protocol ?? '', name === 'tls10' ? /^TLSv1$/ : /^TLSv1\.[23]$/)
    if (name !== 'tls10') assert.match(page.tls?.problem ?? '', words)
  }
})

test('hostile servers: each ends in a page or a problem, none in a crash or a flood', async t => {
  for (const path of ['gzip', 'deflate', 'brotli', 'gzip-twice', 'endless', 'large']) {
    const page = await context(t).http.get(`http://bomb.good.test/${path}`, { bodyBytes: 300_000 })
    assert.deepEqual([page.body.length, page.truncated], [300_000, true], path)
  }
  for (const path of [
    ...['http09', 'bad-status', 'space-in-name', 'two-lengths', 'length-and-chunked', 'huge-header', 'many-headers'],
    ...['informational', 'banner', 'nul', 'bare-lf'],
  ]) {
    await assert.rejects(context(t).http.get(`http://raw.good.test/${path}`), problem('unreachable'), path)
  }
  for (const path of ['', 'http10', 'status-999', 'no-reason']) {
    assert.ok((await context(t).http.get(`http://raw.good.test/${path}`)).status >= 200, path)
  }
  for (const path of ['bad-chunk', 'bad-gzip']) {
    assert.ok((await context(t).http.get(`http://raw.good.test/${path}`)).truncated, path)
  }
  const { http } = context(t)
  await assert.rejects(http.get('http://status.good.test/reset'), problem('unreachable', /cut the connection/))
  await assert.rejects(http.get('http://status.good.test/empty'), problem('unreachable', /cut the connection/))
  await assert.rejects(http.get('http://status.good.test/hang', { timeoutMs: 300 }), problem('timeout'))
  assert.ok((await http.get('http://status.good.test/drip', { timeoutMs: 900 })).truncated)
  const cut = await http.get('http://status.good.test/cut')
  assert.deepEqual([Buffer.from(cut.body).toString(), cut.truncated], ['only the beginning', true])
  assert.equal((await http.get('https://status.good.test/404')).status, 404)
})

async function scan(t: TestContext, name: string, ports: readonly number[]): Promise<PortAnswer[]> {
  const { tcp } = context(t, { kind: 'scan' })
  const { address } = await tcp.pin(name)
  const answers: PortAnswer[] = []
  for await (const answer of tcp.scan(address, ports)) answers.push(answer)
  return answers.sort((a, b) => a.port - b.port)
}

test('port scans: open, closed, silent and forbidden', async t => {
  const { listedPorts } = await import('@assay/lib/ip/ports')
  const twelve = await scan(t, 'twelve.ports.test', listedPorts)
  assert.deepEqual(
    twelve.filter(({ state }) => state === 'open').map(({ port }) => port),
    [21, 22, 25, 80, 110, 143, 443, 587, 993, 3306, 5432, 8080],
  )
  assert.ok(twelve.every(({ state }) => state !== 'filtered'))
  const filtered = await scan(t, 'filtered.ports.test', [21, 22, 25, 80, 443, 3306, 5432, 8080])
  assert.deepEqual(
    filtered.map(({ port, state }) => [port, state]),
    [
      [21, 'closed'],
      [22, 'open'],
      [25, 'filtered'],
      [80, 'open'],
      [443, 'open'],
      [3306, 'filtered'],
      [5432, 'filtered'],
      [8080, 'filtered'],
    ],
  )
  const silent = await scan(t, 'silent.ports.test', [22, 80, 443])
  assert.deepEqual(new Set(silent.map(({ reason }) => reason)), new Set(['no answer in 1200 ms']))
})
