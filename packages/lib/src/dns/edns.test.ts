import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { extendedErrorName } from './codes.ts'
import {
  clientSubnetOf,
  clientSubnetOption,
  cookieOf,
  cookieOption,
  type Edns,
  type EdnsOption,
  extendedErrorOption,
  extendedErrors,
  nsidOf,
  nsidOption,
  paddingOption,
} from './edns.ts'

const edns = (...options: EdnsOption[]): Edns => ({ udpSize: 1232, version: 0, do: false, z: 0, options })

test('RFC 8914 §2: extended errors in order, with their text', () => {
  const option = extendedErrorOption({ code: 18, text: 'geht nicht für dich' })
  assert.equal(option.code, 15)
  assert.equal(toHex(option.data.subarray(0, 2)), '0012')
  assert.deepEqual(extendedErrors(edns(option, { code: 15, data: fromHex('0006') })), [
    { code: 18, text: 'geht nicht für dich' },
    { code: 6, text: '' },
  ])
  assert.deepEqual(extendedErrors(undefined), [])
})

test('RFC 8914 §2: text that ends in a zero, is not UTF-8, holds controls, or an option without a code', () => {
  const text = (hex: string) => extendedErrors(edns({ code: 15, data: fromHex(hex) })).map(error => error.text)
  assert.deepEqual(text('0000 616200'), ['ab'])
  assert.deepEqual(text('0000 61ff'), ['a\\255'])
  assert.deepEqual(text('0000 1b5b6d'), ['\\027[m'])
  assert.deepEqual(text('0000 e280ae61'), ['\\226\\128\\174a'])
  assert.deepEqual(text('00'), [])
})

test('RFC 8914 §4: purposes of the codes', () => {
  assert.equal(extendedErrorName(0), 'Other Error')
  assert.equal(extendedErrorName(6), 'DNSSEC Bogus')
  assert.equal(extendedErrorName(24), 'Invalid Data')
  assert.equal(extendedErrorName(49152), undefined)
})

test('RFC 7873 §4: a cookie has eight bytes of the client and none or 8 to 32 of the server', () => {
  const client = fromHex('0102030405060708')
  assert.deepEqual(cookieOf(edns(cookieOption({ client }))), { client })
  for (const length of [8, 16, 32]) {
    const server = new Uint8Array(length).fill(7)
    assert.deepEqual(cookieOf(edns(cookieOption({ client, server }))), { client, server })
  }
  for (const length of [0, 7, 9, 15, 41]) {
    assert.equal(cookieOf(edns({ code: 10, data: new Uint8Array(length) })), undefined)
  }
  assert.equal(cookieOf(edns()), undefined)
})

test('RFC 7871 §6: a client subnet is cut to its prefix', () => {
  const option = clientSubnetOption({ address: '192.0.2.255', sourceLength: 25, scopeLength: 0 })
  assert.equal(toHex(option.data), '00011900c0000280')
  assert.deepEqual(clientSubnetOf(edns(option)), { address: '192.0.2.128', sourceLength: 25, scopeLength: 0 })
  const ipv6 = clientSubnetOption({ address: '2001:db8:ffff::1', sourceLength: 36, scopeLength: 24 })
  assert.equal(toHex(ipv6.data), '0002241820010db8f0')
  assert.deepEqual(clientSubnetOf(edns(ipv6)), { address: '2001:db8:f000::', sourceLength: 36, scopeLength: 24 })
  assert.equal(toHex(clientSubnetOption({ address: '0.0.0.0', sourceLength: 0, scopeLength: 0 }).data), '00010000')
})

test('RFC 7871 §6: subnets whose length does not fit are not read, and not made', () => {
  for (const hex of ['', '000118', '00011800c000', '00011800c0000200', '00032000c0000201', '00012900c000020100']) {
    assert.equal(clientSubnetOf(edns({ code: 8, data: fromHex(hex) })), undefined)
  }
  assert.throws(() => clientSubnetOption({ address: '192.0.2.1', sourceLength: 33, scopeLength: 0 }), RangeError)
})

test('RFC 5001 §2.3, RFC 7830 §3: NSID and padding', () => {
  assert.deepEqual(nsidOption(), { code: 3, data: new Uint8Array() })
  assert.equal(toHex(nsidOf(edns(nsidOption(fromHex('6e7331')))) ?? assert.fail()), '6e7331')
  assert.deepEqual(paddingOption(3), { code: 12, data: new Uint8Array(3) })
})
