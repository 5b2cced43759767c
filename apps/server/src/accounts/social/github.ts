import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
} from 'openid-client'
import type { ProviderParts } from './google.ts'
import { isObject, type Provider, type ProviderClient, ProviderFailure } from './provider.ts'

/** The version of the API that this was written for. */
const API_VERSION = '2022-11-28'

/**
 * GitHub, or a GitHub Enterprise Server: OAuth 2.0 without OpenID Connect, so that its API is asked who the person is.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function createGitHub(
  { clientId, clientSecret, address }: ProviderClient,
  { fetch }: Pick<ProviderParts, 'fetch'>,
): Provider {
  const oauth = `${address}/login/oauth`
  const configuration = new Configuration(
    // GitHub names this issuer in its answers (RFC 9207); an older Enterprise Server names none.
    { issuer: oauth, authorization_endpoint: `${oauth}/authorize`, token_endpoint: `${oauth}/access_token` },
    clientId,
    clientSecret,
  )
  configuration[customFetch] = fetch
  if (address.startsWith('http:')) allowInsecureRequests(configuration)
  const api = apiOf(new URL(address))

  async function ask(token: string, path: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': API_VERSION })
    const response = await fetchProtectedResource(configuration, token, new URL(`${api}${path}`), 'GET', null, headers)
    if (response.status !== 200) throw new ProviderFailure(`the API answers ${response.status}`)
    return response.json()
  }

  return {
    id: 'github',
    name: 'GitHub',
    async authorize(redirectUri, { state, verifier }) {
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async identify(returned, { state, verifier }) {
      const { access_token } = await authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      const user = await ask(access_token, '/user')
      const emails = await ask(access_token, '/user/emails?per_page=100')
      return { subject: subjectOf(user), email: emailOf(emails) }
    },
  }
}

/** github.com and tenants of ghe.com have a host for the API, an Enterprise Server has a path. */
const apiOf = ({ origin, protocol, host }: URL): string =>
  /(?:^|\.)(?:github|ghe)\.com$/.test(host) ? `${protocol}//api.${host}` : `${origin}/api/v3`

/** The number never changes, unlike the login, which somebody else may take later. */
function subjectOf(user: unknown): string {
  const id = isObject(user) ? user.id : undefined
  if (!Number.isSafeInteger(id)) throw new ProviderFailure('the API names no user')
  return String(id)
}

function emailOf(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) throw new ProviderFailure('the API lists no addresses')
  const primary = emails.filter(isObject).find(entry => entry.primary === true && entry.verified === true)
  return typeof primary?.email === 'string' ? primary.email : undefined
}
