import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Bytes, concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import type { HashName } from '../hash/digest.ts'
import type { RsaPrivateKey } from './key.ts'
import { readPkcs8 } from './pkcs8.ts'
import { readPrivateKey } from './read.ts'
import { checkRsaPrivateKey, generateRsaPkcs8, modulusBytes, rsaPrivate, rsaPublic } from './rsa.ts'
import {
  DecryptionError,
  decryptOaep,
  decryptPkcs1,
  decryptRaw,
  encryptOaep,
  encryptPkcs1,
  encryptRaw,
  oaepCapacity,
  pkcs1Capacity,
} from './rsa-encryption.ts'

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/rsa/${name}.json`, import.meta.url), 'utf8'))
const number = (hex: string) => BigInt(`0x${hex}`)
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

type Fields = Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dP' | 'dQ' | 'qInv', string>
const keyOf = ({ n, e, d, p, q, dP, dQ, qInv }: Fields): RsaPrivateKey =>
  checkRsaPrivateKey({
    type: 'RSA',
    publicKey: { type: 'RSA', n: number(n), e: number(e) },
    d: number(d),
    primes: [
      { prime: number(p), exponent: number(dP), coefficient: 0n },
      { prime: number(q), exponent: number(dQ), coefficient: number(qInv) },
    ],
  })

interface Example {
  id: string
  message: string
  seed: string
  ciphertext: string
}
interface KeyExamples {
  title: string
  key: Fields
  examples: Example[]
}

for (const { title, key, examples } of vectors('oaep') as KeyExamples[]) {
  test(`PKCS #1 v2.1 oaep-vect.txt: ${title}`, async () => {
    const own = keyOf(key)
    for (const { id, message, seed, ciphertext } of examples) {
      const made = await encryptOaep(own.publicKey, fromHex(message), { hash: 'SHA-1' }, () => fromHex(seed))
      assert.equal(toHex(made), ciphertext, id)
      assert.equal(toHex(await decryptOaep(own, fromHex(ciphertext), { hash: 'SHA-1' })), message, id)
      const bare = { ...own, primes: [] }
      assert.equal(toHex(await decryptOaep(bare, fromHex(ciphertext), { hash: 'SHA-1' })), message, id)
    }
  })
}

for (const { title, key, examples } of vectors('pkcs1v15-encryption') as KeyExamples[]) {
  test(`PKCS #1 pkcs1v15crypt-vectors.txt: ${title}`, () => {
    const own = keyOf(key)
    for (const { id, message, seed, ciphertext } of examples) {
      assert.equal(toHex(encryptPkcs1(own.publicKey, fromHex(message), () => fromHex(seed))), ciphertext, id)
      assert.equal(toHex(decryptPkcs1(own, fromHex(ciphertext))), message, id)
    }
  })
}

interface Group {
  privateKeyPkcs8: string
  sha?: HashName
  mgfSha?: HashName
  tests: { tcId: number; comment: string; msg: string; ct: string; label?: string; result: string }[]
}

for (const name of [
  'rsa_oaep_2048_sha1_mgf1sha1',
  'rsa_oaep_2048_sha256_mgf1sha1',
  'rsa_oaep_2048_sha256_mgf1sha256',
  'rsa_oaep_2048_sha512_mgf1sha512',
  'rsa_three_primes_oaep_2048_sha1_mgf1sha1',
  'rsa_pkcs1_2048',
]) {
  test(`Wycheproof: ${name}`, async () => {
    for (const { privateKeyPkcs8, sha, mgfSha, tests } of vectors(name).testGroups as Group[]) {
      const key = readPkcs8(fromHex(privateKeyPkcs8))
      assert.ok(key.type === 'RSA')
      for (const { tcId, comment, msg, ct, label, result } of tests) {
        const decrypt = async (): Promise<Bytes> => {
          const ciphertext = fromHex(ct)
          if (!sha) return decryptPkcs1(key, ciphertext)
          return decryptOaep(key, ciphertext, {
            hash: sha,
            ...(mgfSha && { mgfHash: mgfSha }),
            label: fromHex(label ?? ''),
          })
        }
        const words = `${tcId}: ${comment}`
        if (result === 'invalid') {
          await assert.rejects(decrypt, error => error instanceof DecryptionError || error instanceof RangeError, words)
        } else assert.equal(toHex(await decrypt()), msg, words)
      }
    }
  })
}

const folder = mkdtempSync(join(tmpdir(), 'rsa-'))
after(() => rmSync(folder, { recursive: true }))
const pem = execFileSync('openssl', ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
const path = join(folder, 'key.pem')
writeFileSync(path, pem)
const ownKey = async (): Promise<RsaPrivateKey> => {
  const { key } = await readPrivateKey(pem)
  assert.ok(key.type === 'RSA')
  return key
}
const pkeyutl = (way: '-encrypt' | '-decrypt', input: Uint8Array, ...options: string[]) =>
  spawnSync('openssl', ['pkeyutl', way, '-inkey', path, ...options.flatMap(option => ['-pkeyopt', option])], { input })

const hashes = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const
const md = (hash: string) => hash.replace('-', '').toLowerCase()

test('OAEP with every hash function, label and MGF hash: OpenSSL and we read each other', async () => {
  const key = await ownKey()
  for (const hash of hashes) {
    for (const [mgfHash, label] of [
      [hash, ''],
      ['SHA-1', 'a label'],
      ['SHA-256', ''],
    ] as const) {
      const options = { hash, mgfHash, label: fromUtf8(label) }
      const openssl = [
        'rsa_padding_mode:oaep',
        `rsa_oaep_md:${md(hash)}`,
        `rsa_mgf1_md:${md(mgfHash)}`,
        ...(label ? [`rsa_oaep_label:${toHex(options.label)}`] : []),
      ]
      const capacity = await oaepCapacity(key.publicKey, hash)
      for (const message of [fromUtf8('emporté'), new Uint8Array(), new Uint8Array(capacity)]) {
        const ours = await encryptOaep(key.publicKey, message, options, random)
        const read = pkeyutl('-decrypt', ours, ...openssl)
        assert.equal(read.status, 0, String(read.stderr))
        assert.equal(toHex(read.stdout), toHex(message))
        const theirs = pkeyutl('-encrypt', message, ...openssl)
        assert.equal(theirs.status, 0, String(theirs.stderr))
        assert.equal(toHex(await decryptOaep(key, Uint8Array.from(theirs.stdout), options)), toHex(message))
      }
    }
  }
})

test('PKCS #1 v1.5 and the bare primitive: OpenSSL and we read each other', async () => {
  const key = await ownKey()
  const message = fromUtf8('a text')
  const read = pkeyutl('-decrypt', encryptPkcs1(key.publicKey, message, random), 'rsa_padding_mode:pkcs1')
  assert.equal(toHex(read.stdout), toHex(message))
  const theirs = pkeyutl('-encrypt', message, 'rsa_padding_mode:pkcs1')
  assert.equal(toHex(decryptPkcs1(key, Uint8Array.from(theirs.stdout))), toHex(message))
  const block = concat(new Uint8Array(256 - message.length), message)
  const raw = pkeyutl('-encrypt', block, 'rsa_padding_mode:none')
  assert.equal(toHex(encryptRaw(key.publicKey, message)), toHex(raw.stdout))
  assert.equal(toHex(decryptRaw(key, Uint8Array.from(raw.stdout))), toHex(block))
})

test('RFC 8017 §7: too long, too short and foreign input is refused', async () => {
  const key = await ownKey()
  const { publicKey } = key
  const capacity = await oaepCapacity(publicKey, 'SHA-256')
  assert.equal(capacity, 190)
  const oaep = { hash: 'SHA-256' } as const
  await assert.rejects(encryptOaep(publicKey, new Uint8Array(191), oaep, random), /at most 190 bytes fit .* has 191/)
  assert.throws(() => encryptPkcs1(publicKey, new Uint8Array(246), random), /at most 245 bytes fit/)
  assert.equal(pkcs1Capacity(publicKey), 245)
  assert.throws(() => encryptRaw(publicKey, new Uint8Array(256).fill(255)), /below the modulus/)
  assert.equal(encryptRaw(publicKey, new Uint8Array(300)).length, 256)
  for (const length of [0, 255, 257]) {
    await assert.rejects(decryptOaep(key, new Uint8Array(length), oaep), /expected 256 bytes/)
    assert.throws(() => decryptPkcs1(key, new Uint8Array(length)), /expected 256 bytes/)
    assert.throws(() => decryptRaw(key, new Uint8Array(length)), /expected 256 bytes/)
  }
  await assert.rejects(decryptOaep(key, new Uint8Array(256).fill(255), oaep), /not below the modulus/)
  const made = await encryptOaep(publicKey, fromUtf8('text'), oaep, random)
  for (const options of [
    { ...oaep, label: fromUtf8('x') },
    { ...oaep, mgfHash: 'SHA-1' },
    { hash: 'SHA-512' },
  ] as const) {
    await assert.rejects(decryptOaep(key, made, options), DecryptionError)
  }
  assert.throws(() => decryptPkcs1(key, made), DecryptionError)
  const small = { type: 'RSA', n: 3233n, e: 17n } as const
  await assert.rejects(encryptOaep(small, new Uint8Array(), oaep, random), /too short/)
  assert.throws(() => encryptPkcs1(small, new Uint8Array(), random), /too short/)
  const tiny = { type: 'RSA', publicKey: small, d: 2753n, primes: [] } as const
  await assert.rejects(decryptOaep(tiny, new Uint8Array(2), oaep), /too short/)
  assert.throws(() => decryptPkcs1(tiny, new Uint8Array(2)), /too short/)
  assert.equal(rsaPrivate(tiny, rsaPublic(small, 65n)), 65n)
})

test('ciphertexts are as long as the modulus, leading zeros and all', async () => {
  const key = await ownKey()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async bytes => {
      const message = Uint8Array.from(bytes)
      const made = encryptPkcs1(key.publicKey, message, random)
      assert.equal(made.length, modulusBytes(key.publicKey))
      assert.deepEqual(decryptPkcs1(key, made), message)
    }),
    { numRuns: 25 },
  )
})

test('the platform makes keys whose parts belong together', async () => {
  const key = readPkcs8(await generateRsaPkcs8(2048))
  assert.ok(key.type === 'RSA')
  assert.equal(checkRsaPrivateKey(key).publicKey.e, 65537n)
})
