import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { ProviderClient } from '../src/accounts/social/provider.ts'

/** A test, or a whole file of them. */
export interface Trialled {
  after(work: () => unknown): void
}

/** Somebody at a provider. */
export interface Somebody {
  sub: string
  email: string
  email_verified: unknown
}

export type Json = Record<string, unknown>

export interface OpenIdTrial {
  client: ProviderClient
  issuer: string
  /** Who signs in next. */
  person: Somebody
  /** What becomes of the answers of the token endpoint, by default nothing. */
  alter: (answer: Json) => Json
  /** What somebody on the way makes of the question in an address, by default nothing. */
  redirect: (path: string) => string
  /** Takes over from the provider when it says so. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  key: KeyObject
  /** Signs claims like the provider does, unless told how else. */
  sign(claims: Json, options?: { header?: Json; key?: KeyObject }): string
  /** The claims of an ID token. */
  claimsOf(token: unknown): Json
  /** Paths that were asked. */
  asked: string[]
  stop(): Promise<void>
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const TEN_MINUTES = 600

/**
 * A certified OpenID Connect provider, oidc-provider, on this machine. Whoever comes signs in at once, as the person
 * that the test put there; everything else is the provider's own work.
 */
export async function startOpenId(t: Trialled, base: string): Promise<OpenIdTrial> {
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'trial', alg: 'RS256', use: 'sig' }
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const client = (id: string) => ({
    client_id: id,
    client_secret: `the secret of ${id}`.replaceAll(' ', '-'),
    redirect_uris: [`${base}/auth/google/complete/`],
    token_endpoint_auth_method: 'client_secret_post' as const,
  })
  const provider: Provider = quietly(
    (): Provider =>
      new Provider(issuer, {
        clients: [client('assay'), client('another')],
        jwks: { keys: [jwk] },
        cookies: { keys: ['a key for tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: false,
        ttl: {
          AccessToken: TEN_MINUTES,
          AuthorizationCode: TEN_MINUTES,
          Grant: TEN_MINUTES,
          IdToken: TEN_MINUTES,
          Interaction: TEN_MINUTES,
          Session: TEN_MINUTES,
        },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...trial.person, sub }) }),
        // Consent was given before.
        async loadExistingGrant({ oidc }) {
          const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
          grant.addOIDCScope('openid email')
          await grant.save()
          return grant
        },
      }),
  )
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path === '/token' && ctx.status === 200) ctx.body = trial.alter(ctx.body as Json)
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    const path = trial.redirect(request.url ?? '/')
    request.url = path
    trial.asked.push(path.split('?')[0] ?? '')
    if (trial.intercept(request, response)) return
    if (!path.startsWith('/interaction/')) return handle(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: trial.person.sub } })
  })
  const stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  t.after(stop)

  const trial: OpenIdTrial = {
    client: { clientId: 'assay', clientSecret: 'the-secret-of-assay', address: `${issuer}/` },
    issuer,
    person: { sub: 'person-1', email: 'ada@example.org', email_verified: true },
    alter: answer => answer,
    redirect: path => path,
    key: privateKey,
    intercept: () => false,
    sign(claims, { header, key = privateKey } = {}) {
      const encoded = [{ alg: 'RS256', kid: 'trial', typ: 'JWT', ...header }, claims]
        .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      return `${encoded}.${createSign('sha256').update(encoded).sign(key, 'base64url')}`
    },
    claimsOf: token => JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()),
    asked: [],
    stop,
  }
  return trial
}

/** The provider warns of http and of keeping things in memory, which is what a test wants. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn() {}, info() {} })
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}

export interface GitHubTrial {
  client: ProviderClient
  user: Json
  emails: unknown
  /** Whether its answers name the issuer. RFC 9207. */
  namesIssuer: boolean
  /** Forms are what GitHub answers to who does not ask for JSON. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  asked: string[]
}

/**
 * What GitHub does, by its documentation: no OpenID Connect, mistakes in answers of status 200, and an API for who the
 * person is. It knows PKCE since July 2025 and names itself in its answers since April 2026.
 */
export async function startGitHub(t: Trialled, base: string): Promise<GitHubTrial> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  const redirectUri = `${base}/auth/github/complete/`
  const codes = new Map<string, string>()
  const token = 'gho_a_token_for_tests'
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const known = query.get('client_id') === trial.client.clientId && query.get('redirect_uri') === redirectUri
    if (!known || query.get('code_challenge_method') !== 'S256') return void response.writeHead(404).end()
    const code = randomBytes(10).toString('hex')
    codes.set(code, query.get('code_challenge') ?? '')
    const back = new URLSearchParams({ code, state: query.get('state') ?? '' })
    if (trial.namesIssuer) back.set('iss', `${address}/login/oauth`)
    response.writeHead(302, { location: `${redirectUri}?${back}` }).end()
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await textOf(request))
    const challenge = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const { clientId, clientSecret } = trial.client
    const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const answer = !isClient
      ? {
          error: 'incorrect_client_credentials',
          error_description: 'The client_id and/or client_secret passed are incorrect.',
        }
      : challenge === verifier && form.get('redirect_uri') === redirectUri
        ? { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' }
        : { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    if (request.headers.accept?.includes('json')) json(response, 200, answer)
    else
      response
        .writeHead(200, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' })
        .end(new URLSearchParams(answer as Record<string, string>).toString())
  }

  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', address)
    trial.asked.push(pathname)
    if (trial.intercept(request, response)) return
    const isAllowed = request.headers.authorization?.toLowerCase() === `bearer ${token}`
    if (pathname === '/login/oauth/authorize') authorize(searchParams, response)
    else if (pathname === '/login/oauth/access_token' && request.method === 'POST') void exchange(request, response)
    else if (!request.headers['user-agent']) json(response, 403, { message: 'Request forbidden' })
    else if (!isAllowed) json(response, 401, { message: 'Bad credentials' })
    else if (pathname === '/api/v3/user') json(response, 200, trial.user)
    else if (pathname === '/api/v3/user/emails') json(response, 200, trial.emails)
    else json(response, 404, { message: 'Not Found' })
  })
  t.after(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  const trial: GitHubTrial = {
    client: { clientId: 'assay-at-github', clientSecret: 'another-secret', address },
    user: { login: 'ada', id: 583231, email: null, name: 'Ada' },
    emails: [{ email: 'ada@example.org', primary: true, verified: true, visibility: 'private' }],
    namesIssuer: true,
    intercept: () => false,
    asked: [],
  }
  return trial
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
