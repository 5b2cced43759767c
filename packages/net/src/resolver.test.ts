import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { Problem, type ProblemCode } from '@assay/kit'
import { cookieOf, cookieOption, extendedErrorOption } from '@assay/lib/dns/edns'
import { encodeMessage, type Message, presentation, type ResourceRecord } from '@assay/lib/dns/message'
import { parseZone } from '@assay/lib/dns/zone'
import { authority, createNetwork, type Network, respond, type Script } from '../test/resolver-servers.ts'
import { createResolver, type ResolverOptions } from './resolver.ts'
import { createResolverCache } from './resolver-cache.ts'
import { MAX_QUERIES_PER_QUESTION } from './resolver-walk.ts'
import { rootHints } from './root-hints.ts'

const ROOT = '198.51.100.1'
const TLD = '198.51.100.2'
const CHILD = '192.0.2.1'
const SECOND = '192.0.2.2'

/** What Debian's dns-root-data installs. */
const DEBIAN_HINTS = '/usr/share/dns/root.hints'

const random = (length: number) => new Uint8Array(randomBytes(length))
const problem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

const rootZone = authority({ '.': `test. NS a.nic.test.\na.nic.test. A ${TLD}` })

/** A top-level domain whose delegations are given, and which serves its own name servers. */
const tld = (delegations: string) => authority({ 'test.': `@ NS a.nic\na.nic A ${TLD}\n${delegations}` })

/** example.test on two servers, unless told otherwise. */
const DELEGATION = `example NS ns1.example\nexample NS ns2.example\nns1.example A ${CHILD}\nns2.example A ${SECOND}`
const ONE_SERVER = `example NS ns1.example\nns1.example A ${CHILD}`

async function build(
  t: TestContext,
  servers: Record<string, Script>,
  delegations = ONE_SERVER,
  options: Partial<ResolverOptions> = {},
) {
  const network = await createNetwork(t, { [ROOT]: rootZone, [TLD]: tld(delegations), ...servers })
  return { network, dns: resolverOf(network, options) }
}

function resolverOf({ transport, signal }: Network, options: Partial<ResolverOptions> = {}) {
  const roots = [{ name: 'a.root.', addresses: [ROOT] }]
  return createResolver({ transport, signal, random, roots, ...options })
}

const shown = (records: ResourceRecord[]) =>
  records.map(record => `${record.name} ${record.type} ${presentation(record)}`)
const record = (text: string, origin = 'example.test.') => parseZone(text, origin)
const sentTo = (network: Network, server: string) => network.sent.filter(packet => packet.split(' ')[1] === server)

test('RFC 1034 §5.3.3: from the root down, and the next question begins where the last one ended', async t => {
  const { dns, network } = await build(t, { [CHILD]: authority({ 'example.test.': 'www A 192.0.2.80\nwww TXT x' }) })
  const answer = await dns.resolve('www.Example.test', 'a')
  assert.equal(answer.status, 'answer')
  assert.deepEqual(
    [answer.name, answer.type, answer.server, answer.zone],
    ['www.Example.test.', 'A', CHILD, 'example.test.'],
  )
  assert.deepEqual(shown(answer.records), ['www.example.test. A 192.0.2.80'])
  assert.equal(answer.queries, 3)
  assert.deepEqual(
    network.sent.map(packet => packet.split(' ')[1]),
    [ROOT, TLD, CHILD],
  )
  assert.equal((await dns.resolve('www.example.test.', 'TXT')).queries, 1)
  assert.equal((await dns.resolve('WWW.example.test.', 'TXT')).queries, 0)
})

test('questions asked at once meet the root and the top-level domain once', async t => {
  const { dns, network } = await build(t, { [CHILD]: authority({ 'example.test.': '@ A 192.0.2.80' }) })
  const types = ['A', 'AAAA', 'MX', 'TXT', 'NS', 'SOA', 'CAA']
  const answers = await Promise.all(types.map(type => dns.resolve('example.test', type)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['answer', ...types.slice(1).map(() => 'nodata')],
  )
  assert.equal(sentTo(network, ROOT).length, 1)
  assert.equal(sentTo(network, TLD).length, 1)
  assert.equal(sentTo(network, CHILD).length, types.length)
})

test('RFC 2308 §2.1, §2.2: no such name, and no such type, each with its SOA', async t => {
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': 'www A 192.0.2.80\na.b A 192.0.2.81' }) })
  const nodata = await dns.resolve('www.example.test', 'MX')
  assert.deepEqual([nodata.status, nodata.soa?.name, nodata.records], ['nodata', 'example.test.', []])
  assert.match(nodata.reason ?? '', /no records of this type/)
  assert.equal((await dns.resolve('b.example.test', 'A')).status, 'nodata')
  const nxdomain = await dns.resolve('mail.example.test', 'MX')
  assert.deepEqual([nxdomain.status, nxdomain.soa?.type, nxdomain.server], ['nxdomain', 'SOA', CHILD])
  assert.match(nxdomain.reason ?? '', /does not exist/)
  assert.equal((await dns.resolve('nic.nowhere', 'A')).status, 'nxdomain')
})

test('RFC 8020 §2: below a name that does not exist nobody is asked', async t => {
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': 'www A 192.0.2.80' }) })
  assert.equal((await dns.resolve('none.example.test', 'A')).status, 'nxdomain')
  const below = await dns.resolve('a.b.NONE.example.test', 'AAAA')
  assert.deepEqual([below.status, below.queries], ['nxdomain', 0])
  assert.equal((await dns.resolve('anone.example.test', 'A')).queries, 1)
})

test('RFC 1034 §3.6.2: aliases within a zone and across zones, the chain put together by owner', async t => {
  const { dns } = await build(
    t,
    {
      [CHILD]: query => {
        const answers = record('a CNAME b\nb CNAME c.other.test.')
        return respond(query, { answers: [...answers.reverse(), ...record('c.other.test. A 203.0.113.66')] })
      },
      [SECOND]: authority({ 'other.test.': 'c A 192.0.2.80' }),
    },
    `${ONE_SERVER}\nother NS ns.other\nns.other A ${SECOND}`,
  )
  const answer = await dns.resolve('a.example.test', 'A')
  assert.equal(answer.status, 'answer')
  assert.deepEqual(shown(answer.records), [
    'a.example.test. CNAME b.example.test.',
    'b.example.test. CNAME c.other.test.',
    'c.other.test. A 192.0.2.80',
  ])
  assert.equal(answer.zone, 'other.test.')
})

test('RFC 6672 §2.2: a DNAME leads below its owner elsewhere, but its owner itself nowhere', async t => {
  const { dns } = await build(
    t,
    {
      [CHILD]: query => {
        const [dname] = record('old DNAME other.test.')
        const atOwner = query.questions[0]?.name === 'old.example.test.'
        return dname && !atOwner
          ? respond(query, { answers: [dname] })
          : respond(query, { authorities: record('@ SOA . . 1 1 1 1 1') })
      },
      [SECOND]: authority({ 'other.test.': 'x.y A 192.0.2.80' }),
    },
    `${ONE_SERVER}\nother NS ns.other\nns.other A ${SECOND}`,
  )
  const answer = await dns.resolve('x.y.old.example.test', 'A')
  assert.deepEqual(shown(answer.records), ['old.example.test. DNAME other.test.', 'x.y.other.test. A 192.0.2.80'])
  assert.equal((await dns.resolve('old.example.test', 'A')).status, 'nodata')
})

test('a DNAME that makes the name too long is a failure of the zone', async t => {
  const label = 'a'.repeat(60)
  const { dns } = await build(t, {
    [CHILD]: query => respond(query, { answers: record(`d DNAME ${label}.${label}.${label}.example.test.`) }),
  })
  const answer = await dns.resolve(`${label}.d.example.test`, 'A')
  assert.equal(answer.status, 'servfail')
  assert.match(answer.reason ?? '', /too long/)
})

test('a chain of aliases that ends nowhere is nxdomain, with the aliases', async t => {
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': 'dangling CNAME gone' }) })
  const answer = await dns.resolve('dangling.example.test', 'A')
  assert.deepEqual(
    [answer.status, shown(answer.records)],
    ['nxdomain', ['dangling.example.test. CNAME gone.example.test.']],
  )
})

test('aliases that lead back, in one response and over two zones, are a loop', async t => {
  const { dns } = await build(
    t,
    {
      [CHILD]: query => {
        const answers = record('l1 CNAME l2\nl2 CNAME l1\nfar CNAME far.other.test.\nself CNAME self')
        return respond(query, { answers })
      },
      [SECOND]: authority({ 'other.test.': 'far CNAME far.example.test.' }),
    },
    `${ONE_SERVER}\nother NS ns.other\nns.other A ${SECOND}`,
  )
  for (const name of ['l1', 'far', 'self'])
    assert.equal((await dns.resolve(`${name}.example.test`, 'A')).status, 'cname-loop')
})

test('twelve aliases are followed and thirteen are not', async t => {
  const chain = (length: number, owner: string) =>
    Array.from({ length }, (_, i) => `${owner}${i} CNAME ${owner}${i + 1}`).join('\n')
  const zone = `${chain(12, 'x')}\nx12 A 192.0.2.80\n${chain(13, 'y')}\ny13 A 192.0.2.80`
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': zone }) })
  const twelve = await dns.resolve('x0.example.test', 'A')
  assert.deepEqual([twelve.status, twelve.records.length], ['answer', 13])
  assert.equal((await dns.resolve('y0.example.test', 'A')).status, 'cname-loop')
})

test('a question for CNAME itself is answered, not followed', async t => {
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': 'a CNAME b' }) })
  assert.deepEqual(shown((await dns.resolve('a.example.test', 'CNAME')).records), [
    'a.example.test. CNAME b.example.test.',
  ])
})

test('name servers without glue are looked up, also when their zone has such servers itself', async t => {
  const { dns } = await build(
    t,
    {
      [CHILD]: authority({ 'example.test.': 'www A 192.0.2.80' }),
      [SECOND]: authority({ 'other.test.': `ns A ${CHILD}`, 'third.test.': `ns A ${SECOND}` }),
    },
    `example NS ns.other\nother NS ns.third\nthird NS ns.third\nns.third A ${SECOND}`,
  )
  const answer = await dns.resolve('www.example.test', 'A')
  assert.deepEqual([answer.status, answer.server], ['answer', CHILD])
})

test('name servers that can only be found through each other are given up', async t => {
  const { dns } = await build(t, {}, 'example NS ns.other\nother NS ns.example')
  const answer = await dns.resolve('www.example.test', 'A')
  assert.equal(answer.status, 'lame')
  assert.match(answer.reason ?? '', /No address could be found/)
  const both = await Promise.all([dns.resolve('a.example.test', 'A'), dns.resolve('a.other.test', 'A')])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['lame', 'lame'],
  )
})

test('a name server inside its own zone without glue, or one that is an alias (RFC 2181 §10.3), has no address', async t => {
  const { dns } = await build(
    t,
    { [CHILD]: authority({ 'other.test.': `ns CNAME real\nreal A ${CHILD}` }) },
    `example NS ns.example\nalias NS ns.other\nother NS a.other\na.other A ${CHILD}`,
  )
  assert.equal((await dns.resolve('www.example.test', 'A')).status, 'lame')
  assert.equal((await dns.resolve('www.alias.test', 'A')).status, 'lame')
})

test('[H1] the NXNS attack: of many name servers without address a few are looked up', async t => {
  const many = Array.from({ length: 100 }, (_, i) => `evil NS a${i}.victim.example`).join('\n')
  const { dns, network } = await build(
    t,
    { [CHILD]: authority({ 'example.test.': 'x A 192.0.2.1' }) },
    `${ONE_SERVER}\n${many.replaceAll('.victim.example', '.victim.example.test.')}`,
  )
  const answer = await dns.resolve('www.evil.test', 'A')
  assert.equal(answer.status, 'lame')
  assert.ok(sentTo(network, CHILD).length <= 10)
  assert.ok(answer.queries <= MAX_QUERIES_PER_QUESTION)
})

test('glue is believed inside the zone that gave it, and is never an answer', async t => {
  const { dns, network } = await build(t, {
    [TLD]: query =>
      query.questions[0]?.name.endsWith('example.test.')
        ? respond(query, {
            aa: false,
            authorities: record('@ NS ns.elsewhere.\n@ NS ns1'),
            additionals: record(`ns.elsewhere. A 203.0.113.66\nns1 A ${CHILD}\nwww A 203.0.113.66`),
          })
        : respond(query, { rcode: 'NXDOMAIN' }),
    [CHILD]: authority({ 'example.test.': 'www A 192.0.2.80\nns1 A 192.0.2.99' }),
  })
  assert.deepEqual(shown((await dns.resolve('www.example.test', 'A')).records), ['www.example.test. A 192.0.2.80'])
  assert.deepEqual(shown((await dns.resolve('ns1.example.test', 'A')).records), ['ns1.example.test. A 192.0.2.99'])
  assert.equal(sentTo(network, '203.0.113.66').length, 0)
})

test('records outside the zone of the server are dropped wherever they stand', async t => {
  const { dns, network } = await build(t, {
    [CHILD]: query =>
      respond(query, {
        answers: [...record('www CNAME www.victim.test.'), ...record('www.victim.test. A 203.0.113.66')],
        authorities: record('victim.test. NS ns.evil.example.test.\ntest. NS ns.evil.example.test.'),
        additionals: record('ns.evil A 203.0.113.66'),
      }),
  })
  const answer = await dns.resolve('www.example.test', 'A')
  assert.deepEqual([answer.status, shown(answer.records)], ['nxdomain', ['www.example.test. CNAME www.victim.test.']])
  assert.equal(sentTo(network, '203.0.113.66').length, 0)
})

test('DS is asked of the parent (RFC 4035 §2.4), also when the child is known already', async t => {
  const { dns } = await build(
    t,
    { [CHILD]: authority({ 'example.test.': '@ A 192.0.2.80' }) },
    `${ONE_SERVER}\nexample DS 1 13 2 ${'AB'.repeat(32)}`,
  )
  await dns.resolve('example.test', 'A')
  const ds = await dns.resolve('example.test', 'DS')
  assert.deepEqual([ds.status, ds.zone, ds.server], ['answer', 'test.', TLD])
})

test('RFC 7766 §5: a truncated answer is not used, the one over TCP is', async t => {
  const { dns, network } = await build(t, {
    [CHILD]: (query, via) =>
      via === 'udp'
        ? respond(query, { tc: true, answers: record('@ TXT half') })
        : respond(query, { answers: record('@ TXT whole') }),
  })
  assert.deepEqual(shown((await dns.resolve('example.test', 'TXT')).records), ['example.test. TXT "whole"'])
  assert.deepEqual(
    sentTo(network, CHILD).map(packet => packet.split(' ')[0]),
    ['udp', 'tcp'],
  )
})

for (const rcode of ['FORMERR', 'NOTIMP', 'BADVERS'] as const) {
  test(`RFC 6891 §7: ${rcode} makes us ask without EDNS, now and the next time`, async t => {
    const { dns, network } = await build(t, {
      [CHILD]: query => {
        if (!query.edns) return respond(query, { answers: record('@ A 192.0.2.80') })
        const questions = rcode === 'FORMERR' ? [] : query.questions
        const { edns, ...rest } = respond(query, { rcode, questions })
        return rcode === 'BADVERS' && edns ? { ...rest, edns } : rest
      },
    })
    assert.equal((await dns.resolve('example.test', 'A')).status, 'answer')
    assert.equal((await dns.resolve('www.example.test', 'A')).queries, 1)
    assert.deepEqual(
      sentTo(network, CHILD).map(packet => packet.endsWith('plain')),
      [false, true, true],
    )
  })
}

test('RFC 7873 §5.3: a server that wants its cookie gets it, and from then on at once', async t => {
  const serverCookie = new Uint8Array(16).fill(9)
  const { dns, network } = await build(t, {
    [CHILD]: query => {
      const cookie = cookieOf(query.edns)
      if (!cookie || !query.edns) return respond(query, { rcode: 'REFUSED' })
      const edns = { ...query.edns, options: [cookieOption({ client: cookie.client, server: serverCookie })] }
      const good = cookie.server?.every(byte => byte === 9)
      return respond(query, good ? { edns, answers: record('@ A 192.0.2.80') } : { edns, rcode: 'BADCOOKIE' })
    },
  })
  assert.equal((await dns.resolve('example.test', 'A')).status, 'answer')
  assert.equal(sentTo(network, CHILD).length, 2)
  assert.equal((await dns.resolve('a.example.test', 'A')).queries, 1)
})

describe('servers that are waited for', { concurrency: true }, () => {
  test('RFC 5452 §9.3: when only forged answers come over UDP, the question goes over TCP', async t => {
    const { dns } = await build(t, {
      [CHILD]: (query, via) =>
        forged(query, via === 'udp' ? { id: query.id ^ 1 } : { answers: record('@ A 192.0.2.80') }),
    })
    assert.deepEqual(shown((await dns.resolve('example.test', 'A')).records), ['example.test. A 192.0.2.80'])
  })

  test('draft-vixie-dnsext-dns0x20-00: forged over UDP and without TCP, a question goes in random case', async t => {
    const name = `${'abcdefghij'.repeat(6)}.example.test.`
    const spelled: string[] = []
    const { dns } = await build(t, {
      [CHILD]: (query, via) => {
        if (via === 'tcp') return undefined
        const [question] = query.questions
        spelled.push(question?.name ?? '')
        if (spelled.length === 1) return forged(query, { id: query.id ^ 1 })
        return [
          forged(query, { questions: question ? [{ ...question, name }] : [] }),
          respond(query, { answers: record('@ A 192.0.2.80', question?.name) }),
        ]
      },
    })
    const answer = await dns.resolve(name, 'A')
    assert.deepEqual(shown(answer.records), [`${name} A 192.0.2.80`])
    assert.equal(spelled[0], name)
    assert.notEqual(spelled[1], name)
    assert.equal(spelled[1]?.toLowerCase(), name)
  })

  test('a server that drops queries with EDNS is asked without', async t => {
    const { dns, network } = await build(t, {
      [CHILD]: query => (query.edns ? undefined : respond(query, { answers: record('@ A 192.0.2.80') })),
    })
    assert.equal((await dns.resolve('example.test', 'A')).status, 'answer')
    assert.deepEqual(
      sentTo(network, CHILD).map(packet => packet.endsWith('plain')),
      [false, true],
    )
  })

  test('a server that answers only over TCP is asked over TCP in the end', async t => {
    const { dns } = await build(t, {
      [CHILD]: (query, via) => (via === 'udp' ? undefined : respond(query, { answers: record('@ A 192.0.2.80') })),
    })
    assert.equal((await dns.resolve('example.test', 'A')).status, 'answer')
  })

  test('a server that only ever sends something else is told from one that is silent', async t => {
    const { dns, network } = await build(t, { [CHILD]: query => forged(query, { id: query.id ^ 1 }) })
    const answer = await dns.resolve('example.test', 'A')
    assert.equal(answer.status, 'network')
    assert.match(answer.reason ?? '', /192\.0\.2\.1 sent a message with another id/)
    assert.deepEqual(
      sentTo(network, CHILD).map(packet => packet.slice(0, 3)),
      ['udp', 'tcp'],
    )
  })

  test('a dead server costs one timeout, and is asked last afterwards', async t => {
    const { dns, network } = await build(
      t,
      { [CHILD]: () => undefined, [SECOND]: authority({ 'example.test.': '@ A 192.0.2.80' }) },
      DELEGATION,
    )
    for (let i = 0; i < 6; i++) assert.equal((await dns.resolve(`${i}.example.test`, 'A')).status, 'nxdomain')
    assert.ok(sentTo(network, CHILD).length <= 1)
  })

  test('a zone of which no server answers is a timeout, told once for all questions', async t => {
    const { dns, network } = await build(t, { [CHILD]: () => undefined })
    const answers = await Promise.all(['A', 'AAAA', 'MX'].map(type => dns.resolve('example.test', type)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['timeout', 'timeout', 'timeout'],
    )
    assert.match(answers[0]?.reason ?? '', /192\.0\.2\.1 did not answer in time/)
    assert.deepEqual(
      sentTo(network, CHILD).map(packet => packet.replace(/example.test. \w+/, '')),
      ['udp 192.0.2.1 ', 'udp 192.0.2.1  plain', 'tcp 192.0.2.1 '],
    )
  })
})

/** Sends forged answers before the true one. */
const forging =
  (forge: (query: Message) => Message | Uint8Array): Script =>
  query => [forge(query), respond(query, { answers: record('@ A 192.0.2.80') })]
const forged = (query: Message, changes: Partial<Message>) =>
  respond(query, { answers: record('@ A 203.0.113.66'), ...changes })

for (const [what, forge] of [
  ['another id', (query: Message) => forged(query, { id: query.id ^ 1 })],
  ['another name', (query: Message) => forged(query, { questions: [{ name: 'other.test.', type: 'A', class: 'IN' }] })],
  [
    'another type',
    (query: Message) => forged(query, { questions: query.questions.map(q => ({ ...q, type: 'AAAA' })) }),
  ],
  [
    'another class',
    (query: Message) => forged(query, { questions: query.questions.map(q => ({ ...q, class: 'CH' })) }),
  ],
  ['no question', (query: Message) => forged(query, { questions: [] })],
  ['two questions', (query: Message) => forged(query, { questions: [...query.questions, ...query.questions] })],
  ['a query in place of a response', (query: Message) => forged(query, { qr: false })],
  ['no message at all', () => new Uint8Array([1, 2, 3])],
  [
    'a cookie that is not ours',
    (query: Message) =>
      forged(
        query,
        query.edns ? { edns: { ...query.edns, options: [cookieOption({ client: new Uint8Array(8) })] } } : {},
      ),
  ],
] as const) {
  test(`RFC 5452 §9.1: a packet with ${what} is passed over, and the true answer taken`, async t => {
    const { dns } = await build(t, { [CHILD]: forging(forge) })
    assert.deepEqual(shown((await dns.resolve('example.test', 'A')).records), ['example.test. A 192.0.2.80'])
  })
}

test('security H1: more records than any answer has are a failure of that server', async t => {
  const many: Script = query =>
    respond(query, { answers: Array.from({ length: 600 }, () => record('@ A 203.0.113.66')).flat() })
  const { dns } = await build(t, { [CHILD]: many })
  const { status, reason } = await dns.resolve('example.test', 'A')
  assert.equal(status, 'servfail')
  assert.match(reason ?? '', /cannot be read whole \(more than 500 records at byte \d+\)/)
})

test('a message whose counts lie is a failure of that server, and the next one is asked', async t => {
  const lying: Script = query => {
    const bytes = encodeMessage(respond(query, { answers: record('@ A 203.0.113.66') }))
    bytes[8] = 0xff
    return bytes
  }
  const good = authority({ 'example.test.': '@ A 192.0.2.80' })
  const both = await build(t, { [CHILD]: lying, [SECOND]: good }, DELEGATION)
  assert.deepEqual(shown((await both.dns.resolve('example.test', 'A')).records), ['example.test. A 192.0.2.80'])
  const { dns } = await build(t, { [CHILD]: lying })
  assert.equal((await dns.resolve('example.test', 'A')).status, 'servfail')
})

for (const [what, status, script] of [
  ['refuses', 'refused', query => respond(query, { aa: false, rcode: 'REFUSED' })],
  ['fails', 'servfail', query => respond(query, { aa: false, rcode: 'SERVFAIL' })],
  ['is not in charge (NOTAUTH)', 'lame', query => respond(query, { aa: false, rcode: 'NOTAUTH' })],
  ['refers upwards', 'lame', query => respond(query, { aa: false, authorities: record('. NS a.root.') })],
  ['refers to its own zone', 'lame', query => respond(query, { aa: false, authorities: record('@ NS ns1') })],
  ['refers to a zone beside', 'lame', query => respond(query, { aa: false, authorities: record('x NS ns1') })],
  ['answers without authority', 'lame', query => respond(query, { aa: false, answers: record('@ A 203.0.113.66') })],
  ['denies without authority', 'lame', query => respond(query, { aa: false, rcode: 'NXDOMAIN' })],
  ['says nothing, without authority', 'lame', query => respond(query, { aa: false })],
] as const satisfies [string, string, Script][]) {
  test(`a server that ${what}: ${status} when it is alone, and passed over when there is another`, async t => {
    const alone = await build(t, { [CHILD]: script })
    const failed = await alone.dns.resolve('example.test', 'A')
    assert.equal(failed.status, status)
    assert.match(failed.reason ?? '', /^192\.0\.2\.1 /)
    assert.deepEqual([failed.server, failed.zone, failed.records], [CHILD, 'example.test.', []])
    const good = authority({ 'example.test.': '@ A 192.0.2.80' })
    const both = await build(t, { [CHILD]: script, [SECOND]: good }, DELEGATION)
    assert.equal((await both.dns.resolve('example.test', 'A')).server, SECOND)
  })
}

test('RFC 8914: extended errors of the servers are passed on, once each', async t => {
  const { dns } = await build(
    t,
    Object.fromEntries(
      [CHILD, SECOND].map(server => [
        server,
        (query: Message) => {
          const options = [extendedErrorOption({ code: 6, text: 'no luck' })]
          return respond(query, { rcode: 'SERVFAIL', ...(query.edns && { edns: { ...query.edns, options } }) })
        },
      ]),
    ),
    DELEGATION,
  )
  const answer = await dns.resolve('example.test', 'A')
  assert.deepEqual([answer.status, answer.errors], ['servfail', [{ code: 6, text: 'no luck' }]])
  assert.match(answer.reason ?? '', /192\.0\.2\.\d answered SERVFAIL; 192\.0\.2\.\d answered SERVFAIL\./)
})

test('a zone whose servers refuse connections is a network failure', async t => {
  const { dns } = await build(t, {})
  const answer = await dns.resolve('example.test', 'A')
  assert.equal(answer.status, 'network')
  assert.match(answer.reason ?? '', /192\.0\.2\.1 could not be asked/)
})

test('an endless descent ends with the packets of one question', async t => {
  const deeper: Script = query => {
    const name = query.questions[0]?.name ?? '.'
    return respond(query, {
      aa: false,
      authorities: record(`${name} NS ${'x'.repeat(5)}.${name}`),
      additionals: record(`xxxxx.${name} A ${CHILD}`),
    })
  }
  const { dns } = await build(t, { [CHILD]: deeper })
  const answer = await dns.resolve(`${'a.'.repeat(100)}example.test`, 'A')
  assert.equal(answer.status, 'lame')
  assert.ok(answer.queries <= MAX_QUERIES_PER_QUESTION)
})

test('the packets of a job are counted over all its questions', async t => {
  const { dns } = await build(t, { [CHILD]: authority({ 'example.test.': '@ A 192.0.2.80' }) }, ONE_SERVER, {
    maxQueries: 5,
  })
  for (const type of ['A', 'MX', 'TXT']) await dns.resolve('example.test', type)
  await assert.rejects(dns.resolve('example.test', 'CAA'), problem('limited'))
})

test('when the job is cancelled, what is under way rejects with its reason, and nothing new begins', async t => {
  const controller = new AbortController()
  const network = await createNetwork(
    t,
    { [ROOT]: () => void controller.abort(new Error('the visitor left')) },
    { signal: controller.signal },
  )
  const dns = resolverOf(network)
  await assert.rejects(dns.resolve('example.test', 'A'), /the visitor left/)
  await assert.rejects(dns.resolve('example.test', 'A'), /the visitor left/)
  assert.equal(network.sent.length, 1)
})

for (const [name, type] of [
  ['a..b', 'A'],
  ['münchen.test', 'A'],
  [`${'a'.repeat(64)}.test`, 'A'],
  ['example.test', 'FROB'],
] as const) {
  test(`refused as input: ${name.slice(0, 20)} ${type}`, async t => {
    const { dns, network } = await build(t, {})
    await assert.rejects(dns.resolve(name, type), problem('invalid-input'))
    assert.deepEqual(network.sent, [])
  })
}

test('signatures are asked for when wanted, and are records only when they are the question', async t => {
  const signature = 'RRSIG A 13 2 300 20380119031408 20260101000000 12345 example.test. oJB1W6WN'
  const script: Script = query => {
    const wanted = query.questions[0]?.type === 'RRSIG' ? `@ ${signature}` : `@ A 192.0.2.80\n@ ${signature}`
    return respond(query, query.edns?.do ? { answers: record(wanted) } : { rcode: 'REFUSED' })
  }
  const { dns } = await build(t, { [CHILD]: script }, ONE_SERVER, { dnssec: true })
  assert.deepEqual(shown((await dns.resolve('example.test', 'A')).records), ['example.test. A 192.0.2.80'])
  assert.equal((await dns.resolve('example.test', 'RRSIG')).records[0]?.type, 'RRSIG')
})

test('a cache is shared between jobs, and forgets', async t => {
  let milliseconds = 0
  const now = () => milliseconds
  const cache = createResolverCache(now)
  const servers = { [CHILD]: authority({ 'example.test.': 'www 300 A 192.0.2.80\nshort 0 A 192.0.2.81' }) }
  const { network, dns } = await build(t, servers, ONE_SERVER, { cache, now })
  const asked = async (name: string) => (await resolverOf(network, { cache, now }).resolve(name, 'A')).queries
  assert.equal((await dns.resolve('www.example.test', 'A')).queries, 3)
  assert.equal(await asked('www.example.test'), 0)
  milliseconds += 31_000
  assert.equal(await asked('www.example.test'), 1)
  assert.equal(await asked('short.example.test'), 1)
  assert.equal(await asked('short.example.test'), 1)
  milliseconds += 601_000
  assert.equal(await asked('www.example.test'), 2)
  milliseconds += 3_600_000
  assert.equal(await asked('www.example.test'), 3)
})

test('ask: one question to one server, as it is, with the flags wanted', async t => {
  let seen: Message | undefined
  const script: Script = (query, via) => {
    seen = query
    return respond(query, { aa: false, ra: true, tc: via === 'udp', answers: record(`@ TXT ${via}`) })
  }
  const { dns, network } = await build(t, { [CHILD]: script })
  const message = await dns.ask(CHILD, 'example.test', 'txt', { recursionDesired: true, dnssec: true })
  assert.deepEqual([message.ra, message.tc, shown(message.answers)], [true, false, ['example.test. TXT "tcp"']])
  assert.deepEqual([seen?.rd, seen?.edns?.do, seen?.edns?.udpSize], [true, true, 1232])
  await dns.ask(CHILD, 'example.test', 'TXT', { transport: 'tcp' })
  assert.deepEqual(
    network.sent.map(packet => packet.slice(0, 3)),
    ['udp', 'tcp', 'tcp'],
  )
  assert.deepEqual([seen?.rd, seen?.edns?.do], [false, false])
})

test('ask: silence and closed ports are problems', async t => {
  const { dns } = await build(t, { [CHILD]: () => undefined })
  await assert.rejects(dns.ask(CHILD, 'example.test', 'A', { timeoutMs: 50 }), problem('timeout'))
  await assert.rejects(dns.ask(SECOND, 'example.test', 'A'), problem('unreachable'))
  await assert.rejects(dns.ask(SECOND, 'a..b', 'A'), problem('invalid-input'))
})

test('the root hints are 13 servers with an IPv4 and an IPv6 address each', { skip: !existsSync(DEBIAN_HINTS) }, () => {
  const published = parseZone(readFileSync(DEBIAN_HINTS, 'utf8'))
  const addresses = published.flatMap(({ name, type, data }) =>
    type === 'A' || type === 'AAAA' ? `${name.toLowerCase()} ${data?.address}` : [],
  )
  const ours = rootHints.flatMap(({ name, addresses }) => addresses.map(address => `${name} ${address}`))
  assert.equal(rootHints.length, 13)
  assert.deepEqual(ours.toSorted(), addresses.toSorted())
})
