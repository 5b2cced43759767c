import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { apiPage } from '../api-docs.ts'
import { readSettings } from '../settings.ts'

const page = apiPage(readSettings({}))
assert.ok(page.kind === 'api')
const operations = page.groups.flatMap(group => group.operations)

test('the page about the API names every address with every field', () => {
  assert.equal(operations.length, actions.length)
  for (const { action } of actions) {
    const operation = operations.find(({ addresses }) => addresses[0] === `POST /api/${action.path}/`)
    assert.ok(operation, action.path)
    assert.deepEqual(
      operation.fields.map(({ name }) => name),
      Object.keys(action.fields),
    )
    for (const { name, values } of operation.fields) assert.ok(values.length > 1, `${action.path} ${name}`)
  }
})

test('anchors are unique and lookups have their GET addresses', () => {
  const anchors = [...operations.map(({ anchor }) => anchor), ...page.groups.map(({ slug }) => slug)]
  assert.equal(new Set(anchors).size, anchors.length)
  assert.ok(operations.some(({ addresses }) => addresses.includes('GET /api/dns-records/{domain}/{type}/')))
})
