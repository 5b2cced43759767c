import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { RateStore } from '../rates.ts'
import type { Site } from '../site.ts'
import { createAccounts } from './accounts.ts'
import { answerLikeAccounts } from './answer.ts'
import { refuseForeignPages } from './foreign.ts'
import { createMails, type MailsOptions } from './mails.ts'
import type { AccountParts } from './parts.ts'
import { createPasswords } from './passwords.ts'
import { createPrincipals, type Principals } from './principals.ts'
import { profileRoutes } from './profile.ts'
import { authRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { type SocialRoutes, socialRoutes } from './social/routes.ts'
import { userRoutes } from './user.ts'

export interface AccountsOptions
  extends Omit<AccountParts, 'passwords' | 'mails'>,
    MailsOptions,
    Pick<SocialRoutes, 'providers'> {
  rates: RateStore
  site: Site | undefined
  log: Log
  /** Where mails lie as files. */
  mailFolder: string
}

export interface StartedAccounts extends Principals {
  close(): Promise<void>
}

/** Puts the accounts together and adds their routes. */
export async function startAccounts(app: FastifyInstance, options: AccountsOptions): Promise<StartedAccounts> {
  const passwords = createPasswords(options.limits.queuedPasswords)
  const parts = { ...options, passwords, mails: createMails(options) }
  const sessions = createSessions(parts)
  const accounts = createAccounts({ ...parts, sessions })
  const principals = createPrincipals({ ...parts, sessions })
  const { forget } = principals
  await app.register(async scope => {
    answerLikeAccounts(scope, options.log)
    refuseForeignPages(scope, options.base)
    authRoutes(scope, { ...parts, accounts, sessions, forget })
    socialRoutes(scope, { ...parts, accounts, sessions, forget })
    profileRoutes(scope, { ...parts, sessions })
    userRoutes(scope, { ...parts, accounts, sessions, forget })
  })
  return { ...principals, close: passwords.close }
}
