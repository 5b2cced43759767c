/**
 * What visitors type: domain names, hosts and web addresses, read strictly. Anything that two programs could read
 * differently is refused, with a sentence that says what was expected and never repeats what was typed.
 * RFC 1034 §3.5 and RFC 1123 §2.1 (host names), RFC 8552 (underscores), UTS 46 (other scripts), RFC 3986 §3.
 */

import { type Address, findAddress, formatAddress } from '../ip/address.ts'
import { toAscii, toUnicode } from './idna.ts'

export interface DomainName {
  kind: 'domain'
  /** A-labels in lower case, without the final dot. */
  ascii: string
  /** U-labels, for people. */
  unicode: string
  labels: readonly string[]
}

export interface AddressHost {
  kind: 'address'
  /** The address in canonical form. */
  ascii: string
  unicode: string
  address: Address
}

export type Host = DomainName | AddressHost

export interface WebAddress {
  /** As `new URL` writes it, without a fragment. */
  href: string
  scheme: 'http' | 'https'
  /** False when the visitor left the scheme out: https is assumed, http is worth a second try. */
  schemeGiven: boolean
  host: Host
  port: number
  /** Path and query as sent. */
  path: string
}

export interface DomainOptions {
  /** A single label such as "com" is a name too. */
  topLevel?: boolean
}

export interface UrlOptions {
  /** Any path, and a query. Without it the path holds letters, digits and / . _ - ~ % only. */
  query?: boolean
}

/** RFC 1035 §2.3.4, as text without the final dot. */
const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63
/** Several code points may become one in NFC; no name of 253 characters needs more than this to be typed. */
const MAX_TYPED_LENGTH = 1000
/** What anybody types; where servers send each other on, RFC 9110 §4.1 wants 8000 octets to be possible. */
const MAX_TYPED_URL_LENGTH = 2048
const MAX_URL_LENGTH = 8000

const EXPECTED_DOMAIN = 'expected a domain name such as example.com'
const EXPECTED_HOST = 'expected a domain name such as example.com or an IP address such as 192.0.2.1'
const EXPECTED_URL = 'expected a web address such as https://example.com/path'

/** Controls, bidirectional controls, and what shows nothing. The two joiners have rules of their own in UTS 46. */
const INVISIBLE = /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]/v
const LABEL = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$/
const SIMPLE_PATH = /^(?:\/(?:[a-z\d/._~-]|%[\da-f]{2})*)?$/i
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/

function screen(typed: string, limit: number, expected: string): string {
  const text = typed.trim()
  if (text === '') throw new RangeError(expected)
  if (text.length > limit) throw new RangeError(`${expected}, not a text of more than ${limit} characters`)
  if (INVISIBLE.test(text)) throw new RangeError(`${expected}, without control or invisible characters`)
  if (text.includes('\\')) throw new RangeError(`${expected}, without a backslash`)
  return text
}

/** Reads a domain name: trimmed, mapped by UTS 46, one final dot dropped. RangeError says why not. */
export function parseDomain(typed: string, { topLevel = false }: DomainOptions = {}): DomainName {
  const text = screen(typed, MAX_TYPED_LENGTH, EXPECTED_DOMAIN)
  if (findAddress(text)) throw new RangeError(`${EXPECTED_DOMAIN}, not an IP address`)
  refuseUrlParts(text, EXPECTED_DOMAIN)
  const mapped = /^[\da-z._-]*$/i.test(text) && !/xn--/i.test(text) ? text.toLowerCase() : toAscii(text)
  if (mapped === undefined) throw new RangeError(`${EXPECTED_DOMAIN}, whose letters the rules for names allow (UTS 46)`)
  const ascii = mapped.endsWith('.') ? mapped.slice(0, -1) : mapped
  const labels = ascii.split('.')
  checkLabels(labels)
  if (ascii.length > MAX_NAME_LENGTH) {
    throw new RangeError(`expected a domain name of at most ${MAX_NAME_LENGTH} characters`)
  }
  if (labels.length < 2 && !topLevel) {
    throw new RangeError(`${EXPECTED_DOMAIN}, with a dot and a top-level part`)
  }
  if (!TOP_LABEL.test(labels.at(-1) ?? '')) {
    throw new RangeError('expected a domain name that ends in a top-level part of two or more letters')
  }
  return { kind: 'domain', ascii, unicode: ascii.includes('xn--') ? toUnicode(ascii) : ascii, labels }
}

function refuseUrlParts(text: string, expected: string): void {
  if (text.includes('://')) throw new RangeError(`${expected}, without a scheme`)
  if (text.includes('/')) throw new RangeError(`${expected}, without a path`)
  if (text.includes('@')) throw new RangeError(`${expected}, without a user name`)
  if (text.includes('%')) throw new RangeError(`${expected}, without a percent sign`)
  if (text.includes(':')) throw new RangeError(`${expected}, without a port`)
}

function checkLabels(labels: readonly string[]): void {
  for (const label of labels) {
    if (label === '') throw new RangeError(`${EXPECTED_DOMAIN}, with something between its dots`)
    if (label.length > MAX_LABEL_LENGTH) {
      throw new RangeError(
        `expected a domain name whose parts have at most ${MAX_LABEL_LENGTH} characters, not ${label.length}`,
      )
    }
    if (label.startsWith('-') || label.endsWith('-')) {
      throw new RangeError('expected a domain name whose parts neither start nor end with a hyphen')
    }
    if (!LABEL.test(label)) throw new RangeError(`${EXPECTED_DOMAIN}: letters, digits and hyphens, with dots between`)
  }
}

/** Reads a domain name or an address in its one accepted spelling. RangeError says why it is neither. */
export function parseHost(typed: string): Host {
  const text = screen(typed, MAX_TYPED_LENGTH, EXPECTED_HOST)
  const address = findAddress(text)
  if (address) return hostOf(address)
  // Two colons make no name, and a last part of digits makes an IPv4 address for WHATWG parsers, a name for others.
  if (/^[^/:]*:[^/:]*:/.test(text) || /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(text)) {
    throw new RangeError('expected an IP address as four decimal numbers up to 255 or as IPv6')
  }
  return parseDomain(text)
}

function hostOf(address: Address): AddressHost {
  const ascii = formatAddress(address)
  return { kind: 'address', ascii, unicode: ascii, address }
}

/**
 * Reads an http or https address. The host and the port are taken apart here; `new URL` then gets a text rebuilt from
 * them, and must find the same host in it.
 */
export function parseUrl(typed: string, { query = false }: UrlOptions = {}): WebAddress {
  const text = screen(typed, query ? MAX_URL_LENGTH : MAX_TYPED_URL_LENGTH, EXPECTED_URL)
  if (/\s/u.test(text)) throw new RangeError(`${EXPECTED_URL}, without spaces`)
  const [, given, rest = text] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/isu.exec(text) ?? []
  const scheme = (given ?? 'https').toLowerCase()
  if (scheme !== 'http' && scheme !== 'https') throw new RangeError(`${EXPECTED_URL}, with http or https`)
  const end = rest.search(/[/?#]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const tail = end < 0 ? '' : rest.slice(end)
  if (!query && !SIMPLE_PATH.test(tail)) {
    throw new RangeError(`${EXPECTED_URL}, with a path of letters, digits and / . _ - ~ % and no query`)
  }
  const { host, port } = parseAuthority(authority, scheme === 'https' ? 443 : 80)
  return rebuilt({ scheme, schemeGiven: given !== undefined, host, port }, tail)
}

function parseAuthority(authority: string, defaultPort: number): { host: Host; port: number } {
  if (authority.includes('@')) throw new RangeError(`${EXPECTED_URL}, without a user name or password`)
  if (authority.includes('%')) throw new RangeError(`${EXPECTED_URL}, without a percent sign in the host`)
  const [, bracketed, plain, digits] = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::(.*))?$/su.exec(authority) ?? []
  if (bracketed === undefined && !plain) throw new RangeError(EXPECTED_URL)
  const port = digits === undefined ? defaultPort : Number(/^[1-9]\d{0,4}$/.test(digits) ? digits : Number.NaN)
  if (!(port <= 65_535)) throw new RangeError(`${EXPECTED_URL}, with a port from 1 to 65535`)
  if (bracketed === undefined) return { host: parseHost(plain ?? ''), port }
  const address = findAddress(bracketed)
  if (address?.version !== 6) throw new RangeError(`${EXPECTED_URL}, with an IPv6 address between the brackets`)
  return { host: hostOf(address), port }
}

function rebuilt(parts: Omit<WebAddress, 'href' | 'path'>, tail: string): WebAddress {
  const { scheme, host, port } = parts
  const name = host.kind === 'address' && host.address.version === 6 ? `[${host.ascii}]` : host.ascii
  let url: URL
  try {
    url = new URL(`${scheme}://${name}:${port}${tail}`)
  } catch (cause) {
    throw new RangeError(EXPECTED_URL, { cause })
  }
  url.hash = ''
  const found = url.hostname.startsWith('[') ? findAddress(url.hostname.slice(1, -1)) : findAddress(url.hostname)
  const same = found ? formatAddress(found) === host.ascii : url.hostname === host.ascii
  if (!same || url.username || url.password) throw new RangeError(EXPECTED_URL)
  return { ...parts, href: url.href, path: `${url.pathname}${url.search}` }
}
