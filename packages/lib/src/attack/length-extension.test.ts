import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { extendHash, gluePadding } from './length-extension.ts'

test('hash_extender README: MD5 of secret, data and append', () => {
  const { hash, padding } = extendHash('MD5', {
    hash: fromHex('6036708eba0d11f6ef52ad44e8b74d5b'),
    messageBytes: 6 + 'data'.length,
    appended: fromUtf8('append'),
  })
  assert.equal(toHex(hash), '6ee582a1669ce442f3719c47430dadee')
  assert.equal(
    toHex(concat(fromUtf8('data'), padding, fromUtf8('append'))),
    '64617461800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005000000000000000617070656e64',
  )
})

test('HashPump README: SHA-1 of the waffle order with a key of 14 bytes', () => {
  const data = 'count=10&lat=37.351&user_id=1&long=-119.827&waffle=eggo'
  const { hash, padding } = extendHash('SHA-1', {
    hash: fromHex('6d5f807e23db210bc254a28be2d6759a0f5f5d99'),
    messageBytes: 14 + data.length,
    appended: fromUtf8('&waffle=liege'),
  })
  assert.equal(toHex(hash), '0e41270260895979317fff3898ab85668953aaa2')
  assert.equal(toHex(padding), `80${'00'.repeat(56)}0228`)
})

test('hlextend README: SHA-1 of hello and file with a secret of 10 bytes', () => {
  const { hash, padding } = extendHash('SHA-1', {
    hash: fromHex('52e98441017043eee154a6d1af98c5e0efab055c'),
    messageBytes: 15,
    appended: fromUtf8('file'),
  })
  assert.equal(toHex(hash), 'c60fa7de0860d4048a3bfb36b70299a95e6587c9')
  assert.equal(toHex(padding), `80${'00'.repeat(47)}78`)
})

test('FIPS 180-4 §5.1: the padding of "abc", in both sizes of block', () => {
  assert.equal(toHex(gluePadding('SHA-256', 3)), `80${'00'.repeat(59)}18`)
  assert.equal(toHex(gluePadding('SHA-512', 3)), `80${'00'.repeat(123)}18`)
  assert.equal(toHex(gluePadding('MD5', 3)), `80${'00'.repeat(52)}18${'00'.repeat(7)}`)
})

for (const name of ['MD5', 'SHA-1', 'SHA-256', 'SHA-512'] as const) {
  const digest = (...parts: Uint8Array[]) =>
    createHash(name.replace('-', ''))
      .update(concat(...parts))
      .digest()

  test(`[CTL-155] ${name}: every length around two blocks, and 100 random ones, as node:crypto hashes them`, () => {
    const lengths = [...Array(260).keys(), ...Array.from({ length: 100 }, () => randomInt(5000))]
    for (const messageBytes of lengths) {
      const message = randomBytes(messageBytes)
      const appended = randomBytes(randomInt(300))
      const { hash, padding } = extendHash(name, { hash: digest(message), messageBytes, appended })
      assert.equal(toHex(hash), digest(message, padding, appended).toString('hex'), `${messageBytes} bytes`)
    }
  })

  test(`${name}: a hash of another length is refused`, () => {
    for (const length of [0, 1, 15, 65]) {
      assert.throws(
        () => extendHash(name, { hash: new Uint8Array(length), messageBytes: 1, appended: fromUtf8('x') }),
        {
          name: 'RangeError',
          message: /expected \d+ bytes/,
        },
      )
    }
  })
}
