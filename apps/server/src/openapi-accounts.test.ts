import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '@assay/kit'
import { accountTrial } from '../test/account-trial.ts'
import { seat } from '../test/seated.ts'
import { defaultLimits } from './limits.ts'
import { openApi } from './openapi.ts'
import { accountDocument } from './openapi-accounts.ts'
import { trial } from './trial.ts'

type Method = 'GET' | 'POST' | 'DELETE'
interface Operation {
  operationId: string
  security: object[]
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>
}
const { paths, schemas } = accountDocument(defaultLimits)

/** Every operation with its address as the router writes it. */
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      url: path.replace('{id}', ':id'),
      operation: operation as unknown as Operation,
    })),
)

test('[OPEN-015] the document describes the addresses of accounts, each of which is there', async t => {
  const app = await accountTrial(t)
  // The router leaves the final slash out.
  for (const { method, url } of operations)
    assert.ok(app.server.hasRoute({ method, url: url.slice(0, -1) }), `${method} ${url}`)
  const described = new Set(operations.map(({ method, url }) => `${method} ${url}`))
  for (const address of ['POST /auth/login/', 'POST /user/keys/', 'DELETE /user/keys/:id/', 'GET /user/export/'])
    assert.ok(described.has(address))
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
})

test('what needs a session says so, and is refused without one', async t => {
  const app = await accountTrial(t)
  for (const { method, url, operation } of operations) {
    const isOwn = url.startsWith('/user/') || url === '/auth/logout/'
    assert.deepEqual(operation.security, isOwn ? [{ session: [] }] : [], url)
    if (!url.startsWith('/user/')) continue
    const answer = await app.inject({ method, url: url.replace(':id', 'a'), headers: { accept: 'application/json' } })
    assert.equal(answer.statusCode, 401, url)
  }
})

const resolved = (schema: JsonSchema): JsonSchema =>
  typeof schema.$ref === 'string' ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

/** Whether a value has the fields of a schema, and no others. */
function agrees(value: unknown, described: JsonSchema, where: string): void {
  const { type, properties, required, items } = resolved(described) as {
    type: string | string[]
    properties?: Record<string, JsonSchema>
    required?: string[]
    items?: JsonSchema
  }
  const kind =
    value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  assert.ok([type].flat().includes(kind), `${where} is ${kind}, described as ${type}`)
  if (Array.isArray(value) && items?.type) for (const item of value) agrees(item, items, `${where}[]`)
  if (kind !== 'object' || !properties) return
  const fields = Object.entries(value as object)
  for (const name of required ?? [])
    assert.ok(
      fields.some(([found]) => found === name),
      `${where}.${name} is missing`,
    )
  for (const [name, field] of fields) {
    assert.ok(properties[name], `${where}.${name} is not described`)
    agrees(field, properties[name], `${where}.${name}`)
  }
}

test('answers are as they are described', async t => {
  const app = await accountTrial(t)
  const person = await seat(app, { provider: 'google' })
  const bodies: Record<string, object> = {
    'POST /auth/register/': { email: 'ada@example.org', password: 'secret' },
    'POST /auth/verify-email/': { email: 'ada@example.org' },
    'POST /auth/password-change/': { email: 'ada@example.org' },
    'POST /auth/password-reset/confirm/': { token: 'x', password: 'secret' },
    'POST /auth/login/': { email: 'ada@example.org', password: 'wrong' },
    'POST /user/keys/': { name: 'a', expires_in_days: 3 },
    'DELETE /user/profile/': {},
  }
  const later = (address: string) => ['DELETE /user/profile/', 'POST /auth/logout/'].includes(address)
  const tried = operations.map(row => ({ ...row, address: `${row.method} ${row.url}` }))
  for (const { method, url, operation, address } of tried.toSorted((a, b) => +later(a.address) - +later(b.address))) {
    const own = await seat(app, { account: person.account, provider: 'google' })
    const payload = address === 'POST /auth/refresh/' ? { refresh: person.refresh } : bodies[address]
    const answer = await app.inject({
      method,
      url: url.replace(':id', 'a'),
      headers: own.headers,
      ...(payload && { payload }),
    })
    const described = operation.responses[answer.statusCode] ?? operation.responses.default
    assert.ok(answer.statusCode < 500, `${address} ${answer.body}`)
    const [schema] = Object.values(described?.content ?? {}).map(content => content.schema)
    agrees(answer.json(), schema ?? {}, address)
  }
})

test('tools take a key or nothing, and the words say how to send one', async t => {
  const app = await accountTrial(t)
  const document = (await app.get('/api/openapi.json')).json()
  assert.deepEqual(document.security, [{}, { key: [] }])
  assert.equal(document.components.securitySchemes.key.scheme, 'bearer')
  assert.match(document.components.securitySchemes.key.description, /Authorization: Bearer assay_key_….*10 times/)
  const names = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)
  for (const [, kind = '', name = ''] of names) assert.ok(document.components[kind][name], `${kind} ${name}`)
})

test('where nothing is kept there are no accounts, and the document says nothing of them', async t => {
  const app = await trial(t)
  const document = (await app.inject('/api/openapi.json')).json()
  assert.equal(document.security, undefined)
  assert.doesNotMatch(JSON.stringify(document), /\/user\/|\/auth\/|securitySchemes/)
  const about = { brand: 'Assay', base: undefined, contact: undefined }
  const whole = openApi({ entries: [], forms: [], about, limits: defaultLimits, hasAccounts: true })
  assert.deepEqual(Object.keys(whole.paths as object), Object.keys(paths))
})
