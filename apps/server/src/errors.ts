import { Problem, type ProblemCode, type ProblemOptions } from '@assay/kit'

/** What a failed request is answered with. `error` is one of the sentences that the pages know; it repeats no input. */
export interface ErrorBody {
  error: string
  code: string
  field?: string
  detail?: string
  /** With 500 only: what to quote when asking us. */
  request?: string
}

export interface Failure {
  status: number
  body: ErrorBody
  headers?: Record<string, string>
}

/** A refusal of the door rather than of a tool; its status is its own. */
export class DoorError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** A problem that passes by itself. */
export class Wait extends Problem {
  readonly retryAfterSeconds: number
  constructor(code: 'limited' | 'busy', retryAfterMs: number, message: string, options?: ProblemOptions) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
    super(code, message, { detail: `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`, ...options })
    this.retryAfterSeconds = seconds
  }
}

/** The client went away; nobody reads the answer. */
export class Gone extends Error {}

const VALIDATION = 'Validation error: '
const UNAVAILABLE = '503 Service Unavailable'

const lead = (start: string, message: string) => (message.startsWith(start) ? message : `${start}${message}`)
const invalid = (message: string) =>
  message === 'Invalid domain' || message === 'Invalid IP' ? message : lead(VALIDATION, message)

/** The one table from problems to statuses and sentences. */
const problems: Record<ProblemCode, { status: number; error(message: string): string; fixed?: true }> = {
  'invalid-input': { status: 400, error: invalid },
  refused: { status: 400, error: message => lead(VALIDATION, message) },
  'not-found': { status: 404, error: message => message },
  limited: { status: 429, error: () => 'Rate limit exceeded', fixed: true },
  busy: { status: 503, error: message => lead(`${UNAVAILABLE}: `, message) },
  unreachable: { status: 503, error: message => lead(`${UNAVAILABLE}: `, message) },
  unsupported: { status: 503, error: message => lead(`${UNAVAILABLE}: `, message) },
  timeout: { status: 504, error: () => 'Request timeout', fixed: true },
}

const BUSY_RETRY_SECONDS = 2

/** What Fastify and its body parsers refuse, in our words. */
const frameworkErrors: Record<string, { status: number; code: string; error: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'invalid-input', error: 'the body is not valid JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'invalid-input', error: 'the body is empty, send a JSON object' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'invalid-input',
    error: 'the body is not as long as Content-Length says',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'too-large', error: 'the body is larger than this server takes' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported-media-type',
    error: 'send the body as application/json, or a file as multipart/form-data',
  },
  FST_ERR_BAD_URL: { status: 400, code: 'invalid-input', error: 'the address is not properly percent-encoded' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 414, code: 'too-long', error: 'the value in the address is too long' },
  FST_PARTS_LIMIT: { status: 413, code: 'too-large', error: 'the form has too many parts' },
  FST_FIELDS_LIMIT: { status: 413, code: 'too-large', error: 'the form has too many fields' },
  FST_FILES_LIMIT: { status: 413, code: 'too-large', error: 'the form has too many files' },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    status: 415,
    code: 'unsupported-media-type',
    error: 'the form names no boundary between its parts',
  },
  FST_PROTO_VIOLATION: { status: 400, code: 'invalid-input', error: 'a field has a name that is not allowed' },
}

export const notFound: Failure = { status: 404, body: { error: '404 Not Found', code: 'not-found' } }
export const forbidden = () => new DoorError(403, 'forbidden', 'Forbidden')

/** The answer to anything that was thrown. Only problems and refusals say why; everything else is a bug of ours. */
export function failureOf(error: unknown, requestId: string): Failure {
  if (error instanceof Problem) return problemFailure(error)
  if (error instanceof DoorError) {
    return { status: error.status, headers: error.headers, body: { error: error.message, code: error.code } }
  }
  const known = frameworkFailure(error)
  return known ?? { status: 500, body: { error: '500 Internal Server Error', code: 'internal', request: requestId } }
}

function problemFailure(problem: Problem): Failure {
  const { code, message, field } = problem
  const row = problems[code]
  const error = row.error(message)
  const detail = problem.detail ?? (row.fixed && message !== error ? message : undefined)
  const retryAfter =
    problem instanceof Wait ? problem.retryAfterSeconds : code === 'busy' ? BUSY_RETRY_SECONDS : undefined
  return {
    status: row.status,
    ...(retryAfter && { headers: { 'retry-after': String(retryAfter) } }),
    body: { error, code, ...(field && { field }), ...(detail && { detail }) },
  }
}

function frameworkFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const status = 'statusCode' in error ? Number(error.statusCode) : 0
  const row = frameworkErrors[code]
  if (row) return { status: row.status, body: { error: `${VALIDATION}${row.error}`, code: row.code } }
  // What is left with a status below 500 comes from parsing the request: forbidden keys, cut-off bodies, bad forms.
  if (status < 400 || status >= 500) return undefined
  return { status, body: { error: `${VALIDATION}the body could not be read`, code: 'invalid-input' } }
}
