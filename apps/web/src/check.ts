import type { FieldModel } from './page.ts'

/**
 * The quick look a page takes at a name or address before it asks the server (specification §5). It is no stricter
 * than the server's own reading, which has the last word.
 */
export function fits(kind: FieldModel['kind'], text: string): boolean {
  const value = text.trim()
  switch (kind) {
    case 'domain':
      return isDomain(value)
    case 'ip':
      return isAddress(value)
    case 'host':
      return isDomain(value) || isAddress(value)
    case 'holding':
      return isDomain(value) || isAddress(value) || /^AS\d{1,10}$/i.test(value)
    case 'url':
      return isWebAddress(value)
    default:
      return true
  }
}

/** RFC 1035 §2.3.4: a name has at most 253 characters in this form, a label 63. Any script, as UTS 46 maps it. */
const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]{0,61}[\\p{L}\\p{M}\\p{N}_])?'
const DOMAIN = new RegExp(`^(?=.{4,254}$)(?:${LABEL}\\.)+(?:xn--[a-z0-9-]{2,59}|[\\p{L}\\p{M}]{2,63})\\.?$`, 'iu')

const isDomain = (value: string) => DOMAIN.test(value.replace(/[\u3002\uff0e\uff61]/g, '.'))

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

function isAddress(value: string): boolean {
  if (IPV4.test(value)) return true
  return /^[0-9a-f:.]{2,45}$/i.test(value) && value.includes(':') && URL.canParse(`http://[${value}]`)
}

/** OPEN-039: an http or https scheme that may be missing, a dotted host, and a simple path. */
function isWebAddress(value: string): boolean {
  const match = /^(?:https?:\/\/)?([^/:?#@\s]+)(?::\d{1,5})?(?:\/[\w/.~%-]*)?$/i.exec(value)
  const host = match?.[1] ?? ''
  return isDomain(host) || IPV4.test(host)
}
