/// <reference path="../../packages/lib/src/hash/hash-wasm.d.ts" />
import { createCipheriv, createHash, randomFillSync } from 'node:crypto'
import { encryptAes } from '@assay/lib/cipher/aes'
import { hashStream } from '@assay/lib/hash/stream'
import { argon2 } from '@assay/lib/kdf/argon2'
import wasm from 'hash-wasm/dist/argon2.umd.min.js'
import { best, mebibytesPerSecond, type Row } from './table.ts'

const MIB = 1_048_576
const rate = (bytes: number, ms: number) => `${mebibytesPerSecond(bytes, ms).toFixed(0)} MiB/s`

/** Cryptography of the library against node:crypto and against hash-wasm alone, in this process. */
export async function measureCompute(): Promise<Row[]> {
  return [await sha256(), await aesGcm(), await argon2id()]
}

async function sha256(): Promise<Row> {
  const bytes = randomFillSync(new Uint8Array(64 * MIB))
  const chunks = async function* () {
    for (let i = 0; i < bytes.length; i += MIB) yield bytes.subarray(i, i + MIB)
  }
  const ours = await best(3, async () => {
    for await (const _ of hashStream(['SHA-256'], chunks()));
  })
  const theirs = await best(3, () => createHash('sha256').update(bytes).digest())
  const ratio = theirs / ours
  return {
    what: 'SHA-256 streamed, 64 MiB, Node',
    ours: rate(bytes.length, ours),
    against: 'node:crypto',
    theirs: rate(bytes.length, theirs),
    ratio,
    goal: 'for comparison',
    holds: true,
  }
}

async function aesGcm(): Promise<Row> {
  const bytes = randomFillSync(new Uint8Array(64 * MIB))
  const key = new Uint8Array(32)
  const iv = new Uint8Array(12)
  const job = { mode: 'GCM', key, iv, aad: new Uint8Array(), tagBytes: 16, padding: 'None' } as const
  const random = (length: number) => randomFillSync(new Uint8Array(length))
  const ours = await best(3, () => encryptAes(job, bytes, random))
  const theirs = await best(3, () => {
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.update(bytes)
    cipher.final()
  })
  const ratio = theirs / ours
  return {
    what: 'AES-256-GCM, 64 MiB',
    ours: rate(bytes.length, ours),
    against: 'node:crypto',
    theirs: rate(bytes.length, theirs),
    ratio,
    goal: 'at least 0.5',
    holds: ratio >= 0.5,
  }
}

async function argon2id(): Promise<Row> {
  const [password, salt] = [new TextEncoder().encode('correct horse'), new Uint8Array(16)]
  const cost = { iterations: 3, parallelism: 1 }
  const ours = await best(3, () =>
    argon2(password, salt, { variant: 'argon2id', memoryKib: 65_536, length: 32, ...cost }),
  )
  const theirs = await best(3, () =>
    wasm.argon2id({ password, salt, memorySize: 65_536, hashLength: 32, outputType: 'binary', ...cost }),
  )
  const ratio = ours / theirs
  return {
    what: 'Argon2id, 64 MiB, t=3',
    ours: `${ours.toFixed(0)} ms`,
    against: 'hash-wasm alone',
    theirs: `${theirs.toFixed(0)} ms`,
    ratio,
    goal: 'at most 1.1',
    holds: ratio <= 1.1,
  }
}
