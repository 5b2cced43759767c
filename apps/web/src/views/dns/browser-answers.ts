import { typeCode } from '@assay/lib/dns/codes'

/** Resolvers that let pages of other sites read their answers, as JSON. */
export const readableResolvers = [
  { name: 'Google', url: 'https://dns.google/resolve' },
  { name: 'Cloudflare', url: 'https://cloudflare-dns.com/dns-query' },
] as const

const TIMEOUT_MS = 5_000

export interface BrowserAnswer {
  name: string
  values: string[]
  ttl: number | null
  /** Why there is no answer. */
  failure?: string
}

/** What these resolvers say to this browser: the visitor's own place in the network, and none of ours. */
export function askHere(domain: string, type: string): Promise<BrowserAnswer[]> {
  return Promise.all(readableResolvers.map(resolver => ask(resolver, domain, type)))
}

async function ask({ name, url }: { name: string; url: string }, domain: string, type: string): Promise<BrowserAnswer> {
  const nothing = { name, values: [], ttl: null }
  try {
    const response = await fetch(`${url}?${new URLSearchParams({ name: domain, type })}`, {
      headers: { Accept: 'application/dns-json' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) return { ...nothing, failure: `status ${response.status}` }
    return { name, ...readAnswer(await response.json(), typeCode(type)) }
  } catch {
    // The browser does not say which: no connection, no permission, or no JSON.
    return { ...nothing, failure: 'not reachable from this browser' }
  }
}

/** The records of the type asked for; aliases on the way are left out. */
export function readAnswer(body: unknown, type: number): { values: string[]; ttl: number | null } {
  const answers = typeof body === 'object' && body !== null && 'Answer' in body ? body.Answer : []
  const records = (Array.isArray(answers) ? answers : []).filter(record => record?.type === type)
  return {
    values: records.map(record => String(record.data)),
    ttl: records.length ? Number(records[0].TTL) : null,
  }
}

/** Whether two lists hold the same records. The JSON of some writes texts without their quotation marks. */
export function sameRecords(a: readonly string[], b: readonly string[]): boolean {
  const plain = (values: readonly string[]) =>
    [...new Set(values.map(value => value.replace(/^"|"$/g, '').replace(/\.$/, '').toLowerCase()))].sort().join('\n')
  return plain(a) === plain(b)
}
