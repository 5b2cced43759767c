import type { Kind } from '../runner.ts'
import type { ApiKey, Database } from '../store/tables.ts'
import { AccountError } from './answer.ts'
import { holdAccount } from './hold.ts'
import type { AccountParts } from './parts.ts'
import { unauthorized } from './profile.ts'
import { createToken, hashOf, newId } from './tokens.ts'

/** An API key as its owner sees it. */
export interface ListedKey {
  id: string
  name: string
  last_four: string
  /** Kinds of tools that it may call. */
  scopes: Kind[]
  created_at: string
  expires_at: string | null
  /** To about a minute; null before the first call. */
  last_used_at: string | null
}

/** The key itself is there once, when it is made. */
export type MadeKey = ListedKey & { key: string }

type Wanted = Readonly<Record<'name' | 'scopes' | 'expires_in_days', unknown>>

export interface Keys {
  list(account: string): Promise<ListedKey[]>
  /** Throws an AccountError when something is wrong with what is wanted, or there are too many. */
  make(account: string, wanted: Wanted): Promise<MadeKey>
  /** Whether there was such a key. */
  revoke(account: string, id: string): Promise<boolean>
}

const kinds: readonly Kind[] = ['light', 'lookup', 'scan']
const DAY_MS = 86_400_000
const ID = /^[\w-]{22}$/

export function createKeys({ store, limits, now }: Pick<AccountParts, 'store' | 'limits' | 'now'>): Keys {
  async function insert(db: Database, row: ApiKey): Promise<void> {
    if (!(await holdAccount(db, 'id', row.account))) throw unauthorized()
    const { count } = await db
      .selectFrom('api_key')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account', '=', row.account)
      .executeTakeFirstOrThrow()
    if (Number(count) >= limits.keysPerAccount) {
      throw new AccountError(
        409,
        'too-many-keys',
        `An account has at most ${limits.keysPerAccount} keys. Revoke one that you do not need.`,
      )
    }
    await db.insertInto('api_key').values(row).execute()
  }

  function nameOf(value: unknown): string {
    const name = typeof value === 'string' ? value.trim() : ''
    const isLine = name.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)
    if (!isLine || !/[^\p{C}\p{Z}]/u.test(name) || [...name].length > limits.keyNameCharacters)
      throw invalid(`Enter a name on one line, of at most ${limits.keyNameCharacters} characters.`)
    return name
  }

  function expiryOf(days: unknown, from: number): number | null {
    if (days === undefined || days === null) return null
    if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > limits.keyDays)
      throw invalid(
        `Choose a whole number of days from 1 to ${limits.keyDays}, or null for a key that does not expire.`,
      )
    return from + days * DAY_MS
  }

  return {
    async list(account) {
      const rows = await store.use(db =>
        db
          .selectFrom('api_key')
          .selectAll()
          .where('account', '=', account)
          .orderBy('created_at')
          .orderBy('id')
          .execute(),
      )
      return rows.map(listed)
    },

    async make(account, { name, scopes, expires_in_days }) {
      const key = createToken('key')
      const created_at = now()
      const row: ApiKey = {
        id: newId(),
        account,
        name: nameOf(name),
        token: hashOf(key),
        last_four: key.slice(-4),
        scopes: scopesOf(scopes).join(' '),
        created_at,
        expires_at: expiryOf(expires_in_days, created_at),
        last_used_at: null,
      }
      await store.use(db => db.transaction().execute(transaction => insert(transaction, row)))
      return { ...listed(row), key }
    },

    async revoke(account, id) {
      if (!ID.test(id)) return false
      const { numDeletedRows } = await store.use(db =>
        db.deleteFrom('api_key').where('id', '=', id).where('account', '=', account).executeTakeFirst(),
      )
      return numDeletedRows === 1n
    },
  }
}

const invalid = (message: string) => new AccountError(400, 'invalid-input', message)

function scopesOf(value: unknown): readonly Kind[] {
  if (value === undefined) return kinds
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  if (list.length === 0 || !list.every(scope => kinds.some(kind => kind === scope)))
    throw invalid(`Choose one or more scopes out of ${kinds.join(', ')}, as an array.`)
  return kinds.filter(kind => list.includes(kind))
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A key without what it is recognised by. */
export const listed = ({ id, name, last_four, scopes, created_at, expires_at, last_used_at }: ApiKey): ListedKey => ({
  id,
  name,
  last_four,
  scopes: kinds.filter(kind => scopes.split(' ').includes(kind)),
  created_at: new Date(created_at).toISOString(),
  expires_at: instant(expires_at),
  last_used_at: instant(last_used_at),
})
