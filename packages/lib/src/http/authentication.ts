/** How a site protects who its visitors are: passwords, cookies and the encryption around them. */

import { type Answer, textOf, valuesOf } from './response.ts'
import { judgeHeader, securityHeaders } from './security-headers.ts'
import { startTags } from './start-tags.ts'

export interface Weakness {
  description: string
  proof: string
}

const isHtml = (answer: Answer) => /html/i.test(valuesOf(answer, 'content-type')[0] ?? 'text/html')
const isSecure = ({ url }: Answer) => url.startsWith('https:')

/** RFC 7617 §4: Basic sends the password as good as in the clear, so plain HTTP gives it away. */
export function basicOverHttp(answer: Answer): Weakness | undefined {
  const challenge = valuesOf(answer, 'www-authenticate').find(value => /(?:^|,)\s*basic\b/i.test(value))
  if (isSecure(answer) || answer.status !== 401 || challenge === undefined) return undefined
  return { description: 'Asks for a password over plain HTTP (Basic authentication)', proof: challenge.slice(0, 80) }
}

/** Tags and attributes as HTML §13.1.2 writes them; scripts and comments do not count. */
const PASSWORD_FIELD = /\btype\s*=\s*["']?password\b/i

/** A form with a password on a page without TLS, or one that sends it to where there is none. */
export function loginOverHttp(answer: Answer): Weakness | undefined {
  if (answer.status !== 200 || !isHtml(answer)) return undefined
  const html = textOf(answer).replace(/<!--[\s\S]*?(?:-->|$)|<script\b[\s\S]*?(?:<\/script|$)/gi, '')
  const field = startTags(html, 'input').find(tag => PASSWORD_FIELD.test(tag))
  if (field === undefined) return undefined
  if (!isSecure(answer)) return { description: 'Shows a login form over plain HTTP', proof: field.slice(0, 80) }
  const form = startTags(html, 'form').find(tag => /\baction\s*=\s*["']?http:/i.test(tag))
  return form ? { description: 'Sends a login form to a plain HTTP address', proof: form.slice(0, 80) } : undefined
}

/** RFC 6265 §4.1.2, and SameSite of its successor: what each cookie lacks. */
export function weakCookies(answer: Answer): Weakness[] {
  return valuesOf(answer, 'set-cookie').flatMap(value => {
    const [pair = '', ...attributes] = value.split(';')
    const names = attributes.map(attribute => (attribute.split('=')[0] ?? '').trim().toLowerCase())
    const lacking = [...(isSecure(answer) ? ['Secure'] : []), 'HttpOnly', 'SameSite'].filter(
      name => !names.includes(name.toLowerCase()),
    )
    const [name = ''] = pair.trim().split('=')
    // Its value may be a secret.
    return lacking.length
      ? [{ description: `A cookie lacks ${lacking.join(', ')}`, proof: `Set-Cookie: ${name.slice(0, 60)}=…` }]
      : []
  })
}

/** RFC 6797: an encrypted site that browsers may be talked out of. */
export function weakTransport(answer: Answer): Weakness | undefined {
  const rule = securityHeaders.find(({ name }) => name === 'Strict-Transport-Security')
  if (!rule || !isSecure(answer)) return undefined
  const { verdict, detail } = judgeHeader(rule, { secure: true, values: name => valuesOf(answer, name) })
  if (verdict !== 'fail') return undefined
  const [value] = valuesOf(answer, rule.name)
  return {
    description: `Strict-Transport-Security ${value === undefined ? 'is missing' : 'does not hold'}: ${detail}`,
    proof: value === undefined ? 'no such header' : value.slice(0, 80),
  }
}
