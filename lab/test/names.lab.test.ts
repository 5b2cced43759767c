import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from '../src/inventory.ts'
import { dig } from './programs.ts'

const ns1 = address('ns1.hosting.net').v4
const registry = address('a.nic.test').v4

test('fifty.test: names beside a wildcard, one with its address, and a name that only has others below it', async () => {
  assert.deepEqual((await dig(ns1, 'nobody.dev.fifty.test', 'A')).records, ['A 26.3.0.170'])
  assert.deepEqual((await dig(ns1, 'www.dev.fifty.test', 'A')).records, ['A 26.3.0.170'])
  assert.deepEqual((await dig(ns1, 'api.dev.fifty.test', 'A')).records, ['A 26.3.0.171'])
  const empty = await dig(ns1, 'lab.fifty.test', 'A')
  assert.deepEqual(empty.records, [])
  assert.match(empty.text, /status: NOERROR/)
  assert.match((await dig(ns1, 'nobody.fifty.test', 'A')).text, /status: NXDOMAIN/)
  // RFC 4592 §2.2.1: an existing name keeps the wildcard from answering below it.
  assert.match((await dig(ns1, 'nobody.www.dev.fifty.test', 'A')).text, /status: NXDOMAIN/)
})

test('everything.test answers for every name', async () => {
  assert.deepEqual((await dig(ns1, 'nobody.everything.test', 'A')).records, ['A 26.3.0.180'])
  assert.deepEqual((await dig(ns1, 'mail.everything.test', 'A')).records, ['A 26.3.0.181'])
})

test('the imitations of fifty.test are delegated, and ws answers for names that are not', async () => {
  for (const name of [
    'fity.test',
    'fitfy.test',
    'f1fty.test',
    'xn--ffty-vpa.test',
    'fiftys.test',
    'fifty.io',
    'fiffty.ws',
  ]) {
    assert.match((await dig(registry, name, 'NS', '+norecurse')).text, /AUTHORITY SECTION:\n\S+\s.*NS\s/, name)
  }
  assert.deepEqual((await dig(registry, 'nobody.ws', 'A', '+norecurse')).records, ['A 26.3.0.190'])
})
