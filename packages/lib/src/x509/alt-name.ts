import { der } from '../asn1/write.ts'
import { type Bytes, fromLatin1 } from '../bytes.ts'
import { bytesOf, findAddress, formatAddress, parseAddress } from '../ip/address.ts'

/** Alternative names as people type them, and as a certificate holds them. RFC 5280 §4.2.1.6. */
export interface AltName {
  type: 'DNS' | 'IP' | 'email' | 'URI'
  /** As it will stand in the certificate: A-labels, the canonical form of an address. */
  value: string
}

/** Names in one certificate; public authorities take about as many. */
const MAX_ALT_NAMES = 100
/** RFC 1035 §2.3.4, as text without the final dot. */
const MAX_NAME_LENGTH = 253
const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/

const prefixes: readonly (readonly [pattern: RegExp, type: AltName['type']])[] = [
  [/^DNS:/i, 'DNS'],
  [/^IP:/i, 'IP'],
  [/^e-?mail:/i, 'email'],
  [/^URI:/i, 'URI'],
]

/** Names with commas, semicolons or white space between them, each with a prefix such as DNS: or without. */
export async function parseAltNames(text: string): Promise<AltName[]> {
  const found = text
    .replace(/\bIP Address:/gi, 'IP:')
    .replace(/\b(DNS|IP|e-?mail|URI):\s+/gi, '$1:')
    .split(/[\s,;]+/)
    .filter(Boolean)
  if (found.length > MAX_ALT_NAMES) throw new RangeError(`expected at most ${MAX_ALT_NAMES} names, got ${found.length}`)
  const names: AltName[] = []
  for (const [index, typed] of found.entries()) names.push(await numbered(typed, index, found.length))
  return distinct(names)
}

/** In a list, a fault is no use without the number of the name. */
async function numbered(typed: string, index: number, count: number): Promise<AltName> {
  try {
    return await parseAltName(typed)
  } catch (cause) {
    if (!(cause instanceof RangeError) || count === 1) throw cause
    throw new RangeError(`name ${index + 1} of ${count}: ${cause.message}`, { cause })
  }
}

async function parseAltName(typed: string): Promise<AltName> {
  for (const [pattern, type] of prefixes) {
    if (pattern.test(typed)) return { type, value: await readers[type](typed.replace(pattern, '')) }
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed) || /^urn:/i.test(typed)) return { type: 'URI', value: uri(typed) }
  if (typed.includes('@')) return { type: 'email', value: await asciiEmail(typed) }
  return findAddress(typed) ? { type: 'IP', value: address(typed) } : { type: 'DNS', value: await dnsName(typed) }
}

const readers: Readonly<Record<AltName['type'], (text: string) => string | Promise<string>>> = {
  DNS: dnsName,
  IP: address,
  email: asciiEmail,
  URI: uri,
}

function address(text: string): string {
  return formatAddress(parseAddress(text))
}

/** A host name in A-labels; one label will do inside a house, and the first may be a wildcard (RFC 9525 §6.3). */
async function dnsName(text: string): Promise<string> {
  const [, star = '', rest = ''] = /^(\*\.)?(.*)$/s.exec(text) ?? []
  if (rest.includes('*')) throw new RangeError('expected an asterisk only as the whole first part, as in *.example.com')
  return `${star}${await hostName(rest)}`
}

/** The table of other scripts is heavy, so it is loaded for names that need it only. */
async function hostName(text: string): Promise<string> {
  if (!/^[!-~]*$/.test(text) || /xn--/i.test(text)) {
    const { parseDomain } = await import('../domain/name.ts')
    return parseDomain(text, { topLevel: true }).ascii
  }
  const name = text.toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > MAX_NAME_LENGTH || !labels.every(label => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? '')) {
    throw new RangeError('expected a host name such as www.example.com, of letters, digits and hyphens')
  }
  return name
}

/** RFC 5280 §4.2.1.6 and §7.5: rfc822Name is ASCII; the part before the @ cannot be mapped, the one after it can. */
export async function asciiEmail(text: string): Promise<string> {
  const [, local = '', domain] = /^([^@]+)@([^@]+)$/.exec(text.trim()) ?? []
  if (!domain) throw new RangeError('expected an address such as name@example.com')
  if (!/^[a-z\d.!#$%&'*+/=?^_`{|}~-]+$/i.test(local)) {
    throw new RangeError('expected letters, digits and plain signs before the @: certificates hold nothing else there')
  }
  return `${local}@${await hostName(domain)}`
}

/** Absolute, with a scheme and more (RFC 5280 §4.2.1.6); what is not ASCII is written with percent signs (RFC 3987 §3.1). */
function uri(text: string): string {
  const absolute = /^[a-z][a-z\d+.-]*:./i.test(text) && URL.canParse(text)
  const value = !absolute || isVisibleAscii(text) ? text : new URL(text).href
  if (absolute && isVisibleAscii(value)) return value
  throw new RangeError('expected an absolute address such as https://example.com/')
}

const isVisibleAscii = (text: string) => /^[!-~]+$/.test(text)

/**
 * The name or address that a common name stands for; undefined for a name of something else, such as that of an
 * authority. What looks like a host name and is none is refused.
 */
export async function hostOfCommonName(typed: string): Promise<string | undefined> {
  const text = typed.trim()
  const found = findAddress(text)
  if (found) return formatAddress(found)
  if (!text || /[\s@/:]/.test(text)) return undefined
  return /[.*]/.test(text) || /^[a-z\d_-]+$/i.test(text) ? dnsName(text) : undefined
}

export const altNameOfHost = (host: string): AltName => ({ type: findAddress(host) ? 'IP' : 'DNS', value: host })

/** Without repetitions, in the order of their first appearance. */
export const distinct = (names: readonly AltName[]): AltName[] =>
  names.filter(({ type, value }, index) => names.findIndex(one => one.type === type && one.value === value) === index)

/** The context tags of GeneralName. */
const nameTags = { email: 1, DNS: 2, URI: 6, IP: 7 } as const

/** The DER of GeneralNames. */
export const writeAltNames = (names: readonly AltName[]): Bytes =>
  der.sequence(
    ...names.map(({ type, value }) =>
      der.implicit(nameTags[type], type === 'IP' ? bytesOf(parseAddress(value)) : fromLatin1(value)),
    ),
  )
