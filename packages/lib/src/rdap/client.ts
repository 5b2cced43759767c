/** Asking RDAP servers: what an answer means. RFC 7480 (HTTP), RFC 9082 (addresses of the questions). */

import { type Json, readJson, text } from './json.ts'

/** An answer is asked for as RDAP, and read up to this size. */
export const RDAP_HEADERS = { Accept: 'application/rdap+json, application/json;q=0.5' }
export const MAX_RDAP_BYTES = 1_048_576
export const RDAP_TIMEOUT_MS = 5_000
export const MAX_RDAP_REDIRECTS = 3

/** What the net brought, or in a few words why it brought nothing. */
export type Fetched =
  | {
      url: string
      status: number
      headers: readonly (readonly [name: string, value: string])[]
      body: Uint8Array
      truncated: boolean
    }
  | { failure: string; outcome: 'refused' | 'timeout' | 'unreachable' }

export type RdapOutcome =
  | { outcome: 'found'; url: string; answer: Json; body: Uint8Array }
  | { outcome: 'not-found'; url: string; detail?: string; body: Uint8Array }
  | { outcome: 'limited'; url: string; detail: string }
  | { outcome: 'refused' | 'timeout' | 'unreachable'; url: string; detail: string }

export const rdapUrl = (service: string, kind: 'domain' | 'ip' | 'autnum', value: string): string =>
  `${service}${kind}/${encodeURIComponent(value).replaceAll('%3A', ':')}`

/**
 * RFC 7480 §5: 200 holds the answer, 404 says that the server has none, 429 that it has been asked too much. Whatever
 * else comes, a server error, a page of HTML or half an answer, says nothing about the thing asked for.
 */
export function judgeRdap(asked: string, fetched: Fetched): RdapOutcome {
  if ('failure' in fetched) return { outcome: fetched.outcome, url: asked, detail: fetched.failure }
  const { url, status, headers, body, truncated } = fetched
  const answer = readJson(body)
  if (status === 429) {
    const wait = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
    const detail =
      wait && /^\d{1,6}$/.test(wait) ? `It asks for a pause of ${Number(wait)} s.` : 'It was asked too often.'
    return { outcome: 'limited', url, detail }
  }
  if (status === 404) {
    const detail = text(answer?.title)
    return { outcome: 'not-found', url, body, ...(detail && { detail }) }
  }
  if (status !== 200) return { outcome: 'unreachable', url, detail: `The server answered with HTTP status ${status}.` }
  if (truncated) return { outcome: 'unreachable', url, detail: 'The answer is too long or broke off.' }
  if (!answer) return { outcome: 'unreachable', url, detail: 'The answer is not JSON.' }
  return { outcome: 'found', url, answer, body }
}
