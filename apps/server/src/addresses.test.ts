import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { chosenEntry, lookupsOf } from './addresses.ts'

const lookups = lookupsOf(actions)

test('an address that two tools give is one route, and each tool can ask for its own panels', () => {
  const shared = lookups.filter(lookup => lookup.shared.length)
  assert.ok(shared.length > 0)
  for (const lookup of shared) {
    assert.equal(chosenEntry(lookup).tool, lookup.tool)
    assert.equal(chosenEntry(lookup, 'application/vnd.assay+json').tool, lookup.tool)
    assert.equal(chosenEntry(lookup, 'application/vnd.assay+json;tool=no-such').tool, lookup.tool)
    for (const { tool } of lookup.shared) {
      const accept = `text/event-stream, application/vnd.assay+json;tool=${tool.id}, application/json`
      assert.equal(chosenEntry(lookup, accept).tool.id, tool.id)
    }
  }
})

test('no route is made twice', () => {
  const routes = lookups.map(({ route }) => route)
  assert.deepEqual(routes, [...new Set(routes)])
})
