import { field, Problem, panel, type ServerContext, sh, tool, type Update } from '@assay/kit'
import { listName } from '@assay/lib/dnsbl/listing'
import { addressLists } from '@assay/lib/dnsbl/zones'
import { findAddress } from '@assay/lib/ip/address'
import { addressesOf, isKnown } from '@assay/lib/mail/dns'
import {
  answerTable,
  askLists,
  countPanel,
  insightPanel,
  isAccused,
  listingPanel,
  questionsAbout,
  summaryOf,
  verdictOf,
  type ZoneAnswer,
} from './blacklist.ts'

/** Addresses of a name that are looked up; more are told and left. */
const MAX_ADDRESSES = 4

export interface DnsblBody {
  domain_or_ip: string
  blacklisted: boolean
  /** Zones of the lists that accuse. */
  listings: string[]
  validation: { Test: string; Status: string; Result: string }
  /** The addresses asked about: the one given, or those of the name. */
  addresses?: string[]
  /** Further addresses of the name, not asked about. */
  left_out?: string[]
  zones?: ZoneAnswer[]
}

/** An address in the lists of mail servers that others have seen misbehave. RFC 5782. */
export const dnsbl = tool({
  id: 'dnsbl',
  path: 'dnsbl',
  title: 'DNSBL Check',
  category: 'dns-tools',
  summary:
    'Whether an address is on the DNS blocklists that mail servers ask, after each list has shown that it works.',
  keywords: ['rbl', 'blacklist', 'blocklist', 'spamhaus', 'spamcop', 'barracuda', 'zen', 'mail reputation'],
  specs: ['RFC 5782', 'RFC 6471'],
  runs: 'server',
  weight: 'scan',
  lookups: ['dnsbl/{target}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    target: field.host('Domain or IP address', { placeholder: '192.0.2.1 or example.com' }),
    lists: field.choice('Lists', ['usual', 'all'], {
      help: 'All lists adds those on whole networks, on bounces, and on good senders.',
    }),
  },

  async *run({ target, lists }, context): AsyncGenerator<Update<DnsblBody>, DnsblBody, void> {
    const all = findAddress(target) ? [target] : await addressesOfName(context.dns, target)
    const addresses = all.slice(0, MAX_ADDRESSES)
    const wanted = addressLists.filter(({ special }) => lists === 'all' || !special)
    const questions = addresses.flatMap(address => questionsAbout(address, wanted))
    return yield* askLists(questions, context, zones => ({
      domain_or_ip: target,
      blacklisted: zones.some(isAccused),
      listings: [...new Set(zones.filter(isAccused).map(({ zone }) => zone))],
      validation: { Test: 'DNS blocklists', Status: verdictOf(zones), Result: summaryOf(zones) },
      addresses,
      ...(all.length > MAX_ADDRESSES && { left_out: all.slice(MAX_ADDRESSES) }),
      zones,
    }))
  },

  show({ domain_or_ip, blacklisted, listings, validation, addresses = [], left_out = [], zones = [] }) {
    const clean = validation.Status === 'Ok' && !blacklisted
    return [
      panel.banner(blacklisted ? 'bad' : clean ? 'good' : 'warn', domain_or_ip, {
        badge: blacklisted ? 'BLACKLISTED' : clean ? 'CLEAN' : 'UNKNOWN',
        detail: validation.Result,
      }),
      ...countPanel(zones),
      ...listingPanel(listings),
      panel.table(['Test', 'Result', 'Status'], [[validation.Test, validation.Result, validation.Status]], {
        title: 'Validation',
      }),
      ...(addresses.length > 1 || left_out.length
        ? [
            panel.facts([
              ['Addresses asked about', addresses.join(', ')],
              ...(left_out.length ? [['Not asked about', left_out.join(', ')] as const] : []),
            ]),
          ]
        : []),
      ...answerTable(zones),
      ...insightPanel(zones),
    ]
  },

  terminal: (_, { addresses = [], domain_or_ip }) => ({
    command: sh`dig +short ${listName(addresses[0] ?? domain_or_ip, 'zen.spamhaus.org') ?? ''} A`,
  }),

  examples: [
    {
      from: 'RFC 5782 §2.1 and §5',
      title: 'One list with its test entry, and none that lists everybody',
      input: { target: '192.0.2.99' },
      recording: {
        zone: `2.0.0.127.zen.spamhaus.org. A 127.0.0.2
99.2.0.192.zen.spamhaus.org. A 127.0.0.2
99.2.0.192.zen.spamhaus.org. TXT "Dynamic address, see https://example.com?192.0.2.99"
2.0.0.127.bl.spamcop.net. A 127.0.0.2`,
      },
      result: {
        domain_or_ip: '192.0.2.99',
        blacklisted: true,
        listings: ['zen.spamhaus.org'],
        validation: { Status: 'Listed' },
      },
    },
    {
      from: 'RFC 5782 §5',
      title: 'No list works, so nothing is known',
      input: { target: '192.0.2.99' },
      recording: {},
      result: { blacklisted: false, listings: [], validation: { Status: 'Unknown' } },
    },
  ],
})

async function addressesOfName(dns: ServerContext['dns'], name: string): Promise<string[]> {
  const answers = await Promise.all(['A', 'AAAA'].map(type => dns.resolve(`${name}.`, type)))
  const found = answers.flatMap(addressesOf)
  if (found.length) return found
  if (answers.some(answer => !isKnown(answer))) {
    throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', {
      detail: answers.find(answer => !isKnown(answer))?.reason,
    })
  }
  throw new Problem('not-found', 'No DNS records found', {
    field: 'target',
    detail: 'The name has no addresses to look up. For the name itself there is the domain blacklist check.',
  })
}
