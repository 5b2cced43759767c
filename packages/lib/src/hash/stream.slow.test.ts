import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { toHex } from '../bytes.ts'
import { hashStream } from './stream.ts'

/** Past what a counter of 32 bits holds, unsigned in bits and signed in bytes. */
const LENGTH = 2 ** 31 + 12_345
const CHUNK = Uint8Array.from({ length: 1_048_576 }, (_, i) => (i * 31) ^ (i >> 7))

function* chunks(): Generator<Uint8Array> {
  for (let left = LENGTH; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length))
}

test('a stream of over two GiB has the checksums that OpenSSL and zlib give it, in memory that stays flat', async () => {
  const openssl = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', BLAKE2b: 'blake2b512' }
  const theirs = Object.entries(openssl).map(([name, id]) => ({ name, hash: createHash(id) }))
  let crc = 0
  for (const chunk of chunks()) {
    for (const { hash } of theirs) hash.update(chunk)
    crc = zlibCrc32(chunk, crc)
  }
  const expected = Object.fromEntries(theirs.map(({ name, hash }) => [name, hash.digest('hex')]))

  const run = hashStream(
    ['MD5', 'SHA-1', 'SHA-256', 'BLAKE2b', 'CRC32'],
    (async function* () {
      yield* chunks()
    })(),
  )
  const before = process.memoryUsage.rss()
  let most = before
  for (;;) {
    const { done, value } = await run.next()
    most = Math.max(most, process.memoryUsage.rss())
    if (!done) continue
    assert.equal(value.bytes, LENGTH)
    assert.deepEqual(Object.fromEntries(value.hashes.map(({ name, hash }) => [name, toHex(hash)])), {
      ...expected,
      CRC32: crc.toString(16).padStart(8, '0'),
    })
    break
  }
  assert.ok(most - before < 64 * 1_048_576, `${(most - before) >> 20} MiB more`)
})
