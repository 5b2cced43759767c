import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Principals } from './accounts/principals.ts'
import { startAccounts } from './accounts/start.ts'
import { careersForm } from './careers.ts'
import { contactForm } from './contact.ts'
import { type Form, formRoute, type Inbox } from './inbox.ts'
import type { Log } from './log.ts'
import { fileSender, smtpSender } from './mail.ts'
import { createOutbox } from './outbox.ts'
import type { RateStore } from './rates.ts'
import { createRetention } from './retention.ts'
import type { Listen, Settings } from './settings.ts'
import type { Site } from './site.ts'
import { type Store, StoreDown } from './store/store.ts'
import { createUsage, type Usage } from './usage.ts'

interface KeepOptions {
  settings: Settings
  site: Site | undefined
  log: Log
  rates: RateStore
  store: Store
  now?: (() => Date) | undefined
}

interface Kept {
  /** Who calls, by the Authorization header. */
  findPrincipal: Principals['find']
  forms: readonly Form[]
  usage: Usage
  /** Goes on with what an earlier process left. */
  start(): void
  close(): Promise<void>
  figures(): Promise<KeptFigures>
}

export interface KeptFigures {
  /** When what is past its time was last deleted without a failure, in milliseconds; 0 when it never was. */
  sweptAt: number
  /** Undefined while the store is down. */
  store: { mails: Readonly<Record<string, number>>; oldest: Readonly<Record<string, number>> } | undefined
}

/** Stands on the pages too until ASSAY_CONTACT is set. */
const NOBODY = 'contact@example.com'

/** The routes and jobs that need the store. */
export async function keep(
  app: FastifyInstance,
  { settings, site, log, rates, store, now: date = () => new Date() }: KeepOptions,
): Promise<Kept> {
  const { brand, limits, smtp } = settings
  const recipient = settings.contact ?? NOBODY
  const from = settings.mailFrom ?? recipient
  const mailFolder = join(settings.data, 'mail')
  const now = () => date().getTime()
  const sender = smtp ? smtpSender({ server: smtp, from, timeoutMs: limits.mailMs }) : fileSender(mailFolder, from)
  const outbox = createOutbox({ store, sender, limits, log, now })
  const retention = createRetention({ store, mailFolder, log, now })
  const usage = createUsage({ store, limits, log, now })
  const inbox: Inbox = { store, outbox, rates, limits, brand, recipient, now }
  const forms = [contactForm(inbox), ...(site?.application ? [careersForm(inbox, site.application)] : [])]
  for (const form of forms) formRoute(app, inbox, form)
  const base = settings.base ?? placeOf(settings.listen)
  const accounts = await startAccounts(app, {
    store,
    outbox,
    rates,
    limits,
    log,
    now,
    site,
    brand,
    base,
    contact: recipient,
    mailFolder,
    providers: settings.providers,
  })
  return {
    forms,
    usage,
    findPrincipal: accounts.find,
    start() {
      if (!smtp) log({ event: 'mail', time: date().toISOString(), text: `written to ${mailFolder}` })
      outbox.wake()
      void retention.sweep()
    },
    async close() {
      retention.stop()
      await accounts.close()
      await outbox.close()
      await usage.close()
      await store.close()
    },
    async figures() {
      try {
        const [mails, oldest] = [await outbox.count(), await retention.oldest()]
        return { sweptAt: retention.sweptAt(), store: { mails, oldest } }
      } catch (error) {
        if (!(error instanceof StoreDown)) throw error
        return { sweptAt: retention.sweptAt(), store: undefined }
      }
    },
  }
}

/** Where visitors are when nobody said under which address they reach this server. */
const placeOf = (listen: Listen): string =>
  'host' in listen
    ? `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`
    : 'http://localhost'
