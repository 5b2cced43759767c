import { faultHost, faultNames } from './faults.ts'
import { ends, links, type Machine, networks } from './topology.ts'

/** One name of the lab and everything the rest of the lab derives from it: interfaces, zones, reverse zones, servers. */
export interface Host {
  readonly name: string
  readonly machine: Machine
  readonly v4: readonly string[]
  readonly v6: readonly string[]
  /** Further names of the same addresses. */
  readonly aliases: readonly string[]
  /** What the reverse zones say about these addresses; usually the name itself. */
  readonly pointers: readonly string[]
}

type Overrides = Partial<Pick<Host, 'v4' | 'v6' | 'aliases' | 'pointers'>>

/** A host numbered within the first network of its machine: .10 and ::10. */
function at(machine: Machine, number: number, name: string, overrides: Overrides = {}): Host {
  const network = networks[machine]?.[0]
  if (!network) throw new RangeError(`${machine} has no network`)
  return {
    name,
    machine,
    v4: [`${network.v4}.${number}`],
    v6: [`${network.v6}::${number}`],
    aliases: [],
    pointers: [name],
    ...overrides,
  }
}

const v4Only = { v6: [] }
const noPointer = { pointers: [] }

/** A host that carries addresses of the real Internet, because the product ships with them. */
function known(machine: Machine, names: string, v4: readonly string[], v6: readonly string[]): Host {
  const [name = '', ...aliases] = names.split(' ')
  return { name, machine, v4, v6, aliases, pointers: [name] }
}

/** InterNIC's named.root as of January 2024. */
const rootServers = [
  known('registry', 'a.root-servers.net', ['198.41.0.4'], ['2001:503:ba3e::2:30']),
  known('registry', 'b.root-servers.net', ['170.247.170.2'], ['2801:1b8:10::b']),
  known('registry', 'c.root-servers.net', ['192.33.4.12'], ['2001:500:2::c']),
  known('registry', 'd.root-servers.net', ['199.7.91.13'], ['2001:500:2d::d']),
  known('registry', 'e.root-servers.net', ['192.203.230.10'], ['2001:500:a8::e']),
  known('registry', 'f.root-servers.net', ['192.5.5.241'], ['2001:500:2f::f']),
  known('registry', 'g.root-servers.net', ['192.112.36.4'], ['2001:500:12::d0d']),
  known('registry', 'h.root-servers.net', ['198.97.190.53'], ['2001:500:1::53']),
  known('registry', 'i.root-servers.net', ['192.36.148.17'], ['2001:7fe::53']),
  known('registry', 'j.root-servers.net', ['192.58.128.30'], ['2001:503:c27::2:30']),
  known('registry', 'k.root-servers.net', ['193.0.14.129'], ['2001:7fd::1']),
  known('registry', 'l.root-servers.net', ['199.7.83.42'], ['2001:500:9f::42']),
  known('registry', 'm.root-servers.net', ['202.12.27.33'], ['2001:dc3::35']),
]

const registries = [at('registry', 11, 'a.nic.test'), at('registry', 12, 'b.nic.test')]

/** Who keeps records of names and numbers; what each knows and does is in servers/registry.ts. */
const registrationServers = [
  'data.iana.org',
  'whois.iana.org',
  'rdap.nic.test',
  'whois.nic.test',
  'rdap.registrar.test',
  'whois.registrar.test',
  'whois.loop.registrar.test',
  'rdap.rir.test',
  'whois.rir.test',
  'rdap.denic.de',
  'whois.denic.de',
].map((name, index) => at('registry', 20 + index, name))

/** The public resolvers, under the name their operators give for DNS over TLS or HTTPS. */
const resolvers = [
  known('resolvers', 'dns.google', ['8.8.8.8', '8.8.4.4'], ['2001:4860:4860::8888', '2001:4860:4860::8844']),
  known(
    'resolvers',
    'one.one.one.one cloudflare-dns.com',
    ['1.1.1.1', '1.0.0.1'],
    ['2606:4700:4700::1111', '2606:4700:4700::1001'],
  ),
  known(
    'resolvers',
    'security.cloudflare-dns.com',
    ['1.1.1.2', '1.0.0.2'],
    ['2606:4700:4700::1112', '2606:4700:4700::1002'],
  ),
  known('resolvers', 'dns.quad9.net', ['9.9.9.9', '149.112.112.112'], ['2620:fe::fe', '2620:fe::9']),
  known('resolvers', 'dns10.quad9.net', ['9.9.9.10', '149.112.112.10'], ['2620:fe::10', '2620:fe::fe:10']),
  known(
    'resolvers',
    'dns.opendns.com doh.opendns.com',
    ['208.67.222.222', '208.67.220.220'],
    ['2620:119:35::35', '2620:119:53::53'],
  ),
  known('resolvers', 'familyshield.opendns.com doh.familyshield.opendns.com', ['208.67.222.123', '208.67.220.123'], []),
  known(
    'resolvers',
    'dns.adguard-dns.com',
    ['94.140.14.14', '94.140.15.15'],
    ['2a10:50c0::ad1:ff', '2a10:50c0::ad2:ff'],
  ),
  known(
    'resolvers',
    'unfiltered.adguard-dns.com',
    ['94.140.14.140', '94.140.14.141'],
    ['2a10:50c0::1:ff', '2a10:50c0::2:ff'],
  ),
  known(
    'resolvers',
    'security-filter-dns.cleanbrowsing.org doh.cleanbrowsing.org',
    ['185.228.168.9', '185.228.169.9'],
    ['2a0d:2a00:1::2', '2a0d:2a00:2::2'],
  ),
  known(
    'resolvers',
    'p0.freedns.controld.com freedns.controld.com',
    ['76.76.2.0', '76.76.10.0'],
    ['2606:1a40::', '2606:1a40:1::'],
  ),
  known('resolvers', 'dot.sb doh.dns.sb', ['185.222.222.222', '45.11.45.11'], ['2a09::', '2a11::']),
  known('resolvers', 'dns.mullvad.net', ['194.242.2.2'], ['2a07:e340::2']),
  known('resolvers', 'dns.nextdns.io', ['45.90.28.0', '45.90.30.0'], ['2a07:a8c0::', '2a07:a8c1::']),
  known('resolvers', 'dns.alidns.com', ['223.5.5.5', '223.6.6.6'], ['2400:3200::1', '2400:3200:baba::1']),
  known('resolvers', 'dot.pub dns.pub', ['119.29.29.29'], ['2402:4e00::']),
  known('resolvers', 'ordns.he.net', ['74.82.42.42'], ['2001:470:20::2']),
  known('resolvers', 'recursive.verisign.net', ['64.6.64.6', '64.6.65.6'], ['2620:74:1b::1:1', '2620:74:1c::2:2']),
  known('resolvers', 'rdns.ultradns.net', ['156.154.70.1', '156.154.71.1'], ['2610:a1:1018::1', '2610:a1:1019::1']),
  known(
    'resolvers',
    'common.dot.dns.yandex.net',
    ['77.88.8.8', '77.88.8.1'],
    ['2a02:6b8::feed:ff', '2a02:6b8:0:1::feed:ff'],
  ),
  known(
    'resolvers',
    'private.canadianshield.cira.ca',
    ['149.112.121.10', '149.112.122.10'],
    ['2620:10a:80bb::10', '2620:10a:80bc::10'],
  ),
  known('resolvers', 'odvr.nic.cz', ['193.17.47.1', '185.43.135.1'], ['2001:148f:ffff::1', '2001:148f:fffe::1']),
  known(
    'resolvers',
    'unfiltered.joindns4.eu',
    ['86.54.11.100', '86.54.11.200'],
    ['2a13:1001::86:54:11:100', '2a13:1001::86:54:11:200'],
  ),
  known(
    'resolvers',
    'protective.joindns4.eu',
    ['86.54.11.1', '86.54.11.201'],
    ['2a13:1001::86:54:11:1', '2a13:1001::86:54:11:201'],
  ),
  known('resolvers', 'dns.switch.ch', ['130.59.31.248', '130.59.31.251'], ['2001:620:0:ff::2']),
  known('resolvers', 'dns.twnic.tw', ['101.101.101.101', '101.102.103.104'], ['2001:de4::101', '2001:de4::102']),
  known('resolvers', 'securedns.comodo.com', ['8.26.56.26', '8.20.247.20'], []),
  known('resolvers', 'dns1.safedns.com', ['195.46.39.39', '195.46.39.40'], []),
  known('resolvers', 'public1.114dns.com', ['114.114.114.114', '114.114.115.115'], []),
  known(
    'resolvers',
    'dnsforge.de',
    ['176.9.93.198', '176.9.1.117'],
    ['2a01:4f8:151:34aa::198', '2a01:4f8:141:316d::117'],
  ),
]

const goodHosts = [
  at('hosting', 1, 'ns1.hosting.net'),
  at('hosting', 2, 'ns2.hosting.net'),
  at('hosting', 3, 'ns3.hosting.net'),
  at('hosting', 10, 'www.good.test', { aliases: ['good.test'] }),
  at('hosting', 11, 'weak.good.test'),
  at('hosting', 12, 'odd.good.test'),
  at('hosting', 13, 'redirect.good.test'),
  at('hosting', 14, 'status.good.test'),
  at('hosting', 15, 'bomb.good.test'),
  at('hosting', 16, 'raw.good.test'),
  at('hosting', 17, 'plain.good.test'),
  at('hosting', 20, 'good.tls.test'),
  at('hosting', 21, 'expired.tls.test'),
  at('hosting', 22, 'selfsigned.tls.test'),
  at('hosting', 23, 'wronghost.tls.test'),
  at('hosting', 24, 'nochain.tls.test'),
  at('hosting', 25, 'tls10.tls.test'),
  at('hosting', 60, 'modern.tls.test'),
  at('hosting', 61, 'intermediate.tls.test'),
  at('hosting', 62, 'old.tls.test'),
  at('hosting', 63, 'rsa.tls.test'),
  at('hosting', 64, 'ecdsa.tls.test'),
  at('hosting', 65, 'page.tls.test'),
  at('hosting', 66, 'wrongtype.tls.test'),
  at('hosting', 67, 'http1.tls.test'),
  at('hosting', 68, 'stranger.tls.test'),
  at('hosting', 30, 'mail.good.test'),
  at('hosting', 90, 'hardened.good.test'),
  at('hosting', 91, 'holes.good.test'),
  at('hosting', 92, 'spa.good.test'),
  at('hosting', 40, 'v4only.good.test', v4Only),
  at('hosting', 41, 'v6only.good.test', { v4: [] }),
  at('slow', 10, 'far.slow.test'),
]

/** Addresses whose reverse records are the point. */
const reverseHosts = [
  at('hosting', 50, 'multi.good.test', { pointers: ['multi.good.test', 'second.good.test', 'third.good.test'] }),
  at('hosting', 51, 'noptr.good.test', noPointer),
  at('hosting', 52, 'liar.good.test', { pointers: ['www.good.test'] }),
  at('hosting', 53, 'generic.good.test', { pointers: ['26-3-0-53.dsl.dyn.isp.test'] }),
  at('hosting', 54, 'dangling.good.test', { pointers: ['gone.good.test'] }),
  // RFC 2317: the records stand in 0/25.1.3.26.in-addr.arpa, by hand.
  at('hosting', 7, 'customer7.isp.test', { v4: ['26.3.1.7'], v6: ['2a0f:1ab:31::7'], ...noPointer }),
  at('hosting', 8, 'customer8.isp.test', { v4: ['26.3.1.8'], v6: ['2a0f:1ab:31::8'], ...noPointer }),
  at('bad', 9, 'reverse-dead.bad.test', { v4: ['28.4.1.9'], ...v4Only, ...noPointer }),
  at('bad', 9, 'reverse-lame.bad.test', { v4: ['28.4.2.9'], ...v4Only, ...noPointer }),
  at('bad', 9, 'reverse-expired.bad.test', { v4: ['28.4.3.9'], ...v4Only }),
]

/** Name servers with a fault. IPv4 only, so that a resolver gets no second chance. */
const badServers = [
  'edns-drop',
  'edns-formerr',
  'edns-badvers',
  'truncated',
  'late',
  'lame',
  'dead',
  'wrongid',
  'wrongquestion',
  'pointerloop',
  'lyingcounts',
  'short',
  'garbage',
  'silent',
  'flip',
  'rotate',
  'edns-echo',
  'edns-noopt',
].map((name, index) => at('bad', index + 1, `${name}.bad.test`, v4Only))

/** Servers with a fault of faults.ts. */
const faultServers = faultNames.map((name, index) => at('bad', 30 + index, faultHost(name), v4Only))

const portHosts = [
  at('ports', 10, 'twelve.ports.test'),
  at('ports', 11, 'filtered.ports.test'),
  at('ports', 12, 'silent.ports.test'),
  at('ports', 13, 'closed.ports.test'),
  at('ports', 14, 'tarpit.ports.test'),
  at('ports', 15, 'split.ports.test'),
]

/** The TCP ports the hosts of `ports` listen on; what the packet filter then lets through is in config/ports.nft. */
export const listeners: Readonly<Record<string, readonly number[]>> = {
  'twelve.ports.test': [21, 22, 25, 80, 110, 143, 443, 587, 993, 3306, 5432, 8080],
  'filtered.ports.test': [22, 80, 443],
  'silent.ports.test': [80, 443],
  'closed.ports.test': [],
  // Every port leads to this one.
  'tarpit.ports.test': [1],
  'split.ports.test': [80, 443],
}

/** Routers are known by the address a traceroute from the app shows. */
const routers = links
  .filter(link => !(link.far in networks))
  .map(link => router(link.far, ends(link)[1]))
  .concat(router('r1', { v4: '11.10.0.1', v6: '2a0f:1ab:a::1' }))

function router(machine: Machine, uplink: { readonly v4: string; readonly v6: string }): Host {
  return known(machine, `${machine}.transit.test`, [uplink.v4], [uplink.v6])
}

const all: readonly Host[] = [
  at('app', 2, 'app.lab.test'),
  ...routers,
  ...rootServers,
  ...registries,
  ...registrationServers,
  ...resolvers,
  ...goodHosts,
  ...reverseHosts,
  ...badServers,
  ...faultServers,
  ...portHosts,
]

/** Every host of the lab by name. */
export const hosts: Readonly<Record<string, Host>> = Object.fromEntries(all.map(host => [host.name, host]))

/** The hosts of one machine. */
export function hostsOn(machine: Machine): Host[] {
  return all.filter(host => host.machine === machine)
}

/** The host of that name or alias. */
export function host(name: string): Host {
  const found = hosts[name] ?? all.find(({ aliases }) => aliases.includes(name))
  if (!found) throw new RangeError(`the lab has no host ${name}`)
  return found
}

/** Both addresses of a host that has both; the first ones where it has more. */
export function address(name: string): { v4: string; v6: string } {
  const {
    v4: [v4],
    v6: [v6],
  } = host(name)
  if (v4 === undefined || v6 === undefined)
    throw new RangeError(`${name} does not have both an IPv4 and an IPv6 address`)
  return { v4, v6 }
}

/** All addresses of the named hosts. */
export function addressesOf(names: readonly string[]): string[] {
  return names.map(host).flatMap(({ v4, v6 }) => [...v4, ...v6])
}
