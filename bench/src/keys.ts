import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { generateEcKey } from '@assay/lib/key/ec'
import { generateRsaPkcs8 } from '@assay/lib/key/rsa'
import { signEcdsa, verifyEcdsa } from '@assay/lib/sign/ecdsa'
import { competeInAll } from './contest.ts'
import type { Row } from './table.ts'

/** How long the search for primes takes is luck, so there are many. */
const RSA_ROUNDS = 25
/** As fast as what it calls, but for what luck is left in the median. */
const RSA_GOAL = 1 / 1.5
const SIGNATURES = 50
const MESSAGE = new Uint8Array(256)

const rsa = { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' }
const amount = { count: SIGNATURES, unit: '' }

/** Making keys, and signatures with them. */
export async function measureKeys(): Promise<Row[]> {
  const key = await generateEcKey('P-256', length => crypto.getRandomValues(new Uint8Array(length)))
  const signature = await signEcdsa(key, 'SHA-256', MESSAGE)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = sign('sha256', MESSAGE, privateKey)
  return competeInAll([
    {
      what: 'a key of RSA-2048',
      ours: () => generateRsaPkcs8(2048),
      peers: [
        { name: 'WebCrypto', work: () => crypto.subtle.generateKey(rsa, true, ['encrypt', 'decrypt']), goal: RSA_GOAL },
      ],
      rounds: RSA_ROUNDS,
    },
    {
      what: 'signatures with ECDSA on P-256',
      ours: () => many(() => signEcdsa(key, 'SHA-256', MESSAGE)),
      peers: [{ name: 'node:crypto', work: () => many(() => sign('sha256', MESSAGE, privateKey)) }],
      amount,
    },
    {
      what: 'the same verified',
      ours: () => many(() => verifyEcdsa(key.publicKey, 'SHA-256', MESSAGE, signature)),
      peers: [{ name: 'node:crypto', work: () => many(() => verify('sha256', MESSAGE, publicKey, signed)) }],
      amount,
    },
  ])
}

async function many(work: () => unknown): Promise<void> {
  for (let i = 0; i < SIGNATURES; i++) await work()
}
