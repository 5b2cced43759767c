import { createHash, randomFillSync } from 'node:crypto'
import { digest, type HashName } from '@assay/lib/hash/digest'
import { hashStream } from '@assay/lib/hash/stream'
import CryptoJs from 'crypto-js'
import { competeInAll, drain, type Peer } from './contest.ts'
import type { Row } from './table.ts'

const MIB = 1_048_576
const MESSAGE_MIB = 64
/** What crypto-js is given: it takes seconds for the whole. */
const SHORT_MIB = 1
const LIMIT_GOAL = 0.5
const SCRIPT_GOAL = 10

type Scripted = 'MD5' | 'SHA1' | 'SHA256' | 'SHA512'

/** Names of a function in OpenSSL and in crypto-js. */
const functions: readonly { name: HashName; openssl: string; script?: Scripted }[] = [
  { name: 'MD5', openssl: 'md5', script: 'MD5' },
  { name: 'SHA-1', openssl: 'sha1', script: 'SHA1' },
  { name: 'SHA-256', openssl: 'sha256', script: 'SHA256' },
  { name: 'SHA-512', openssl: 'sha512', script: 'SHA512' },
  { name: 'SHA3-256', openssl: 'sha3-256' },
  { name: 'BLAKE2b-512', openssl: 'blake2b512' },
  { name: 'RIPEMD-160', openssl: 'ripemd160' },
  { name: 'SM3', openssl: 'sm3' },
]

/** One long message: the limit is OpenSSL, which has the processor's own instructions; crypto-js is JavaScript. */
export function measureHashes(): Promise<Row[]> {
  const message = randomFillSync(new Uint8Array(MESSAGE_MIB * MIB))
  const amount = { count: MESSAGE_MIB, unit: 'MiB' }
  const limit = (name: string, goal?: number): Peer => ({
    name: 'node:crypto',
    work: () => createHash(name).update(message).digest(),
    ...(goal !== undefined && { goal }),
  })
  return competeInAll([
    ...functions.map(({ name, openssl, script }) => ({
      what: `${name}, ${MESSAGE_MIB} MiB`,
      ours: () => digest(name, message),
      peers: [limit(openssl, LIMIT_GOAL), ...(script ? [scripted(script, message.subarray(0, SHORT_MIB * MIB))] : [])],
      amount,
    })),
    {
      what: `SHA-256 in pieces, ${MESSAGE_MIB} MiB`,
      ours: () => drain(hashStream(['SHA-256'], pieces(message))),
      peers: [limit('sha256')],
      amount,
    },
  ])
}

async function* pieces(message: Uint8Array) {
  for (let i = 0; i < message.length; i += MIB) yield message.subarray(i, i + MIB)
}

/** Milliseconds as if it were the whole message. */
function scripted(name: Scripted, part: Uint8Array): Peer {
  return {
    name: 'crypto-js',
    work() {
      const words = CryptoJs.lib.WordArray.create(part)
      const start = performance.now()
      CryptoJs.algo[name].create().finalize(words)
      return (performance.now() - start) * (MESSAGE_MIB / SHORT_MIB)
    },
    goal: SCRIPT_GOAL,
  }
}
