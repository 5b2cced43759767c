import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
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
  async db => {
    await db.schema
      .createTable('account')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('email', 'text', column => column.notNull().unique())
      .addColumn('password_hash', 'text')
      .addColumn('verified_at', 'bigint')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('link_sent_at', 'bigint', column => column.notNull())
      .execute()
    await db.schema
      .createTable('identity')
      .addColumn('provider', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('account', 'text', ofAccount)
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('identity_key', ['provider', 'subject'])
      .execute()
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account', 'text', ofAccount)
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('last_used_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('client', 'text', column => column.notNull())
      .addColumn('provider', 'text', column => column.notNull())
      .addColumn('access', 'text', column => column.notNull())
      .addColumn('access_expires_at', 'bigint', column => column.notNull())
      .addColumn('refresh', 'text', column => column.notNull())
      .addColumn('previous', 'text', column => column.notNull())
      .addColumn('rotated_at', 'bigint', column => column.notNull())
      .addColumn('successor', 'text', column => column.notNull())
      .execute()
    await db.schema
      .createTable('link')
      .addColumn('token', 'text', column => column.primaryKey())
      .addColumn('account', 'text', ofAccount)
      .addColumn('purpose', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await db.schema
      .createTable('api_key')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account', 'text', ofAccount)
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('token', 'text', column => column.notNull().unique())
      .addColumn('last_four', 'text', column => column.notNull())
      .addColumn('scopes', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema
      .createTable('known_origin')
      .addColumn('account', 'text', ofAccount)
      .addColumn('origin', 'integer', column => column.notNull())
      .addColumn('seen_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('known_origin_key', ['account', 'origin'])
      .execute()
    for (const table of ['identity', 'session', 'link', 'api_key'] as const)
      await db.schema.createIndex(`${table}_account`).on(table).column('account').execute()
  },
  async db => {
    await db.schema
      .createTable('usage')
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('tool', 'text', column => column.notNull())
      .addColumn('status', 'integer', column => column.notNull())
      .addColumn('ms', 'integer', column => column.notNull())
      .addColumn('client', 'text', column => column.notNull())
      .addColumn('account', 'text', column => column.references('account.id').onDelete('set null'))
      .addColumn('api_key', 'text')
      .execute()
    await db.schema.createIndex('usage_at').on('usage').column('at').execute()
    // Most rows are of nobody, and an index of them would cost as much as the rest of their writing.
    await db.schema
      .createIndex('usage_account')
      .on('usage')
      .columns(['account', 'at'])
      .where('account', 'is not', null)
      .execute()
    await db.schema
      .createTable('usage_key')
      .addColumn('day', 'integer', column => column.primaryKey())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('key', 'text', column => column.notNull())
      .execute()
  },
  async db => {
    await db.schema
      .createTable('social_attempt')
      .addColumn('state', 'text', column => column.primaryKey())
      .addColumn('browser', 'text', column => column.notNull())
      .addColumn('provider', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute()
    await db.schema
      .createTable('social_return')
      .addColumn('access', 'text', column => column.primaryKey())
      .addColumn('refresh', 'text', column => column.notNull())
      .addColumn('browser', 'text', column => column.notNull())
      .addColumn('account', 'text', ofAccount)
      .addColumn('provider', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute()
    for (const table of ['social_attempt', 'social_return'] as const) {
      await db.schema.createIndex(`${table}_browser`).on(table).column('browser').execute()
      await db.schema.createIndex(`${table}_expires_at`).on(table).column('expires_at').execute()
    }
    await db.schema.createIndex('social_return_account').on('social_return').column('account').execute()
  },
  async db => {
    await db.schema
      .createTable('usage_day')
      .addColumn('account', 'text', ofAccount)
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('requests', 'integer', column => column.notNull())
      .addColumn('failures', 'integer', column => column.notNull())
      .addPrimaryKeyConstraint('usage_day_key', ['account', 'at'])
      .execute()
    await db.schema.createIndex('usage_day_at').on('usage_day').column('at').execute()
    const day = sql`at - at % 86400000`
    await sql`insert into usage_day (account, at, requests, failures)
      select account, ${day}, count(*), sum(case when status >= 400 then 1 else 0 end)
      from usage where account is not null group by account, ${day}`.execute(db)
  },
]

/** Whatever belongs to an account goes with it. */
const ofAccount = (column: ColumnDefinitionBuilder) => column.notNull().references('account.id').onDelete('cascade')

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
