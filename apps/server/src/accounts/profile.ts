import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../site.ts'
import type { Account, Database, Identity, Session } from '../store/tables.ts'
import { onlyMethods } from '../tools.ts'
import { AccountError } from './answer.ts'
import type { AccountParts } from './parts.ts'
import { bearerOf } from './principals.ts'
import type { Sessions } from './sessions.ts'

export interface ProfileRoutes extends AccountParts {
  sessions: Sessions
  site: Site | undefined
}

/** What an account says of itself. */
export interface Profile {
  id: string
  email: string
  email_verified: boolean
  /** Names of the providers that it can sign in by. */
  providers: string[]
  created_at: string
}

export const profileOf = (account: Account, identities: readonly Pick<Identity, 'provider'>[]): Profile => ({
  id: account.id,
  email: account.email,
  email_verified: account.verified_at !== null,
  providers: identities.map(({ provider }) => provider),
  created_at: new Date(account.created_at).toISOString(),
})

/** The session that a request belongs to; throws an AccountError when there is none. */
export async function sessionOf({ sessions }: { sessions: Sessions }, { headers }: FastifyRequest): Promise<Session> {
  const access = await sessions.find(bearerOf(headers.authorization))
  if (access === 'expired') throw new AccountError(401, 'token-expired', 'Token expired')
  if (!access) throw unauthorized()
  return access.session
}

export const unauthorized = () => new AccountError(401, 'unauthorized', 'Unauthorized. Please log in.')

/** The account of a session; throws an AccountError when it was deleted since. */
export async function accountOf(db: Database, { account }: Session): Promise<Account> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', account).executeTakeFirst()
  if (!row) throw unauthorized()
  return row
}

/** One address is a page for people and an answer for programs, by what the request says of itself. */
export function profileRoutes(app: FastifyInstance, { store, sessions, site }: ProfileRoutes): void {
  app.get('/user/profile/', async (request, reply) => {
    reply.header('vary', 'Accept, Authorization')
    if (site && wantsPage(request)) return page(site, request, reply)
    const session = await sessionOf({ sessions }, request)
    const [account, identities] = await store.use(async db => [
      await accountOf(db, session),
      await db
        .selectFrom('identity')
        .select('provider')
        .distinct()
        .where('account', '=', session.account)
        .orderBy('provider')
        .execute(),
    ])
    return reply.send(profileOf(account, identities))
  })
  onlyMethods(app, '/user/profile/', ['GET', 'DELETE'])
}

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  bearerOf(headers.authorization) === undefined && (headers.accept ?? '').includes('text/html')

function page(site: Site, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  site.serve(request, reply)
  return reply.header('vary', 'Accept, Authorization, Accept-Encoding').header('cache-control', 'no-store')
}
