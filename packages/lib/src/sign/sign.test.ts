import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readAlgorithm, writeAlgorithm } from '../asn1/algorithm.ts'
import { Reader } from '../asn1/der.ts'
import { toPem } from '../asn1/pem.ts'
import { der } from '../asn1/write.ts'
import { type Bytes, concat, fromHex, fromUtf8, toHex } from '../bytes.ts'
import { generateEcKey, signingCurves } from '../key/ec.ts'
import type { EcPublicKey, PublicKey, RsaPrivateKey } from '../key/key.ts'
import { writePkcs8 } from '../key/pkcs8.ts'
import { readPrivateKey, readPublicKey } from '../key/read.ts'
import { writeSpki } from '../key/spki.ts'
import { readEcdsaSignature, signEcdsa, verifyEcdsa, writeEcdsaSignature } from './ecdsa.ts'
import { hashOids, type SignatureHash } from './hash-oid.ts'
import { signPkcs1, signPss, verifyPkcs1, verifyPss } from './rsa-signature.ts'
import { signatureAlgorithmOf, verifySignature } from './verify.ts'

const vectors = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/${path}.json`, import.meta.url), 'utf8'))
const number = (hex: string) => BigInt(`0x${hex}`)
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
const algorithm = (oid: string, ...parameters: Uint8Array[]) =>
  readAlgorithm(new Reader(writeAlgorithm(oid, ...parameters)), 'it')

interface Deterministic {
  curve: 'P-256' | 'P-384' | 'P-521'
  section: string
  x: string
  Ux: string
  Uy: string
  cases: { hash: SignatureHash; message: string; r: string; s: string }[]
}

for (const { curve, section, x, Ux, Uy, cases } of vectors('ecdsa/rfc6979') as Deterministic[]) {
  test(`RFC 6979 §${section}: ${curve} with three hash functions`, async () => {
    const point = fromHex(`04${Ux}${Uy}`)
    for (const { hash, message, r, s } of cases) {
      const signature = await signEcdsa({ type: 'EC', curve, d: fromHex(x) }, hash, fromUtf8(message))
      assert.deepEqual(signature, { r: number(r), s: number(s) }, `${hash} ${message}`)
      assert.ok(await verifyEcdsa({ type: 'EC', curve, point }, hash, fromUtf8(message), signature))
      assert.ok(!(await verifyEcdsa({ type: 'EC', curve, point }, hash, fromUtf8('other'), signature)))
    }
  })
}

interface WycheproofGroup {
  publicKeyDer: string
  sha: SignatureHash
  sLen?: number
  tests: [tcId: number, comment: string, message: string, signature: string, result: string][]
}

async function publicKey(hex: string): Promise<PublicKey> {
  return (await readPublicKey(hex)).key
}
/** An unreadable signature is an invalid one. */
async function holds(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

for (const [name, format] of [
  ['ecdsa_secp256r1_sha256', 'DER'],
  ['ecdsa_secp256r1_sha256_p1363', 'P1363'],
] as const) {
  test(`Wycheproof: ${name}`, async () => {
    for (const { publicKeyDer, sha, tests } of vectors(`ecdsa/${name}`).testGroups as WycheproofGroup[]) {
      const key = (await publicKey(publicKeyDer)) as EcPublicKey
      const curve = signingCurves.find(candidate => candidate === key.curve) ?? 'P-256'
      for (const [tcId, comment, message, signature, result] of tests) {
        const valid: boolean = await holds(async () =>
          verifyEcdsa(key, sha, fromHex(message), await readEcdsaSignature(fromHex(signature), format, curve)),
        )
        assert.equal(valid, result === 'valid', `${tcId}: ${comment}`)
      }
    }
  })
}

for (const [name, scheme] of [
  ['rsa_signature_2048_sha256', 'pkcs1'],
  ['rsa_pss_2048_sha256_mgf1_32', 'pss'],
  ['rsa_pss_2048_shake128', 'pss'],
] as const) {
  test(`Wycheproof: ${name}`, async () => {
    for (const { publicKeyDer, sha, sLen, tests } of vectors(`rsa/${name}`).testGroups as WycheproofGroup[]) {
      const key = await publicKey(publicKeyDer)
      assert.ok(key.type === 'RSA')
      for (const [tcId, comment, message, signature, result] of tests) {
        const [text, bytes] = [fromHex(message), fromHex(signature)]
        const valid: boolean =
          scheme === 'pkcs1'
            ? await verifyPkcs1(key, sha, text, bytes)
            : await verifyPss(key, text, bytes, { hash: sha, saltBytes: sLen ?? 0 })
        // The one acceptable case leaves out the NULL that RFC 8017 §A.2.4 puts into DigestInfo.
        assert.equal(valid, result === 'valid', `${tcId}: ${comment}`)
      }
    }
  })
}

for (const name of ['ed25519', 'ed448'] as const) {
  test(`Wycheproof: ${name}`, async () => {
    for (const { publicKeyDer, tests } of vectors(`eddsa/${name}`).testGroups as WycheproofGroup[]) {
      const key = await publicKey(publicKeyDer)
      for (const [tcId, comment, message, signature, result] of tests) {
        const oid = name === 'ed25519' ? '1.3.101.112' : '1.3.101.113'
        const { verdict } = await verifySignature(algorithm(oid), key, fromHex(message), {
          bytes: fromHex(signature),
          unused: 0,
        })
        assert.equal(verdict, result, `${tcId}: ${comment}`)
      }
    }
  })
}

type Fields = Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dP' | 'dQ' | 'qInv', string>
const keyOf = ({ n, e, d, p, q, dP, dQ, qInv }: Fields): RsaPrivateKey => ({
  type: 'RSA',
  publicKey: { type: 'RSA', n: number(n), e: number(e) },
  d: number(d),
  primes: [
    { prime: number(p), exponent: number(dP), coefficient: 0n },
    { prime: number(q), exponent: number(dQ), coefficient: number(qInv) },
  ],
})
interface RsaExamples {
  title: string
  key: Fields
  examples: { id: string; message: string; salt?: string; signature: string }[]
}

for (const { title, key, examples } of vectors('rsa/pss') as RsaExamples[]) {
  test(`PKCS #1 v2.1 pss-vect.txt: ${title}`, async () => {
    const own = keyOf(key)
    for (const { id, message, salt = '', signature } of examples) {
      const options = { hash: 'SHA-1', saltBytes: 20 } as const
      const made = await signPss(own, fromHex(message), options, () => fromHex(salt))
      assert.equal(toHex(made), signature, id)
      assert.ok(await verifyPss(own.publicKey, fromHex(message), fromHex(signature), options), id)
      assert.ok(!(await verifyPss(own.publicKey, fromHex(`${message}00`), fromHex(signature), options)), id)
    }
  })
}

for (const { title, key, examples } of vectors('rsa/pkcs1v15-signature') as RsaExamples[]) {
  test(`PKCS #1 pkcs1v15sign-vectors.txt: ${title}`, async () => {
    const own = keyOf(key)
    for (const { id, message, signature } of examples) {
      assert.equal(toHex(await signPkcs1(own, 'SHA-1', fromHex(message))), signature, id)
      assert.ok(await verifyPkcs1(own.publicKey, 'SHA-1', fromHex(message), fromHex(signature)), id)
    }
  })
}

const folder = mkdtempSync(join(tmpdir(), 'sign-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const openssl = (input: string | Uint8Array, ...args: string[]) =>
  Uint8Array.from(execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] }))

test('ECDSA on every curve with every hash function: OpenSSL and we verify each other', async () => {
  const message = fromUtf8('emporté')
  for (const curve of signingCurves) {
    const key = await generateEcKey(curve, random)
    assert.ok(key.publicKey)
    const secret = file('key.pem', toPem('PRIVATE KEY', writePkcs8(key)))
    const open = file('public.pem', toPem('PUBLIC KEY', writeSpki(key.publicKey)))
    for (const [hash, option] of [
      ['SHA-256', '-sha256'],
      ['SHA-384', '-sha384'],
      ['SHA-512', '-sha512'],
      ['SHA3-256', '-sha3-256'],
    ] as const) {
      const theirs = await readEcdsaSignature(openssl(message, 'dgst', option, '-sign', secret), 'DER', curve)
      assert.ok(await verifyEcdsa(key.publicKey, hash, message, theirs), `${curve} ${hash}`)
      const ours = writeEcdsaSignature(await signEcdsa(key, hash, message), 'DER', curve)
      const args = ['dgst', option, '-verify', open, '-signature', file('signature', ours)]
      assert.equal(spawnSync('openssl', args, { input: message }).status, 0, `${curve} ${hash}`)
    }
  }
})

test('RSA with every hash function and padding: OpenSSL and we verify each other', async () => {
  const message = fromUtf8('emporté')
  const pem = String(Buffer.from(openssl('', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')))
  const { key } = await readPrivateKey(pem)
  assert.ok(key.type === 'RSA')
  const secret = file('rsa.pem', pem)
  const open = file('rsa-public.pem', toPem('PUBLIC KEY', writeSpki(key.publicKey)))
  const verified = (hash: string, signature: Uint8Array, ...options: string[]) =>
    spawnSync('openssl', ['dgst', hash, '-verify', open, '-signature', file('signature', signature), ...options], {
      input: message,
    }).status === 0
  for (const [hash, option] of [
    ['SHA-1', '-sha1'],
    ['SHA-224', '-sha224'],
    ['SHA-256', '-sha256'],
    ['SHA-384', '-sha384'],
    ['SHA-512', '-sha512'],
    ['SHA-512/256', '-sha512-256'],
    ['SHA3-256', '-sha3-256'],
    ['MD5', '-md5'],
  ] as const) {
    assert.ok(await verifyPkcs1(key.publicKey, hash, message, openssl(message, 'dgst', option, '-sign', secret)), hash)
    assert.ok(verified(option, await signPkcs1(key, hash, message)), hash)
    for (const [saltBytes, mgfHash] of [
      [20, hash],
      [0, 'SHA-1'],
      [222, 'SHA-256'],
    ] as const) {
      if (hash !== 'SHA-256' && saltBytes === 222) continue
      const options = [
        'rsa_padding_mode:pss',
        `rsa_pss_saltlen:${saltBytes}`,
        `rsa_mgf1_md:${mgfHash.replace(/^SHA-/, 'SHA').replace('/', '-')}`,
      ].flatMap(o => ['-sigopt', o])
      const theirs = openssl(message, 'dgst', option, '-sign', secret, ...options)
      assert.ok(await verifyPss(key.publicKey, message, theirs, { hash, mgfHash, saltBytes }), `${hash} ${saltBytes}`)
      assert.ok(verified(option, await signPss(key, message, { hash, mgfHash, saltBytes }, random), ...options))
    }
  }
  await assert.rejects(signPss(key, message, { hash: 'SHA-256', saltBytes: 223 }, random), /at most 222 bytes of salt/)
  const short = { type: 'RSA', publicKey: { type: 'RSA', n: 3233n, e: 17n }, d: 2753n, primes: [] } as const
  await assert.rejects(signPkcs1(short, 'SHA-256', message), /too short/)
})

test('X.690: ECDSA signatures that are not strict DER, or whose numbers are out of range, say why', async () => {
  const order = number('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const signature = (...numbers: bigint[]) => der.sequence(...numbers.map(n => der.integer(n)))
  for (const [bytes, words] of [
    [new Uint8Array(), /no bytes/],
    [signature(), /r is missing/],
    [signature(1n), /s is missing/],
    [signature(1n, 1n, 1n), /follow the end of the signature/],
    [concat(signature(1n, 1n), fromHex('00')), /follow the end of the value/],
    [signature(0n, 1n), /r is zero/],
    [signature(1n, 0n), /s is zero/],
    [signature(-1n, 1n), /r is negative/],
    [signature(1n, -1n), /s is negative/],
    [signature(order, 1n), /r is not below the order/],
    [signature(1n, order + 1n), /s is not below the order/],
    [fromHex('3007020200010201 01'), /leading octet/],
    [fromHex('308106020101020101'), /shortest form/],
    [fromHex('30800201010201010000'), /indefinite/],
    [fromHex('3106020101020101'), /expected a SEQUENCE/],
    [fromHex('3006040101020101'), /expected an INTEGER for r/],
    [fromHex('3006020101020200'), /says 2 bytes/],
  ] as const) {
    await assert.rejects(
      readEcdsaSignature(bytes, 'DER', 'P-256'),
      error => error instanceof RangeError && words.test(error.message),
      toHex(bytes),
    )
  }
  for (const [curve, length] of [
    ['P-256', 64],
    ['P-521', 132],
    ['brainpoolP512r1', 128],
  ] as const) {
    for (const wrong of [0, length - 1, length + 1]) {
      await assert.rejects(readEcdsaSignature(new Uint8Array(wrong), 'P1363', curve), new RegExp(`has ${length} bytes`))
    }
    await assert.rejects(readEcdsaSignature(new Uint8Array(length), 'P1363', curve), /r is zero/)
    await assert.rejects(readEcdsaSignature(new Uint8Array(length).fill(255), 'JWS', curve), /not below the order/)
    const one = new Uint8Array(length)
    one[length / 2 - 1] = 1
    one[length - 1] = 1
    assert.deepEqual(await readEcdsaSignature(one, 'P1363', curve), { r: 1n, s: 1n })
    assert.deepEqual(writeEcdsaSignature({ r: 1n, s: 1n }, 'P1363', curve), one)
  }
})

test('numbers out of range are no signature, and a compressed key is the same key', async () => {
  const key = await generateEcKey('P-256', random)
  assert.ok(key.publicKey)
  const message = fromUtf8('text')
  const good = await signEcdsa(key, 'SHA-256', message)
  for (const wrong of [
    { ...good, r: 0n },
    { ...good, s: 0n },
    { ...good, s: 1n << 256n },
    { r: good.s, s: good.r },
  ]) {
    assert.equal(await verifyEcdsa(key.publicKey, 'SHA-256', message, wrong), false)
  }
  const { point } = key.publicKey
  const compressed = concat(Uint8Array.of(2 + ((point[64] ?? 0) & 1)), point.subarray(1, 33))
  assert.ok(await verifyEcdsa({ ...key.publicKey, point: compressed }, 'SHA-256', message, good))
  await assert.rejects(verifyEcdsa({ ...key.publicKey, curve: 'P-224' }, 'SHA-256', message, good), /P-224/)
})

test('RFC 4055 §3.1: parameters of RSA-PSS, left out and written out', () => {
  const pss = '1.2.840.113549.1.1.10'
  assert.deepEqual(signatureAlgorithmOf(algorithm(pss, der.sequence())).pss, {
    hash: 'SHA-1',
    mgfHash: 'SHA-1',
    saltBytes: 20,
  })
  const sha256 = writeAlgorithm(hashOids['SHA-256'], der.null())
  const mgf = writeAlgorithm('1.2.840.113549.1.1.8', sha256)
  const full = der.sequence(
    der.explicit(0, sha256),
    der.explicit(1, mgf),
    der.explicit(2, der.integer(32)),
    der.explicit(3, der.integer(1)),
  )
  assert.deepEqual(signatureAlgorithmOf(algorithm(pss, full)).pss, {
    hash: 'SHA-256',
    mgfHash: 'SHA-256',
    saltBytes: 32,
  })
  for (const parameters of [
    der.sequence(der.explicit(3, der.integer(2))),
    der.sequence(der.explicit(2, der.integer(-1))),
    der.sequence(der.explicit(0, writeAlgorithm('1.2.3'))),
    der.sequence(der.explicit(1, writeAlgorithm('1.2.3'))),
    der.sequence(der.integer(1)),
  ]) {
    const { scheme, pss: read } = signatureAlgorithmOf(algorithm(pss, parameters))
    assert.deepEqual([scheme, read], ['RSA-PSS', undefined])
  }
})

test('what cannot be computed is unknown, never invalid; a key of another kind is invalid', async () => {
  const key = await generateEcKey('P-256', random)
  assert.ok(key.publicKey)
  const bits = { bytes: new Uint8Array(64), unused: 0 }
  const verdict = async (oid: string, of: PublicKey) =>
    (await verifySignature(algorithm(oid), of, new Uint8Array(), bits)).verdict
  assert.equal(await verdict('1.2.3.4', key.publicKey), 'unknown')
  assert.equal(await verdict('1.2.840.113549.1.1.2', key.publicKey), 'unknown')
  assert.equal(await verdict('1.2.840.113549.1.1.11', key.publicKey), 'invalid')
  assert.equal(await verdict('1.2.840.10045.4.3.2', key.publicKey), 'invalid')
  assert.equal(
    await verdict('1.2.840.10045.4.3.2', { type: 'EC', curve: 'P-224', point: new Uint8Array(57) }),
    'unknown',
  )
  assert.equal(await verdict('1.2.840.113549.1.1.10', { type: 'RSA', n: 3233n, e: 17n }), 'unknown')
  const signature = der.sequence(der.integer(1), der.integer(1))
  const odd = await verifySignature(algorithm('1.2.840.10045.4.3.2'), key.publicKey, new Uint8Array(), {
    bytes: signature,
    unused: 1,
  })
  assert.equal(odd.verdict, 'invalid')
})

test('DSA: signatures of OpenSSL hold, changed ones do not', async () => {
  const pem = Buffer.from(openssl('', 'dsaparam', '-genkey', '-noout', '1024')).toString()
  const secret = file('dsa.pem', pem)
  const { key } = await readPublicKey(pem)
  const message = fromUtf8('text')
  for (const [hash, oid] of [
    ['-sha1', '1.2.840.10040.4.3'],
    ['-sha256', '2.16.840.1.101.3.4.3.2'],
    ['-sha512', '2.16.840.1.101.3.4.3.4'],
  ] as const) {
    const signature = openssl(message, 'dgst', hash, '-sign', secret)
    const verdict = async (text: Uint8Array, bytes: Bytes) =>
      (await verifySignature(algorithm(oid), key, text, { bytes, unused: 0 })).verdict
    assert.equal(await verdict(message, signature), 'valid')
    assert.equal(await verdict(fromUtf8('other'), signature), 'invalid')
    assert.equal(await verdict(message, der.sequence(der.integer(0), der.integer(1))), 'invalid')
    assert.equal(await verdict(message, signature.slice(0, -1)), 'invalid')
  }
})
