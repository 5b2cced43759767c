import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, type KeyObject, randomBytes, randomInt, sign } from 'node:crypto'
import { test } from 'node:test'
import { performed } from '@assay/kit'
import { replay } from '@assay/kit/replay'
import { toPem } from '@assay/lib/asn1/pem'
import { signatureVerify } from './signature-verify.ts'

const [action] = signatureVerify.actions
assert.ok(action)
interface Result {
  valid: boolean
  reason?: string
  algorithm: string
  scheme?: string
  note?: string
  key: string
}
async function run(input: Record<string, unknown>) {
  assert.ok(action)
  const outcome = await performed(action, input, replay())
  const result = outcome.result as Result
  action.show?.(result, outcome.input)
  return { ...result, terminal: action.terminal?.(outcome.input, result) }
}
const spki = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
const postQuantum = generateKeyPairSync as unknown as (name: string) => { privateKey: KeyObject; publicKey: KeyObject }
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dsa = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 })
const p256 = ec('prime256v1')
const ed25519 = generateKeyPairSync('ed25519')
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING }

interface Way {
  algorithm: string
  pair: { privateKey: KeyObject; publicKey: KeyObject }
  hashed: boolean
  scheme: RegExp
  options?: object
}
const ways: Way[] = [
  { algorithm: 'RSA', pair: rsa, hashed: true, scheme: /^RSASSA-PKCS1-v1_5$/ },
  {
    algorithm: 'RSA',
    pair: rsa,
    hashed: true,
    scheme: /^RSASSA-PSS, salt of 20 bytes$/,
    options: { ...pss, saltLength: 20 },
  },
  { algorithm: 'RSA', pair: rsa, hashed: true, scheme: /^RSASSA-PSS, salt of \d+ bytes$/, options: pss },
  { algorithm: 'DSA', pair: dsa, hashed: true, scheme: /^DSA, DER$/ },
  { algorithm: 'DSA', pair: dsa, hashed: true, scheme: /^DSA, P1363$/, options: { dsaEncoding: 'ieee-p1363' } },
  ...['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1', 'brainpoolP256r1', 'brainpoolP384r1'].flatMap(curve => {
    const way = { algorithm: 'ECDSA', pair: ec(curve), hashed: true }
    return [
      { ...way, scheme: /^ECDSA on .*, DER$/ },
      { ...way, scheme: /^ECDSA on .*, P1363$/, options: { dsaEncoding: 'ieee-p1363' } },
    ]
  }),
  { algorithm: 'Ed25519', pair: ed25519, hashed: false, scheme: /^Ed25519$/ },
  { algorithm: 'Ed448', pair: generateKeyPairSync('ed448'), hashed: false, scheme: /^Ed448$/ },
  { algorithm: 'ML-DSA', pair: postQuantum('ml-dsa-65'), hashed: false, scheme: /^ML-DSA-65$/ },
]
const hashes = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-512'] as const
const digestOf = (hash: string) => hash.toLowerCase().replace('sha-', 'sha')

test('[CTL-136] RSA, DSA and ECDSA come first among the algorithms', () => {
  assert.deepEqual(action.fields.algorithm?.options?.slice(0, 3), ['RSA', 'DSA', 'ECDSA'])
})

test('[CTL-136] OpenSSL signs with every algorithm, 240 times: it holds here, and the changed one does not', async () => {
  for (const { algorithm, pair, hashed, scheme, options } of ways) {
    for (let i = 0; i < 12; i++) {
      const hash = hashes[i % hashes.length] ?? 'SHA-256'
      const text = randomBytes(randomInt(1, 100))
      const signature = sign(hashed ? digestOf(hash) : null, text, { key: pair.privateKey, ...options })
      const form = i % 3
      const input = {
        ...{ message: text.toString('hex'), message_format: 'Hex', publicKey: spki(pair.publicKey), algorithm },
        ...(hashed && { hash }),
        signature:
          form === 0
            ? signature.toString('hex')
            : form === 1
              ? signature.toString('base64')
              : toPem('SIGNATURE', signature),
      }
      const result = await run(input)
      assert.deepEqual([result.valid, result.reason, result.note], [true, undefined, undefined], algorithm)
      assert.match(result.scheme ?? '', scheme)
      if (i % 6) continue
      const other = Buffer.from(text)
      other[0] = (other[0] ?? 0) ^ 1
      assert.equal((await run({ ...input, message: other.toString('hex') })).valid, false)
    }
  }
})

test('SLH-DSA: a signature of OpenSSL holds, with its SPKI and with the bare key', async () => {
  const { privateKey, publicKey } = postQuantum('slh-dsa-sha2-128f')
  const signature = sign(null, Buffer.from('text'), privateKey).toString('base64')
  const bare = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
  for (const key of [spki(publicKey), bare]) {
    const result = await run({ message: 'text', signature, publicKey: key, algorithm: 'SLH-DSA' })
    assert.deepEqual([result.valid, result.scheme], [true, 'SLH-DSA-SHA2-128f'])
  }
  assert.equal((await run({ message: 'test', signature, publicKey: bare, algorithm: 'SLH-DSA' })).valid, false)
})

test('the key says itself what it is for', async () => {
  const signature = sign(null, Buffer.from('text'), ed25519.privateKey).toString('hex')
  const publicKey = spki(ed25519.publicKey)
  const result = await run({ message: 'text', signature, publicKey, algorithm: 'RSA' })
  assert.deepEqual([result.valid, result.algorithm], [true, 'Ed25519'])
  assert.match(result.note ?? '', /one of Ed25519, so that algorithm was used/)
})

test('what is wrong is told where it can be known', async () => {
  const text = Buffer.from('text')
  const made = (pair: { privateKey: KeyObject }, hash: string | null, options = {}) =>
    sign(hash, text, { key: pair.privateKey, ...options }).toString('hex')
  const cut = (hex: string) => hex.slice(0, -2)
  const raw = made(ed25519, null)
  const order = 'edd3f55c1a631258d69cf7a2def9de14000000000000000000000000000000' // RFC 8032 §5.1, little-endian
  for (const [pair, input, reason] of [
    [rsa, { signature: made(rsa, 'sha512') }, /made with SHA-512, not with SHA-256, and holds with that/],
    [rsa, { signature: made(rsa, 'sha512', pss) }, /made with SHA-512, not with SHA-256, and holds with that/],
    [rsa, { signature: cut(made(rsa, 'sha256')) }, /has 255 bytes/],
    [dsa, { signature: made(dsa, 'sha1') }, /made with SHA-1, not with SHA-256/],
    [dsa, { signature: cut(made(dsa, 'sha256')) }, /strict DER or P1363/],
    [p256, { signature: made(p256, 'sha384') }, /made with SHA-384, not with SHA-256, and holds with that/],
    [p256, { signature: '3006020100020100' }, /r is zero/],
    [p256, { signature: '00'.repeat(64) }, /r is zero/],
    [p256, { signature: '00'.repeat(63) }, /has 64 bytes in this format/],
    [p256, { signature: made(p256, 'sha256'), message: 'other' }, /another message or with another key/],
    [ed25519, { signature: cut(raw) }, /has 63 bytes, and Ed25519 has 64/],
    [ed25519, { signature: `${raw.slice(0, 64)}${order}10` }, /not below the order of the group/],
    [ed25519, { signature: `${'ff'.repeat(32)}${'00'.repeat(32)}` }, /first half is not a point/],
    [ed25519, { signature: raw, message: 'other' }, /another message or with another key/],
  ] as const) {
    const result = await run({ message: 'text', publicKey: spki(pair.publicKey), ...input })
    assert.equal(result.valid, false)
    assert.match(result.reason ?? '', reason)
  }
})

test('questions that cannot be asked are problems of their field', async () => {
  const publicKey = spki(rsa.publicKey)
  const x25519 = spki(generateKeyPairSync('x25519').publicKey)
  const small = `302a300506032b6570032100${'01'.padEnd(64, '0')}`
  for (const [input, field, message] of [
    [{ publicKey }, 'signature', /please paste a signature/],
    [{ publicKey, signature: '!' }, 'signature', /not in the Base64 alphabet/],
    [{ publicKey, signature: 'zz', signature_format: 'Hex' }, 'signature', /not a hexadecimal digit/],
    [{ publicKey, signature: 'AA==', signature_format: 'PEM' }, 'signature', /BEGIN/],
    [{ signature: '00' }, 'publicKey', /please paste a key/],
    [{ signature: '00', publicKey: x25519 }, 'publicKey', /X25519 is for agreement/],
    [{ signature: '00', publicKey: small }, 'publicKey', /small order of Ed25519, for which anybody can sign/],
    [{ signature: '00', publicKey: spki(ec('secp224r1').publicKey) }, 'publicKey', /curve P-224/],
    [{ signature: '00', publicKey: '00'.repeat(32), algorithm: 'ML-DSA' }, 'publicKey', /Public key: /],
    [{ signature: '00', publicKey, algorithm: 'MD5' }, 'algorithm', /expected one of/],
  ] as const) {
    await assert.rejects(run({ message: 'a', ...input }), { name: 'Problem', field, message })
  }
})
