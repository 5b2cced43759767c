import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { readInput } from '@assay/kit'
import { applicationForm } from '../../web/careers.ts'
import { lookupsOf } from './addresses.ts'
import { careersForm } from './careers.ts'
import { contactForm } from './contact.ts'
import { defaultLimits } from './limits.ts'
import { openApi } from './openapi.ts'
import { trial } from './trial.ts'

const about = { brand: 'Assay', base: 'https://assay.example', contact: 'a@example.com' }
type Operation = {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> }
}
type Schema = { properties: Record<string, { title?: string; type: string; enum?: unknown[] }>; required?: string[] }
const inbox = { brand: about.brand, limits: defaultLimits }
const forms = [contactForm(inbox), careersForm(inbox, applicationForm())]
const document = openApi({ entries: actions, forms, about, limits: defaultLimits, hasAccounts: false }) as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

test('the OpenAPI document holds every address once, and no other', () => {
  assert.equal(document.openapi, '3.1.0')
  const posts = actions.map(({ action }) => `/api/${action.path}/`)
  const gets = lookupsOf(actions).map(({ template }) => `/api/${template}/`)
  assert.deepEqual(new Set(Object.keys(document.paths)), new Set([...posts, ...gets, '/api/contact/', '/api/careers/']))
  const names = Object.values(document.paths).flatMap(path => Object.values(path).map(({ operationId }) => operationId))
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
})

test('its examples are input that the tool takes, and its schema names the fields', async () => {
  for (const { action } of actions) {
    const { schema, example } =
      document.paths[`/api/${action.path}/`]?.post?.requestBody?.content['application/json'] ?? {}
    assert.ok(schema, action.path)
    for (const name of Object.keys(action.fields)) assert.ok(schema.properties[name]?.title, `${action.path} ${name}`)
    if (example) await readInput(action.fields, example as Record<string, unknown>)
  }
})

test('the forms are there with their fields, what they must have, and how long it may be', () => {
  const schemaOf = (path: string) => {
    const { schema } = document.paths[path]?.post?.requestBody?.content['application/json'] ?? {}
    assert.ok(schema, path)
    return schema
  }
  const contact = schemaOf('/api/contact/')
  assert.deepEqual(contact.required, ['name', 'email', 'message'])
  assert.deepEqual(Object.keys(contact.properties), contact.required)
  const careers = schemaOf('/api/careers/')
  assert.equal(Object.keys(careers.properties).length, 11)
  const optional = Object.keys(careers.properties).filter(name => !careers.required?.includes(name))
  assert.deepEqual(optional, ['phone', 'portfolio'])
  assert.deepEqual(careers.properties.applicationType?.enum, ['internship', 'full-time'])
})

test('no secret field stands in an address or a query', () => {
  for (const lookup of lookupsOf(actions)) {
    const text = JSON.stringify(document.paths[`/api/${lookup.template}/`]?.get)
    for (const [name, { secret }] of Object.entries(lookup.action.fields)) {
      if (secret) assert.doesNotMatch(text, new RegExp(`"name":"${name}"`))
    }
  }
})

test('the document says what the limits are', () => {
  assert.match(JSON.stringify(document), new RegExp(`${defaultLimits.lookupsPerMinute} lookups`))
})

test('document and page are served, and /api leads to the page', async t => {
  const app = await trial(t, { catalogue: true })
  const json = await app.inject('/api/openapi.json')
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(json.json().openapi, '3.1.0')
  const page = await app.inject('/api/docs')
  assert.deepEqual([page.statusCode, page.headers.location], [302, '/api/openapi.json'], 'nothing is built here')
  const lead = await app.inject('/api')
  assert.deepEqual([lead.statusCode, lead.headers.location], [301, '/api/docs/'])
})
