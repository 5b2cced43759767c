import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** The database was made by a newer program; going on could lose what it keeps. */
export class NewerStore extends Error {}

type Step = (db: Kysely<Tables>) => Promise<void>

/** What brings a database from version n to n + 1. Steps that were ever released are never changed, only followed. */
const steps: readonly Step[] = [
  async db => {
    await db.schema
      .createTable('message')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('email', 'text', column => column.notNull())
      .addColumn('text', 'text', column => column.notNull())
      .execute()
    await db.schema.createIndex('message_created_at').on('message').column('created_at').execute()
    await db.schema
      .createTable('mail')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('recipient', 'text', column => column.notNull())
      .addColumn('reply_name', 'text', column => column.notNull())
      .addColumn('reply_email', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('text', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('attempts', 'integer', column => column.notNull())
      .addColumn('due_at', 'bigint', column => column.notNull())
      .addColumn('failure', 'text', column => column.notNull())
      .execute()
    await db.schema.createIndex('mail_due').on('mail').columns(['state', 'due_at']).execute()
  },
]

/** Any number that no other program takes for its lock in the same database. */
const LOCK = 4_711_220_226

/**
 * Brings the tables up to date in one transaction. Whoever else starts at the same moment waits for it: SQLite lets
 * one process write at a time, PostgreSQL is asked for a lock.
 */
export async function migrate(db: Kysely<Tables>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.transaction().execute(async transaction => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction)
    await sql`create table if not exists store_version (version integer not null)`.execute(transaction)
    const { rows } = await sql<{ version: number }>`select version from store_version`.execute(transaction)
    const version = rows[0]?.version ?? 0
    if (version > steps.length) {
      throw new NewerStore(
        `The store is of version ${version} and this program knows versions up to ${steps.length}: start the newer program, or go back to a backup from before it`,
      )
    }
    if (version === steps.length) return
    for (const step of steps.slice(version)) await step(transaction)
    await sql`delete from store_version`.execute(transaction)
    await sql`insert into store_version (version) values (${sql.lit(steps.length)})`.execute(transaction)
  })
}
