import { type Dialect, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface PostgresOptions {
  /** postgresql://user:password@host/database */
  address: string
  connections: number
  /** How long to wait for a connection, and for one answer. */
  timeoutMs: number
}

/** Whole numbers of 64 bits are instants and counts here, far below where a JavaScript number ends. */
const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)),
}

/** Connections of the pool begin in this file, which is one of the few that may open them. */
class StoreClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (!callback) return super.connect()
    super.connect(callback)
    return undefined
  }
}

/** Kysely over a PostgreSQL server, and the way to leave it at once when it does not answer. */
export function postgresDialect({ address, connections, timeoutMs }: PostgresOptions): {
  dialect: Dialect
  abandon(): void
} {
  const pool = new pg.Pool({
    Client: StoreClient,
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    types,
    application_name: 'assay',
  })
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', client => clients.delete(client))
  // A connection that breaks while nobody uses it is replaced by the next one.
  pool.on('error', () => {})
  return {
    dialect: new PostgresDialect({ pool }),
    abandon() {
      // The pool hands out what its class makes, and types it as less.
      for (const client of clients) void (client as pg.Client).end().catch(() => {})
    },
  }
}

/** SQLSTATE classes that are the fault of who asked: data, constraints, syntax. PostgreSQL, Appendix A. */
const OWN_FAULTS = ['22', '23', '42']
/** In class 42 although it is about the rights of who connects. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** Whether the server answered, and refused the statement for what it says. */
export const isRefusedStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code !== INSUFFICIENT_PRIVILEGE &&
  OWN_FAULTS.includes(error.code?.slice(0, 2) ?? '')
