/** Which name server process serves which zone, from which file of lab/zones, and how the zone is signed. Pure data. */

/** One process each: a server that holds both parent and child would never send the referral. */
export const nameServers = ['root', 'tld', 'ns1', 'ns2', 'ns3', 'bad'] as const
export type NameServer = (typeof nameServers)[number]

export interface Signing {
  readonly algorithm:
    | 'RSASHA1'
    | 'RSASHA256'
    | 'RSASHA512'
    | 'ECDSAP256SHA256'
    | 'ECDSAP384SHA384'
    | 'ED25519'
    | 'ED448'
  /** A key-signing and a zone-signing key; else one key does both. */
  readonly twoKeys?: boolean
  /** NSEC without it. */
  readonly nsec3?: { readonly iterations: number; readonly optOut?: boolean }
  /** Years of inception and expiry, each 1 January; else around the present. */
  readonly years?: readonly [number, number]
  /** Hours until the signatures expire. */
  readonly hours?: number
  /** The digest of the DS record, SHA-256 without it. */
  readonly digest?: 'SHA-1' | 'SHA-384'
  /** What is done to the signed zone before it is served. */
  readonly spoil?: (signed: string) => string
}

export interface Zone {
  /** Absolute, without the last dot; the root is '.'. */
  readonly name: string
  readonly servers: readonly NameServer[]
  /** Name of the file without `.zone`; the zone's name where it is not given. */
  readonly file?: string
  readonly signing?: Signing
  readonly transfers?: readonly NameServer[]
}

const p256: Signing = { algorithm: 'ECDSAP256SHA256' }
const nsec3 = { iterations: 0 }

const registry = (name: string, signing?: Signing): Zone => ({ name, servers: ['tld'], ...(signing && { signing }) })
const hosted = (name: string, signing?: Signing, file?: string): Zone => ({
  name,
  servers: ['ns1', 'ns2'],
  ...(signing && { signing }),
  ...(file && { file }),
})
const faulty = (name: string): Zone => ({ name, servers: ['bad'] })

export const zones: readonly Zone[] = [
  { name: '.', file: 'root', servers: ['root'], signing: { algorithm: 'RSASHA256', twoKeys: true } },
  { name: 'arpa', servers: ['root'], signing: p256 },
  { name: 'root-servers.net', servers: ['root'] },

  registry('test', p256),
  registry('com', { ...p256, nsec3: { iterations: 0, optOut: true } }),
  registry('net', p256),
  registry('org', { ...p256, nsec3 }),
  registry('in-addr.arpa', p256),
  registry('ip6.arpa', p256),
  ...['ca', 'ch', 'cz', 'de', 'eu', 'google', 'io', 'one', 'pub', 'sb', 'tw', 'ws'].map(name => registry(name)),

  hosted('hosting.net', p256),
  hosted('good.test', { ...p256, twoKeys: true, nsec3 }),
  hosted('dname.test', p256),
  hosted('wildcard.test', p256),
  hosted('isp.test', p256),
  hosted('signed.com', p256, 'plain'),
  hosted('chain.org', p256),
  ...[
    'transit.test',
    'lab.test',
    'tls.test',
    'ports.test',
    'slow.test',
    'bad.test',
    'fault.test',
    'rebind.test',
    'chain.com',
    'types.test',
    'fifty.test',
    'everything.test',
    'iana.org',
    'registrar.test',
    'rir.test',
    'cymru.com',
  ].map(name => hosted(name)),
  ...['unsigned.com', 'fity.test', 'fitfy.test', 'f1fty.test', 'xn--ffty-vpa.test', 'fifty.io', 'fiffty.ws'].map(name =>
    hosted(name, undefined, 'plain'),
  ),

  hosted('rsa.test', { algorithm: 'RSASHA256' }, 'plain'),
  hosted('rsa512.test', { algorithm: 'RSASHA512' }, 'plain'),
  hosted('p384.test', { algorithm: 'ECDSAP384SHA384' }, 'plain'),
  hosted('ed25519.test', { algorithm: 'ED25519' }, 'plain'),
  hosted('ed448.test', { algorithm: 'ED448' }, 'plain'),

  hosted('wrongds.test', p256, 'plain'),
  hosted('bogus.test', { ...p256, spoil: changeAddressOfWww }, 'plain'),
  hosted('expired.test', { ...p256, years: [2019, 2020] }, 'plain'),
  hosted('future.test', { ...p256, years: [2040, 2041] }, 'plain'),
  hosted('stripped.test', { ...p256, spoil: dropDnssecRecords }, 'plain'),
  hosted('nosig.test', { ...p256, spoil: dropSignatureOfWww }, 'plain'),
  hosted('unknownalg.test', { ...p256, spoil: renumberAlgorithm }, 'plain'),
  hosted('island.test', p256, 'plain'),
  hosted('badsoa.test', { ...p256, spoil: changeSerial }, 'plain'),
  hosted('nonsec.test', { ...p256, spoil: dropNsecRecords }),
  hosted('rsasha1.test', { algorithm: 'RSASHA1' }, 'plain'),
  hosted('sha1ds.test', { ...p256, digest: 'SHA-1' }, 'plain'),
  hosted('sha384ds.test', { ...p256, digest: 'SHA-384' }, 'plain'),
  hosted('mixedds.test', p256, 'plain'),
  hosted('baddigest.test', p256, 'plain'),
  hosted('soon.test', { ...p256, hours: 6 }, 'plain'),
  hosted('long.test', { ...p256, years: [2020, 2040] }, 'plain'),
  hosted('iterations.test', { ...p256, nsec3: { iterations: 100 } }, 'plain'),

  { name: 'axfr.test', servers: ['ns1', 'ns2'], transfers: ['ns2'] },
  { name: 'drift.test', file: 'drift.test.ns1', servers: ['ns1'] },
  { name: 'drift.test', file: 'drift.test.ns2', servers: ['ns2'] },
  { name: 'halflame.test', servers: ['ns1'] },

  hosted('0.3.26.in-addr.arpa', p256),
  hosted('1.3.26.in-addr.arpa', p256),
  hosted('3.4.28.in-addr.arpa', { ...p256, years: [2019, 2020] }),
  hosted('b.a.1.0.f.0.a.2.ip6.arpa', p256),

  { name: 'sub.good.test', file: 'customer', servers: ['ns3'], signing: p256 },
  { name: 'open.good.test', file: 'customer', servers: ['ns3'] },
  { name: '0/25.1.3.26.in-addr.arpa', file: '0-25.1.3.26.in-addr.arpa', servers: ['ns3'] },
  { name: '0.0.0.0.1.3.0.0.b.a.1.0.f.0.a.2.ip6.arpa', servers: ['ns3'] },

  ...['spf.test', 'keys.test', 'dmarc.test', 'reports.test', 'refusing.test'].map(name => hosted(name)),
  ...[
    'zen.spamhaus.org',
    'dbl.spamhaus.org',
    'multi.surbl.org',
    'hostkarma.junkemailfilter.com',
    'uribl.spameatingmonkey.net',
  ].map(name => hosted(name)),
  hosted('psbl.surriel.com', undefined, 'list-live'),
  hosted('bl.blocklist.de', undefined, 'list-live'),
  hosted('bl.spamcop.net', undefined, 'list-dead'),
  hosted('b.barracudacentral.org', undefined, 'list-refusing'),
  hosted('dnsbl.dronebl.org', undefined, 'list-everything'),
  hosted('bl.mailspike.net', undefined, 'list-parked'),
  hosted('multi.uribl.com', undefined, 'list-not-ours'),

  ...['edns-drop.test', 'edns-badvers.test', 'truncated.test', 'late.test'].map(faulty),
]

/** The file the zone is made of, without its extension. */
export function fileOf(zone: Zone): string {
  return zone.file ?? zone.name
}

function changeAddressOfWww(signed: string): string {
  return replaceOnce(signed, /^(www\.\S+\s+\d+\s+IN\s+A\s+)\S+/m, '$126.3.0.66')
}

function dropSignatureOfWww(signed: string): string {
  return replaceOnce(signed, /^www\.\S+\s+\d+\s+IN\s+RRSIG\s+A\s.*\n/m, '')
}

function dropDnssecRecords(signed: string): string {
  return signed
    .split('\n')
    .filter(line => !/\sIN\s+(RRSIG|NSEC|NSEC3|NSEC3PARAM|DNSKEY|CDS|CDNSKEY)\s/.test(line))
    .join('\n')
}

function dropNsecRecords(signed: string): string {
  return signed
    .split('\n')
    .filter(line => !/\sIN\s+(NSEC|RRSIG\s+NSEC)\s/.test(line))
    .join('\n')
}

function changeSerial(signed: string): string {
  return replaceOnce(signed, /(\sSOA\s+\S+\s+\S+\s+)\d+/, '$11')
}

/** 13 becomes 100, which IANA has not assigned. */
function renumberAlgorithm(signed: string): string {
  return signed.replace(/(\sDNSKEY\s+\d+ 3 )13 /g, '$1100 ').replace(/(\sRRSIG\s+\S+ )13 /g, '$1100 ')
}

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`nothing to spoil: ${pattern.source}`)
  return text.replace(pattern, replacement)
}
