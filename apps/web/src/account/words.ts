import type { Answer } from './ask.ts'

/** What a toast says. */
export interface Notice {
  kind: 'success' | 'error'
  text: string
}

/** §8 Error catalogue. */
export const FAILED = 'Something went wrong.'
export const UNSENT = 'Unable to send reset link.'
export const UNAUTHORIZED = 'Unauthorized. Please log in.'

const TOO_MANY = 429

/** Why the server did not do it: in its own words, else in ours. */
export function refusal({ status, detail, waitSeconds }: Answer, otherwise: string): string {
  if (status === 0) return `${otherwise} Check your internet connection and try again.`
  if (status !== TOO_MANY) return detail || otherwise
  const said = detail || 'Too many attempts.'
  return /\b(?:again|later|wait)\b/i.test(said) ? said : `${said} Try again ${when(waitSeconds)}.`
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS

function when(seconds: number): string {
  if (!(seconds > MINUTE_SECONDS)) return 'in a minute'
  if (seconds <= HOUR_SECONDS) return `in ${Math.ceil(seconds / MINUTE_SECONDS)} minutes`
  const hours = Math.ceil(seconds / HOUR_SECONDS)
  return `in ${hours} hours`
}

const providers: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' }

/** What a link that led to /auth/ has to say (OPEN-004, OPEN-005, OPEN-019); undefined for all other addresses. */
export function noticeOf(query: URLSearchParams): Notice | undefined {
  if (query.get('verified') === '1') return { kind: 'success', text: 'Email verified. You can log in now.' }
  const error = query.get('error')
  return error === null ? undefined : { kind: 'error', text: errorText(error, query.get('provider') ?? '') }
}

function errorText(error: string, provider: string): string {
  const name = (Object.hasOwn(providers, provider) && providers[provider]) || 'Social'
  switch (error) {
    case 'verify_link':
      return 'This link is not valid any more. Log in to get a new one.'
    case 'verify_later':
      return 'The email could not be verified right now. Open the link again in a minute.'
    case 'provider_unavailable':
      return `${name} sign-in is not available right now.`
    case 'provider_failed':
      return `${name} sign-in did not work. Please try again.`
    case 'provider_email':
      return `Verify your email address at ${name} first, then try again.`
    case 'storage':
      return 'This browser does not let the site keep anything, so it cannot keep you logged in.'
    default:
      return FAILED
  }
}
