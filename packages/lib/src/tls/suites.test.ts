import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { suiteOf, suites } from './suites.ts'

/** Code, IANA name, OpenSSL name, exchange, authentication, encryption. */
const openssl = execFileSync('openssl', ['ciphers', '-V', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
  encoding: 'utf8',
})
const rows = openssl.split('\n').flatMap(line => {
  const match = /0x(..),0x(..) - (\S+)\s+- (\S+)\s+\S+\s+Kx=(\S+)\s+Au=(\S+)\s+Enc=([^( ]+)(?:\((\d+)\))?/.exec(line)
  return match ? [match.slice(1)] : []
})

test('IANA TLS Cipher Suites: every suite of OpenSSL but those with pre-shared keys and SRP, under the same names', () => {
  const theirs = rows.filter(([, , name]) => !/PSK|SRP/.test(name ?? ''))
  assert.ok(theirs.length > 80)
  for (const [high, low, name, short, , authentication, encryption, bits] of theirs) {
    const suite = suiteOf(Number(`0x${high}${low}`))
    assert.ok(suite, name)
    assert.deepEqual([suite.name, suite.openssl], [name, short])
    assert.equal(suite.bits, encryption === 'None' ? 0 : Number(bits), name)
    assert.equal(suite.encryption === 'NULL', encryption === 'None', name)
    assert.equal(suite.authentication === 'anon', authentication === 'None', name)
  }
})

test('RFC 9325 §4.1: forward secrecy is with ephemeral keys, and not with anonymous ones', () => {
  for (const [, , name, , exchange, authentication] of rows.filter(([, , name]) => !/PSK|SRP/.test(name ?? ''))) {
    const suite = suites.find(one => one.name === name)
    const ephemeral = exchange === 'any' || ((exchange === 'DH' || exchange === 'ECDH') && authentication !== 'None')
    assert.equal(suite?.forwardSecrecy, ephemeral, name)
  }
})

test('RFC 4346 §A.5, RFC 2246 §A.5: export suites have 40 bits, DES 56', () => {
  assert.deepEqual(
    [0x0003, 0x0008, 0x0009, 0x000a, 0x0005].map(code => suiteOf(code)?.bits),
    [40, 40, 56, 112, 128],
  )
  assert.equal(new Set(suites.map(({ code }) => code)).size, suites.length)
})
