import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RateStore } from '../rates.ts'
import { USAGE_DAYS } from '../retention.ts'
import type { Session } from '../store/tables.ts'
import { clientOf, onlyMethods } from '../tools.ts'
import { usageOf } from '../usage-days.ts'
import type { Accounts } from './accounts.ts'
import { AccountError, bodyOf } from './answer.ts'
import { exportAccount } from './export.ts'
import { createKeys } from './keys.ts'
import { createLimited } from './limited.ts'
import type { AccountParts } from './parts.ts'
import type { Principals } from './principals.ts'
import { sessionOf } from './profile.ts'
import { createRemoval } from './removal.ts'
import { endSession, listSessions } from './session-list.ts'
import type { Sessions } from './sessions.ts'

export interface UserRoutes extends AccountParts {
  accounts: Accounts
  sessions: Sessions
  rates: RateStore
  forget: Principals['forget']
  /** The operator's address. */
  contact: string
  /** Where mails lie as files. */
  mailFolder: string
}

/** Who asks, by the access token of a session, and for what. */
interface Asked {
  request: FastifyRequest<{ Params: { id?: string } }>
  reply: FastifyReply
  session: Session
}

const PROFILE = '/user/profile/'

type Method = 'GET' | 'POST' | 'DELETE'
type Handle = (asked: Asked) => Promise<object>

/**
 * What somebody who is signed in may see and change, and only of the own account. API keys open none of these
 * addresses: who finds one can call tools, and no more.
 */
export function userRoutes(app: FastifyInstance, parts: UserRoutes): void {
  const { sessions, forget, limits, now } = parts
  const limited = createLimited(parts)
  const keys = createKeys(parts)
  const removal = createRemoval({ ...parts, limited })

  const routes: Record<string, Partial<Record<Method, Handle>>> = {
    '/user/sessions/': {
      GET: async ({ session }) => ({ sessions: await listSessions(parts, session) }),
    },
    '/user/sessions/:id/': {
      async DELETE({ request, session }) {
        if (!(await endSession(parts, session, idOf(request)))) throw missing('session')
        forget()
        return { detail: 'Logged out there.' }
      },
    },
    '/user/keys/': {
      GET: async ({ session }) => ({ keys: await keys.list(session.account) }),
      async POST({ request, reply, session }) {
        const made = await keys.make(session.account, bodyOf(request, ['name', 'scopes', 'expires_in_days']))
        reply.code(201)
        return made
      },
    },
    '/user/keys/:id/': {
      async DELETE({ request, session }) {
        if (!(await keys.revoke(session.account, idOf(request)))) throw missing('key')
        forget()
        return { detail: 'Key revoked.' }
      },
    },
    '/user/export/': {
      async GET({ reply, session }) {
        const day = new Date(now()).toISOString().slice(0, 10)
        await limited.exports(session.account)
        const text = await exportAccount(parts, session)
        reply.header('content-disposition', `attachment; filename="account-${day}.json"`)
        reply.header('content-type', 'application/json; charset=utf-8')
        return Readable.from(text, { signal: AbortSignal.timeout(limits.exportMs) })
      },
    },
    '/user/usage/': {
      GET: async ({ session }) => ({ days: await usageOf(parts.store, session.account, USAGE_DAYS, now()) }),
    },
    // What else this address answers stands in profile.ts.
    [PROFILE]: {
      async DELETE({ request, session }) {
        await removal.remove(session, bodyOf(request, ['password']).password, clientOf(request))
        forget()
        return { detail: 'Account deleted.' }
      },
    },
  }

  for (const [url, handlers] of Object.entries(routes)) {
    for (const [method, handle] of Object.entries(handlers)) {
      app.route<{ Params: { id?: string } }>({
        method,
        url,
        async handler(request, reply) {
          await limited.call(clientOf(request))
          const session = await sessionOf({ sessions }, request)
          return handle({ request, reply, session })
        },
      })
    }
    if (url !== PROFILE) onlyMethods(app, url, Object.keys(handlers))
  }
}

const idOf = ({ params }: Asked['request']): string => params.id ?? ''

const missing = (what: string) => new AccountError(404, 'not-found', `There is no such ${what}.`)
