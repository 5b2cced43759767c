import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entriesIn, referralIn, type Verdict, verdictOf } from './answer.ts'
import { answers } from './answers.fixture.ts'
import { registrationIn } from './domain.ts'
import { numberResourceIn } from './number.ts'
import { mergeRegistrations, type Registration, saysAnything } from './registration.ts'
import { decodeAnswer, questionFor, visibleText } from './server.ts'

const read = (key: keyof typeof answers, name: string) => registrationIn(entriesIn(answers[key]), name)

const cases: readonly (readonly [keyof typeof answers, string, Partial<Registration>])[] = [
  [
    'verisign',
    'shop.com',
    {
      name: 'shop.com',
      handle: '1234_DOMAIN_COM-VRSN',
      registrar: 'Lab Registrar, Inc.',
      registrarId: '9999',
      whoisServer: 'whois.registrar.test',
      dnssec: 'signedDelegation',
      created: '1995-08-14T04:00:00Z',
      expires: '2025-08-13T04:00:00Z',
      updated: '2024-08-14T07:01:34Z',
      statuses: ['clientDeleteProhibited', 'clientTransferProhibited'],
      nameServers: [
        { name: 'ns1.shop.com', addresses: [] },
        { name: 'ns2.shop.com', addresses: [] },
      ],
      contacts: { abuse: { email: 'abuse@registrar.test', phone: '+1.5550100' } },
    },
  ],
  [
    'nominet',
    'shop.co.uk',
    {
      registrar: 'Lab Names Ltd',
      created: 'before 1996-08',
      expires: '2025-08-01',
      updated: '2024-07-02',
      nameServers: [
        { name: 'ns1.shop.co.uk', addresses: ['192.0.2.1', '2001:db8::1'] },
        { name: 'ns2.other.test', addresses: [] },
      ],
    },
  ],
  [
    'denic',
    'shop.de',
    {
      statuses: ['connect'],
      dnssec: 'signedDelegation',
      updated: '2024-01-02T01:04:05Z',
      nameServers: [
        { name: 'ns1.shop.de', addresses: ['192.0.2.1'] },
        { name: 'ns2.other.test', addresses: [] },
      ],
    },
  ],
  [
    'jprs',
    'shop.jp',
    { name: 'shop.jp', created: '2001-02-03', expires: '2025-02-28', updated: '2024-02-29T16:05:05Z' },
  ],
  [
    'br',
    'shop.com.br',
    {
      created: '1998-03-09',
      expires: '2025-03-09',
      contacts: { registrant: { name: 'Padaria São João', email: 'joao@shop.com.br' } },
    },
  ],
  [
    'eurid',
    'shop.eu',
    {
      registrar: 'Lab Registrar BV',
      contacts: { tech: { org: 'Lab Hosting BV', email: 'tech@hosting.test' } },
      nameServers: [
        { name: 'ns1.shop.eu', addresses: ['192.0.2.1', '2001:db8::1'] },
        { name: 'ns2.other.test', addresses: [] },
      ],
    },
  ],
  [
    'ru',
    'shop.ru',
    {
      statuses: ['REGISTERED', 'DELEGATED', 'VERIFIED'],
      registrar: 'LAB-RU',
      expires: '2025-09-30T21:00:00Z',
      contacts: { registrant: { org: 'Lab LLC' } },
    },
  ],
  [
    'fr',
    'shop.fr',
    {
      registrar: 'LAB REGISTRAR',
      expires: '2025-03-04T05:06:07Z',
      contacts: {
        registrant: {
          org: 'Boutique du Labo',
          address: ['2 rue du Labo', '75001 Paris'],
          country: 'FR',
          email: 'titulaire@shop.fr',
        },
      },
    },
  ],
  [
    'it',
    'shop.it',
    {
      registrar: 'Lab Registrar s.r.l.',
      dnssec: 'unsigned',
      contacts: {
        registrant: { org: 'Negozio S.p.A.', address: ['Via Prova 1', 'Roma', '00100', 'RM', 'IT'] },
        admin: { name: 'Mario Rossi' },
      },
    },
  ],
  [
    'tr',
    'shop.com.tr',
    {
      created: '2001-08-23',
      expires: '2025-08-22',
      nameServers: [
        { name: 'ns1.shop.com.tr', addresses: ['192.0.2.1'] },
        { name: 'ns2.other.test', addresses: [] },
      ],
    },
  ],
  ['kr', 'shop.kr', { registrar: 'Lab Agency', created: '2001-02-03', expires: '2025-02-03', dnssec: 'unsigned' }],
]

for (const [key, name, expected] of cases) {
  test(`RFC 3912: an answer in the shape of ${key}`, () => {
    const registration = read(key, name)
    assert.partialDeepStrictEqual(registration, expected)
    assert.ok(saysAnything(registration))
  })
}

const verdicts: Readonly<Record<Exclude<Verdict, 'found'>, readonly string[]>> = {
  'not-found': [
    'No match for "NOPE.COM".\n>>> Last update <<<\nNOTICE: terms of use',
    'Domain not found.',
    'Domain: nope.com\nStatus: free',
    '%% NOT FOUND',
    '    No match for "nope.com".\n\n    This domain name has not been registered.',
    'Domain: nope.com\nStatus:\tAVAILABLE',
    'No match!!',
    'No entries found for the selected source(s).',
    'nope.com is free',
    '% nothing found',
    'The queried object does not exist: nope.com',
  ],
  limited: [
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS',
    '%ERROR:201: access denied\nQuota exceeded',
    'Too many requests, try again later',
    'Error: rate limit exceeded. No match for the domain',
    '% Excessive querying, grace period of 30 seconds.',
    '55000000002 Connection refused; access control limit exceeded',
    'Number of allowed queries exceeded.',
  ],
  reserved: [
    'This name is reserved by the registry',
    'This domain cannot be registered because it contravenes the rules',
    'Domain: nope.com\nStatus: reserved',
  ],
  unclear: ['', 'Hello there', 'NOTICE: you agree that the limit is not to be exceeded and names are not found'],
}
for (const [verdict, texts] of Object.entries(verdicts)) {
  test(`an answer that says "${verdict}" is no registration and nothing else`, () => {
    for (const text of texts) {
      assert.equal(verdictOf(text, 'nope.com'), verdict, text)
      assert.ok(!saysAnything(registrationIn(entriesIn(text), 'nope.com')), text)
    }
  })
}

test('a referral is a host and nothing else', () => {
  const referral = (line: string) => referralIn(entriesIn(line))
  assert.equal(referral('refer: whois.nic.test'), 'whois.nic.test')
  assert.equal(referral('ReferralServer: whois://whois.ripe.net:43'), 'whois.ripe.net')
  assert.equal(referral('Registrar WHOIS Server: 10.0.0.1'), '10.0.0.1')
  for (const line of [
    'refer: rwhois://rwhois.example.net:4321',
    'refer: whois.example.net:25',
    'refer: localhost',
    'refer: a b.example',
    'refer: http://x.example/',
    'Registrar WHOIS Server:',
  ]) {
    assert.equal(referral(line), undefined, line)
  }
})

test('names that every object has are no fields', () => {
  const text =
    'Registrant:\n  constructor: x\n  __proto__: y\n  Name: Joe\n\nRegistrant toString: z\nDomain Status: constructor'
  const registration = registrationIn(entriesIn(text), 'nope.com')
  assert.deepEqual(registration.contacts, { registrant: { name: 'Joe' } })
  assert.deepEqual(registration.statuses, ['constructor'])
})

test('the second source fills gaps, and no more', () => {
  const registry = read('verisign', 'shop.com')
  const merged = mergeRegistrations(registry, { ...read('fr', 'shop.fr'), created: '1999-01-01' })
  assert.equal(merged.created, registry.created)
  assert.equal(merged.contacts.registrant?.org, 'Boutique du Labo')
  assert.equal(merged.contacts.abuse?.email, 'abuse@registrar.test')
})

test('UTF-8 is read whole wherever the answer was cut, Latin-1 and others by their server', () => {
  const text = 'Registrar: Café 東京 😀'
  const bytes = new TextEncoder().encode(text)
  assert.deepEqual(decodeAnswer('whois.example.net', bytes), { text, charset: 'utf-8' })
  for (let end = 0; end <= bytes.length; end++) {
    const { text: part, charset } = decodeAnswer('whois.example.net', bytes.subarray(0, end))
    assert.equal(charset, 'utf-8')
    assert.ok(text.startsWith(part), part)
  }
  const latin = Uint8Array.from('São João', c => c.charCodeAt(0))
  assert.deepEqual(decodeAnswer('whois.registro.br', latin), { text: 'São João', charset: 'iso-8859-1' })
  assert.deepEqual(decodeAnswer('whois.unknown.test', latin), { text: 'São João', charset: 'iso-8859-1' })
  // Three letters in windows-1251; 東 in ISO-2022-JP (JIS X 0208 row 37, cell 76).
  assert.equal(decodeAnswer('whois.cctld.kg', Uint8Array.of(0xc4, 0xee, 0xec)).text, 'Дом')
  assert.equal(decodeAnswer('whois.jprs.jp', Uint8Array.of(0x1b, 0x24, 0x42, 0x45, 0x6c, 0x1b, 0x28, 0x42)).text, '東')
})

test('the question is put as the server wants it', () => {
  assert.equal(questionFor('whois.denic.de', 'shop.de'), '-T dn shop.de')
  assert.equal(questionFor('whois.verisign-grs.com', 'shop.com'), 'domain shop.com')
  assert.equal(questionFor('whois.jprs.jp', 'shop.jp'), 'shop.jp/e')
  assert.equal(questionFor('whois.arin.net', 'AS64496', 'number'), 'a 64496')
  assert.equal(questionFor('whois.nic.test', 'shop.test'), 'shop.test')
})

test('what does not show is written out', () => {
  assert.equal(visibleText('a\r\nb\u001b[2J\u202e\tc\u0000'), 'a\nb\\u{1b}[2J\\u{202e}\tc\\u{0}')
})

test('an address block of a regional registry', () => {
  const ripe = `% Information
inetnum:        192.0.2.0 - 192.0.2.255
netname:        LAB-NET
country:        CH
status:         ASSIGNED PA
created:        2020-01-02T03:04:05Z

organisation:   ORG-LAB
org-name:       Lab AG
abuse-mailbox:  abuse@lab.test`
  assert.partialDeepStrictEqual(numberResourceIn(entriesIn(ripe)), {
    ranges: ['192.0.2.0 - 192.0.2.255'],
    name: 'LAB-NET',
    country: 'CH',
    organization: { org: 'Lab AG', country: 'CH' },
    abuse: { email: 'abuse@lab.test' },
    created: '2020-01-02T03:04:05Z',
  })
})

test('whatever a server says is read without a fault, however long its lines', () => {
  const words = [
    'Domain:',
    'nope.com',
    'Registrar',
    ':',
    '[',
    ']',
    ' ',
    '    ',
    '\n',
    '\t',
    '...',
    '%',
    '** ',
    'ns1.x.test',
    '::1',
    'Created: 2024-01-02',
  ]
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), { maxLength: 80 })
      .map(all => all.join('')),
    fc
      .tuple(
        fc.constantFrom(...Object.values(answers)),
        fc.array(fc.tuple(fc.nat(2_000), fc.string({ maxLength: 4 })), { maxLength: 6 }),
      )
      .map(([text, edits]) => edits.reduce((now, [at, put]) => now.slice(0, at) + put + now.slice(at + 1), text)),
  )
  fc.assert(
    fc.property(texts, text => {
      const entries = entriesIn(visibleText(text))
      const registration = registrationIn(entries, 'nope.com')
      numberResourceIn(entries)
      referralIn(entries)
      verdictOf(text, 'nope.com')
      assert.deepEqual(JSON.parse(JSON.stringify(registration)), registration)
    }),
    { numRuns: 3_000 },
  )
  for (const long of [
    'a'.repeat(262_144),
    ' '.repeat(262_144),
    ': '.repeat(131_072),
    '.'.repeat(262_144),
    'a\n'.repeat(131_072),
    'limit '.repeat(43_000),
    '['.repeat(262_144),
  ]) {
    const entries = entriesIn(long)
    assert.ok(!saysAnything(registrationIn(entries, 'nope.com')))
    assert.ok(verdictOf(long, 'nope.com'))
  }
})
