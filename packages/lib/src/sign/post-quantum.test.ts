import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromHex, fromUtf8 } from '../bytes.ts'
import { findSpki } from '../key/read.ts'
import { barePostQuantumKey, postQuantumKeyOf, verifyPostQuantum } from './post-quantum.ts'

interface Group {
  publicKey: string
  tests: [tcId: number, comment: string, message: string, context: string, signature: string, result: string][]
}
const none = new Uint8Array()

test('Wycheproof: mldsa_44_verify', async () => {
  const url = new URL('../../../../vectors/post-quantum/mldsa_44_verify.json', import.meta.url)
  for (const { publicKey, tests } of JSON.parse(readFileSync(url, 'utf8')).testGroups as Group[]) {
    for (const [tcId, comment, message, context, signature, result] of tests) {
      let valid = false
      try {
        const key = barePostQuantumKey('ML-DSA', fromHex(publicKey))
        const verdict = key && (await verifyPostQuantum(key, fromHex(message), fromHex(signature), fromHex(context)))
        valid = verdict?.valid === true
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
      assert.equal(valid, result === 'valid', `${tcId}: ${comment}`)
    }
  }
})

const generate = (name: string) =>
  (generateKeyPairSync as (name: string) => { privateKey: KeyObject; publicKey: KeyObject })(name)

test('OpenSSL: signatures of every set of parameters hold, changed ones do not', async () => {
  const sets = [
    ['ml-dsa-44', 70],
    ['ml-dsa-65', 70],
    ['ml-dsa-87', 60],
    // Those that end in s take a second each to make.
    ...['sha2-128f', 'sha2-192f', 'sha2-256f', 'shake-128f', 'shake-192f', 'shake-256f'].map(set => [
      `slh-dsa-${set}`,
      1,
    ]),
    ...['sha2-128s', 'shake-128s'].map(set => [`slh-dsa-${set}`, 1]),
  ] as [string, number][]
  for (const [name, count] of sets) {
    const { privateKey, publicKey } = generate(name)
    const spki = findSpki(String(publicKey.export({ type: 'spki', format: 'pem' })))
    const key = spki && postQuantumKeyOf(spki)
    assert.ok(key)
    const bare = barePostQuantumKey(key.family, key.bytes)
    assert.ok(bare)
    for (let i = 0; i < count; i++) {
      const message = crypto.getRandomValues(new Uint8Array(i))
      const signature = Uint8Array.from(sign(null, message, privateKey))
      const verdict = await verifyPostQuantum(key, message, signature, none)
      assert.deepEqual([verdict.valid, verdict.valid && verdict.name.toLowerCase()], [true, name])
      assert.deepEqual(await verifyPostQuantum(bare, message, signature, none), verdict)
      if (i % 5) continue
      signature[(i * 37) % signature.length] = (signature[(i * 37) % signature.length] ?? 0) ^ 1
      assert.equal((await verifyPostQuantum(key, message, signature, none)).valid, false)
    }
  }
})

test('keys and signatures of the wrong size, and contexts that are too long', async () => {
  assert.equal(barePostQuantumKey('ML-DSA', new Uint8Array(1311)), undefined)
  assert.equal(barePostQuantumKey('SLH-DSA', new Uint8Array(1312)), undefined)
  assert.equal(barePostQuantumKey('SLH-DSA', new Uint8Array(32))?.candidates.length, 4)
  const key = barePostQuantumKey('ML-DSA', new Uint8Array(1312))
  assert.ok(key)
  const short = await verifyPostQuantum(key, fromUtf8('a'), new Uint8Array(2419), none)
  assert.match(short.valid ? '' : short.reason, /has 2419 bytes, and those of this key have 2420/)
  await assert.rejects(verifyPostQuantum(key, none, new Uint8Array(2420), new Uint8Array(256)), /at most 255 bytes/)
})

test('RFC 9881: an SPKI with parameters or a key of another length is refused', () => {
  const { publicKey } = generate('ml-dsa-44')
  const der = publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
  // SEQUENCE { SEQUENCE { OID } BIT STRING }: the lengths of both grow by two for a NULL.
  const withNull = der.replace(/^30820532300b/, '30820534300d').replace(/(0609608648016503040311)/, '$10500')
  assert.throws(() => postQuantumKeyOf(findSpki(withNull) ?? assert.fail()), /has parameters, and none are allowed/)
  const other = der.replace('0609608648016503040311', '0609608648016503040312')
  assert.throws(
    () => postQuantumKeyOf(findSpki(other) ?? assert.fail()),
    /ML-DSA-65 has 1952 bytes, and this one has 1312/,
  )
  assert.equal(findSpki('nothing of the kind'), undefined)
})
