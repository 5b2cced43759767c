const services = (kind: string, entries: string[], url: string) => ({
  [`https://data.iana.org/rdap/${kind}.json`]: {
    status: 200,
    headers: [['content-type', 'application/json']] as const,
    body: JSON.stringify({ version: '1.0', services: [[entries, [url]]] }),
  },
})

const answer = (body: object) => ({
  status: 200,
  headers: [['content-type', 'application/rdap+json']] as const,
  body: JSON.stringify(body),
})

const events = (...dates: (readonly [eventAction: string, eventDate: string])[]) =>
  dates.map(([eventAction, eventDate]) => ({ eventAction, eventDate }))

/** RFC 9083 §5.3 and §5.5, without remarks and links. */
export const examples = [
  {
    from: 'RFC 9083 §5.3',
    title: 'A domain with a registrant',
    input: { domain: 'fóo.example' },
    recording: {
      http: {
        ...services('dns', ['example'], 'https://example.net/'),
        'https://example.net/domain/xn--fo-5ja.example': answer({
          objectClassName: 'domain',
          handle: 'XXXX',
          ldhName: 'xn--fo-5ja.example',
          unicodeName: 'fóo.example',
          status: ['locked', 'transfer prohibited'],
          nameservers: [
            {
              objectClassName: 'nameserver',
              ldhName: 'ns1.example.com',
              ipAddresses: { v6: ['2001:db8::123', '2001:db8::124'], v4: ['192.0.2.1', '192.0.2.2'] },
            },
            {
              objectClassName: 'nameserver',
              ldhName: 'ns2.example.com',
              ipAddresses: { v6: ['2001:db8::125', '2001:db8::126'], v4: ['192.0.2.3', '192.0.2.4'] },
            },
          ],
          secureDNS: { zoneSigned: true, delegationSigned: true, maxSigLife: 604_800 },
          port43: 'whois.example.net',
          events: events(
            ['registration', '1990-12-31T23:59:59Z'],
            ['last changed', '1991-12-31T23:59:59Z'],
            ['transfer', '1991-12-31T23:59:59Z'],
            ['expiration', '2016-12-31T23:59:59Z'],
          ),
          entities: [
            {
              objectClassName: 'entity',
              handle: 'XXXX',
              vcardArray: [
                'vcard',
                [
                  ['version', {}, 'text', '4.0'],
                  ['fn', {}, 'text', 'Joe User'],
                  ['kind', {}, 'text', 'individual'],
                  ['org', { type: 'work' }, 'text', 'Example'],
                  [
                    'adr',
                    { type: 'work' },
                    'text',
                    ['', 'Suite 1234', '4321 Rue Somewhere', 'Quebec', 'QC', 'G1V 2M2', 'Canada'],
                  ],
                  ['tel', { type: ['work', 'voice'], pref: '1' }, 'uri', 'tel:+1-555-555-1234;ext=102'],
                  ['email', { type: 'work' }, 'text', 'joe.user@example.com'],
                ],
              ],
              roles: ['registrant'],
            },
          ],
        }),
      },
    },
    result: {
      domain_info: {
        domain_name: 'xn--fo-5ja.example',
        unicode_name: 'fóo.example',
        whois_server: 'whois.example.net',
        domain_id: 'XXXX',
        dnssec: 'signedDelegation',
      },
      registration_info: {
        creation_date: '1990-12-31T23:59:59Z',
        expiration_date: '2016-12-31T23:59:59Z',
        updated_date: '1991-12-31T23:59:59Z',
      },
      domain_status: ['locked', 'transfer prohibited'],
      nameservers: {
        name_servers: ['ns1.example.com', 'ns2.example.com'],
        name_server_ips: { data: { 'ns1.example.com': ['192.0.2.1', '192.0.2.2', '2001:db8::123', '2001:db8::124'] } },
      },
      registrant: {
        name: 'Joe User',
        org: 'Example',
        address: ['Suite 1234', '4321 Rue Somewhere', 'Quebec', 'QC', 'G1V 2M2'],
        country: 'Canada',
        email: 'joe.user@example.com',
      },
      source: 'rdap',
    },
  },
  {
    from: 'RFC 9083 §5.5',
    title: 'An autonomous system',
    input: { domain: 'AS65537' },
    recording: {
      http: {
        ...services('asn', ['65536-65541'], 'https://example.net/'),
        'https://example.net/autnum/65537': answer({
          objectClassName: 'autnum',
          handle: 'XXXX-RIR',
          startAutnum: 65_536,
          endAutnum: 65_541,
          name: 'AS-RTR-1',
          type: 'DIRECT ALLOCATION',
          status: ['active'],
          country: 'AU',
          events: events(['registration', '1990-12-31T23:59:59Z'], ['last changed', '1991-12-31T23:59:59Z']),
        }),
      },
    },
    result: {
      kind: 'autnum',
      network: { name: 'AS-RTR-1', handle: 'XXXX-RIR', ranges: ['AS65536 - AS65541'] },
      registrant: { country: 'AU' },
      registration_info: { creation_date: '1990-12-31T23:59:59Z', updated_date: '1991-12-31T23:59:59Z' },
      domain_status: ['active'],
    },
  },
]
