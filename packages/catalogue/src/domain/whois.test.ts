import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, type Panel, Problem, performed, type Recording } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { whois } from './whois.ts'

const [action] = whois.actions
assert.ok(action)
const show = (result: unknown): Panel[] => action.show?.(result, {}) ?? []
const run = (domain: string, recording: Recording) => performed(action, { domain }, replay(recording))

const textOf = (cell: Cell): string => (typeof cell === 'object' ? cell.text : String(cell))
/** The cards as title and lines. */
const cardsOf = (panels: readonly Panel[]) =>
  Object.fromEntries(
    panels.flatMap(panel => {
      if (panel.kind === 'facts')
        return [[panel.title, panel.facts.map(([label, value]) => `${label}: ${textOf(value)}`)]]
      if (panel.kind !== 'list') return []
      return [
        [
          panel.title,
          panel.items.length ? panel.items.map(({ text, detail }) => [textOf(text), detail].join(' ')) : [panel.empty],
        ],
      ]
    }),
  )

const full = {
  domain_info: {
    domain_name: 'example.com',
    registrar: 'Foo Ltd',
    whois_server: 'whois.example.net',
    domain_id: 'D1',
    dnssec: ['signedDelegation', 'x'],
  },
  registration_info: {
    creation_date: ['2025-07-01T00:30:00Z', '2024-01-01'],
    expiration_date: '2026-07-01',
    updated_date: 'no date',
  },
  domain_status: ['ok', 'clientHold'],
  nameservers: {
    name_servers: ['ns1.example.com', 'ns2.example.com'],
    name_server_ips: { data: { 'ns1.example.com': ['192.0.2.1', '2001:db8::1'] } },
  },
  registrant: { name: 'Joe', org: 'Example', address: ['Street 1', 'Town'], country: 'CH', email: 'joe@example.com' },
  contacts: { admin_contact: { email: 'a@example.com' }, tech_contact: { email: 't@example.com' } },
  registrar_info: { registrar_abuse_email: 'abuse@example.net', registrar_abuse_phone: '+1.5550100' },
}
const cards = {
  'Domain Information': [
    'Domain Name: example.com',
    'Registrar: Foo Ltd',
    'Whois Server: whois.example.net',
    'Domain ID: D1',
    'DNSSEC: signedDelegation, x',
  ],
  'Registration Dates': ['Created: Jul 1, 2025', 'Expires: Jul 1, 2026', 'Updated: Not available'],
  'Domain Status': [
    'ok Nothing is pending and nothing is forbidden.',
    'clientHold The registrar has taken it out of the DNS.',
  ],
  Nameservers: ['ns1.example.com 192.0.2.1, 2001:db8::1', 'ns2.example.com Not available'],
  Registrant: [
    'Name: Joe',
    'Organization: Example',
    'Address: Street 1, Town',
    'Country: CH',
    'Email: joe@example.com',
  ],
  Contacts: ['Admin Email: a@example.com', 'Tech Email: t@example.com'],
  'Registrar Abuse': ['Email: abuse@example.net', 'Phone: +1.5550100'],
}

test('[WHO-007] [WHO-009] [WHO-011] [WHO-012] [WHO-013] [WHO-014] [WHO-015] [WHO-016] [WHO-017] [WHO-018] [WHO-019] [WHO-021] [WHO-022] [OPEN-055] the cards, with lists and single values alike', () => {
  assert.deepEqual(cardsOf(show(full)), cards)
})

test('[WHO-023] [WHO-024] [WHO-025] [WHO-026] [WHO-027] [WHO-028] [WHO-029] [WHO-030] [WHO-031] [WHO-032] an address as one text', () => {
  const card = cardsOf(show({ ...full, registrant: { ...full.registrant, address: 'Street 1, Town' } }))
  assert.deepEqual(card.Registrant, cards.Registrant)
})

test('a status that is the name of a property of every object has no meaning', () => {
  assert.deepEqual(cardsOf(show({ domain_status: ['constructor'], source: 'toString' }))['Domain Status'], [
    'constructor ',
  ])
})

test('[WHO-038] [OPEN-053] an answer in a wrapper is shown the same', () => {
  assert.deepEqual(show({ whois_data: full }), show(full))
})

test('[WHO-020] [WHO-034] [OPEN-054] what is missing says N/A, or Not available for dates and name servers', () => {
  const nothing = {
    'Domain Information': ['Domain Name: N/A', 'Registrar: N/A', 'Whois Server: N/A', 'Domain ID: N/A', 'DNSSEC: N/A'],
    'Registration Dates': ['Created: Not available', 'Expires: Not available', 'Updated: Not available'],
    'Domain Status': ['No status reported'],
    Nameservers: ['Not available'],
    Registrant: ['Name: N/A', 'Organization: N/A', 'Address: N/A', 'Country: N/A', 'Email: N/A'],
    Contacts: ['Admin Email: N/A', 'Tech Email: N/A'],
    'Registrar Abuse': ['Email: N/A', 'Phone: N/A'],
  }
  const groups = ['domain_info', 'registration_info', 'nameservers', 'registrant', 'contacts', 'registrar_info']
  for (const empty of [
    {},
    Object.fromEntries(groups.map(group => [group, {}])),
    Object.fromEntries(groups.map(group => [group, null])),
  ]) {
    assert.deepEqual(cardsOf(show(empty)), nothing)
  }
})

test('[WHO-008] [WHO-010] the name and the server are links; what is no host name is none', () => {
  const linksOf = (result: unknown) =>
    show(result).flatMap(panel =>
      panel.kind === 'facts'
        ? panel.facts.flatMap(([label, value]) =>
            typeof value === 'object' && value.href ? [[label, value.href]] : [],
          )
        : [],
    )
  assert.deepEqual(linksOf(full), [
    ['Domain Name', 'http://example.com'],
    ['Whois Server', 'http://whois.example.net'],
  ])
  assert.deepEqual(linksOf({ domain_info: { whois_server: 'javascript:alert(1)' } }), [])
})

const json = (body: object, status = 200, headers: [string, string][] = []) => ({
  status,
  headers,
  body: JSON.stringify(body),
})
const bootstrap = { 'https://data.iana.org/rdap/dns.json': json({ services: [[['test'], ['https://rdap.test/']]] }) }
const problem = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && words.test(error.message)

test('[ERR-004] not registered takes two: no record at the registry and no name in the DNS', async () => {
  const http = { ...bootstrap, 'https://rdap.test/domain/nope.test': json({}, 404) }
  await assert.rejects(run('nope.test', { http }), problem('not-found', /^Domain is not registered$/))
  await assert.rejects(
    run('nope.test', { http, zone: 'nope.test. NS ns1.test.' }),
    problem('not-found', /holds no record/),
  )
  const limited = { ...bootstrap, 'https://rdap.test/domain/nope.test': json({}, 429) }
  await assert.rejects(run('nope.test', { http: limited }), problem('limited', /no more questions/))
})

test('[OPEN-022] with the network cut there is an error and no answer', async () => {
  await assert.rejects(run('example.com', {}), problem('unreachable', /No registry gave an answer/))
  await assert.rejects(run('8.8.8.8', {}), problem('unreachable', /No registry gave an answer/))
  await assert.rejects(run('AS64496', {}), problem('unreachable', /No registry gave an answer/))
})

test('a top-level domain that nobody keeps is told as that', async () => {
  const iana = '% This query returned 0 objects.'
  await assert.rejects(
    run('shop.nosuch', { whois: { 'whois.iana.org shop.nosuch': iana } }),
    problem('not-found', /has no registry/),
  )
})

test('an answer that says little is completed on port 43', async () => {
  const answer = { objectClassName: 'domain', ldhName: 'thin.test', status: ['active'] }
  const { result } = await run('thin.test', {
    http: { ...bootstrap, 'https://rdap.test/domain/thin.test': json(answer) },
    whois: {
      'whois.iana.org thin.test': 'refer: whois.nic.test',
      'whois.nic.test thin.test': 'Domain: thin.test\nRegistrar: Lab\nCreated: 02.01.2024',
    },
  })
  assert.partialDeepStrictEqual(result, {
    source: 'both',
    domain_info: { registrar: 'Lab' },
    domain_status: ['ok'],
    registration_info: { creation_date: '2024-01-02' },
  })
})

test('a registrar that answers about another name is not believed', async () => {
  const answer = {
    objectClassName: 'domain',
    ldhName: 'a.test',
    links: [{ rel: 'related', type: 'application/rdap+json', href: 'https://evil.test/' }],
    entities: [{ roles: ['registrar'], handle: '1' }],
  }
  const other = {
    objectClassName: 'domain',
    ldhName: 'b.test',
    entities: [{ roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Somebody Else']]] }],
  }
  const { result } = await run('a.test', {
    http: { ...bootstrap, 'https://rdap.test/domain/a.test': json(answer), 'https://evil.test/': json(other) },
  })
  assert.partialDeepStrictEqual(result, { registrant: { name: null } })
})

test('a registry that answers about another name is not believed either', async () => {
  const other = { objectClassName: 'domain', ldhName: 'b.test', handle: 'B', status: ['active'] }
  const http = { ...bootstrap, 'https://rdap.test/domain/a.test': json(other) }
  await assert.rejects(run('a.test', { http }), problem('unreachable', /No registry gave an answer/))
  const own = {
    objectClassName: 'domain',
    ldhName: 'CAFÉ.test',
    events: [{ eventAction: 'registration', eventDate: '2024-01-02' }],
  }
  const { result } = await run('café.test', {
    http: { ...bootstrap, 'https://rdap.test/domain/xn--caf-dma.test': json(own) },
  })
  assert.partialDeepStrictEqual(result, { registration_info: { creation_date: '2024-01-02' } })
})

test('[OPEN-034] an AS number is one of 32 bits, and abc is nothing', async () => {
  for (const domain of ['abc', 'AS', 'AS4294967296', 'AS01', '999.1.1.1', 'as 1']) {
    await assert.rejects(run(domain, {}), problem('invalid-input', /^Invalid (domain|IP)$/), domain)
  }
})
