import assert from 'node:assert/strict'
import { test } from 'node:test'
import { specialUse } from './special.ts'

test('RFC 6761 §6: no tool connects to names of this machine or of a private network', () => {
  for (const name of [
    'localhost',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'x.invalid',
    'x.onion',
  ]) {
    assert.equal(specialUse(name)?.connect, false, name)
  }
  for (const name of ['router.home.arpa', '1.0.0.127.in-addr.arpa', 'x.alt']) {
    assert.equal(specialUse(name)?.connect, false, name)
  }
})

test('RFC 6761 §6.2: names under test are names like others, their addresses decide', () => {
  assert.deepEqual(specialUse('a.test'), { name: 'test', rfc: 'RFC 6761 §6.2', lookup: true, connect: true })
})

test('RFC 7686 §2, RFC 6762 §3: names that the DNS must not be asked about', () => {
  for (const name of ['x.onion', 'x.local', 'x.alt', 'x.internal', 'localhost', 'x.home.arpa']) {
    assert.equal(specialUse(name)?.lookup, false, name)
  }
  assert.equal(specialUse('8.8.8.8.in-addr.arpa')?.lookup, true)
})

test('names that only end alike are ordinary', () => {
  for (const name of [
    'example.com',
    'notlocalhost.com',
    'mylocal.de',
    'home-arpa.net',
    'contest',
    'latest.io',
    'onion.com',
  ]) {
    assert.equal(specialUse(name), undefined, name)
  }
})
