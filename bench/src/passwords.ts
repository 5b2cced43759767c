/// <reference path="../../packages/lib/src/hash/hash-wasm.d.ts" />
import { argon2 as nodeArgon2, pbkdf2 as nodePbkdf2, scrypt as nodeScrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { argon2 } from '@assay/lib/kdf/argon2'
import { bcryptDigest } from '@assay/lib/kdf/bcrypt'
import { pbkdf2 } from '@assay/lib/kdf/pbkdf2'
import { scrypt } from '@assay/lib/kdf/scrypt'
import CryptoJs from 'crypto-js'
import argonWasm from 'hash-wasm/dist/argon2.umd.min.js'
import bcryptWasm from 'hash-wasm/dist/bcrypt.umd.min.js'
import { competeInAll, drain } from './contest.ts'
import type { Row } from './table.ts'

const PASSWORD = new TextEncoder().encode('correct horse')
const SALT = new Uint8Array(16)
const BYTES = 32
/** OWASP's for SHA-256. */
const ITERATIONS = 600_000
/** What crypto-js is given: it takes a minute for all. */
const FEW_ITERATIONS = 2_000
const COST = 2 ** 17
const BCRYPT_COST = 10
const MEMORY_KIB = 65_536
/** What our own checks may add to the library that does the work. */
const WRAPPED = 1 / 1.1

/** Functions that are slow on purpose, at the cost a server would ask for. */
export const measurePasswords = (): Promise<Row[]> =>
  competeInAll([
    {
      what: `PBKDF2-SHA-256, ${ITERATIONS} iterations`,
      ours: () => drain(pbkdf2(PASSWORD, SALT, { hash: 'SHA-256', iterations: ITERATIONS, length: BYTES })),
      peers: [
        {
          name: 'node:crypto',
          work: () => promisify(nodePbkdf2)(PASSWORD, SALT, ITERATIONS, BYTES, 'sha256'),
          goal: 0.5,
        },
        { name: 'crypto-js', work: scriptedPbkdf2, goal: 10 },
      ],
    },
    {
      what: `scrypt, N=${COST} r=8 p=1`,
      ours: () => scrypt(PASSWORD, SALT, { cost: COST, blockSize: 8, parallelism: 1, length: BYTES }),
      peers: [{ name: 'node:crypto', work: limitOfScrypt, goal: 0.5 }],
    },
    {
      what: 'Argon2id, 64 MiB, t=3',
      ours: () => argon2(PASSWORD, SALT, { variant: 'argon2id', memoryKib: MEMORY_KIB, length: BYTES, ...passes }),
      peers: [
        {
          name: 'hash-wasm alone',
          work: () => argonWasm.argon2id({ ...whole, memorySize: MEMORY_KIB, hashLength: BYTES, ...passes }),
          goal: WRAPPED,
        },
        { name: 'node:crypto', work: limitOfArgon2 },
      ],
      rounds: 7,
    },
    {
      what: `bcrypt, cost ${BCRYPT_COST}`,
      ours: () => bcryptDigest(PASSWORD, SALT, BCRYPT_COST),
      peers: [
        {
          name: 'hash-wasm alone',
          work: () => bcryptWasm.bcrypt({ ...whole, costFactor: BCRYPT_COST }),
          goal: WRAPPED,
        },
      ],
      rounds: 7,
    },
  ])

const passes = { iterations: 3, parallelism: 1 }
const whole = { password: PASSWORD, salt: SALT, outputType: 'binary' } as const

/** Milliseconds as if it were all iterations. */
function scriptedPbkdf2(): number {
  const salt = CryptoJs.lib.WordArray.create(SALT)
  const options = { keySize: BYTES / 4, iterations: FEW_ITERATIONS, hasher: CryptoJs.algo.SHA256 }
  const start = performance.now()
  CryptoJs.PBKDF2('correct horse', salt, options)
  return (performance.now() - start) * (ITERATIONS / FEW_ITERATIONS)
}

function limitOfScrypt(): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const options = { N: COST, r: 8, p: 1, maxmem: 2 * 128 * 8 * COST }
  nodeScrypt(PASSWORD, SALT, BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

const limitOfArgon2 = () =>
  promisify(nodeArgon2)('argon2id', {
    message: PASSWORD,
    nonce: SALT,
    memory: MEMORY_KIB,
    tagLength: BYTES,
    passes: passes.iterations,
    parallelism: passes.parallelism,
  })
