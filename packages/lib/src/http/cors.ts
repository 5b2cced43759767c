/**
 * Which foreign origins a site lets read its answers with the visitor's cookies. Fetch §3.3 (CORS protocol): only the
 * combination of an allowed origin and Access-Control-Allow-Credentials hands over what belongs to a visitor.
 */

import { type Answer, valuesOf } from './response.ts'

/** An origin to ask with, and what it would mean if the site let it in. */
export interface OriginProbe {
  name: 'any' | 'null' | 'prefix' | 'suffix' | 'insecure'
  origin: string
  meaning: string
}

/** Origins that a careless comparison lets in. `token` makes them names that nobody has. */
export function originProbes(host: string, token: string): OriginProbe[] {
  return [
    { name: 'any', origin: `https://${token}.example`, meaning: 'any site' },
    { name: 'null', origin: 'null', meaning: 'the null origin, which any page has in a sandboxed frame' },
    {
      name: 'prefix',
      origin: `https://${host}.${token}.example`,
      meaning: 'a foreign domain that only begins with this name',
    },
    { name: 'suffix', origin: `https://${token}${host}`, meaning: 'a foreign domain that only ends in this name' },
    {
      name: 'insecure',
      origin: `http://${host}`,
      meaning: 'the unencrypted site of the same name, which anybody on the way can fill',
    },
  ]
}

/** What is wrong with the answer to an origin, in a sentence; undefined when nothing is. */
export function judgeCors({ origin, meaning }: OriginProbe, answer: Answer): string | undefined {
  const [allowed] = valuesOf(answer, 'access-control-allow-origin')
  // Fetch §3.3.3: the value must be "true" in exactly this case.
  const credentials = valuesOf(answer, 'access-control-allow-credentials').some(value => value.trim() === 'true')
  if (allowed === undefined || !credentials) return undefined
  if (allowed.trim() === origin) return `Lets ${meaning} read answers with the visitor's credentials`
  if (allowed.trim() === '*') {
    return 'Allows every origin together with credentials, a combination that browsers refuse and that shows a mistake'
  }
  return undefined
}
