import type { JsonSchema } from '@assay/kit'
import type { Limits } from './limits.ts'

/** What the OpenAPI document says of accounts, and of the keys and tokens that they give. */
export interface AccountDocument {
  paths: Record<string, Record<string, JsonSchema>>
  schemas: Record<string, JsonSchema>
  securitySchemes: Record<string, JsonSchema>
}

/** Tools ask for nothing, and take a key or the access token of a session. */
export const toolSecurity: readonly JsonSchema[] = [{}, { key: [] }]

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more })
const instant = (description: string): JsonSchema => text(description, { format: 'date-time' })
const maybe = ({ type, ...schema }: JsonSchema): JsonSchema => ({ ...schema, type: [type, 'null'] })
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const part = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** An object that has all of these and no others. */
const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  properties,
  additionalProperties: false,
})

const scopes: JsonSchema = {
  type: 'array',
  items: { enum: ['light', 'lookup', 'scan'] },
  minItems: 1,
  uniqueItems: true,
  description: 'Kinds of tools that the key may call: work without network, questions to servers, and scans.',
}
const email = text('The address of the account.', { format: 'email' })
const link = text('From the link in the mail.')
const refresh = text('The refresh token. It works once.')

const keyFields = {
  id: text('For revoking it.'),
  name: text('As its owner calls it.'),
  last_four: text('The last four characters of the key.'),
  scopes,
  created_at: instant('When it was made.'),
  expires_at: maybe(instant('After that it is refused.')),
  last_used_at: maybe(instant('To about a minute.')),
}

const schemas: Record<string, JsonSchema> = {
  Detail: object(
    {
      detail: text('A sentence for people.'),
      code: text('With failures: what it is, for programs.'),
      request: text('With status 500: what to quote when asking about it.'),
    },
    ['code', 'request'],
  ),
  Tokens: object({
    access: text('For the Authorization header; lives for a quarter of an hour.'),
    refresh: text('For the next pair.'),
  }),
  Profile: object({
    id: text('Of the account.'),
    email,
    email_verified: { type: 'boolean' },
    providers: list(text('A provider that the account signs in by.')),
    created_at: instant('When it was made.'),
  }),
  Session: object({
    id: text('For ending it.'),
    created_at: instant('When it began.'),
    last_used_at: instant('When its tokens were last renewed.'),
    client: text('Such as "Firefox on Linux".'),
    current: { type: 'boolean', description: 'Whether it is the one that asks.' },
  }),
  Key: object(keyFields),
  NewKey: object({ ...keyFields, key: text('The key itself. It is shown this once.') }),
  Day: object({
    day: text('In UTC.', { format: 'date' }),
    requests: { type: 'integer' },
    failures: { type: 'integer' },
  }),
}

interface Described {
  summary: string
  description?: string
  body?: JsonSchema
  answer: JsonSchema
  status?: number
}

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } })

const failure: JsonSchema = {
  description:
    'Why not. 400 for what was asked, 401 without a good token, 403, 404, 409, and 429 and 503 with Retry-After.',
  content: json(part('Detail')),
}

function operation(id: string, tag: string, security: readonly JsonSchema[], described: Described): JsonSchema {
  const { summary, description, body, answer, status = 200 } = described
  return {
    tags: [tag],
    summary,
    ...(description && { description }),
    operationId: id,
    security,
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: { [status]: { description: 'Done.', content: json(answer) }, default: failure },
  }
}

const open = (id: string, described: Described) => operation(id, 'sign-in', [], described)
const own = (id: string, described: Described) => operation(id, 'account', [{ session: [] }], described)

const withId = (path: string): JsonSchema => ({
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: `As ${path} lists it.` },
  ],
})

export function accountDocument(limits: Limits): AccountDocument {
  const password = text(`At most ${limits.passwordBytes} bytes. Weak ones are taken.`)
  const credentials = object({ email, password })
  return {
    schemas,
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key, made on the profile page or by POST /user/keys/: "Authorization: Bearer assay_key_…". Tools work without one; by its keys an account has ${limits.keyFactor} times the limits of a client, wherever it calls from. Keys open nothing below /user/. In an address or a body they are not taken. The access token of a session does as well, without the higher limits.`,
      },
      session: {
        type: 'http',
        scheme: 'bearer',
        description: 'The access token of a session, from POST /auth/login/ or /auth/refresh/.',
      },
    },
    paths: {
      '/auth/register/': {
        post: open('register', {
          summary: 'Make an account',
          description: 'The answer is the same for an address that has one. A mail with a link follows.',
          body: credentials,
          answer: part('Detail'),
          status: 201,
        }),
      },
      '/auth/verify-email/': {
        post: open('send_verify_link', {
          summary: 'Send the link for verifying again',
          body: object({ email }),
          answer: part('Detail'),
        }),
      },
      '/auth/login/': {
        post: open('login', { summary: 'Log in', body: credentials, answer: part('Tokens') }),
      },
      '/auth/refresh/': {
        post: open('refresh', {
          summary: 'Get the next pair of tokens',
          description: 'A refresh token that was replaced ends the session, because somebody may have copied it.',
          body: object({ refresh }),
          answer: part('Tokens'),
        }),
      },
      '/auth/logout/': {
        post: own('logout', { summary: 'End the session', answer: part('Detail') }),
      },
      '/auth/password-change/': {
        post: open('send_reset_link', {
          summary: 'Send a link for choosing a new password',
          body: object({ email }),
          answer: part('Detail'),
        }),
      },
      '/auth/password-reset/confirm/': {
        post: open('reset_password', {
          summary: 'Choose a new password',
          description: 'Ends all sessions of the account.',
          body: object({ token: link, password }),
          answer: part('Detail'),
        }),
      },
      '/user/profile/': {
        get: own('profile', { summary: 'The account', answer: part('Profile') }),
        delete: own('delete_account', {
          summary: 'Delete the account and everything below it',
          description: `Without a password shortly after a sign-in by a provider, within ${limits.freshSignInMs / 60_000} minutes.`,
          body: object({ password }, ['password']),
          answer: part('Detail'),
        }),
      },
      '/user/sessions/': {
        get: own('sessions', {
          summary: 'Where the account is logged in',
          answer: object({ sessions: list(part('Session')) }),
        }),
      },
      '/user/sessions/{id}/': {
        ...withId('/user/sessions/'),
        delete: own('end_session', { summary: 'Log out there', answer: part('Detail') }),
      },
      '/user/keys/': {
        get: own('keys', { summary: 'The API keys', answer: object({ keys: list(part('Key')) }) }),
        post: own('make_key', {
          summary: 'Make an API key',
          description: `An account has at most ${limits.keysPerAccount}.`,
          body: object(
            {
              name: text('On one line.', { minLength: 1, maxLength: limits.keyNameCharacters }),
              scopes: { ...scopes, default: ['light', 'lookup', 'scan'] },
              expires_in_days: maybe({
                type: 'integer',
                minimum: 1,
                maximum: limits.keyDays,
                default: null,
                description: 'Null for a key that does not expire.',
              }),
            },
            ['scopes', 'expires_in_days'],
          ),
          answer: part('NewKey'),
          status: 201,
        }),
      },
      '/user/keys/{id}/': {
        ...withId('/user/keys/'),
        delete: own('revoke_key', { summary: 'Revoke an API key', answer: part('Detail') }),
      },
      '/user/usage/': {
        get: own('usage', {
          summary: 'Calls of tools in the last 30 days',
          description: 'Every day, the oldest first.',
          answer: object({ days: list(part('Day')) }),
        }),
      },
      '/user/export/': {
        get: own('export', {
          summary: 'Everything that is kept about the account',
          description: 'As a file. Passwords, tokens and keys are not in it.',
          answer: { type: 'object' },
        }),
      },
    },
  }
}
