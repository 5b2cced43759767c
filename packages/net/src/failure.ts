/** What went wrong between us and a server, as a sentence for people. */

import { Problem, type ProblemCode } from '@assay/kit'

/** Errors of the operating system (errno, POSIX.1-2024 §2.3) as they reach a socket. */
const socketFailures: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  ECONNREFUSED: ['unreachable', 'The server refuses the connection: nothing listens on that port'],
  ECONNRESET: ['unreachable', 'The server cut the connection'],
  EPIPE: ['unreachable', 'The server cut the connection'],
  ETIMEDOUT: ['timeout', 'The server does not answer'],
  EHOSTUNREACH: ['unreachable', 'There is no route to the server'],
  ENETUNREACH: ['unreachable', 'There is no route to the network of the server'],
  EHOSTDOWN: ['unreachable', 'There is no route to the server'],
  EADDRNOTAVAIL: ['unreachable', 'There is no route to the server from here'],
  EACCES: ['unreachable', 'The network here does not permit the connection'],
  EPERM: ['unreachable', 'The network here does not permit the connection'],
}

const httpFailures: Readonly<Record<string, string>> = {
  HPE_INVALID_TRANSFER_ENCODING: 'The response says in two ways how long it is.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'The response says in two ways how long it is.',
  HPE_INVALID_CONTENT_LENGTH: 'The length of the response is not a number.',
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The problem behind an error of a socket, of TLS or of the HTTP parser. A problem stays itself. */
export function asNetworkProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const code = codeOf(error)
  const [kind, message] = socketFailures[code] ?? []
  if (kind && message) return new Problem(kind, message, { cause: error })
  if (code === 'HPE_HEADER_OVERFLOW') return longHeader(error)
  if (code.startsWith('HPE_')) {
    const detail = httpFailures[code] ?? 'What it sent is not a response of HTTP/1.'
    return new Problem('unreachable', 'The server does not answer in HTTP', { detail, cause: error })
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') {
    return new Problem('unreachable', 'The TLS handshake failed', { detail: tlsReason(error), cause: error })
  }
  return error
}

/** OpenSSL's own words, without its file names and numbers. */
function tlsReason(error: Error): string | undefined {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined
  return reason && `OpenSSL says: ${reason}.`
}

export const longHeader = (cause?: unknown): Problem =>
  new Problem('unreachable', 'The header of the response is too long', { cause })

/** What remained of a longer wait says nothing to anybody, and is not told. */
const TOLD_MS = 100

export const noAnswer = (timeoutMs: number): Problem =>
  new Problem('timeout', 'The server does not answer', {
    detail: timeoutMs < TOLD_MS ? undefined : `No answer in ${Math.round(timeoutMs)} ms.`,
  })
