import { randomUUID } from 'node:crypto'
import { bugOf } from './bug.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import { MailFailure, type MailSender } from './mail.ts'
import { type Store, StoreDown } from './store/store.ts'
import type { Database, Mail } from './store/tables.ts'

/** What a mail says, and to whom. */
export type Letter = Pick<Mail, 'recipient' | 'reply_name' | 'reply_email' | 'subject' | 'text'>

/** Mails on their way. What stands in the table is sent at least once, whatever dies in between. */
export interface Outbox {
  /** Puts a mail into the table, as part of whatever transaction is under way. */
  add(db: Database, letter: Letter): Promise<void>
  /** Sends what is due, without being waited for. */
  wake(): void
  /** How many mails stand there in each state. */
  count(): Promise<Record<Mail['state'], number>>
  close(): Promise<void>
}

export interface OutboxOptions {
  store: Store
  sender: MailSender
  limits: Limits
  log: Log
  now: () => number
}

export function createOutbox({ store, sender, limits, log, now }: OutboxOptions): Outbox {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  /** Asked again while it ran. */
  let again = false
  let failures = 0
  let notBefore = 0

  function wake(): void {
    if (closing.signal.aborted) return
    if (running) {
      again = true
      return
    }
    clearTimeout(timer)
    const early = notBefore - now()
    if (early > 0) {
      timer = setTimeout(wake, early).unref()
      return
    }
    running = drain().finally(() => {
      running = undefined
      if (closing.signal.aborted) return
      timer = setTimeout(wake, again ? 0 : limits.mailPollMs).unref()
      again = false
    })
  }

  async function drain(): Promise<void> {
    try {
      while (!closing.signal.aborted) {
        const mail = await claim()
        if (!mail || !(await attempt(mail))) return
      }
    } catch (error) {
      // The store says by itself that it is down; the next round tries again.
      if (!(error instanceof StoreDown)) log({ event: 'bug', time: time(), request: '', ...bugOf(error) })
    }
  }

  const time = () => new Date(now()).toISOString()
  const backoff = (attempts: number) => Math.min(limits.mailRetryMs * 2 ** (attempts - 1), limits.mailRetryMaxMs)

  /** The next mail, which is ours until an attempt must be over: then whoever had it is dead. */
  async function claim(): Promise<Mail | undefined> {
    for (;;) {
      const at = now()
      const mail = await store.use(db =>
        db
          .selectFrom('mail')
          .selectAll()
          .where('state', '=', 'waiting')
          .where('due_at', '<=', at)
          .orderBy('due_at')
          .limit(1)
          .executeTakeFirst(),
      )
      if (!mail) return undefined
      const attempts = mail.attempts + 1
      const { numUpdatedRows } = await store.use(db =>
        db
          .updateTable('mail')
          .set({ attempts, due_at: at + 2 * limits.mailMs })
          .where('id', '=', mail.id)
          .where('attempts', '=', mail.attempts)
          .executeTakeFirstOrThrow(),
      )
      if (numUpdatedRows === 1n) return { ...mail, attempts }
    }
  }

  /** Whether it makes sense to go on with the next mail. */
  async function attempt(mail: Mail): Promise<boolean> {
    try {
      await sender.send(mail, closing.signal)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      await keep(mail, error)
      return error.kind !== 'unreachable'
    }
    failures = 0
    await store.use(db => db.deleteFrom('mail').where('id', '=', mail.id).execute())
    return true
  }

  async function keep({ id, attempts, created_at }: Mail, { kind, message: failure }: MailFailure): Promise<void> {
    if (kind === 'unreachable') notBefore = now() + backoff(++failures)
    const givenUp = kind === 'refused' || now() - created_at > limits.mailGiveUpMs
    const text = givenUp ? `given up: ${failure}` : `attempt ${attempts} failed: ${failure}`
    log({ event: 'mail', time: time(), text })
    await store.use(db =>
      db
        .updateTable('mail')
        .set({ state: givenUp ? 'given-up' : 'waiting', due_at: now() + backoff(attempts), failure })
        .where('id', '=', id)
        .execute(),
    )
  }

  return {
    async add(db, letter) {
      const at = now()
      await db
        .insertInto('mail')
        .values({ ...letter, id: randomUUID(), created_at: at, state: 'waiting', attempts: 0, due_at: at, failure: '' })
        .execute()
    },
    wake,
    async count() {
      const rows = await store.use(db =>
        db
          .selectFrom('mail')
          .select(({ fn }) => ['state', fn.countAll<number>().as('mails')])
          .groupBy('state')
          .execute(),
      )
      const of = (state: Mail['state']) => rows.find(row => row.state === state)?.mails ?? 0
      return { waiting: of('waiting'), 'given-up': of('given-up') }
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}
