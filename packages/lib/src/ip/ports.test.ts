import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedPorts, portCategories } from './ports.ts'

test('111 different ports in 12 categories', () => {
  assert.equal(portCategories.length, 12)
  assert.equal(listedPorts.length, 111)
  assert.equal(new Set(listedPorts).size, 111)
  assert.ok(listedPorts.every(port => Number.isInteger(port) && port > 0 && port < 65_536))
})
