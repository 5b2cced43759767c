/** What signs a visitor in. */
export interface Pair {
  access: string
  refresh: string
}

export interface Tokens {
  read(): Pair | undefined
  save(pair: Pair): void
  /** Keeps a pair that came in an address: it is good for nothing but to be redeemed. */
  saveReturned(pair: Pair): void
  isReturned(): boolean
  /** Removes the tokens and nothing else. */
  forget(): void
  /** Removes all that this site keeps, as logging out does (§4). */
  clear(): void
}

const ACCESS = 'access'
const REFRESH = 'refresh'
const RETURNED = 'returned'

/** The tokens as they lie in the local storage (§3). They are read at each use, so that all tabs share one pair. */
export function createTokens(storage: Storage): Tokens {
  function put({ access, refresh }: Pair) {
    storage.setItem(ACCESS, access)
    storage.setItem(REFRESH, refresh)
  }
  return {
    read() {
      const access = storage.getItem(ACCESS)
      return access ? { access, refresh: storage.getItem(REFRESH) ?? '' } : undefined
    },
    save(pair) {
      put(pair)
      storage.removeItem(RETURNED)
    },
    saveReturned(pair) {
      // The mark comes first: a pair without it would be taken for one that the server has given to this browser.
      storage.setItem(RETURNED, 'yes')
      put(pair)
    },
    isReturned: () => storage.getItem(RETURNED) !== null,
    forget() {
      for (const name of [ACCESS, REFRESH, RETURNED]) storage.removeItem(name)
    },
    clear: () => storage.clear(),
  }
}
