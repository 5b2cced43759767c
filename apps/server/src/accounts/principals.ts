import type { Principal } from '../principal.ts'
import { StoreDown } from '../store/store.ts'
import type { ApiKey } from '../store/tables.ts'
import { AccountError } from './answer.ts'
import type { AccountParts } from './parts.ts'
import type { Access, Sessions } from './sessions.ts'
import { readToken, type TokenParts } from './tokens.ts'

/** Who calls a tool, by the Authorization header. */
export interface Principals {
  /** Undefined when nobody says who they are. Throws an AccountError for a token or key that is not good. */
  find(authorization: string | undefined): Promise<Principal | undefined>
  /** Believes nothing any more that was found out before, because some of it has just ended. */
  forget(): void
}

type Found = Principal | 'expired' | 'unknown'

const BEARER = /^bearer +(\S+) *$/i

/** The token of a header such as "Bearer assay_at_…". */
export const bearerOf = (authorization: string | undefined): string | undefined => BEARER.exec(authorization ?? '')?.[1]

/**
 * What was found out is believed for a second, so that a revoked key is dead within one, and a flood of calls is not
 * one of questions to the store.
 */
export function createPrincipals({ store, sessions, limits, now }: AccountParts & { sessions: Sessions }): Principals {
  /** By the hash of the token. */
  const known = new Map<string, { found: Promise<Found>; at: number }>()
  /** While the store is away only one call in a while waits for it. */
  let askAgainAt = 0

  async function look(token: string, { kind, hash }: TokenParts): Promise<Found> {
    if (kind === 'key') return lookUpKey(hash)
    const access: Access = await sessions.find(token)
    if (access === 'expired') return access
    return access ? { account: access.account, key: undefined, scopes: undefined } : 'unknown'
  }

  async function lookUpKey(hash: string): Promise<Found> {
    const at = now()
    const key = await store.use(db => db.selectFrom('api_key').selectAll().where('token', '=', hash).executeTakeFirst())
    if (!key || (key.expires_at !== null && key.expires_at <= at)) return 'unknown'
    await noteUse(key, at)
    return { account: key.account, key: key.id, scopes: key.scopes.split(' ') }
  }

  /** Written now and then only: a write for each call would make calls by key as slow as the disk is. */
  async function noteUse({ id, last_used_at }: ApiKey, at: number): Promise<void> {
    if (last_used_at !== null && at - last_used_at < limits.keyUseMs) return
    try {
      await store.use(db =>
        db
          .updateTable('api_key')
          .set({ last_used_at: at })
          .where('id', '=', id)
          .where('last_used_at', last_used_at === null ? 'is' : '=', last_used_at)
          .execute(),
      )
    } catch (error) {
      // A store that can only be read still tells whose key it is.
      if (!(error instanceof StoreDown)) throw error
    }
  }

  function remembered(token: string, parts: TokenParts): Promise<Found> {
    const at = now()
    const { hash } = parts
    const last = known.get(hash)
    // A clock that is set back must not make it longer.
    if (last && Math.abs(at - last.at) < limits.principalMs) return last.found
    if (at < askAgainAt) throw new StoreDown(undefined)
    const found = look(token, parts)
    known.delete(hash)
    known.set(hash, { found, at })
    found.catch(() => known.delete(hash))
    const [oldest] = known.size > limits.principals ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return found
  }

  return {
    async find(authorization) {
      if (!/^bearer\b/i.test(authorization ?? '')) return undefined
      const token = bearerOf(authorization) ?? ''
      const parts = readToken(token)
      // What was never a token of ours is not worth a question, nor a place in memory.
      if (parts?.kind !== 'key' && parts?.kind !== 'access') throw new AccountError(401, 'unauthorized', 'Unauthorized')
      try {
        const found = await remembered(token, parts)
        if (found === 'unknown') throw new AccountError(401, 'unauthorized', 'Unauthorized')
        if (found === 'expired') throw new AccountError(401, 'token-expired', 'Token expired')
        return found
      } catch (error) {
        // Tools work without the store; who they would know they then treat as anybody.
        if (!(error instanceof StoreDown)) throw error
        if (now() >= askAgainAt) askAgainAt = now() + limits.principalMs
        return undefined
      }
    },
    forget: () => known.clear(),
  }
}
