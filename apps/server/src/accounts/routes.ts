import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseEmail } from '../email.ts'
import { Wait } from '../errors.ts'
import { outcomes } from '../log.ts'
import type { RateStore } from '../rates.ts'
import { clientOf, onlyMethods } from '../tools.ts'
import type { Accounts } from './accounts.ts'
import { AccountError, bodyOf, evenly } from './answer.ts'
import { clientName } from './clients.ts'
import { createLimited } from './limited.ts'
import type { AccountParts } from './parts.ts'
import { bearerOf, type Principals } from './principals.ts'
import type { Sessions } from './sessions.ts'

export interface AuthRoutes extends AccountParts {
  accounts: Accounts
  sessions: Sessions
  rates: RateStore
  forget: Principals['forget']
}

/** As they are hashed, in NFC; no more code points than these become one. */
const COMPOSED = 4

/** Signing in and out, and what mails lead to. */
export function authRoutes(app: FastifyInstance, parts: AuthRoutes): void {
  const { accounts, sessions, limits, forget } = parts
  const limited = createLimited(parts)

  post('/auth/register/', async request => {
    const { email, password } = credentialsOf(request)
    await limited.mails(clientOf(request))
    await evenly(limits.evenAnswerMs, async () => {
      await accounts.register({ email, password }, await limited.isMailAllowed(email))
    })
    return { status: 201, body: { detail: 'Registered! Please verify your email.' } }
  })

  post('/auth/login/', async request => {
    const credentials = credentialsOf(request)
    await limited.guess(credentials.email, clientOf(request))
    const visitor = {
      address: clientOf(request),
      client: clientName(request.headers['user-agent']),
      mayMail: () => limited.isMailAllowed(credentials.email),
    }
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
    // A tab may have renewed the pair meanwhile; who is told so asks again with the new one.
    if (!(await sessions.end(bearerOf(request.headers.authorization))))
      throw new AccountError(401, 'unauthorized', 'Unauthorized')
    forget()
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
    forget()
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
    const query = await verify(request).catch(error => {
      if (!(error instanceof Wait)) throw error
      outcomes.set(reply, error.code)
      return 'error=verify_later'
    })
    return reply.header('referrer-policy', 'no-referrer').redirect(`/auth/?${query}`, 302)
  })

  /** What the login page is told of a link. */
  async function verify(request: FastifyRequest<{ Querystring: Record<string, unknown> }>): Promise<string> {
    await limited.call(clientOf(request))
    const verified = await accounts.verify(String(request.query.token ?? ''))
    if (verified.state === 'verified') return 'verified=1'
    if (verified.state === 'invalid') return 'error=verify_link'
    return `mode=reset&token=${encodeURIComponent(verified.reset)}`
  }

  function passwordOf(value: unknown): string {
    if (typeof value !== 'string' || value === '') throw new AccountError(400, 'invalid-input', 'Enter a password.')
    if (!value.isWellFormed())
      throw new AccountError(400, 'invalid-input', 'Choose a password in whole characters of Unicode.')
    if (Buffer.byteLength(value.slice(0, COMPOSED * limits.passwordBytes).normalize('NFC')) > limits.passwordBytes)
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

  function post(
    url: string,
    handle: (request: FastifyRequest) => Promise<{ status: number; body: object }>,
    others: readonly string[] = [],
  ): void {
    app.post(url, async (request, reply) => {
      const { status, body } = await handle(request)
      return reply.code(status).send(body)
    })
    onlyMethods(app, url, ['POST', ...others])
  }
}
