import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressService, autnumService, domainService } from './bootstrap.ts'
import { bundledBootstrap } from './bundled.ts'
import { judgeRdap, rdapUrl } from './client.ts'
import { registrationOf, relatedLink } from './domain.ts'
import { contactOf } from './jcard.ts'
import { type Json, object, readJson } from './json.ts'
import { numberResourceOf } from './network.ts'
import { eppStatus } from './status.ts'

const file = (...services: unknown[]) => JSON.stringify({ version: '1.0', services })

test('RFC 9224 §4: the entry with the most labels wins', () => {
  const services = file(
    [['net', 'com'], ['https://registry.example.com/myrdap/']],
    [['org', 'mytld'], ['https://example.org/']],
    [['xn--zckzah'], ['https://example.net/rdap/xn--zckzah/', 'http://example.net/rdap/xn--zckzah/']],
  )
  assert.equal(domainService(services, 'a.b.example.com'), 'https://registry.example.com/myrdap/')
  assert.equal(domainService(services, 'MYTLD'), 'https://example.org/')
  assert.equal(domainService(services, 'a.xn--zckzah'), 'https://example.net/rdap/xn--zckzah/')
  assert.equal(domainService(services, 'example.invalid'), undefined)
  const longer = file([['com'], ['https://a.example/']], [['goodexample.com'], ['https://b.example/']])
  assert.equal(domainService(longer, 'x.goodexample.com'), 'https://b.example/')
  assert.equal(domainService(longer, 'badgoodexample.com'), 'https://a.example/')
})

test('RFC 9224 §5.1 and §5.2: the longest prefix wins', () => {
  const services = file(
    [['198.51.100.0/24', '192.0.0.0/8'], ['https://rir1.example.com/myrdap/']],
    [['203.0.113.0/24', '192.0.2.0/24'], ['https://example.org']],
    [['2001:db8::/34'], ['https://rir2.example.com/myrdap/']],
    [['2001:db8:4000::/36', '2001:db8:ffff::/48'], ['https://example.org/']],
  )
  assert.equal(addressService(services, '192.0.2.1'), 'https://example.org/')
  assert.equal(addressService(services, '192.0.3.1'), 'https://rir1.example.com/myrdap/')
  assert.equal(addressService(services, '2001:db8:ffff::1'), 'https://example.org/')
  assert.equal(addressService(services, '2001:db8::1'), 'https://rir2.example.com/myrdap/')
  assert.equal(addressService(services, '10.0.0.1'), undefined)
  assert.equal(addressService(services, 'no address'), undefined)
})

test('RFC 9224 §5.3: ranges of AS numbers', () => {
  const services = file(
    [['64496-64496'], ['https://rir3.example.com/myrdap/']],
    [['64497-64510', '65536-65551'], ['https://example.org/']],
    [['64512-65534'], ['http://example.net/rdaprir2/', 'https://example.net/rdaprir2/']],
  )
  assert.equal(autnumService(services, 64_496), 'https://rir3.example.com/myrdap/')
  assert.equal(autnumService(services, 65_551), 'https://example.org/')
  assert.equal(autnumService(services, 64_512), 'https://example.net/rdaprir2/')
  assert.equal(autnumService(services, 65_552), undefined)
})

test('the bundled lists know the registries of names and numbers', () => {
  assert.equal(domainService(bundledBootstrap('dns'), 'example.com'), 'https://rdap.verisign.com/com/v1/')
  for (const name of ['example.net', 'example.org', 'example.uk', 'example.nl', 'example.app', 'example.xn--p1acf']) {
    assert.match(domainService(bundledBootstrap('dns'), name) ?? '', /^https:\/\/.*\/$/, name)
  }
  assert.equal(domainService(bundledBootstrap('dns'), 'example.de'), 'https://rdap.denic.de/')
  assert.equal(addressService(bundledBootstrap('ipv4'), '193.0.6.139'), 'https://rdap.db.ripe.net/')
  assert.equal(addressService(bundledBootstrap('ipv4'), '8.8.8.8'), 'https://rdap.arin.net/registry/')
  assert.equal(addressService(bundledBootstrap('ipv6'), '2a00::1'), 'https://rdap.db.ripe.net/')
  assert.equal(autnumService(bundledBootstrap('asn'), 3333), 'https://rdap.db.ripe.net/')
})

test('names that every object has are no entries', () => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    assert.equal(eppStatus(word), word)
    assert.equal(domainService(bundledBootstrap('dns'), `x.${word}`), undefined)
  }
})

test('a list that is malformed is an empty one', () => {
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{"services":{}}',
    '{"services":[null,[],[1,2],[["com"],["ftp://x/"]],[["com"],[7]]]}',
  ]) {
    assert.equal(domainService(text, 'example.com'), undefined, text)
    assert.equal(addressService(text, '192.0.2.1'), undefined, text)
    assert.equal(autnumService(text, 1), undefined, text)
  }
})

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const fetched = (status: number, body: unknown, headers: [string, string][] = [], truncated = false) =>
  judgeRdap('https://a.example/domain/x.example', {
    url: 'https://b.example/domain/x.example',
    status,
    headers,
    body: bytes(body),
    truncated,
  })

test('RFC 7480 §5: what a status says about the thing asked for', () => {
  assert.equal(fetched(200, { objectClassName: 'domain' }).outcome, 'found')
  assert.equal(fetched(404, { errorCode: 404 }).outcome, 'not-found')
  assert.equal(fetched(404, '<html>').outcome, 'not-found')
  assert.deepEqual(fetched(429, '', [['Retry-After', '30']]), {
    outcome: 'limited',
    url: 'https://b.example/domain/x.example',
    detail: 'It asks for a pause of 30 s.',
  })
  for (const other of [
    fetched(200, '<html>'),
    fetched(200, '[]'),
    fetched(200, {}, [], true),
    fetched(500, ''),
    fetched(503, ''),
    fetched(400, ''),
    fetched(403, ''),
  ]) {
    assert.equal(other.outcome, 'unreachable')
  }
  const refused = judgeRdap('https://a.example/', { failure: 'It is not allowed.', outcome: 'refused' })
  assert.deepEqual(refused, { outcome: 'refused', url: 'https://a.example/', detail: 'It is not allowed.' })
})

test('RFC 9082 §3.1: addresses of the questions', () => {
  assert.equal(rdapUrl('https://example.com/rdap/', 'ip', '2001:db8::1'), 'https://example.com/rdap/ip/2001:db8::1')
  assert.equal(rdapUrl('https://example.com/rdap/', 'domain', 'a/b?c'), 'https://example.com/rdap/domain/a%2Fb%3Fc')
})

test('RFC 8056 §2: status values by their EPP names, whatever their spelling', () => {
  for (const [text, name] of [
    ['client transfer prohibited', 'clientTransferProhibited'],
    ['serverHold', 'serverHold'],
    ['CLIENT_HOLD', 'clientHold'],
    ['clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited', 'clientDeleteProhibited'],
    ['clientUpdateProhibited (http://www.icann.org/epp#x)', 'clientUpdateProhibited'],
    ['active', 'ok'],
    ['associated', 'linked'],
    ['redemption period', 'redemptionPeriod'],
    ['locked', 'locked'],
    ['Registered until expiry date.', 'Registered until expiry date.'],
  ] as const) {
    assert.equal(eppStatus(text), name)
  }
})

test('RFC 7095: names, structured and unstructured addresses, telephone rather than fax', () => {
  const contact = contactOf([
    'vcard',
    [
      ['version', {}, 'text', '4.0'],
      ['fn', {}, 'text', 'Joe User'],
      ['org', {}, 'text', ['Example', 'Department']],
      ['adr', { label: '123 Maple Ave\nQuebec\nCanada', cc: 'ca' }, 'text', ['', '', '', '', '', '', '']],
      ['tel', { type: 'fax' }, 'uri', 'tel:+1-555-555-9999'],
      ['tel', { type: ['work', 'voice'] }, 'uri', 'tel:+1-555-555-1234'],
      ['email', {}, 'text', 'joe.user@example.com'],
    ],
  ])
  assert.deepEqual(contact, {
    name: 'Joe User',
    org: 'Example',
    address: ['123 Maple Ave', 'Quebec', 'Canada'],
    country: 'CA',
    email: 'joe.user@example.com',
    phone: '+1-555-555-1234',
  })
  assert.equal(contactOf(['vcard', [['fn', {}, 'text', 'REDACTED FOR PRIVACY']]]), undefined)
  for (const broken of [
    undefined,
    null,
    7,
    [],
    ['vcard'],
    ['vcard', 7],
    ['vcard', [7, [], ['fn'], ['adr', {}, 'text']]],
    ['nothing', []],
  ]) {
    assert.equal(contactOf(broken), undefined)
  }
})

test('RFC 9537 §4.2: what was left out is told by its name', () => {
  const registration = registrationOf({
    objectClassName: 'domain',
    ldhName: 'example.com',
    redacted: [{ name: { type: 'Registrant Email' } }, { name: { description: 'Tech Phone' } }, { name: 7 }, null],
  })
  assert.deepEqual(registration?.redacted, ['Registrant Email', 'Tech Phone'])
})

test('RFC 9083 §4.2: the registrar is where a related RDAP link leads', () => {
  const link = (more: object) => ({
    rel: 'related',
    type: 'application/rdap+json',
    href: 'https://r.example/domain/x',
    ...more,
  })
  const own = 'https://own.example/'
  assert.equal(
    relatedLink({ links: [link({ rel: 'self' }), link({ type: 'text/html' }), link({})] }, own),
    'https://r.example/domain/x',
  )
  assert.equal(relatedLink({ links: [link({ href: own })] }, own), undefined)
  assert.equal(relatedLink({ links: 'none' }, own), undefined)
})

test('RFC 9083 §5.4: an IP network', () => {
  assert.partialDeepStrictEqual(
    numberResourceOf({
      objectClassName: 'ip network',
      handle: 'XXXX-RIR',
      startAddress: '2001:db8::',
      endAddress: '2001:db8:0:ffff:ffff:ffff:ffff:ffff',
      ipVersion: 'v6',
      name: 'NET-RTR-1',
      country: 'AU',
      parentHandle: 'YYYY-RIR',
      status: ['active'],
    }),
    {
      handle: 'XXXX-RIR',
      name: 'NET-RTR-1',
      ranges: ['2001:db8:: - 2001:db8:0:ffff:ffff:ffff:ffff:ffff'],
      country: 'AU',
      parent: 'YYYY-RIR',
      statuses: ['active'],
    },
  )
  assert.equal(numberResourceOf({ objectClassName: 'domain' }), undefined)
})

test('whatever a server sends is read without a fault', () => {
  const names = [
    'objectClassName',
    'ldhName',
    'entities',
    'roles',
    'vcardArray',
    'events',
    'eventAction',
    'eventDate',
    'nameservers',
    'ipAddresses',
    'v4',
    'secureDNS',
    'dsData',
    'status',
    'links',
    'rel',
    'href',
    'publicIds',
    'redacted',
    'name',
    'cidr0_cidrs',
    'port43',
    '__proto__',
    'constructor',
  ]
  const words = fc.constantFrom(
    'domain',
    'ip network',
    'autnum',
    'registrar',
    'registrant',
    'abuse',
    'registration',
    'vcard',
    'fn',
    'adr',
    'related',
    'application/rdap+json',
    '2024-01-02T03:04:05Z',
    '',
    '\u0000',
  )
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 8 }),
    ),
  }))
  const check = (answer: Json) => {
    for (const kind of ['domain', 'ip network', 'autnum']) {
      const tagged = { ...answer, objectClassName: kind }
      const read = [
        registrationOf(tagged),
        numberResourceOf(tagged),
        relatedLink(tagged, '') ?? null,
        contactOf(answer.vcardArray),
      ]
      assert.ok(JSON.stringify(read))
    }
  }
  fc.assert(
    fc.property(tree, value => check(object(value) ?? {})),
    { numRuns: 3_000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), value => void readJson(value)))
  // Deep nesting is a fault of the sender and no overflow here.
  assert.equal(readJson(bytes('['.repeat(100_000))), undefined)
  assert.equal(readJson(bytes(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`)), undefined)
  assert.ok(readJson(bytes(`{"a":"${'['.repeat(70)}","b":${'['.repeat(60)}${']'.repeat(60)}}`)))
  check({ entities: Array.from({ length: 10_000 }, () => ({ roles: ['abuse'] })) })
})

test('security H4: quotes behind backslashes are read once, however many there are', () => {
  const start = performance.now()
  assert.equal(readJson(bytes(`{"a":"${'\\"'.repeat(500_000)}`)), undefined)
  assert.ok(performance.now() - start < 2_000)
  assert.ok(readJson(bytes(String.raw`{"a":"\\","b":"\"[","c":["\\\"",{}]}`)))
})
