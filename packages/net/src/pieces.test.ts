import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pieces } from './pieces.ts'

const MEBIBYTE = 1_048_576

test('what arrives comes out whole, whatever it was cut into', () => {
  const bytes = new Uint8Array(100_000).map((_, at) => at * 31)
  for (const size of [1, 7, 16_384, 16_385, 99_999, 100_000]) {
    const pieces = new Pieces(MEBIBYTE, Number.POSITIVE_INFINITY)
    for (let at = 0; at < bytes.length; at += size) assert.ok(pieces.add(bytes.subarray(at, at + size)))
    assert.equal(pieces.length, bytes.length)
    assert.deepEqual(pieces.finish(), bytes)
  }
  assert.deepEqual(new Pieces(10).finish(), new Uint8Array(0))
})

test('what does not fit is left out, and nothing is taken afterwards', () => {
  const pieces = new Pieces(3)
  assert.equal(pieces.add(Uint8Array.of(1, 2)), true)
  assert.equal(pieces.add(Uint8Array.of(3, 4)), false)
  assert.equal(pieces.add(Uint8Array.of(5)), false)
  assert.deepEqual(pieces.finish(), Uint8Array.of(1, 2, 3))
  assert.equal(pieces.add(Uint8Array.of(6)), false)
  assert.deepEqual(pieces.finish(), new Uint8Array(0))
})

test('security H2: bodies of 1 MiB leave nothing for the garbage collector but themselves', () => {
  const piece = new Uint8Array(MEBIBYTE / 64)
  const before = process.memoryUsage().arrayBuffers
  for (let left = 50; left > 0; left--) {
    const pieces = new Pieces(MEBIBYTE)
    for (let i = 0; i < 64; i++) pieces.add(piece)
    // As a caller does that is done with a body.
    pieces.finish().buffer.transfer(0)
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < MEBIBYTE)
})
