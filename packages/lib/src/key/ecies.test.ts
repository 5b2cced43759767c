import assert from 'node:assert/strict'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { test } from 'node:test'
import { type Bytes, fromHex, fromUtf8, toHex, toUtf8 } from '../bytes.ts'
import { readAgreementPrivateKey, readAgreementPublicKey } from './agreement.ts'
import { decryptEcies, type EciesCurve, type EciesTerms, eciesCurves, eciesOverhead, encryptEcies } from './ecies.ts'
import { readPublicKey } from './read.ts'

const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
const eciesjs: EciesTerms = { kdf: 'HKDF-SHA256', layout: 'eciesjs' }

test('ecies/rs: the known ciphertexts of secp256k1 and X25519', async () => {
  for (const [curve, privateKey, ciphertext] of [
    [
      'secp256k1',
      'e520872701d9ec44dbac2eab85512ad14ad0c42e01de56d7b528abd8524fcb47',
      '047be1885aeb48d4d4db0c992996725d3264784fef88c5b60782f8d0f940c213227fc3f904f846d5ec3d0fba6653754501e8ebadc421aa3892a20fef33cff0206047058a4cfb4efbeae96b2d019b4ab2edce33328748a0d008a69c8f5816b72d45bd9b5a41bb6ea0127ab23057ec6fcd',
    ],
    [
      'X25519',
      '9434b8fc5036bf967b8483a1bf7378f094d90e01393e4e880db0080022ce6330',
      '02c351532928d20b9be0c354e029fd387e032d5318d71ca0ea361b8c62bae86794f6208f17b01affe66ab9edc728a25fac317b41dee123c3aee8684e9c771cfbc2c94c0fe0945ea7cad55b3eb11712',
    ],
  ] as const) {
    const key = await readAgreementPrivateKey(privateKey, curve)
    assert.equal(toUtf8(await decryptEcies(key, fromHex(ciphertext), eciesjs)), 'hello world🌍')
    const ours = await encryptEcies(key.publicKey, fromUtf8('text'), eciesjs, random)
    assert.equal(toUtf8(await decryptEcies(key, ours, eciesjs)), 'text')
    assert.equal(ours.length, 4 + eciesOverhead(curve, 'eciesjs'))
  }
})

const pairs: Record<EciesCurve, () => { privateKey: KeyObject; publicKey: KeyObject }> = {
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  X25519: () => generateKeyPairSync('x25519'),
}
/** The public key as it stands in a ciphertext: the end of its SPKI. */
const octets = (key: KeyObject, curve: EciesCurve): Buffer =>
  key.export({ type: 'spki', format: 'der' }).subarray(curve === 'X25519' ? -32 : curve === 'P-384' ? -97 : -65)

/** OpenSSL's own key for the layout Assay, as content/tools/ecc.md writes it down. */
function contentKey(secret: Buffer, info: Buffer, kdf: EciesTerms['kdf']): Buffer {
  if (kdf === 'HKDF-SHA256') return Buffer.from(hkdfSync('sha256', secret, '', info, 32))
  return createHash('sha256')
    .update(secret)
    .update(Buffer.of(0, 0, 0, 1))
    .update(info)
    .digest()
}

test('SEC 1 §5.1: OpenSSL decrypts what is encrypted here, and the other way round, 208 times', async () => {
  for (const curve of eciesCurves) {
    for (const kdf of ['HKDF-SHA256', 'X9.63-SHA256'] as const) {
      const terms: EciesTerms = { kdf, layout: 'Assay' }
      const receiver = pairs[curve]()
      const pem = String(receiver.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const key = await readAgreementPrivateKey(pem, curve)
      const own = octets(receiver.publicKey, curve)
      const prefix = receiver.publicKey.export({ type: 'spki', format: 'der' }).subarray(0, -own.length)
      for (let i = 0; i < 26; i++) {
        const text = random(i * 7)
        const ours = Buffer.from(await encryptEcies(key.publicKey, text, terms, random))
        const point = ours.subarray(0, own.length)
        const ephemeral = createPublicKey({ key: Buffer.concat([prefix, point]), format: 'der', type: 'spki' })
        const secret = diffieHellman({ privateKey: receiver.privateKey, publicKey: ephemeral })
        const nonce = ours.subarray(own.length, own.length + 12)
        const decipher = createDecipheriv('aes-256-gcm', contentKey(secret, Buffer.concat([point, own]), kdf), nonce)
        decipher.setAuthTag(ours.subarray(-16))
        assert.deepEqual(decipher.update(ours.subarray(own.length + 12, -16)), Buffer.from(text))
        decipher.final()

        const fresh = pairs[curve]()
        const head = octets(fresh.publicKey, curve)
        const shared = diffieHellman({ privateKey: fresh.privateKey, publicKey: receiver.publicKey })
        const cipher = createCipheriv('aes-256-gcm', contentKey(shared, Buffer.concat([head, own]), kdf), nonce)
        const sealed = Buffer.concat([cipher.update(text), cipher.final()])
        const theirs = Uint8Array.from(Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]))
        assert.equal(toHex(await decryptEcies(key, theirs, terms)), toHex(text))
      }
    }
  }
})

test('one changed bit anywhere and nothing opens, always with the same words', async () => {
  for (const curve of eciesCurves) {
    const key = await readAgreementPrivateKey('11'.repeat(curve === 'P-384' ? 48 : 32), curve)
    const terms: EciesTerms = { kdf: 'HKDF-SHA256', layout: 'Assay' }
    const ciphertext = await encryptEcies(key.publicKey, fromUtf8('a text'), terms, random)
    for (let at = 0; at < ciphertext.length; at += 5) {
      const changed = Uint8Array.from(ciphertext)
      changed[at] = (changed[at] ?? 0) ^ 1
      await assert.rejects(decryptEcies(key, changed, terms), { name: 'EciesError' })
    }
    const other = { ...terms, kdf: 'X9.63-SHA256' } as const
    await assert.rejects(decryptEcies(key, ciphertext, other), { name: 'EciesError' })
    const least = eciesOverhead(curve, 'Assay')
    await assert.rejects(decryptEcies(key, ciphertext.slice(0, least - 1), terms), /has at least/)
    assert.equal(
      (await decryptEcies(key, await encryptEcies(key.publicKey, new Uint8Array(), terms, random), terms)).length,
      0,
    )
  }
})

test('what a layout does not have, and points of small order, are refused', async () => {
  const p256 = await readAgreementPrivateKey('11'.repeat(32), 'P-256')
  await assert.rejects(encryptEcies(p256.publicKey, fromUtf8('a'), eciesjs, random), /secp256k1 and X25519, not P-256/)
  const k1 = await readAgreementPrivateKey('11'.repeat(32), 'secp256k1')
  const x963: EciesTerms = { kdf: 'X9.63-SHA256', layout: 'eciesjs' }
  await assert.rejects(encryptEcies(k1.publicKey, fromUtf8('a'), x963, random), /with HKDF-SHA256/)
  const { key: zero } = await readAgreementPublicKey('00'.repeat(32), 'X25519')
  await assert.rejects(encryptEcies(zero, fromUtf8('a'), eciesjs, random), /small order/)
  const x = await readAgreementPrivateKey('11'.repeat(32), 'X25519')
  await assert.rejects(decryptEcies(x, new Uint8Array(100), eciesjs), { name: 'EciesError' })
  const p521 = generateKeyPairSync('ec', { namedCurve: 'secp521r1' }).publicKey
  const { key } = await readPublicKey(String(p521.export({ type: 'spki', format: 'pem' })))
  assert.ok(key.type === 'EC')
  await assert.rejects(encryptEcies(key, fromUtf8('a'), eciesjs, random), /on P-521, and the curves at hand are/)
})
