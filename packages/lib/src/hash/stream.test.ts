import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { fromUtf8, toHex } from '../bytes.ts'
import { digest } from './digest.ts'
import { hashStream, runningHash, type StreamHashName, streamHashBytes } from './stream.ts'

const names = Object.keys(streamHashBytes) as StreamHashName[]

async function hashesOf(chunks: Iterable<Uint8Array>, wanted: readonly StreamHashName[] = names) {
  const run = hashStream(
    wanted,
    (async function* () {
      yield* chunks
    })(),
  )
  for (;;) {
    const { done, value } = await run.next()
    if (done) return Object.fromEntries(value.hashes.map(({ name, hash }) => [name, toHex(hash)]))
  }
}

/** Chunks of every odd size that make up a message. */
function* pieces(message: Uint8Array): Generator<Uint8Array> {
  for (let start = 0, size = 1; start < message.length; start += size, size = (size * 3 + 1) % 70_001) {
    yield message.subarray(start, start + size)
  }
}

const openssl = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA3-256': 'sha3-256',
  BLAKE2b: 'blake2b512',
} as const satisfies Partial<Record<StreamHashName, string>>

async function expectedOf(message: Uint8Array): Promise<Record<string, string>> {
  const theirs = Object.entries(openssl).map(([name, id]) => [name, createHash(id).update(message).digest('hex')])
  return {
    ...Object.fromEntries(theirs),
    MD4: toHex(await digest('MD4', message)),
    BLAKE3: toHex(await digest('BLAKE3', message)),
    CRC32: zlibCrc32(message).toString(16).padStart(8, '0'),
  }
}

test('every function in one pass equals OpenSSL, zlib or the other implementation, for lengths 0 to 300', async () => {
  for (let length = 0; length <= 300; length++) {
    const message = randomBytes(length)
    const { XXH3: _, ...ours } = await hashesOf(pieces(message))
    assert.deepEqual(ours, await expectedOf(message), message.toString('hex'))
  }
})

test('and for long streams in chunks of every size', async () => {
  for (const length of [65_535, 65_536, 65_537, 1_000_003, 5_000_011]) {
    const message = randomBytes(length)
    const { XXH3: _, ...ours } = await hashesOf(pieces(message))
    assert.deepEqual(ours, await expectedOf(message), `${length} bytes`)
    assert.deepEqual(await hashesOf([message]), await hashesOf(pieces(message)), 'one chunk or many')
  }
})

test('xxHash specification, XXH3_64bits: nothing, and a length of every path', async () => {
  // The sanity buffer of the reference implementation: the generator 2654435761, times 11400714785074694797 each step.
  let generator = 2_654_435_761n
  const buffer = Uint8Array.from({ length: 2048 }, () => {
    const byte = Number(generator >> 56n)
    generator = (generator * 11_400_714_785_074_694_797n) & 0xffff_ffff_ffff_ffffn
    return byte
  })
  for (const [length, expected] of [
    [0, '2d06800538d394c2'],
    [1, 'c44bdff4074eecdb'],
    [6, '27b56a84cd2d7325'],
    [12, 'a713daf0dfbb77e7'],
    [24, 'a3fe70bf9d3510eb'],
    [48, '397da259ecba1f11'],
    [80, 'bcdefbbb2c47c90a'],
    [195, 'cd94217ee362ec3a'],
    [403, 'cdeb804d65c6dea4'],
    [512, '617e49599013cb6b'],
    [2048, 'dd59e2c3a5f038e0'],
  ] as const) {
    assert.deepEqual(await hashesOf([buffer.subarray(0, length)], ['XXH3']), { XXH3: expected }, `${length} bytes`)
  }
})

test('BLAKE3 test_vectors.json: 102400 bytes', async () => {
  const message = Uint8Array.from({ length: 102_400 }, (_, i) => i % 251)
  const { BLAKE3 } = await hashesOf(pieces(message))
  assert.equal(BLAKE3, 'bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085')
})

test('a hash is used again after init, and knows nothing of its last message', async () => {
  for (const name of names) {
    const hash = await runningHash(name)
    const once = toHex(hash.update(fromUtf8('abc')).digest('binary'))
    assert.equal(once.length, streamHashBytes[name] * 2)
    hash.init().update(fromUtf8('something else')).digest('binary')
    assert.equal(toHex(hash.init().update(fromUtf8('abc')).digest('binary')), once)
  }
})

test('progress is told on the way, and a stream that fails takes the run with it', async () => {
  const run = hashStream(
    ['CRC32'],
    (async function* () {
      for (let i = 0; i < 5; i++) yield new Uint8Array(4_500_000)
      throw new Error('the disk is gone')
    })(),
  )
  const told: unknown[] = []
  await assert.rejects(async () => {
    for await (const bytes of run) told.push(bytes)
  }, /the disk is gone/)
  assert.deepEqual(told, [9_000_000, 18_000_000])
})
