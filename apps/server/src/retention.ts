import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { sweepAccounts } from './accounts/retention.ts'
import { bugOf } from './bug.ts'
import type { Log } from './log.ts'
import { type Store, StoreDown } from './store/store.ts'

/** The privacy policy says so; see apps/web/text/privacy-policy.md. */
export const MESSAGE_DAYS = 30
export const USAGE_DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Until the next sweep it is still less than the 48 hours after which nobody can tell whose hash is whose. */
const KEY_MS = 47 * HOUR_MS
/** Whose rows are deleted when their time is over, and the column that says since when they are there. */
const tables = [
  { table: 'message', column: 'created_at', ms: MESSAGE_DAYS * DAY_MS },
  { table: 'mail', column: 'created_at', ms: MESSAGE_DAYS * DAY_MS },
  { table: 'usage', column: 'at', ms: USAGE_DAYS * DAY_MS },
  { table: 'usage_day', column: 'at', ms: USAGE_DAYS * DAY_MS },
  { table: 'usage_key', column: 'created_at', ms: KEY_MS },
] as const
/** Deleted at once, so that a full table does not keep the store from everybody else. */
const SLICE_ROWS = 1_000

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

/** Deletes what visitors wrote, the usage log and what is over of accounts, when their time is over: at the start and once an hour. */
export function createRetention({ store, mailFolder, log, now }: RetentionOptions): Retention {
  let sweptAt = 0

  async function sweep(): Promise<void> {
    const at = now()
    try {
      deleteFiles(mailFolder, at - MESSAGE_DAYS * DAY_MS)
      for (const { table, column, ms } of tables) while (await deleteSlice(table, column, at - ms)) await breathe()
      await sweepAccounts(store, at)
      await store.scrub()
      sweptAt = at
    } catch (error) {
      // The store says by itself that it is down; the next hour tries again.
      if (!(error instanceof StoreDown))
        log({ event: 'bug', time: new Date(now()).toISOString(), request: '', ...bugOf(error) })
    }
  }
  /** Whether there was anything to delete. */
  const deleteSlice = (table: string, column: string, before: number): Promise<boolean> =>
    store.use(async db => {
      const [from, since] = [sql.table(table), sql.ref(column)]
      const oldest = sql`select ${since} from ${from} where ${since} < ${before} order by ${since} limit ${sql.lit(SLICE_ROWS)}`
      const { numAffectedRows = 0n } = await sql`delete from ${from} where ${since} in (${oldest})`.execute(db)
      return numAffectedRows > 0n
    })
  const timer = setInterval(() => void sweep(), HOUR_MS).unref()
  return {
    sweep,
    sweptAt: () => sweptAt,
    oldest: () =>
      store.use(async db => {
        const found: Record<string, number> = {}
        for (const { table, column } of tables) {
          const { rows } = await sql<{
            at: number | null
          }>`select min(${sql.ref(column)}) as at from ${sql.table(table)}`.execute(db)
          found[table] = rows[0]?.at ?? 0
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
