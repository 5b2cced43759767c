import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromUtf8 } from '../bytes.ts'
import { compareTlsh, createTlsh, parseTlsh, tlsh } from './tlsh.ts'

/** Of Debian; its results are what the port is held to. */
const PROGRAM = 'tlsh'
const hasProgram = spawnSync(PROGRAM, ['-version']).error === undefined

const hashOf = (bytes: Uint8Array): string => {
  const made = tlsh(bytes)
  return 'hash' in made ? made.hash : ''
}

/** What the program says of a folder of files with these contents: lines of values and names. */
function byProgram(contents: readonly Uint8Array[], ...options: string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tlsh-'))
  try {
    for (const [i, bytes] of contents.entries()) writeFileSync(join(folder, String(i)), bytes)
    const { stdout } = spawnSync(PROGRAM, [...options, '-r', folder], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    const lines = stdout.trim().split('\n')
    return lines.map(line => line.split('\t').map(part => part.trim().replace(`${folder}/`, '')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes that have enough buckets: random, few values, letters, and words again and again. */
function sample(length: number): Uint8Array {
  const kind = randomInt(4)
  if (kind === 0) return randomBytes(length)
  if (kind === 1) return Uint8Array.from(randomBytes(length), byte => byte & 15)
  if (kind === 2) return Uint8Array.from(randomBytes(length), byte => 97 + (byte % 26))
  const part = randomBytes(300)
  return Uint8Array.from({ length }, (_, i) => part[i % part.length] ?? 0)
}

test('tlsh2 crate documentation: a hash, and the distance to another', () => {
  const made = hashOf(fromUtf8('Sed ut perspiciatis unde omnis iste natuserror sit voluptatem accusantium'))
  assert.equal(made, 'T184A022B383C2A2A20ACB0830880CF0202CCAC080033A023800338A30B0880AA8E0BE38')
  const other = hashOf(fromUtf8('odit aut fugit, sed quia consequuntur magni dolores'))
  assert.equal(compareTlsh(parseTlsh(made), parseTlsh(other)), 209)
})

test('250 files of any bytes have the hashes of tlsh 3.4', { skip: !hasProgram }, () => {
  const files = Array.from({ length: 250 }, (_, i) =>
    sample(i < 200 ? randomInt(512, 20_000) : randomInt(20_000, 400_000)),
  )
  const printed = byProgram(files).filter(([hash]) => /^[0-9A-F]{70}$/.test(hash ?? ''))
  assert.ok(printed.length >= 240, `${printed.length} hashes`)
  for (const [hash, name] of printed) {
    const file = files[Number(name)] ?? new Uint8Array()
    assert.equal(hashOf(file), `T1${hash}`, `${file.length} bytes`)
  }
})

test('the distances of 300 pairs of related files are those of tlsh 3.4', { skip: !hasProgram }, () => {
  const base = sample(40_000)
  const files = Array.from({ length: 25 }, (_, i) => {
    if (i % 4 === 3) return sample(randomInt(1000, 50_000))
    const start = randomInt(0, 20_000)
    const part = Uint8Array.from(base.subarray(start, start + randomInt(1000, 40_000)))
    for (let change = 0; change < i * 20; change++) part[randomInt(part.length)] = randomInt(256)
    return part
  })
  const printed = byProgram(files, '-xref').filter(([, , distance]) => /^\d+$/.test(distance ?? ''))
  assert.ok(printed.length >= 200, `${printed.length} pairs`)
  for (const [a, b, distance] of printed) {
    const [x, y] = [a, b].map(name => parseTlsh(hashOf(files[Number(name)] ?? new Uint8Array())))
    assert.ok(x && y)
    assert.equal(compareTlsh(x, y), Number(distance), `${a} and ${b}`)
  }
})

test('pieces give the hash of the whole', () => {
  const message = randomBytes(10_000)
  const running = createTlsh()
  for (let i = 0; i < message.length; i += 997) running.update(message.subarray(i, i + 997))
  assert.deepEqual(running.digest(), { hash: hashOf(message) })
})

test('what is too short or too uniform has no hash, and it is said why', () => {
  assert.deepEqual(tlsh(new Uint8Array()), { reason: 'short' })
  assert.deepEqual(tlsh(randomBytes(49)), { reason: 'short' })
  assert.deepEqual(tlsh(new Uint8Array(100_000)), { reason: 'uniform' })
  assert.deepEqual(tlsh(fromUtf8('ab'.repeat(1000))), { reason: 'uniform' })
})

test('a hash is read with and without its prefix, in either case', () => {
  const made = hashOf(randomBytes(1000))
  for (const form of [made, made.slice(2), made.toLowerCase(), ` ${made}\n`]) {
    assert.equal(compareTlsh(parseTlsh(form), parseTlsh(made)), 0)
  }
  for (const wrong of [
    '',
    'T1',
    made.slice(0, -1),
    `${made}0`,
    `T2${made.slice(2)}`,
    made.replace(/.$/, 'G'),
    'TNULL',
  ]) {
    assert.throws(() => parseTlsh(wrong), RangeError, wrong)
  }
})
