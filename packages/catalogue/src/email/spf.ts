import { type DnsAnswer, field, sh, tool } from '@assay/kit'
import { formatPrefix } from '@assay/lib/ip/address'
import { textsOf } from '@assay/lib/mail/dns'
import {
  checkHost,
  MAX_LOOKUP_TERMS,
  MAX_VOID_LOOKUPS,
  readSender,
  type SpfOutcome,
  type SpfResult as Verdict,
} from '@assay/lib/mail/spf-check'
import { isSpfRecord, parseSpf } from '@assay/lib/mail/spf-record'
import { countAddresses, type SpfNode, type SpfTree, spfTree } from '@assay/lib/mail/spf-tree'
import { patient, refuseUnanswered } from './question.ts'
import { showSpf } from './spf.show.ts'
import { describeTerm, validateSpf } from './spf-words.ts'
import type { Validation } from './validation.ts'

/** Blocks that are listed; a record that permits more is not one to be written out. */
const MAX_LISTED_NETWORKS = 500
/** Terms and records that are put into words; a record of 64 KiB holds thousands. */
const MAX_TERMS = 300
const MAX_RECORDS = 10
/** Longer than a reply of a mail server may be (RFC 5321 §4.5.3.1.5). */
const MAX_EXPLANATION = 512

export interface SpfBody {
  domain: string
  message: string
  SPF: {
    value: string
    parsed: { tag: string; value: string; description: string }[]
    validation: Validation[]
  }[]
  lookups?: { terms: number; limit: number; void: number; void_limit: number; at_least: boolean }
  tree?: SpfNode
  networks?: { blocks: string[]; total: number; ipv4_addresses: number; ipv6_blocks: number }
  evaluation?: {
    ip: string
    sender: string
    helo: string
    result: Verdict
    reason: string
    term?: string
    explanation?: string
    lookups: number
    void_lookups: number
    steps: SpfOutcome['steps']
  }
}

/** SPF: the record, the tree behind it, and what it says of one sender. RFC 7208. */
export const spf = tool({
  id: 'spf',
  path: 'spf',
  title: 'SPF Check',
  category: 'network-tools',
  summary: 'Which hosts may send mail for a domain, with every include followed and every lookup counted.',
  keywords: ['sender policy framework', 'v=spf1', 'spf record', 'include', 'redirect', 'too many lookups', 'mail'],
  specs: ['RFC 7208', 'RFC 8616'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['spf/{domain}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.domain('Domain'),
    ip: field.ip('Client address', {
      optional: true,
      placeholder: '192.0.2.1',
      help: 'Says what the record makes of a client with this address.',
    }),
    sender: field.text('Sender', {
      optional: true,
      maxLength: 320,
      placeholder: 'alice@example.com',
      help: 'The MAIL FROM address, for records with macros; postmaster of the domain unless given.',
    }),
    helo: field.text('HELO name', { optional: true, maxLength: 255, placeholder: 'mail.example.com' }),
  },

  async *run({ domain, ip, sender, helo }, context) {
    const answer = await context.dns.resolve(`${domain}.`, 'TXT')
    refuseUnanswered(answer)
    const records = textsOf(answer).filter(isSpfRecord).slice(0, MAX_RECORDS)
    if (!records.length) return withoutRecord(domain, answer)
    const dns = patient(context)
    yield { label: 'following the record', partial: withRecords(domain, records) }
    const tree = await spfTree(domain, dns)
    const found = withTree(domain, records, tree)
    if (!ip) return found
    yield { label: 'checking the client', partial: found }
    const mail = {
      sender: sender ?? `postmaster@${domain}`,
      helo: helo || readSender({ sender: sender ?? '', helo: domain }).domain,
    }
    const seconds = context.now().getTime() / 1000
    return withEvaluation(found, { ip, ...mail }, await checkHost({ ip, domain, ...mail, seconds }, dns))
  },

  show: showSpf,

  terminal: ({ domain }) => ({ command: sh`dig +short ${`${domain}.`} TXT` }),

  examples: [
    {
      from: 'RFC 7208 §A.1',
      title: 'Whoever receives mail may send it',
      input: { domain: 'example.com', ip: '192.0.2.129' },
      recording: {
        zone: `example.com. 3600 TXT "v=spf1 mx -all"
example.com. 3600 MX 10 mail-a.example.com.
example.com. 3600 MX 20 mail-b.example.com.
mail-a.example.com. 3600 A 192.0.2.129
mail-b.example.com. 3600 A 192.0.2.130`,
      },
      result: {
        SPF: [{ value: 'v=spf1 mx -all' }],
        lookups: { terms: 1, limit: 10, void: 0 },
        evaluation: { result: 'pass', term: 'mx' },
      },
    },
    {
      from: 'RFC 7208 §A.1',
      title: 'A block of addresses and nobody else',
      input: { domain: 'example.com', ip: '192.0.2.65', sender: 'bob@example.com' },
      recording: { zone: 'example.com. 3600 TXT "v=spf1 ip4:192.0.2.128/28 -all"' },
      result: {
        message: 'The record is valid and needs 0 of 10 DNS lookups.',
        networks: { blocks: ['192.0.2.128/28'], total: 1, ipv4_addresses: 16, ipv6_blocks: 0 },
        evaluation: { result: 'fail', term: '-all' },
      },
    },
  ],
})

const parsedTerms = (value: string) => parseSpf(value).terms.slice(0, MAX_TERMS).map(describeTerm)

function withoutRecord(domain: string, { status }: DnsAnswer): SpfBody {
  const message =
    status === 'nxdomain'
      ? 'The domain does not exist, so it has no SPF record.'
      : 'The domain publishes no SPF record.'
  return { domain, message, SPF: [] }
}

const withRecords = (domain: string, records: readonly string[]): SpfBody => ({
  domain,
  message:
    records.length > 1 ? `There are ${records.length} SPF records, and one is allowed.` : 'The record was found.',
  SPF: records.map(value => ({ value, parsed: parsedTerms(value), validation: [] })),
})

function withTree(domain: string, records: readonly string[], tree: SpfTree): SpfBody {
  const { networks } = tree
  return {
    domain,
    message: messageOf(validateSpf(records, tree, domain), tree),
    SPF: records.map(value => ({
      value,
      parsed: parsedTerms(value),
      validation: validateSpf(records, tree, domain),
    })),
    lookups: {
      terms: tree.lookups,
      limit: MAX_LOOKUP_TERMS,
      void: tree.voidLookups,
      void_limit: MAX_VOID_LOOKUPS,
      at_least: tree.incomplete,
    },
    tree: tree.root,
    networks: {
      blocks: networks.slice(0, MAX_LISTED_NETWORKS).map(formatPrefix),
      total: networks.length,
      ipv4_addresses: Number(countAddresses(networks, 4)),
      ipv6_blocks: networks.filter(({ version }) => version === 6).length,
    },
  }
}

function messageOf(rows: readonly Validation[], { lookups }: SpfTree): string {
  const [error] = rows.filter(({ Status }) => Status === 'Error')
  if (error) return `Receivers get a permanent error or no protection: ${error.Result}.`
  return `The record is valid and needs ${lookups} of ${MAX_LOOKUP_TERMS} DNS lookups.`
}

function withEvaluation(
  body: SpfBody,
  question: { ip: string; sender: string; helo: string },
  { result, reason, term, explanation, lookups, voidLookups, steps }: SpfOutcome,
): SpfBody {
  return {
    ...body,
    evaluation: {
      ...question,
      result,
      reason,
      ...(term !== undefined && { term }),
      ...(explanation !== undefined && { explanation: explanation.slice(0, MAX_EXPLANATION) }),
      lookups,
      void_lookups: voidLookups,
      steps,
    },
  }
}
