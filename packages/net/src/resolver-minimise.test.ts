import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Message } from '@assay/lib/dns/message'
import { parseZone } from '@assay/lib/dns/zone'
import { authority, createNetwork, respond, type Script } from '../test/resolver-servers.ts'
import { createResolver } from './resolver.ts'
import { nextPart } from './resolver-minimise.ts'

/** The parts that are asked for when nobody ever refers further. */
function partsOf(name: string, zone = '.'): string[] {
  const parts: string[] = []
  for (let part = nextPart(name, zone, 0); part !== undefined; part = nextPart(name, part, parts.length)) {
    parts.push(part)
  }
  return parts
}

test('RFC 9156 §2: one label more each time, and the whole name is not a part', () => {
  assert.deepEqual(partsOf('a.b.example.org.'), ['org.', 'example.org.', 'b.example.org.'])
  assert.deepEqual(partsOf('www.example.org.', 'example.org.'), [])
  assert.deepEqual(partsOf('example.org.', 'example.org.'), [])
  assert.deepEqual(partsOf('org.'), [])
  assert.deepEqual(partsOf('.'), [])
})

test('RFC 9156 §2.3: four times one label, then more, and ten questions at most', () => {
  const nibbles = `${'0.'.repeat(32)}ip6.arpa.`
  const lengths = partsOf(nibbles).map(part => part.split('.').length - 1)
  assert.deepEqual(lengths.slice(0, 5), [1, 2, 3, 4, 9])
  assert.equal(lengths.length, 9)
  assert.deepEqual(
    lengths,
    lengths.toSorted((a, b) => a - b),
  )
  assert.ok(lengths.every(length => length < 34))
  assert.equal(nextPart(nibbles, '.', 10), undefined)
})

test('RFC 8552: names of services are shown at once', () => {
  assert.deepEqual(partsOf('_sip._tcp.example.org.', 'example.org.'), [])
  assert.deepEqual(partsOf('_443._tcp.mail.example.org.', 'org.'), ['example.org.', 'mail.example.org.'])
  assert.deepEqual(partsOf('a._b.example.org.', 'org.'), ['example.org.'])
})

test('a dot inside a label begins no other label', () => {
  assert.deepEqual(partsOf('a\\.b.c\\.d.example.org.', 'example.org.'), ['c\\.d.example.org.'])
})

const ROOT = '198.51.100.1'
const TLD = '198.51.100.2'
const CHILD = '192.0.2.1'
const SUB = '192.0.2.2'

const root = authority({ '.': `test. NS a.nic.test.\na.nic.test. A ${TLD}` })
const tld = authority({ 'test.': `@ NS a.nic\na.nic A ${TLD}\nexample NS ns1.example\nns1.example A ${CHILD}` })

async function build(t: TestContext, servers: Record<string, Script>) {
  const { sent, transport, signal } = await createNetwork(t, { [ROOT]: root, [TLD]: tld, ...servers })
  const random = (length: number) => new Uint8Array(randomBytes(length))
  const dns = createResolver({ transport, signal, random, roots: [{ name: 'a.root.', addresses: [ROOT] }] })
  const seenBy = (server: string) =>
    sent.map(packet => packet.split(' ')).flatMap(([, to, name, type]) => (to === server ? [`${name} ${type}`] : []))
  return { dns, seenBy }
}

const asked = (query: Message) => query.questions[0]?.name ?? ''
const soa = parseZone('@ SOA . . 1 1 1 1 60', 'example.test.')

test('RFC 9156 §3: each server sees the labels that it needs, and the type only whoever answers', async t => {
  const { dns, seenBy } = await build(t, { [CHILD]: authority({ 'example.test.': 'a.b.c TXT x\nc A 192.0.2.9' }) })
  assert.equal((await dns.resolve('a.b.c.example.test', 'TXT')).status, 'answer')
  assert.deepEqual(seenBy(ROOT), ['test. A'])
  assert.deepEqual(seenBy(TLD), ['example.test. A'])
  assert.deepEqual(seenBy(CHILD), ['c.example.test. A', 'b.c.example.test. A', 'a.b.c.example.test. TXT'])
  assert.equal((await dns.resolve('c.example.test', 'A')).queries, 0, 'what a part had is remembered')
})

test('RFC 9156 §3 (6a): a zone further down is found on the way, and its parent sees nothing below', async t => {
  const { dns, seenBy } = await build(t, {
    [CHILD]: authority({ 'example.test.': `sub NS ns.sub\nns.sub A ${SUB}` }),
    [SUB]: authority({ 'sub.example.test.': 'secret.www A 192.0.2.80' }),
  })
  assert.equal((await dns.resolve('secret.www.sub.example.test', 'A')).zone, 'sub.example.test.')
  assert.deepEqual(seenBy(CHILD), ['sub.example.test. A'])
  assert.deepEqual(seenBy(SUB), ['www.sub.example.test. A', 'secret.www.sub.example.test. A'])
})

test('relaxed: a server that denies names with none but others below them is believed at the whole name alone', async t => {
  const { dns, seenBy } = await build(t, {
    [CHILD]: query =>
      asked(query).startsWith('a.')
        ? respond(query, { answers: parseZone('a.b.c A 192.0.2.80', 'example.test.') })
        : respond(query, { rcode: 'NXDOMAIN', authorities: soa }),
  })
  assert.equal((await dns.resolve('a.b.c.example.test', 'A')).status, 'answer')
  assert.equal((await dns.resolve('a.b.c.example.test', 'TXT')).status, 'nodata')
  assert.deepEqual(seenBy(CHILD).slice(0, 2), ['c.example.test. A', 'a.b.c.example.test. A'])
  assert.equal((await dns.resolve('z.b.c.example.test', 'A')).status, 'nxdomain')
})

for (const rcode of ['SERVFAIL', 'REFUSED', 'NOTIMP'] as const) {
  test(`relaxed: a server that says ${rcode} at a part is asked for the whole name`, async t => {
    const { dns } = await build(t, {
      [CHILD]: query =>
        asked(query).startsWith('a.')
          ? respond(query, { answers: parseZone('a.b A 192.0.2.80', 'example.test.') })
          : respond(query, { rcode }),
    })
    assert.equal((await dns.resolve('a.b.example.test', 'A')).status, 'answer')
  })
}

test('relaxed: a server that drops questions for a part is asked for the whole name', async t => {
  const { dns } = await build(t, {
    [CHILD]: query =>
      asked(query).startsWith('a.')
        ? respond(query, { answers: parseZone('a.b A 192.0.2.80', 'example.test.') })
        : undefined,
  })
  assert.equal((await dns.resolve('a.b.example.test', 'A')).status, 'answer')
})

test('an alias on the way is not followed, and a DNAME leads on from the whole name', async t => {
  const { dns, seenBy } = await build(t, {
    [CHILD]: query =>
      asked(query).includes('old.')
        ? respond(query, { answers: parseZone('old DNAME new', 'example.test.') })
        : authority({ 'example.test.': 'alias CNAME new\nx.alias A 192.0.2.81\na.b.c.new A 192.0.2.80' })(query, 'udp'),
  })
  assert.equal((await dns.resolve('x.alias.example.test', 'A')).records.length, 1)
  const through = await dns.resolve('a.b.c.old.example.test', 'A')
  assert.deepEqual(
    through.records.map(({ type }) => type),
    ['DNAME', 'A'],
  )
  assert.ok(!seenBy(CHILD).some(question => question.startsWith('b.c.old.')))
})

test('RFC 9156 §2.3: a name of many labels costs ten questions more and not one for each label', async t => {
  const { dns } = await build(t, { [CHILD]: query => respond(query, { authorities: soa }) })
  const answer = await dns.resolve(`${'x.'.repeat(100)}example.test`, 'A')
  assert.equal(answer.status, 'nodata')
  assert.ok(answer.queries <= 11, `${answer.queries}`)
})
