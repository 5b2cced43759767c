import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** Result codes of SQLite, https://sqlite.org/rescode.html; the low byte of an extended code is the primary one. */
const SQLITE_BUSY = 5
const PRIMARY_CODE = 0xff
const BUSY_WAIT_MS = 10

export const sqliteCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & PRIMARY_CODE
    : undefined

const isBusy = (error: unknown) => sqliteCodeOf(error) === SQLITE_BUSY

export interface SqliteOptions {
  /** Holds the database; made when it is missing. */
  folder: string
  /** How long to wait for another process to finish its writing. */
  busyMs: number
}

/** Kysely over the SQLite that Node brings. Only its own user may read the files. */
export function sqliteDialect(options: SqliteOptions): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}

/** One connection, which Kysely gives to one user after the other. */
class SqliteDriver implements Driver {
  readonly #options: SqliteOptions
  #connection: SqliteConnection | undefined

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  async init(): Promise<void> {
    const { folder, busyMs } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, 'assay.db')
    // SQLite gives its journal the mode of the database, and would make that readable for everybody.
    closeSync(openSync(path, 'a', 0o600))
    const connection = new SqliteConnection(new DatabaseSync(path, { timeout: 0 }), busyMs)
    try {
      for (const pragma of ['journal_mode = wal', 'synchronous = full', 'secure_delete = on']) {
        await connection.executeQuery(CompiledQuery.raw(`pragma ${pragma}`))
      }
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#connection) throw new Error('The database is closed.')
    return this.#connection
  }

  // Takes the right to write at once: a transaction that first reads would be refused it when another wrote meanwhile.
  beginTransaction = (connection: DatabaseConnection) => run(connection, 'begin immediate')
  commitTransaction = (connection: DatabaseConnection) => run(connection, 'commit')

  /** A full disk has SQLite roll back by itself; being told that nothing is left to do would hide why. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.isInTransaction) await run(connection, 'rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection?.close()
    this.#connection = undefined
  }
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql))
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #busyMs: number

  constructor(database: DatabaseSync, busyMs: number) {
    this.#database = database
    this.#busyMs = busyMs
  }

  /** A statement that finds another process writing has done nothing, and is tried again without holding up others. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const end = performance.now() + this.#busyMs
    for (;;) {
      try {
        return this.#execute<R>(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error
      }
      await wait(BUSY_WAIT_MS)
    }
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#database.prepare(sql)
    // The tables hold texts and numbers, and what comes out is typed by the query.
    const values = parameters as (string | number | null)[]
    if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it and nobody streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed.')
  }

  close(): void {
    this.#database.close()
  }
}
