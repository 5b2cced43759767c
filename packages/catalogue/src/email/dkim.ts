import { explain, field, Problem, sh, tool, type Update } from '@assay/kit'
import { checkDkimKey, type DkimKey, looksLikeDkim } from '@assay/lib/mail/dkim'
import { knownSelectors, parseSelector } from '@assay/lib/mail/dkim-selectors'
import { isKnown, type MailDns, textsOf } from '@assay/lib/mail/dns'
import { showDkim } from './dkim.show.ts'
import { patient } from './question.ts'

/** What is found at the name of one selector. */
export interface SelectorResult {
  selector: string
  name: string
  /** `none`: no record. `other`: records, but no key. */
  status: 'key' | 'several' | 'other' | 'none' | 'unknown'
  keys: DkimKey[]
  /** Names that the question was led on to. */
  aliases: string[]
  reason?: string
}

export interface DkimBody {
  domain: string
  /** The records at the selector that was asked for. */
  DKIM: string[]
  message?: string
  selector?: SelectorResult
  /** Keys found at selectors that many senders use, tried when the one asked for has none. */
  others?: SelectorResult[]
  tried?: number
  /** Whether anything lies below `_domainkey`: `no` proves that there are no keys at all (RFC 8020). */
  key_names?: 'yes' | 'no' | 'unknown'
  /** Every name below `_domainkey` gets the same answer, so names that answer prove nothing. */
  wildcard?: boolean
}

/** DKIM keys: what a selector holds, and whether it can be used. RFC 6376 §3.6.1. */
export const dkim = tool({
  id: 'dkim',
  path: 'dkim',
  title: 'DKIM Check',
  category: 'network-tools',
  summary: 'The DKIM key a domain publishes at a selector, its type and length, and what verifiers make of it.',
  keywords: ['domainkeys identified mail', 'dkim record', 'selector', '_domainkey', 'public key', 'mail signature'],
  specs: ['RFC 6376', 'RFC 8301', 'RFC 8463'],
  runs: 'server',
  weight: 'lookup',
  lookups: ['dkim/{domain}', 'dkim/{domain}/{selector}'],
  button: ['Analyze', 'Analyzing...'],
  fields: {
    domain: field.domain('Domain'),
    selector: field.text('Selector', {
      default: 'default',
      maxLength: 300,
      placeholder: 'default',
      help: 'The s= of a signature. Left empty, the selectors of many senders are tried.',
    }),
    known_selectors: field.flag('Try known selectors', {
      default: true,
      help: 'When there is no key at the selector, try those that many senders use.',
    }),
  },

  async *run({ domain, selector: typed, known_selectors }, context): AsyncGenerator<Update<DkimBody>, DkimBody, void> {
    const dns = patient(context)
    const wanted = typed.trim() && explain('selector', 'Selector', () => parseSelector(typed))
    const asked = wanted ? await lookUp(dns, domain, wanted) : undefined
    if (asked?.status === 'unknown' && !known_selectors) refuse(asked)
    const base = { domain, DKIM: asked?.keys.map(({ value }) => value) ?? [], ...(asked && { selector: asked }) }
    if (asked?.keys.length || (asked && !known_selectors)) return { ...base, message: messageOf(asked, [], 0) }

    const key_names = await keyNames(dns, domain)
    const wildcard = key_names === 'yes' && (await lookUp(dns, domain, UNLIKELY)).keys.length > 0
    const others: SelectorResult[] = []
    // Below a name that does not exist there is nothing (RFC 8020); a wildcard answers whatever is asked.
    const selectors = key_names === 'no' || wildcard ? [] : knownSelectors.filter(each => each !== wanted)
    const found = () => ({
      ...base,
      others: others.toSorted((a, b) => selectors.indexOf(a.selector) - selectors.indexOf(b.selector)),
      tried: selectors.length,
      key_names,
      wildcard,
      message: key_names === 'no' ? NO_KEYS : messageOf(asked, others, selectors.length),
    })
    for (let start = 0; start < selectors.length; start += AT_ONCE) {
      const batch = selectors.slice(start, start + AT_ONCE)
      const results = await Promise.all(batch.map(each => lookUp(dns, domain, each)))
      others.push(...results.filter(({ keys }) => keys.length))
      const done = start + batch.length
      yield {
        progress: done / selectors.length,
        label: `${done} of ${selectors.length} selectors tried`,
        partial: found(),
      }
    }
    if (asked?.status === 'unknown' && !others.length) refuse(asked)
    return found()
  },

  show: showDkim,

  terminal: ({ domain }, { selector, others }) => {
    const name = selector?.name ?? others?.[0]?.name ?? `default._domainkey.${domain}`
    return { command: sh`dig +short ${`${name}.`} TXT` }
  },

  examples: [
    {
      from: 'RFC 8463 §A.2',
      title: 'An Ed25519 key',
      input: { domain: 'football.example.com', selector: 'brisbane' },
      recording: {
        zone: 'brisbane._domainkey.football.example.com. TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="',
      },
      result: {
        domain: 'football.example.com',
        DKIM: ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
        selector: { status: 'key', keys: [{ type: 'Ed25519', state: 'usable', bits: 256 }] },
      },
    },
    {
      from: 'RFC 8463 §A.2',
      title: 'An RSA key shorter than it should be',
      input: { domain: 'football.example.com', selector: 'test' },
      recording: {
        zone: 'test._domainkey.football.example.com. TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/" "BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"',
      },
      result: {
        message: 'The key can be used.',
        selector: { status: 'key', keys: [{ type: 'RSA', state: 'usable', bits: 1024 }] },
      },
    },
  ],
})

/** Questions under way together. */
const AT_ONCE = 8
/** A name that nobody has as a selector, to see whether everything is answered. */
const UNLIKELY = 'assay-no-such-selector'

const NO_KEYS = 'There are no DKIM keys: the name _domainkey does not exist below this domain.'

async function lookUp(dns: MailDns, domain: string, selector: string): Promise<SelectorResult> {
  const name = `${selector}._domainkey.${domain}`
  const answer = await dns.resolve(`${name}.`, 'TXT')
  const texts = textsOf(answer)
  const keys = texts.filter(looksLikeDkim).map(checkDkimKey)
  const aliases = answer.records.flatMap(record => (record.type === 'CNAME' && record.data ? [record.data.cname] : []))
  const status = keys.length > 1 ? 'several' : keys.length ? 'key' : texts.length ? 'other' : 'none'
  if (isKnown(answer)) return { selector, name, status, keys, aliases }
  return { selector, name, status: 'unknown', keys, aliases, reason: answer.reason ?? answer.status }
}

/** A name without records of its own, but with names below it, answers NOERROR; else NXDOMAIN (RFC 8020). */
async function keyNames(dns: MailDns, domain: string): Promise<NonNullable<DkimBody['key_names']>> {
  const { status } = await dns.resolve(`_domainkey.${domain}.`, 'TXT')
  if (status === 'nxdomain') return 'no'
  return status === 'answer' || status === 'nodata' ? 'yes' : 'unknown'
}

function refuse({ reason = '' }: SelectorResult): never {
  throw new Problem('unreachable', 'The name servers of this domain gave no usable answer.', { detail: reason })
}

function messageOf(asked: SelectorResult | undefined, others: readonly SelectorResult[], tried: number): string {
  if (asked?.status === 'several') return `There are ${asked.keys.length} keys at this selector, and one is allowed.`
  const [key] = asked?.keys ?? []
  if (key) return stateWords[key.state]
  const here = asked ? 'There is no key at this selector' : 'No selector was given'
  if (!tried) return `${here}.`
  return others.length
    ? `${here}; ${others.length} of ${tried} known selectors ${others.length > 1 ? 'have one' : 'has one'}.`
    : `${here}, nor at ${tried} known ones. The domain may use others.`
}

const stateWords: Readonly<Record<DkimKey['state'], string>> = {
  usable: 'The key can be used.',
  revoked: 'The key is revoked: signatures with this selector fail.',
  weak: 'The key is too short: verifiers do not take it.',
  ignored: 'The key has a type that verifiers do not know.',
  broken: 'The record is broken: verifiers find no key in it.',
}
