import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { address } from '@assay/lab/inventory'
import { type App, createApp } from '../src/app.ts'
import { createNetwork } from '../src/network.ts'
import { readSettings } from '../src/settings.ts'
import { unhurried } from './unhurried.ts'

/** Registration data as shipped, guard on, against the lab's registries, good and bad (lab/servers/registry.ts). */
let app: App
before(async () => {
  const settings = readSettings({ ...unhurried, ASSAY_LOOKUPS_PER_MINUTE: '10000', ASSAY_TARGET_PER_MINUTE: '10000' })
  app = await createApp({ settings, log: () => {}, ...createNetwork(settings) })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of several tools, read by the assertions
async function get(path: string): Promise<{ status: number; body: any }> {
  const { statusCode, body } = await app.server.inject({ method: 'GET', url: `/api/${path}/` })
  return { status: statusCode, body: JSON.parse(body) }
}

interface Asked {
  server: string
  protocol: string
  outcome: string
  detail?: string
}
const trail = (servers: Asked[]) => servers.map(({ server, protocol, outcome }) => `${protocol} ${server} ${outcome}`)

test('[API-006] [OPEN-053] RFC 9083: the registry and the registrar it links to, merged into one answer', async () => {
  const { status, body } = await get('whois/www.good.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(trail(body.servers), ['rdap rdap.nic.test found', 'rdap rdap.registrar.test found'])
  assert.equal(body.source, 'rdap')
  const { raw, servers, ...rest } = body
  assert.equal(raw.length, 2)
  assert.ok(!('whois_data' in body))
  assert.deepEqual(rest, {
    domain_info: {
      domain_name: 'good.test',
      registrar: 'Lab Registrar, Inc.',
      whois_server: null,
      domain_id: '900_DOMAIN_TEST-LAB',
      dnssec: 'signedDelegation',
      unicode_name: null,
      registrar_iana_id: '9999',
      registrar_url: null,
    },
    registration_info: {
      creation_date: '2001-02-03T04:05:06Z',
      expiration_date: '2031-02-03T04:05:06Z',
      updated_date: '2026-01-02T02:04:05Z',
    },
    domain_status: ['clientTransferProhibited', 'ok', 'clientDeleteProhibited'],
    nameservers: {
      name_servers: ['ns1.hosting.net', 'ns2.hosting.net'],
      name_server_ips: {
        data: {
          'ns1.hosting.net': [address('ns1.hosting.net').v4, address('ns1.hosting.net').v6],
          'ns2.hosting.net': [address('ns2.hosting.net').v4, address('ns2.hosting.net').v6],
        },
      },
    },
    registrant: {
      name: 'Zoë Müller',
      org: 'Good Café GmbH',
      address: ['Seestrasse 1', 'Zürich', '8001'],
      country: 'Switzerland',
      email: 'zoe@good.test',
      phone: null,
    },
    contacts: {
      admin_contact: { name: null, org: null, address: null, country: null, email: 'admin@good.test', phone: null },
      tech_contact: { name: 'Tech', org: null, address: null, country: null, email: 'tech@good.test', phone: null },
    },
    registrar_info: { registrar_abuse_email: 'abuse@registrar.test', registrar_abuse_phone: '+1.5550100' },
    query: 'good.test',
    kind: 'domain',
    network: null,
    source: 'rdap',
    redacted: ['Registrant Phone'],
  })
})

test('RFC 9224 §4: a service below a path, and one without its final slash', async () => {
  const { status, body } = await get('whois/signed.com')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(trail(body.servers), ['rdap rdap.nic.test found'])
})

test('RFC 3912: without RDAP from IANA to the registry and on to the registrar', async () => {
  const { status, body } = await get('whois/thinwhois.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(trail(body.servers), [
    'rdap rdap.nic.test unreachable',
    'whois whois.iana.org found',
    'whois whois.nic.test found',
    'whois whois.registrar.test found',
  ])
  assert.equal(body.source, 'whois')
  assert.equal(body.registrant.name, 'Thin Person')
  assert.equal(body.contacts.admin_contact.email, 'admin@thinwhois.test')
  assert.equal(body.registrar_info.registrar_abuse_phone, '+1.5550100')
})

test('a referral that leads back ends after two', async () => {
  const { status, body } = await get('whois/loop.test')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(trail(body.servers).slice(1), [
    'whois whois.iana.org found',
    'whois whois.nic.test found',
    'whois whois.loop.registrar.test found',
  ])
})

for (const [name, server] of [
  ['inward.test', '10.0.0.1'],
  ['inward-name.test', 'loopback.rebind.test'],
] as const) {
  test(`[OPEN-008] a referral to ${server} is refused and told`, async () => {
    const { status, body } = await get(`whois/${name}`)
    assert.equal(status, 200, JSON.stringify(body))
    const last = body.servers.at(-1)
    assert.deepEqual([last.server, last.protocol, last.outcome], [server, 'whois', 'refused'])
    assert.match(last.detail, /not allowed/)
    assert.equal(body.domain_info.registrar, 'Lab Registrar, Inc.')
  })
}

test('[OPEN-008] a related link and a redirect into special space are refused and told', async () => {
  const linked = await get('whois/inward-link.test')
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  assert.deepEqual(trail(linked.body.servers), ['rdap rdap.nic.test found', 'rdap 10.0.0.1 refused'])
  const redirected = await get('whois/inward-redirect.test')
  assert.equal(redirected.status, 200, JSON.stringify(redirected.body))
  assert.equal(trail(redirected.body.servers)[0], 'rdap rdap.nic.test refused')
  assert.equal(redirected.body.source, 'whois')
})

test('UTF-8 that arrives octet by octet is whole', async () => {
  const { body } = await get('whois/split.test')
  assert.equal(body.domain_info.registrar, 'Café Zürich Øresund 東京 😀', JSON.stringify(body))
})

test('Latin-1 is read as Latin-1', async () => {
  const { body } = await get('whois/latin.test')
  assert.equal(body.domain_info.registrar, 'Café São João', JSON.stringify(body))
  assert.equal(body.registration_info.creation_date, '2024-01-02')
  assert.equal(body.raw.at(-1).charset, 'iso-8859-1')
})

test('an answer without an end is cut at 256 KiB and used', async () => {
  const { status, body } = await get('whois/endless.test')
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  const { truncated, text } = body.raw.at(-1)
  assert.equal(truncated, true)
  assert.ok(text.length <= 262_144)
  assert.match(body.servers.at(-1).detail, /cut/)
  assert.equal(body.domain_info.registrar, 'Lab Registrar, Inc.')
})

test('RDAP without an end falls back to port 43', async () => {
  const { status, body } = await get('whois/huge.test')
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  assert.equal(trail(body.servers)[0], 'rdap rdap.nic.test unreachable')
  assert.equal(body.source, 'whois')
})

test('a server that takes the question and stays silent is a timeout, not a free name', async () => {
  const { status, body } = await get('whois/mute.test')
  assert.ok(status === 503 || status === 504, `${status} ${JSON.stringify(body)}`)
  assert.doesNotMatch(body.error, /not registered/i)
})

test('RFC 7480 §5.5: 429 is a limit, never "not registered"', async () => {
  const { status, body } = await get('whois/limited.test')
  assert.equal(status, 429, JSON.stringify(body))
  assert.equal(body.error, 'Rate limit exceeded')
})

test('[ERR-004] [WHO-039] a name that neither registry nor DNS know is not registered', async () => {
  for (const name of ['500px-nope.test', 'www.shop404-nope.test', 'timeout-nope.com', 'nope.de']) {
    const { status, body } = await get(`whois/${name}`)
    assert.equal(status, 404, JSON.stringify(body))
    assert.equal(body.error, 'Domain is not registered')
  }
})

test('a name without a record that is in the DNS, and a reserved one, are not called free', async () => {
  const delegated = await get('whois/island.test')
  assert.equal(delegated.status, 404)
  assert.doesNotMatch(JSON.stringify(delegated.body), /not registered/i)
  assert.match(delegated.body.detail, /exists in the DNS/)
  const reserved = await get('whois/reserved.test')
  assert.equal(reserved.status, 404, JSON.stringify(reserved.body))
  assert.doesNotMatch(JSON.stringify(reserved.body), /not registered/i)
  assert.match(reserved.body.error, /set this name aside/)
})

test('.de: not in the list of IANA, so its own RDAP service is tried and then port 43 with -T dn', async () => {
  const { status, body } = await get('whois/shop.de')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(trail(body.servers), [
    'rdap rdap.denic.de unreachable',
    'whois whois.iana.org found',
    'whois whois.denic.de found',
  ])
  assert.deepEqual(body.domain_status, ['connect'])
})

test('RFC 5891: another script is asked for by its A-label, and both are shown', async () => {
  const { status, body } = await get(`whois/${encodeURIComponent('café.test')}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.domain_info.domain_name, 'xn--caf-dma.test')
  assert.equal(body.domain_info.unicode_name, 'café.test')
})

test('what would move a terminal or turn the text around is written out', async () => {
  const { body } = await get('whois/markup.test')
  const { text } = body.raw.at(-1)
  assert.ok(text.includes('\\u{1b}[31m<script>alert(1)</script>\\u{202e}'), text)
  assert.ok(!/\p{Bidi_Control}|\\u001b/u.test(JSON.stringify(body)))
})

test('[VAL-014] [OPEN-034] [OPEN-038] an address and an AS number: the holder in the fields of a domain', async () => {
  const { v4, v6 } = address('www.good.test')
  for (const ip of [v4, v6]) {
    const { status, body } = await get(`whois/${encodeURIComponent(ip)}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.registrant.name ?? body.registrant.org, 'Lab Hosting AG')
    assert.equal(body.registrar_info.registrar_abuse_email, 'abuse@hosting.net')
    assert.equal(body.network.name, 'LAB-HOSTING')
    assert.equal(body.domain_info.registrar, null)
  }
  const autnum = await get('whois/as64496')
  assert.equal(autnum.body.network?.ranges[0], 'AS64496', JSON.stringify(autnum.body))
  const fallback = await get('whois/28.4.0.9')
  assert.equal(fallback.body.source, 'whois', JSON.stringify(fallback.body))
  assert.equal(fallback.body.registrant.org, 'Lab Bad AG')
  const special = await get('whois/10.0.0.1')
  assert.deepEqual([special.body.source, special.body.servers], ['table', []])
  for (const wrong of ['abc', '999.1.1.1', 'AS99999999999']) {
    const { status } = await get(`whois/${wrong}`)
    assert.equal(status, 400, wrong)
  }
})

test('[OPEN-071] ip-lookup: registry, announcer and name of an address, over IPv4 and IPv6', async () => {
  const { v4, v6 } = address('www.good.test')
  for (const ip of [v4, v6]) {
    const { status, body } = await get(`ip-lookup/${encodeURIComponent(ip)}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { reverse_dns, organization, country, asn, as_name, range_class, version } = body
    assert.deepEqual(
      { reverse_dns, organization, country, asn, as_name, range_class, version },
      {
        reverse_dns: 'www.good.test',
        organization: 'Lab Hosting AG',
        country: 'CH',
        asn: 64_496,
        as_name: 'LAB-HOSTING Lab Hosting',
        range_class: 'Public',
        version: ip === v4 ? 4 : 6,
      },
    )
  }
})

test('[OPEN-022] [OPEN-071] ip-lookup: a registry that fails leaves the rest standing and is told', async () => {
  const { status, body } = await get('ip-lookup/28.4.0.9')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.network, null)
  assert.equal(body.sources.find(({ source }: { source: string }) => source === 'RDAP').outcome, 'failed')
})

test('[OPEN-071] ip-lookup: special addresses are answered from the table', async () => {
  for (const [ip, name] of [
    ['10.1.2.3', 'Private use'],
    ['127.0.0.1', 'Loopback'],
    ['100.64.0.1', 'Shared address space'],
    ['fe80::1', 'Link-local unicast'],
  ]) {
    const { status, body } = await get(`ip-lookup/${encodeURIComponent(String(ip))}`)
    assert.equal(status, 200)
    assert.equal(body.range_class, name)
    assert.ok(body.sources.every(({ outcome }: { outcome: string }) => outcome === 'not asked'))
  }
})

test('[VAL-034] [VAL-035] ip-lookup and reverse-ip take addresses only', async () => {
  for (const tool of ['ip-lookup', 'reverse-ip']) {
    const { status, body } = await get(`${tool}/example.com`)
    assert.equal(status, 400)
    assert.equal(body.error, 'Invalid IP')
  }
})

test('[OPEN-071] reverse-ip: names of PTR and certificate with their sources, confirmed or not', async () => {
  const { v4, v6 } = address('www.good.test')
  for (const ip of [v4, v6]) {
    const { status, body } = await get(`reverse-ip/${encodeURIComponent(ip)}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.complete, false)
    const row = (name: string) => body.domains.find(({ domain }: { domain: string }) => domain === name)
    assert.deepEqual(row('www.good.test').sources, ['PTR', 'certificate'])
    assert.equal(row('www.good.test').forward_confirmed, true)
    assert.deepEqual([row('good.test').source, row('good.test').forward_confirmed], ['certificate', true])
    assert.deepEqual([row('weak.good.test').source, row('weak.good.test').forward_confirmed], ['certificate', false])
  }
  const liar = await get(`reverse-ip/${address('liar.good.test').v4}`)
  assert.deepEqual(
    liar.body.domains.map(({ domain, forward_confirmed }: { domain: string; forward_confirmed: boolean }) => [
      domain,
      forward_confirmed,
    ]),
    [['www.good.test', false]],
  )
  assert.equal((await get('reverse-ip/10.0.0.1')).status, 400)
})
