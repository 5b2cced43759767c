/**
 * Registration data: IANA's list of RDAP services, a registry, a registrar, a regional registry and DENIC, over RDAP
 * (RFC 9083) and WHOIS (RFC 3912), with the faults that servers of the kind have or could have. What is asked for
 * decides; see the tables.
 *
 * usage: registry.ts LAB
 */
import fs from 'node:fs'
import type http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import { host } from '../src/inventory.ts'

const [lab = ''] = process.argv.slice(2)
const certificate = {
  key: fs.readFileSync(path.join(lab, 'tls/registries.key')),
  cert: fs.readFileSync(path.join(lab, 'tls/registries.pem')),
}

type Page = (response: http.ServerResponse) => void

const json =
  (body: object): Page =>
  response => {
    response.writeHead(200, { 'content-type': 'application/rdap+json' })
    response.end(JSON.stringify(body))
  }
const error =
  (status: number, headers: http.OutgoingHttpHeaders = {}): Page =>
  response => {
    response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers })
    response.end(JSON.stringify({ errorCode: status, title: status === 404 ? 'Not found' : 'Error' }))
  }

const services = (...rows: (readonly [entries: string[], url: string])[]) =>
  json({
    version: '1.0',
    publication: '2026-01-01T00:00:00Z',
    services: rows.map(([entries, url]) => [entries, [url]]),
  })

/** The slash at the end is missing where RFC 9224 §3 says that clients are to supply it. */
const iana: Readonly<Record<string, Page>> = {
  '/rdap/dns.json': services([['test'], 'https://rdap.nic.test'], [['com', 'net'], 'https://rdap.nic.test/com/v1/']),
  '/rdap/ipv4.json': services([['26.0.0.0/8', '28.0.0.0/8'], 'https://rdap.rir.test/']),
  '/rdap/ipv6.json': services([['2a00::/12'], 'https://rdap.rir.test/']),
  '/rdap/asn.json': services([['64496-64511'], 'https://rdap.rir.test/']),
}

const card = (...properties: (readonly [name: string, value: unknown])[]) => [
  'vcard',
  [
    ['version', {}, 'text', '4.0'],
    ...properties.map(([name, value]) => [name, {}, name === 'tel' ? 'uri' : 'text', value]),
  ],
]
const entity = (role: string, vcardArray: unknown, more: object = {}) => ({
  objectClassName: 'entity',
  roles: [role],
  vcardArray,
  ...more,
})
const dated = (eventAction: string, eventDate: string) => ({ eventAction, eventDate })

const registrar = entity('registrar', card(['fn', 'Lab Registrar, Inc.']), {
  publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
  entities: [entity('abuse', card(['fn', ''], ['tel', 'tel:+1.5550100'], ['email', 'abuse@registrar.test']))],
})

const thin = (name: string, more: object = {}) => ({
  objectClassName: 'domain',
  handle: `${name.length}00_DOMAIN_TEST-LAB`,
  ldhName: name.toUpperCase(),
  status: ['client transfer prohibited', 'active'],
  nameservers: ['NS1.HOSTING.NET', 'NS2.HOSTING.NET'].map(ldhName => ({ objectClassName: 'nameserver', ldhName })),
  secureDNS: { delegationSigned: true },
  events: [
    dated('registration', '2001-02-03T04:05:06Z'),
    dated('expiration', '2031-02-03T04:05:06Z'),
    dated('last changed', '2026-01-02T03:04:05+01:00'),
  ],
  entities: [registrar],
  ...more,
})
const related = (href: string) => ({ links: [{ rel: 'related', type: 'application/rdap+json', href }] })

/** More than any reader takes. */
const huge: Page = response => {
  response.writeHead(200, { 'content-type': 'application/rdap+json' })
  const more = () => {
    while (response.write(`[${'1,'.repeat(16_384)}`)) if (response.destroyed) return
  }
  response.on('drain', more)
  more()
}

const registry: Readonly<Record<string, Page>> = {
  '/domain/good.test': json(thin('good.test', related('https://rdap.registrar.test/domain/good.test'))),
  '/domain/xn--caf-dma.test': json(thin('xn--caf-dma.test')),
  '/com/v1/domain/signed.com': json(thin('signed.com')),
  '/domain/inward-link.test': json(thin('inward-link.test', related('http://10.0.0.1/domain/inward-link.test'))),
  '/domain/inward-redirect.test': error(302, { location: 'http://169.254.169.254/latest/' }),
  '/domain/limited.test': error(429, { 'retry-after': '30' }),
  '/domain/huge.test': huge,
  ...Object.fromEntries(
    [
      'broken',
      'thinwhois',
      'loop',
      'inward',
      'inward-name',
      'endless',
      'split',
      'latin',
      'reserved',
      'mute',
      'markup',
    ].map(label => [`/domain/${label}.test`, error(503)]),
  ),
}

const registrars: Readonly<Record<string, Page>> = {
  '/domain/good.test': json({
    ...thin('good.test'),
    status: ['client delete prohibited'],
    entities: [
      registrar,
      entity(
        'registrant',
        card(
          ['fn', 'Zoë Müller'],
          ['org', 'Good Café GmbH'],
          ['adr', ['', '', ['Seestrasse 1'], 'Zürich', '', '8001', 'Switzerland']],
          ['email', 'zoe@good.test'],
        ),
      ),
      entity('administrative', card(['fn', 'REDACTED FOR PRIVACY'], ['email', 'admin@good.test'])),
      entity('technical', card(['fn', 'Tech'], ['email', 'tech@good.test'])),
    ],
    redacted: [{ name: { type: 'Registrant Phone' }, method: 'removal' }],
  }),
}

const network = {
  objectClassName: 'ip network',
  handle: 'NET-26-3-0-0-1',
  startAddress: '26.3.0.0',
  endAddress: '26.3.255.255',
  cidr0_cidrs: [{ v4prefix: '26.3.0.0', length: 16 }],
  ipVersion: 'v4',
  name: 'LAB-HOSTING',
  country: 'CH',
  status: ['active'],
  port43: 'whois.rir.test',
  events: [dated('registration', '2020-01-02T00:00:00Z')],
  entities: [
    entity('registrant', card(['fn', 'Lab Hosting AG']), {
      entities: [entity('abuse', card(['fn', 'Abuse'], ['email', 'abuse@hosting.net']))],
    }),
  ],
}

const rir: Readonly<Record<string, Page>> = {
  '/ip/26.3.0.10': json(network),
  '/ip/2a0f:1ab:3::10': json({
    ...network,
    handle: 'NET6-2A0F-1AB-3',
    cidr0_cidrs: [{ v6prefix: '2a0f:1ab:3::', length: 48 }],
  }),
  '/ip/28.4.0.9': error(503),
  '/autnum/64496': json({
    objectClassName: 'autnum',
    handle: 'AS64496',
    startAutnum: 64_496,
    endAutnum: 64_496,
    name: 'LAB-HOSTING',
    country: 'CH',
  }),
}

const rdap: Readonly<Record<string, Readonly<Record<string, Page>>>> = {
  'data.iana.org': iana,
  'rdap.nic.test': registry,
  'rdap.registrar.test': registrars,
  'rdap.rir.test': rir,
  'rdap.denic.de': { '/domain/shop.de': error(503) },
}

for (const [name, pages] of Object.entries(rdap)) {
  const { v4, v6 } = host(name)
  for (const address of [...v4, ...v6]) {
    https
      .createServer(certificate, (request, response) => (pages[request.url ?? ''] ?? error(404))(response))
      .listen(443, address)
  }
}

type Answer = (socket: net.Socket) => void

const text =
  (...lines: string[]): Answer =>
  socket =>
    socket.end(`${lines.join('\r\n')}\r\n`)

const record = (name: string, ...more: string[]) => [
  `   Domain Name: ${name.toUpperCase()}`,
  '   Registry Domain ID: 4711_DOMAIN_TEST-LAB',
  '   Updated Date: 2026-01-02T03:04:05Z',
  '   Creation Date: 2001-02-03T04:05:06Z',
  '   Registry Expiry Date: 2031-02-03T04:05:06Z',
  '   Registrar: Lab Registrar, Inc.',
  '   Domain Status: ok https://icann.org/epp#ok',
  '   Name Server: NS1.HOSTING.NET',
  '   DNSSEC: unsigned',
  ...more,
  '',
  'NOTICE: you agree not to exceed the query limit; names may be reserved or not found.',
]
const refers = (name: string, server: string) => text(...record(name, `   Registrar WHOIS Server: ${server}`))

/** In one segment each, so that no reader sees two octets of a character together. */
const octetByOctet =
  (whole: Buffer): Answer =>
  socket => {
    socket.setNoDelay(true)
    let at = 0
    const next = () => {
      if (at === whole.length || socket.destroyed) return void socket.end()
      socket.write(whole.subarray(at, ++at), () => setImmediate(next))
    }
    next()
  }

const endless: Answer = socket => {
  const line = Buffer.from(`Name Server: NS1.HOSTING.NET\r\n${'remarks: more and more\r\n'.repeat(500)}`)
  const more = () => {
    while (!socket.destroyed && socket.write(line));
  }
  socket.on('drain', more)
  socket.write(record('endless.test').join('\r\n'))
  more()
}

const accents = [
  'Domain Name: split.test',
  'Registrar: Café Zürich Øresund 東京 😀',
  'Creation Date: 2001-02-03',
  'Name Server: ns1.hosting.net',
]

const registryWhois: Readonly<Record<string, Answer>> = {
  'broken.test': text(...record('broken.test')),
  'thinwhois.test': refers('thinwhois.test', 'whois.registrar.test'),
  'loop.test': refers('loop.test', 'whois.loop.registrar.test'),
  'inward.test': refers('inward.test', '10.0.0.1'),
  'inward-name.test': refers('inward-name.test', 'loopback.rebind.test'),
  'inward-link.test': text(...record('inward-link.test')),
  'inward-redirect.test': text(...record('inward-redirect.test')),
  'huge.test': text(...record('huge.test')),
  'limited.test': text('Error: query rate limit exceeded. Try again later.'),
  'reserved.test': text('This name is reserved by the registry and cannot be registered.'),
  'endless.test': endless,
  'split.test': octetByOctet(Buffer.from(accents.join('\r\n'))),
  'latin.test': socket =>
    socket.end(
      Buffer.from(
        'Domain Name: latin.test\r\nRegistrar: Caf\u00e9 S\u00e3o Jo\u00e3o\r\nCreation Date: 02.01.2024\r\n',
        'latin1',
      ),
    ),
  'mute.test': () => {},
  'markup.test': text(...record('markup.test', 'Registrant Name: \u001b[31m<script>alert(1)</script>\u202e')),
}

const registrarWhois: Readonly<Record<string, Answer>> = {
  'thinwhois.test': text(
    ...record('thinwhois.test'),
    'Registrant Name: Thin Person',
    'Registrant Organization: Thin Org',
    'Registrant Street: Long Street 1',
    'Registrant City: Bern',
    'Registrant Country: CH',
    'Registrant Email: thin@thinwhois.test',
    'Admin Email: admin@thinwhois.test',
    'Tech Email: tech@thinwhois.test',
    'Registrar Abuse Contact Email: abuse@registrar.test',
    'Registrar Abuse Contact Phone: +1.5550100',
  ),
}

const noMatch = (question: string) => text(`No match for "${question.toUpperCase()}".`)

const whois: Readonly<Record<string, (question: string) => Answer>> = {
  'whois.iana.org': question =>
    text(
      '% IANA WHOIS server',
      '',
      `refer:        ${/^[\d.:a-f]+$|^AS\d+$/.test(question) ? 'whois.rir.test' : question.endsWith('.de') ? 'whois.denic.de' : 'whois.nic.test'}`,
      '',
      `domain:       ${question.split('.').at(-1)?.toUpperCase()}`,
    ),
  'whois.nic.test': question => registryWhois[question] ?? noMatch(question),
  'whois.registrar.test': question => registrarWhois[question] ?? noMatch(question),
  'whois.loop.registrar.test': question => refers(question, 'whois.nic.test'),
  'whois.rir.test': question =>
    text(
      '% RIR',
      '',
      'inetnum:        28.4.0.0 - 28.4.0.255',
      'netname:        LAB-BAD',
      'country:        CH',
      'status:         ASSIGNED PA',
      'org-name:       Lab Bad AG',
      `remarks:        ${question}`,
    ),
  'whois.denic.de': question =>
    question === '-T dn shop.de'
      ? text(
          '% Terms and conditions: you agree',
          'Domain: shop.de',
          'Nserver: ns1.hosting.net',
          'Status: connect',
          'Changed: 2026-01-02T03:04:05+01:00',
        )
      : text(`Domain: ${question.replace('-T dn ', '')}`, 'Status: free'),
}

for (const [name, answer] of Object.entries(whois)) {
  const { v4, v6 } = host(name)
  for (const address of [...v4, ...v6]) {
    const server = net.createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', data => answer(data.toString('latin1').trim())(socket))
    })
    server.listen(43, address)
  }
}
