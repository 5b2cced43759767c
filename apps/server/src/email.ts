import { parseDomain } from '@assay/lib/domain/name'

/** What may stand before the @ as browsers see it, https://html.spec.whatwg.org/#valid-e-mail-address. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/

/** The address with its domain in the form of DNS; undefined when it is none. */
export function parseEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (at < 1 || !LOCAL_PART.test(text.slice(0, at))) return undefined
  try {
    return `${text.slice(0, at)}@${parseDomain(text.slice(at + 1)).ascii}`
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
