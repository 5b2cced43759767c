/**
 * Public recursive resolvers that anyone may ask, as their operators publish them. Addresses and DoH hosts were found in
 * the AdGuard list of providers of 2026-07-21 or in stamps of the DNSCrypt list of 2026-07-24. In neither stand
 * 45.90.28.0 of NextDNS, 130.59.31.251 of SWITCH and the DoH host of Quad101. Addresses only inferred are left out.
 */
export interface PublicResolver {
  name: string
  /** The first is the one that is asked. */
  ipv4: readonly [string, ...string[]]
  ipv6: readonly string[]
  /** DNS over HTTPS, RFC 8484. */
  doh?: string
  /** The name in the certificate of DNS over TLS, RFC 8310 §7.1. */
  dot?: string
  /** What it does not resolve on purpose; it says of such names that they do not exist, or leads to a page of its own. */
  filters?: 'malware' | 'phishing' | 'family' | 'ads'
  /** Where it answers: anycast, or the country or region it is meant for. */
  place: 'anycast' | 'CA' | 'CH' | 'CN' | 'CZ' | 'DE' | 'EU' | 'RU' | 'TW'
  /** Plain DNS is not offered. */
  encryptedOnly?: true
}

/** Thirty, the best known first. */
export const publicResolvers: readonly PublicResolver[] = [
  {
    name: 'Google Public DNS',
    ipv4: ['8.8.8.8', '8.8.4.4'],
    ipv6: ['2001:4860:4860::8888', '2001:4860:4860::8844'],
    doh: 'https://dns.google/dns-query',
    dot: 'dns.google',
    place: 'anycast',
  },
  {
    name: 'Cloudflare',
    ipv4: ['1.1.1.1', '1.0.0.1'],
    ipv6: ['2606:4700:4700::1111', '2606:4700:4700::1001'],
    doh: 'https://cloudflare-dns.com/dns-query',
    dot: 'one.one.one.one',
    place: 'anycast',
  },
  {
    name: 'Cloudflare Malware',
    ipv4: ['1.1.1.2', '1.0.0.2'],
    ipv6: ['2606:4700:4700::1112', '2606:4700:4700::1002'],
    doh: 'https://security.cloudflare-dns.com/dns-query',
    dot: 'security.cloudflare-dns.com',
    filters: 'malware',
    place: 'anycast',
  },
  {
    name: 'Quad9',
    ipv4: ['9.9.9.9', '149.112.112.112'],
    ipv6: ['2620:fe::fe', '2620:fe::9'],
    doh: 'https://dns.quad9.net/dns-query',
    dot: 'dns.quad9.net',
    filters: 'malware',
    place: 'anycast',
  },
  {
    name: 'Quad9 Unsecured',
    ipv4: ['9.9.9.10', '149.112.112.10'],
    ipv6: ['2620:fe::10', '2620:fe::fe:10'],
    doh: 'https://dns10.quad9.net/dns-query',
    dot: 'dns10.quad9.net',
    place: 'anycast',
  },
  {
    name: 'OpenDNS',
    ipv4: ['208.67.222.222', '208.67.220.220'],
    ipv6: ['2620:119:35::35', '2620:119:53::53'],
    doh: 'https://doh.opendns.com/dns-query',
    dot: 'dns.opendns.com',
    filters: 'phishing',
    place: 'anycast',
  },
  {
    name: 'OpenDNS FamilyShield',
    ipv4: ['208.67.222.123', '208.67.220.123'],
    ipv6: [],
    doh: 'https://doh.familyshield.opendns.com/dns-query',
    dot: 'familyshield.opendns.com',
    filters: 'family',
    place: 'anycast',
  },
  {
    name: 'AdGuard DNS',
    ipv4: ['94.140.14.14', '94.140.15.15'],
    ipv6: ['2a10:50c0::ad1:ff', '2a10:50c0::ad2:ff'],
    doh: 'https://dns.adguard-dns.com/dns-query',
    dot: 'dns.adguard-dns.com',
    filters: 'ads',
    place: 'anycast',
  },
  {
    name: 'AdGuard Unfiltered',
    ipv4: ['94.140.14.140', '94.140.14.141'],
    ipv6: ['2a10:50c0::1:ff', '2a10:50c0::2:ff'],
    doh: 'https://unfiltered.adguard-dns.com/dns-query',
    dot: 'unfiltered.adguard-dns.com',
    place: 'anycast',
  },
  {
    name: 'CleanBrowsing Security',
    ipv4: ['185.228.168.9', '185.228.169.9'],
    ipv6: ['2a0d:2a00:1::2', '2a0d:2a00:2::2'],
    doh: 'https://doh.cleanbrowsing.org/doh/security-filter/',
    dot: 'security-filter-dns.cleanbrowsing.org',
    filters: 'malware',
    place: 'anycast',
  },
  {
    name: 'Control D',
    ipv4: ['76.76.2.0', '76.76.10.0'],
    ipv6: ['2606:1a40::', '2606:1a40:1::'],
    doh: 'https://freedns.controld.com/p0',
    dot: 'p0.freedns.controld.com',
    place: 'anycast',
  },
  {
    name: 'DNS.SB',
    ipv4: ['185.222.222.222', '45.11.45.11'],
    ipv6: ['2a09::', '2a11::'],
    doh: 'https://doh.dns.sb/dns-query',
    dot: 'dot.sb',
    place: 'anycast',
  },
  {
    name: 'Mullvad',
    ipv4: ['194.242.2.2'],
    ipv6: ['2a07:e340::2'],
    doh: 'https://dns.mullvad.net/dns-query',
    dot: 'dns.mullvad.net',
    place: 'anycast',
    encryptedOnly: true,
  },
  {
    name: 'NextDNS',
    ipv4: ['45.90.28.0', '45.90.30.0'],
    ipv6: ['2a07:a8c0::'],
    doh: 'https://dns.nextdns.io/dns-query',
    dot: 'dns.nextdns.io',
    place: 'anycast',
  },
  {
    name: 'Alibaba AliDNS',
    ipv4: ['223.5.5.5', '223.6.6.6'],
    ipv6: ['2400:3200::1', '2400:3200:baba::1'],
    doh: 'https://dns.alidns.com/dns-query',
    dot: 'dns.alidns.com',
    place: 'CN',
  },
  {
    name: 'DNSPod Public DNS+',
    ipv4: ['119.29.29.29'],
    ipv6: ['2402:4e00::'],
    doh: 'https://dns.pub/dns-query',
    dot: 'dot.pub',
    place: 'CN',
  },
  {
    name: 'Hurricane Electric',
    ipv4: ['74.82.42.42'],
    ipv6: ['2001:470:20::2'],
    doh: 'https://ordns.he.net/dns-query',
    dot: 'ordns.he.net',
    place: 'anycast',
  },
  {
    name: 'Verisign Public DNS',
    ipv4: ['64.6.64.6', '64.6.65.6'],
    ipv6: ['2620:74:1b::1:1', '2620:74:1c::2:2'],
    place: 'anycast',
  },
  {
    name: 'Vercara UltraDNS Public',
    ipv4: ['156.154.70.1', '156.154.71.1'],
    ipv6: ['2610:a1:1018::1', '2610:a1:1019::1'],
    place: 'anycast',
  },
  {
    name: 'Yandex DNS Basic',
    ipv4: ['77.88.8.8', '77.88.8.1'],
    ipv6: ['2a02:6b8::feed:ff', '2a02:6b8:0:1::feed:ff'],
    doh: 'https://common.dot.dns.yandex.net/dns-query',
    dot: 'common.dot.dns.yandex.net',
    place: 'RU',
  },
  {
    name: 'CIRA Canadian Shield Private',
    ipv4: ['149.112.121.10', '149.112.122.10'],
    ipv6: ['2620:10a:80bb::10', '2620:10a:80bc::10'],
    doh: 'https://private.canadianshield.cira.ca/dns-query',
    dot: 'private.canadianshield.cira.ca',
    place: 'CA',
  },
  {
    name: 'CZ.NIC ODVR',
    ipv4: ['193.17.47.1', '185.43.135.1'],
    ipv6: ['2001:148f:ffff::1', '2001:148f:fffe::1'],
    doh: 'https://odvr.nic.cz/doh',
    dot: 'odvr.nic.cz',
    place: 'CZ',
  },
  {
    name: 'DNS4EU Unfiltered',
    ipv4: ['86.54.11.100', '86.54.11.200'],
    ipv6: ['2a13:1001::86:54:11:100'],
    doh: 'https://unfiltered.joindns4.eu/dns-query',
    dot: 'unfiltered.joindns4.eu',
    place: 'EU',
  },
  {
    name: 'DNS4EU Protective',
    ipv4: ['86.54.11.1', '86.54.11.201'],
    ipv6: ['2a13:1001::86:54:11:1', '2a13:1001::86:54:11:201'],
    doh: 'https://protective.joindns4.eu/dns-query',
    dot: 'protective.joindns4.eu',
    filters: 'malware',
    place: 'EU',
  },
  {
    name: 'SWITCH Public DNS',
    ipv4: ['130.59.31.248', '130.59.31.251'],
    ipv6: ['2001:620:0:ff::2'],
    doh: 'https://dns.switch.ch/dns-query',
    dot: 'dns.switch.ch',
    filters: 'malware',
    place: 'CH',
  },
  {
    name: 'Quad101',
    ipv4: ['101.101.101.101', '101.102.103.104'],
    ipv6: ['2001:de4::101', '2001:de4::102'],
    doh: 'https://dns.twnic.tw/dns-query',
    dot: '101.101.101.101',
    place: 'TW',
  },
  {
    name: 'Comodo Secure DNS',
    ipv4: ['8.26.56.26', '8.20.247.20'],
    ipv6: [],
    filters: 'malware',
    place: 'anycast',
  },
  {
    name: 'SafeDNS',
    ipv4: ['195.46.39.39', '195.46.39.40'],
    ipv6: [],
    place: 'anycast',
  },
  {
    name: '114DNS',
    ipv4: ['114.114.114.114', '114.114.115.115'],
    ipv6: [],
    place: 'CN',
  },
  {
    name: 'DNS Forge',
    ipv4: ['176.9.93.198', '176.9.1.117'],
    ipv6: ['2a01:4f8:151:34aa::198', '2a01:4f8:141:316d::117'],
    doh: 'https://dnsforge.de/dns-query',
    dot: 'dnsforge.de',
    filters: 'ads',
    place: 'DE',
  },
]

/**
 * Addresses that filters answer with in place of the truth: none at all (RFC 1122 §3.2.1.3, RFC 4291 §2.5.2), and the
 * block pages of OpenDNS ("What are the OpenDNS block page IP addresses?", support.opendns.com).
 */
export const blockAddresses: ReadonlySet<string> = new Set([
  '0.0.0.0',
  '::',
  ...Array.from({ length: 7 }, (_, i) => `146.112.61.${104 + i}`),
  ...Array.from({ length: 7 }, (_, i) => `::ffff:146.112.61.${104 + i}`),
])
