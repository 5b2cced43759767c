import { readFileSync } from 'node:fs'
import { parseTrustAnchors } from '@assay/lib/dns/trust-anchors'

/**
 * The anchors of a setting: DS lines, or the path of a file that holds them. Read where a program starts, so that a
 * mistake stops it there and not at the first check. RangeError says what is wrong.
 */
export function readTrustAnchors(value: string): string {
  const text = value.startsWith('/') ? readFileSync(value, 'utf8') : value
  parseTrustAnchors(text)
  return text
}
