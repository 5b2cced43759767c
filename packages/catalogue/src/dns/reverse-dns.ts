import { badge, type DnsStatus, field, mono, Problem, panel, type ServerContext, sh, tool } from '@assay/kit'
import type { ResourceRecord } from '@assay/lib/dns/message'
import { parseAddress, reverseName } from '@assay/lib/ip/address'

/** Names looked up again for forward confirmation; more PTR records than this are listed unconfirmed. */
const MAX_CONFIRMED_NAMES = 10

/** Patterns of names that providers give to whole ranges: the address, or words for customer lines. */
const GENERIC = /(?:\d{1,3}[-.]){3}\d{1,3}|\b(?:dyn|dynamic|dhcp|pool|ppp|dsl|cable|broadband|customer|static-ip)\b/i

const withoutDot = (name: string) => name.replace(/\.$/, '')

/** The names of an address and whether they lead back to it. RFC 1035 §3.5, RFC 2317, RFC 3596 §2.5. */
export const reverseDns = tool({
  id: 'reverse-dns',
  path: 'reverse-dns',
  title: 'Reverse DNS',
  category: 'dns-tools',
  summary: 'The host names of an IP address, and whether they lead back to it.',
  keywords: ['ptr', 'rdns', 'ip to hostname', 'in-addr.arpa', 'ip6.arpa', 'fcrdns'],
  specs: ['RFC 1035', 'RFC 2317', 'RFC 3596', 'RFC 1912'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['reverse-dns/{ip}'],
  button: ['Analyze', 'Analyzing...'],
  fields: { ip: field.ip('IP address') },

  async run({ ip }, { dns }) {
    const query = `${reverseName(ip)}.`
    const answer = await dns.resolve(query, 'PTR')
    if (answer.status === 'timeout') {
      throw new Problem('timeout', 'Request timeout', { detail: 'No server of the reverse zone answered in time.' })
    }
    const names = answer.records.flatMap(record => (record.type === 'PTR' && record.data ? [record.data.ptrdname] : []))
    const hostnames = await Promise.all(
      names.map(async (name, i) => ({
        name: withoutDot(name),
        ...(i < MAX_CONFIRMED_NAMES ? await confirm(dns, name, ip) : { forward_confirmed: null, addresses: [] }),
        generic: GENERIC.test(name),
      })),
    )
    return {
      ip,
      /** The first name, or the address itself when it has none. */
      reverse_dns: hostnames[0]?.name ?? ip,
      hostnames,
      query_name: query,
      status: answer.status,
      reason: answer.reason ?? null,
      aliases: answer.records.flatMap(record =>
        record.type === 'CNAME' && record.data ? [{ name: record.name, target: record.data.cname }] : [],
      ),
      ttl: answer.records.find(({ type }) => type === 'PTR')?.ttl ?? null,
    }
  },

  show({ ip, reverse_dns, hostnames, query_name, status, reason, aliases, ttl }) {
    const found = hostnames.length > 0
    const labels = reverse_dns.split('.')
    return [
      panel.banner(found ? 'good' : 'warn', ip, { badge: found ? 'SUCCESS' : 'NO PTR', detail: query_name }),
      ...(found
        ? [
            panel.tiles(
              { label: 'Hostname Length', value: reverse_dns.length },
              { label: 'Domain Levels', value: labels.length },
              { label: 'Top-Level Domain', value: mono(labels.at(-1) ?? '') },
            ),
            panel.facts([
              ['Resolved Hostname', mono(reverse_dns)],
              ['Source IP', mono(ip)],
              ['Record Type', 'PTR'],
              ['Hostname Parts', mono(labels.join(' · '))],
              ['TTL', ttl === null ? '' : `${ttl} s`],
            ]),
            panel.table(
              ['Hostname', 'Leads back to the address', 'Its addresses', 'Kind'],
              hostnames.map(({ name, forward_confirmed, addresses, generic }) => [
                mono(name),
                forward_confirmed === null
                  ? badge('NOT TRIED', 'neutral')
                  : badge(forward_confirmed ? 'YES' : 'NO', forward_confirmed ? 'good' : 'warn'),
                mono(addresses.join(', ')),
                generic ? 'generic name of a range' : 'chosen name',
              ]),
              { title: 'Forward confirmation' },
            ),
          ]
        : [
            panel.note(
              status === 'nxdomain' || status === 'nodata' ? 'info' : 'warn',
              reason ?? NO_NAME[status],
              'No host name',
            ),
          ]),
      ...(aliases.length
        ? [
            panel.table(
              ['Alias', 'Leads to'],
              aliases.map(({ name, target }) => [mono(name), mono(target)]),
              { title: 'Classless delegation (RFC 2317)' },
            ),
          ]
        : []),
    ]
  },

  terminal: ({ ip }, { hostnames }) => ({
    command: sh`dig +short -x ${ip}`,
    ...(hostnames[0] && { prints: `${hostnames[0].name}.` }),
  }),

  examples: [
    {
      from: 'RFC 1035 §3.5',
      title: 'A gateway with two addresses',
      input: { ip: '10.2.0.22' },
      recording: {
        zone: `22.0.2.10.in-addr.arpa. 3600 PTR milnet-gw.isi.edu.
milnet-gw.isi.edu. 3600 A 10.2.0.22
milnet-gw.isi.edu. 3600 A 26.0.0.103`,
      },
      result: {
        ip: '10.2.0.22',
        reverse_dns: 'milnet-gw.isi.edu',
        hostnames: [{ name: 'milnet-gw.isi.edu', forward_confirmed: true, addresses: ['10.2.0.22', '26.0.0.103'] }],
      },
    },
    {
      from: 'RFC 3596 §2.5',
      title: 'An IPv6 address without a name',
      input: { ip: '4321:0:1:2:3:4:567:89ab' },
      recording: {},
      result: {
        reverse_dns: '4321:0:1:2:3:4:567:89ab',
        query_name: 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa.',
        status: 'nxdomain',
      },
    },
  ],
})

const NO_NAME: Readonly<Record<DnsStatus, string>> = {
  answer: 'The answer held no PTR record.',
  nodata: 'The reverse zone knows the address but gives it no name.',
  nxdomain: 'Nobody has given this address a name.',
  servfail: 'The servers of the reverse zone failed, so this could not be told.',
  refused: 'The servers of the reverse zone refused the question, so this could not be told.',
  lame: 'The reverse zone is delegated to servers that do not serve it, so this could not be told.',
  'cname-loop': 'The aliases of the reverse zone lead in a circle.',
  timeout: 'No server answered in time, so this could not be told.',
  network: 'No server of the reverse zone can be reached, so this could not be told.',
}

/** A name counts when one of its addresses is the one we came from. RFC 1912 §2.1. */
async function confirm(dns: ServerContext['dns'], name: string, ip: string) {
  const { version, value } = parseAddress(ip)
  const { status, records } = await dns.resolve(name, version === 4 ? 'A' : 'AAAA')
  const addresses = records.flatMap(addressOf)
  const known = status === 'answer' || status === 'nodata' || status === 'nxdomain'
  return {
    forward_confirmed: known ? addresses.some(address => parseAddress(address).value === value) : null,
    addresses,
  }
}

const addressOf = (record: ResourceRecord): string[] =>
  (record.type === 'A' || record.type === 'AAAA') && record.data ? [record.data.address] : []
