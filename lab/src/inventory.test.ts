import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from '@assay/lib/ip/special'
import { address, addressesOf, host, hosts } from './inventory.ts'
import { ends, links } from './topology.ts'

const everyAddress = [...addressesOf(Object.keys(hosts)), ...links.flatMap(ends).flatMap(({ v4, v6 }) => [v4, v6])]

test('every address is one of the public Internet, so that the product needs no exception for the lab', () => {
  assert.deepEqual(
    everyAddress.filter(text => !classify(text).public),
    [],
  )
})

test('no address belongs to two hosts', () => {
  const own = addressesOf(Object.keys(hosts))
  assert.deepEqual(
    own.filter((text, index) => own.indexOf(text) !== index),
    [],
  )
})

test('a host is found by name and by alias', () => {
  assert.deepEqual(address('www.good.test'), { v4: '26.3.0.10', v6: '2a0f:1ab:3::10' })
  assert.equal(host('good.test'), host('www.good.test'))
  assert.equal(address('cloudflare-dns.com').v4, '1.1.1.1')
})

test('an unknown host is refused, and so is a family that a host does not have', () => {
  assert.throws(() => host('nobody.test'), /the lab has no host nobody\.test/)
  assert.throws(() => address('v4only.good.test'), /does not have both/)
  assert.throws(() => address('v6only.good.test'), /does not have both/)
})
