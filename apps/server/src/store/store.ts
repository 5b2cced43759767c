import { Problem } from '@assay/kit'
import { Kysely, sql } from 'kysely'
import { DoorError, Wait } from '../errors.ts'
import { migrate, NewerStore } from './migrations.ts'
import { isRefusedStatement, postgresDialect } from './postgres.ts'
import { sqliteCodeOf, sqliteDialect } from './sqlite.ts'
import type { Database, Tables } from './tables.ts'

export interface StoreOptions {
  /** The folder of the embedded database. */
  folder: string
  /** Address of the PostgreSQL database that takes its place. */
  address: string | undefined
  /** From a question to the answer, or to saying that there is none. */
  timeoutMs: number
  connections: number
  /** Told once when the store goes down, with the code of the failure, and once when it is back. */
  report?: ((text: string) => void) | undefined
}

/** What is kept from one start to the next. */
export interface Store {
  /** Opens the database and brings its tables up to date, unless that was done. Without it the first use does it. */
  open(): Promise<void>
  /** Runs some work on the database. Throws StoreDown when that cannot be reached or written, and tries anew next time. */
  use<T>(work: (db: Database) => Promise<T>): Promise<T>
  /** Leaves nothing of what was deleted in the journal of the database. PostgreSQL does that by itself, in its time. */
  scrub(): Promise<void>
  close(): Promise<void>
}

const RETRY_MS = 5_000

/** The database is not there, is full, is read-only or does not answer: that passes, and is no fault of the visitor. */
export class StoreDown extends Wait {
  constructor(cause: unknown) {
    super('busy', RETRY_MS, 'nothing can be stored at the moment', { cause })
  }
}

interface Opened {
  db: Database
  abandon(): void
}

export function createStore({ folder, address, timeoutMs, connections, report }: StoreOptions): Store {
  let opening: Promise<Opened> | undefined
  let down = false

  async function start(): Promise<Opened> {
    const opened = address
      ? openPostgres(address, connections, timeoutMs)
      : { db: new Kysely<Tables>({ dialect: sqliteDialect({ folder, busyMs: timeoutMs }) }), abandon() {} }
    try {
      await migrate(opened.db, address ? 'postgres' : 'sqlite')
      return opened
    } catch (error) {
      leave(opened)
      throw error
    }
  }

  function openPostgres(address: string, connections: number, timeoutMs: number): Opened {
    const { dialect, abandon } = postgresDialect({ address, connections, timeoutMs })
    return { db: new Kysely<Tables>({ dialect }), abandon }
  }

  function leave({ db, abandon }: Opened): void {
    abandon()
    void db.destroy().catch(() => {})
  }

  function opened(): Promise<Opened> {
    opening ??= start()
    return opening
  }

  /** Forgets a database that failed, so that the next use opens it again. */
  async function forget(failed: Promise<Opened> | undefined): Promise<void> {
    if (!failed || opening !== failed) return
    opening = undefined
    await failed.then(leave, () => {})
  }

  async function use<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const mine = opened()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Late()), timeoutMs)
    try {
      const result = await Promise.race([mine.then(({ db }) => work(db)), late.promise])
      if (down) report?.('back')
      down = false
      return result
    } catch (error) {
      const abandoned = opening !== mine
      if (!abandoned && !isOutage(error)) throw error
      void forget(mine)
      if (!down) report?.(`down: ${codeOf(error)}`)
      down = true
      throw new StoreDown(error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    open: () => use(async () => {}),
    use,
    async scrub() {
      if (!address) await use(db => sql`pragma wal_checkpoint(truncate)`.execute(db))
    },
    async close() {
      const last = opening
      opening = undefined
      await last?.then(
        async ({ db }) => db.destroy(),
        () => {},
      )
    },
  }
}

class Late extends Error {}

/** Full, read-only, unreadable, broken and busy: https://sqlite.org/rescode.html */
const SQLITE_OUTAGES = [3, 5, 6, 8, 10, 11, 13, 14, 15, 23, 26]

/** What is wrong with the place where things are kept, as against a fault in what was asked of it. */
function isOutage(error: unknown): boolean {
  if (error instanceof Late || error instanceof NewerStore) return true
  // What the work itself refuses is no outage.
  if (error instanceof Problem || error instanceof DoorError) return false
  const code = sqliteCodeOf(error)
  if (code !== undefined) return SQLITE_OUTAGES.includes(code)
  if (isRefusedStatement(error) || !(error instanceof Error)) return false
  // Everything else with a code comes from the file system, the network or the server of the database; codes of the
  // platform itself are about wrong arguments.
  if ('code' in error && error.code !== undefined) return !String(error.code).startsWith('ERR_')
  return /timeout|terminated|closed|destroyed/i.test(error.message)
}

/** What names a failure without the words of it, which may hold what a visitor typed. */
function codeOf(error: unknown): string {
  const code = sqliteCodeOf(error)
  if (code !== undefined) return `SQLite ${code}`
  if (error instanceof Late) return 'no answer in time'
  if (error instanceof NewerStore) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection lost'
}
