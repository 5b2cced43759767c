import { createCipheriv, randomFillSync } from 'node:crypto'
import { type AesMode, encryptAes } from '@assay/lib/cipher/aes'
import { encryptChacha } from '@assay/lib/cipher/chacha'
import CryptoJs from 'crypto-js'
import { competeInAll, type Peer } from './contest.ts'
import type { Row } from './table.ts'

const MIB = 1_048_576
const TEXT_MIB = 64
/** What crypto-js is given: it takes seconds for the whole. */
const SHORT_MIB = 2
const LIMIT_GOAL = 0.5
const SCRIPT_GOAL = 10
const KEY = new Uint8Array(32)
const AAD = new Uint8Array()

/** One long text: the limit is OpenSSL, which has the processor's own instructions; crypto-js is JavaScript. */
export function measureCiphers(): Promise<Row[]> {
  const text = randomFillSync(new Uint8Array(TEXT_MIB * MIB))
  const random = (length: number) => randomFillSync(new Uint8Array(length))
  const aes = (mode: AesMode, iv: Uint8Array<ArrayBuffer>, padding: 'None' | 'PKCS7') => () =>
    encryptAes({ mode, key: KEY, iv, aad: AAD, tagBytes: 16, padding }, text, random)
  const limit = (name: string, iv: Uint8Array, goal?: number): Peer => ({
    name: 'node:crypto',
    work() {
      // Its types know modes with a tag by their literal names only; the bytes and the work are the same.
      const cipher = createCipheriv(name, KEY, iv, { authTagLength: 16 } as object)
      cipher.update(text)
      cipher.final()
    },
    ...(goal !== undefined && { goal }),
  })
  const [nonce, block] = [new Uint8Array(12), new Uint8Array(16)]
  const chacha = { name: 'ChaCha20-Poly1305', key: KEY, nonce, aad: AAD, counter: 0 } as const
  const amount = { count: TEXT_MIB, unit: 'MiB' }
  return competeInAll([
    {
      what: `AES-256-GCM, ${TEXT_MIB} MiB`,
      ours: aes('GCM', nonce, 'None'),
      peers: [limit('aes-256-gcm', nonce, LIMIT_GOAL)],
      amount,
    },
    {
      what: `AES-256-CBC, ${TEXT_MIB} MiB`,
      ours: aes('CBC', block, 'PKCS7'),
      peers: [limit('aes-256-cbc', block), scripted(text.subarray(0, SHORT_MIB * MIB))],
      amount,
    },
    {
      what: `ChaCha20-Poly1305, ${TEXT_MIB} MiB`,
      ours: () => encryptChacha(chacha, text),
      peers: [limit('chacha20-poly1305', nonce)],
      amount,
    },
  ])
}

/** Milliseconds as if it were the whole text. */
function scripted(part: Uint8Array): Peer {
  return {
    name: 'crypto-js',
    work() {
      const [words, key, iv] = [part, KEY, new Uint8Array(16)].map(bytes => CryptoJs.lib.WordArray.create(bytes))
      const start = performance.now()
      if (words && key && iv) CryptoJs.AES.encrypt(words, key, { iv })
      return (performance.now() - start) * (TEXT_MIB / SHORT_MIB)
    },
    goal: SCRIPT_GOAL,
  }
}
