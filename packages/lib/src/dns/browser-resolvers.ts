/**
 * The resolvers that a browser measures directly, over HTTPS. Whether one lets pages of other sites read its answers
 * changes with time, so `allowCors` says only who is tried that way first; the run finds out. Addresses and flags:
 * BrainicHQ/DoHSpeedTest of 2026-06-22 and the probe in npm dns-query 0.11.2; Quad9 ended JSON on 2025-05-05.
 */
export interface BrowserResolver {
  name: string
  url: string
  /** POST would ask the provider for permission first (Fetch standard, CORS-preflight), which is time that is not DNS. */
  type: 'get' | 'post'
  /** `json`: ?name=&type=, which no standard defines; `wire`: ?dns=, RFC 8484 §4.1. */
  form: 'json' | 'wire'
  /** Tried as readable across origins; otherwise only the time is seen. */
  allowCors: boolean
  ips: readonly string[]
  color: string
}

/** Fifteen, in the order of the page. */
export const browserResolvers: readonly BrowserResolver[] = [
  {
    name: 'Google',
    url: 'https://dns.google/resolve',
    type: 'get',
    form: 'json',
    allowCors: true,
    ips: ['8.8.8.8', '8.8.4.4'],
    color: '#4285F4',
  },
  {
    name: 'Cloudflare',
    url: 'https://cloudflare-dns.com/dns-query',
    type: 'get',
    form: 'json',
    allowCors: true,
    ips: ['1.1.1.1', '1.0.0.1'],
    color: '#F38020',
  },
  {
    name: 'Quad9',
    url: 'https://dns.quad9.net/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: true,
    ips: ['9.9.9.9', '149.112.112.112'],
    color: '#DC205E',
  },
  {
    name: 'NextDNS',
    url: 'https://dns.nextdns.io/dns-query',
    type: 'get',
    form: 'json',
    allowCors: true,
    ips: ['45.90.28.0', '45.90.30.0'],
    color: '#007BFF',
  },
  {
    name: 'OpenDNS',
    url: 'https://doh.opendns.com/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['208.67.222.222', '208.67.220.220'],
    color: '#FF6F00',
  },
  {
    name: 'AdGuard',
    url: 'https://dns.adguard-dns.com/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['94.140.14.14', '94.140.15.15'],
    color: '#68BC71',
  },
  {
    name: 'CleanBrowsing',
    url: 'https://doh.cleanbrowsing.org/doh/security-filter/',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['185.228.168.9', '185.228.169.9'],
    color: '#2E7D32',
  },
  {
    name: 'Control D',
    url: 'https://freedns.controld.com/p0',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['76.76.2.0', '76.76.10.0'],
    color: '#6D28D9',
  },
  {
    name: 'Mullvad',
    url: 'https://dns.mullvad.net/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['194.242.2.2'],
    color: '#FFCD86',
  },
  {
    name: 'DNS.SB',
    url: 'https://doh.dns.sb/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['185.222.222.222', '45.11.45.11'],
    color: '#0EA5E9',
  },
  {
    name: 'DNS4EU',
    url: 'https://unfiltered.joindns4.eu/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['86.54.11.100', '86.54.11.200'],
    color: '#1D4ED8',
  },
  {
    name: 'AliDNS',
    url: 'https://dns.alidns.com/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['223.5.5.5', '223.6.6.6'],
    color: '#FF6A00',
  },
  {
    name: 'CIRA Canadian Shield',
    url: 'https://private.canadianshield.cira.ca/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['149.112.121.10', '149.112.122.10'],
    color: '#DC2626',
  },
  {
    name: 'Hurricane Electric',
    url: 'https://ordns.he.net/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['74.82.42.42'],
    color: '#9CA3AF',
  },
  {
    name: 'SWITCH',
    url: 'https://dns.switch.ch/dns-query',
    type: 'get',
    form: 'wire',
    allowCors: false,
    ips: ['130.59.31.248', '130.59.31.251'],
    color: '#059669',
  },
]

/** Whom the page has to be allowed to connect to. */
export const browserResolverOrigins: readonly string[] = [
  ...new Set(browserResolvers.map(({ url }) => new URL(url).origin)),
]
