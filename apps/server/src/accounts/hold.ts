import type { Account, Database } from '../store/tables.ts'

/**
 * The account, which nobody else changes or deletes until the transaction is over: PostgreSQL holds a row that was
 * written, SQLite lets one transaction write at a time. Taken before anything else that belongs to the account, so
 * that two who change it wait for each other in one order.
 */
export const holdAccount = (db: Database, by: 'id' | 'email', value: string): Promise<Account | undefined> =>
  db
    .updateTable('account')
    .set(({ ref }) => ({ email: ref('email') }))
    .where(by, '=', value)
    .returningAll()
    .executeTakeFirst()
