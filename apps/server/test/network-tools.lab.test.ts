import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { catalogue } from '@assay/catalogue/catalogue'
import { address, listeners } from '@assay/lab/inventory'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** The network tools as shipped, guard on and no test network allowed, against the lab's real servers. */
const exec = promisify(execFile)
const TYPES = [
  ['[API-009]', 'mx'],
  ['[API-010]', 'ns'],
  ['[API-011]', 'txt'],
  ['[API-012]', 'cname'],
  ['[API-013]', 'aaaa'],
  ['[API-014]', 'ptr'],
  ['[API-015]', 'soa'],
  ['[API-016]', 'srv'],
  ['[API-017]', 'naptr'],
  ['[API-018]', 'caa'],
  ['[API-019]', 'ds'],
  ['[API-020]', 'dnskey'],
] as const

let app: App
before(async () => {
  const limits = { ASSAY_LOOKUPS_PER_MINUTE: '10000', ASSAY_SCANS_PER_MINUTE: '1000', ASSAY_TARGET_PER_MINUTE: '10000' }
  const settings = readSettings({ ...unhurried, ...limits })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of many tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}/` })
  return { status: statusCode, body: JSON.parse(body) }
}

/** What dig prints for a name and type, asked of one resolver of the lab, as sorted lines of data. */
async function dig(name: string, type: string): Promise<string[]> {
  const { stdout } = await exec('dig', ['@8.8.8.8', '+short', '+time=5', name, type])
  return stdout
    .split('\n')
    .filter(line => line && !line.startsWith(';;'))
    .sort()
}

for (const [id, type] of TYPES) {
  test(`${id} [REC-030] [API-007] ${type.toUpperCase()} records of types.test equal dig's`, async () => {
    // CAA climbs to the parent, which dig does not.
    const names = ['types.test', 'good.test', 'www.good.test', '_sip._tcp.types.test', 'ptr.types.test'].filter(
      name => type !== 'caa' || name === 'good.test' || name === 'types.test',
    )
    let found = 0
    for (const name of names) {
      const expected = (await dig(name, type)).filter(
        line => type === 'cname' || !line.endsWith('.') || !/^[\w.-]+\.$/.test(line) || ['ns', 'ptr'].includes(type),
      )
      const { status, body } = await get(`dns-records/${name}/${type}`)
      if (status === 404) {
        assert.deepEqual(expected, [], `${name} ${type}`)
        continue
      }
      assert.equal(status, 200, JSON.stringify(body))
      const values = body.records.map(({ value }: { value: string }) => value).sort()
      assert.deepEqual(values.map(squeeze), expected.map(squeeze), `${name} ${type}`)
      assert.ok(
        body.records.every(
          (record: { record_type: string; ttl: number }) =>
            record.record_type === type.toUpperCase() && record.ttl >= 0,
        ),
      )
      found += values.length
    }
    assert.ok(found > 0 || type === 'cname' || type === 'ptr', `no ${type} record was compared`)
  })
}

/** dig breaks long hexadecimal and Base64 into words. */
const squeeze = (value: string) =>
  /^\d+ \d+ \d+ /.test(value)
    ? value.replace(/(\S+ \S+ \S+ )(.*)/, (_, head, rest) => head + rest.replaceAll(' ', ''))
    : value

test('[API-008] [LKP-007] dns-lookup gives all common types of a name at once', async () => {
  const { status, body } = await get('dns-records/good.test')
  assert.equal(status, 200)
  assert.equal(body.domain, 'good.test')
  assert.equal(body.error, null)
  const types = new Set(body.records.map(({ record_type }: { record_type: string }) => record_type))
  for (const type of ['SOA', 'NS', 'DNSKEY', 'DS']) assert.ok(types.has(type), type)
})

test('RFC 8659 §3: CAA of a name without its own is that of the nearest ancestor', async () => {
  const { body } = await get('dns-records/www.good.test/caa')
  assert.ok(body.records.length > 0)
  assert.ok(body.records.every(({ name }: { name: string }) => name === 'good.test.'))
})

test('[OPEN-050] a name that does not exist is 404, one without records of the type is 200 and empty', async () => {
  assert.deepEqual((await get('dns-records/no-such-name.good.test/mx')).status, 404)
  assert.equal((await get('dns-records/no-such-name.good.test/mx')).body.error, 'No DNS records found')
  const { status, body } = await get('dns-records/www.good.test/naptr')
  assert.equal(status, 200)
  assert.deepEqual(body.records, [])
  assert.equal(body.error, null)
})

for (const [name, words] of [
  ['silent.test', /timeout|503/i],
  ['dead.test', /timeout|503/i],
  ['lame.test', /503/],
  ['garbage.test', /503|timeout/i],
  ['wrongid.test', /503/],
] as const) {
  test(`[OPEN-021] ${name}: servers that give nothing usable are no empty answer`, async () => {
    const { status, body } = await get(`dns-records/${name}/mx`)
    assert.ok(status === 503 || status === 504, `${status} ${JSON.stringify(body)}`)
    assert.match(body.error, words)
  })
}

for (const name of ['edns-drop.test', 'edns-formerr.test', 'truncated.test', 'late.test', 'halflame.test']) {
  test(`${name}: a faulty server beside a way around still gives the records`, async () => {
    const { status, body } = await get(`dns-records/${name}/soa`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.records[0]?.record_type, 'SOA')
  })
}

test('aliases: followed and told, in a circle and to nowhere as findings', async () => {
  const loop = await get('dns-records/loop1.chain.com/aaaa')
  const outcomes = JSON.stringify(loop.body)
  assert.ok(loop.status === 200 ? /circle|back/.test(outcomes) : loop.status === 404 || loop.status === 503, outcomes)
})

const WORD = ['abc', '8.8.8.8', 'x y', 'a.c0']
const NAME = ['example.com', 'abc', '999.1.1.1', '8.8.8']
for (const [id, path, error, values] of [
  ['[VAL-015]', 'dns-records', 'Invalid domain', ['abc', 'x y', 'a.c0']],
  ['[VAL-017]', 'dns-speed-test', 'Invalid domain', WORD],
  ['[VAL-018]', 'zone-transfer-check', 'Invalid domain', WORD],
  ['[VAL-019]', 'subdomains', 'Invalid domain', WORD],
  ['[VAL-021]', 'access-control-validator', 'Invalid domain', WORD],
  ['[VAL-022]', 'http-headers', 'Invalid domain', WORD],
  ['[VAL-023]', 'dns-propagation-check', 'Invalid domain', WORD],
  ['[VAL-024]', 'dns-benchmark-test', 'Invalid domain', WORD],
  ['[VAL-025]', 'check-typosquatting', 'Invalid domain', WORD],
  ['[VAL-031]', 'reverse-dns', 'Invalid IP', NAME],
  ['[VAL-032]', 'dot-support', 'Invalid IP', NAME],
  ['[VAL-036]', 'edns-support-check', 'Invalid IP', NAME],
] as const) {
  test(`${id} ${path} refuses what is no ${error === 'Invalid IP' ? 'address' : 'domain'}`, async () => {
    for (const value of values) {
      const { status, body } = await get(`${path}/${encodeURIComponent(value)}`)
      assert.deepEqual([status, body.error], [400, error], value)
    }
  })
}

test('[VAL-030] [OPEN-035] record types take a domain, names with an underscore, and for PTR an address', async () => {
  for (const [, type] of TYPES) {
    const { status, body } = await get(`dns-records/abc/${type}`)
    assert.deepEqual([status, body.error], [400, 'Invalid domain'], type)
  }
  const underscore = await get('dns-records/_sip._tcp.types.test/srv')
  assert.equal(underscore.status, 200)
  const { v4 } = address('www.good.test')
  const [pointer] = (await get(`dns-records/${v4}/ptr`)).body.records
  const { stdout } = await exec('dig', ['@8.8.8.8', '+short', '-x', v4])
  assert.deepEqual([pointer.record_type, pointer.value], ['PTR', stdout.trim().split('\n')[0]])
})

test('[API-021] [RDN-001] reverse-dns: one name, several, none, through RFC 2317 and over IPv6', async () => {
  const { v4, v6 } = address('www.good.test')
  const one = await get(`reverse-dns/${v4}`)
  assert.equal(one.status, 200)
  const { stdout } = await exec('dig', ['@8.8.8.8', '+short', '-x', v4])
  assert.equal(`${one.body.reverse_dns}.`, stdout.trim().split('\n')[0])
  assert.equal(one.body.hostnames[0].forward_confirmed, true)
  const six = await get(`reverse-dns/${encodeURIComponent(v6)}`)
  assert.equal(six.body.hostnames[0]?.forward_confirmed, true, JSON.stringify(six.body))
  const none = await get('reverse-dns/8.8.4.99')
  assert.equal(none.status, 200)
  assert.equal(none.body.reverse_dns, '8.8.4.99')
})

test('[API-035] [HDR-001] http-headers: a hardened site passes where a weak one fails', async () => {
  const hard = await get('http-headers/www.good.test')
  assert.equal(hard.status, 200, JSON.stringify(hard.body))
  const weak = await get('http-headers/weak.good.test')
  assert.equal(weak.status, 200, JSON.stringify(weak.body))
  const failed = (checks: { verdict: string }[]) => checks.filter(({ verdict }) => verdict === 'fail').length
  assert.equal(failed(hard.body.checks), 0, JSON.stringify(hard.body.checks))
  assert.ok(failed(weak.body.checks) >= 3)
  const { stdout } = await exec('curl', [
    '-sS',
    '--http1.1',
    '-H',
    'Connection: close',
    '-D',
    '-',
    '-o',
    '/dev/null',
    'https://www.good.test/',
  ])
  const names = stdout
    .split('\r\n')
    .slice(1)
    .map(line => line.split(':')[0]?.toLowerCase())
    .filter(Boolean)
  assert.deepEqual(hard.body.headers.map(([name]: [string]) => name.toLowerCase()).sort(), names.sort())
})

test('http-headers: a certificate that does not hold is a finding', async () => {
  for (const name of ['expired.tls.test', 'selfsigned.tls.test', 'wronghost.tls.test', 'nochain.tls.test']) {
    const { status, body } = await get(`http-headers/${name}`)
    assert.equal(status, 200, `${name} ${JSON.stringify(body)}`)
    assert.match(body.tls.problem, /\w{4,}/, name)
  }
  assert.equal((await get('http-headers/good.tls.test')).body.tls.problem, undefined)
})

test('[API-036] [PRT-005] port-scan finds exactly the listeners that nmap finds', async () => {
  const target = 'twelve.ports.test'
  const { status, body } = await get(`port-scan/${target}`)
  assert.equal(status, 200, JSON.stringify(body))
  const rows = Object.values<{ port: number; status: string }[]>(body.results).flat()
  const open = rows
    .filter(row => row.status === 'open')
    .map(({ port }) => port)
    .sort((a, b) => a - b)
  const listed = rows.map(({ port }) => port).sort((a, b) => a - b)
  const { stdout } = await exec('nmap', ['-sT', '-Pn', '-n', '-oG', '-', '-p', listed.join(','), body.address])
  const nmap = [...stdout.matchAll(/(\d+)\/open\//g)].map(([, port]) => Number(port)).sort((a, b) => a - b)
  assert.deepEqual(open, nmap)
  assert.equal(rows.length, 111)
  assert.equal(open.length, listeners[target]?.filter(port => listed.includes(port)).length)
})

test('[OPEN-008] names that lead to private addresses are refused by every tool that connects', async () => {
  for (const name of ['loopback.rebind.test', 'mixed.rebind.test']) {
    for (const tool of ['http-headers', 'port-scan']) {
      const { status, body } = await get(`${tool}/${name}`)
      assert.equal(status, 400, `${tool} ${name} ${JSON.stringify(body)}`)
      assert.equal(body.error, 'Validation error: target address is not allowed')
    }
  }
})

/** What the lab has an answer for, by the name of the field. */
const input: Readonly<Record<string, string>> = {
  domain: 'www.good.test',
  // It answers questions over UDP, TLS and HTTPS, and has a name.
  ip: address('dns.google').v4,
  target: 'twelve.ports.test',
  domain_or_ip: address('dns.google').v4,
  url: 'https://www.good.test/',
}

for (const tool of catalogue.filter(({ runs }) => runs === 'server')) {
  for (const action of tool.actions) {
    test(`${tool.id}: the command under "In a terminal" runs`, async () => {
      const payload = Object.fromEntries(Object.entries(input).filter(([name]) => name in action.fields))
      const { statusCode, body } = await app.server.inject({ method: 'POST', url: `/api/${action.path}/`, payload })
      assert.equal(statusCode, 200, body)
      const terminal = action.terminal?.({ ...defaultsOf(action.fields), ...payload }, JSON.parse(body))
      assert.ok(terminal, 'there is a command')
      const { stdout } = await exec('sh', ['-c', terminal.command], { timeout: 60_000 })
      if (terminal.prints) assert.ok(stdout.includes(terminal.prints), `${terminal.command}\n${stdout}`)
    })
  }
}

const defaultsOf = (fields: Record<string, { default?: unknown }>) =>
  Object.fromEntries(Object.entries(fields).map(([name, data]) => [name, data.default]))
