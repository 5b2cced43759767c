import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../../store/tables.ts'
import { holdAccount } from '../hold.ts'
import type { AccountParts } from '../parts.ts'
import type { TokenPair } from '../sessions.ts'
import { createToken, hashOf, tokenOf } from '../tokens.ts'
import type { Challenge, ProviderId } from './provider.ts'

/** An account that was signed in to at a provider. */
export interface Arrival {
  account: string
  provider: ProviderId
}

/**
 * Sign-ins at providers that are under way. `browser` is the value of a cookie; the store holds hashes of it and of
 * everything else that would let somebody go on with one.
 */
export interface Attempts {
  /** Begins one, in the browser with this cookie if that has others under way, or one that gets a new cookie. */
  begin(provider: ProviderId, browser: string | undefined): Promise<{ browser: string; challenge: Challenge }>
  /** What has to be checked of the answer to one; undefined when this browser asked nothing like it. Works once. */
  take(provider: ProviderId, browser: string, state: string): Promise<Challenge | undefined>
  /** A pair for an address, good for a short time and with the cookie only; as part of whatever transaction is under way. */
  hand(db: Database, browser: string, arrival: Arrival): Promise<TokenPair>
  /** Whom a pair from an address signs in; undefined when it is not good here. Works once. */
  redeem(db: Database, browser: string, pair: Readonly<Record<keyof TokenPair, unknown>>): Promise<Arrival | undefined>
  /** Whether nothing of a browser is under way any more. */
  isOver(browser: string): Promise<boolean>
}

const SECRET_BYTES = 32

const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** The verifier and the nonce come out of the cookie, so that they need not be kept. */
const derived = (browser: string, use: string, state: string) =>
  createHmac('sha256', browser).update(`${use} ${state}`).digest('base64url')

const challengeOf = (browser: string, state: string): Challenge => ({
  state,
  verifier: derived(browser, 'verifier', state),
  nonce: derived(browser, 'nonce', state),
})

export function createAttempts({ store, limits, now }: Pick<AccountParts, 'store' | 'limits' | 'now'>): Attempts {
  const isUnderWay = async (db: Database, browser: string): Promise<boolean> => {
    for (const table of ['social_attempt', 'social_return'] as const) {
      const rows = db.selectFrom(table).select('browser').where('browser', '=', hashOf(browser))
      if (await rows.where('expires_at', '>', now()).executeTakeFirst()) return true
    }
    return false
  }

  return {
    begin: (provider, asked) =>
      store.use(db =>
        db.transaction().execute(async transaction => {
          const browser = asked && (await isUnderWay(transaction, asked)) ? asked : newSecret()
          const state = newSecret()
          const expires_at = now() + limits.providerAttemptMs
          await transaction
            .insertInto('social_attempt')
            .values({ state: hashOf(state), browser: hashOf(browser), provider, expires_at })
            .execute()
          return { browser, challenge: challengeOf(browser, state) }
        }),
      ),

    async take(provider, browser, state) {
      const { numDeletedRows } = await store.use(db =>
        db
          .deleteFrom('social_attempt')
          .where('state', '=', hashOf(state))
          .where('browser', '=', hashOf(browser))
          .where('provider', '=', provider)
          .where('expires_at', '>', now())
          .executeTakeFirstOrThrow(),
      )
      return numDeletedRows === 1n ? challengeOf(browser, state) : undefined
    },

    async hand(db, browser, { account, provider }) {
      const pair = { access: createToken('returned'), refresh: createToken('returned') }
      const hashes = { access: hashOf(pair.access), refresh: hashOf(pair.refresh), browser: hashOf(browser) }
      const expires_at = now() + limits.returnedPairMs
      await db
        .insertInto('social_return')
        .values({ ...hashes, account, provider, expires_at })
        .execute()
      return pair
    },

    async redeem(db, browser, pair) {
      const [access, refresh] = [tokenOf('returned', pair.access), tokenOf('returned', pair.refresh)]
      if (!access || !refresh) return undefined
      const found = await db
        .selectFrom('social_return')
        .selectAll()
        .where('access', '=', access.hash)
        .where('refresh', '=', refresh.hash)
        .where('browser', '=', hashOf(browser))
        .where('expires_at', '>', now())
        .executeTakeFirst()
      // The account first, as everybody who changes something of it does.
      if (!found || !(await holdAccount(db, 'id', found.account))) return undefined
      const { numDeletedRows } = await db
        .deleteFrom('social_return')
        .where('access', '=', access.hash)
        .executeTakeFirstOrThrow()
      return numDeletedRows === 1n ? { account: found.account, provider: found.provider } : undefined
    },

    isOver: async browser => !(await store.use(db => isUnderWay(db, browser))),
  }
}
