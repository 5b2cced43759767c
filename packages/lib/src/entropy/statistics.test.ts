import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { createBlocks } from './blocks.ts'
import { chiSquareProbability } from './chi-square.ts'
import { deflatedShare } from './deflated.ts'
import { guessKind } from './guess.ts'
import { createStatistics, expectedEntropy } from './statistics.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
function statisticsOf(...pieces: Uint8Array[]) {
  const statistics = createStatistics()
  for (const piece of pieces) statistics.update(piece)
  return statistics.result()
}
/** In pieces of any length. */
function cut(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = at + randomInt(0, 50)
    pieces.push(bytes.subarray(at, next))
    at = next
  }
  return pieces
}

test('Shannon 1948 §6: 0, 1 and 8 bits per byte', () => {
  for (const [bytes, entropy, minEntropy] of [
    [new Uint8Array(1000), 0, 0],
    [Uint8Array.from({ length: 1000 }, (_, i) => i % 2), 1, 1],
    [Uint8Array.from({ length: 1024 }, (_, i) => i % 256), 8, 8],
    [Uint8Array.of(0, 0, 1, 2), 1.5, 1],
    [new Uint8Array(), 0, 0],
  ] as const) {
    const result = statisticsOf(bytes)
    assert.deepEqual([result.entropy, result.minEntropy], [entropy, minEntropy])
  }
})

test('ent prints the same for 220 inputs of every kind and length', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-entropy-'))
  const inputs = Array.from({ length: 220 }, (_, i): Uint8Array => {
    const length = i < 30 ? i : randomInt(1, 20_000)
    const bytes = new Uint8Array(randomBytes(length))
    const kinds = [
      bytes,
      bytes.map(byte => 32 + (byte % 95)),
      bytes.map(byte => byte & 7),
      bytes.map((_, k) => k & 255),
    ]
    return kinds[i % 5] ?? new Uint8Array(length).fill(65)
  })
  try {
    for (const [i, input] of inputs.entries()) writeFileSync(join(folder, String(i)), input)
    const script =
      'i=0; while [ $i -lt 220 ]; do ent -t $i | tail -n 1; ent $i | grep -A 1 "^Chi" | tail -n 1; i=$((i+1)); done'
    const lines = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' }).trimEnd().split('\n')
    for (const [i, input] of inputs.entries()) {
      const { bytes, entropy, chiSquare, chance, mean, pi, serialCorrelation } = statisticsOf(...cut(input))
      const printed = (value: number | null) => (value === null ? '-nan' : value.toFixed(6))
      const expected = [bytes, printed(entropy), printed(chiSquare), printed(mean), printed(pi)]
      // What ent prints where all bytes are equal is no number.
      const correlation = serialCorrelation === null ? '-100000.000000' : serialCorrelation.toFixed(6)
      assert.equal(
        lines[2 * i]?.replace('-0.000000', '0.000000'),
        `1,${[...expected, correlation.replace('-0.000000', '0.000000')].join(',')}`,
      )
      const [, percent] = /value ([\d.]+) percent/.exec(lines[2 * i + 1] ?? '') ?? []
      if (percent) assert.ok(Math.abs(Number(percent) - 100 * (chance ?? -1)) < 0.011, `${lines[2 * i + 1]} ${chance}`)
      else if (bytes) assert.ok((chance ?? 1) < 0.0001 || (chance ?? 0) > 0.9999, `${lines[2 * i + 1]} ${chance}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('NIST/SEMATECH e-Handbook §1.3.6.7.4: critical values of chi-squared', () => {
  for (const [degrees, probability, value] of [
    [1, 0.1, 2.706],
    [1, 0.001, 10.828],
    [2, 0.05, 5.991],
    [5, 0.025, 12.833],
    [10, 0.01, 23.209],
    [10, 0.99, 2.558],
    [100, 0.05, 124.342],
    [100, 0.95, 77.929],
  ] as const) {
    assert.ok(
      Math.abs(chiSquareProbability(value, degrees) - probability) < 0.0005 * (1 + probability),
      `${degrees} ${value}`,
    )
  }
  // With two degrees of freedom it is e^(-x/2).
  for (const value of [0.001, 1, 10, 100, 700]) {
    assert.ok(Math.abs(chiSquareProbability(value, 2) / Math.exp(-value / 2) - 1) < 1e-12, String(value))
  }
  assert.equal(chiSquareProbability(0, 255), 1)
  assert.ok(chiSquareProbability(1e9, 255) >= 0 && chiSquareProbability(1e9, 255) < 1e-300)
})

test('python3 agrees on the entropy that random bytes come to, by exact binomials', () => {
  const sizes = [1, 2, 16, 64, 256, 1000]
  const program = `
from math import comb, log2
for n in ${JSON.stringify(sizes)}:
    print(sum(256 * comb(n, k) * 255 ** (n - k) / 256 ** n * (k / n) * log2(n / k) for k in range(1, n + 1)))
`
  const lines = execFileSync('python3', ['-c', program], { encoding: 'utf8' }).trim().split('\n').map(Number)
  for (const [i, size] of sizes.entries())
    assert.ok(Math.abs(expectedEntropy(size) - (lines[i] ?? 0)) < 1e-9, String(size))
  const average = Array.from({ length: 40 }, () => statisticsOf(new Uint8Array(randomBytes(4096))).entropy)
  assert.ok(Math.abs(average.reduce((a, b) => a + b, 0) / 40 - expectedEntropy(4096)) < 0.005)
  // Where the approximation takes over there is no step.
  assert.ok(Math.abs(expectedEntropy(179_000) - expectedEntropy(182_000)) < 0.0001)
  assert.equal(expectedEntropy(0), 0)
})

test('blocks: each has the entropy that it has alone, whatever the pieces', () => {
  const bytes = new Uint8Array(randomBytes(5000)).map((byte, i) => (i < 2500 ? byte & 15 : byte))
  for (const size of [16, 100, 256, 5000, 9999]) {
    const blocks = createBlocks(size)
    for (const piece of cut(bytes)) blocks.update(piece)
    const columns = blocks.result()
    assert.equal(columns.length, Math.ceil(5000 / size))
    for (const { offset, bytes: length, least, mean, most } of columns) {
      const { entropy } = statisticsOf(bytes.subarray(offset, offset + length))
      for (const value of [least, mean, most]) assert.ok(Math.abs(value - entropy) < 1e-9)
    }
  }
  assert.deepEqual(createBlocks(16).result(), [])
})

test('blocks: a long stream is drawn in few columns that lose no byte and no extreme', () => {
  const blocks = createBlocks(16)
  const quiet = new Uint8Array(16)
  for (let i = 0; i < 10_000; i++) blocks.update(i === 7777 ? everyByte.subarray(0, 16) : quiet)
  const columns = blocks.result()
  assert.ok(columns.length > 256 && columns.length <= 512)
  assert.equal(
    columns.reduce((sum, { bytes }) => sum + bytes, 0),
    160_000,
  )
  assert.equal(Math.max(...columns.map(({ most }) => most)), 4)
  assert.ok(columns.every(({ least }) => least === 0))
  for (const [i, { offset, bytes }] of columns.entries())
    assert.equal(columns[i + 1]?.offset ?? 160_000, offset + bytes)
})

test('guesses are as careful as the bytes allow', async () => {
  const english = new TextEncoder().encode(
    'It was the best of times, it was the worst of times, it was the age of wisdom. '.repeat(9),
  )
  const random = new Uint8Array(randomBytes(100_000))
  // Chance itself calls one in five thousand of these uneven, which is then said to be compressed.
  const randomly = ['random', 'compressed']
  for (const [bytes, kinds] of [
    [new Uint8Array(), ['empty']],
    [new Uint8Array(500), ['uniform']],
    [new Uint8Array(randomBytes(40)), ['short']],
    [english, ['text']],
    [new TextEncoder().encode('Привет, мир! Как у тебя дела сегодня? '.repeat(20)), ['text']],
    [new TextEncoder().encode(Buffer.from(random.subarray(0, 3000)).toString('base64')), ['digits']],
    [new TextEncoder().encode(Buffer.from(random.subarray(0, 3000)).toString('hex')), ['digits']],
    [random, randomly],
    [new Uint8Array(randomBytes(1000)), randomly],
    [Uint8Array.from({ length: 100_000 }, (_, i) => i & 255), ['patterned']],
    [random.map(byte => (byte & 3 ? byte : byte & 1)), ['compressed', 'structured']],
    [random.map(byte => byte & 127 & (byte >> 1)), ['structured', 'compressed']],
  ] as const) {
    const { kind } = guessKind(statisticsOf(bytes), await deflatedShare(bytes as Uint8Array<ArrayBuffer>))
    assert.ok((kinds as readonly string[]).includes(kind), `${kind}, not ${kinds}`)
  }
})

test('RFC 1951: what DEFLATE leaves, as zlib does', async () => {
  for (const bytes of [
    new Uint8Array(randomBytes(10_000)),
    new Uint8Array(10_000),
    new TextEncoder().encode('abc'.repeat(999)),
  ]) {
    const left = await deflatedShare(bytes)
    assert.ok(Math.abs(left - deflateRawSync(bytes).length / bytes.length) < 0.01)
  }
  assert.equal(await deflatedShare(new Uint8Array()), 1)
})
