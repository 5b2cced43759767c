/** As in addresses, in sessions and in what an account says of itself. */
export type ProviderId = 'google' | 'github'

/** What somebody who runs this site got from a provider for it. */
export interface ProviderClient {
  clientId: string
  clientSecret: string
  /** The issuer of an OpenID Connect provider, the address of a GitHub. */
  address: string
}

/** Known to one browser and us: what comes back has to show that it belongs to what was asked. */
export interface Challenge {
  /** RFC 6749 §10.12. */
  state: string
  /** RFC 7636. */
  verifier: string
  /** OpenID Connect Core 1.0 §3.1.2.1. */
  nonce: string
}

/** Who somebody is at a provider. */
export interface Person {
  /** The provider's own name for the person, which never changes. */
  subject: string
  /** Undefined unless the provider says that the address was verified. */
  email: string | undefined
}

export interface Provider {
  id: ProviderId
  /** As people call it. */
  name: string
  /** Where a browser goes to sign in. */
  authorize(redirectUri: string, challenge: Challenge): Promise<URL>
  /** Who came back to `returned`, the redirect URI with its query. Throws when anything about it is not as it should be. */
  identify(returned: URL, challenge: Challenge): Promise<Person>
}

/** A sign-in that came to nothing; the message is a word for the log, and nothing of what was exchanged. */
export class ProviderFailure extends Error {}

/** Whatever goes wrong there is theirs, or the visitor's who changed his mind. */
export async function atProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ProviderFailure(reasonOf(error), { cause: error })
  }
}

/** Error codes of RFC 6749 §4.1.2.1 and §5.2 and of programs, as against anything that a stranger could choose freely. */
const CODE = /^[a-zA-Z_]{1,60}$/

/** What the provider said was wrong, or else the first of an error and its causes that has a code. */
function reasonOf(error: unknown): string {
  const chain: unknown[] = []
  for (let found = error; isObject(found); found = found.cause) chain.push(found)
  const own = chain.find(found => found instanceof ProviderFailure)
  // GitHub puts its errors into answers of status 200, which the library takes for broken ones.
  const said = chain.filter(isObject).map(found => found.error ?? (isObject(found.body) ? found.body.error : undefined))
  const codes = chain.filter(isObject).map(found => found.code)
  return own?.message ?? [...said, ...codes].find(isCode) ?? 'no code'
}

const isCode = (value: unknown): value is string => typeof value === 'string' && CODE.test(value)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
