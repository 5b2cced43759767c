import type { Session } from '../store/tables.ts'
import type { AccountParts } from './parts.ts'
import { hashOf } from './tokens.ts'

/** A sign-in as its owner sees it. */
export interface ListedSession {
  id: string
  created_at: string
  last_used_at: string
  client: string
  /** Whether it is the one that asks. */
  current: boolean
}

type Parts = Pick<AccountParts, 'store' | 'now'>

/** The id stands in the tokens, where nobody should look for it twice, so another name goes out. */
export const publicSessionId = (id: string): string => hashOf(`session ${id}`)

const sessionsOf = ({ store, now }: Parts, account: string): Promise<Session[]> =>
  store.use(db =>
    db
      .selectFrom('session')
      .selectAll()
      .where('account', '=', account)
      .where('expires_at', '>', now())
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .execute(),
  )

/** The sign-ins of the account that one of them belongs to, the last used first. */
export async function listSessions(parts: Parts, current: Session): Promise<ListedSession[]> {
  const rows = await sessionsOf(parts, current.account)
  return rows.map(({ id, created_at, last_used_at, client }) => ({
    id: publicSessionId(id),
    created_at: new Date(created_at).toISOString(),
    last_used_at: new Date(last_used_at).toISOString(),
    client,
    current: id === current.id,
  }))
}

/** Ends one sign-in of the account; whether there was such a one. */
export async function endSession(parts: Parts, { account }: Session, publicId: string): Promise<boolean> {
  const found = (await sessionsOf(parts, account)).find(({ id }) => publicSessionId(id) === publicId)
  if (!found) return false
  const { numDeletedRows } = await parts.store.use(db =>
    db.deleteFrom('session').where('id', '=', found.id).executeTakeFirst(),
  )
  return numDeletedRows === 1n
}
