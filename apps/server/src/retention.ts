import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bugOf } from './bug.ts'
import type { Log } from './log.ts'
import { type Store, StoreDown } from './store/store.ts'

/** The privacy policy says so; see apps/web/text/privacy-policy.md. */
export const MESSAGE_DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Whose rows are deleted when their time is over. */
const tables = ['message', 'mail'] as const

export interface RetentionOptions {
  store: Store
  /** Where mails lie as files. */
  mailFolder: string
  log: Log
  now: () => number
}

export interface Retention {
  /** Deletes what is too old now. */
  sweep(): Promise<void>
  /** When a sweep last got to its end, in milliseconds; 0 when none did. */
  sweptAt(): number
  /** When the oldest row of each table came, in milliseconds; 0 when there is none. */
  oldest(): Promise<Record<string, number>>
  stop(): void
}

/** Deletes what visitors wrote when its time is over: at the start and once an hour. */
export function createRetention({ store, mailFolder, log, now }: RetentionOptions): Retention {
  let sweptAt = 0

  async function sweep(): Promise<void> {
    const before = now() - MESSAGE_DAYS * DAY_MS
    try {
      deleteFiles(mailFolder, before)
      await store.use(async db => {
        for (const table of tables) await db.deleteFrom(table).where('created_at', '<', before).execute()
      })
      await store.scrub()
      sweptAt = now()
    } catch (error) {
      // The store says by itself that it is down; the next hour tries again.
      if (!(error instanceof StoreDown))
        log({ event: 'bug', time: new Date(now()).toISOString(), request: '', ...bugOf(error) })
    }
  }
  const timer = setInterval(() => void sweep(), HOUR_MS).unref()
  return {
    sweep,
    sweptAt: () => sweptAt,
    oldest: () =>
      store.use(async db => {
        const found: Record<string, number> = {}
        for (const table of tables) {
          const row = await db
            .selectFrom(table)
            .select(({ fn }) => fn.min('created_at').as('at'))
            .executeTakeFirst()
          found[table] = row?.at ?? 0
        }
        return found
      }),
    stop: () => clearInterval(timer),
  }
}

function deleteFiles(folder: string, before: number): void {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  for (const name of names.filter(name => /\.eml(?:\.part)?$/.test(name))) {
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && mtimeMs < before) rmSync(path, { force: true })
  }
}
