import { parseDomain } from '@assay/lib/domain/name'

/** What may stand before the @ as browsers see it, https://html.spec.whatwg.org/#valid-e-mail-address. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/

/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, two of which are its brackets. */
const MAX_LENGTH = 254

/** The address with its domain in the form of DNS; undefined when it is none. */
export function parseEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (at < 1 || !LOCAL_PART.test(text.slice(0, at))) return undefined
  try {
    const email = `${text.slice(0, at)}@${parseDomain(text.slice(at + 1)).ascii}`
    return email.length <= MAX_LENGTH ? email : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
