import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { address, host, hosts } from '../src/inventory.ts'
import { dig, run } from './programs.ts'

const resolver = '8.8.8.8'
const ns1 = address('ns1.hosting.net').v4
const ns2 = address('ns2.hosting.net').v4
const only = (name: string) => host(name).v4[0] ?? ''

test('thirteen root servers answer under their real addresses', async () => {
  const roots = Object.values(hosts).filter(({ name }) => name.endsWith('.root-servers.net'))
  assert.equal(roots.length, 13)
  for (const { v4, v6 } of roots) {
    for (const text of [...v4, ...v6]) {
      const { records, flags } = await dig(text, '.', 'NS')
      assert.equal(records.length, 13, text)
      assert.ok(flags.includes('aa'), text)
    }
  }
})

test('the root refers, it does not answer for its children', async () => {
  const { records, flags, text } = await dig(address('a.root-servers.net').v4, 'www.good.test', 'A', '+norecurse')
  assert.deepEqual(records, [])
  assert.ok(!flags.includes('aa'))
  assert.match(text, /AUTHORITY SECTION:\ntest\.\s.*NS\s+a\.nic\.test\./)
})

const v4 = address('www.good.test').v4
const v6 = address('www.good.test').v6

const twelveTypes: readonly (readonly [string, string, readonly string[]])[] = [
  ['A', 'good.test', [`A ${v4}`]],
  ['AAAA', 'good.test', [`AAAA ${v6}`]],
  ['MX', 'good.test', ['MX 10 mail.good.test.', 'MX 20 backup.mail.good.test.']],
  ['NS', 'good.test', ['NS ns1.hosting.net.', 'NS ns2.hosting.net.']],
  ['TXT', 'good.test', ['TXT "two strings " "of one record"', 'TXT "v=spf1 ip4:26.3.0.0/24 ip6:2a0f:1ab:3::/64 -all"']],
  ['CNAME', 'alias.good.test', ['CNAME www.good.test.']],
  ['SOA', 'good.test', ['SOA ns1.hosting.net. hostmaster.hosting.net. 2026112101 14400 3600 1209600 300']],
  ['SRV', '_sip._tcp.good.test', ['SRV 10 10 5060 weak.good.test.', 'SRV 5 10 5060 www.good.test.']],
  ['NAPTR', 'good.test', ['NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@good.test!" .']],
  ['CAA', 'good.test', ['CAA 0 issue "ca.test"', 'CAA 0 issuewild ";"', 'CAA 128 iodef "mailto:security@good.test"']],
  ['HTTPS', 'good.test', [`HTTPS 1 . alpn="h2" ipv4hint=${v4} ipv6hint=${v6}`]],
  ['TLSA', '_443._tcp.www.good.test', ['TLSA 3 1 1 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF']],
  ['MX', 'nullmx.good.test', ['MX 0 .']],
  ['SRV', '_xmpp-client._tcp.good.test', ['SRV 0 0 0 .']],
]

for (const [type, name, expected] of twelveTypes) {
  test(`${name} ${type}`, async () => {
    const { records } = await dig(resolver, name, type)
    assert.deepEqual(
      records.map(text => text.replace(/([0-9A-F]{56}) ([0-9A-F]{8})$/, '$1$2')).sort(),
      [...expected].sort(),
    )
  })
}

test('DS is at the parent, DNSKEY at the zone', async () => {
  const ds = await dig(address('a.nic.test').v4, 'good.test', 'DS', '+norecurse')
  assert.match(ds.records.join(), /^DS \d+ 13 2 /)
  const keys = await dig(ns1, 'good.test', 'DNSKEY', '+norecurse')
  assert.equal(keys.records.filter(text => text.startsWith('DNSKEY 257 3 13 ')).length, 1)
  assert.equal(keys.records.filter(text => text.startsWith('DNSKEY 256 3 13 ')).length, 1)
})

test('an answer too large for UDP comes over TCP', async () => {
  const truncated = await dig(ns1, 'big.good.test', 'TXT', '+ignore')
  assert.ok(truncated.flags.includes('tc'))
  const { records } = await dig(ns1, 'big.good.test', 'TXT')
  assert.equal(records.length, 24)
})

test('RFC 2308: no such name, no such type, and the empty name between', async () => {
  assert.equal((await dig(resolver, 'missing.good.test', 'A')).status, 'NXDOMAIN')
  const noData = await dig(resolver, 'only-txt.good.test', 'A')
  assert.deepEqual([noData.status, noData.records], ['NOERROR', []])
  const empty = await dig(resolver, 'below.nothing.good.test', 'TXT')
  assert.equal(empty.status, 'NOERROR')
  assert.equal((await dig(resolver, 'no-such-zone.test', 'A')).status, 'NXDOMAIN')
})

describe('aliases', () => {
  test('through three zones to an address', async () => {
    const { records } = await dig(resolver, 'across.chain.com', 'A')
    assert.deepEqual(records, ['CNAME middle.chain.org.', 'CNAME www.unsigned.com.', `A ${v4}`])
  })
  test('eight links hold, twenty do not', async () => {
    assert.equal((await dig(resolver, 'eight1.chain.org', 'A')).records.length, 9)
    assert.equal((await dig(resolver, 'twenty1.chain.org', 'A')).status, 'SERVFAIL')
  })
  for (const [name, status] of [
    ['dangling.chain.com', 'NXDOMAIN'],
    ['dangling-zone.chain.com', 'NXDOMAIN'],
    ['nodata.chain.com', 'NOERROR'],
    ['loop1.chain.com', 'SERVFAIL'],
    ['self.chain.com', 'SERVFAIL'],
    ['a.loop.dname.test', 'SERVFAIL'],
  ] as const) {
    test(`${name}: ${status}`, async () => {
      assert.equal((await dig(resolver, name, 'A')).status, status)
    })
  }
  test('RFC 6672: DNAME gives the alias', async () => {
    const { records } = await dig(resolver, 'www.old.dname.test', 'A')
    assert.deepEqual(records, ['DNAME good.test.', 'CNAME www.good.test.', `A ${v4}`])
  })
})

describe('wildcards', () => {
  test('RFC 4592: any name below, but not one that exists', async () => {
    const weak = `A ${address('weak.good.test').v4}`
    assert.deepEqual((await dig(resolver, 'anything.wild.wildcard.test', 'A')).records, [weak])
    assert.deepEqual((await dig(resolver, 'exists.wild.wildcard.test', 'A')).records, [])
    assert.deepEqual((await dig(resolver, 'x.alias.wildcard.test', 'CNAME')).records, ['CNAME www.wildcard.test.'])
  })
  test('a rotating one never gives the same address twice in a row', async () => {
    const asked = ['a', 'b', 'c', 'd'].map(label => `${label}.rotate.wildcard.test`)
    const answers: string[] = []
    for (const name of asked) answers.push(...(await dig(only('rotate.bad.test'), name, 'A')).records)
    assert.equal(new Set(answers).size, 4)
  })
})

describe('zone transfers', () => {
  test('ns2 gives axfr.test away, ns1 does not', async () => {
    const open = await run('dig', `@${ns2}`, 'axfr.test', 'AXFR', '+noall', '+answer')
    assert.match(open.output, /^intranet\.axfr\.test\.\s.*10\.0\.0\.5$/m)
    assert.equal(open.output.match(/\sSOA\s/g)?.length, 2)
    const closed = await run('dig', `@${ns1}`, 'axfr.test', 'AXFR')
    assert.match(closed.output, /Transfer failed/)
  })
  test('nobody gives good.test away', async () => {
    for (const server of [ns1, ns2]) {
      assert.match((await run('dig', `@${server}`, 'good.test', 'AXFR')).output, /Transfer failed/)
    }
  })
})

describe('delegations', { concurrency: true }, () => {
  for (const [name, status] of [
    ['www.lame.test', 'SERVFAIL'],
    ['www.nozone.test', 'SERVFAIL'],
    ['www.halflame.test', 'NOERROR'],
    ['www.noaddress.test', 'SERVFAIL'],
    ['www.cycle1.test', 'SERVFAIL'],
    ['www.ns-loopback.rebind.test', 'SERVFAIL'],
  ] as const) {
    test(`${name}: ${status}`, async () => {
      assert.equal((await dig(resolver, name, 'A')).status, status)
    })
  }
  test('lame.bad.test refuses, ns1 refuses a zone it does not know', async () => {
    assert.equal((await dig(only('lame.bad.test'), 'lame.test', 'SOA')).status, 'REFUSED')
    assert.equal((await dig(ns1, 'nozone.test', 'SOA')).status, 'REFUSED')
  })
  test('dead.bad.test does not answer, over UDP or TCP', async () => {
    assert.equal((await dig(only('dead.bad.test'), 'dead.test', 'SOA', '+time=1')).status, 'no answer')
    assert.equal((await dig(only('dead.bad.test'), 'dead.test', 'SOA', '+time=1', '+tcp')).status, 'no answer')
  })
  test('the servers of drift.test disagree', async () => {
    const [new_, old] = await Promise.all([dig(ns1, 'drift.test', 'SOA'), dig(ns2, 'drift.test', 'SOA')])
    assert.match(new_.records.join(), / 2026112102 /)
    assert.match(old.records.join(), / 2026112101 /)
  })
})

describe('servers with a fault', { concurrency: true }, () => {
  const ask = (name: string, ...options: string[]) =>
    dig(only(`${name}.bad.test`), `www.${name}.test`, 'A', '+time=2', ...options)

  test('edns-drop answers only without EDNS', async () => {
    assert.equal((await ask('edns-drop', '+time=1')).status, 'no answer')
    assert.deepEqual((await ask('edns-drop', '+noedns')).records, [`A ${v4}`])
  })
  test('edns-formerr answers FORMERR without OPT', async () => {
    const refusal = await ask('edns-formerr')
    assert.equal(refusal.status, 'FORMERR')
    assert.doesNotMatch(refusal.text, /OPT PSEUDOSECTION/)
    assert.deepEqual((await ask('edns-formerr', '+noedns')).records, [`A ${v4}`])
  })
  test('edns-echo sends EDNS back as it came', async () => {
    const { text } = await ask('edns-echo', '+ednsopt=100', '+ednsflags=0x40')
    assert.match(text, /MBZ: 0x0040/)
    assert.match(text, /OPT=100/)
  })
  test('edns-noopt answers without OPT', async () => {
    const { status, text } = await ask('edns-noopt')
    assert.equal(status, 'NOERROR')
    assert.doesNotMatch(text, /OPT PSEUDOSECTION/)
  })
  test('edns-badvers answers BADVERS', async () => {
    assert.equal((await ask('edns-badvers', '+noednsnegotiation')).status, 'BADVERS')
  })
  test('truncated sets TC on every datagram and answers over TCP', async () => {
    assert.ok((await ask('truncated', '+ignore')).flags.includes('tc'))
    assert.deepEqual((await ask('truncated', '+tcp')).records, [`A ${v4}`])
  })
  test('late answers after the patience of a second has passed', async () => {
    assert.equal((await ask('late', '+time=1')).status, 'no answer')
    assert.deepEqual((await ask('late', '+time=4')).records, [`A ${v4}`])
  })
  for (const [name, complaint] of [
    ['wrongid', /ID mismatch/],
    ['wrongquestion', /Question section mismatch/],
    ['pointerloop', /bad compression pointer/],
    ['lyingcounts', /malformed message packet/],
    ['short', /short \(< header size\) message/],
    ['garbage', /ID mismatch|query response not set/],
    ['silent', /short \(< header size\) message|timed out/],
  ] as const) {
    test(`${name}: dig says ${complaint.source}`, async () => {
      const { output, complaints } = await run(
        'dig',
        `@${only(`${name}.bad.test`)}`,
        `www.${name}.test`,
        '+time=1',
        '+tries=1',
      )
      assert.match(output + complaints, complaint)
    })
  }
})

describe('names that lead into private space', () => {
  const places: readonly (readonly [string, string, string])[] = [
    ['loopback', 'A', '127.0.0.1'],
    ['loopback6', 'AAAA', '::1'],
    ['private10', 'A', '10.0.0.1'],
    ['metadata', 'A', '169.254.169.254'],
    ['mapped6', 'AAAA', '::ffff:127.0.0.1'],
    ['nat64', 'AAAA', '64:ff9b::7f00:1'],
    ['sixtofour', 'AAAA', '2002:7f00:1::'],
  ]
  for (const [label, type, text] of places) {
    test(`${label}.rebind.test ${type} ${text}`, async () => {
      assert.deepEqual((await dig(resolver, `${label}.rebind.test`, type)).records, [`${type} ${text}`])
    })
  }
  test('mixed.rebind.test has a public and a private address', async () => {
    const { records } = await dig(resolver, 'mixed.rebind.test', 'A')
    assert.deepEqual([...records].sort(), ['A 127.0.0.1', `A ${v4}`])
  })
  test('a new name under flip.rebind.test is public, then private, then public, and never kept', async () => {
    for (const [type, first, second] of [
      ['A', v4, '127.0.0.1'],
      ['AAAA', v6, '::1'],
    ] as const) {
      const name = `new-${process.pid}-${type}.flip.rebind.test`
      const turns: string[] = []
      for (let turn = 0; turn < 3; turn++) turns.push(...(await dig(only('flip.bad.test'), name, type)).records)
      assert.deepEqual(turns, [`${type} ${first}`, `${type} ${second}`, `${type} ${first}`])
    }
    assert.match((await dig(resolver, 'ttl.flip.rebind.test', 'A')).text, /\s0\s+IN\s+A\s/)
  })
})
