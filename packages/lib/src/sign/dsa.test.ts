import assert from 'node:assert/strict'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomInt,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { toPem } from '../asn1/pem.ts'
import { type Bytes, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { generateDsaKey } from '../key/dsa-generate.ts'
import type { DsaPrivateKey, DsaPublicKey } from '../key/key.ts'
import { writePkcs8 } from '../key/pkcs8.ts'
import { readPrivateKey, readPublicKey } from '../key/read.ts'
import { writeSpki } from '../key/spki.ts'
import { checkDsaKey, dsaLengths, readDsaSignature, signDsa, verifyDsa, writeDsaSignature } from './dsa.ts'
import type { SignatureHash } from './hash-oid.ts'

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/dsa/${name}.json`, import.meta.url), 'utf8'))
const number = (hex: string) => BigInt(`0x${hex}`)
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

interface Deterministic extends Record<'section' | 'p' | 'q' | 'g' | 'x' | 'y', string> {
  cases: { hash: SignatureHash; message: string; r: string; s: string }[]
}
const deterministic = (vectors('rfc6979') as Deterministic[]).map(({ section, p, q, g, x, y, cases }) => {
  const publicKey: DsaPublicKey = { type: 'DSA', p: number(p), q: number(q), g: number(g), y: number(y) }
  return { section, key: { type: 'DSA', publicKey, x: number(x) } as DsaPrivateKey, cases }
})
const [{ key: shortKey } = { key: undefined }] = deterministic
assert.ok(shortKey)

for (const { section, key, cases } of deterministic) {
  test(`RFC 6979 §${section}: five hash functions, two messages`, async () => {
    assert.equal(cases.length, 10)
    for (const { hash, message, r, s } of cases) {
      const signature = await signDsa(key, hash, fromUtf8(message))
      assert.deepEqual(signature, { r: number(r), s: number(s) }, `${hash} ${message}`)
      assert.ok(await verifyDsa(key.publicKey, hash, fromUtf8(message), signature))
      assert.ok(!(await verifyDsa(key.publicKey, hash, fromUtf8('other'), signature)))
    }
  })
}

interface Group {
  publicKeyDer: string
  sha: SignatureHash
  tests: [tcId: number, comment: string, message: string, signature: string, result: string][]
}

for (const [name, format] of [
  ['dsa_2048_256_sha256', 'DER'],
  ['dsa_2048_224_sha256_p1363', 'P1363'],
] as const) {
  test(`Wycheproof: ${name}`, async () => {
    for (const { publicKeyDer, sha, tests } of vectors(name).testGroups as Group[]) {
      const { key } = await readPublicKey(publicKeyDer)
      assert.ok(key.type === 'DSA')
      checkDsaKey(key)
      for (const [tcId, comment, message, signature, result] of tests) {
        let valid: boolean
        try {
          valid = await verifyDsa(key, sha, fromHex(message), readDsaSignature(fromHex(signature), format, key))
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          valid = false
        }
        assert.equal(valid, result === 'valid', `${tcId}: ${comment}`)
      }
    }
  })
}

test('OpenSSL verifies what is signed here, and the other way round, 240 times', async () => {
  const digests = { 'SHA-1': 'sha1', 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const
  for (const [modulusLength, divisorLength] of [
    [1024, 160],
    [2048, 224],
    [2048, 256],
  ] as const) {
    const pair = generateKeyPairSync('dsa', { modulusLength, divisorLength })
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const { key } = await readPrivateKey(pem)
    assert.ok(key.type === 'DSA')
    assert.equal(toPem('PRIVATE KEY', writePkcs8(key)), pem)
    assert.deepEqual(dsaLengths(key.publicKey), { p: modulusLength, q: divisorLength, approved: true })
    for (let i = 0; i < 80; i++) {
      const [hash, digest] = Object.entries(digests)[i % 4] as ['SHA-1', 'sha1']
      const [format, dsaEncoding] = i % 3 ? (['DER', 'der'] as const) : (['P1363', 'ieee-p1363'] as const)
      const message = Uint8Array.from(randomBytes(randomInt(0, 100)))
      const pairOfNumbers = await signDsa(key, hash, message, i % 2 ? random : undefined)
      const ours = writeDsaSignature(pairOfNumbers, format, key.publicKey)
      assert.ok(verify(digest, message, { key: pair.publicKey, dsaEncoding }, ours))
      const theirs = Uint8Array.from(sign(digest, message, { key: pair.privateKey, dsaEncoding }))
      assert.ok(await verifyDsa(key.publicKey, hash, message, readDsaSignature(theirs, format, key.publicKey)))
    }
  }
})

test('FIPS 186-4 §4.1: keys on which anybody could sign are refused', () => {
  const { publicKey } = shortKey
  const { p, q, g } = publicKey
  checkDsaKey(publicKey)
  for (const [change, message] of [
    [{ q: q + 2n }, /q does not divide p − 1/],
    [{ q: 2n }, /out of range/],
    [{ g: p - 1n }, /g is not of the order q/],
    [{ g: 1n }, /out of range/],
    [{ g: p }, /out of range/],
    [{ y: 1n }, /out of range/],
    [{ y: p - 1n }, /y is not of the order q/],
    [{ y: p + g }, /out of range/],
    [{ p: 1n << 20_000n }, /too long/],
  ] as const) {
    assert.throws(() => checkDsaKey({ ...publicKey, ...change }), { name: 'RangeError', message })
  }
})

test('signatures of the wrong form or range are none', async () => {
  const { publicKey } = shortKey
  const { r, s } = await signDsa(shortKey, 'SHA-256', fromUtf8('sample'))
  for (const numbers of [
    { r: 0n, s },
    { r, s: 0n },
    { r: r + publicKey.q, s },
    { r, s: s + publicKey.q },
    { r: -r, s },
  ]) {
    assert.ok(!(await verifyDsa(publicKey, 'SHA-256', fromUtf8('sample'), numbers)))
  }
  const der = writeDsaSignature({ r, s }, 'DER', publicKey)
  const p1363 = writeDsaSignature({ r, s }, 'P1363', publicKey)
  assert.equal(p1363.length, 40)
  for (const [bytes, format, message] of [
    [p1363, 'DER', /./],
    [der, 'P1363', /has 40 bytes in this format, and this one has 4[67]/],
    [fromHex(`${toHex(der)}00`), 'DER', /1 bytes follow/],
    [p1363.subarray(1), 'P1363', /this one has 39/],
    [fromHex('30090201010201010201'), 'DER', /./],
  ] as const) {
    assert.throws(() => readDsaSignature(Uint8Array.from(bytes), format, publicKey), { message })
  }
})

test('FIPS 186-4 §A.1.1.2: new keys are ones that OpenSSL takes', async () => {
  const search = generateDsaKey(1024, { random })
  let step = await search.next()
  while (!step.done) step = await search.next()
  const { key, seed, counter } = step.value
  assert.deepEqual([seed.length, counter >= 0 && counter < 4096], [20, true])
  checkDsaKey(key.publicKey)
  const text = fromUtf8('text')
  const theirs = createPrivateKey(toPem('PRIVATE KEY', writePkcs8(key)))
  const publicKey = createPublicKey(toPem('PUBLIC KEY', writeSpki(key.publicKey)))
  assert.ok(createPublicKey(theirs).equals(publicKey))
  const signature = Uint8Array.from(sign('sha256', text, theirs))
  assert.ok(await verifyDsa(key.publicKey, 'SHA-256', text, readDsaSignature(signature, 'DER', key.publicKey)))
})

test('a search can be stopped', async () => {
  const stop = new AbortController()
  // Octets that are always the same: one search in some hundred is over before it can be stopped.
  let call = 0
  const octets = (length: number) =>
    Uint8Array.from(createHash('shake256', { outputLength: length }).update(String(call++)).digest())
  const search = generateDsaKey(3072, { random: octets, signal: stop.signal })
  assert.equal((await search.next()).done, false)
  stop.abort()
  await assert.rejects(
    async () => {
      for await (const _ of search);
    },
    { name: 'AbortError' },
  )
})
