import { Wait } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { clientKeys, type RateStore, type Rule } from '../rates.ts'
import type { Accounts } from './accounts.ts'
import { hashOf } from './tokens.ts'

export interface LimitedOptions {
  accounts: Pick<Accounts, 'isKnownOrigin'>
  rates: RateStore
  limits: Limits
}

export type Limited = ReturnType<typeof createLimited>

const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** How often somebody may try. Nobody is locked out: who signed in from a place before is not slowed by others. */
export function createLimited({ accounts, rates, limits }: LimitedOptions) {
  async function take(rules: readonly Rule[]): Promise<void> {
    const waitMs = await rates.take(rules, 1)
    if (waitMs > 0) throw new Wait('limited', waitMs, 'Rate limit exceeded')
  }

  const perClient = (what: string, address: string, limit: number, windowMs: number): Rule[] =>
    clientKeys(address).map(({ key, factor }) => ({ key: `${what} ${key}`, limit: limit * factor, windowMs }))

  return {
    call: (address: string) => take(perClient('account call', address, limits.accountCallsPerMinute, MINUTE_MS)),

    /** An export reads all that there is, which of a busy account is a lot. */
    exports: (account: string) => take([{ key: `export ${account}`, limit: limits.exportsPerHour, windowMs: HOUR_MS }]),

    mails: (address: string) =>
      take(perClient('account mail', address, limits.accountMailsPerQuarterHour, QUARTER_HOUR_MS)),

    /** What is too much for one address is not sent, and nobody is told. */
    async isMailAllowed(email: string): Promise<boolean> {
      const rule = { key: `mail to ${hashOf(email)}`, limit: limits.accountMailsPerHour, windowMs: HOUR_MS }
      return (await rates.take([rule], 1)) === 0
    },

    async guess(email: string, address: string): Promise<void> {
      const account = hashOf(email)
      const own = perClient(`login ${account}`, address, limits.loginsPerQuarterHour, QUARTER_HOUR_MS)
      await take([...own, ...perClient('login', address, limits.clientLoginsPerQuarterHour, QUARTER_HOUR_MS)])
      if (await accounts.isKnownOrigin(email, address)) return
      await take([{ key: `guess ${account}`, limit: limits.guessesPerHour, windowMs: HOUR_MS }])
    },
  }
}
