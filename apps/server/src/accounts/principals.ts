import type { Principal } from '../principal.ts'
import { StoreDown } from '../store/store.ts'
import { AccountError } from './answer.ts'
import type { AccountParts } from './parts.ts'
import type { Access, Sessions } from './sessions.ts'
import { readToken } from './tokens.ts'

/** Who calls a tool, by the Authorization header. */
export interface Principals {
  /** Undefined when nobody says who they are. Throws an AccountError for a token or key that is not good. */
  find(authorization: string | undefined): Promise<Principal | undefined>
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
  const known = new Map<string, { found: Promise<Found>; at: number }>()

  async function look(token: string): Promise<Found> {
    const parts = readToken(token)
    if (parts?.kind === 'key') return lookUpKey(parts.hash)
    if (parts?.kind !== 'access') return 'unknown'
    const access: Access = await sessions.find(token)
    if (access === 'expired') return access
    return access ? { account: access.account, key: undefined, scopes: undefined } : 'unknown'
  }

  async function lookUpKey(hash: string): Promise<Found> {
    const at = now()
    const key = await store.use(db => db.selectFrom('api_key').selectAll().where('token', '=', hash).executeTakeFirst())
    if (!key || (key.expires_at !== null && key.expires_at <= at)) return 'unknown'
    await store.use(db => db.updateTable('api_key').set({ last_used_at: at }).where('id', '=', key.id).execute())
    return { account: key.account, key: key.id, scopes: key.scopes.split(' ') }
  }

  function remembered(token: string): Promise<Found> {
    const at = now()
    const last = known.get(token)
    if (last && at - last.at < limits.principalMs) return last.found
    const found = look(token)
    known.delete(token)
    known.set(token, { found, at })
    found.catch(() => known.delete(token))
    const [oldest] = known.size > limits.principals ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return found
  }

  return {
    async find(authorization) {
      const token = bearerOf(authorization)
      if (token === undefined) return undefined
      try {
        const found = await remembered(token)
        if (found === 'unknown') throw new AccountError(401, 'unauthorized', 'Unauthorized')
        if (found === 'expired') throw new AccountError(401, 'token-expired', 'Token expired')
        return found
      } catch (error) {
        // Tools work without the store; who they would know they then treat as anybody.
        if (error instanceof StoreDown) return undefined
        throw error
      }
    },
  }
}
