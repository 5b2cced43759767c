import { sql } from 'kysely'
import type { Store } from './store/store.ts'
import type { Database, UsageDayRow } from './store/tables.ts'
import type { Noted } from './usage.ts'

const DAY_MS = 86_400_000
const FIRST_FAILURE = 400

/** Adds calls to the days of their accounts. An account that was deleted in the meantime has none any more. */
export async function countDays(db: Database, calls: readonly Noted[]): Promise<void> {
  const days = new Map<string, UsageDayRow>()
  for (const { at, status, principal } of calls) {
    if (!principal) continue
    const { account } = principal
    const start = at - (at % DAY_MS)
    const key = `${account} ${start}`
    const { requests, failures } = days.get(key) ?? { requests: 0, failures: 0 }
    const isFailure = status >= FIRST_FAILURE
    days.set(key, { account, at: start, requests: requests + 1, failures: failures + (isFailure ? 1 : 0) })
  }
  // Processes that write at the same moment take the rows in the same order, and so never wait for each other in a ring.
  for (const [, { account, at, requests, failures }] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await sql`insert into usage_day (account, at, requests, failures)
      select id, cast(${at} as bigint), cast(${requests} as integer), cast(${failures} as integer)
      from account where id = ${account}
      on conflict (account, at) do update set
        requests = usage_day.requests + excluded.requests, failures = usage_day.failures + excluded.failures`.execute(
      db,
    )
}

export interface UsageDay {
  /** "2026-11-22", in UTC. */
  day: string
  requests: number
  failures: number
}

/** What an account used in the last days, today included: every day, oldest first. */
export async function usageOf(store: Store, account: string, days: number, now: number): Promise<UsageDay[]> {
  const first = now - (now % DAY_MS) - (days - 1) * DAY_MS
  const rows = await store.use(db =>
    db.selectFrom('usage_day').selectAll().where('account', '=', account).where('at', '>=', first).execute(),
  )
  const found = new Map(rows.map(row => [row.at, row]))
  return Array.from({ length: days }, (_, index) => {
    const at = first + index * DAY_MS
    const { requests = 0, failures = 0 } = found.get(at) ?? {}
    return { day: new Date(at).toISOString().slice(0, 10), requests, failures }
  })
}
