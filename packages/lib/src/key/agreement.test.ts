import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromHex, toHex } from '../bytes.ts'
import { agreedKey } from '../kdf/agreed-key.ts'
import { x963 } from '../kdf/x963.ts'
import {
  type AgreementCurve,
  agreementCurves,
  readAgreementPrivateKey,
  readAgreementPublicKey,
  sharedSecret,
} from './agreement.ts'

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/agreement/${name}.json`, import.meta.url), 'utf8'))

async function agree(curve: AgreementCurve, privateKey: string, publicKey: string) {
  const own = await readAgreementPrivateKey(privateKey, curve)
  const { key } = await readAgreementPublicKey(publicKey, curve)
  const { bytes, zero } = await sharedSecret(own, key)
  return { secret: toHex(bytes), zero }
}

type Case = [tcId: number, comment: string, publicKey: string, privateKey: string, shared: string, result: string]

for (const [name, curve] of [
  ['ecdh_secp256r1', 'P-256'],
  ['ecdh_secp384r1_ecpoint', 'P-384'],
  ['x25519', 'X25519'],
  ['x448_asn', 'X448'],
] as const) {
  test(`Wycheproof: ${name}`, async () => {
    let refused = 0
    for (const [tcId, comment, publicKey, privateKey, shared, result] of vectors(name) as Case[]) {
      const secret = await agree(curve, privateKey, publicKey).then(
        ({ secret, zero }) => {
          // On P-256 a secret of zeros is the coordinate of a point like any other.
          assert.equal(zero, curve.startsWith('X') && /^0*$/.test(secret), comment)
          return secret
        },
        (error: unknown) => {
          assert.ok(error instanceof RangeError, String(error))
          return undefined
        },
      )
      if (secret === undefined) refused++
      if (result === 'invalid') assert.equal(secret, undefined, `${tcId}: ${comment}`)
      else if (secret !== undefined || result === 'valid') assert.equal(secret, shared, `${tcId}: ${comment}`)
      // Parameters instead of a name are acceptable there, and refused here.
    }
    assert.equal(refused > 0, curve.startsWith('P') || curve === 'X448')
  })
}

const names = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' } as const

test('OpenSSL agrees on the same secrets, 27 times on each of nine curves', async () => {
  for (const curve of agreementCurves) {
    const pair = () =>
      curve === 'X25519'
        ? generateKeyPairSync('x25519')
        : curve === 'X448'
          ? generateKeyPairSync('x448')
          : generateKeyPairSync('ec', { namedCurve: curve in names ? names[curve as 'P-256'] : curve })
    for (let i = 0; i < 27; i++) {
      const [own, other] = [pair(), pair()]
      const theirs = diffieHellman({ privateKey: own.privateKey, publicKey: other.publicKey })
      const pem = String(own.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const spki =
        i % 2
          ? String(other.publicKey.export({ type: 'spki', format: 'pem' }))
          : other.publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
      assert.deepEqual(await agree(curve, pem, spki), { secret: theirs.toString('hex'), zero: false })
    }
  }
})

test('RFC 7748 §6: every point of small order gives zeros, which is told', async () => {
  // p and p + 1 are 0 and 1 again, and so is 0 with the top bit set.
  const p = 2n ** 255n - 19n
  const u = (number: bigint) => toHex(fromHex(number.toString(16).padStart(64, '0')).toReversed())
  for (const number of [0n, 1n, p - 1n, p, p + 1n, 2n ** 255n]) {
    assert.deepEqual(await agree('X25519', '01'.repeat(32), u(number)), { secret: '00'.repeat(32), zero: true })
  }
  assert.equal((await agree('X448', '01'.repeat(56), '00'.repeat(56))).zero, true)
})

test('keys that do not fit each other or are not for agreement are refused', async () => {
  const pem = (type: 'ed25519' | 'x25519' | 'rsa') =>
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
      : generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  await assert.rejects(readAgreementPrivateKey(String(pem('ed25519')), 'X25519'), /Ed25519, which signs.*X25519/)
  await assert.rejects(readAgreementPrivateKey(String(pem('rsa')), 'P-256'), /of the kind RSA/)
  await assert.rejects(readAgreementPublicKey('00', 'P-256'), RangeError)
  await assert.rejects(readAgreementPublicKey(`04${'00'.repeat(64)}`, 'P-256'), /not a point on the curve P-256/)
  await assert.rejects(readAgreementPrivateKey('00'.repeat(32), 'P-256'), /from 1 to the order/)
  const own = await readAgreementPrivateKey(String(pem('x25519')), 'P-256')
  const { key } = await readAgreementPublicKey(
    '0462d5bd3372af75fe85a040715d0f502428e07046868b0bfdfa61d731afe44f26ac333a93a9e70a81cd5a95b5bf8d13990eb741c8c38872b4a07d275a014e30cf',
    'P-256',
  )
  await assert.rejects(sharedSecret(own, key), /on X25519 and the public one on P-256/)
})

interface KdfCase {
  hash: 'SHA-1' | 'SHA-224' | 'SHA-256' | 'SHA-384' | 'SHA-512'
  z: string
  sharedInfo: string
  key: string
}

test('NIST CAVP, ANS X9.63 KDF: ansx963_2001.rsp', async () => {
  const cases = vectors('ansx963_2001') as KdfCase[]
  assert.ok(cases.length >= 7)
  for (const { hash, z, sharedInfo, key } of cases) {
    assert.equal(toHex(await x963(hash, fromHex(z), fromHex(sharedInfo), key.length / 2)), key)
  }
  await assert.rejects(x963('SHA-256', new Uint8Array(1), new Uint8Array(), 0), /at least one byte/)
})

test('X9.63 and OpenSSL give the same keys of many lengths', async () => {
  for (const length of [1, 31, 32, 33, 64, 100]) {
    const [z, info] = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(length))]
    const options = ['digest:SHA256', `hexsecret:${toHex(z)}`, `hexinfo:${toHex(info)}`].flatMap(o => ['-kdfopt', o])
    const theirs = execFileSync('openssl', ['kdf', '-keylen', String(length), ...options, '-binary', 'X963KDF'])
    assert.equal(toHex(await agreedKey('X9.63-SHA256', z, { info, length })), theirs.toString('hex'))
  }
})

test('RFC 5869 §A.1 to §A.3, and OpenSSL on 50 random keys', async () => {
  for (const [ikm, salt, info, length, okm] of [
    [
      '0b'.repeat(22),
      '000102030405060708090a0b0c',
      'f0f1f2f3f4f5f6f7f8f9',
      42,
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    ],
    [
      '0b'.repeat(22),
      '',
      '',
      42,
      '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
    ],
  ] as const) {
    const terms = { salt: fromHex(salt), info: fromHex(info), length }
    assert.equal(toHex(await agreedKey('HKDF-SHA256', fromHex(ikm), terms)), okm)
  }
  for (let i = 0; i < 50; i++) {
    const [secret, salt, info] = [32, i, 2 * i].map(length => crypto.getRandomValues(new Uint8Array(length)))
    assert.ok(secret && salt && info)
    const theirs = Buffer.from(hkdfSync('sha256', secret, salt, info, 1 + 7 * i)).toString('hex')
    assert.equal(toHex(await agreedKey('HKDF-SHA256', secret, { salt, info, length: 1 + 7 * i })), theirs)
  }
  await assert.rejects(agreedKey('HKDF-SHA256', new Uint8Array(1), { length: 8161 }), /at most 8160 bytes/)
})

test('what Node reads of a key is what is read here', async () => {
  const pem = String(generateKeyPairSync('x448').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const own = await readAgreementPrivateKey(pem, 'P-256')
  const jwk = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' })
  assert.deepEqual(await readAgreementPublicKey(JSON.stringify(jwk), 'P-256'), { key: own.publicKey })
})

test('Wycheproof ecdh_secp256k1_webcrypto, tcId 1: the name that secp256k1 had in JOSE before RFC 8812', async () => {
  const publicKey = {
    ...{ kty: 'EC', crv: 'P-256K', x: '2Alq-KEeC4ADfh7mgka13LsK6xzxJE_XZ9uA8_on2is' },
    y: 'OWgS6haG50culpLq8-lY5Q6VANO0x3JD2x8qzWe6nMQ',
  }
  const privateKey = {
    ...{ kty: 'EC', crv: 'P-256K', d: '9Lf_fMzJiBOmn6498iK_4_Tij3ZL-RtKENgJbORGslQ' },
    ...{ x: 'JDchdVTyxKQl0yCsuVGavln7SRJ5YwyNqo0ZvKptbTI', y: '_B2MI_66Cp6jkx-juqZoTYcKUUiFufhUuh0f2o-zPMM' },
  }
  assert.deepEqual(await agree('P-256', JSON.stringify(privateKey), JSON.stringify(publicKey)), {
    ...{ secret: '544dfae22af6af939042b1d85b71a1e49e9a5614123c4d6ad0c8af65baf87d65', zero: false },
  })
})
