import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createCipheriv, randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Bytes, concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import {
  type ChachaJob,
  type ChachaName,
  chachaNames,
  decryptChacha,
  encryptChacha,
  isAuthenticatedChacha,
} from './chacha.ts'

const none = new Uint8Array()
const random = (length: number): Bytes => new Uint8Array(randomBytes(length))
const job = (
  name: ChachaName,
  key: Bytes | string,
  nonce: Bytes | string,
  more: Partial<ChachaJob> = {},
): ChachaJob => ({
  name,
  key: typeof key === 'string' ? fromHex(key) : key,
  nonce: typeof nonce === 'string' ? fromHex(nonce) : nonce,
  aad: none,
  counter: 0,
  ...more,
})
const countingKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const aeadKey = '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'
const sunscreen = fromUtf8(
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
)

test('RFC 8439 §2.4.2: ChaCha20', () => {
  const given = job('ChaCha20', countingKey, '000000000000004a00000000', { counter: 1 })
  const { ciphertext, tag } = encryptChacha(given, sunscreen)
  assert.equal(
    toHex(ciphertext),
    '6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d',
  )
  assert.equal(tag.length, 0)
  assert.deepEqual(decryptChacha(given, ciphertext, none), sunscreen)
})

test('RFC 8439 §2.8.2: ChaCha20-Poly1305', () => {
  const given = job('ChaCha20-Poly1305', aeadKey, '070000004041424344454647', {
    aad: fromHex('50515253c0c1c2c3c4c5c6c7'),
  })
  const { ciphertext, tag } = encryptChacha(given, sunscreen)
  assert.equal(toHex(ciphertext.slice(0, 16)), 'd31a8d34648e60db7b86afbc53ef7ec2')
  assert.equal(toHex(tag), '1ae10b594f09e26a7e902ecbd0600691')
  assert.deepEqual(decryptChacha(given, ciphertext, tag), sunscreen)
})

test('draft-irtf-cfrg-xchacha-03 §A.3.1: XChaCha20-Poly1305', () => {
  const nonce = '404142434445464748494a4b4c4d4e4f5051525354555657'
  const given = job('XChaCha20-Poly1305', aeadKey, nonce, { aad: fromHex('50515253c0c1c2c3c4c5c6c7') })
  const { ciphertext, tag } = encryptChacha(given, sunscreen)
  assert.equal(
    toHex(ciphertext),
    'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e',
  )
  assert.equal(toHex(tag), 'c0875924c1c7987947deafd8780acf49')
  assert.deepEqual(decryptChacha(given, ciphertext, tag), sunscreen)
})

const dhole = fromUtf8(
  'The dhole (pronounced "dole") is also known as the Asiatic wild dog, red dog, and whistling dog. It is about the size of a German shepherd but looks more like a long-legged fox. This highly elusive and skilled jumper is classified with wolves, coyotes, jackals, and foxes in the taxonomic family Canidae.',
)
for (const [section, counter, start] of [
  ['A.3.2.1', 0, '4559abba4e48c16102e8bb2c05e6947f50a786de162f9b0b7e592a9b53d0d4e9'],
  ['A.3.2.2', 1, '7d0a2e6b7f7c65a236542630294e063b7ab9b555a5d5149aa21e4ae1e4fbce87'],
] as const) {
  test(`draft-irtf-cfrg-xchacha-03 §${section}: XChaCha20 from block ${counter} on`, () => {
    const given = job('XChaCha20', aeadKey, '404142434445464748494a4b4c4d4e4f5051525354555658', { counter })
    assert.equal(toHex(encryptChacha(given, dhole).ciphertext.slice(0, 32)), start)
  })
}

for (const [name, number, key, start] of [
  ['ChaCha8', 1, '00'.repeat(32), '3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e'],
  ['ChaCha12', 1, '00'.repeat(32), '9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f'],
  ['ChaCha20', 1, '00'.repeat(32), '76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7'],
  ['ChaCha8', 2, `01${'00'.repeat(31)}`, 'cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea'],
] as const) {
  test(`draft-strombergson-chacha-test-vectors-00, TC${number}: ${name} with a nonce of eight bytes`, () => {
    const given = job(name, key, '00'.repeat(8))
    assert.equal(toHex(encryptChacha(given, new Uint8Array(32)).ciphertext), start)
  })
}

interface WycheproofTest {
  tcId: number
  key: string
  iv: string
  aad: string
  msg: string
  ct: string
  tag: string
  result: 'valid' | 'invalid'
}
for (const [file, name] of [
  ['chacha20_poly1305', 'ChaCha20-Poly1305'],
  ['xchacha20_poly1305', 'XChaCha20-Poly1305'],
] as const) {
  test(`Wycheproof ${file}: every case is accepted or refused as it says`, () => {
    const path = new URL(`../../../../vectors/chacha20/${file}.json`, import.meta.url)
    const groups: { tests: WycheproofTest[] }[] = JSON.parse(readFileSync(path, 'utf8')).testGroups
    let count = 0
    for (const { tcId, key, iv, aad, msg, ct, tag, result } of groups.flatMap(({ tests }) => tests)) {
      count++
      const given = job(name, key, iv, { aad: fromHex(aad) })
      let opened: string | undefined
      try {
        const plaintext = decryptChacha(given, fromHex(ct), fromHex(tag))
        opened = plaintext && toHex(plaintext)
      } catch (error) {
        assert.ok(error instanceof RangeError)
        assert.equal(result, 'invalid', `test case ${tcId}`)
        continue
      }
      assert.equal(opened, result === 'valid' ? msg : undefined, `test case ${tcId}`)
      if (result === 'valid') {
        const made = encryptChacha(given, fromHex(msg))
        assert.deepEqual([toHex(made.ciphertext), toHex(made.tag)], [ct, tag], `test case ${tcId}`)
      }
    }
    assert.ok(count > 300, `${count} cases`)
  })
}

test('200 random texts: ChaCha20-Poly1305 is the same as in node:crypto', () => {
  for (let i = 0; i < 200; i++) {
    const [key, nonce, aad, text] = [random(32), random(12), random(randomInt(40)), random(randomInt(300))]
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
    cipher.setAAD(aad, { plaintextLength: text.length })
    const expected = concat(cipher.update(text), cipher.final())
    const { ciphertext, tag } = encryptChacha(job('ChaCha20-Poly1305', key, nonce, { aad }), text)
    assert.deepEqual([toHex(ciphertext), toHex(tag)], [toHex(expected), toHex(concat(cipher.getAuthTag()))])
  }
})

test('40 random texts and counters: ChaCha20 is the same as the openssl program', t => {
  for (let i = 0; i < 40; i++) {
    const [key, nonce, text, counter] = [random(32), random(12), random(randomInt(300)), randomInt(2 ** 32 - 10)]
    const little = new Uint8Array(4)
    new DataView(little.buffer).setUint32(0, counter, true)
    const options = ['enc', '-chacha20', '-K', toHex(key), '-iv', toHex(concat(little, nonce))]
    const { stdout, status } = spawnSync('openssl', options, { input: text })
    if (status !== 0) return t.skip('no openssl')
    const { ciphertext } = encryptChacha(job('ChaCha20', key, nonce, { counter }), text)
    assert.equal(toHex(ciphertext), toHex(new Uint8Array(stdout)))
  }
})

test('every cipher goes there and back', () => {
  for (const name of chachaNames) {
    const nonce = random(name.startsWith('X') ? 24 : 12)
    const given = job(name, random(32), nonce, { aad: random(5), counter: 7 })
    for (const length of [0, 1, 63, 64, 65, 1000]) {
      const text = random(length)
      const { ciphertext, tag } = encryptChacha(given, text)
      assert.deepEqual(decryptChacha(given, ciphertext, tag), text)
    }
  }
})

test('keys and nonces of the wrong length, and counters that run over, are refused', () => {
  for (const [given, message] of [
    [job('ChaCha20', random(16), random(12)), /^expected 32 bytes, got 16$/],
    [job('ChaCha20', random(32), random(24)), /^expected 12 or 8 bytes, got 24$/],
    [job('ChaCha20-Poly1305', random(32), random(8)), /^expected 12 bytes, got 8$/],
    [job('XChaCha20-Poly1305', random(32), random(12)), /^expected 24 bytes, got 12$/],
    [job('XChaCha20', random(32), none), /^expected 24 bytes, got 0$/],
    [job('ChaCha20', random(32), random(12), { counter: 2 ** 32 - 1 }), /the counter runs over/],
    [job('ChaCha8', random(32), random(12), { counter: -1 }), /the counter runs over/],
  ] as const) {
    assert.throws(() => encryptChacha(given, random(10)), { name: 'RangeError', message })
    assert.throws(() => decryptChacha(given, random(10), random(16)), { name: 'RangeError', message })
  }
})

test('changed and cut ciphertexts are not decrypted', () => {
  for (const name of chachaNames.filter(isAuthenticatedChacha)) {
    const given = job(name, random(32), random(name.startsWith('X') ? 24 : 12), { aad: fromUtf8('head') })
    const { ciphertext, tag } = encryptChacha(given, random(70))
    for (let at = 0; at < 70; at += 9) {
      assert.equal(
        decryptChacha(
          given,
          ciphertext.map((byte, i) => (i === at ? byte ^ 128 : byte)),
          tag,
        ),
        undefined,
      )
    }
    for (let at = 0; at < 16; at++) {
      assert.equal(
        decryptChacha(
          given,
          ciphertext,
          tag.map((byte, i) => (i === at ? byte ^ 1 : byte)),
        ),
        undefined,
      )
    }
    assert.equal(decryptChacha({ ...given, aad: none }, ciphertext, tag), undefined)
    assert.equal(decryptChacha(given, ciphertext.slice(1), tag), undefined)
    assert.throws(() => decryptChacha(given, ciphertext, tag.slice(1)), /expected a tag of 16 bytes, got 15/)
  }
})
