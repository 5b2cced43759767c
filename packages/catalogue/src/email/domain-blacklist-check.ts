import { field, panel, sh, tool, type Update } from '@assay/kit'
import { domainLists } from '@assay/lib/dnsbl/zones'
import {
  answerTable,
  askLists,
  countPanel,
  insightPanel,
  isAccused,
  listingPanel,
  questionsAboutDomain,
  summaryOf,
  verdictOf,
  type ZoneAnswer,
} from './blacklist.ts'

export interface DomainBlacklistBody {
  domain: string
  blacklisted: boolean
  message: string
  /** Zones of the lists that accuse. */
  listings: string[]
  /** The whole, then one row for each list. */
  validation: { api: string; status: string; result: string }[]
  zones?: ZoneAnswer[]
}

/** A domain in the lists of names seen in spam, phishing and malware. RFC 5782 §3. */
export const domainBlacklistCheck = tool({
  id: 'domain-blacklist-check',
  path: 'domain-blacklist-check',
  title: 'Domain Blacklist Check',
  category: 'network-tools',
  summary: 'Whether a domain is on the lists of names that were seen in spam, phishing or malware.',
  keywords: ['uribl', 'surbl', 'dbl', 'spamhaus', 'blacklist', 'blocklist', 'domain reputation', 'phishing'],
  specs: ['RFC 5782', 'RFC 6471'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['domain_blacklist_check/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.domain('Domain'),
    lists: field.choice('Lists', ['usual', 'all'], { help: 'All lists adds those of young domains.' }),
  },

  async *run({ domain, lists }, context): AsyncGenerator<Update<DomainBlacklistBody>, DomainBlacklistBody, void> {
    const wanted = domainLists.filter(({ special }) => lists === 'all' || !special)
    return yield* askLists(questionsAboutDomain(domain, wanted), context, zones => {
      const summary = summaryOf(zones)
      return {
        domain,
        blacklisted: zones.some(isAccused),
        message: `The domain is ${summary}.`,
        listings: zones.filter(isAccused).map(({ zone }) => zone),
        validation: [
          { api: 'DNS blocklists', status: verdictOf(zones), result: summary },
          ...zones.map(({ zone, status, meanings, reason }) => ({
            api: zone,
            status,
            result: meanings.join(', ') || (reason ?? status),
          })),
        ],
        zones,
      }
    })
  },

  show({ domain, blacklisted, message, listings, validation, zones = [] }) {
    const unknown = !blacklisted && validation[0]?.status === 'Unknown'
    return [
      panel.banner(blacklisted ? 'bad' : unknown ? 'warn' : 'good', domain, {
        badge: blacklisted ? 'BLACKLISTED' : unknown ? 'UNKNOWN' : 'CLEAN',
        ...(message && { detail: message }),
      }),
      ...countPanel(zones),
      ...listingPanel(listings),
      panel.table(
        ['API', 'Result', 'Status'],
        validation.slice(0, 1).map(({ api, result, status }) => [api, result, status]),
        { title: 'Validation' },
      ),
      ...answerTable(zones),
      ...insightPanel(zones),
    ]
  },

  terminal: ({ domain }) => ({ command: sh`dig +short ${`${domain}.dbl.spamhaus.org`} A` }),

  examples: [
    {
      from: 'RFC 5782 §3',
      title: 'A name, asked for as it is',
      input: { domain: 'invader.com' },
      recording: {
        zone: `dbltest.com.dbl.spamhaus.org. A 127.0.1.2
invader.com.dbl.spamhaus.org. A 127.0.1.4
invader.com.dbl.spamhaus.org. TXT "https://example.com/query/invader.com"
test.surbl.org.multi.surbl.org. A 127.0.0.254`,
      },
      result: {
        domain: 'invader.com',
        blacklisted: true,
        listings: ['dbl.spamhaus.org'],
        validation: [{ api: 'DNS blocklists', status: 'Listed', result: 'listed on 1 of 4 lists, 2 could not tell' }],
      },
    },
  ],
})
