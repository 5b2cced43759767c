import { parseDomain, parseHost, parseUrl } from '@assay/lib/domain/name'
import { formatAddress, parseAddress } from '@assay/lib/ip/address'
import { Problem } from './problem.ts'

/**
 * The canonical form of a name or address that a visitor typed. The message is one of the two fixed sentences of the
 * API; why it was refused stands in the detail.
 */
export function canonicalName(kind: 'domain' | 'ip' | 'host' | 'holding' | 'url', field: string, text: string): string {
  try {
    switch (kind) {
      case 'domain':
        return parseDomain(text).ascii
      case 'ip':
        return formatAddress(parseAddress(text.trim()))
      case 'holding':
        return asNumber(text) ?? parseHost(text).ascii
      case 'host':
        return parseHost(text).ascii
      case 'url':
        return parseUrl(text).href
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message =
      kind === 'host' || kind === 'holding' ? refusal[looksLikeAddress(text) ? 'ip' : 'domain'] : refusal[kind]
    throw new Problem('invalid-input', message, {
      field,
      detail: `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`,
      cause: error,
    })
  }
}

/** RFC 5396 §2: "AS" and a number of at most 32 bits, without leading zeros. */
function asNumber(text: string): string | undefined {
  const [, digits] = /^\s*AS(0|[1-9]\d{0,9})\s*$/i.exec(text) ?? []
  return digits !== undefined && Number(digits) < 2 ** 32 ? `AS${digits}` : undefined
}

/** Digits and dots, or more than one colon: whoever typed it meant an address. */
const looksLikeAddress = (text: string) => /^\s*[\d.]+\s*$/.test(text) || /:[^/]*:/.test(text)

const refusal = {
  domain: 'Invalid domain',
  ip: 'Invalid IP',
  url: 'Validation error: expected a web address',
}
