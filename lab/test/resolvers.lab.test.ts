import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, addressesOf, host, hostsOn } from '../src/inventory.ts'
import { dig, run } from './programs.ts'

const www = address('www.good.test').v4
/** The resolver that is down. */
const down = 'dns1.safedns.com'
/** No encrypted transport. */
const plainOnly = [
  'recursive.verisign.net',
  'rdns.ultradns.net',
  'securedns.comodo.com',
  'public1.114dns.com',
  'dns1.safedns.com',
]

/** No plain one. */
const encryptedOnly = 'dns.mullvad.net'

const working = hostsOn('resolvers').filter(({ name }) => name !== down)

test('every public resolver but two answers at each of its addresses', async () => {
  assert.equal(working.length, 29)
  for (const text of working.flatMap(({ name }) => (name === encryptedOnly ? [] : addressesOf([name])))) {
    assert.deepEqual((await dig(text, 'www.good.test', 'A')).records, [`A ${www}`], text)
  }
})

test('one does not answer', async () => {
  for (const text of addressesOf([down])) {
    assert.equal((await dig(text, 'good.test', 'A', '+time=1')).status, 'no answer')
  }
})

test('one is two machines with different caches', async () => {
  const ttls = []
  for (let i = 0; i < 2; i++) ttls.push(await ttlOf('recursive.verisign.net'))
  assert.deepEqual(ttls.toSorted(), ['100', '200'])
})

const ttlOf = async (resolver: string) =>
  /\s(\d+)\s+IN\s+A\s/.exec(
    (await run('dig', `@${address(resolver).v4}`, '+noall', '+answer', 'www.good.test')).output,
  )?.[1]

test('RFC 8914 §4.23: one cannot reach weak.good.test and says so', async () => {
  const { output } = await run('dig', `@${address('rdns.ultradns.net').v4}`, 'weak.good.test')
  assert.match(output, /status: SERVFAIL/)
  assert.match(output, /EDE: 22 \(No Reachable Authority\)/)
})

test('one refuses plain DNS', async () => {
  const { output, complaints } = await run('dig', `@${address(encryptedOnly).v4}`, 'good.test', '+time=1', '+tries=1')
  assert.match(output + complaints, /connection refused/)
})

test('RFC 7858: DNS over TLS with a certificate for the name', async () => {
  for (const { name, v4 } of working) {
    if (plainOnly.includes(name)) continue
    const strict = [`+tls-ca=${process.env.LAB_CA}`, `+tls-hostname=${name}`, '+time=4', '+retry=0', '+short']
    const { output } = await run('kdig', `@${v4[0]}`, '+tls', ...strict, 'www.good.test', 'A')
    assert.equal(output.trim(), www, name)
  }
})

test('RFC 8484: DNS over HTTPS at the address of the operator', async () => {
  const endpoints: readonly (readonly [string, string, string])[] = [
    ['dns.google', 'dns.google', '/dns-query'],
    ['one.one.one.one', 'cloudflare-dns.com', '/dns-query'],
    ['dns.quad9.net', 'dns.quad9.net', '/dns-query'],
    ['dns.opendns.com', 'doh.opendns.com', '/dns-query'],
    ['security-filter-dns.cleanbrowsing.org', 'doh.cleanbrowsing.org', '/doh/security-filter/'],
    ['dns.adguard-dns.com', 'dns.adguard-dns.com', '/dns-query'],
    ['p0.freedns.controld.com', 'freedns.controld.com', '/p0'],
    ['dot.sb', 'doh.dns.sb', '/dns-query'],
    ['dns.mullvad.net', 'dns.mullvad.net', '/dns-query'],
    ['dns.nextdns.io', 'dns.nextdns.io', '/dns-query'],
    ['odvr.nic.cz', 'odvr.nic.cz', '/doh'],
  ]
  for (const [name, server, path] of endpoints) {
    const strict = [`+tls-ca=${process.env.LAB_CA}`, `+tls-hostname=${server}`, '+time=4', '+retry=0', '+short']
    const { output } = await run('kdig', `@${host(name).v4[0]}`, `+https=${server}${path}`, ...strict, 'www.good.test')
    assert.equal(output.trim(), www, name)
  }
})

test('JSON over HTTPS, as Google and Cloudflare have it', async () => {
  for (const url of [
    'https://dns.google/resolve?name=www.good.test&type=A',
    'https://cloudflare-dns.com/dns-query?name=www.good.test&type=A',
  ]) {
    const { output } = await run('curl', '--silent', '--header', 'accept: application/dns-json', url)
    const { Status, AD, Answer } = JSON.parse(output)
    assert.deepEqual(
      { Status, AD, Answer },
      {
        Status: 0,
        AD: true,
        Answer: [{ name: 'www.good.test.', type: 1, TTL: Answer[0].TTL, data: www }],
      },
    )
  }
})

test('some filter: one by denying the name, one by a page of its own', async () => {
  assert.deepEqual((await dig('8.8.8.8', 'blocked.good.test', 'A')).records, [`A ${www}`])
  assert.equal((await dig('1.1.1.2', 'blocked.good.test', 'A')).status, 'NXDOMAIN')
  assert.deepEqual((await dig('208.67.222.222', 'blocked.good.test', 'A')).records, ['A 146.112.61.104'])
})

test('some are stale and do not validate', async () => {
  const stale = address('odd.good.test').v4
  assert.deepEqual((await dig('223.5.5.5', 'www.drift.test', 'A')).records, [`A ${stale}`])
  assert.equal((await dig('223.5.5.5', 'www.bogus.test', 'A')).status, 'NOERROR')
})
