import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { TokenPair } from '../src/accounts/sessions.ts'
import type { ProviderId } from '../src/accounts/social/provider.ts'
import { type AccountTrial, type AccountTrialOptions, accountTrial } from './account-trial.ts'
import { type GitHubTrial, type OpenIdTrial, startGitHub, startOpenId, type Trialled } from './openid-provider.ts'

/** The public address of the server in these tests. */
export const BASE = 'https://assay.example'

/** What a browser does of all this: it keeps cookies by host and goes where it is sent. */
export interface Browser {
  cookies: Map<string, string>
  /** A page of ours. */
  open(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Presses the button, signs in there, and gives the address of ours that the provider sends the browser to. */
  leave(provider: ProviderId): Promise<string>
  /** All the way to the page of the return; gives the address that we sent the browser to. */
  comeBack(provider: ProviderId): Promise<string>
  /** What the page does with the pair in its address. */
  redeem(pair: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** From the button to a session. */
  signIn(provider: ProviderId): Promise<TokenPair>
}

export interface SocialTrial extends AccountTrial {
  google: OpenIdTrial
  github: GitHubTrial
  browser(): Browser
}

const MAX_HOPS = 10

/** A server with accounts and both providers, each a real server on this machine. */
export async function socialTrial(
  t: Trialled,
  { settings, limits, ...options }: AccountTrialOptions = {},
): Promise<SocialTrial> {
  const base = settings?.base ?? BASE
  const [google, github] = [await startOpenId(t, base), await startGitHub(t, base)]
  const trial = await accountTrial(t, {
    ...options,
    settings: { base, providers: { google: google.client, github: github.client }, ...settings },
    limits: { accountCallsPerMinute: 10_000, ...limits },
  })
  return { ...trial, google, github, browser: () => newBrowser(trial, base) }
}

/** What we put into the address of the page that a browser comes back to. */
export function pairOf(address: string): TokenPair {
  const query = new URL(address, BASE).searchParams
  return { access: query.get('access') ?? '', refresh: query.get('refresh') ?? '' }
}

function newBrowser({ inject }: AccountTrial, base: string): Browser {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const open: Browser['open'] = async (path, headers = {}) => {
    const answer = await inject({ method: 'GET', url: path, headers: { cookie: cookie(), ...headers } })
    keep(cookies, answer.headers['set-cookie'])
    return answer
  }

  const leave: Browser['leave'] = async provider => {
    const asked = await open(`/auth/${provider}/login/`)
    assert.equal(asked.statusCode, 302)
    const theirs = new Map<string, string>()
    let address = String(asked.headers.location)
    for (let hop = 0; hop < MAX_HOPS && !address.startsWith(base); hop++) {
      const answer = await fetch(address, {
        redirect: 'manual',
        headers: { cookie: [...theirs].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      keep(theirs, answer.headers.getSetCookie())
      const location = answer.headers.get('location')
      assert.ok(location, `${address} answers ${answer.status} and leads nowhere`)
      address = new URL(location, address).href
    }
    assert.ok(address.startsWith(base), address)
    return address.slice(base.length)
  }

  const comeBack: Browser['comeBack'] = async provider => {
    const back = await open(await leave(provider))
    assert.equal(back.statusCode, 302)
    return String(back.headers.location)
  }

  const redeem: Browser['redeem'] = async (pair, headers = {}) => {
    const answer = await inject({
      method: 'POST',
      url: '/auth/redeem/',
      headers: { 'content-type': 'application/json', cookie: cookie(), ...headers },
      payload: JSON.stringify(pair),
    })
    keep(cookies, answer.headers['set-cookie'])
    return answer
  }

  return {
    cookies,
    open,
    leave,
    comeBack,
    redeem,
    async signIn(provider) {
      const session = await redeem(pairOf(await comeBack(provider)))
      assert.equal(session.statusCode, 200, session.body)
      return session.json()
    },
  }
}

/** RFC 6265 §5.3, as far as it is needed: a cookie without a life left is dropped. */
function keep(cookies: Map<string, string>, header: string | string[] | undefined): void {
  for (const line of [header ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const isOver =
      /;\s*max-age=0\b/i.test(line) || Date.parse(/;\s*expires=([^;]+)/i.exec(line)?.[1] ?? '') < Date.now()
    if (isOver) cookies.delete(name)
    else cookies.set(name, value)
  }
}
