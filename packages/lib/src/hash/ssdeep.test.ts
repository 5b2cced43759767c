import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { compareSsdeep, createSsdeep, parseSsdeep, ssdeep } from './ssdeep.ts'

/** Of Debian; its results are what the port is held to. */
const PROGRAM = 'ssdeep'
const hasProgram = spawnSync(PROGRAM, ['-V']).status === 0

/** What the program says of files with these contents. */
function byProgram(contents: readonly Uint8Array[], options: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-ssdeep-'))
  try {
    const names = contents.map((bytes, i) => {
      const name = String(i).padStart(5, '0')
      writeFileSync(join(folder, name), bytes)
      return name
    })
    const { stdout } = spawnSync(PROGRAM, [...options, ...names], { cwd: folder, encoding: 'utf8' })
    return stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes of many kinds: random, few values, text-like, runs, and repetitions. */
function sample(length: number): Uint8Array {
  const kind = randomInt(5)
  if (kind === 0) return randomBytes(length)
  if (kind === 1) return Uint8Array.from(randomBytes(length), byte => byte & 3)
  if (kind === 2) return Uint8Array.from(randomBytes(length), byte => 97 + (byte % 26))
  if (kind === 3) return new Uint8Array(length).fill(randomInt(256))
  const part = randomBytes(randomInt(1, 400))
  return Uint8Array.from({ length }, (_, i) => part[i % part.length] ?? 0)
}

test('260 files of any bytes have the hashes of ssdeep 2.14', { skip: !hasProgram }, () => {
  const lengths = [
    ...Array.from({ length: 60 }, (_, i) => i),
    ...Array.from({ length: 150 }, () => randomInt(60, 20_000)),
    ...Array.from({ length: 50 }, () => randomInt(20_000, 400_000)),
  ]
  const files = lengths.map(sample).filter(({ length }) => length > 0)
  const printed = byProgram(files, ['-b']).slice(1)
  for (const [i, line] of printed.entries()) {
    assert.equal(
      `${ssdeep(files[i] ?? new Uint8Array())},"${String(i).padStart(5, '0')}"`,
      line,
      `${files[i]?.length} bytes`,
    )
  }
  assert.equal(printed.length, files.length)
})

test('a long file has the hash of ssdeep 2.14, and so in pieces', { skip: !hasProgram }, () => {
  const file = Uint8Array.from(randomBytes(3_000_000), (byte, i) => (i % 3 ? byte : 0))
  const [, line = ''] = byProgram([file], ['-b'])
  assert.equal(line.split(',')[0], ssdeep(file))
  const running = createSsdeep()
  for (let i = 0; i < file.length; i += 70_001) running.update(file.subarray(i, i + 70_001))
  assert.equal(running.digest(), ssdeep(file))
})

test('325 pairs of related files have the scores of ssdeep 2.14', { skip: !hasProgram }, () => {
  const base = randomBytes(40_000)
  const files = Array.from({ length: 26 }, (_, i) => {
    if (i % 5 === 4) return sample(randomInt(100, 30_000))
    const start = randomInt(0, 8000)
    const part = Uint8Array.from(base.subarray(start, start + randomInt(15_000, 32_000)))
    for (let change = 0; change < i; change++) part[randomInt(part.length)] = randomInt(256)
    return part
  })
  const printed = byProgram(files, ['-a', '-d', '-c', '-b']).filter(line => /^"\d+","\d+",\d+$/.test(line))
  assert.ok(printed.length >= 300, `${printed.length} pairs`)
  let alike = 0
  for (const line of printed) {
    const [a = 0, b = 0, expected] = line.replaceAll('"', '').split(',').map(Number)
    const [x, y] = [files[a], files[b]].map(file => parseSsdeep(ssdeep(file ?? new Uint8Array())))
    assert.ok(x && y)
    assert.equal(compareSsdeep(x, y), expected, line)
    if (expected) alike++
  }
  assert.ok(alike > 20, `${alike} pairs have something in common`)
})

test('"abc" a hundred times gives what ssdeep 2.14 prints', { skip: !hasProgram }, () => {
  const [, line = ''] = byProgram([fromUtf8('abc'.repeat(100))], ['-b'])
  assert.equal(line.split(',')[0], ssdeep(fromUtf8('abc'.repeat(100))))
})

test('the empty file has the hash of ssdeep 2.14', () => assert.equal(ssdeep(new Uint8Array()), '3::'))

test('ssdeep 2.14: two texts that differ in three letters', () => {
  const a = parseSsdeep('3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C')
  const b = parseSsdeep('3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C')
  assert.equal(
    ssdeep(fromUtf8('Also called fuzzy hashes, Ctph can match inputs that have homologies.')),
    '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C',
  )
  assert.equal(
    ssdeep(fromUtf8('Also called fuzzy hashes, CTPH can match inputs that have homologies.')),
    '3:AXGBicFlIHBGcL6wCrFQEv:AXGH6xLsr2C',
  )
  assert.equal(compareSsdeep(a, b), 22)
})

test('hashes of distant block sizes have nothing in common', () => {
  const rest = 'abcdefghijklmnop:abcdefghijklmnop'
  assert.equal(compareSsdeep(parseSsdeep(`3:${rest}`), parseSsdeep(`12:${rest}`)), 0)
  assert.equal(compareSsdeep(parseSsdeep(`12:${rest}`), parseSsdeep(`12:${rest}`)), 100)
})

test('what is no ssdeep hash is refused', () => {
  for (const wrong of [
    '',
    '3',
    '3:',
    '3:a',
    'x:a:b',
    '4:a:b',
    '0:a:b',
    `3:${'a'.repeat(65)}:b`,
    '3:a b:c',
    '3:a:b:c',
  ]) {
    assert.throws(() => parseSsdeep(wrong), RangeError, wrong)
  }
  assert.deepEqual(parseSsdeep('6:ab:c,"name"'), { blockSize: 6, first: 'ab', second: 'c' })
})
