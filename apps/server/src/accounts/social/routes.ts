import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Wait } from '../../errors.ts'
import { type Log, outcomes } from '../../log.ts'
import { StoreDown } from '../../store/store.ts'
import { clientOf, isCrossSite, onlyMethods } from '../../tools.ts'
import { AccountError, bodyOf } from '../answer.ts'
import { clientName } from '../clients.ts'
import { createLimited } from '../limited.ts'
import type { AuthRoutes } from '../routes.ts'
import { createAttempts } from './attempts.ts'
import { browserCookie } from './cookie.ts'
import { createGitHub } from './github.ts'
import { createGoogle } from './google.ts'
import { createFindAccount } from './linking.ts'
import { atProvider, type Provider, type ProviderClient, ProviderFailure, type ProviderId } from './provider.ts'
import { createProviderFetch } from './request.ts'

export interface SocialRoutes extends AuthRoutes {
  /** A provider without a client is not available. */
  providers: Readonly<Record<ProviderId, ProviderClient | undefined>>
  /** The public address of the site. */
  base: string
  log: Log
}

/** Why somebody is back at the form. */
type Failure = 'provider_unavailable' | 'provider_failed' | 'provider_email'

/**
 * Signing in by Google and GitHub. A browser leaves at …/login/ and comes back to …/complete/, where everything is
 * checked; its page then finds a pair in its address, which is no more than a ticket: it works for a minute, once, at
 * /auth/redeem/, and together with the cookie of the browser that began.
 */
export function socialRoutes(app: FastifyInstance, parts: SocialRoutes): void {
  const { store, outbox, sessions, limits, base, log, now } = parts
  const limited = createLimited(parts)
  const attempts = createAttempts(parts)
  const findAccount = createFindAccount(parts)
  const cookie = browserCookie(base)
  const fetch = createProviderFetch(limits)
  const { google, github } = parts.providers
  const shared = { fetch, now, keptMs: limits.providerKeptMs }

  addProvider('google', google && createGoogle(google, shared))
  addProvider('github', github && createGitHub(github, shared))

  app.post('/auth/redeem/', async (request, reply) => {
    const pair = bodyOf(request, ['access', 'refresh'])
    await limited.call(clientOf(request))
    const browser = cookie.read(request.headers.cookie)
    const session =
      browser &&
      (await store.use(db =>
        db.transaction().execute(async transaction => {
          const arrival = await attempts.redeem(transaction, browser, pair)
          const client = clientName(request.headers['user-agent'])
          return arrival && sessions.begin(transaction, { ...arrival, client })
        }),
      ))
    if (!session) throw new AccountError(401, 'unauthorized', 'Unauthorized. Please log in.')
    await forget(reply, browser)
    return reply.send(session)
  })
  onlyMethods(app, '/auth/redeem/', ['POST'])

  function addProvider(id: ProviderId, provider: Provider | undefined): void {
    const redirectUri = `${base}/auth/${id}/complete/`
    const routes = { login: begin, complete }
    for (const [name, handle] of Object.entries(routes)) {
      const url = `/auth/${id}/${name}/`
      app.get(url, async (request, reply) => {
        reply.header('referrer-policy', 'no-referrer')
        await limited.call(clientOf(request))
        if (!provider) return giveUp(reply, 'provider_unavailable')
        try {
          return await handle(provider, request, reply)
        } catch (error) {
          if (!(error instanceof ProviderFailure || error instanceof Wait)) throw error
          if (error instanceof ProviderFailure)
            log({ event: 'provider', time: new Date(now()).toISOString(), text: `${id}: ${error.message}` })
          return giveUp(reply, 'provider_failed')
        }
      })
      onlyMethods(app, url, ['GET'])
    }

    async function begin(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
      // Another site must not send its visitors through here unasked.
      if (isCrossSite(request.headers)) return reply.redirect('/auth/', 302)
      const { browser, challenge } = await attempts.begin(id, cookie.read(request.headers.cookie))
      const there = await atProvider(() => provider.authorize(redirectUri, challenge))
      reply.header('set-cookie', cookie.write(browser, limits.providerAttemptMs + limits.returnedPairMs))
      return reply.redirect(there.href, 302)
    }

    async function complete(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
      const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
      const returned = new URL(`${redirectUri}?${query}`)
      const browser = cookie.read(request.headers.cookie)
      const [state, ...others] = returned.searchParams.getAll('state')
      const isOne = browser !== undefined && state !== undefined && others.length === 0
      const challenge = isOne ? await attempts.take(id, browser, state) : undefined
      if (!isOne || !challenge) return giveUp(reply, 'provider_failed')
      try {
        const person = await atProvider(() => provider.identify(returned, challenge))
        const pair = await store.use(db =>
          db.transaction().execute(async transaction => {
            const account = await findAccount(transaction, provider, person)
            return account && attempts.hand(transaction, browser, { account, provider: id })
          }),
        )
        outbox.wake()
        if (pair) return reply.redirect(`/auth/${id}/callback/?${new URLSearchParams({ ...pair })}`, 302)
      } catch (error) {
        await forget(reply, browser)
        throw error
      }
      await forget(reply, browser)
      return giveUp(reply, 'provider_email')
    }

    function giveUp(reply: FastifyReply, failure: Failure) {
      outcomes.set(reply, failure.replace('_', '-'))
      return reply.redirect(`/auth/?error=${failure}&provider=${id}`, 302)
    }
  }

  /** Takes the cookie back unless another tab still needs it. Otherwise it ends by itself. */
  async function forget(reply: FastifyReply, browser: string): Promise<void> {
    try {
      if (await attempts.isOver(browser)) reply.header('set-cookie', cookie.clear())
    } catch (error) {
      if (!(error instanceof StoreDown)) throw error
    }
  }
}
