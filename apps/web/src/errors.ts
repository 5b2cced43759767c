import type { ProblemData } from './message.ts'
import type { Wording } from './page.ts'

/** One row of the error catalogue (specification §8). The message of an empty row is the server's own. */
export interface Mapping {
  keyword: string
  title: string
  message: string
  type: 'error' | 'warning' | 'info'
  meta?: { register_links: readonly { provider: string; url: string }[] }
}

/** In order: the first keyword that stands in the text, whatever its case, gives title and message. */
export const mappings: readonly Mapping[] = [
  {
    keyword: 'domain is not registered',
    title: 'Domain Not Registered',
    message: 'This domain is not registered. You can register it from trusted providers.',
    type: 'info',
    meta: {
      register_links: [
        { provider: 'Namecheap', url: 'https://www.namecheap.com/domains/registration/results/?domain={domain}' },
        { provider: 'GoDaddy', url: 'https://www.godaddy.com/domainsearch/find?domainToCheck={domain}' },
        { provider: 'Porkbun', url: 'https://porkbun.com/checkout/search?q={domain}' },
      ],
    },
  },
  {
    keyword: 'no dns records found',
    title: 'No DNS Records',
    message: 'No DNS records were found for this domain.',
    type: 'warning',
  },
  { keyword: '404', title: 'Not Found', message: 'The requested resource could not be found.', type: 'error' },
  {
    keyword: '500',
    title: 'Internal Server Error',
    message: 'Oops! Something went wrong on our end.',
    type: 'error',
  },
  {
    keyword: '400',
    title: 'Bad Request',
    message: 'The request could not be understood. Please check your input.',
    type: 'error',
  },
  {
    keyword: 'bad request',
    title: 'Invalid Request',
    message: 'The request was not valid. Please check your input and try again.',
    type: 'error',
  },
  {
    keyword: '503',
    title: 'Service Unavailable',
    message: 'The service is temporarily unavailable. Please try again later.',
    type: 'error',
  },
  { keyword: 'unauthorized', title: 'Unauthorized', message: 'You need to log in to continue.', type: 'error' },
  { keyword: 'forbidden', title: 'Access Denied', message: 'You do not have permission to do this.', type: 'error' },
  {
    keyword: 'token expired',
    title: 'Session Expired',
    message: 'Your session has expired. Please log in again.',
    type: 'warning',
  },
  {
    keyword: 'timeout',
    title: 'Request Timed Out',
    message: 'The request took too long. Please try again.',
    type: 'error',
  },
  {
    keyword: 'failed to fetch',
    title: 'Network Error',
    message: 'Check your internet connection and try again.',
    type: 'error',
  },
  {
    keyword: 'networkerror',
    title: 'Connection Issue',
    message: 'There is a problem with the connection. Please try again.',
    type: 'error',
  },
  {
    keyword: 'rate limit exceeded',
    title: 'Too Many Requests',
    message: 'You have made too many requests. Please wait and try again.',
    type: 'warning',
  },
  {
    keyword: 'too many requests',
    title: 'Slow Down',
    message: 'You are sending requests too quickly. Please slow down.',
    type: 'warning',
  },
  {
    keyword: 'invalid domain',
    title: 'Invalid Domain',
    message: 'Please enter a valid domain name.',
    type: 'warning',
  },
  {
    keyword: 'invalid ip',
    title: 'Invalid IP Address',
    message: 'Please enter a valid IP address.',
    type: 'warning',
  },
  {
    keyword: 'validation error',
    title: 'Invalid Input',
    message: 'Please check your input and try again.',
    type: 'warning',
  },
  {
    keyword: 'internal error',
    title: 'Server Error',
    message: 'The server had a problem. Please try again later.',
    type: 'error',
  },
  {
    keyword: 'unexpected error',
    title: 'Unexpected Error',
    message: 'Something unexpected happened. Please try again.',
    type: 'error',
  },
]

/** What the page says in place of a result. */
export interface Failure {
  title: string
  message: string
  /** The exact reason, where the other side gave one. */
  detail?: string | undefined
  /** The field to look at. */
  field?: string | undefined
  links?: readonly { provider: string; url: string }[] | undefined
}

/** An answer that was not a success. */
export class Refusal extends Error {
  readonly status: number
  readonly statusText: string
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    super(`Error ${status}: ${statusText}`)
    this.name = 'Refusal'
    this.status = status
    this.statusText = statusText
    this.body = body
  }
}

/** A problem that a tool reported in the browser. */
export class ToolProblem extends Error {
  readonly problem: ProblemData

  constructor(problem: ProblemData) {
    super(problem.message)
    this.name = 'ToolProblem'
    this.problem = problem
  }
}

/** The network gave no answer at all. */
export class Offline extends Error {
  constructor(cause: unknown) {
    super('Failed to fetch', { cause })
    this.name = 'Offline'
  }
}

const OFFLINE_POST = 'Failed to post data. Please check your internet connection.'
const FAULT = 'Something went wrong while processing your request.'
const NOTHING_SAID = 'Something went wrong.'

/** The words for whatever ended a run. `value` is what was looked up, for links that name it. */
export function explainFailure(error: unknown, words: Wording, value: string): Failure {
  if (words.errors === 'box') return boxFailure(error, words)
  if (words.failed) return { title: words.failed, ...plainFailure(error, words) }
  if (error instanceof ToolProblem) return lookupFailure(error.problem.message, error.problem, value)
  if (error instanceof Refusal) return lookupFailure(error.body, readBody(error.body), value)
  if (error instanceof Offline) return lookupFailure(error.message, {}, value)
  return words.unexpected ? { title: 'Unexpected Error', message: words.unexpected } : lookupFailure('', {}, value)
}

/** OPEN-046: the network, then what the other side said, then anything else. */
function boxFailure(error: unknown, words: Wording): Failure {
  return { title: 'Error:', ...plainFailure(error, { ...words, offline: words.offline || OFFLINE_POST }) }
}

function plainFailure(error: unknown, words: Wording): Omit<Failure, 'title'> {
  if (error instanceof Offline) return { message: words.offline }
  if (error instanceof ToolProblem) return error.problem
  if (error instanceof Refusal) {
    const { message, detail, field } = readBody(error.body)
    return { message: message ?? error.message, detail, field }
  }
  return { message: FAULT }
}

/** ERR-001 to ERR-031: by the first keyword in the text, else what the text itself says. */
export function lookupFailure(text: string, { message, detail, field }: Said, value: string): Failure {
  // The rest of a body may hold a number that looks like a status, so its message is read first.
  const found = mappingOf(message ?? '') ?? mappingOf(text)
  if (!found) return { title: 'Error', message: message ?? (text.trim() || NOTHING_SAID), detail, field }
  const links = found.meta?.register_links.map(({ provider, url }) => ({
    provider,
    url: url.replace('{domain}', encodeURIComponent(value)),
  }))
  // What the other side said beyond the keyword is the exact reason.
  const reason = message && message.length > found.keyword.length ? message : undefined
  const details = [reason, detail].filter(part => part !== undefined)
  return { title: found.title, message: found.message, detail: details.join(' ') || undefined, field, links }
}

function mappingOf(text: string): Mapping | undefined {
  const lower = text.toLowerCase()
  return mappings.find(({ keyword }) => lower.includes(keyword))
}

interface Said {
  message?: string | undefined
  detail?: string | undefined
  field?: string | undefined
}

/** What the body of an error says: error or message, and beside it the reason and the field. */
function readBody(body: string): Said {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null) return {}
    const values = new Map<string, unknown>(Object.entries(parsed))
    const text = (name: string) => {
      const value = values.get(name)
      return typeof value === 'string' && value ? value : undefined
    }
    return { message: text('error') ?? text('message'), detail: text('detail'), field: text('field') }
  } catch {
    return {}
  }
}

export const missingInput = (words: Wording, field: string, place: 'browser' | 'server' = 'server'): Failure => ({
  title: words.missingTitle ?? 'Missing Input',
  message: (place === 'browser' && words.missingHere) || words.missing,
  field,
})

export const invalidInput = (words: Wording, field: string, placeholder: string): Failure => ({
  title: 'Invalid Input',
  message: words.mismatch + placeholder,
  field,
})
