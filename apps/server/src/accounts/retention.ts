import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'

/** The privacy policy says so; see apps/web/text/privacy-policy.md. */
export const UNVERIFIED_DAYS = 7
export const ORIGIN_DAYS = 90
const DAY_MS = 86_400_000
/** Deleted at once, so that a full table does not keep the store from everybody else. */
const SLICE_ROWS = 1_000

/** Deletes what is over: sessions, links, sign-ins at providers, addresses that nobody verified, and places that nobody came back from. */
export async function sweepAccounts(store: Store, now: number): Promise<void> {
  /** A column that names rows, and which of them are over. */
  const over = [
    { table: 'session', id: 'id', when: sql`expires_at <= ${now}` },
    { table: 'link', id: 'token', when: sql`expires_at <= ${now} or used_at is not null` },
    { table: 'social_attempt', id: 'state', when: sql`expires_at <= ${now}` },
    { table: 'social_return', id: 'access', when: sql`expires_at <= ${now}` },
    // Who asked for another link lately may still open it, and whom a provider knows signs in without one.
    {
      table: 'account',
      id: 'id',
      when: sql`verified_at is null and created_at <= ${now - UNVERIFIED_DAYS * DAY_MS}
        and not exists (select 1 from link where link.account = account.id)
        and not exists (select 1 from identity where identity.account = account.id)`,
    },
    { table: 'known_origin', id: 'account', when: sql`seen_at <= ${now - ORIGIN_DAYS * DAY_MS}` },
  ]
  for (const { table, id, when } of over) {
    const [from, name] = [sql.table(table), sql.ref(id)]
    const first = sql`select ${name} from ${from} where ${when} limit ${sql.lit(SLICE_ROWS)}`
    const slice = sql`delete from ${from} where ${name} in (${first}) and (${when})`
    while ((await store.use(db => slice.execute(db))).numAffectedRows) await breathe()
  }
}
