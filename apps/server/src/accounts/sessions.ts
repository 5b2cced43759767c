import type { Database, Session } from '../store/tables.ts'
import type { AccountParts } from './parts.ts'
import { createToken, hashOf, isSameHash, newId, openWith, sealWith, tokenOf } from './tokens.ts'

/** What a client keeps: one token for its requests, and one for the next pair. */
export interface TokenPair {
  access: string
  refresh: string
}

export interface SignIn {
  account: string
  client: string
  /** Empty for a sign-in by password. */
  provider: string
}

/** Whose token it is; 'expired' when it was good once. */
export type Access = { account: string; session: Session } | 'expired' | undefined

export interface Sessions {
  /** A new session, as part of whatever transaction is under way. */
  begin(db: Database, signIn: SignIn): Promise<TokenPair>
  /** The next pair; undefined when there is none, and then the session may be over. */
  refresh(token: unknown): Promise<TokenPair | undefined>
  find(token: unknown): Promise<Access>
  /** Ends the session that its access token names, expired or not; false when the token was replaced by another. */
  end(token: unknown): Promise<boolean>
}

/**
 * Tokens of a session begin with its id, so that one row is all it takes: a refresh token that is neither the present
 * one nor the one just before was stolen, from us or by us, and ends the session (RFC 9700 §4.14.2). The one just
 * before gets the same successor for some seconds, because answers get lost and tabs race.
 */
export function createSessions({ store, outbox, mails, limits, now }: AccountParts): Sessions {
  const newPair = (id: string): TokenPair => ({
    access: createToken('access', id),
    refresh: createToken('refresh', id),
  })

  const rowOf = ({ access, refresh }: TokenPair, at: number) => ({
    access: hashOf(access),
    access_expires_at: at + limits.accessMs,
    refresh: hashOf(refresh),
    last_used_at: at,
    expires_at: at + limits.sessionMs,
  })

  const findSession = (db: Database, id: string) =>
    db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()

  async function rotate(db: Database, session: Session, presented: string): Promise<TokenPair | undefined> {
    const at = now()
    const hash = hashOf(presented)
    if (!isSameHash(hash, session.refresh)) return undefined
    const pair = newPair(session.id)
    const { numUpdatedRows } = await db
      .updateTable('session')
      .set({ ...rowOf(pair, at), previous: hash, rotated_at: at, successor: sealWith(presented, JSON.stringify(pair)) })
      .where('id', '=', session.id)
      .where('refresh', '=', hash)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n ? pair : undefined
  }

  function again(session: Session, presented: string): TokenPair | undefined {
    const isJustBefore = isSameHash(hashOf(presented), session.previous)
    if (!isJustBefore || now() - session.rotated_at > limits.refreshGraceMs) return undefined
    return JSON.parse(openWith(presented, session.successor))
  }

  async function endStolen(db: Database, { id, account }: Session): Promise<void> {
    const { numDeletedRows } = await db.deleteFrom('session').where('id', '=', id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    const owner = await db.selectFrom('account').select('email').where('id', '=', account).executeTakeFirst()
    if (owner) await outbox.add(db, mails.reused(owner.email))
  }

  return {
    async begin(db, { account, client, provider }) {
      const id = newId()
      const at = now()
      const pair = newPair(id)
      const fresh = { id, account, client, provider, created_at: at, previous: '', rotated_at: 0, successor: '' }
      await db
        .insertInto('session')
        .values({ ...fresh, ...rowOf(pair, at) })
        .execute()
      const kept = db
        .selectFrom('session')
        .select('id')
        .where('account', '=', account)
        .where('id', '!=', id)
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .limit(limits.sessionsPerAccount - 1)
      await db
        .deleteFrom('session')
        .where('account', '=', account)
        .where('id', '!=', id)
        .where('id', 'not in', kept)
        .execute()
      return pair
    },

    async refresh(token) {
      const parts = tokenOf('refresh', token)
      if (!parts) return undefined
      const presented = String(token)
      const pair = await store.use(db =>
        db.transaction().execute(async transaction => {
          const session = await findSession(transaction, parts.id)
          if (!session || session.expires_at <= now()) return undefined
          const next = await rotate(transaction, session, presented)
          if (next) return next
          // Somebody else may have been quicker since the row was read.
          const current = await findSession(transaction, parts.id)
          const same = current && again(current, presented)
          if (current && !same) await endStolen(transaction, current)
          return same
        }),
      )
      if (!pair) outbox.wake()
      return pair
    },

    async find(token) {
      const parts = tokenOf('access', token)
      const session = parts && (await store.use(db => findSession(db, parts.id)))
      if (!session || !isSameHash(parts.hash, session.access)) return undefined
      return session.access_expires_at <= now() ? 'expired' : { account: session.account, session }
    },

    async end(token) {
      const parts = tokenOf('access', token)
      if (!parts) return true
      return store.use(async db => {
        await db.deleteFrom('session').where('id', '=', parts.id).where('access', '=', parts.hash).execute()
        return (await findSession(db, parts.id)) === undefined
      })
    },
  }
}
