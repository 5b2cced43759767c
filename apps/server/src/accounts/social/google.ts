import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { type Provider, type ProviderClient, ProviderFailure } from './provider.ts'

export interface ProviderParts {
  fetch: CustomFetch
  now: () => number
  /** What a provider says of itself is believed for so long. */
  keptMs: number
}

/** Google, or whichever OpenID Connect provider takes its place. OpenID Connect Core 1.0 §3.1, Discovery 1.0. */
export function createGoogle(client: ProviderClient, { fetch, now, keptMs }: ProviderParts): Provider {
  let known: { configuration: Promise<Configuration>; at: number } | undefined

  function configured(): Promise<Configuration> {
    if (known && now() - known.at < keptMs) return known.configuration
    const issuer = new URL(client.address)
    const configuration = discovery(issuer, client.clientId, client.clientSecret, undefined, {
      [customFetch]: fetch,
      // The library would leave the signature to TLS, as OpenID Connect Core 1.0 §3.1.3.7 allows.
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    })
    const fresh = { configuration, at: now() }
    known = fresh
    configuration.catch(() => {
      if (known === fresh) known = undefined
    })
    return configuration
  }

  return {
    id: 'google',
    name: 'Google',
    async authorize(redirectUri, { state, nonce, verifier }) {
      return buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async identify(returned, { state, nonce, verifier }) {
      const tokens = await authorizationCodeGrant(await configured(), returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new ProviderFailure('there is no ID token')
      const { sub, email, email_verified } = claims
      // §5.1 has a boolean there; some send a text, and "false" is true to JavaScript.
      return { subject: sub, email: email_verified === true && typeof email === 'string' ? email : undefined }
    },
  }
}
