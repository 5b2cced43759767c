import {
  badge,
  field,
  type ListItem,
  Problem,
  panel,
  raw,
  type ServerContext,
  sh,
  shellWord,
  type Tone,
  tool,
  type Update,
} from '@assay/kit'
import { toUnicode } from '@assay/lib/domain/idna'
import { publicSuffix, registrableDomain } from '@assay/lib/domain/suffix'
import { type Permutation, permutationsOf, RISK_MARGIN, riskOf } from '@assay/lib/domain/typosquatting'
import { addressesIn, atOnce, findRegistrations, type Registration, refuseSilence } from './registration-search.ts'

/** Names looked up; permutations come the likeliest first. */
const MAX_NAMES = 3_000
/** Registered names whose addresses and mail servers are looked up. */
const MAX_DETAILED = 300
const MAX_NAMES_IN_COMMAND = 5
/** Answers between two partial results. */
const PARTIAL_EVERY = 100
const DAY_MS = 86_400_000

interface Detail {
  domain: string
  /** In its own script, where that is another. */
  unicode?: string
  /** The kind of change. */
  fuzzer: string
  risk_level: 'High' | 'Medium'
  risk_reason: string
  name_servers: string[]
  addresses: string[]
  mail_servers: string[]
  /** Its name servers are those of the domain itself, so it probably belongs to the same owner. */
  same_owner_likely: boolean
}

interface Result {
  domain: string
  detected_domains: string[]
  details: Detail[]
  threat_level: 'SAFE' | 'LOW' | 'MEDIUM' | 'HIGH'
  /** The name that was registered, which is what others imitate. */
  checked: string
  names_checked: number
  /** Names of which no server said anything. */
  names_unknown: number
  /** There are more permutations than were looked up. */
  truncated: boolean
}

const withoutDot = (name: string) => name.replace(/\.$/, '').toLowerCase()

/** None, up to five, up to fifteen, more. */
function threatLevel(count: number): Result['threat_level'] {
  if (count === 0) return 'SAFE'
  if (count <= 5) return 'LOW'
  return count <= 15 ? 'MEDIUM' : 'HIGH'
}

const TONES: Readonly<Record<Result['threat_level'], Tone>> = { SAFE: 'good', LOW: 'info', MEDIUM: 'warn', HIGH: 'bad' }

/** Registered names that could be taken for a domain. */
export const checkTyposquatting = tool({
  id: 'check-typosquatting',
  path: 'check-typosquatting',
  title: 'Typosquatting Check',
  category: 'dns-tools',
  summary: 'Registered names that look like a domain or are one slip of the finger away.',
  keywords: ['dnstwist', 'lookalike domains', 'phishing', 'homograph', 'homoglyph', 'brand protection', 'bitsquatting'],
  specs: ['RFC 1034', 'RFC 3492', 'UTS 46', 'UTS 39'],
  runs: 'server',
  weight: 'scan',
  lookups: ['check-typosquatting/{domain}/refresh', 'check-typosquatting/{domain}'],
  freshFor: { 'check-typosquatting/{domain}': DAY_MS },
  button: ['Analyze', 'Analyzing...'],
  fields: { domain: field.domain('Domain') },

  async *run({ domain }, context): AsyncGenerator<Update<Result>, Result, void> {
    const checked = registrableDomain(domain)
    const suffix = publicSuffix(domain)
    if (!checked || !suffix) {
      const message = 'Domain: expected a name that can be registered, such as example.com.'
      throw new Problem('invalid-input', message, { field: 'domain' })
    }
    const label = toUnicode(checked.slice(0, -suffix.length - 1))
    const { permutations, truncated } = likeliest(label, suffix, checked)

    const registrations = new Map<string, Registration>()
    const details = new Map<string, Detail>()
    let done = 0
    let told = 0
    const byName = new Map(permutations.map(each => [each.domain, each]))
    const summarise = () => resultOf({ domain, checked, permutations, registrations, details, truncated })

    // "ex.ample.com" can be had by whoever has ample.com.
    const wanted = [...new Set(permutations.map(each => registrableDomain(each.domain) ?? each.domain))]
    for await (const batch of findRegistrations(context, wanted)) {
      for (const each of batch) {
        registrations.set(each.name, each)
        const permutation = byName.get(each.name)
        if (permutation && each.status === 'registered') {
          details.set(each.name, detailOf(permutation, checked, each))
        }
      }
      done += batch.length
      if (done - told < PARTIAL_EVERY) continue
      told = done
      yield {
        progress: (done / wanted.length) * 0.8,
        label: `${done} of ${wanted.length} names looked up, ${details.size} registered`,
        partial: summarise(),
      }
    }
    refuseSilence([...registrations.values()])

    const own = await context.dns.resolve(`${checked}.`, 'NS')
    const ownServers = own.records.flatMap(record =>
      record.type === 'NS' && record.data ? [withoutDot(record.data.nsdname)] : [],
    )
    const below = permutations.filter(each => {
      const parent = registrableDomain(each.domain)
      return parent !== undefined && parent !== each.domain && registrations.get(parent)?.status === 'registered'
    })
    const open = [...permutations.filter(each => details.has(each.domain)), ...below].slice(0, MAX_DETAILED)
    let looked = 0
    for await (const found of atOnce(open, each => look(each, checked, registrations.get(each.domain), context))) {
      looked++
      if (found) details.set(found.domain, withOwner(found, ownServers))
      if (looked % 25 === 0) {
        const label = `${looked} of ${open.length} registered names looked into`
        yield { progress: 0.8 + (looked / open.length) * 0.2, label, partial: summarise() }
      }
    }
    return summarise()
  },

  show({ domain, checked, detected_domains, details, names_checked, names_unknown, truncated }) {
    if (!detected_domains) return [panel.note('neutral', 'No typosquatting data available')]
    const level = threatLevel(detected_domains.length)
    const known = new Map(details.map(each => [each.domain, each]))
    return [
      panel.banner(TONES[level], checked || domain, {
        badge: `${detected_domains.length} FOUND`,
        detail: `${names_checked} similar names looked up`,
      }),
      panel.tiles(
        { label: 'Suspicious Domains', value: detected_domains.length },
        { label: 'Threat Level', value: { text: level, tone: TONES[level] } },
        { label: 'Security Check', value: { text: 'COMPLETE', tone: 'good' } },
      ),
      detected_domains.length
        ? panel.list(
            detected_domains.map(name => itemOf(name, checked || domain, known.get(name))),
            { title: 'Detected domains', scroll: true },
          )
        : panel.note('good', 'None of the similar names is registered.', 'No Threats Detected'),
      ...(truncated
        ? [panel.note('info', `There are more similar names; the ${MAX_NAMES} likeliest were looked up.`)]
        : []),
      ...(names_unknown ? [panel.note('warn', `Of ${names_unknown} names no server said anything.`)] : []),
      panel.note(
        'info',
        'A similar name need not be meant badly. Who registered it, and when, is what its WHOIS entry says.',
        'Insights',
      ),
    ]
  },

  terminal(_, { checked, detected_domains }) {
    const names = detected_domains.length ? detected_domains : [checked]
    const list = raw(names.slice(0, MAX_NAMES_IN_COMMAND).map(shellWord).join(' '))
    return { command: sh`for name in ${list}; do dig +noall +answer "$name" NS; done` }
  },

  examples: [
    {
      from: 'dnstwist 20221213: omission and transposition',
      title: 'Two slips of the finger are registered',
      input: { domain: 'example.com' },
      recording: {
        zone: `com. 60 SOA a.gtld-servers.net. nstld.verisign-grs.com. 1 2 3 4 60
com. 60 NS a.gtld-servers.net.
a.gtld-servers.net. 60 A 192.0.2.30
example.com. 60 NS ns.example.net.
exmple.com. 60 NS ns.other.test.
exmple.com. 60 A 198.51.100.7
xeample.com. 60 NS ns.example.net.`,
      },
      result: { domain: 'example.com', detected_domains: ['exmple.com', 'xeample.com'], threat_level: 'LOW' },
    },
  ],
})

function likeliest(label: string, suffix: string, checked: string) {
  const permutations: Permutation[] = []
  for (const each of permutationsOf({ label, suffix })) {
    if (permutations.length === MAX_NAMES) return { permutations, truncated: true }
    if (each.domain !== checked) permutations.push(each)
  }
  return { permutations, truncated: false }
}

function reasonFor(found: string, checked: string): string {
  return riskOf(found, checked) === 'High'
    ? `more than ${RISK_MARGIN} characters longer than the domain`
    : `at most ${RISK_MARGIN} characters longer than the domain`
}

function detailOf({ domain, unicode, fuzzer }: Permutation, checked: string, registration?: Registration): Detail {
  return {
    domain,
    ...(unicode !== undefined && { unicode }),
    fuzzer,
    risk_level: riskOf(domain, checked),
    risk_reason: reasonFor(domain, checked),
    name_servers: registration?.nameServers ?? [],
    addresses: [],
    mail_servers: [],
    same_owner_likely: false,
  }
}

/** Addresses and mail servers. A name below somebody's domain counts only when it exists there. */
async function look(
  permutation: Permutation,
  checked: string,
  registration: Registration | undefined,
  { dns }: ServerContext,
): Promise<Detail | undefined> {
  const name = `${permutation.domain}.`
  const [a, aaaa, mx] = await Promise.all([dns.resolve(name, 'A'), dns.resolve(name, 'AAAA'), dns.resolve(name, 'MX')])
  const found = detailOf(permutation, checked, registration)
  found.addresses = [...addressesIn(a), ...addressesIn(aaaa)]
  found.mail_servers = mx.records.flatMap(record =>
    record.type === 'MX' && record.data ? [withoutDot(record.data.exchange)] : [],
  )
  return registration || found.addresses.length || found.mail_servers.length ? found : undefined
}

function withOwner(found: Detail, ownServers: readonly string[]): Detail {
  const same = found.name_servers.length > 0 && found.name_servers.every(server => ownServers.includes(server))
  return { ...found, same_owner_likely: same }
}

interface Findings {
  domain: string
  checked: string
  permutations: readonly Permutation[]
  registrations: ReadonlyMap<string, Registration>
  details: ReadonlyMap<string, Detail>
  truncated: boolean
}

function resultOf({ domain, checked, permutations, registrations, details, truncated }: Findings): Result {
  const inOrder = permutations.flatMap(each => details.get(each.domain) ?? [])
  return {
    domain,
    detected_domains: inOrder.map(each => each.domain),
    details: inOrder,
    threat_level: threatLevel(inOrder.length),
    checked,
    names_checked: permutations.length,
    names_unknown: [...registrations.values()].filter(({ status }) => status === 'unknown').length,
    truncated,
  }
}

function itemOf(name: string, checked: string, found: Detail | undefined): ListItem {
  const risk = riskOf(name, checked)
  const words = [
    found?.unicode && `reads ${found.unicode}`,
    found?.fuzzer,
    `${risk} risk: ${reasonFor(name, checked)}`,
    found?.addresses.slice(0, 2).join(', '),
    found?.mail_servers.length ? `takes mail at ${found.mail_servers[0]}` : '',
    found?.same_owner_likely ? 'same name servers as the domain itself' : '',
  ]
  return {
    text: { text: name, mono: true },
    detail: words.filter(Boolean).join(' · '),
    badges: [
      badge(risk, risk === 'High' ? 'bad' : 'warn'),
      { text: 'Visit Domain', href: `http://${name}` },
      { text: 'Whois Info', href: `/dns-tools/whois/?q=${encodeURIComponent(name)}` },
    ],
  }
}
