import { addresses } from './addresses.ts'
import { type Answer, type Ask, type Request, textOf } from './ask.ts'
import type { Pair, Tokens } from './tokens.ts'

export interface Session {
  /** Asks with the access token. A refused token is renewed once, and the question repeated. */
  call(path: string, request?: Request): Promise<Answer>
  /** Exchanges the pair that came in an address for one that lasts; false when the server refuses. */
  redeem(): Promise<boolean>
}

interface Parts {
  tokens: Tokens
  ask: Ask
  /** Runs one at a time, over all tabs. */
  lock?: <T>(work: () => Promise<T>) => Promise<T>
}

const UNAUTHORIZED = 401

/**
 * Calls in the name of whoever is signed in. Several tabs renew the token once between them, but for those that a
 * browser tells late of what another has written.
 */
export function createSession({ tokens, ask, lock = lockOfTabs }: Parts): Session {
  const renew = (refused: string): Promise<Pair | undefined> =>
    lock(async () => {
      const current = tokens.read()
      // While this tab waited for its turn, another may have renewed the pair, or logged out.
      if (!current || current.access !== refused) return current
      const pair = current.refresh && (await exchange(addresses.refresh, { refresh: current.refresh }))
      const kept = tokens.read()
      // What another tab wrote may arrive only now; the server gives the same pair to both. After a logout there is none.
      if (kept?.access !== refused) return kept
      if (pair) tokens.save(pair)
      return pair || undefined
    })

  async function exchange(path: string, body: Readonly<Record<string, string>>, withCookie = false) {
    return pairIn(await ask(path, { method: 'POST', body, withCookie }))
  }

  return {
    async call(path, request = {}) {
      const { access = '' } = tokens.read() ?? {}
      const answer = await ask(path, { ...request, access })
      if (answer.status !== UNAUTHORIZED) return answer
      const pair = await renew(access)
      return pair ? ask(path, { ...request, access: pair.access }) : answer
    },
    redeem: () =>
      lock(async () => {
        const returned = tokens.read()
        if (!returned || !tokens.isReturned()) return returned !== undefined
        const pair = await exchange(addresses.redeem, { ...returned }, true)
        if (pair) tokens.save(pair)
        return pair !== undefined
      }),
  }
}

/** The tokens of an answer; undefined where it has none. */
export function pairIn({ ok, body }: Answer): Pair | undefined {
  const pair = { access: textOf(body, 'access'), refresh: textOf(body, 'refresh') }
  return ok && pair.access && pair.refresh ? pair : undefined
}

/**
 * Without locks, which browsers offer on secure origins only, two tabs may renew at once; the server gives both the
 * same pair.
 */
function lockOfTabs<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request('assay:tokens', work)
}
