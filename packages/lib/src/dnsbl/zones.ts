/**
 * Lists of addresses and domains that are asked over the DNS (RFC 5782), as of August 2026. Sources: rspamd
 * conf/modules.d/rbl.conf of 2026-08-21, mailcow's postfix.sh of 2026-08-05, the operators' own pages, and a check of
 * the control points from two resolvers on 2026-08-03. What a list has become since, its control points tell.
 * Left out because they are gone or list the whole world: *.sorbs.net, ix.dnsbl.manitu.net, db.wpbl.info,
 * ubl.unsubscore.com, dnsbl.inps.de, dnsbl.cyberlogic.net, virbl.bit.nl, *.rbl.msrbl.net, *.imp.ch, *.rbl.jp,
 * bl.konstant.no, rbl.triumf.ca, relays.nether.net, dnsbl.ahbl.org, bl.emailbasura.org, dnsbl.njabl.org,
 * relays.ordb.org, *.rfc-ignorant.org, cbl.abuseat.org (now in XBL), *.abuse.ch.
 */

/** What a listing says: an accusation, a policy of the network, something about its neighbours, or praise. */
export type ListingKind = 'spam' | 'policy' | 'neighbourhood' | 'backscatter' | 'praise'

export interface Code {
  meaning: string
  kind?: ListingKind
}

export interface BlockList {
  zone: string
  name: string
  /** `host` is asked for the name as it is, `domain` for the registrable domain. */
  asks: 'address' | 'domain' | 'host'
  /** What a listing means where the code does not say. */
  kind: ListingKind
  ipv6?: boolean
  /** Meanings by whole address. */
  codes?: Readonly<Record<string, Code>>
  /** Meanings of the bits of the last number. */
  bits?: Readonly<Record<number, string>>
  /** Answers that refuse the question, beside 127.255.255.0/24; `x` is any number. */
  refusals?: readonly string[]
  /** An entry that is always listed and one that never is. Without, a missing entry proves nothing. */
  control?: { listed: string; clean: string }
  /** Asked only when all lists are wanted. */
  special?: boolean
  note?: string
}

/** RFC 5782 §5: 127.0.0.2 is listed, 127.0.0.1 is not; for IPv6 the same as IPv4-mapped addresses. */
const addressControl = { listed: '127.0.0.2', clean: '127.0.0.1' }

const list = (zone: string, name: string, more: Partial<BlockList> = {}): BlockList => ({
  zone,
  name,
  asks: 'address',
  kind: 'spam',
  control: addressControl,
  ...more,
})

const spam = (meaning: string): Code => ({ meaning })
const policy = (meaning: string): Code => ({ meaning, kind: 'policy' })
const praise = (meaning: string): Code => ({ meaning, kind: 'praise' })

export const addressLists: readonly BlockList[] = [
  list('zen.spamhaus.org', 'Spamhaus ZEN', {
    ipv6: true,
    codes: {
      '127.0.0.2': spam('SBL: sources of spam'),
      '127.0.0.3': spam('SBL CSS: low-reputation senders'),
      '127.0.0.4': spam('XBL: infected or exploited machines'),
      '127.0.0.5': spam('XBL: infected or exploited machines'),
      '127.0.0.6': spam('XBL: infected or exploited machines'),
      '127.0.0.7': spam('XBL: infected or exploited machines'),
      '127.0.0.9': spam('SBL DROP: networks taken over by criminals'),
      '127.0.0.10': policy('PBL: the provider says that mail should not come from here directly'),
      '127.0.0.11': policy('PBL: Spamhaus says that mail should not come from here directly'),
    },
    note: 'Answers resolvers of its own users only, never large public ones.',
  }),
  list('bl.spamcop.net', 'SpamCop'),
  list('psbl.surriel.com', 'PSBL'),
  list('bl.mailspike.net', 'Mailspike', {
    codes: {
      '127.0.0.2': spam('listed'),
      '127.0.0.10': spam('worst reputation'),
      '127.0.0.11': spam('very bad reputation'),
      '127.0.0.12': spam('bad reputation'),
    },
  }),
  list('bl.spameatingmonkey.net', 'Spam Eating Monkey'),
  list('bl.blocklist.de', 'blocklist.de'),
  list('bl.0spam.org', '0SPAM'),
  list('rbl.interserver.net', 'InterServer'),
  list('dnsbl.spfbl.net', 'SPFBL'),
  list('truncate.gbudb.net', 'GBUdb Truncate'),
  list('all.s5h.net', 's5h.net', { ipv6: true }),
  list('dnsbl.zapbl.net', 'ZapBL'),
  list('dnsrbl.swinog.ch', 'SWINOG'),
  list('dnsbl.kempt.net', 'Kempt'),
  list('spam.dnsbl.anonmails.de', 'Anonmails'),
  list('spamsources.fabel.dk', 'Fabel'),
  list('bl.nosolicitado.org', 'NoSolicitado'),
  list('mail-abuse.blacklist.jippg.org', 'JIPPG'),
  list('dnsbl-1.uceprotect.net', 'UCEPROTECT Level 1', { note: 'Asks money for early removal.' }),
  list('dnsbl.dronebl.org', 'DroneBL', { ipv6: true }),
  list('bip.virusfree.cz', 'VirusFree BIP', { ipv6: true, codes: { '127.0.0.2': spam('a bot') } }),
  list('b.barracudacentral.org', 'Barracuda', {
    codes: { '127.0.0.2': spam('listed') },
    note: 'Answers registered resolvers only.',
  }),
  list('bl.suomispam.net', 'SuomiSpam'),
  list('dnsbl-2.uceprotect.net', 'UCEPROTECT Level 2', { kind: 'neighbourhood', special: true }),
  list('dnsbl-3.uceprotect.net', 'UCEPROTECT Level 3', { kind: 'neighbourhood', special: true }),
  list('ips.backscatterer.org', 'Backscatterer', { kind: 'backscatter', special: true }),
  list('backscatter.spameatingmonkey.net', 'SEM Backscatter', { kind: 'backscatter', special: true }),
  {
    zone: 'hostkarma.junkemailfilter.com',
    name: 'HostKarma',
    asks: 'address',
    kind: 'spam',
    codes: {
      '127.0.0.1': praise('on the white list'),
      '127.0.0.2': spam('on the black list'),
      '127.0.0.3': { meaning: 'yellow: sends both kinds', kind: 'policy' },
      '127.0.0.4': { meaning: 'brown: nearly black', kind: 'policy' },
      '127.0.1.2': spam('seen for the first time lately'),
    },
    special: true,
    note: 'Its 127.0.0.1 is praise, so it has no control points.',
  },
  {
    zone: 'list.dnswl.org',
    name: 'DNSWL',
    asks: 'address',
    kind: 'praise',
    ipv6: true,
    refusals: ['127.0.0.255', '127.0.10.x'],
    special: true,
    note: 'A list of good senders.',
  },
]

const surblBits = { 4: 'DM', 8: 'phishing', 16: 'malware', 32: 'click tracker', 64: 'abuse', 128: 'cracked site' }

export const domainLists: readonly BlockList[] = [
  {
    zone: 'dbl.spamhaus.org',
    name: 'Spamhaus DBL',
    asks: 'domain',
    kind: 'spam',
    codes: {
      '127.0.1.2': spam('spam'),
      '127.0.1.4': spam('phishing'),
      '127.0.1.5': spam('malware'),
      '127.0.1.6': spam('control of a botnet'),
      '127.0.1.102': spam('a good domain abused for spam'),
      '127.0.1.103': spam('a redirector abused for spam'),
      '127.0.1.104': spam('a good domain abused for phishing'),
      '127.0.1.105': spam('a good domain abused for malware'),
      '127.0.1.106': spam('a good domain abused by a botnet'),
    },
    refusals: ['127.0.1.255'],
    control: { listed: 'dbltest.com', clean: 'example.com' },
    note: 'Answers resolvers of its own users only, never large public ones.',
  },
  {
    zone: 'multi.surbl.org',
    name: 'SURBL',
    asks: 'host',
    kind: 'spam',
    bits: surblBits,
    refusals: ['127.0.0.1'],
    control: { listed: 'test.surbl.org', clean: 'example.com' },
  },
  {
    zone: 'multi.uribl.com',
    name: 'URIBL',
    asks: 'domain',
    kind: 'spam',
    bits: { 2: 'black', 4: 'grey', 8: 'red' },
    refusals: ['127.0.0.1'],
    control: { listed: 'test.uribl.com', clean: 'example.com' },
  },
  {
    zone: 'uribl.spameatingmonkey.net',
    name: 'SEM URI',
    asks: 'domain',
    kind: 'spam',
    bits: { 2: 'listed' },
    note: 'It has no control points that are published.',
  },
  {
    zone: 'fresh15.spameatingmonkey.net',
    name: 'SEM Fresh 15',
    asks: 'domain',
    kind: 'policy',
    bits: { 2: 'registered less than 15 days ago' },
    special: true,
    note: 'Young, which is no accusation.',
  },
]
