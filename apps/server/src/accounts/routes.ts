import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseEmail } from '../email.ts'
import { Wait } from '../errors.ts'
import { clientKeys, type RateStore, type Rule } from '../rates.ts'
import { clientOf, onlyMethods, refuseCrossSite } from '../tools.ts'
import type { Accounts } from './accounts.ts'
import { AccountError, bodyOf, evenly } from './answer.ts'
import { clientName } from './clients.ts'
import type { AccountParts } from './parts.ts'
import { bearerOf } from './principals.ts'
import type { Sessions } from './sessions.ts'
import { hashOf } from './tokens.ts'

export interface AuthRoutes extends AccountParts {
  accounts: Accounts
  sessions: Sessions
  rates: RateStore
}

const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Signing in and out, and what mails lead to. */
export function authRoutes(app: FastifyInstance, parts: AuthRoutes): void {
  const { accounts, sessions, limits } = parts
  const limited = createLimited(parts)

  post('/auth/register/', async request => {
    const { email, password } = credentialsOf(request)
    await limited.mails(clientOf(request))
    await evenly(limits.evenAnswerMs, async () => {
      if (await limited.isMailAllowed(email)) await accounts.register({ email, password })
    })
    return { status: 201, body: { detail: 'Registered! Please verify your email.' } }
  })

  post('/auth/login/', async request => {
    const credentials = credentialsOf(request)
    await limited.guess(credentials.email, clientOf(request))
    const visitor = { address: clientOf(request), client: clientName(request.headers['user-agent']) }
    return { status: 200, body: await accounts.login(credentials, visitor) }
  })

  post('/auth/refresh/', async request => {
    const { refresh } = bodyOf(request, ['refresh'])
    await limited.call(clientOf(request))
    const pair = await sessions.refresh(refresh)
    if (!pair) throw new AccountError(401, 'unauthorized', 'Please log in again.')
    return { status: 200, body: pair }
  })

  post('/auth/logout/', async request => {
    await limited.call(clientOf(request))
    await sessions.end(bearerOf(request.headers.authorization))
    return { status: 200, body: { detail: 'Logged out.' } }
  })

  post('/auth/password-change/', async request => {
    const email = emailOf(bodyOf(request, ['email']).email)
    await limited.mails(clientOf(request))
    await evenly(limits.evenAnswerMs, async () => {
      if (await limited.isMailAllowed(email)) await accounts.requestReset(email)
    })
    return { status: 200, body: { detail: 'Password reset link sent to email.' } }
  })

  post('/auth/password-reset/confirm/', async request => {
    const { token, password } = bodyOf(request, ['token', 'password'])
    await limited.mails(clientOf(request))
    await accounts.reset(token, passwordOf(password))
    return { status: 200, body: { detail: 'Password changed. Please log in.' } }
  })

  post(
    '/auth/verify-email/',
    async request => {
      const email = emailOf(bodyOf(request, ['email']).email)
      await limited.mails(clientOf(request))
      await evenly(limits.evenAnswerMs, async () => {
        if (await limited.isMailAllowed(email)) await accounts.resendLink(email)
      })
      return { status: 200, body: { detail: 'If the address still has to be verified, a new link is on its way.' } }
    },
    ['GET'],
  )

  // Programs that look through mails open links too, so opening one twice does no harm.
  app.get<{ Querystring: Record<string, unknown> }>('/auth/verify-email/', async (request, reply) => {
    await limited.call(clientOf(request))
    const verified = await accounts.verify(String(request.query.token ?? ''))
    const query =
      verified.state === 'verified'
        ? 'verified=1'
        : verified.state === 'invalid'
          ? 'error=verify_link'
          : `mode=reset&token=${encodeURIComponent(verified.reset)}`
    return reply.header('referrer-policy', 'no-referrer').redirect(`/auth/?${query}`, 302)
  })

  function passwordOf(value: unknown): string {
    if (typeof value !== 'string' || value === '') throw new AccountError(400, 'invalid-input', 'Enter a password.')
    if (!value.isWellFormed())
      throw new AccountError(400, 'invalid-input', 'Choose a password in whole characters of Unicode.')
    if (Buffer.byteLength(value) > limits.passwordBytes)
      throw new AccountError(400, 'invalid-input', `Choose a password of at most ${limits.passwordBytes} bytes.`)
    return value
  }

  function credentialsOf(request: FastifyRequest) {
    const { email, password } = bodyOf(request, ['email', 'password'])
    return { email: emailOf(email), password: passwordOf(password) }
  }

  function emailOf(value: unknown): string {
    const text = typeof value === 'string' ? value.trim() : ''
    const email = text.length <= limits.contactEmailCharacters ? parseEmail(text) : undefined
    if (!email) throw new AccountError(400, 'invalid-input', 'Enter an email address such as name@example.com.')
    return email.toLowerCase()
  }

  /** A route for JSON that a page of another site cannot call. */
  function post(
    url: string,
    handle: (request: FastifyRequest) => Promise<{ status: number; body: object }>,
    others: readonly string[] = [],
  ): void {
    app.post(url, async (request, reply) => {
      refuseCrossSite(request)
      const { status, body } = await handle(request)
      return reply.code(status).send(body)
    })
    onlyMethods(app, url, ['POST', ...others])
  }
}

/** How often somebody may try. Nobody is locked out: who signed in from a place before is not slowed by others. */
function createLimited({ accounts, rates, limits }: AuthRoutes) {
  async function take(rules: readonly Rule[]): Promise<void> {
    const waitMs = await rates.take(rules, 1)
    if (waitMs > 0) throw new Wait('limited', waitMs, 'Rate limit exceeded')
  }

  const perClient = (what: string, address: string, limit: number, windowMs: number): Rule[] =>
    clientKeys(address).map(({ key, factor }) => ({ key: `${what} ${key}`, limit: limit * factor, windowMs }))

  return {
    call: (address: string) => take(perClient('account call', address, limits.accountCallsPerMinute, MINUTE_MS)),

    mails: (address: string) =>
      take(perClient('account mail', address, limits.accountMailsPerQuarterHour, QUARTER_HOUR_MS)),

    /** What is too much for one address is not sent, and nobody is told. */
    async isMailAllowed(email: string): Promise<boolean> {
      const rule = { key: `mail to ${hashOf(email)}`, limit: limits.accountMailsPerHour, windowMs: HOUR_MS }
      return (await rates.take([rule], 1)) === 0
    },

    async guess(email: string, address: string): Promise<void> {
      const account = hashOf(email)
      const own = perClient(`login ${account}`, address, limits.loginsPerQuarterHour, QUARTER_HOUR_MS)
      await take([...own, ...perClient('login', address, limits.clientLoginsPerQuarterHour, QUARTER_HOUR_MS)])
      if (await accounts.isKnownOrigin(email, address)) return
      await take([{ key: `guess ${account}`, limit: limits.guessesPerHour, windowMs: HOUR_MS }])
    },
  }
}
