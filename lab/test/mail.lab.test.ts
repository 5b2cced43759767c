import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from '../src/inventory.ts'
import { dig } from './programs.ts'

const resolver = '8.8.8.8'
const weak = address('weak.good.test').v4.split('.').reverse().join('.')

for (const [zone, status, listed, clean] of [
  ['zen.spamhaus.org', 'NOERROR', ['A 127.0.0.2', 'A 127.0.0.4'], 'NXDOMAIN'],
  ['psbl.surriel.com', 'NOERROR', ['A 127.0.0.2'], 'NXDOMAIN'],
  ['bl.blocklist.de', 'NOERROR', ['A 127.0.0.2'], 'NXDOMAIN'],
  ['bl.spamcop.net', 'NXDOMAIN', [], 'NXDOMAIN'],
  ['b.barracudacentral.org', 'NOERROR', ['A 127.255.255.254'], 'NOERROR'],
  ['dnsbl.dronebl.org', 'NOERROR', ['A 127.0.0.2'], 'NOERROR'],
  ['bl.mailspike.net', 'NOERROR', [`A ${address('weak.good.test').v4}`], 'NOERROR'],
] as const) {
  test(`${zone}: the test entries of RFC 5782 §5, and weak.good.test`, async () => {
    const control = await dig(resolver, `2.0.0.127.${zone}`, 'A')
    assert.equal(control.status, status)
    assert.deepEqual([...control.records].sort(), [...listed])
    assert.equal((await dig(resolver, `1.0.0.127.${zone}`, 'A')).status, clean)
    assert.equal((await dig(resolver, `${weak}.${zone}`, 'A')).records.length > 0, listed.length > 0)
  })
}

test('lists of domains: a code, bits, a refusal, and one without test entries', async () => {
  assert.deepEqual((await dig(resolver, 'bad.test.dbl.spamhaus.org', 'A')).records, ['A 127.0.1.4'])
  assert.deepEqual((await dig(resolver, 'shop.bad.test.multi.surbl.org', 'A')).records, ['A 127.0.0.24'])
  assert.deepEqual((await dig(resolver, 'anything.multi.uribl.com', 'A')).records, ['A 127.0.0.1'])
  assert.deepEqual((await dig(resolver, 'bad.test.uribl.spameatingmonkey.net', 'A')).records, ['A 127.0.0.2'])
})

test('two DMARC records at one name, a name of ten labels, and who takes reports', async () => {
  assert.equal((await dig(resolver, '_dmarc.two.dmarc.test', 'TXT')).records.length, 2)
  assert.equal((await dig(resolver, 'a.b.c.d.e.f.g.h.dmarc.test', 'A')).records.length, 1)
  assert.equal((await dig(resolver, 'dmarc.test._report._dmarc.reports.test', 'TXT')).records.length, 1)
  assert.equal((await dig(resolver, 'dmarc.test._report._dmarc.refusing.test', 'TXT')).status, 'NXDOMAIN')
  assert.deepEqual((await dig(resolver, 'refusing.test', 'MX')).records, ['MX 0 .'])
})

test('SPF: eleven mail servers, a record of several strings; DKIM: a key in two strings, two at one selector', async () => {
  assert.equal((await dig(resolver, 'mx11.spf.test', 'MX')).records.length, 11)
  assert.match((await dig(resolver, 'long.spf.test', 'TXT')).records[0] ?? '', /" "/)
  assert.match((await dig(resolver, 'split._domainkey.keys.test', 'TXT')).records[0] ?? '', /" "/)
  assert.equal((await dig(resolver, 'several._domainkey.keys.test', 'TXT')).records.length, 2)
})
