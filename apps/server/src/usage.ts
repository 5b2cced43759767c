import { createHmac, randomBytes } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { bugOf } from './bug.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Principal } from './principal.ts'
import { clientKeys } from './rates.ts'
import { type Store, StoreDown } from './store/store.ts'
import type { Database } from './store/tables.ts'
import { countDays } from './usage-days.ts'

/** A tool that was called, by whichever door: what it was, how it ended, and for whom. Nothing of what was asked. */
export interface Use {
  tool: string
  status: number
  ms: number
  /** Address of the client. It is never stored: a keyed hash takes its place within a second. */
  client: string
  principal?: Principal | undefined
}

/** The client left before its answer; nginx notes it the same way. */
export const GONE_STATUS = 499

export interface Usage {
  /** Notes a use, at no cost for whoever waits for the answer. */
  add(use: Use): void
  /** Writes what was noted. */
  close(): Promise<void>
}

export interface UsageOptions {
  store: Store
  limits: Limits
  log: Log
  now: () => number
}

export interface Noted extends Use {
  at: number
}

const DAY_MS = 86_400_000
/** Written at once: a few milliseconds of SQLite. */
const SLICE_ROWS = 1_000
const KEY_BYTES = 32
/** 96 bits: no two clients of a day get the same. */
const HASH_CHARACTERS = 16

const dayOf = (at: number) => Math.floor(at / DAY_MS)

/** The usage log. It is written in batches; while the store is down, and beyond a bound, it is not written at all. */
export function createUsage({ store, limits, log, now }: UsageOptions): Usage {
  const keys = new Map<number, string>()
  let pending: Noted[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** Said once, until rows are written again. */
  let isLossSaid = false

  function say(text: string): void {
    if (!isLossSaid) log({ event: 'usage', time: new Date(now()).toISOString(), text })
    isLossSaid = true
  }

  /** Makes the key of the day, unless another process did. It is not kept here longer than it is needed. */
  async function keyOf(db: Database, day: number): Promise<string> {
    const known = keys.get(day)
    if (known) return known
    const fresh = { day, created_at: now(), key: randomBytes(KEY_BYTES).toString('base64url') }
    await db
      .insertInto('usage_key')
      .values(fresh)
      .onConflict(conflict => conflict.column('day').doNothing())
      .execute()
    const { key } = await db.selectFrom('usage_key').select('key').where('day', '=', day).executeTakeFirstOrThrow()
    keys.set(day, key)
    setTimeout(() => keys.delete(day), DAY_MS).unref()
    return key
  }

  async function insert(db: Database, rows: readonly Noted[]): Promise<void> {
    const hashes = new Map<string, string>()
    const values: Record<number, unknown[]> = {}
    let day = 0
    for (const [index, { at, tool, status, ms, client, principal }] of rows.entries()) {
      if (dayOf(at) !== day) hashes.clear()
      day = dayOf(at)
      const hash = hashes.get(client) ?? hashOf(await keyOf(db, day), client)
      hashes.set(client, hash)
      const value = [at, tool, status, Math.round(ms), hash]
      values[index] = principal ? [...value, principal.account, principal.key] : value
    }
    // One parameter, however many rows: both databases take the JSON text apart by the same words. An account or key
    // that was deleted in the meantime is not written down again.
    await sql`insert into usage (at, tool, status, ms, client, account, api_key)
      select cast(value ->> 0 as bigint), value ->> 1, cast(value ->> 2 as integer), cast(value ->> 3 as integer),
        value ->> 4, (select id from account where id = value ->> 5), (select id from api_key where id = value ->> 6)
      from json_each(${JSON.stringify(values)})`.execute(db)
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = pending
    pending = []
    try {
      for (let start = 0; start < rows.length; start += SLICE_ROWS) {
        const slice = rows.slice(start, start + SLICE_ROWS)
        await store.use(db => insert(db, slice))
        if (slice.some(({ principal }) => principal)) await store.use(db => countDays(db, slice))
        isLossSaid = false
        await breathe()
      }
    } catch (error) {
      if (error instanceof StoreDown) say('not written while the store is down')
      else log({ event: 'bug', time: new Date(now()).toISOString(), request: '', ...bugOf(error) })
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => {
      writing = (writing ?? Promise.resolve()).then(write)
    }, limits.usageMs).unref()
  }

  return {
    add(use) {
      if (pending.length >= limits.usageRows) return say('more than can be written')
      pending.push({ ...use, at: now() })
      wake()
    },
    async close() {
      clearTimeout(timer)
      await writing
      if (pending.length > 0) await write()
    },
  }
}

function hashOf(key: string, client: string): string {
  const [narrowest] = clientKeys(client)
  return createHmac('sha256', key)
    .update(narrowest?.key ?? '')
    .digest('base64url')
    .slice(0, HASH_CHARACTERS)
}
