import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as scure from '@scure/base'
import { type Bytes, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { base58Alphabets, decodeBase58, encodeBase58, MAX_BASE58_BYTES } from './base58.ts'

const bitcoin = { alphabet: 'Bitcoin', check: false } as const
const monero = { alphabet: 'Monero', check: false } as const
const address = { alphabet: 'Monero', check: true } as const

test('Bitcoin Core, base58_encode_decode.json', () => {
  const long = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')).join('')
  for (const [hex, text] of [
    ['', ''],
    ['61', '2g'],
    ['626262', 'a3gV'],
    ['636363', 'aPEr'],
    ['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
    ['516b6fcd0f', 'ABnLTmg'],
    ['bf4f89001e670274dd', '3SEo3LWLoPntC'],
    ['572e4794', '3EFU7m'],
    ['ecac89cad93923c02321', 'EJDM8drfXA6uyA'],
    ['10c8511e', 'Rt5zm'],
    ['00'.repeat(10), '1'.repeat(10)],
    [`${'00'.repeat(39)}01`, `${'1'.repeat(39)}2`],
    [
      '000111d38e5fc9071ffcd20b4a763cc9ae4f252bb4e48fd66a835e252ada93ff480d6dd43dc62a641155a5',
      '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
    ],
    ['271f359e', 'zzzzy'],
    ['271f359f', 'zzzzz'],
    ['271f35a0', '211111'],
    ['271f35a1', '211112'],
    [
      long,
      '1cWB5HCBdLjAuqGGReWE3R3CguuwSjw6RHn39s2yuDRTS5NsBgNiFpWgAnEx6VQi8csexkgYw3mdYrMHr8x9i7aEwP8kZ7vccXWqKDvGv3u1GxFKPuAkn8JCPPGDMf3vMMnbzm6Nh9zh1gcNsMvH3ZNLmP5fSG6DGbbi2tuwMWPthr4boWwCxf7ewSgNQeacyozhKDDQQ1qL5fQFUW52QKUZDZ5fw3KXNQJMcNTcaB723LchjeKun7MuGW5qyCBZYzA1KjofN1gYBV3NqyhQJ3Ns746GNuf9N2pQPmHz4xpnSrrfCvy6TVVz5d4PdrjeshsWQwpZsZGzvbdAdN8MKV5QsBDY',
    ],
  ] as const) {
    assert.equal(encodeBase58(fromHex(hex), bitcoin), text)
    assert.equal(toHex(decodeBase58(text, bitcoin, true).bytes), hex)
  }
})

test('CyberChef, Base58.mjs: Bitcoin and Ripple, NULs before and after', () => {
  for (const [text, alphabet, code] of [
    ['hello world', 'Bitcoin', 'StV1DL6CwTryKyV'],
    ['hello world', 'Ripple', 'StVrDLaUATiyKyV'],
    ['\0\0\0\0\0\0', 'Bitcoin', '111111'],
    ['\0\0\0Hello\0\0\0', 'Bitcoin', '111D7LMXYjHjTu'],
    ['', 'Ripple', ''],
  ] as const) {
    assert.equal(encodeBase58(fromUtf8(text), { alphabet, check: false }), code)
    assert.deepEqual(decodeBase58(code, { alphabet, check: false }, true).bytes, fromUtf8(text))
  }
})

test('draft-msporny-base58-02: test vectors', () => {
  assert.equal(encodeBase58(fromUtf8('Hello World!'), bitcoin), '2NEpo7TZRRrLZSi2U')
  assert.equal(
    encodeBase58(fromUtf8('The quick brown fox jumps over the lazy dog.'), bitcoin),
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  )
  assert.equal(encodeBase58(fromHex('0000287fb4cd'), bitcoin), '11233QC4')
})

test('Bitcoin wiki, Technical background of version 1 addresses: Base58Check', () => {
  const check = { alphabet: 'Bitcoin', check: true } as const
  const payload = fromHex('00f54a5851e9372b87810a8e60cdd2e7cfd80b6e31')
  assert.equal(encodeBase58(payload, check), '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs')
  assert.deepEqual(decodeBase58('1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs', check, true).bytes, payload)
})

test('XRP Ledger, Base58 Encodings: the special address ACCOUNT_ZERO is 20 zero bytes of type 0', () => {
  const check = { alphabet: 'Ripple', check: true } as const
  assert.equal(encodeBase58(new Uint8Array(21), check), 'rrrrrrrrrrrrrrrrrrrrrhoLvTp')
  assert.deepEqual(decodeBase58('rrrrrrrrrrrrrrrrrrrrrhoLvTp', check, true).bytes, new Uint8Array(21))
})

test('Monero, tests/unit_tests/base58.cpp: blocks', () => {
  for (const [hex, code] of [
    ['00', '11'],
    ['39', '1z'],
    ['ff', '5Q'],
    ['0039', '11z'],
    ['ffff', 'LUv'],
    ['010000', '11LUw'],
    ['ffffff', '2UzHL'],
    ['ffffffff', '7YXq9G'],
    ['ffffffffff', 'VtB5VXc'],
    ['ffffffffffff', '3CUsUpv9t'],
    ['ffffffffffffff', 'Ahg1opVcGW'],
    ['ffffffffffffffff', 'jpXCZedGfVQ'],
    ['ffffffffffffffffff', 'jpXCZedGfVQ5Q'],
    ['0000000000000000', '11111111111'],
    ['06156013762879f7ffffffffff', '22222222222VtB5VXc'],
    ['', ''],
  ] as const) {
    assert.equal(encodeBase58(fromHex(hex), monero), code)
    assert.equal(toHex(decodeBase58(code, monero, true).bytes), hex)
  }
})

test('Monero, tests/unit_tests/base58.cpp: what no bytes give', () => {
  for (const code of [
    ...['1', 'z', '1111', 'zzzz', '11111111', 'zzzzzzzz', '123456789AB1', '123456789ABzzzz'],
    ...['5R', 'zz', 'LUw', 'zzz', '2UzHM', '7YXq9H', 'VtB5VXd', '3CUsUpv9u', 'Ahg1opVcGX', 'jpXCZedGfVR'],
    ...['123456789AB5R', 'zzzzzzzzzzz11', '10', '11I', '11O11', '11l111', '11_11111111'],
  ]) {
    assert.throws(() => decodeBase58(code, monero, false), RangeError, code)
  }
})

test('Monero, tests/unit_tests/base58.cpp: addresses with their checksum', () => {
  for (const [hex, code] of [
    [`06${'00'.repeat(64)}`, `21D35quxec7${'1'.repeat(78)}6Q5tCH`],
    ['00', '15p2yAV'],
    ['7f', 'FNQ3D6A'],
    ['8001', '26k9QWweu'],
    ['ff01', '3BzAD7n3y'],
    ['0011223344556677', '11efCaY6UjG7JrxuB'],
    ['0611223344556677', '21rhHRT48LN4PriP9'],
    [
      '12f724bc5c6cfbb9d97602c300423a2f28641874513a035778a0c1778d833201e9220939689edf1abd5bc1d031f73ecd6c993add66d6808870456afeb8e7eeb68d',
      '4AzKEX4gXdJdNeM6dfiBFL7kqund3HYGvMBF3ttsNd9SfzgYB6L7ep1Yg1osYJzLdaKAYSLVh6e6jKnAuzj3bw1oGy9kXCb',
    ],
  ] as const) {
    assert.equal(encodeBase58(fromHex(hex), address), code)
    assert.equal(toHex(decodeBase58(code, address, true).bytes), hex)
  }
  assert.throws(() => decodeBase58('11efCaY6UjG7JrxuC', address, true), /the checksum does not fit/)
  for (const code of ['11', '111', '11111']) assert.throws(() => decodeBase58(code, address, true), /too short/)
})

test('300 random byte strings: the same as @scure/base, and back', () => {
  const others = {
    Bitcoin: scure.base58,
    Ripple: scure.base58xrp,
    Flickr: scure.base58flickr,
    Monero: scure.base58xmr,
  }
  for (let i = 0; i < 300; i++) {
    const bytes: Bytes = new Uint8Array(randomBytes(i))
    if (i % 3 === 0) bytes.fill(0, 0, i % 11)
    for (const alphabet of base58Alphabets) {
      const code = encodeBase58(bytes, { alphabet, check: false })
      assert.equal(code, others[alphabet].encode(bytes))
      assert.deepEqual(decodeBase58(code, { alphabet, check: false }, true), { bytes, remarks: [] })
      const checked = encodeBase58(bytes, { alphabet, check: true })
      assert.deepEqual(decodeBase58(checked, { alphabet, check: true }, true).bytes, bytes)
    }
  }
})

test('white space is passed over, or refused by strict reading', () => {
  assert.deepEqual(decodeBase58(' StV1DL6\r\nCwTryKyV\n', bitcoin, false).bytes, fromUtf8('hello world'))
  assert.throws(
    () => decodeBase58('StV1DL6 CwTryKyV', bitcoin, true),
    /character 8 is white space, which strict reading refuses/,
  )
})

test('refusals say at which character and why', () => {
  for (const [text, options, reason] of [
    ['StV0', bitcoin, /character 4 is not in this Base58 alphabet/],
    ['é', bitcoin, /character 1 is not/],
    ['l', { alphabet: 'Flickr', check: false }, /character 1 is not/],
    ['1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAt', { alphabet: 'Bitcoin', check: true }, /the checksum does not fit/],
    ['', { alphabet: 'Bitcoin', check: true }, /too short to end with a checksum/],
    [' 11111111111 zzzzzzzzzzz', monero, /the block at character 14 says more than its bytes can hold/],
  ] as const) {
    assert.throws(() => decodeBase58(text, options, false), { name: 'RangeError', message: reason }, text)
  }
})

test('the bound stands before the work, and what is within it goes there and back', () => {
  const most = new Uint8Array(MAX_BASE58_BYTES).fill(255)
  assert.deepEqual(decodeBase58(encodeBase58(most, bitcoin), bitcoin, true).bytes, most)
  assert.throws(() => encodeBase58(new Uint8Array(MAX_BASE58_BYTES + 1), bitcoin), /expected at most 262144 bytes/)
  assert.throws(() => decodeBase58('z'.repeat(358_001), bitcoin, true), /expected at most 358000 characters/)
  const long = new Uint8Array(1_000_003).fill(7)
  assert.deepEqual(decodeBase58(encodeBase58(long, monero), monero, true).bytes, long)
})
